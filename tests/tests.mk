# SPDX-License-Identifier: GPL-2.0-only
-include tests/unit/unit.mk
-include tests/unit/hwcfg/hwcfg-unit.mk
