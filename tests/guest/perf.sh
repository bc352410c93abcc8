#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# hwcfg run -e instructions:u against perf stat -e instructions:u, on the same
# programs: within 0.1 %.

set -uo pipefail
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"
cd /tmp || exit 3
head -c 400000 /usr/bin/perf >input

# by_perf COMMAND...
by_perf() {
	perf stat -x, -o perf.out -e instructions:u -- "$@" >/dev/null 2>&1
	sed -n 's/^\([0-9][0-9]*\),.*instructions.*/\1/p' perf.out
}

# by_hwcfg COMMAND...: the totals line of the counter
by_hwcfg() {
	hwcfg run --json -o hwcfg.out -e instructions:u -- "$@" >/dev/null 2>hwcfg.err
	python3 - <<'PY'
import json
print(sum(int(c["value"] or 0) for c in json.load(open("hwcfg.out"))["counters"]))
PY
}

compare() {
	local name=$1 a b c
	shift
	a=$(by_perf "$@")
	b=$(by_hwcfg "$@")
	c=$(by_perf "$@")
	echo "# $name: perf $a and $c, hwcfg $b"
	near "hwcfg run agrees with perf stat within 0.1 %: $name" "${a:-0}" "${b:-0}" 0.001
}

compare "one thread" "$here/spin" 0 10000000
compare "four threads" "$here/spin" 3 5000000
compare "a static program with threads" "$here/spin-static" 2 5000000
compare "static busybox" busybox sha256sum input
compare "xz with threads" xz -T2 -1 -k -c input
# shellcheck disable=SC2016 # the inner shell's variable
compare "a shell and its children" sh -c 'for i in 1 2 3 4; do sha256sum input; done'
tap_end
