#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The drop-in libpapi takes the place of the distribution's: the same soname, the
# same libraries needed, the same symbols exported, and no run path.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"
needs_papi

skip() {
	echo "skipped: $*"
	exit 77
}

ours=$BUILD/papi/libpapi.so
failed=0
out=$BUILD/tests/dropin
mkdir -p "$out"

[ -e "$ours" ] || { echo "$ours is missing"; exit 1; }
if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	skip "the drop-in is built with a sanitizer, which must be loaded first"
fi

PATH=$PATH:/sbin:/usr/sbin
soname=$(readelf -d "$ours" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
theirs=$(ldconfig -p | sed -n 's/^[[:space:]]*libpapi\.so\.[0-9].* => //p' | head -n 1)
[ -n "$theirs" ] || skip "this system has no libpapi"
owner=$(dpkg -S "$(readlink -f "$theirs")" 2>/dev/null || rpm -qf "$theirs" 2>/dev/null) ||
	skip "$theirs belongs to no package of the distribution"

# The version of PAPI's sources that the drop-in was built from.
number() {
	sed -n "s/^$1[[:space:]]*=[[:space:]]*//p" "$BUILD/papi-build/src/Makefile"
}
version=$(number PAPIVER).$(number PAPIREV).$(number PAPIAGE)
case $(readlink -f "$theirs") in
*.so."$version"*) ;;
*) skip "$theirs ($owner) is not PAPI $version, which the drop-in is" ;;
esac

# same WHAT FILE FILE
same() {
	if cmp -s "$2" "$3"; then
		echo "$1: the same"
	else
		echo "$1: differ (<: the distribution's, >: the drop-in)"
		diff "$2" "$3" || :
		failed=1
	fi
}

for side in theirs ours; do
	if [ $side = ours ]; then lib=$ours; else lib=$theirs; fi
	readelf -d "$lib" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p' >"$out/$side.soname"
	readelf -d "$lib" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort >"$out/$side.needed"
	# Where json-c has no static library that can be joined in, it needs the shared one.
	if [ $side = ours ] && ! grep -q '^JSON_STATIC *= */' "$BUILD/config.mk"; then
		sed -i '/^libjson-c\.so/d' "$out/$side.needed"
	fi
	nm -D --defined-only "$lib" | sed 's/^[0-9a-f]* //' | sort >"$out/$side.symbols"
	if [ ! -s "$out/$side.soname" ] || [ ! -s "$out/$side.needed" ] ||
		[ ! -s "$out/$side.symbols" ]; then
		echo "$lib: no soname, no needed libraries or no symbols can be read"
		exit 1
	fi
done

same "soname" "$out/theirs.soname" "$out/ours.soname"
same "needed libraries" "$out/theirs.needed" "$out/ours.needed"
same "exported symbols" "$out/theirs.symbols" "$out/ours.symbols"
# Libraries that are not the system's (--with-pfm) are found by one.
if ! grep -q '^RPATH *= *-' "$BUILD/config.mk" && readelf -d "$ours" | grep -E '\((RPATH|RUNPATH)\)'; then
	echo "the drop-in has a run path"
	failed=1
fi
if [ ! -e "$BUILD/papi/$soname" ]; then
	echo "$BUILD/papi/$soname, the name that programs look for, is missing"
	failed=1
fi
exit $failed
