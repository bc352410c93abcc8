# SPDX-License-Identifier: GPL-2.0-only
# Host tests of the tool; needs hwcfg/hwcfg.mk.

HWCFG_UNIT_D := $(B)/tests/unit/hwcfg
HWCFG_UNIT_TESTS := test_event test_pmu test_format test_table test_child test_output
HWCFG_UNIT_PROGRAMS := $(addprefix $(HWCFG_UNIT_D)/,$(HWCFG_UNIT_TESTS))

.PHONY: check-unit-hwcfg
.SECONDARY: $(addsuffix .o,$(HWCFG_UNIT_PROGRAMS)) $(HWCFG_UNIT_D)/kernel.o

$(HWCFG_UNIT_D)/%.o: tests/unit/hwcfg/%.c
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(HWCFG_CFLAGS) $(shell $(PKG_CONFIG) --cflags cmocka) -c -o $@ $<

$(HWCFG_UNIT_D)/test_%: $(HWCFG_UNIT_D)/test_%.o $(HWCFG_OBJECTS) $(B)/lib/libthreadprof.so
	$(if $(Q),@echo "  LD      $@")
	$(Q)$(CC) $(LDFLAGS) -o $@ $< $(HWCFG_OBJECTS) $(HWCFG_LIBS) \
		$(shell $(PKG_CONFIG) --libs cmocka)

# The tool itself against a kernel made up in the process: test.sh drives it.
$(HWCFG_UNIT_D)/hwcfg: $(HWCFG_D)/main.o $(HWCFG_OBJECTS) $(HWCFG_UNIT_D)/kernel.o
	$(if $(Q),@echo "  LD      $@")
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(shell $(PKG_CONFIG) --libs smartcols) -lpfm

check-unit-hwcfg: $(HWCFG_UNIT_PROGRAMS) $(HWCFG_UNIT_D)/hwcfg
	$(Q)set -e; for t in $(HWCFG_UNIT_PROGRAMS); do \
		LD_LIBRARY_PATH=$(B)/lib timeout 60 $$t; done
	$(Q)timeout 120 tests/unit/hwcfg/test.sh $(HWCFG_UNIT_D)/hwcfg

-include $(wildcard $(HWCFG_UNIT_D)/*.d)
