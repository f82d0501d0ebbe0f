# rules.mk - all of the make rules; included by the Makefile that configure writes.
#
# SRC: the source tree, B: where everything goes.  V=1 shows the commands.

# As many jobs as there are processors, unless make was told.
JOBS := $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
MAKEFLAGS += --no-print-directory $(JOBS)
# PAPI's makefiles are not meant to see what was said on our command line.
MAKEOVERRIDES =
.SUFFIXES:
.DELETE_ON_ERROR:
.PRECIOUS: $(B)/obj-fuzz/%.o $(B)/obj%/pch.h.gch
.PHONY: all lib papi papi-component check check-rest check-all bench demo install uninstall clean lint FORCE

all: lib $(B)/uncore papi

# say,WHAT,FILE: one line per command; with V=1 the command itself
ifeq ($(V),1)
quiet =
say   = @:
else
quiet = @
say   = @printf '  %-6s%s\n' $(1) $(patsubst $(B)/%,%,$(2))
endif

# ---- flags ----

WARNINGS     = -Wall -Wextra -Wvla -Wwrite-strings
WARNINGS_C   = $(WARNINGS) -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
INCLUDES     = -I$(SRC)/src -I$(SRC)/events -I$(B)/src $(PFM_CFLAGS)
SANITIZE     = $(if $(SANITIZERS),-fsanitize=$(SANITIZERS) -fno-omit-frame-pointer)
FLAGS        = -pthread -fPIC -fvisibility=hidden $(INCLUDES) -MMD -MP
FLAGS_C      = -std=c11 -D_GNU_SOURCE $(FLAGS) $(WARNINGS_C) $(CFLAGS)
# Tests are compiled more often than they are run: without optimisation in two thirds of the time.
FLAGS_CXX    = -std=c++17 $(FLAGS) -I$(SRC)/tests $(WARNINGS) $(CFLAGS) -O0 -g1
# What sanitizers watch: compiled in half the time, run little slower.
QUICK        = -O1 -g1
# Of the undefined behaviour in tests themselves these two are left to the address
# sanitizer, which notices most of it: in C++ they cost half of the time to compile.
QUICK_CXX    = -fno-sanitize=null,alignment
ASAN         = $(QUICK) -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
TSAN         = $(QUICK) -fsanitize=thread -fno-omit-frame-pointer

# ---- sources ----

in = $(patsubst $(SRC)/%,%,$(wildcard $(addprefix $(SRC)/,$(1))))

LIB_SRC      := $(call in,src/*.c src/event/*.c src/machine/*.c src/plan/*.c src/regs/*.c \
		src/session/*.c src/sim/*.c events/*.c events/*/*.c)
TOOL_SRC     := $(call in,src/tools/*.c)
# The simulated machine as files: of the command only, which alone needs libfuse3.
MOUNT_SRC    := $(call in,src/mount/*.c)
UNIT_SRC     := $(call in,tests/*.c tests/*.cc)
CALLS_SRC    := $(call in,tests/papi/*.c tests/papi/*.cc)
FUZZ_SRC     := $(call in,tests/fuzz/*_fuzz.c tests/fuzz/*_fuzz.cc)
BENCH_SRC    := $(call in,tests/bench/*.c)
PEERS_SRC    := $(addprefix tests/bench/peers/,ours.c shim.c)
# A program for each file, and for each folder but that of the kernel's module.
LAB_SRC      := $(filter-out tests/lab/module/%,$(call in,tests/lab/*.c tests/lab/*/*.c))
EXAMPLE_SRC  := $(call in,examples/*.c)
SHELL_TESTS  := $(call in,tests/*.sh)
SLOW_TESTS   := $(call in,tests/slow/*.sh)
# What the PAPI component consists of besides components/uncore itself.
PARTS        := $(shell cd $(SRC) && find src events -type f -name '*.[ch]' ! -path 'src/tools/*' \
		! -path 'src/mount/*' \
		-o -type f \( -name '*.def' -o -name '*.inc' \) | sort)

# ---- objects: obj/ as configured, obj-asan/ ... with the tests' own flags ----

objects = $(addprefix $(B)/obj$(1)/,$(addsuffix .o,$(basename $(2))))

define object_rules
$(B)/obj$(1)/%.o: $(SRC)/%.c $(B)/config.mk
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(quiet)$(3) $$(FLAGS_C) $(2) -c $$< -o $$@

$(B)/obj$(1)/%.o: $(SRC)/%.cc $(B)/obj$(1)/pch.h.gch
	@mkdir -p $$(@D)
	$$(call say,CXX,$$@)
	$$(quiet)$(4) $$(FLAGS_CXX) $(2) $$(QUICK_CXX) -include $(B)/obj$(1)/pch.h -c $$< -o $$@

$(B)/obj$(1)/pch.h.gch: $(SRC)/tests/pch.h $(B)/config.mk
	@mkdir -p $$(@D)
	$$(call say,PCH,$$@)
	$$(quiet)$(4) $$(FLAGS_CXX) $(2) $$(QUICK_CXX) -x c++-header $$< -o $$@

$(B)/obj$(1)/libuncore.a: $(call objects,$(1),$(LIB_SRC))
	$$(call say,AR,$$@)
	$$(quiet)rm -f $$@ && ar rcs $$@ $$^
endef

$(eval $(call object_rules,,$$(SANITIZE),$$(CC),$$(CXX)))
$(eval $(call object_rules,-asan,$$(ASAN),$$(CC),$$(CXX)))
$(eval $(call object_rules,-tsan,$$(TSAN),$$(CC),$$(CXX)))
$(eval $(call object_rules,-fuzz,-fsanitize=fuzzer-no-link$$(comma)address,$$(CLANG),$$(CLANG)++))
comma = ,

# Only these read recorded data: where it is would make all tests differ from tree to tree.
GOLDEN_TESTS  = $(foreach v,-asan -tsan,$(call objects,$(v),$(call in,tests/golden*_test.cc tests/differences_test.cc tests/metrics_docs_test.cc tests/recorded_test.cc))) \
		$(call objects,,$(call in,tests/golden*_test.cc tests/differences_test.cc tests/metrics_docs_test.cc tests/recorded_test.cc))
$(GOLDEN_TESTS): FLAGS_CXX += -DTEST_DATA_DIR='"$(abspath $(SRC))/tests/golden"'

# The one header of PAPI's that programs include, with what it includes: from 7.2 on
# also what its components may define.
PAPI_HEADERS  = $(addprefix $(B)/papi/include/,papi.h papiStdEventDefs.h)
PAPI_PROGRAMS = $(foreach v,-asan -tsan,$(call objects,$(v),$(CALLS_SRC))) \
		$(call objects,,$(CALLS_SRC) $(BENCH_SRC) $(EXAMPLE_SRC) $(filter tests/lab/cost/%,$(LAB_SRC)))
$(PAPI_PROGRAMS): INCLUDES += -isystem $(B)/papi/include
$(PAPI_PROGRAMS): $(PAPI_HEADERS)

-include $(shell find $(B) -path '$(B)/obj*' -name '*.d' 2>/dev/null)

# ---- library and command ----

SONAME = libuncore.so.0
LIBS   = $(PFM_LIBS) $(JSON_LIBS) -pthread -Wl,--as-needed -lm

lib: $(B)/libuncore.a $(B)/libuncore.so

$(B)/libuncore.a: $(B)/obj/libuncore.a
	$(quiet)cp $< $@

$(B)/libuncore.so.$(VERSION): $(call objects,,$(LIB_SRC))
	$(call say,LINK,$@)
	$(quiet)$(CC) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs $(SANITIZE) $(LDFLAGS) -o $@ $^ $(LIBS)

$(B)/libuncore.so: $(B)/libuncore.so.$(VERSION)
	$(quiet)ln -sf $(<F) $(B)/$(SONAME) && ln -sf $(<F) $@

$(foreach v,-asan -tsan,$(call objects,$(v),$(MOUNT_SRC))) $(call objects,,$(MOUNT_SRC)): INCLUDES += $(FUSE_CFLAGS)

$(B)/uncore: $(call objects,,$(TOOL_SRC) $(MOUNT_SRC)) $(B)/libuncore.a
	$(call say,LINK,$@)
	$(quiet)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $^ $(FUSE_LIBS) $(LIBS)

# ---- the component as a directory for any PAPI tree ----

COMPONENT   = $(B)/papi-component/uncore
COMPONENT_D = $(SRC)/components/uncore

papi-component: $(COMPONENT)/.complete

# copy,FILE,COPY: where they differ.  The copy is new then, whatever the file's own time is,
# so that what is made of it is made again.
copy = { cmp -s $(1) $(2) || cp $(1) $(2); }

# Copies what changed, and leaves out where this build will be installed, which is for
# Rules.uncore to say; starts afresh when a file was added or removed.
$(COMPONENT)/.complete: $(B)/parts.list $(addprefix $(SRC)/,$(PARTS)) $(B)/src/config.h \
		$(wildcard $(COMPONENT_D)/* $(COMPONENT_D)/tests/*)
	$(call say,COPY,$(COMPONENT))
	$(quiet)if [ $(B)/parts.list -nt $@ ]; then rm -rf $(COMPONENT); fi
	$(quiet)mkdir -p $(COMPONENT)/tests $(addprefix $(COMPONENT)/,$(sort $(dir $(PARTS))))
	$(quiet)touch $@.begun
	$(quiet)for f in $(PARTS); do $(call copy,$(SRC)/$$f,$(COMPONENT)/$$f) || exit; done
	$(quiet)for f in $(patsubst $(COMPONENT_D)/%,%,$(wildcard $(addprefix $(COMPONENT_D)/,*.[ch] \
			Rules.uncore README.md tests/*))); do \
		$(call copy,$(COMPONENT_D)/$$f,$(COMPONENT)/$$f) || exit; \
	done
	$(quiet)sed '/UNCORE_EVENTS_DIR/d' $(B)/src/config.h >$(B)/component-config.h
	$(quiet)$(call copy,$(B)/component-config.h,$(COMPONENT)/src/config.h)
	$(quiet)mv $@.begun $@

$(B)/parts.list: FORCE
	@echo '$(PARTS)' | cmp -s - $@ || echo '$(PARTS)' >$@

# ---- drop-in libpapi: the distribution's PAPI plus the component, as the last one ----
#
# PAPI's own rule compiles everything in one command.  Given its object files in
# place of its sources it links them, and only what changed is compiled again.
# Its run path is left out, and so is what PAPI takes out of libpfm.a where that is
# installed: the library has it, and these objects need not be position independent
# (the distribution does the same).

PAPI_BUILD   = $(B)/papi-build
PAPI_LIB     = $(B)/papi/libpapi.so
PFM_LIBDIR   = $(if $(PFM_DIR),$(PFM_DIR)/lib,$(dir $(shell $(CC) -print-file-name=libpfm.so)))
# As in Rules.uncore.
PAPI_JSON    = $(if $(JSON_STATIC),,$(JSON_LIBS))
PAPI_MAKE    = $(MAKE) -C $(PAPI_BUILD)/src SOURCES='$$(OBJECTS)' SHLIBOBJS= \
		MISCOBJS='$$(MISCSRCS:.c=.o)' \
		UNCORE_JSON='$(JSON_STATIC)' UNCORE_SYSCONF='$(sysconfdir)' \
		CC_SHR='$$(CC) -fPIC -DPIC -shared -Wl,-soname -Wl,$$(VLIB)' \
		OPTFLAGS='-O2 -fPIC' $(if $(filter 1,$(V)),,--silent)

papi: $(PAPI_LIB) $(PAPI_HEADERS)

$(PAPI_BUILD)/.configured: $(B)/config.mk | $(COMPONENT)/.complete
	$(call say,CONF,$(PAPI_BUILD))
	$(quiet)rm -rf $(PAPI_BUILD) && mkdir -p $(PAPI_BUILD)
	$(quiet)cp -R $(PAPI_SRC) $(PAPI_BUILD)/src
	$(quiet)rm -rf $(PAPI_BUILD)/src/components/uncore
	$(quiet)ln -s $(abspath $(COMPONENT)) $(PAPI_BUILD)/src/components/uncore
	$(quiet)cd $(PAPI_BUILD)/src && { [ ! -f Makefile ] || $(MAKE) -s distclean; } >/dev/null 2>&1; \
	PAPI_ROCMSMI_ROOT=$(ROCM_DIR) ./configure --prefix=/usr --libdir=$(patsubst %/,%,$(PFM_LIBDIR)) \
		--with-perf-events --with-static-lib=yes --with-shared-lib=yes --with-shlib-tools \
		--with-pfm-incdir=$(if $(PFM_DIR),$(PFM_DIR),/usr)/include \
		--with-pfm-libdir=$(patsubst %/,%,$(PFM_LIBDIR)) \
		--with-components="$(PAPI_COMPONENTS) uncore" CC='$(CC)' >../configure.log 2>&1 || \
		{ tail ../configure.log; exit 1; }
	$(quiet)touch $@

$(PAPI_HEADERS): $(B)/papi/include/%: $(PAPI_BUILD)/.configured
	@mkdir -p $(@D)
	$(quiet)cp $(PAPI_BUILD)/src/$* $@
	$(quiet)cd $(PAPI_BUILD)/src && for h in papi_*_event_defs.h; do \
		[ ! -e $$h ] || cp $$h $(abspath $(@D))/; \
	done

# papi_rules,VARIANT,FLAGS,AFTER: link with the component compiled with FLAGS.  The
# variants share PAPI's own object files and its directory, so they go one by one.
define papi_rules
$(B)/papi$(1)/libpapi.so: $(COMPONENT)/.complete $(PAPI_BUILD)/.configured $(3)
	@mkdir -p $$(@D)
	$$(call say,PAPI,$$@)
	+$$(quiet)rm -f $(PAPI_BUILD)/src/libpapi.so* && \
		PAPI_ROCMSMI_ROOT=$(ROCM_DIR) $$(PAPI_MAKE) shared LDFLAGS='-ldl -Wl,--as-needed -lm -Wl,-z,defs $$(PAPI_JSON) $(2)' \
		UNCORE_OBJ=$$(abspath $(PAPI_BUILD))/uncore$(1) UNCORE_CFLAGS='$(2)' \
		>$(PAPI_BUILD)/make$(1).log 2>&1 || { tail -30 $(PAPI_BUILD)/make$(1).log; exit 1; }
	$$(quiet)rm -f $$(@D)/libpapi.so*
	$$(quiet)cp -d $(PAPI_BUILD)/src/libpapi.so* $$(@D)/
endef

$(eval $(call papi_rules,,$$(SANITIZE),))
$(eval $(call papi_rules,-asan,$$(ASAN),$(B)/papi/libpapi.so))
$(eval $(call papi_rules,-tsan,$$(TSAN),$(B)/papi-asan/libpapi.so))

# papi_program,VARIANT: link against the variant's libpapi, wherever it is called from
papi_program = -L$(B)/papi$(1) -Wl,-rpath,$(abspath $(B)/papi$(1)) -lpapi

# ---- tests ----

define test_rules
$(B)/tests/unit$(1): $(call objects,$(1),$(UNIT_SRC) $(MOUNT_SRC)) $(B)/obj$(1)/libuncore.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$(quiet)$$(CXX) $(2) $$(LDFLAGS) -o $$@ $$^ -lgtest_main -lgtest $$(FUSE_LIBS) $$(LIBS)

$(B)/tests/papi_calls$(1): $(call objects,$(1),$(CALLS_SRC)) $(B)/papi$(1)/libpapi.so
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$(quiet)$$(CXX) $(2) $$(LDFLAGS) -o $$@ $$(filter %.o,$$^) \
		$$(call papi_program,$(1)) -lgtest_main -lgtest -pthread
endef

$(eval $(call test_rules,,$$(SANITIZE)))
$(eval $(call test_rules,-asan,$$(ASAN)))
$(eval $(call test_rules,-tsan,$$(TSAN)))

$(B)/tests/fuzz/%: $(B)/obj-fuzz/tests/fuzz/%.o $(B)/obj-fuzz/libuncore.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CLANG)++ -fsanitize=fuzzer,address -o $@ $^ $(LIBS)

# check: what one works with all day, in one build.  check-rest: the same under sanitizers,
# fuzzers, and scripts that build for long.  check-all: both.
TESTS         = $(addprefix $(B)/tests/,unit papi_calls)
REST_TESTS    = $(addprefix $(B)/tests/,unit-asan unit-tsan papi_calls-asan papi_calls-tsan)
FUZZ_TESTS    = $(patsubst %,$(B)/tests/fuzz/%,$(notdir $(basename $(FUZZ_SRC))))
EXAMPLES      = $(addprefix $(B)/,$(basename $(EXAMPLE_SRC)))

# One word for each thing that tests/run is to run: KIND:FILE.
CHECKS = $(TESTS:%=gtest:%) $(SHELL_TESTS:%=shell:$(SRC)/%)
REST   = $(REST_TESTS:%=gtest:%) $(SLOW_TESTS:%=shell:$(SRC)/%) \
	$(FUZZ_TESTS:%=$(if $(filter yes,$(FUZZER)),fuzz,nofuzz):%)

CHECK_BUILDS = all papi-component examples $(TESTS)
REST_BUILDS  = all papi-component $(REST_TESTS) $(if $(filter yes,$(FUZZER)),$(FUZZ_TESTS))
run_tests    = @SRC=$(abspath $(SRC)) BUILD=$(abspath $(B)) sh $(SRC)/tests/run

check: $(CHECK_BUILDS)
	$(run_tests) $(CHECKS)

check-rest: $(REST_BUILDS)
	$(run_tests) $(REST)

check-all: $(CHECK_BUILDS) $(REST_BUILDS)
	$(run_tests) $(CHECKS) $(REST)

# ---- bench, examples, demo ----

$(EXAMPLES): $(B)/examples/%: $(B)/obj/examples/%.o $(PAPI_LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $< $(call papi_program) -pthread

.PHONY: examples
examples: $(EXAMPLES)

BENCHES = $(patsubst tests/bench/%.c,$(B)/bench/%,$(BENCH_SRC))

$(BENCHES): $(B)/bench/%: $(B)/obj/tests/bench/%.o $(B)/libuncore.a $(PAPI_LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(call papi_program) $(LIBS)

bench: $(BENCHES)
	@for b in $(BENCHES); do SRC=$(abspath $(SRC)) BUILD=$(abspath $(B)) $$b || exit; done

demo: all examples
	@SRC=$(abspath $(SRC)) BUILD=$(abspath $(B)) sh $(SRC)/examples/demo.sh

include $(SRC)/tests/lab/lab.mk

# ---- installation ----

$(B)/uncore.pc: $(SRC)/src/uncore.pc.in $(B)/config.mk
	$(quiet)sed -e 's|@prefix@|$(prefix)|' -e 's|@libdir@|$(libdir)|' \
		-e 's|@includedir@|$(includedir)|' -e 's|@version@|$(VERSION)|' \
		-e 's|@libs@|$(PFM_LIBS) $(JSON_LIBS)|' $< >$@

install: all $(B)/uncore.pc
	install -d $(addprefix $(DESTDIR),$(bindir) $(includedir) $(libdir)/pkgconfig \
		$(libdir)/uncore $(mandir)/man1)
	install $(B)/uncore $(DESTDIR)$(bindir)/
	install -m 644 $(SRC)/src/uncore.h $(DESTDIR)$(includedir)/
	install -m 644 $(B)/libuncore.a $(DESTDIR)$(libdir)/
	install $(B)/libuncore.so.$(VERSION) $(DESTDIR)$(libdir)/
	cp -d $(B)/$(SONAME) $(B)/libuncore.so $(DESTDIR)$(libdir)/
	cp -d $(B)/papi/libpapi.so* $(DESTDIR)$(libdir)/uncore/
	install -m 644 $(B)/uncore.pc $(DESTDIR)$(libdir)/pkgconfig/
	install -m 644 $(SRC)/docs/uncore.1 $(DESTDIR)$(mandir)/man1/

uninstall:
	rm -f $(addprefix $(DESTDIR),$(bindir)/uncore $(includedir)/uncore.h $(libdir)/libuncore.a \
		$(libdir)/libuncore.so $(libdir)/$(SONAME) $(libdir)/libuncore.so.$(VERSION) \
		$(libdir)/pkgconfig/uncore.pc $(mandir)/man1/uncore.1)
	rm -rf $(DESTDIR)$(libdir)/uncore

# ---- upkeep ----

# What was configured and fetched stays.
clean:
	rm -rf $(addprefix $(B)/,obj obj-asan obj-tsan obj-fuzz papi papi-asan papi-tsan papi-build \
		papi-component component-config.h parts.list tests examples bench uncore uncore.pc libuncore.* \
		lab/bin lab/module lab/out)

C_FILES     = $(LIB_SRC) $(TOOL_SRC) $(MOUNT_SRC) $(BENCH_SRC) $(EXAMPLE_SRC) $(LAB_SRC) $(PEERS_SRC)
CXX_FILES   = $(filter %.cc,$(UNIT_SRC) $(CALLS_SRC) $(FUZZ_SRC)) $(call in,tests/lab/*.cc)
HEADERS     = $(call in,src/*.h src/*/*.h events/*.h tests/bench/peers/*.h \
		$(addprefix tests/lab/,simpci/*.h beside/*.h cost/*.h))
SCRIPTS     = configure .ci/run tests/run $(SHELL_TESTS) $(SLOW_TESTS) $(call in,examples/*.sh tests/bench/peers/*.sh) $(LAB_SCRIPTS)

# Each header must compile alone; the public one as C++, too.  clang-tidy 14 takes
# one file at a time, or its va_list check believes that all lists are uninitialised.
lint:
	cd $(SRC) && clang-format --dry-run -Werror $(C_FILES) $(CXX_FILES) $(HEADERS) \
		$(call in,components/uncore/*.c components/uncore/tests/*.c tests/lab/module/*.[ch])
	cd $(SRC) && shellcheck $(SCRIPTS)
	for h in $(HEADERS); do \
		$(CC) -std=c11 -D_GNU_SOURCE $(INCLUDES) $(WARNINGS_C) -Werror -fsyntax-only \
			-x c -include $(SRC)/$$h /dev/null || exit; \
	done
	$(CXX) -std=c++17 $(WARNINGS) -Werror -fsyntax-only -x c++ -include $(SRC)/src/uncore.h /dev/null
	cd $(SRC) && for c in $(C_FILES); do \
		clang-tidy --quiet $$c -- -std=c11 -D_GNU_SOURCE -Isrc -Ievents -I$(abspath $(B))/src \
			-isystem $(abspath $(B))/papi/include $(PFM_CFLAGS) $(FUSE_CFLAGS) || exit; \
	done
