# SPDX-License-Identifier: GPL-2.0-only
# Unit tests of the library, on the host, without the module:
#   make check-unit [SAN=1 (ASan and UBSan) | SAN=thread (TSan)] [UNIT_WRAP=valgrind...]

ifeq ($(SAN),)
UNIT_OUT := $(B)/unit
else ifeq ($(SAN),thread)
UNIT_OUT := $(B)/unit-thread
UNIT_SAN := -fsanitize=thread
UNIT_ENV := TSAN_OPTIONS=suppressions=tests/unit/tsan.supp:die_after_fork=0:halt_on_error=1
else
UNIT_OUT := $(B)/unit-address
UNIT_SAN := -fsanitize=address,undefined -fno-sanitize-recover=all
endif

UNIT_TESTS := \
	test_layout \
	test_hcp \
	test_read \
	test_threads \
	test_fork \
	test_closed \
	test_page \
	test_linux \
	test_list \
	test_mutate \
	$(if $(SAN)$(UNIT_WRAP),,test_malloc)	# these bring a malloc() of their own

UNIT_FAKE := fake fake_family fake_values

UNIT_CFLAGS = $(LIB_CFLAGS) -Ilib -Itests/unit -fPIE $(UNIT_SAN)
LDFLAGS_test_threads := -Wl,--wrap=pthread_mutex_lock
UNIT_LIBS = $(LIB_NL_LIBS) -lcmocka -pthread

.PHONY: check-unit check-unit-windows unit bench-unit

$(UNIT_OUT)/lib/%.o: lib/%.c lib/lib.mk VERSION
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(UNIT_CFLAGS) -c $< -o $@

$(UNIT_OUT)/%.o: tests/unit/%.c tests/unit/unit.mk
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(UNIT_CFLAGS) -c $< -o $@

# Without a sanitizer, the archive that is installed is what is tested.
ifeq ($(SAN),)
UNIT_LIB := $(LIB_STATIC)
else
UNIT_LIB := $(UNIT_OUT)/libthreadprof.a
$(UNIT_LIB): $(addprefix $(UNIT_OUT)/lib/,$(LIB_OBJECTS))
	$(Q)rm -f $@ && $(AR) rcs $@ $^
endif

UNIT_PROGRAMS := $(addprefix $(UNIT_OUT)/,$(UNIT_TESTS) bench_pool)

$(UNIT_PROGRAMS): $(UNIT_OUT)/%: $(UNIT_OUT)/%.o $(addprefix $(UNIT_OUT)/,$(UNIT_FAKE:=.o)) $(UNIT_LIB)
	$(if $(Q),@echo "  LD      $@")
	$(Q)$(CC) $(CFLAGS_USER) $(UNIT_SAN) $(LDFLAGS) $(LDFLAGS_$*) $^ $(UNIT_LIBS) -o $@

# A Windows source as C and as C++, against the shared library.
UNIT_WINDOWS = -Ilib/include/threadprof/compat -Wall -Wextra -Werror -Wno-missing-field-initializers \
	tests/unit/windows_source.c

check-unit-windows: lib
	@mkdir -p $(UNIT_OUT)
	$(Q)$(CC) -x c $(UNIT_WINDOWS) -x none $(LIB_OUT)/libthreadprof.so -o $(UNIT_OUT)/windows_c
	$(Q)$(or $(CXX),c++) -x c++ $(UNIT_WINDOWS) -x none $(LIB_OUT)/libthreadprof.so \
		-o $(UNIT_OUT)/windows_cxx
	$(Q)LD_LIBRARY_PATH=$(LIB_OUT) $(UNIT_OUT)/windows_c
	$(Q)LD_LIBRARY_PATH=$(LIB_OUT) $(UNIT_OUT)/windows_cxx

unit: $(UNIT_PROGRAMS)

check-unit: unit $(if $(SAN),,check-unit-windows)
	$(Q)for test in $(UNIT_TESTS); do \
		$(UNIT_ENV) timeout 300 $(UNIT_WRAP) $(UNIT_OUT)/$$test || exit 1; \
	done

# Figures: connections of a pool, one behind a lock, and one per thread.
bench-unit: $(UNIT_OUT)/bench_pool
	$(Q)$<

-include $(wildcard $(UNIT_OUT)/*.d $(UNIT_OUT)/lib/*.d)
