# SPDX-License-Identifier: GPL-2.0-only
# The command line tool. Included by the top level after lib/lib.mk, which sets
# LIB_INCLUDE; the rest (B CC PKG_CONFIG CFLAGS_USER LDFLAGS VERSION BINDIR MANDIR
# DESTDIR Q) is the top level's own.

HWCFG_D := $(B)/hwcfg
HWCFG_PARTS := clear.o connect.o event.o event_name.o event_near.o event_open.o \
	event_pfm.o event_pmu.o format.o list.o options.o output.o run.o run_child.o run_doubt.o \
	run_ipc.o run_json.o run_note.o run_table.o run_thread.o say.o set.o show.o status.o table.o watchdog.o
# All but main(), which the unit tests have their own of.
HWCFG_OBJECTS := $(addprefix $(HWCFG_D)/,$(HWCFG_PARTS))
HWCFG_CFLAGS = -std=gnu11 -MMD -MP -Ihwcfg $(LIB_INCLUDE) $(CFLAGS_USER) \
	-DHWCFG_VERSION='"$(VERSION)"' $(shell $(PKG_CONFIG) --cflags smartcols)
# libpfm4 has no .pc file in Debian.
HWCFG_LIBS = -L$(B)/lib -lthreadprof $(shell $(PKG_CONFIG) --libs smartcols) -lpfm

.PHONY: hwcfg hwcfg-install hwcfg-uninstall

hwcfg: $(HWCFG_D)/hwcfg $(B)/doc/hwcfg.8

$(HWCFG_D)/hwcfg: $(HWCFG_D)/main.o $(HWCFG_OBJECTS) $(B)/lib/libthreadprof.so
	$(if $(Q),@echo "  LD      $@")
	$(Q)$(CC) $(LDFLAGS) -o $@ $(HWCFG_D)/main.o $(HWCFG_OBJECTS) $(HWCFG_LIBS)

$(HWCFG_D)/main.o: VERSION

$(HWCFG_D)/%.o: hwcfg/%.c hwcfg/hwcfg.mk
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(HWCFG_CFLAGS) -c -o $@ $<

$(B)/doc/hwcfg.8: doc/hwcfg.8.scd
	@mkdir -p $(@D)
	$(if $(Q),@echo "  MAN     $@")
	$(Q)scdoc < $< > $@

# In bin: plain users run it too.
hwcfg-install: hwcfg
	$(Q)install -D -m 755 $(HWCFG_D)/hwcfg $(DESTDIR)$(BINDIR)/hwcfg
	$(Q)install -D -m 644 $(B)/doc/hwcfg.8 $(DESTDIR)$(MANDIR)/man8/hwcfg.8

hwcfg-uninstall:
	$(Q)rm -f $(DESTDIR)$(BINDIR)/hwcfg $(DESTDIR)$(MANDIR)/man8/hwcfg.8

-include $(wildcard $(HWCFG_D)/*.d)
