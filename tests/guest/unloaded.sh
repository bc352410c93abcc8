#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Without the module: each call and each command says so, in one line.

set -uo pipefail
here=$(dirname "$0")
# shellcheck source=tap.sh
. "$here/tap.sh"
cd /tmp || exit 3

said() {
	local rc=0
	"$@" >out.txt 2>err.txt </dev/null || rc=$?
	echo "$rc $(grep -c '' out.txt) $(grep -c '' err.txt) $(<err.txt)"
}

for command in "show" "set task-clock" "clear" "status" "run -- true" "run -e task-clock -- true"; do
	# shellcheck disable=SC2086 # words
	like "hwcfg $command: status 2, one line, and what to do" \
		"^2 0 1 hwcfg: .*not loaded.*modprobe threadprof" "$(said hwcfg $command)"
done
like "hwcfg alone too" "^2 0 1 .*modprobe threadprof" "$(said hwcfg)"
like "hwcfg run: the command is not run" "^2 0 1" "$(said hwcfg run -- touch ran)"
is "it was not" no "$([[ -e ran ]] && echo yes || echo no)"
like "hwcfg list needs no module" "^0 " "$(said hwcfg list)"
like "hwcfg --version needs no module" "^0 1 0" "$(said hwcfg --version)"
while IFS= read -r line; do
	[[ $line == 1..* ]] && continue
	echo "$line"
	tap_count=$((tap_count + 1))
	[[ $line == ok\ * ]] || tap_failed=1
done < <("$here/no_module" || echo "not ok no_module: ends well: expected status 0 got $?")
tap_end
