#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a test while the test module offers its PMUs: with_pmus.sh COMMAND [ARG...]

set -uo pipefail
insmod "$(dirname "$0")/ke-$(uname -r)/threadprof_ke_test.ko" pmu_only=1 || exit 3
rc=0
"$@" || rc=$?
rmmod threadprof_ke_test || rc=3
exit "$rc"
