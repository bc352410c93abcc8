# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# tap.h for scripts: sourced by tests.

tap_count=0
tap_failed=0

ok() {
	tap_count=$((tap_count + 1))
	echo "ok $1"
}

not_ok() {
	tap_count=$((tap_count + 1))
	tap_failed=1
	echo "not ok $1: ${2//$'\n'/ | }"
}

skip() {
	tap_count=$((tap_count + 1))
	echo "skip $1: $2"
}

# is NAME EXPECTED GOT
is() {
	if [[ $2 == "$3" ]]; then ok "$1"; else not_ok "$1" "expected '$2' got '$3'"; fi
}

# like NAME REGEX GOT
like() {
	if [[ $3 =~ $2 ]]; then ok "$1"; else not_ok "$1" "expected /$2/ got '$3'"; fi
}

# unlike NAME REGEX GOT
unlike() {
	if [[ $3 =~ $2 ]]; then not_ok "$1" "expected no /$2/ got '$3'"; else ok "$1"; fi
}

# near NAME EXPECTED GOT TOLERANCE: relative
near() {
	if awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN {
		d = a - b; if (d < 0) d = -d; exit !(a > 0 && d <= a * t) }'; then
		ok "$1"
	else
		not_ok "$1" "expected $2 within $4 got $3"
	fi
}

# eventually SECONDS COMMAND...: until it succeeds
eventually() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		((SECONDS < end)) || return 1
		sleep 0.05
	done
}

tap_end() {
	echo "1..$tap_count"
	exit "$tap_failed"
}
