# SPDX-License-Identifier: GPL-2.0-only
# `make check` and its parts.

include demo/demo.mk
-include tests/unit/unit.mk
-include tests/unit/hwcfg/hwcfg-unit.mk
-include tests/guest/guest.mk

GUEST_TUPLE := $(subst arm64,aarch64,$(ARCH))-linux-gnu

# What `make install` would put on a machine, as a tree for guests of ARCH.
.PHONY: guest-root check check-guest
guest-root:
	$(Q)rm -rf $(B)/root
	$(Q)+$(MAKE) lib-install hwcfg-install DESTDIR=$(B)/root PREFIX=/usr \
		LIBDIR=/usr/lib/$(GUEST_TUPLE) >/dev/null

check:
	$(Q)scripts/setup build vm check
	$(Q)tests/check

check-guest:
	$(Q)tests/check-guest
