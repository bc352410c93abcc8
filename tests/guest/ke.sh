#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The kernel's own callers: load the test module and turn what it says in the
# kernel's log into results.

set -uo pipefail
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"
module=$here/ke-$(uname -r)/threadprof_ke_test.ko

# said: results of the last load
said() {
	dmesg | sed -n 's/^.*threadprof_ke_test: //p'
}

# load NAME ARGS...
load() {
	local name=$1 line rc=0 last='' wanted=0 got=0
	shift
	dmesg -C
	insmod "$module" "$@" || rc=$?
	is "$name: the module loads" 0 "$rc"
	while IFS= read -r line; do
		case $line in
		'ok '*) ok "$name: $(cut -d' ' -f3- <<<"$line")" ;;
		'not ok '*) last=$(cut -d' ' -f4- <<<"$line") && not_ok "$name: $last" "see below" ;;
		'# '*) echo "# $last: ${line#\# }" ;;
		1..*) wanted=${line#1..} ;;
		esac
		[[ $line != *ok\ * ]] || got=$((got + 1))
	done < <(said)
	is "$name: as many results as planned" "$wanted" "$got"
	rc=0
	rmmod threadprof_ke_test || rc=$?
	is "$name: the module unloads" 0 "$rc"
}

hwcfg clear
load free
# A thread with hardware counters enabled: any program, by inheritance or itself.
hwcfg set task-clock cpu-clock >/dev/null
"$here/hold" 3 >/tmp/hold.out &
holder=$!
eventually 5 grep -q ready /tmp/hold.out
load "in use" busy=1
kill "$holder"
wait "$holder" 2>/dev/null
is "KS7 the configuration can be changed once nobody counts" 0 "$(eventually 5 hwcfg clear; echo $?)"
# shellcheck disable=SC2016 # the inner shell's own number
hwcfg run -e task-clock -- sh -c 'echo $$ >/tmp/sleeper; exec sleep 1000' >/dev/null 2>&1 &
runner=$!
eventually 5 sh -c 'hwcfg show 2>/dev/null | grep -q "held by"'
load "held" busy=1
kill -KILL "$runner"
kill -KILL "$(cat /tmp/sleeper)"
rm -f /tmp/sleeper /tmp/hold.out
is "a list that was held can be replaced afterwards" 0 "$(eventually 5 hwcfg clear; echo $?)"
if hwcfg status 2>/dev/null | grep -q '^PMU  *[a-z].*counters'; then
	insmod "$module" keep=1
	like "KS17 what a driver keeps is told" "reserved .*by module threadprof_ke_test" \
		"$(hwcfg status)"
	rc=0
	said=$(hwcfg set cycles 2>&1) || rc=$?
	is "KS17 and has no room for others" 1 "$rc"
	like "which is said" "no room" "$said"
	rmmod threadprof_ke_test
	rc=0
	hwcfg set cycles >/dev/null || rc=$?
	is "a driver that goes gives back what it kept" 0 "$rc"
	hwcfg clear
fi
tap_end
