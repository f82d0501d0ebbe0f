#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The directory that `make papi-component` writes is complete: in another PAPI
# tree and with PAPI's own configure and makefiles it becomes a component, whose
# own test passes.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"

component=$BUILD/papi-component/uncore

[ -d "$component" ] || { echo "FAILED: $component is missing"; exit 1; }

# Nothing in it may lead out of it.
links=$(find "$component" -type l)
[ -z "$links" ] || { echo "FAILED: symbolic links in the component: $links"; exit 1; }
for file in uncore.c Rules.uncore README.md tests/Makefile src/uncore.h; do
	[ -f "$component/$file" ] || { echo "FAILED: $component/$file is missing"; exit 1; }
done

cp -R "$source" "$work/src"
rm -rf "$work/src/components/uncore"
cp -R "$component" "$work/src/components/uncore"
find "$work/src/components/uncore" -name '*.o' -exec rm {} +
cd "$work/src"
[ ! -f Makefile ] || make -s distclean >/dev/null 2>&1 || :

# A plain user's configure.
unset SRC UNCORE_OBJ UNCORE_CFLAGS
if grep -q '^MISCOBJS *=.*PFM_OBJS' Rules.pfm4_pe; then
	set -- # as released, PAPI joins libpfm.a in, and only its own is position independent
else
	set -- --with-pfm-incdir="$(setting PFM_INCDIR)" --with-pfm-libdir="$(setting PFM_LIBDIR)"
fi
step "configure" ./configure --with-components=uncore --with-shared-lib=yes \
	--with-static-lib=no --with-shlib-tools --with-tests= CC="$work/cc" "$@"
grep -q '_uncore_vector' components_config.h ||
	{ echo "FAILED: PAPI's configure does not know the component"; exit 1; }

# Without json-c a sentence, before anything is compiled.
mkdir -p "$work/none/json-c"
echo '#error not here' >"$work/none/json-c/json.h"
if CPATH=$work/none make OPTFLAGS=-O0 shared >"$work/log" 2>&1; then
	echo "FAILED: without json-c nothing fails"
	exit 1
fi
grep -q 'json-c is missing or unusable.*install libjson-c-dev' "$work/log" || {
	echo "FAILED: without json-c there is no sentence"
	tail -n 20 "$work/log"
	exit 1
}
[ ! -e components/uncore/obj/uncore.o ] || { echo "FAILED: compiled without json-c"; exit 1; }

step "make shared" make OPTFLAGS=-O0 shared PREFIX=/opt/papi
grep -q /opt/papi/etc/uncore/events libpapi.so ||
	{ echo "FAILED: Intel's lists are not looked for below PAPI's prefix"; exit 1; }
if grep -q "$(setting prefix)/etc/uncore" libpapi.so components/uncore/src/config.h; then
	echo "FAILED: the prefix of the tree that wrote the component is in it"
	exit 1
fi
step "make of the test library" make -C testlib OPTFLAGS=-O0 libtestlib.a
step "make of the component's test" make -C components/uncore/tests OPTFLAGS=-O0 uncore_tests

# without the directory that the component was copied from
LD_LIBRARY_PATH=$work/src
UNCORE_MACHINE=sim:snbep
export LD_LIBRARY_PATH UNCORE_MACHINE
step "uncore_basic" components/uncore/tests/uncore_basic
cat "$work/log"
grep -q PASSED "$work/log" || { echo "FAILED: uncore_basic did not pass"; exit 1; }
grep -q 'SIMULATED' "$work/log" ||
	{ echo "FAILED: uncore_basic does not say that its numbers are not real"; exit 1; }
if nm -D --defined-only libpapi.so | grep -E ' (_?unc|uncore|sim)_'; then
	echo "FAILED: libpapi.so exports the component's symbols above"
	exit 1
fi
