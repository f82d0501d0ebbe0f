#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The patches of `make papi-patch` apply to PAPI's tree, which then builds the component by its
# own configure and makefiles, without libuncore and its headers.  It opens the library at run time: its
# tests pass on simulated machines and skip where nothing can be counted, and without a library, with
# an unusable or an old one it is disabled and says why.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
# shellcheck source=tests/slow/in_papi
. "$SRC/tests/slow/in_papi"
command -v git >/dev/null || skip "there is no git, which writes the patches"
command -v patch >/dev/null || skip "there is no patch"

export SRC
unset PAPI_TREE
make_patches() {
	sh "$SRC/src/build/packaging/papi_patch.sh" 9.1 "$BUILD/papi-component-thin/uncore" "$work/patches"
}
for field in homepage releases author; do
	sed "s|^$field=.*|$field=|" "$work/project" >"$work/incomplete"
	if PROJECT=$work/incomplete make_patches >"$work/log" 2>&1; then
		echo "FAILED: patches without $field"
		exit 1
	fi
	grep -q "has no $field: fill it in" "$work/log" || { echo "FAILED: no word about $field"; cat "$work/log"; exit 1; }
done
[ ! -e "$work/patches" ] || { echo "FAILED: something is written without an author"; exit 1; }
step "papi_patch.sh" make_patches
[ "$(find "$work/patches" -name '000[1-3]-uncore-*.patch' | wc -l)" -eq 3 ] ||
	{ echo "FAILED: not three patches: $(ls "$work/patches"/*)"; exit 1; }
if grep -qr "$work\|$SRC\|$BUILD" "$work/patches"; then
	echo "FAILED: a directory of this computer is in the patches"
	exit 1
fi
grep -q '^From: A Name <name@example.org>$' "$work/patches"/1-component/0001* || { echo "FAILED: another author"; exit 1; }

mkdir "$work/papi"
cp -R "$source" "$work/papi/src"
rm -rf "$work/papi/src/components/uncore"
cd "$work/papi"
# The distribution's source, which has no .git.
for patch in "$work/patches"/*/*.patch; do
	step "patch" patch -p1 -i "$patch"
done
[ -f .github/workflows/uncore_component_workflow.yml ] || { echo "FAILED: no workflow"; exit 1; }
# Actions by their hashes, and the library of the release.
if grep 'uses: ' .github/workflows/uncore*.yml | grep -v '@[0-9a-f]\{40\} # v'; then
	echo "FAILED: an action without its hash"
	exit 1
fi
bash -n .github/workflows_scripts/ci_build_libuncore.sh || { echo "FAILED: ci_build_libuncore.sh"; exit 1; }
grep -q '^wget https://uncore.example.org/v9.1/uncore-9.1.tar.xz$' .github/workflows_scripts/ci_build_libuncore.sh ||
	{ echo "FAILED: the workflow does not build the library of this version"; exit 1; }
authors=$(grep -l '@author  A Name <name@example.org>' src/components/uncore/*.[ch] src/components/uncore/tests/*.[ch] | wc -l)
files=$(grep -l '@file' src/components/uncore/*.[ch] src/components/uncore/tests/*.[ch] | wc -l)
if [ "$authors" -ne "$files" ] || [ "$authors" -lt 20 ]; then
	echo "FAILED: @author in $authors of $files files"
	exit 1
fi
grep -q '#502' "$work/patches/1-component/pull_request.md" || { echo "FAILED: no description of the pull request"; exit 1; }
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
install_library
step "make shared static" make -j"$(nproc)" OPTFLAGS=-O0 shared static
# As with configure --enable-warnings.  Most warnings need an optimizer.
strict="-O2 -Wall -Wextra -Werror"
objects=$(ls uncore_*.o)
rm uncore_*.o
# shellcheck disable=SC2086
step "compilation without warnings" make -j"$(nproc)" OPTFLAGS="$strict" $objects
step "make of the test library" make -C testlib OPTFLAGS=-O0 libtestlib.a
step "make of the component's tests" make -j"$(nproc)" -C components/uncore/tests OPTFLAGS="$strict" uncore_tests

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
find_tests
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
