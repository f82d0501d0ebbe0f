# SPDX-License-Identifier: BSD-3-Clause
# rules.mk - all of the make rules; included by the Makefile that configure writes.
#
# SRC: the source tree, B: where everything goes.  V=1 shows the commands.

# One job per processor, unless -j is given.
JOBS := $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
MAKEFLAGS += --no-print-directory $(JOBS)
# Do not pass our command line variables on to PAPI's makefiles.
MAKEOVERRIDES =
.SUFFIXES:
.DELETE_ON_ERROR:
.PRECIOUS: $(B)/obj-asan/%.o $(B)/obj%/pch.h.gch $(B)/obj%/pch.h.pch
.PHONY: design messages all lib papi papi-component check check-rest check-all check-packages check-papi-trees check-papi-ctests bench mutants mutants-changed demo install uninstall \
	dist dist-component deb rpm recipes release papi-patch clean distclean lint help FORCE

# absolute,DIR: configure sets HERE where this directory's own name has spaces in it
absolute = $(abspath $(if $(filter /%,$(1)),,$(addsuffix /,$(HERE)))$(1))

# Print the next steps only if no goal was given and something was built.
GUIDE = $(SRC)/src/build/configure/guide.sh
# Without PAPI's source (configure --without-papi) there is no libpapi.
all: lib $(B)/uncore $(B)/uncored $(if $(PAPI_SRC),papi) $(if $(filter-out all,$(MAKECMDGOALS)),,$(B)/.built)

$(B)/.built: $(B)/libuncore.a $(B)/libuncore.so $(B)/uncore $(B)/uncored \
		$(if $(PAPI_SRC),$(B)/papi/libpapi.so $(B)/papi-uncore.pc)
	@sh $(GUIDE) built $(B) $(if $(PAPI_SRC),papi,none)
	@touch $@

help:
	@sh $(GUIDE) help

# say,WHAT,FILE: one line per command; with V=1 the command itself.  The goals
# demo and install do not print each compiled file.
BRIEF = $(filter demo install,$(MAKECMDGOALS))
ifeq ($(V),1)
quiet =
say   = @:
else
quiet = @
say   = @$(if $(and $(BRIEF),$(filter CC,$(1))),:,printf '  %-6s%s\n' $(1) $(patsubst $(B)/%,%,$(2)))
ifneq ($(BRIEF),)
$(if $(wildcard $(B)/libuncore.a),,$(info compiling, which takes a minute or two; V=1 shows the commands))
endif
endif

# Installation paths are compiled in.
DIRECTORIES = PREFIX LIBDIR INCLUDEDIR BINDIR SBINDIR SYSCONFDIR DATADIR MANDIR DOCDIR prefix libdir \
	includedir bindir sbindir sysconfdir datadir mandir docdir
told := $(strip $(foreach d,$(DIRECTORIES),$(if $(findstring command line,$(origin $(d))),$(d))))
define not_here
$(told) is chosen by configure, because it is compiled in:
  ./configure --$(shell echo $(firstword $(told)) | tr A-Z a-z)=DIR && make install
To stage the files for a package: make install DESTDIR=DIR
endef
ifneq ($(told),)
$(error $(not_here))
endif
ifneq ($(words x$(DESTDIR)),1)
$(error DESTDIR=$(DESTDIR): a path with spaces in it cannot be used)
endif

# Packages unpacked below the build directory.
ifneq ($(LOCAL),)
LOCAL_LIBDIR = $(LOCAL)/usr/lib/$(shell $(CC) -print-multiarch)
check check-rest check-all demo: export PATH := $(LOCAL)/usr/bin:$(PATH)
check check-rest check-all demo: export LD_LIBRARY_PATH := \
	$(if $(LD_LIBRARY_PATH),$(LD_LIBRARY_PATH):)$(LOCAL_LIBDIR)
endif

# ---- flags ----

# ccache compares the text of precompiled headers, which tests include: the headers themselves contain
# the name of the directory, so that none is taken from another one.  A file that was compiled in
# another directory differs only by the name of the directory in its debugging information.
export CCACHE_SLOPPINESS ?= pch_defines,time_macros
export CCACHE_PCH_EXTSUM ?= 1
export CCACHE_NOHASHDIR ?= 1
# Clang names the source of the precompiled header by its absolute path, which differs in another clone.
export CCACHE_BASEDIR ?= $(call absolute,$(SRC))

WARNINGS     = -Wall -Wextra -Wvla -Wwrite-strings
WARNINGS_C   = $(WARNINGS) -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes
INCLUDES     = -I$(SRC)/src -I$(SRC)/src/lib -I$(SRC)/events -I$(B)/src $(PFM_CFLAGS) $(JSON_CFLAGS)
SANITIZE     = $(if $(SANITIZERS),-fsanitize=$(SANITIZERS) -fno-omit-frame-pointer)
FLAGS        = -pthread -fPIC -fvisibility=hidden $(INCLUDES) -MMD -MP
FLAGS_C      = -std=c11 -D_GNU_SOURCE $(FLAGS) $(WARNINGS_C) $(CFLAGS)
# Tests are compiled without optimisation, which takes two thirds of the time.
FLAGS_CXX    = -std=c++17 $(FLAGS) -I$(SRC)/tests $(WARNINGS) $(CFLAGS) -O0 -g1
# Clang compiles the tests of the sanitizers in 40 % of the time of GCC, and finds more undefined
# behaviour, but lacks GCC's macros.  It links the runtime only to programs, so a shared
# library has undefined functions.
DEFS         = -Wl,-z,defs
SAN_DEFS     = $(if $(filter yes,$(FUZZER)),,$(DEFS))
SAN_CC       = $(if $(filter yes,$(FUZZER)),$(CLANG),$(CC))
SAN_CXX      = $(if $(filter yes,$(FUZZER)),$(CLANG)++,$(CXX))
# So it compiles the other tests, too, in 60 % of the time, unless configure was called with a compiler or flags.
TEST_CXX     = $(if $(filter yes,$(FUZZER)),$(if $(filter-out g++ -O2 -g,$(CXX) $(CFLAGS) $(SANITIZERS)),$(CXX),$(CLANG)++),$(CXX))
san_macro    = $(if $(filter yes,$(FUZZER)),-D__SANITIZE_$(1)__)
# Flags for code under sanitizers: half the compile time, and little slower to run.
QUICK        = -O1 -g1
# Of the undefined behaviour in tests themselves these two are left to the address
# sanitizer, which notices most of it: in C++ they cost half of the time to compile, and so does
# optimisation.
QUICK_CXX    = -O0 -fno-sanitize=null,alignment
ASAN         = $(QUICK) $(call san_macro,ADDRESS) -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
# Fuzzers use the same object files; these calls tell libFuzzer which code was reached, and cost others little.
COVER        = $(if $(filter yes,$(FUZZER)),-fsanitize=fuzzer-no-link)
TSAN         = $(QUICK) $(call san_macro,THREAD) -fsanitize=thread -fno-omit-frame-pointer

# ---- sources ----

in = $(patsubst $(SRC)/%,%,$(wildcard $(addprefix $(SRC)/,$(1))))
# below,FOLDERS,NAME: all files of that name at any depth.  New files and folders are found here.
below = $(sort $(shell cd $(SRC) && find $(1) -type f -name '$(2)'))

# Simulated machines and the reader of Intel's event lists can be left out of the component
# (SIM=no, LISTS=no); these files take their place.
WITHOUT_SRC  := src/lib/hw/without_sim.c src/lib/event/without_lists.c src/lib/machine/without_json.c
# libuncore.so opens the simulator, which is a library of its own; libuncore.a contains it.
SIM_SRC      := $(filter-out src/sim/mount/%,$(call below,src/sim,*.c))
SHARED_SRC   := $(filter-out $(WITHOUT_SRC) src/lib/hw/sim_linked.c,$(call below,src/lib events,*.c))
LIB_SRC      := $(filter-out src/lib/hw/sim_opened.c,$(SHARED_SRC)) src/lib/hw/sim_linked.c $(SIM_SRC)
# The command; each of these libraries is needed by a few of its files only (libfuse3, libnuma,
# ncurses, libmicrohttpd), which are left out where it is missing, or else what takes their place.
MOUNT_ALL    := $(call in,src/sim/mount/*.c)
MOUNT_NONE   := $(if $(filter yes,$(FUSE)),src/sim/mount/without.c,$(filter-out src/sim/mount/without.c,$(MOUNT_ALL)))
LOAD_NONE    := src/command/load/$(if $(filter yes,$(NUMA)),without_numa.c,numa.c)
TOP_NONE     := src/command/top/$(if $(filter yes,$(CURSES)),without_terminal.c,terminal.c)
HTTP_SRC     := $(addprefix src/command/exporter/,http.c microhttpd.c)
HTTP_NONE    := $(if $(filter yes,$(HTTP)),src/command/exporter/without_http.c,$(HTTP_SRC))
COMMAND_ALL  := $(call below,src/command,*.c) $(MOUNT_ALL)
COMMAND_SRC  := $(filter-out $(MOUNT_NONE) $(LOAD_NONE) $(TOP_NONE) $(HTTP_NONE),$(COMMAND_ALL))
# The part that unit tests link: all but the subcommands themselves, which scripts test.
COMMAND_PARTS := $(filter-out $(call in,src/command/*.c src/command/stat/*.c src/command/roofline/*.c),$(COMMAND_SRC))
# uncored; its parts but main() are in the unit tests, too.
SECCOMP_NONE := $(if $(filter yes,$(SECCOMP)),src/daemon/without_seccomp.c,src/daemon/seccomp.c)
DAEMON_SRC   := $(filter-out $(SECCOMP_NONE),$(call in,src/daemon/*.c))
DAEMON_PARTS := $(filter-out src/daemon/main.c src/daemon/%seccomp.c,$(DAEMON_SRC))
# The folders of tests/ that are not separate programs.
UNIT_ROOMS   := command explain who exporter daemon device event machine plan perf hw record count region claim set backend sim mount doctor load selftest top draw golden machines house
UNIT_SRC     := $(call in,tests/*_test.cc $(patsubst %,tests/%/*_test.cc,$(UNIT_ROOMS)) tests/hw/fake_safe.cc)
# The tests in whose process there are threads: the thread sanitizer's program consists of these.
THREAD_SRC   := $(call in,$(patsubst %,tests/%_test.cc,backend/multiplex_threads backend/ranks claim/lock \
	claim/stop_after_threads claim/stress count/readers count/wrap $(addprefix daemon/,admit crowd daemon daemon_sets \
	hostile limits memory names nodes policy slow stopped traffic turns users) event/metrics_values hw/files \
	hw/msr_files hw/safe mount/mount_run region/region set/cancelled set/free_running set/session set/session_broken \
	set/session_fork set/session_threads set/unload sim/sim_nhmex_overflow sim/sim_snbep_traffic) tests/hw/fake_safe.cc)
CALLS_SRC    := $(call in,tests/papi/*.cc)
# Code that tests share: a library, of which each program links what it uses.
SUPPORT_SRC  := $(call in,tests/support/*.c tests/support/*.cc tests/support/stress/*.cc)
# The files of tests/support and of the command that the thread sanitizer's program and PAPI's tests use.
THREAD_SUPPORT := $(filter $(patsubst %,tests/support/%.cc,child closed controls every_event fake_driver handle \
	interposer machines mesh_machine mounted multiplexed node open_files patience perf_tree plan root_of_namespace \
	seeds sim_machine sim_nhmex sim_registers sim_snbep stepped stop_after tree stress/%),$(SUPPORT_SRC))
THREAD_PARTS := $(filter src/command/selftest/% src/command/base/text.c src/command/base/box.c,$(COMMAND_PARTS))
FUZZ_SRC     := $(call in,tests/fuzz/*_fuzz.c tests/fuzz/*_fuzz.cc)
BENCH_SRC    := $(call in,tests/bench/*.c)
PEERS_SRC    := $(addprefix tests/bench/peers/,ours.c shim.c)
# A program per file, and per folder except the kernel module's.
LAB_SRC      := $(filter-out tests/lab/module/%,$(call in,tests/lab/*.c tests/lab/*/*.c))
EXAMPLE_SRC  := $(call in,examples/*.c)
# Of programs that only --install-deps=all installs.
EXTRA_TESTS  := $(call in,$(patsubst %,tests/%_test.sh,exporter/collectd exporter/prometheus mount/mount_readers \
	mount/mpi mount/mpi_node tools/slurm_jobs))
SHELL_TESTS  := $(filter-out $(EXTRA_TESTS),$(call in,tests/*_test.sh \
	$(patsubst %,tests/%/*_test.sh,daemon exporter house mount papi region tools)))
# The longest first, or one of them is left at the end and uses one processor.
LONGEST      := $(patsubst %,tests/slow/%_test.sh,build places kills seeds install component_parts aarch64 faults compilers component_dir)
SLOW_TESTS   := $(LONGEST) $(filter-out $(LONGEST),$(call in,tests/slow/*.sh))
PACKAGE_TESTS := $(call in,tests/packages/*.sh)
# The parts of the PAPI component in addition to components/uncore: with or without
# simulated machines and the reader of Intel's event lists.  THIN: without any of them.
SIM          := yes
LISTS        := yes
THIN         := no
PARTS        := $(filter-out src/lib/hw/sim_opened.c src/sim/mount/%,$(call in,src/*.h) \
	$(foreach n,*.[ch] *.def *.inc,$(call below,src/lib src/sim events,$(n))))
NO_SIM       := $(filter src/sim/% src/lib/hw/sim.c src/lib/hw/sim_linked.c,$(PARTS))
NO_LISTS     := $(filter src/lib/event/lists.c src/lib/event/list_% src/lib/machine/json_%,$(PARTS))

# Only in the component's directory.
left_out := $(if $(filter-out papi-component,$(or $(MAKECMDGOALS),all)),$(strip \
	$(foreach d,SIM LISTS THIN,$(if $(findstring command line,$(origin $(d))),$(d)))))
ifneq ($(left_out),)
$(error $(firstword $(left_out)) is for the component's directory: make papi-component $(firstword $(left_out))=$($(firstword $(left_out))))
endif
bad := $(strip $(foreach d,SIM LISTS THIN,$(if $(filter-out yes no,$($(d))),$(d)=$($(d)))))
ifneq ($(bad),)
$(error $(bad): say yes or no)
endif

# ---- objects: obj/ as configured, obj-asan/ ... with the tests' own flags ----

objects = $(addprefix $(B)/obj$(1)/,$(addsuffix .o,$(basename $(2))))

# Clang instantiates templates of the header once.
PCH_CLANG = -fpch-instantiate-templates

# Each compiler looks for its own, so that a tree may be built by one after the other.
pch_of = pch.h.$(if $(findstring clang,$(1)),pch,gch)

# The source of the precompiled header, which is a prerequisite by the rules: Clang names it by its
# absolute path, and ccache by a relative one.
pch_source = [[:space:]]\(\(\\ \|[^ ]\)*/\)\?tests/pch\.h

define object_rules
$(B)/obj$(1)/%.o: $(SRC)/%.c $(B)/config.mk
	@mkdir -p $$(@D)
	$$(call say,CC,$$@)
	$$(quiet)$$(CCACHE) $(3) $$(FLAGS_C) $(2) -c $$< -o $$@

$(B)/obj$(1)/%.o: $(SRC)/%.cc $(B)/obj$(1)/$$(call pch_of,$(4))
	@mkdir -p $$(@D)
	$$(call say,CXX,$$@)
	$$(quiet)$$(CCACHE) $(4) $$(FLAGS_CXX) $(2) $$(QUICK_CXX) -include $(B)/obj$(1)/pch.h -c $$< -o $$@
	$$(quiet)sed -i 's@$(pch_source)@@' $$(@:.o=.d)

$(B)/obj$(1)/$$(call pch_of,$(4)): $(SRC)/tests/pch.h $(B)/config.mk
	@mkdir -p $$(@D)
	$$(call say,PCH,$$@)
	$$(if $$(CCACHE),$$(quiet)$(4) $$(FLAGS_CXX) $(2) $$(QUICK_CXX) -x c++-header -E -P $$< -o $$@.sum)
	$$(quiet)$(4) $$(FLAGS_CXX) $(2) $$(QUICK_CXX) \
		$$(if $$(findstring clang,$(4)),$$(PCH_CLANG)) -x c++-header $$< -o $$@

$(B)/obj$(1)/libuncore.a: $(call objects,$(1),$(LIB_SRC))
	$$(call say,AR,$$@)
	$$(quiet)rm -f $$@ && $$(AR) rcs $$@ $$^

$(B)/obj$(1)/libsupport.a: $(call objects,$(1),$(if $(filter -tsan,$(1)),$(THREAD_SUPPORT),$(SUPPORT_SRC)))
	$$(call say,AR,$$@)
	$$(quiet)rm -f $$@ && $$(AR) rcs $$@ $$^
endef

$(eval $(call object_rules,,$$(SANITIZE),$$(CC),$$(TEST_CXX)))
$(eval $(call object_rules,-asan,$$(ASAN) $$(COVER),$$(SAN_CC),$$(SAN_CXX)))
$(eval $(call object_rules,-tsan,$$(TSAN),$$(SAN_CC),$$(SAN_CXX)))
$(eval $(call object_rules,-calls,$$(CALLS),$$(CC),$$(CXX)))
comma = ,

# The code of tests, which runs for each input, is not measured as coverage.
$(B)/obj-asan/tests/% $(B)/obj-asan/pch.h.pch: private COVER =

# Only this file contains the place of the tree, or the compiler's cache could not be used in another one.
$(foreach v,-asan -tsan,$(call objects,$(v),tests/support/source.cc)) $(call objects,,tests/support/source.cc): \
	private FLAGS_CXX += -DSOURCE_DIR='"$(call absolute,$(SRC))"'

# PAPI's one header that programs include, with what it includes: from 7.2 on
# also what its components may define.
PAPI_HEADERS  = $(addprefix $(B)/papi/include/,papi.h papiStdEventDefs.h)
PAPI_PROGRAMS = $(foreach v,-asan -tsan,$(call objects,$(v),$(CALLS_SRC))) \
		$(call objects,,$(CALLS_SRC) $(BENCH_SRC) $(EXAMPLE_SRC) $(filter tests/lab/cost/%,$(LAB_SRC)))
$(PAPI_PROGRAMS): private INCLUDES += -isystem $(B)/papi/include
$(PAPI_PROGRAMS): $(PAPI_HEADERS)

-include $(shell find $(B) -path '$(B)/obj*' -name '*.d' 2>/dev/null)

# ---- library and command ----

SONAME = libuncore.so.0
SIM_SONAME = libuncore-sim.so.0
LIBS   = $(PFM_LIBS) $(JSON_LIBS) $(RPATH) -pthread -Wl,--as-needed -lm

lib: $(B)/libuncore.a $(B)/libuncore.so $(B)/libuncore-sim.so $(B)/uncore.pc

$(B)/libuncore.a: $(B)/obj/libuncore.a
	$(quiet)cp $< $@

# Every function has the version that added it; no other symbol is exported.
SYMBOLS = $(SRC)/src/libuncore.map

$(B)/libuncore.so.$(VERSION): $(call objects,,$(SHARED_SRC)) $(SYMBOLS)
	$(call say,LINK,$@)
	$(quiet)$(CC) -shared -Wl,-soname,$(SONAME) $(DEFS) -Wl,--version-script=$(SYMBOLS) \
		$(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBS) -ldl

$(B)/libuncore-sim.so.$(VERSION): $(call objects,,$(SIM_SRC)) $(SRC)/src/libuncore-sim.map
	$(call say,LINK,$@)
	$(quiet)$(CC) -shared -Wl,-soname,$(SIM_SONAME) $(DEFS) \
		-Wl,--version-script=$(SRC)/src/libuncore-sim.map $(SANITIZE) $(LDFLAGS) -o $@ \
		$(filter %.o,$^) -pthread -lm

$(B)/libuncore.so $(B)/libuncore-sim.so: %.so: %.so.$(VERSION)
	$(quiet)ln -sf $(<F) $*.so.0 && ln -sf $(<F) $@

$(foreach v,-asan -tsan,$(call objects,$(v),$(MOUNT_ALL))) $(call objects,,$(MOUNT_ALL)): INCLUDES += $(FUSE_CFLAGS)
$(foreach v,-asan -tsan,$(call objects,$(v),src/command/load/numa.c)) $(call objects,,src/command/load/numa.c): INCLUDES += $(NUMA_CFLAGS)
$(foreach v,-asan -tsan,$(call objects,$(v),src/command/top/terminal.c)) $(call objects,,src/command/top/terminal.c): INCLUDES += $(CURSES_CFLAGS)
$(foreach v,-asan -tsan,$(call objects,$(v),$(HTTP_SRC))) $(call objects,,$(HTTP_SRC)): \
	INCLUDES += $(HTTP_CFLAGS) -DUNCORE_MICROHTTPD='"$(HTTP_FILE)"'
$(call objects,,src/daemon/seccomp.c): INCLUDES += $(SECCOMP_CFLAGS)

# program,FILE,DIRECTORY: $^ linked with the shared libraries, which are in DIRECTORY when it runs
program = $(CC) $(SANITIZE) $(LDFLAGS) $(if $(2),-Wl$(comma)-rpath$(comma)$(2)) -o $(1) $(filter %.o,$^) \
	-Wl,--as-needed $(filter %.so,$^) $(FUSE_LIBS) $(NUMA_LIBS) $(CURSES_LIBS) $(SECCOMP_LIBS) $(LIBS) -ldl

COMMAND_NEEDS = $(call objects,,$(COMMAND_SRC)) $(B)/libuncore.so $(B)/libuncore-sim.so
DAEMON_NEEDS  = $(call objects,,$(DAEMON_SRC)) $(B)/libuncore.so

$(B)/uncore: $(COMMAND_NEEDS)
$(B)/uncored: $(DAEMON_NEEDS)
$(B)/uncore $(B)/uncored:
	$(call say,LINK,$@)
	$(quiet)$(call program,$@,$(call absolute,$(B)))

# ---- the component as a directory for any PAPI tree ----

COMPONENT   = $(B)/papi-component/uncore
COMPONENT_D = $(SRC)/components/uncore
COMPONENT_F = $(patsubst $(COMPONENT_D)/%,%,$(wildcard $(addprefix $(COMPONENT_D)/,*.[ch] README.md tests/*)))

# copy,FILE,COPY: where they differ.  The copy is new then, whatever the file's own time is,
# so that what is made of it is made again.
copy = { cmp -s $(1) $(2) || cp -f $(1) $(2); }

THIN_HEADERS = src/uncore.h src/uncore_inspect.h

# component_rules,VARIANT,PARTS,RULES: copies what changed, and leaves out where this build will be
# installed, which is for Rules.uncore to say; starts afresh when a file was added or removed.
define component_rules
$(B)/papi-component$(1)/uncore/.complete: $(B)/parts$(1).list $(addprefix $(SRC)/,$(2) $(THIN_HEADERS)) $(B)/src/config.h \
		$(addprefix $(COMPONENT_D)/,$(COMPONENT_F) $(3))
	$$(call say,COPY,$$(@D))
	$$(quiet)if [ $$< -nt $$@ ]; then rm -rf $$(@D); fi
	$$(quiet)mkdir -p $$(@D)/tests $$(addprefix $$(@D)/,$(sort $(dir $(2))))
	$$(quiet)touch $$@.begun
	$$(quiet)for f in $(2); do $$(call copy,$(SRC)/$$$$f,$$(@D)/$$$$f) || exit; done
	$$(quiet)for f in $(COMPONENT_F); do $$(call copy,$(COMPONENT_D)/$$$$f,$$(@D)/$$$$f) || exit; done
	$$(quiet)$$(call copy,$(COMPONENT_D)/$(3),$$(@D)/Rules.uncore)
	$(if $(2),,$$(quiet)for f in $(THIN_HEADERS); do $$(call copy,$(SRC)/$$$$f,$$(@D)/$$$${f##*/}) || exit; done)
	$(if $(2),$$(quiet)sed '/_DIR /d' $(B)/src/config.h >$$@.config
	$$(quiet)$$(call copy,$$@.config,$$(@D)/src/config.h)
	$$(quiet)rm $$@.config)
	$$(quiet)mv $$@.begun $$@

$(B)/parts$(1).list: FORCE
	@echo '$(2)' | cmp -s - $$@ || echo '$(2)' >$$@
endef

$(eval $(call component_rules,,$(PARTS),Rules.linked))
$(eval $(call component_rules,-nosim,$(filter-out $(NO_SIM),$(PARTS)),Rules.linked))
$(eval $(call component_rules,-nolists,$(filter-out $(NO_LISTS),$(PARTS)),Rules.linked))
$(eval $(call component_rules,-nosim-nolists,$(filter-out $(NO_SIM) $(NO_LISTS),$(PARTS)),Rules.linked))
# Without the library, which it opens at run time, but with its headers.
$(eval $(call component_rules,-thin,,Rules.uncore))

papi-component: $(B)/papi-component$(if $(filter yes,$(THIN)),-thin,$(if $(filter no,$(SIM)),-nosim)$(if $(filter no,$(LISTS)),-nolists))/uncore/.complete

# ---- drop-in libpapi: the distribution's PAPI plus the component, as the last one ----
#
# PAPI's own rule compiles everything in one command.  Given its object files in
# place of its sources it links them, and only what changed is compiled again.
# Its run path is left out (but for libraries that are not the system's), and so is what PAPI takes out of libpfm.a where that is
# installed: the library has it, and these objects need not be position independent
# (the distribution does the same).

PAPI_BUILD   = $(B)/papi-build
PAPI_LIB     = $(B)/papi/libpapi.so
# As in Rules.uncore.
PAPI_JSON    = $(if $(JSON_STATIC),,$(JSON_LIBS))
PAPI_MAKE    = $(MAKE) -C $(PAPI_BUILD)/src SOURCES='$$(OBJECTS)' SHLIBOBJS= \
		MISCOBJS='$$(MISCSRCS:.c=.o)' \
		UNCORE_JSON='$(JSON_STATIC)' UNCORE_SYSCONF='$(sysconfdir)' \
		CC_SHR='$$(CC) -fPIC -DPIC -shared -Wl,-soname -Wl,$$(VLIB)' \
		OPTFLAGS='-O2 -fPIC' $(if $(filter 1,$(V)),,--silent)

papi: $(PAPI_LIB) $(PAPI_HEADERS) $(B)/papi-uncore.pc

# PAPI 7.0 looks up presets in tables of components that PAPI_shutdown() has freed, when it is initialised
# again; Debian 13's C library has returned their memory to the kernel.
PAPI_NO_TABLE = event_table->native_events = NULL; event_table->num_native_events = 0;

# The programs by which PAPI 7.0's configure finds out about threads and timers are no valid C; gcc 14 and
# clang 16 refuse them, and it would take these for missing.
PAPI_ASKS    = $(addprefix -Wno-error=,implicit-function-declaration implicit-int incompatible-pointer-types int-conversion)

$(PAPI_BUILD)/.configured: $(B)/config.mk $(SRC)/src/build/papi_corrections.sh | $(COMPONENT)/.complete
	@[ -n "$(PAPI_SRC)" ] || { echo "This needs PAPI: run configure again, without --without-papi." >&2; exit 1; }
	$(call say,CONF,$(PAPI_BUILD))
	$(quiet)rm -rf $(PAPI_BUILD) && mkdir -p $(PAPI_BUILD)
	$(quiet)mkdir $(PAPI_BUILD)/src && cp -R $(PAPI_SRC)/. $(PAPI_BUILD)/src
	$(quiet)chmod -R u+w $(PAPI_BUILD)/src
	$(quiet)rm -rf $(PAPI_BUILD)/src/components/uncore
	$(quiet)ln -s $(call absolute,$(COMPONENT)) $(PAPI_BUILD)/src/components/uncore
	$(quiet)cd $(PAPI_BUILD)/src/components && f=perf_event/pe_libpfm4_events.c && \
		{ [ ! -e $$f ] || sed -i 's/^\( *\)free(event_table->native_events);/&\n\1$(PAPI_NO_TABLE)/' $$f; }
	$(quiet)cd $(PAPI_BUILD)/src && sh $(call absolute,$(SRC))/src/build/papi_corrections.sh
	$(quiet)cd $(call absolute,$(PAPI_BUILD))/src && { [ ! -f Makefile ] || $(MAKE) -s distclean; } >/dev/null 2>&1; \
	PAPI_ROCMSMI_ROOT=$(ROCM_DIR) ./configure --prefix=/usr --libdir=$(PFM_LIBDIR) \
		--with-perf-events --with-static-lib=yes --with-shared-lib=yes --with-shlib-tools \
		--with-pfm-incdir=$(PFM_INCDIR) --with-pfm-libdir=$(PFM_LIBDIR) \
		--with-components="$(PAPI_COMPONENTS) uncore" CC='$(CC) $(PAPI_ASKS)' >../configure.log 2>&1 || \
		{ tail ../configure.log; exit 1; }
	$(quiet)touch $@

$(PAPI_HEADERS): $(B)/papi/include/%: $(PAPI_BUILD)/.configured
	@mkdir -p $(@D)
	$(quiet)cp $(PAPI_BUILD)/src/$* $@
	$(quiet)cd $(PAPI_BUILD)/src && for h in papi_*_event_defs.h fpapi.h f77papi.h f90papi.h; do \
		[ ! -e $$h ] || cp $$h $(call absolute,$(@D))/; \
	done

# PAPI's utilities and libsde, for a prefix as PAPI installs it.  The utilities find the library there.
PAPI_PREFIX  = $(B)/papi-prefix
$(PAPI_PREFIX)/.complete: $(PAPI_LIB) $(PAPI_HEADERS)
	$(call say,PAPI,$(PAPI_PREFIX))
	$(quiet)rm -rf $(@D) && mkdir -p $(@D)/bin $(@D)/lib $(@D)/include
	+$(quiet)cd $(PAPI_BUILD)/src && { { [ ! -e sde_lib/Makefile ] || { \
			$(MAKE) -C sde_lib dynamic CC='$(CC)' && ln -sf sde_lib/libsde.so.1.0 libsde.so; }; } && \
		$(MAKE) -C testlib clockcore.o do_loops.o CC='$(CC) $(SANITIZE)' && \
		$(MAKE) -C utils CC='$(CC) $(SANITIZE)' PAPILIB=$(call absolute,$(PAPI_LIB)) \
			LDFLAGS="-Wl,-rpath,'\$$\$$ORIGIN'/../lib"; } >../utils.log 2>&1 || { tail ../utils.log; exit 1; }
	$(quiet)find $(PAPI_BUILD)/src/utils -maxdepth 1 -name 'papi_*' ! -name '*.*' -type f -perm -100 -exec cp {} $(@D)/bin/ \;
	$(quiet)cd $(PAPI_BUILD)/src && for f in high-level/scripts/papi_hl_output_writer.py; do \
		[ ! -e $$f ] || cp $$f $(call absolute,$(@D))/bin/ || exit; \
	done
	$(quiet)cd $(PAPI_BUILD)/src && [ ! -e sde_lib/libsde.so.1.0 ] || { \
		cp sde_lib/libsde.so.1.0 $(call absolute,$(@D))/lib/ && cp sde_lib/sde_lib.h* $(call absolute,$(@D))/include/ && \
		ln -s libsde.so.1.0 $(call absolute,$(@D))/lib/libsde.so.1 && \
		ln -s libsde.so.1.0 $(call absolute,$(@D))/lib/libsde.so; }
	$(quiet)touch $@

# papi_pc,INCLUDEDIR,LIBDIR: what programs need that use this libpapi
papi_pc = sed -e 's|@includedir@|$(1)|' -e 's|@libdir@|$(2)|' -e 's|@version@|$(VERSION)|' \
	-e "s|@papi@|$$(sed -n 's/^PAPIVER *= *//p; s/^PAPIREV *= */./p; s/^PAPIAGE *= */./p' \
		$(PAPI_BUILD)/src/Makefile | tr -d '\n')|" $(SRC)/src/build/papi-uncore.pc.in

# For programs that use it from the build directory.
$(B)/papi-uncore.pc: $(SRC)/src/build/papi-uncore.pc.in $(PAPI_BUILD)/.configured
	$(quiet)$(call papi_pc,$(call absolute,$(B)/papi/include),$(call absolute,$(B)/papi)) >$@

# papi_rules,VARIANT,FLAGS,AFTER,COMPILER,DEFS: link with the component compiled with FLAGS.  The
# library behind it was compiled before (except for link time optimisation).  The
# variants share PAPI's own object files and its directory, so they go one by one.
define papi_rules
$(B)/papi$(1)/libpapi.so: $(COMPONENT)/.complete $(PAPI_BUILD)/.configured $(3) $(B)/obj$(1)/libuncore.a
	@mkdir -p $$(@D)
	$$(call say,PAPI,$$@)
	+$$(quiet)rm -f $(PAPI_BUILD)/src/libpapi.so* && \
		PAPI_ROCMSMI_ROOT=$(ROCM_DIR) $$(PAPI_MAKE) shared CC='$(4)' LDFLAGS='-ldl -pthread -Wl,--as-needed -lm -lrt $(5) $$(PAPI_JSON) $$(RPATH) $(2)' \
		UNCORE_OBJ=$$(call absolute,$(PAPI_BUILD))/uncore$(1) $$(if $$(findstring -flto,$(CFLAGS)),, \
			UNCORE_LIB=$$(call absolute,$(B)/obj$(1)/libuncore.a)) UNCORE_CFLAGS='$$(JSON_CFLAGS) $(2)' \
		>$(PAPI_BUILD)/make$(1).log 2>&1 || { tail -30 $(PAPI_BUILD)/make$(1).log; exit 1; }
	$$(quiet)rm -f $$(@D)/libpapi.so*
	$$(quiet)cp -d $(PAPI_BUILD)/src/libpapi.so* $$(@D)/
endef

$(eval $(call papi_rules,,$$(SANITIZE),,$$(CC),$$(DEFS)))
$(eval $(call papi_rules,-asan,$$(ASAN),$(B)/papi/libpapi.so,$$(SAN_CC),$$(SAN_DEFS)))
$(eval $(call papi_rules,-tsan,$$(TSAN),$(B)/papi-asan/libpapi.so,$$(SAN_CC),$$(SAN_DEFS)))

# papi_program,VARIANT: link against the variant's libpapi, wherever it is called from
papi_program = -L$(B)/papi$(1) -Wl,-rpath,$(call absolute,$(B)/papi$(1)) -lpapi

# ---- tests ----

# Functions of which the tests have their own: tests/support/interposer.cc, to put an interposer before a
# backend, and fake_driver.cc there and tests/selftest/kernel_test.cc, to be the kernel's driver (-u takes
# the first two from their archive, although no test needs them), tests/claim/allocation_test.cc, to fail
# them, and tests/doctor/reasons_test.cc, to change the library's sentences.
wrapped = unc_hw_simulated unc_hw_native unc_perf_group_add unc_perf_group_enable unc_perf_group_read \
	$(if $(filter tests/claim/allocation_test.cc,$(1)),malloc calloc \
	realloc strdup asprintf vasprintf tsearch mmap pthread_create unc_libc_thread_create) \
	$(if $(filter tests/selftest/kernel_test.cc,$(1)),unc_perf_open unc_perf_read unc_perf_close \
	uncore_perf_event) \
	$(if $(filter tests/doctor/reasons_test.cc,$(1)),uncore_box uncore_warning)

# tests/house reads texts, for which it needs no sanitizer.
unit_src = $(if $(filter -tsan,$(1)),$(THREAD_SRC),$(if $(1),$(filter-out tests/house/%,$(UNIT_SRC)),$(UNIT_SRC)))
parts = $(if $(filter -tsan,$(1)),$(THREAD_PARTS),$(COMMAND_PARTS)) $(DAEMON_PARTS)

# unit_rule,PROGRAM,VARIANT,FLAGS,COMPILER,SOURCES
define unit_rule
$(B)/tests/$(1): $(call objects,$(2),$(5) $(call parts,$(2))) $(B)/obj$(2)/libsupport.a \
		$(B)/obj$(2)/libuncore.a
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$(quiet)$(4) $(3) $$(QUICK_LINK) $$(LDFLAGS) $$(addprefix -Wl$$(comma)-u$$(comma)__wrap_unc_,hw_native perf_group_add) $(patsubst %,-Wl$$(comma)--wrap=%,$(call wrapped,$(5))) -o $$@ $$^ -lgtest_main -lgtest $$(FUSE_LIBS) $$(NUMA_LIBS) $$(CURSES_LIBS) $$(LIBS) -lz -ldl -lm
endef

# The tests of one folder, for the loop of edit, build and run: docs/testing.md, "Adding a test".
$(foreach r,$(UNIT_ROOMS),$(eval $(call unit_rule,rooms/$(r),,$$(SANITIZE),$$(CXX),$(filter tests/$(r)/%,$(UNIT_SRC)))))

define test_rules
$(call unit_rule,unit$(1),$(1),$(2),$(3),$(call unit_src,$(1)))

$(B)/tests/papi_calls$(1): $(call objects,$(1),$(CALLS_SRC)) $(B)/obj$(1)/libsupport.a $(B)/papi$(1)/libpapi.so
	@mkdir -p $$(@D)
	$$(call say,LINK,$$@)
	$$(quiet)$(3) $(2) $$(LDFLAGS) -o $$@ $$(filter %.o %.a,$$^) \
		$$(call papi_program,$(1)) -lgtest_main -lgtest -pthread
endef

$(eval $(call test_rules,,$$(SANITIZE),$$(CXX)))
$(eval $(call test_rules,-asan,$$(ASAN),$$(SAN_CXX)))
$(eval $(call test_rules,-tsan,$$(TSAN),$$(SAN_CXX)))

$(B)/tests/fuzz/%: $(B)/obj-asan/tests/fuzz/%.o $(B)/obj-asan/libuncore.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CLANG)++ -fsanitize=fuzzer $(ASAN) $(WRAP) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)

$(B)/tests/fuzz/discovery_fuzz: $(call objects,-asan,tests/support/fake_tables.cc)
$(B)/tests/fuzz/journal_fuzz: $(call objects,-asan,$(addprefix tests/support/,journal_file.cc recovery.cc))

# tests/fuzz/files_in_memory.h
$(B)/tests/fuzz/tree_fuzz: private WRAP = $(addprefix -Wl$(comma)--wrap=,close fstat readdir closedir)

$(B)/tests/fuzz/client_fuzz: $(call objects,-asan,$(addprefix src/daemon/,answer.c users.c say.c request.c start.c \
	latency.c sets.c clients.c limits.c pages.c policy.c reload.c owners.c planner.c fair.c traffic.c rights.c))

$(B)/tests/fuzz/policy_fuzz: $(call objects,-asan,src/daemon/policy.c)
$(B)/tests/fuzz/marks_fuzz: $(call objects,-asan,src/command/explain/marks.c src/command/base/text.c)
$(B)/tests/fuzz/processes_fuzz: $(call objects,-asan,$(addprefix src/command/,base/encode.c base/text.c who/job.c \
	who/owner.c who/proc.c))
$(B)/tests/fuzz/groups_fuzz: $(call objects,-asan,$(addprefix src/command/,base/text.c who/job.c who/proc.c who/resctrl.c))

# Run by scripts, and by hand.
$(B)/tests/stress: $(B)/obj/tests/claim/stress.o $(B)/obj/libsupport.a $(B)/obj/libuncore.a
$(B)/tests/recorded_machines: $(B)/obj/tests/machines/recorded_machines.o $(B)/obj/libsupport.a $(B)/obj/libuncore.a
$(B)/tests/encodings: $(B)/obj/tests/event/encodings.o $(B)/obj/libsupport.a $(B)/obj/libuncore.a
$(B)/tests/stress $(B)/tests/recorded_machines $(B)/tests/encodings:
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CXX) $(SANITIZE) $(LDFLAGS) -o $@ $^ -lgtest -lz $(LIBS)

# check: the tests for daily work, in one build.  check-rest: the same under sanitizers,
# fuzzers, scripts that build for long, and those of services and MPI.  check-all: both.
TESTS         = $(addprefix $(B)/tests/,unit $(if $(PAPI_SRC),papi_calls))
REST_TESTS    = $(addprefix $(B)/tests/,unit-asan unit-tsan $(if $(PAPI_SRC),papi_calls-asan papi_calls-tsan))
FUZZ_TESTS    = $(patsubst %,$(B)/tests/fuzz/%,$(notdir $(basename $(FUZZ_SRC))))
EXAMPLES      = $(addprefix $(B)/,$(basename $(EXAMPLE_SRC)))
BENCHES       = $(patsubst tests/bench/%.c,$(B)/bench/%,$(BENCH_SRC))

# A word per job of tests/runner: KIND:FILE.  Without PAPI's source its tests are reported as skipped.
CHECKS = $(TESTS:%=gtest:%) $(if $(PAPI_SRC),,nopapi:$(B)/tests/papi_calls) $(SHELL_TESTS:%=shell:$(SRC)/%)
REST   = $(REST_TESTS:%=gtest:%) $(if $(PAPI_SRC),,$(addprefix nopapi:$(B)/tests/papi_calls,-asan -tsan)) \
	$(SLOW_TESTS:%=shell:$(SRC)/%) $(EXTRA_TESTS:%=shell:$(SRC)/%) \
	$(FUZZ_TESTS:%=$(if $(filter yes,$(FUZZER)),fuzz,nofuzz):%)

CHECK_BUILDS = all papi-component $(if $(PAPI_SRC),examples) $(TESTS) $(B)/tests/recorded_machines
REST_BUILDS  = all papi-component $(patsubst %,$(B)/papi-component-%/uncore/.complete, \
		nosim nolists nosim-nolists thin) $(addprefix $(B)/tests/,unit stress recorded_machines encodings) $(REST_TESTS) \
		$(if $(PAPI_SRC),examples) \
		$(if $(PAPI_SRC),$(BENCHES) $(B)/bench/start_calls) $(if $(filter yes,$(FUZZER)),$(FUZZ_TESTS))
run_tests    = @SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) sh $(SRC)/tests/runner

# Report packages that configure missed before compiling.
ifeq ($(wildcard $(B)/needs.check),)
check: $(CHECK_BUILDS)
	$(run_tests) $(CHECKS)

check-rest: $(REST_BUILDS)
	$(run_tests) $(REST)

check-all: $(CHECK_BUILDS) $(REST_BUILDS)
	$(run_tests) $(CHECKS) $(REST)

# Before a release: packages are built from nothing, which takes a minute or two.
check-packages: all
	$(run_tests) $(PACKAGE_TESTS:%=shell:$(SRC)/%)
else
check check-rest check-all check-packages:
	@cat $(B)/needs.check >&2; exit 1
endif

# By hand, with source trees of other versions of PAPI: PAPI_TREES="DIR...", PAPI_TREE=DIR.
check-papi-trees:
	@SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) sh $(SRC)/tests/papi/trees $(PAPI_TREES)

check-papi-ctests: lib $(B)/papi-component-thin/uncore/.complete
	@SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) sh $(SRC)/tests/papi/ctests "$(PAPI_TREE)"

# ---- bench, examples, demo ----

$(EXAMPLES): $(B)/examples/%: $(B)/obj/examples/%.o $(PAPI_LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $< $(call papi_program) -pthread

.PHONY: examples
examples: $(EXAMPLES)

$(B)/bench/daemon_bench $(B)/bench/users_bench: | $(B)/uncored
$(B)/bench/exporter_bench: | $(B)/uncore
$(B)/bench/init_bench: $(B)/obj/tests/support/system_calls.o

$(BENCHES): $(B)/bench/%: $(B)/obj/tests/bench/%.o $(B)/libuncore.a $(PAPI_LIB)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) $(call papi_program) $(LIBS)

bench: $(BENCHES)
	@for b in $(BENCHES); do SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) $$b || exit; done

# Counts the functions that a start and a stop call.  Functions of the simulated machine are not
# part of the library.  Warnings about lengths of text differ with -O1; the library itself has none.
CALLS = -O1 -g1 -Wno-format-truncation -finstrument-functions \
	-finstrument-functions-exclude-file-list=src/sim/,tests/

$(B)/bench/start_calls: $(B)/obj-calls/tests/bench/calls/start_calls.o $(B)/obj-calls/libuncore.a
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(quiet)$(CC) -no-pie $(LDFLAGS) -o $@ $^ $(LIBS)

# By hand, for hours: which changes of the code no test notices.  MUTANTS: words of some of them.
# N, SEED, PATHS: the number of random ones instead, and the folders or files to change.
RANDOM_MUTANTS = python3 -B $(SRC)/tests/mutants/draw.py $(N) $(or $(SEED),1) $(PATHS)

mutants: all $(B)/tests/unit
	@SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) \
		$(if $(findstring command,$(origin N)),$(RANDOM_MUTANTS),sh $(SRC)/tests/mutants/run.sh $(MUTANTS))

# 40 of the lines changed since the last release, with the tests of their folders.
mutants-changed: all $(B)/tests/unit
	@SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) sh $(SRC)/tests/mutants/changed.sh

bench-calls: $(B)/bench/start_calls $(B)/uncore
	@SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) sh $(SRC)/tests/bench/start_calls.sh $(if $(V),-v)

ifeq ($(wildcard $(B)/needs.demo),)
demo: all $(if $(PAPI_SRC),examples)
	@SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) PAPI=$(if $(PAPI_SRC),yes,no) \
		sh $(SRC)/examples/demo.sh
else
demo:
	@cat $(B)/needs.demo >&2; exit 1
endif

include $(SRC)/tests/lab/lab.mk

include $(SRC)/src/build/install/install.mk
include $(SRC)/src/build/packaging/packaging.mk

# ---- upkeep ----

BUILT = obj obj-asan obj-tsan obj-calls papi papi-prefix papi-asan papi-tsan papi-build papi-component* \
	component-config.h parts*.list tests mutants examples bench uncore uncored uncore.pc papi-uncore.pc \
	papi-uncore.installed.pc papi.installed.pc install dist deb rpm recipes release-* papi-patch papi-trees libuncore.* libuncore-sim.* .built lab/bin lab/module lab/out
# Written by configure.
CONFIGURED = .configured src/config.h config.mk config.log needs.* papi-source papi-tree local apt services aarch64 lab source

# Keeps the configuration and fetched packages.
clean:
	rm -rf $(addprefix $(B)/,$(BUILT))

# Also removes what configure wrote.
distclean:
	rm -rf $(addprefix $(B)/,$(BUILT) $(CONFIGURED)) Makefile
	-@rmdir $(B)/src $(filter-out .,$(B)) 2>/dev/null || :
	$(if $(HERE),-@rm -f $(HERE); rmdir $(dir $(HERE)) 2>/dev/null || :)

# Their headers may be missing.
MPI_EXAMPLE = examples/library/mpi_node.c examples/library/mpi_share.c
C_FILES     = $(LIB_SRC) $(WITHOUT_SRC) $(DAEMON_SRC) $(COMMAND_ALL) $(BENCH_SRC) $(call in,tests/bench/calls/*.c) $(filter %.c,$(SUPPORT_SRC)) $(EXAMPLE_SRC) $(LAB_SRC) $(PEERS_SRC) $(filter-out $(MPI_EXAMPLE),$(call in,examples/library/*.c))
CXX_FILES   = $(filter %.cc,$(UNIT_SRC) $(SUPPORT_SRC) $(CALLS_SRC) $(FUZZ_SRC)) tests/claim/stress.cc tests/machines/recorded_machines.cc tests/event/encodings.cc $(call in,tests/lab/*.cc) $(call in,examples/library/*.cc)
HEADERS     = $(call below,src events,*.h) $(call in,tests/bench/peers/*.h \
		$(addprefix tests/lab/,simpci/*.h crosscheck/*.h cost/*.h))
SCRIPTS     = configure $(GUIDE) $(SRC)/src/build/configure/directories.sh $(SRC)/src/build/install/uncore.bash $(call in,src/build/packaging/*.sh) $(SRC)/src/build/rooms.sh $(SRC)/src/build/messages.sh $(SRC)/events/rows.sh $(call in,.ci/*) tests/runner tests/skipped $(SHELL_TESTS) $(EXTRA_TESTS) $(SLOW_TESTS) $(PACKAGE_TESTS) tests/papi/trees tests/papi/ctests $(call in,examples/*.sh examples/*/*.sh tests/bench/*.sh tests/bench/peers/*.sh tests/fuzz/*.sh tests/mutants/*.sh) $(LAB_SCRIPTS)

# The picture of the folders in docs/design.md; structure_test.sh compares it with the tree.
design:
	cd $(SRC) && sh src/build/rooms.sh picture >docs/pictures/rooms.svg

# Every message that a user can get; tests/house/messages_test.sh checks their form.
messages:
	@cd $(SRC) && sh src/build/messages.sh

# Each header must compile alone; the public one as C++, too.  clang-tidy 14 takes
# one file at a time, or its va_list check believes that all lists are uninitialised.
lint:
	cd $(SRC) && clang-format --dry-run -Werror $(C_FILES) $(CXX_FILES) $(HEADERS) \
		$(MPI_EXAMPLE) $(call in,components/uncore/*.c components/uncore/tests/*.c tests/lab/module/*.[ch])
	cd $(SRC) && shellcheck -x -a $(SCRIPTS)
	for h in $(HEADERS); do \
		$(CC) -std=c11 -D_GNU_SOURCE $(INCLUDES) $(FUSE_CFLAGS) $(NUMA_CFLAGS) $(HTTP_CFLAGS) $(WARNINGS_C) -Werror -fsyntax-only \
			-x c -include $(SRC)/$$h /dev/null || exit; \
	done
	$(CXX) -std=c++17 $(WARNINGS) -Werror -fsyntax-only -x c++ -include $(SRC)/src/uncore_inspect.h /dev/null
	cd $(SRC) && for c in $(C_FILES); do \
		clang-tidy --quiet $$c -- -std=c11 -D_GNU_SOURCE -Isrc -Isrc/lib -Ievents -I$(call absolute,$(B))/src \
			-isystem $(call absolute,$(B))/papi/include $(PFM_CFLAGS) $(JSON_CFLAGS) $(FUSE_CFLAGS) $(NUMA_CFLAGS) $(HTTP_CFLAGS) -DUNCORE_MICROHTTPD='""' || exit; \
	done
	@SRC=$(call absolute,$(SRC)) BUILD=$(call absolute,$(B)) sh $(SRC)/tests/house/structure_test.sh -v
	@SRC=$(call absolute,$(SRC)) sh $(SRC)/tests/house/english_test.sh
	@cd $(SRC) && if command -v reuse >/dev/null; then reuse lint -q; else echo "not tried: licenses: there is no reuse"; fi
