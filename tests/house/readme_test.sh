#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# readme_test.sh - the program of README.md is built and run by the commands that it lists,
# and says what is wrong where another libpapi is loaded or nothing can be counted.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_VERBOSE LD_LIBRARY_PATH PKG_CONFIG_PATH
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failures=0

skip() {
	echo "skipped: $*"
	exit 77
}

# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"
needs_papi
command -v pkg-config >/dev/null || skip "there is no pkg-config, which the README's lines call"
command -v cc >/dev/null || skip "there is no cc, which the README's lines call"
if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	skip "the drop-in is built with a sanitizer, which programs would need, too"
fi

# says PATTERN WHAT: the output of the last command
says() {
	grep -qE -e "$1" "$tmp/out" && return
	echo "FAILED: $2: no line like $1"
	sed 's/^/  /' "$tmp/out"
	failures=$((failures + 1))
}

cp -r "$SRC/README.md" "$tmp"
cd "$tmp" || exit 1
ln -s "$BUILD" build
awk '/^```/ { shown = ($0 == "```c"); next } shown' README.md >count.c
sed -n '/^\*\*Your own program\*\*/,/^After/p' README.md | sed -n 's/^    //p' >lines
if [ ! -s count.c ] || [ "$(wc -l <lines)" -ne 3 ]; then
	echo "FAILED: README.md has no program, or not three lines that build and run it"
	exit 1
fi
sh -e ./lines >out 2>&1
says '^[1-9][0-9]* bytes were read from memory$' "the three lines"

UNCORE_MACHINE=sim:none ./count >out 2>&1
says 'event: .*none' "a machine that does not exist is named"

theirs=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n 's/^[[:space:]]*libpapi\.so\.[0-9].* => //p' | head -n 1)
ours=$(readlink -f "$BUILD/papi/libpapi.so")
if [ -z "$theirs" ]; then
	echo "not tried: this system has no libpapi"
elif [ "${ours##*/}" != "$(basename "$(readlink -f "$theirs")")" ]; then
	# PAPI_library_init() refuses a library of another version than the header's.
	echo "not tried: $theirs is another version than ${ours##*/}"
else
	LD_PRELOAD=$theirs UNCORE_MACHINE=sim:snbep ./count >out 2>&1
	says 'component uncore of this libpapi: ' "the system's libpapi"
	LD_PRELOAD=$theirs UNCORE_MACHINE=sim:snbep "$BUILD/examples/simple" >out 2>&1
	says "^$theirs has no component" "examples/simple with the system's libpapi"
fi

[ $failures -eq 0 ]
