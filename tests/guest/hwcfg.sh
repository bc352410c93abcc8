#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The tool, as people use it: stdout is data, stderr is talk, 0, 1 and 2 are its
# exit statuses, and a command's own is passed on.

set -uo pipefail
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"
cd /tmp || exit 3

# as_user COMMAND...
# shellcheck disable=SC2317 # try calls it
as_user() {
	setpriv --reuid=1000 --regid=1000 --clear-groups "$@"
}

# try COMMAND...: leaves $rc, $out, $err
try() {
	rc=0
	"$@" >out.txt 2>err.txt </dev/null || rc=$?
	out=$(<out.txt)
	err=$(<err.txt)
}

lines() {
	grep -c '' <<<"$1"
}

# shown: the configured events, a line each
shown() {
	hwcfg show 2>/dev/null | awk '$1 ~ /^[0-9]+$/ { printf "%s%s", n++ ? " " : "", $2 }'
}

pmu=$(hwcfg status --json 2>/dev/null | python3 -c '
import json, sys
print(len(json.load(sys.stdin)["pmus"]))')
hwcfg clear

try hwcfg
is "hwcfg alone shows the configuration" 0 "$rc"
try hwcfg list
is "list" 0 "$rc"
like "list has task-clock, which opens" "task-clock +software +yes" "$out"
if ((pmu)); then like "list has cycles, which open" "cycles +[a-z0-9_]+ +yes" "$out"; fi
try hwcfg list --json
is "list --json is JSON" 0 "$(python3 -c 'import json; json.load(open("out.txt"))'; echo $?)"

try hwcfg set task-clock page-faults
is "set" 0 "$rc"
like "set prints what is configured" "task-clock.*page-faults" "${out//$'\n'/ }"
is "set says nothing else" "" "$err"
is "show has the same" "task-clock page-faults" "$(shown)"
try hwcfg set --direct=relaxed task-clock
is "set --direct=relaxed" 0 "$rc"
try hwcfg show --json
like "is in force" '"direct": ?"relaxed"' "$out"
try hwcfg set task-clock page-faults
try hwcfg show --json
like "until the next set" '"direct": ?"strict"' "$out"
try hwcfg set no-such-event
is "set of an unknown event: status" 1 "$rc"
like "set of an unknown event names it" "no-such-event" "$err"
is "set of an unknown event: one line" 1 "$(lines "$err")"
is "set of an unknown event: no data" "" "$out"
is "set of an unknown event keeps the configuration" "task-clock page-faults" "$(shown)"
try hwcfg set task-clock,task-clock
is "set of a duplicate: status" 1 "$rc"
like "set of a duplicate says so" "duplicate|twice|same event" "$err"
try hwcfg set
is "set of nothing: status" 2 "$rc"
try hwcfg frobnicate
is "an unknown command: status" 2 "$rc"
is "an unknown command: one line" 1 "$(lines "$err")"
if ((pmu)); then
	try hwcfg set cycles:u,cycles:k,cycles:uk,r11:u,r11:k,r11:uk,r11:h,r11:uh
	is "more counters than the PMU has: status" 1 "$rc"
	like "more counters than the PMU has: in words" "no room" "$err"
else
	try hwcfg set cycles
	is "KS19 a hardware event without a PMU: status" 1 "$rc"
	like "KS19 a hardware event without a PMU: in words" "no PMU|no hardware PMU" "$err"
fi
is "it keeps the configuration" "task-clock page-faults" "$(shown)"
try as_user hwcfg set task-clock
is "set as a user: status" 1 "$rc"
like "set as a user says what is needed" "CAP_PERFMON" "$err"
try as_user hwcfg show
is "show as a user" 0 "$rc"
try as_user hwcfg status
is "status as a user" 0 "$rc"
like "status has the module's version" "threadprof [0-9]+\.[0-9]+" "$out"
like "status has the cycle source" "cycle source" "$out"

# In use: the holder is named.
"$here/hold" 1 >hold.txt &
holder=$!
eventually 5 grep -q ready hold.txt
try hwcfg set cpu-clock
is "set while in use: status" 1 "$rc"
like "set while in use names the holder" "$holder.*hold" "$err"
is "set while in use: one line" 1 "$(lines "$err")"
try hwcfg clear
like "clear while in use names the holder" "1 .*$holder.*hold" "$rc $err"
try hwcfg status
like "status counts the holder" "profiles +1, 1 of them" "$out"
kill "$holder"
wait "$holder" 2>/dev/null
is "it keeps the configuration in use" "task-clock page-faults" "$(shown)"

# run
try hwcfg run -- sh -c 'echo out; echo err >&2; exit 7'
is "run passes the status on" 7 "$rc"
like "run leaves the command's output alone" "^out" "$out"
like "run leaves the command's errors alone" "(^|"$'\n'")err" "$err"
like "run prints a table" "TID.*NAME.*task-clock" "${out//$'\n'/ }"
try hwcfg run -- sh -c 'kill -TERM $$'
is "run tells of a signal" 143 "$rc"
try hwcfg run -- no-such-command
is "run of what is not there: status" 127 "$rc"
like "run of what is not there names it" "no-such-command" "$err"
try hwcfg run -o table.txt -- echo data
is "run -o keeps the table off stdout" "data" "$out"
like "run -o writes the table" "TID.*echo.*total" "$(tr '\n' ' ' <table.txt)"
try hwcfg run --json -o run.json -- "$here/spin" 3 5000000
is "run --json: four threads of spin" "4 4" "$(python3 -c '
import json
run = json.load(open("run.json"))
print(len([t for t in run["threads"] if t["kind"] == "ended"]),
      len([c for c in run["counters"] if c["event"] == "task-clock" and c["value"] > 0]))')"
try as_user hwcfg run -o /dev/null -- true
is "run as a user with counters of user mode" 0 "$rc"
try hwcfg run -o table.txt -- "$here/spin-static" 1 1000
like "run of a static program" "spin-static.*spin-static" "$(tr '\n' ' ' <table.txt)"

# -e: another configuration for the time of it.
try hwcfg run -e cpu-clock -o table.txt -- hwcfg show
like "run -e configures its own events" "cpu-clock" "$out"
like "run -e holds the configuration" "held by process" "$out"
like "run -e counts them" "cpu-clock" "$(<table.txt)"
eventually 5 test "$(shown)" = "task-clock page-faults"
is "run -e puts the configuration back" "task-clock page-faults" "$(shown)"
try hwcfg run -e no-such-event -- touch ran
is "run -e of an unknown event: status" 1 "$rc"
is "run -e of an unknown event runs nothing" "no" "$([[ -e ran ]] && echo yes || echo no)"
rm -f sleeper
hwcfg run -e cpu-clock -o /dev/null -- sh -c 'echo $$ >sleeper; exec sleep 1000' &
runner=$!
eventually 5 test -s sleeper
is "run -e is in force" "cpu-clock" "$(shown)"
try hwcfg set minor-faults
like "set while run -e holds it names the holder" "1 .*[0-9]+.*(hwcfg|sleep)" "$rc $err"
{ kill -KILL "$runner" && wait "$runner"; } 2>/dev/null
for _ in {1..100}; do
	[[ $(shown) != "task-clock page-faults" ]] || break
	sleep 0.05
done
is "run -e killed: the configuration is put back" "task-clock page-faults" "$(shown)"
try hwcfg set minor-faults
is "run -e killed: it can be changed though the command lives" 0 "$rc"
kill -KILL "$(<sleeper)"
try as_user hwcfg run -e task-clock -- true
is "run -e as a user: status" 1 "$rc"
like "run -e as a user says what is needed" "CAP_PERFMON" "$err"

hwcfg set task-clock:uk >/dev/null
try as_user hwcfg run -o /dev/null -- true
is "run as a user, counters of kernel mode: status" 0 "$rc"
like "run as a user, counters of kernel mode: told" "kernel mode.*dispatch data only" "$err"

try hwcfg clear
is "clear" 0 "$rc"
is "nothing is configured then" "" "$(shown)"
try hwcfg run -o table.txt -- true
like "run without counters says so" "no counters configured" "$err"
rm -f out.txt err.txt hold.txt table.txt run.json sleeper
tap_end
