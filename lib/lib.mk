# SPDX-License-Identifier: LGPL-2.1-or-later
# libthreadprof. Included by the top level, which sets ARCH, B, CC, AR, PKG_CONFIG,
# CFLAGS_USER, VERSION, PREFIX, LIBDIR, INCLUDEDIR, DESTDIR and Q.

LIB_OUT := $(B)/lib
LIB_MAJOR := 0
LIB_SONAME := libthreadprof.so.$(LIB_MAJOR)
LIB_FILE := libthreadprof.so.$(VERSION)

LIB_OBJECTS := \
	area.o \
	configuration.o \
	connection.o \
	counter_aarch64.o \
	descriptor.o \
	direct.o \
	disable.o \
	dump.o \
	enable.o \
	error.o \
	handle.o \
	layout.o \
	list.o \
	message.o \
	page.o \
	pool.o \
	process.o \
	profile.o \
	query.o \
	read.o \
	reasons.o \
	request.o \
	slice.o \
	status.o \
	transport.o \
	version.o \
	wait_name.o

# For programs that are built against the library in this tree.
LIB_INCLUDE := -Ilib/include -Iuapi
LIB_NL_CFLAGS = $(shell $(PKG_CONFIG) --cflags libnl-genl-3.0)
LIB_NL_LIBS = $(shell $(PKG_CONFIG) --libs libnl-genl-3.0)
LIB_STATIC := $(LIB_OUT)/libthreadprof.a
LIB_STATIC_LIBS = $(LIB_STATIC) $(LIB_NL_LIBS) -pthread

LIB_CFLAGS = -std=gnu11 -D_GNU_SOURCE -fvisibility=hidden -pthread -MMD -MP \
	$(LIB_INCLUDE) $(LIB_NL_CFLAGS) -DTHREADPROF_VERSION='"$(VERSION)"' $(CFLAGS_USER)
# nodelete: a thread's exit calls into the library.
LIB_LDFLAGS = -shared -pthread -Wl,-soname,$(LIB_SONAME) -Wl,-z,defs -Wl,-z,nodelete \
	-Wl,-z,relro,-z,now -Wl,--no-undefined-version \
	-Wl,--version-script=lib/libthreadprof.map

.PHONY: lib lib-install lib-uninstall

lib: $(LIB_STATIC) $(LIB_OUT)/libthreadprof.so $(LIB_OUT)/$(LIB_SONAME) $(LIB_OUT)/threadprof.pc

# Position-independent in the archive too, for programs that are PIEs.
$(LIB_OUT)/static/%.o: lib/%.c lib/lib.mk VERSION
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(LIB_CFLAGS) -fPIE -c $< -o $@

$(LIB_OUT)/shared/%.o: lib/%.c lib/lib.mk VERSION
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(LIB_CFLAGS) -fPIC -c $< -o $@

$(LIB_STATIC): $(addprefix $(LIB_OUT)/static/,$(LIB_OBJECTS))
	$(if $(Q),@echo "  AR      $@")
	$(Q)rm -f $@ && $(AR) rcs $@ $^

$(LIB_OUT)/$(LIB_FILE): $(addprefix $(LIB_OUT)/shared/,$(LIB_OBJECTS)) lib/libthreadprof.map
	$(if $(Q),@echo "  LD      $@")
	$(Q)$(CC) $(CFLAGS_USER) $(LIB_LDFLAGS) $(filter %.o,$^) $(LDFLAGS) $(LIB_NL_LIBS) -o $@

$(LIB_OUT)/$(LIB_SONAME): $(LIB_OUT)/$(LIB_FILE)
	$(Q)ln -sf $(LIB_FILE) $@

$(LIB_OUT)/libthreadprof.so: $(LIB_OUT)/$(LIB_SONAME)
	$(Q)ln -sf $(LIB_SONAME) $@

# FORCE: the paths in it come from the command line.
$(LIB_OUT)/threadprof.pc: lib/threadprof.pc.in FORCE
	@mkdir -p $(@D)
	$(Q)sed -e '/^# SPDX/d' -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@VERSION@|$(VERSION)|' $< > $@.new
	$(Q)if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

.PHONY: FORCE
FORCE:

lib-install: lib
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR)/linux \
		$(DESTDIR)$(INCLUDEDIR)/threadprof/compat
	install -m 644 $(LIB_OUT)/$(LIB_FILE) $(LIB_STATIC) $(DESTDIR)$(LIBDIR)
	ln -sf $(LIB_FILE) $(DESTDIR)$(LIBDIR)/$(LIB_SONAME)
	ln -sf $(LIB_SONAME) $(DESTDIR)$(LIBDIR)/libthreadprof.so
	install -m 644 $(LIB_OUT)/threadprof.pc $(DESTDIR)$(LIBDIR)/pkgconfig
	install -m 644 lib/include/threadprof.h $(DESTDIR)$(INCLUDEDIR)
	install -m 644 lib/include/threadprof/hcp.h $(DESTDIR)$(INCLUDEDIR)/threadprof
	install -m 644 lib/include/threadprof/compat/windows.h \
		$(DESTDIR)$(INCLUDEDIR)/threadprof/compat
	install -m 644 uapi/linux/threadprof.h uapi/linux/threadprof_area.h \
		$(DESTDIR)$(INCLUDEDIR)/linux

lib-uninstall:
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,$(LIB_FILE) $(LIB_SONAME) libthreadprof.so \
		libthreadprof.a pkgconfig/threadprof.pc)
	rm -f $(addprefix $(DESTDIR)$(INCLUDEDIR)/,threadprof.h threadprof/hcp.h \
		threadprof/compat/windows.h linux/threadprof.h linux/threadprof_area.h)
	-rmdir $(DESTDIR)$(INCLUDEDIR)/threadprof/compat $(DESTDIR)$(INCLUDEDIR)/threadprof

-include $(patsubst %.o,$(LIB_OUT)/static/%.d,$(LIB_OBJECTS))
-include $(patsubst %.o,$(LIB_OUT)/shared/%.d,$(LIB_OBJECTS))
