#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# --with-papi-src takes PAPI as it is released, too: there PAPI takes the objects of an
# installed libpfm.a into its library, and these are not position independent.  The
# distribution's tree is given that rule back.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
cc=$(setting CC)
without_sanitizer "a library with a sanitizer does not run in PAPI's own tools"

cp -R "$source" "$work/src"
# shellcheck disable=SC2016
sed -i 's/^MISCOBJS *=.*/MISCOBJS = $(PFM_OBJS) $(MISCSRCS:.c=.o)/' "$work/src/Rules.pfm4_pe"
# shellcheck disable=SC2016
grep -q '^MISCOBJS = $(PFM_OBJS)' "$work/src/Rules.pfm4_pe" ||
	{ echo "FAILED: PAPI's rule for libpfm4 is not where it was"; exit 1; }
# In a copy of the sources, whose files ccache has.
mkdir "$work/tree"
cd "$work/tree"
for name in configure src events components examples tests; do
	cp -R "$SRC/$name" .
done
step "configure" ./configure --cc="$cc" --cxx="$(setting CXX)" --with-papi-src="$work/src"
step "make papi" make papi
nm -D build/papi/libpapi.so >"$work/symbols"
grep -q ' U pfm_initialize' "$work/symbols" ||
	{ echo "FAILED: libpapi.so does not use the installed libpfm"; exit 1; }
if command -v papi_component_avail >/dev/null; then
	LD_LIBRARY_PATH=$work/tree/build/papi UNCORE_MACHINE=sim:snbep \
		step "papi_component_avail" papi_component_avail
	grep -q 'SIMULATED' "$work/log" || { echo "FAILED: the component is not in it"; exit 1; }
fi

# Without json-c configure says so in words.
mkdir -p "$work/none/json-c" "$work/again"
echo '#error not here' >"$work/none/json-c/json.h"
cd "$work/again"
if CPATH=$work/none "$SRC/configure" --cc="$cc" --cxx="$(setting CXX)" \
	--with-papi-src="$work/src" >"$work/log" 2>&1; then
	echo "FAILED: configure does not miss json-c"
	exit 1
fi
grep -q "libjson-c-dev *Intel's event lists" "$work/log" ||
	{ echo "FAILED: configure does not name json-c's package"; exit 1; }
