#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The whole tool, linked with kernel.c in place of the library: what goes to
# which output, and the exit codes.

set -euo pipefail
hwcfg=$1
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT
failed=0 passed=0
export LIBPFM_FORCE_PMU=skl

# run KERNEL ARG...: leaves $rc, $tmp/out and $tmp/err
run() {
	local kernel=$1
	shift
	rc=0
	HWCFG_KERNEL=$kernel "$hwcfg" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || rc=$?
	what="$kernel: hwcfg $*"
}

bad() {
	echo "FAILED: $what: $1"
	sed 's/^/  out: /' "$tmp/out"
	sed 's/^/  err: /' "$tmp/err"
	failed=$((failed + 1))
}

status() { if [[ $rc -eq $1 ]]; then passed=$((passed + 1)); else bad "exit $rc, not $1"; fi; }
same() { if [[ $(<"$tmp/$1") == "$2" ]]; then passed=$((passed + 1)); else bad "$1 is not '$2'"; fi; }
has() { if grep -qF -- "$2" "$tmp/$1"; then passed=$((passed + 1)); else bad "$1 lacks '$2'"; fi; }
# json EXPRESSION: what jq makes of the output has to be true; jq itself repairs UTF-8
json() {
	if iconv -f UTF-8 -t UTF-8 "$tmp/out" >/dev/null && jq -e "$1" "$tmp/out" >/dev/null; then passed=$((passed + 1)); else bad "not so: $1"; fi
}

for command in show clear status 'set cycles' 'run true' ''; do
	# shellcheck disable=SC2086 # the words of a command
	run absent $command
	status 2
	same out ''
	same err 'hwcfg: the threadprof module is not loaded: modprobe threadprof'
done

for command in show set clear list status run; do
	run absent $command --help
	status 0
	same err ''
	has out "Usage: hwcfg $command"
	run absent $command --nonsense
	status 2
	same out ''
	has err "unknown option '--nonsense'"
done
run absent --help; status 0; has out 'run a command'
run absent --version; status 0; has out 'hwcfg '
run absent nonsense; status 2; has err "unknown command 'nonsense'"
run ok show extra; status 2
run ok clear extra; status 2
run ok status extra; status 2
run ok list a b; status 2
run ok set; status 2; has err 'which events?'
run ok run; status 2; has err 'which command?'
run ok run -o; status 2; has err 'wants an argument'

run ok; status 0; same err ''; has out 'generation 4'; has out '0x0000000000000001'
run empty show; status 0; same out ''; same err 'hwcfg: no counters configured'
run empty show --json; status 0; json '.counters == [] and .configuration[0].generation == 4'
run ok show --json; status 0
json '.counters[1] == {slot: 1, event: "instructions", modes: "user", perf: "0:0x1", index: "0x0000000000000001"}'

run ok set cycles:uk,r1c2 cpu-clock; status 0; same err ''
has out 'user+kernel'; has out '4:0x1c2'; has out 'cpu-clock'
run ok set --json --direct=relaxed cycles; status 0; json '.configuration[0].direct == "relaxed"'
run ok set --direct=relaxed cycles; status 0; has out 'direct reads: relaxed'
run ok set --json cycles; status 0; json '.configuration[0].direct == "strict"'
run ok set cycles; status 0; if grep -q 'direct reads' "$tmp/out"; then bad 'speaks of what is as ever'; else passed=$((passed + 1)); fi
run ok set --direct cycles; status 0; has out 'direct reads: everybody'
run ok set --exclusive cycles; status 0; has out 'exclusive'
run ok set --json --exclusive cycles; status 0; json '.configuration[0].exclusive == true'
run ok show --exclusive; status 2; has err 'unknown option'
run ok set --direct=loose cycles; status 2; has err '--direct can only be =relaxed'
run ok show --direct=relaxed; status 2; has err 'unknown option'
run ok set cylces; status 1; same out ''
same err "hwcfg: unknown event 'cylces'; did you mean cycles?"
run ok set cycles cycles; status 1; same err "hwcfg: 'cycles' and 'cycles' are the same event"
run ok set cycles:p; status 1; has err 'sampling'
run denied set cycles; status 1; same out ''
same err 'hwcfg: CAP_PERFMON is needed to configure counters'
run busy set cycles; status 1; same err 'hwcfg: in use by 77 (worker)'
run full set cycles; status 1; has err 'no room for counter 3'; has err 'NMI watchdog holds'
run full run -e cycles true; status 1; has err 'no room for counter 3'; has err 'NMI watchdog holds'
run busy clear; status 1; same err 'hwcfg: in use by 77 (worker)'
run ok clear; status 0; same out ''; same err ''

run ok status; status 0; same err ''
has out 'cpu (type 4), 6 counters, CPUs 0-7'; has out 'holds one counter on each CPU'
has out 'tsc, 2 GHz, the same on all CPUs'; has out 'part of a thread'
has out 'held by process 55 (holder)'
printf 'ffff T %s\n' watchdog_hardlockup_enable watchdog_buddy_check_hardlockup >"$tmp/symbols"
export HWCFG_SYMBOLS=$tmp/symbols
run ok status; status 0; has out 'on, holds no counter'
run ok status --json; status 0; json '.status[0] | .nmi_watchdog == 1 and .watchdog_holds_counter == false'
run full set cycles; status 1; same err 'hwcfg: no room for counter 3 on CPU 0'
unset HWCFG_SYMBOLS
export LC_ALL=C.UTF-8
run names status; status 0; has out 'held by process 55 (h\x1b]0;x\x07ö\xff)'
has out 'reserved         8 counters on CPUs 0-3, by module a_driver'
run names status --json; status 0; json '.reservations == [{owner: "a_driver", counters: 8, cpus: "0-3"}]'
json '.status[0].holder_name == "h\u001b]0;x\u0007ö\ufffd"'
run names clear; status 1; same err 'hwcfg: in use by 77 (\x1b[2Jx)'
LC_ALL=C run names status; status 0; has out 'held by process 55 (h\x1b]0;x\x07\xc3\xb6\xff)'
run ok $'no\nsuch\033'; status 2; has err "unknown command 'no\x0asuch\x1b'"
unset LC_ALL
run nopmu status; status 0
same err 'hwcfg: no hardware PMU here: dispatch data and software events only'
run ok status --json; status 0
json '.status[0] | .nmi_watchdog == 1 and .watchdog_holds_counter and .cycle_hz == 2000000000 and .pmu == true and .holder_pid == 55'
json '.pmus == [{name: "cpu", type: 4, counters: 6, cpus: "0-7"}]'
run nopmu status --json; status 0; json '.pmus == [] and .status[0].holder_pid == null'

run ok run -- sh -c 'exit 5'; status 5
run ok run sh -c 'kill -KILL $$'; status 137
run ok run /nonexistent/command; status 127; same out ''
same err 'hwcfg: /nonexistent/command: No such file or directory'
run ok run /proc/version; status 126; same out ''; has err 'Permission denied'
run ok run -e nonsuch touch "$tmp/ran"; status 1; has err "unknown event 'nonsuch'"
run denied run -e cycles touch "$tmp/ran"; status 1; has err 'CAP_PERFMON'
run ok run -o /nonexistent/file touch "$tmp/ran"; status 1; has err '/nonexistent/file'
what='refused runs'
if [[ -e $tmp/ran ]]; then bad 'the command ran'; fi

run ok run echo hello; status 0; same err ''
has out hello; has out '2.50 UserRequest 1.50 ms'; has out '2,500,000'; has out worker; has out total
run ok run -o "$tmp/table" echo hello; status 0; same out hello
cp "$tmp/table" "$tmp/out"; has out '2,500,000'
run empty run true; status 0; has err 'dispatch data only'; has out worker
run empty run -e cycles -e instructions true; status 0; same err ''; has out '2.50'
run kernel run true; status 0; has err 'the counters count the kernel; dispatch data only'
run ok run --json -o "$tmp/table" sh -c 'exit 3'; status 3
cp "$tmp/table" "$tmp/out"
json '.run[0].status == 3 and .run[0].command == "sh"'
json '.threads[0] | .tid == 61 and .ref_cycles == 4000000 and .cpu_ns == 2000000 and .ipc == 2.5 and .kind == "ended"'
json '.counters[1] == {profile: 1, tid: 61, slot: 1, event: "instructions", modes: "user", state: "counting", value: 2500000, note: null}'
json '.waits == [{profile: 1, tid: 61, reason: 6, name: "UserRequest", count: 2, ref_cycles: 3000000, ns: 1500000}]'
run orphan run -o "$tmp/table" true; status 0; same err ''
cp "$tmp/table" "$tmp/out"; has out ' 61 worker'; has out ' 62 orphan'; has out '5,000,000'
# One name in any locale: a letter of two bytes, one of Latin-1, one cut off.
for locale in C.UTF-8 C; do
	LC_ALL=$locale run names run --json -o "$tmp/table" true; status 0
	cp "$tmp/table" "$tmp/out"; json '.threads[0].name == "wörk\ufffd\u001b\ufffd\ufffd"'
done
LC_ALL=C.UTF-8 run names run true; status 0; has out 'in\x1bs'; has out $' 61 wörk\ufffd\\x1b\ufffd\ufffd '
LC_ALL=C run names run true; status 0; has out ' 61 w\xc3\xb6rk'
# A full disk is told, and the command's own status kept.
if [[ -w /dev/full ]]; then
	run ok run -o /dev/full true; status 1; has err 'could not be written'
	run ok run -o /dev/full false; status 1
fi

run ok list cpu-clock; status 0; has out cpu-clock; has out software
run ok list --json page-faults; status 0; json '.events[0] | .name == "page-faults" and .type == "software"'
run ok list --all inst_retired; status 0; has out skl::INST_RETIRED:ANY_P
run ok list qqqqqqqq; status 1; same out ''; has err "no event with 'qqqqqqqq'"

echo "hwcfg: $passed passed, $failed failed"
[[ $failed -eq 0 ]]
