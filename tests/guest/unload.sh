#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Loading and unloading, idle and in use.

set -uo pipefail
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"

loaded() {
	grep -q '^threadprof ' /proc/modules
}

# rmmod's verdict and its words
unload() {
	local said rc=0
	said=$(rmmod threadprof 2>&1) || rc=$?
	echo "$rc $said"
}

# The reference of a profile goes with a work item.
unload_soon() {
	eventually 5 rmmod threadprof 2>/dev/null
}

hwcfg clear
"$here/hold" 0 >/tmp/hold.out &
holder=$!
eventually 5 grep -q ready /tmp/hold.out
like "rmmod while a thread is profiled says in use" "^1 .*in use" "$(unload)"
is "rmmod while a thread is profiled leaves the module" 0 "$(loaded; echo $?)"
kill -KILL "$holder"
wait "$holder" 2>/dev/null
is "rmmod works once the thread is gone" 0 "$(unload_soon; echo $?)"

is "50 times loaded and unloaded" 0 "$("$here/reload" "$(modinfo -n threadprof)" 50)"

# With a configuration in force, and profiles just gone, each time.
bad=0
for _ in {1..5}; do
	modprobe threadprof || bad=$((bad + 1))
	hwcfg set task-clock >/dev/null || bad=$((bad + 1))
	hwcfg run -o /dev/null -- sh -c 'true; true | cat' || bad=$((bad + 1))
	unload_soon || bad=$((bad + 1))
done
is "5 times loaded, used and unloaded" 0 "$bad"

# Unloading beside users: in use or gone, never half.
modprobe threadprof
(for _ in {1..15}; do hwcfg run -o /dev/null -- true; done) 2>/dev/null &
users=$!
gone=0
deadline=$((SECONDS + 60))
while kill -0 "$users" 2>/dev/null; do
	rmmod threadprof 2>/dev/null && gone=$((gone + 1))
	sleep 0.02
	((SECONDS < deadline)) && continue
	echo "not ok unloading beside users ends: expected less than 60 s"
	for p in $(pgrep 'hwcfg|modprobe|rmmod'); do
		echo "# $(cat "/proc/$p/comm") $p: $(tr '\n' ' ' <"/proc/$p/stack")"
	done
	kill -KILL "$users"
done
wait "$users"
echo "# unloaded $gone times beside users"
ok "unloading beside users does no harm"
loaded && { unload_soon || true; }

hwcfg status >/dev/null 2>&1
is "the module is loaded on demand, by its family's name" 0 "$(loaded; echo $?)"
modprobe threadprof
like "KS11 after loading the configuration is empty" "no counters configured" "$(hwcfg show 2>&1)"
rm -f /tmp/hold.out
tap_end
