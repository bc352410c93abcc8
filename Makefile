# SPDX-License-Identifier: GPL-2.0-only
# For people; kbuild reads kmod/Kbuild. `make help` lists the targets.
#
# Each part has its rules in its folder: lib/lib.mk, hwcfg/hwcfg.mk,
# tests/tests.mk, bench/bench.mk.

VERSION := $(shell cat VERSION)

# Where things go; all of them may be given on the command line.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
DESTDIR ?=
KDIR ?= /lib/modules/$(shell uname -r)/build

# What for: x86_64 or arm64. Cross building uses a sysroot of Debian's packages.
HOST_ARCH := $(subst aarch64,arm64,$(shell uname -m))
ARCH ?= $(HOST_ARCH)
B := build/$(ARCH)

ifeq ($(V),1)
Q :=
else
Q := @
MAKEFLAGS += --no-print-directory
endif

PKG_CONFIG ?= pkg-config
CFLAGS ?= -O2 -g
CFLAGS_USER = $(CFLAGS) -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes \
	-Wvla $(if $(filter 1,$(W)),-Wshadow -Wpointer-arith) $(WERROR)
ifneq ($(ARCH),$(HOST_ARCH))
ifneq ($(ARCH),arm64)
$(error cannot build for $(ARCH) on $(HOST_ARCH))
endif
TUPLE := aarch64-linux-gnu
# Made on first use; other goals than building need none.
SYSROOT := $(if $(filter clean help,$(MAKECMDGOALS)),/,$(shell tests/vm/sysroot $(ARCH)))
$(if $(SYSROOT),,$(error no sysroot for $(ARCH)))
CC := $(TUPLE)-gcc --sysroot=$(SYSROOT)
AR := $(TUPLE)-ar
PKG_CONFIG := PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) \
	PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(TUPLE)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig \
	pkg-config
endif

.PHONY: all
all: lib hwcfg modules

include lib/lib.mk
include hwcfg/hwcfg.mk
include tests/tests.mk
include bench/bench.mk

# --- the module ---------------------------------------------------------------

# kbuild writes beside the sources, so it gets a copy; the checkout stays clean.
KMOD_OUT = $(B)/kmod-native
KMAKE = $(MAKE) -C $(KDIR) M=$(CURDIR)/$(KMOD_OUT)/kmod \
	$(if $(V),V=$(V)) $(if $(W),W=$(W)) $(if $(C),C=$(C))

.PHONY: modules modules_install modules_uninstall
modules:
	@test -d $(KDIR) || { echo "No kernel headers in $(KDIR): install linux-headers-$$(uname -r), or give KDIR=" >&2; exit 1; }
	$(Q)scripts/sync-tree kmod $(KMOD_OUT)/kmod
	$(Q)scripts/sync-tree uapi $(KMOD_OUT)/uapi
	$(Q)cp VERSION $(KMOD_OUT)/
	$(Q)+$(KMAKE) modules

modules_install: modules
	$(Q)+$(KMAKE) $(if $(DESTDIR),INSTALL_MOD_PATH=$(DESTDIR)) modules_install
	$(if $(DESTDIR),,$(Q)depmod)

modules_uninstall:
	$(Q)test ! -d $(KDIR) || { release=$$($(MAKE) -s -C $(KDIR) kernelrelease) && \
		find $(DESTDIR)/lib/modules/$$release -name 'threadprof.ko*' -delete; }
	$(if $(DESTDIR),,$(Q)depmod)

# --- the rest -------------------------------------------------------------------

.PHONY: install uninstall setup clean help
install: lib-install hwcfg-install
	$(if $(DESTDIR),,$(Q)ldconfig)

uninstall: lib-uninstall hwcfg-uninstall modules_uninstall

# Debian packages that building needs; say `scripts/setup` for those of the tests.
setup:
	$(Q)scripts/setup build

clean:
	$(Q)rm -rf build

help:
	@sed 1d doc/make-help.txt
