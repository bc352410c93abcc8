# SPDX-License-Identifier: GPL-2.0-only
# `make demo`: an arm64 guest whose processor has counters, counted exactly.

.PHONY: demo demo-build demo-programs

# From nothing: packages first, then everything for arm64, then the guest.
demo:
	$(Q)scripts/setup build vm
	$(Q)+$(MAKE) ARCH=arm64 demo-build
	$(Q)tests/vm/run --icount -- /tests/demo

demo-build: guest-root demo-programs

demo-programs: $(B)/tests/windows_style $(B)/tests/demo

# The demo builds against the installed headers, as its reader would.
$(B)/tests/windows_style: demo/windows_style.c guest-root
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS_USER) -I$(B)/root/usr/include/threadprof/compat \
		-I$(B)/root/usr/include $< -L$(B)/root/usr/lib/$(GUEST_TUPLE) -lthreadprof -o $@

$(B)/tests/demo: demo/in-guest
	$(Q)install -D -m 755 $< $@
