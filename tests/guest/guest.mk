# SPDX-License-Identifier: GPL-2.0-only
# Programs that test inside a guest. Included by tests/tests.mk; the top level sets
# ARCH, B, CC, CFLAGS_USER, LDFLAGS, LIB_INCLUDE, LIB_NL_CFLAGS and LIB_NL_LIBS.

GUEST_D := $(B)/tests
GUEST_PROGRAMS := $(patsubst tests/guest/t_%.c,%,$(wildcard tests/guest/t_*.c))
# Linked into all of them.
GUEST_COMMON := raw.o loop.o proc.o leak.o ended.o ticks.o hcp.o watch.o storm.o \
	inherit.o area.o direct.o
GUEST_CFLAGS = -std=gnu11 -D_GNU_SOURCE -pthread -MMD -MP $(LIB_INCLUDE) \
	$(LIB_NL_CFLAGS) $(CFLAGS_USER)
GUEST_OBJECTS := $(addprefix $(GUEST_D)/o/,$(GUEST_COMMON))

.PHONY: guest-tests
guest-tests: $(addprefix $(GUEST_D)/,$(GUEST_PROGRAMS) spin spin-static splats policy.expected)

$(GUEST_D)/o/%.o: tests/guest/%.c tests/guest/guest.mk
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(GUEST_CFLAGS) -c -o $@ $<

# Some run as another user or after the library has been tested: all are dynamic,
# as real users of it are.
$(addprefix $(GUEST_D)/,$(GUEST_PROGRAMS)): $(GUEST_D)/%: $(GUEST_D)/o/t_%.o $(GUEST_OBJECTS) \
		$(B)/lib/libthreadprof.so
	$(if $(Q),@echo "  LD      $@")
	$(Q)$(CC) $(LDFLAGS) -pthread -o $@ $(filter %.o,$^) -L$(B)/lib -lthreadprof $(LIB_NL_LIBS)

$(GUEST_D)/spin: $(GUEST_D)/o/spin.o $(GUEST_D)/o/loop.o
	$(Q)$(CC) $(LDFLAGS) -pthread -o $@ $^

$(GUEST_D)/spin-static: $(GUEST_D)/o/spin.o $(GUEST_D)/o/loop.o
	$(Q)$(CC) $(LDFLAGS) -static -pthread -o $@ $^

# The host's own list of what no kernel may say.
$(GUEST_D)/splats: tests/vm/splats
	@mkdir -p $(@D)
	$(Q)cp $< $@

# What the specification says of the kernel's own description of the family.
$(GUEST_D)/policy.expected: uapi/threadprof.yaml tests/guest/abi
	@mkdir -p $(@D)
	$(Q)tests/guest/abi policy > $@

.PRECIOUS: $(GUEST_D)/o/%.o
-include $(wildcard $(GUEST_D)/o/*.d)
