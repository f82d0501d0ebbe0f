#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The patches of `make papi-patch` apply to PAPI's tree, which then builds the component by its
# own configure and makefiles, without json-c; its component tests pass on simulated machines and
# skip where nothing can be counted; neither libpapi shows the library's functions.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
command -v git >/dev/null || skip "there is no git, which writes the patches"
command -v patch >/dev/null || skip "there is no patch"

# The version is configure's, and so is the name of the series.
export SRC
step "papi_patch.sh" sh "$SRC/src/build/packaging/papi_patch.sh" "$(setting VERSION)" \
	"$BUILD/papi-component-nolists/uncore" "$work/patches"
[ "$(find "$work/patches" -name '000[1-4]-uncore-*.patch' | wc -l)" -eq 4 ] ||
	{ echo "FAILED: not four patches: $(ls "$work/patches")"; exit 1; }
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
# No json-c.
mkdir -p "$work/none/json-c"
echo '#error not here' >"$work/none/json-c/json.h"
CPATH=$work/none
export CPATH
step "make shared static" make -j"$(nproc)" OPTFLAGS=-O0 shared static
step "make of the test library" make -C testlib OPTFLAGS=-O0 libtestlib.a
step "make of the component's tests" make -j"$(nproc)" -C components/uncore/tests OPTFLAGS=-O0 uncore_tests

shown=$(nm -D --defined-only libpapi.so | grep -E ' (_?unc|uncore|sim)_' || :)
[ -z "$shown" ] || { echo "FAILED: libpapi.so shows $shown"; exit 1; }
ar t libpapi.a | grep -q '^uncore_component\.o$' ||
	{ echo "FAILED: the component is not in libpapi.a"; exit 1; }

LD_LIBRARY_PATH=$work/papi/src
export LD_LIBRARY_PATH
tests=$(find components/uncore/tests -type f -perm -u+x ! -name '*.[ch]')
[ "$(echo "$tests" | wc -l)" -eq "$(find components/uncore/tests -name '*.c' | wc -l)" ] ||
	{ echo "FAILED: not all tests are built: $tests"; exit 1; }
# One with PCI and MSRs, one whose table is in memory; then none at all.
for machine in sim:snbep sim:spr; do
	for test in $tests; do
		UNCORE_MACHINE=$machine step "$test on $machine" "$test"
		grep -q PASSED "$work/log" || { echo "FAILED: $test on $machine"; cat "$work/log"; exit 1; }
	done
done
mkdir "$work/empty"
for test in $tests; do
	UNCORE_SYSROOT=$work/empty step "$test without a machine" "$test"
	grep -q SKIPPED "$work/log" ||
		{ echo "FAILED: $test does not skip"; cat "$work/log"; exit 1; }
done
step "make clean of the tests" make -C components/uncore/tests clean
step "make native_clean" make native_clean
left=$(find components/uncore -name '*.o')
[ -z "$left" ] || { echo "FAILED: make clean leaves $left"; exit 1; }
