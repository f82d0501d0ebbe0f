#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The patches of `make papi-patch` apply to PAPI's tree, which then builds the component by its
# own configure and makefiles, with libuncore's headers only.  It opens the library at run time: its
# tests pass on simulated machines and skip where nothing can be counted, and without a library, with
# an unusable or an old one it is disabled and says why.
#
# With PAPI_TREE, a git clone of PAPI 7.3 or later, the same there, where the component has presets.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
command -v git >/dev/null || skip "there is no git, which writes the patches"
command -v patch >/dev/null || skip "there is no patch"

export SRC
tree=${PAPI_TREE:-}
unset PAPI_TREE
step "papi_patch.sh" sh "$SRC/src/build/packaging/papi_patch.sh" "$BUILD/papi-component-thin/uncore" \
	"$work/patches"
[ "$(find "$work/patches" -name '000[1-3]-uncore-*.patch' | wc -l)" -eq 3 ] ||
	{ echo "FAILED: not three patches: $(ls "$work/patches")"; exit 1; }
if grep -q "$work\|$SRC\|$BUILD" "$work/patches"/*; then
	echo "FAILED: a directory of this computer is in the patches"
	exit 1
fi

mkdir "$work/papi"
cp -R "$source" "$work/papi/src"
rm -rf "$work/papi/src/components/uncore"
cd "$work/papi"
# The distribution's source, which has no .git.
for patch in "$work/patches"/*; do
	step "patch" patch -p1 -i "$patch"
done
[ -f .github/workflows/uncore_component_workflow.yml ] || { echo "FAILED: no workflow"; exit 1; }
rejected=$(find . -name '*.rej' -o -name '*.orig')
[ -z "$rejected" ] || { echo "FAILED: $rejected"; exit 1; }
cd src
home=components/uncore
if grep -q 'json-c\|outside PAPI' "$home/README.md"; then
	echo "FAILED: the component's README mentions files that are not in PAPI"
	exit 1
fi
[ ! -f Makefile ] || make -s distclean >/dev/null 2>&1 || :
unset UNCORE_OBJ UNCORE_CFLAGS
if grep -q '^MISCOBJS *=.*PFM_OBJS' Rules.pfm4_pe; then
	set -- # as released, with the libpfm4 that is in it
else
	set -- --with-pfm-incdir="$(setting PFM_INCDIR)" --with-pfm-libdir="$(setting PFM_LIBDIR)"
fi
step "configure" ./configure --with-components=uncore --with-shared-lib=yes --with-static-lib=yes \
	--with-shlib-tools --with-tests= CC="$work/cc" "$@"
# As installed.
mkdir -p "$work/root/include" "$work/root/lib"
cp "$SRC"/src/uncore*.h "$work/root/include/"
cp "$BUILD/libuncore.so.0" "$BUILD/libuncore-sim.so.0" "$work/root/lib/"
PAPI_UNCORE_ROOT=$work/root
export PAPI_UNCORE_ROOT
step "make shared static" make -j"$(nproc)" OPTFLAGS=-O0 shared static
step "make of the test library" make -C testlib OPTFLAGS=-O0 libtestlib.a
step "make of the component's tests" make -j"$(nproc)" -C components/uncore/tests OPTFLAGS=-O0 uncore_tests

shown=$(nm -D --defined-only libpapi.so | grep -E ' (_?unc|uncore|sim)_' || :)
[ -z "$shown" ] || { echo "FAILED: libpapi.so shows $shown"; exit 1; }
ar t libpapi.a | grep -q '^uncore_library\.o$' ||
	{ echo "FAILED: the component is not in libpapi.a"; exit 1; }
if readelf -d libpapi.so | grep -q libuncore; then
	echo "FAILED: libpapi.so needs libuncore"
	exit 1
fi

LD_LIBRARY_PATH=$work/papi/src
export LD_LIBRARY_PATH
tests=$(find components/uncore/tests -type f -perm -u+x ! -name '*.[ch]')
[ "$(echo "$tests" | wc -l)" -eq "$(find components/uncore/tests -name '*.c' | wc -l)" ] ||
	{ echo "FAILED: not all tests are built: $tests"; exit 1; }
# run_tests PRESETS: one machine with PCI and MSRs, one whose table is in memory.  PRESETS is what
# the test of presets says.
run_tests() {
	for machine in sim:snbep sim:spr; do
		for test in $tests; do
			says=PASSED
			[ "${test##*/}" != uncore_presets ] || says=$1
			UNCORE_MACHINE=$machine step "$test on $machine" "$test"
			grep -q "$says" "$work/log" ||
				{ echo "FAILED: $test on $machine"; cat "$work/log"; exit 1; }
		done
	done
}

# Presets of components are known to PAPI 7.2 and later.
if grep -q _std_event_defs configure; then
	run_tests PASSED
else
	run_tests SKIPPED
fi
mkdir "$work/empty"
for test in $tests; do
	UNCORE_SYSROOT=$work/empty step "$test without a machine" "$test"
	grep -q SKIPPED "$work/log" ||
		{ echo "FAILED: $test does not skip"; cat "$work/log"; exit 1; }
done

# ---- libraries that cannot be used ----

step "make utils" make utils

# disabled ROOT WHY: what the component says with PAPI_UNCORE_ROOT=ROOT
disabled() {
	PAPI_UNCORE_ROOT=$1 step "papi_component_avail" utils/papi_component_avail
	grep -A 1 '^Name:  *uncore ' "$work/log" | grep -q "Disabled: $2" ||
		{ echo "FAILED: with the library in $1 it does not say: $2"; cat "$work/log"; exit 1; }
}

# library NAME: a directory for a library of that name
library() {
	mkdir -p "$work/$1/lib"
	echo "$work/$1/lib/libuncore.so.0"
}

disabled "$work/empty" "no libuncore.so.0 in PAPI_UNCORE_ROOT=$work/empty: set it"
disabled "" 'libuncore.so.0 not found: install libuncore0, or set PAPI_UNCORE_ROOT'
echo junk >"$(library junk)"
disabled "$work/junk" "cannot open libuncore.so.0: $work/junk/lib/libuncore.so.0: "
echo 'const char *uncore_version(void); const char *uncore_version(void) { return "0.1"; }' |
	"$work/cc" -shared -fPIC -o "$(library old)" -x c -
disabled "$work/old" 'libuncore.so.0 of version 0.1 is too old, it lacks uncore_[a-z]*: install'

step "make clean of the tests" make -C components/uncore/tests clean

# ---- presets ----

if [ -z "$tree" ]; then
	echo "not tried: presets: PAPI_TREE is no git clone of PAPI 7.3 or later"
	exit 0
fi
export PAPI_TREE="$tree"
step "papi_patch.sh" sh "$SRC/src/build/packaging/papi_patch.sh" "$BUILD/papi-component-thin/uncore" \
	"$work/tree-patches"
step "git clone" git clone -q --shared "$tree" "$work/tree"
cd "$work/tree"
step "git am" git -c user.name=uncore -c user.email=uncore@example.org am "$work/tree-patches"/*.patch
cd src
# Without sysdetect, uncore is the last component.
step "configure" ./configure --with-components=uncore --disable-sysdetect --with-shared-lib=yes \
	--with-static-lib=no --with-shlib-tools --with-tests= CC="$work/cc" \
	--with-pfm-incdir="$(setting PFM_INCDIR)" --with-pfm-libdir="$(setting PFM_LIBDIR)"
step "make shared" make -j"$(nproc)" OPTFLAGS=-O0 shared
step "make utils" make OPTFLAGS=-O0 utils
step "make of the test library" make -C testlib OPTFLAGS=-O0 libtestlib.a
step "make of the component's tests" make -j"$(nproc)" -C components/uncore/tests OPTFLAGS=-O0 uncore_tests
LD_LIBRARY_PATH=$work/tree/src
run_tests PASSED

# presets MACHINE: those that papi_avail lists as available
presets() {
	UNCORE_MACHINE=$1 step "papi_avail on $1" utils/papi_avail -a
	grep -o '^PAPI_UNCORE_[A-Z_]*' "$work/log" | sort | tr '\n' ' ' || :
}

# equal WHAT EXPECTED FOUND
equal() {
	[ "$2" = "$3" ] || { echo "FAILED: $1: expected $2, found $3"; exit 1; }
}

equal "all presets on Ice Lake-X" 12 "$(presets sim:icx | wc -w)"
equal "presets on Knights Landing" "PAPI_UNCORE_CLOCKTICKS PAPI_UNCORE_ENERGY_DRAM_UJ \
PAPI_UNCORE_ENERGY_PACKAGE_UJ PAPI_UNCORE_MEM_BYTES PAPI_UNCORE_MEM_READ_BYTES \
PAPI_UNCORE_MEM_WRITE_BYTES " "$(presets sim:knl)"
# Its reads and writes cannot be counted at the same time.
equal "presets on Nehalem-EX" "PAPI_UNCORE_CLOCKTICKS PAPI_UNCORE_LLC_LOOKUPS PAPI_UNCORE_LLC_MISSES \
PAPI_UNCORE_MEM_READ_BYTES PAPI_UNCORE_MEM_WRITE_BYTES " "$(presets sim:nhmex)"
equal "presets without a machine" "" "$(presets file:/nonexistent)"

cat >"$work/presets.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "papi.h"

#define CHECK(condition) \
	do { if (!(condition)) { printf("FAILED: line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

static const PAPI_component_info_t *info(void)
{
	return PAPI_get_component_info(PAPI_get_component_index("uncore"));
}

/* Only the name of one of its presets opens the machine. */
static void once(void)
{
	int set = PAPI_NULL, code = 0;

	CHECK(PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT);
	CHECK(PAPI_event_name_to_code("PAPI_TOT_CYC", &code) == PAPI_OK && code == PAPI_TOT_CYC);
	CHECK(PAPI_event_name_to_code("PAPI_UNKNOWN", &code) != PAPI_OK);
	CHECK(info()->disabled == PAPI_EDELAY_INIT && info()->num_preset_events == 0);
	CHECK(PAPI_event_name_to_code("PAPI_UNCORE_MEM_BYTES", &code) == PAPI_OK);
	CHECK(code == PAPI_UNCORE_MEM_BYTES && info()->num_preset_events == 12);
	CHECK(PAPI_event_name_to_code("PAPI_UNCORE_MEM_BYTES:pkg=0", &code) == PAPI_EINVAL);
	CHECK(PAPI_create_eventset(&set) == PAPI_OK);
	CHECK(PAPI_add_event(set, PAPI_UNCORE_MEM_BYTES) == PAPI_OK);
	CHECK(PAPI_add_named_event(set, "PAPI_UNCORE_LLC_MISSES") == PAPI_OK);
	CHECK(PAPI_remove_event(set, PAPI_UNCORE_MEM_BYTES) == PAPI_OK);
	CHECK(PAPI_num_events(set) == 1);
	CHECK(PAPI_cleanup_eventset(set) == PAPI_OK && PAPI_destroy_eventset(&set) == PAPI_OK);
}

int main(void)
{
	int status = -1;

	once();
	if (fork() == 0) {
		once();
		PAPI_shutdown();
		exit(0);
	}
	wait(&status);
	CHECK(status == 0);
	PAPI_shutdown();
	CHECK(PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT);
	PAPI_shutdown();
	once();
	PAPI_shutdown();
	puts("PASSED");
	return 0;
}
END
step "compiling" "$work/cc" -I. -o "$work/presets" "$work/presets.c" -L. -lpapi
UNCORE_MACHINE=sim:snbep step "presets after initializations" "$work/presets"
if command -v valgrind >/dev/null; then
	UNCORE_MACHINE=sim:snbep step "presets in valgrind" \
		valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
		--errors-for-leak-kinds=none "$work/presets"
	# PAPI itself loses memory when it is initialized again.
	if grep '_uncore_[pP]' "$work/log"; then
		echo "FAILED: memory of the component is lost"
		exit 1
	fi
fi
