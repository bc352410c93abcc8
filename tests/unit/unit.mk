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
	test_storm \
	test_area \
	test_enable \
	test_page \
	test_counter \
	test_direct \
	test_middle \
	test_torn \
	test_linux \
	test_list \
	test_mutate \
	$(if $(SAN)$(UNIT_WRAP),,test_malloc)	# these bring a malloc() of their own

# Linked into all of them.
UNIT_COMMON := fake fake_area fake_descriptor fake_family fake_values crowd

UNIT_CFLAGS = $(LIB_CFLAGS) -Ilib -Itests/unit -fPIE $(UNIT_SAN)
LDFLAGS_test_threads := -Wl,--wrap=pthread_mutex_lock
LDFLAGS_test_enable := -Wl,--wrap=mmap -Wl,--wrap=sched_yield
UNIT_LIBS = $(LIB_NL_LIBS) -lcmocka -pthread

# These read a made-up processor's registers: the two objects that do so are built for
# it, and stand in for the archive's.
UNIT_SIMULATED_TESTS := test_page test_direct test_middle test_torn
UNIT_SIMULATED := $(addprefix $(UNIT_OUT)/simulated/,slice.o read.o) \
	$(addprefix $(UNIT_OUT)/,simulated.o machine.o)

.PHONY: check-unit check-unit-windows check-torn unit bench-unit

$(UNIT_OUT)/lib/%.o: lib/%.c lib/lib.mk VERSION
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(UNIT_CFLAGS) -c $< -o $@

$(UNIT_OUT)/%.o: tests/unit/%.c tests/unit/unit.mk
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(UNIT_CFLAGS) -c $< -o $@

$(UNIT_OUT)/simulated/%.o: lib/%.c lib/lib.mk VERSION
	@mkdir -p $(@D)
	$(if $(Q),@echo "  CC      $@")
	$(Q)$(CC) $(UNIT_CFLAGS) -DTHREADPROF_SIMULATED -c $< -o $@

$(addprefix $(UNIT_OUT)/,$(UNIT_SIMULATED_TESTS)): $(UNIT_SIMULATED)
$(addprefix $(UNIT_OUT)/,$(UNIT_SIMULATED_TESTS:=.o)): UNIT_CFLAGS += -DTHREADPROF_SIMULATED

# Another architecture's table, where there is a compiler for it.
ifneq ($(HOST_ARCH),arm64)
ifneq ($(shell command -v aarch64-linux-gnu-gcc),)
UNIT_ARGS_test_counter := $(UNIT_OUT)/counter_aarch64.bin
endif
endif

$(UNIT_OUT)/counter_aarch64.bin: lib/counter_aarch64.c lib/counter_aarch64.h
	@mkdir -p $(@D)
	$(Q)aarch64-linux-gnu-gcc -O2 -fPIC -Ilib -c $< -o $@.o
	$(Q)aarch64-linux-gnu-objcopy -O binary -j .text $@.o $@

# Without a sanitizer, the archive that is installed is what is tested.
ifeq ($(SAN),)
UNIT_LIB := $(LIB_STATIC)
else
UNIT_LIB := $(UNIT_OUT)/libthreadprof.a
$(UNIT_LIB): $(addprefix $(UNIT_OUT)/lib/,$(LIB_OBJECTS))
	$(Q)rm -f $@ && $(AR) rcs $@ $^
endif

UNIT_PROGRAMS := $(addprefix $(UNIT_OUT)/,$(UNIT_TESTS) bench_pool)

$(UNIT_PROGRAMS): $(UNIT_OUT)/%: $(UNIT_OUT)/%.o $(addprefix $(UNIT_OUT)/,$(UNIT_COMMON:=.o)) $(UNIT_LIB)
	$(if $(Q),@echo "  LD      $@")
	$(Q)$(CC) $(CFLAGS_USER) $(UNIT_SAN) $(LDFLAGS) $(LDFLAGS_$*) $(filter %.o,$^) \
		$(UNIT_LIB) $(UNIT_LIBS) -o $@

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

check-unit: unit $(UNIT_ARGS_test_counter) $(if $(SAN),,check-unit-windows)
	$(Q)for test in $(UNIT_TESTS); do \
		arg=; [ $$test != test_counter ] || arg=$(UNIT_ARGS_test_counter); \
		$(UNIT_ENV) timeout 300 $(UNIT_WRAP) $(UNIT_OUT)/$$test $$arg || exit 1; \
	done

# Some minutes: as many reads as nobody waits for in check-unit.
check-torn: $(UNIT_OUT)/test_torn
	$(Q)$< 1000000000

# Figures: connections of a pool, one behind a lock, and one per thread.
bench-unit: $(UNIT_OUT)/bench_pool
	$(Q)$<

-include $(wildcard $(UNIT_OUT)/*.d $(UNIT_OUT)/lib/*.d $(UNIT_OUT)/simulated/*.d)
