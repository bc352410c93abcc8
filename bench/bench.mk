# SPDX-License-Identifier: GPL-2.0-only
# `make bench`: what it all costs beside its peers, in a guest that counts its
# instructions. Included by the top level after tests/tests.mk.

BENCH_D := $(B)/bench
# What the guest gets.
BENCH_TO := $(B)/tests/bench
BENCH_OBJECTS := $(patsubst bench/%.c,$(BENCH_D)/%.o,\
	$(filter-out bench/native.c bench/measure_native.c,$(wildcard bench/*.c)))
BENCH_CFLAGS = -std=gnu11 -D_GNU_SOURCE -pthread -MMD -MP -I$(B)/root/usr/include \
	$(LIB_NL_CFLAGS) $(CFLAGS_USER) $(shell $(PKG_CONFIG) --cflags smartcols)
BENCH_LIBS = -L$(B)/root/usr/lib/$(GUEST_TUPLE) -lthreadprof -lpapi $(LIB_NL_LIBS) \
	$(shell $(PKG_CONFIG) --libs smartcols)

.PHONY: bench bench-check bench-build bench-native
bench: BENCH_ARGS := $(if $(filter 1,$(JSON)),--json)
bench-check: BENCH_ARGS := --check
bench bench-check:
	$(Q)scripts/setup build vm >&2
	$(Q)+$(MAKE) ARCH=arm64 bench-build >&2
	$(Q)bench/run $(BENCH_ARGS) $(if $(CPU),--cpu $(CPU))

# Against the installed library and headers, as any program is.
bench-build: guest-root
	$(Q)+$(MAKE) $(BENCH_TO)/bench $(BENCH_TO)/limits

$(BENCH_D)/%.o: bench/%.c bench/bench.mk
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(BENCH_CFLAGS) -c -o $@ $<

$(BENCH_TO)/bench: $(BENCH_OBJECTS)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  LD      $@")
	$(Q)$(CC) $(LDFLAGS) -pthread -o $@ $^ $(BENCH_LIBS)

$(BENCH_TO)/limits: bench/limits
	@mkdir -p $(@D)
	$(Q)cp $< $@

# On the machine itself: the library reads a made-up kernel's page and registers, as in
# its unit tests.
BENCH_NATIVE_D := $(B)/bench-native
BENCH_NATIVE := main die figure limit table measure measure_native native dispatch ours

bench-native: $(BENCH_NATIVE_D)/bench
	$(Q)$< $(if $(filter 1,$(JSON)),--json)

$(BENCH_NATIVE_D)/%.o: bench/%.c bench/bench.mk
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(UNIT_CFLAGS) -MMD -MP -DTHREADPROF_SIMULATED \
		$(shell $(PKG_CONFIG) --cflags smartcols) -c -o $@ $<

$(BENCH_NATIVE_D)/bench: $(BENCH_NATIVE:%=$(BENCH_NATIVE_D)/%.o) \
		$(addprefix $(UNIT_OUT)/,$(UNIT_COMMON:=.o)) $(UNIT_SIMULATED) $(LIB_STATIC)
	$(if $(Q),@echo "  LD      $@")
	$(Q)$(CC) $(LDFLAGS) -pthread -o $@ $^ $(UNIT_LIBS) \
		$(shell $(PKG_CONFIG) --libs smartcols)

-include $(wildcard $(BENCH_D)/*.d $(BENCH_NATIVE_D)/*.d)
