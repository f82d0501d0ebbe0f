#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The gcc of this computer compiles the library, the commands, the simulator and the component at -O3, where
# it warns of most, without a warning; and each gcc and clang reads the public headers as C23.
#
# COMPILERS: the names of compilers to try, or "all": each compiles all of it at all levels of optimisation,
# and a command that counts is built with link time optimisation and _FORTIFY_SOURCE=3; and PAPI's configure
# is tried with a compiler as strict as gcc 14.  For lack of time, these are not part of `make check-rest`.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

without_papi=yes
# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
failures=0
component=$BUILD/papi-build/src

# compilers: the names of different ones
compilers() {
	for found in gcc $(seq -f 'gcc-%g' 8 20) clang $(seq -f 'clang-%g' 13 25); do
		path=$(command -v "$found") || continue
		echo "$(readlink -f "$path") $found"
	done | awk '!seen[$1]++ { print $2 }'
}

# fail WHAT: with the warnings and errors in the log
fail() {
	echo "FAILED: $1"
	grep -E -A 4 '(warning|error|note):|undefined reference' "$work/log" || tail -n 40 "$work/log"
	failures=$((failures + 1))
}

# make_with FLAGS TARGET...: by $cc, from nothing
make_with() {
	flags=$1
	shift
	rm -rf "$work/tree/obj"
	make -k -C "$work/tree" CC="$cc" CFLAGS="$flags -Werror" "$@" >"$work/log" 2>&1
}

# The objects of all files of the programs, including those that only a build without a library uses.
objects=$(cd "$SRC" && find src events -name '*.c' | sed 's|\(.*\)\.c$|obj/\1.o|')

# component_with FLAGS: the component's own files, with the flags of the PAPI that was built
component_with() {
	[ -n "$component_flags" ] || return 0
	# shellcheck disable=SC2034
	for file in "$SRC"/components/uncore/*.c; do
		(cd "$component" && eval "$cc -std=gnu11 -isystem . $component_flags -Wall -Wextra -Werror $1" \
			'-I"$SRC/src" -I"$SRC/src/lib" -c "$file" -o "$work/component.o"') || return
	done >"$work/log" 2>&1
}

# no_warnings LEVEL...
no_warnings() {
	for level; do
		# shellcheck disable=SC2086
		make_with "-O$level" $objects || fail "$cc -O$level"
		component_with "-O$level" || fail "$cc -O$level: the component"
	done
}

# c23: the public headers
c23() {
	for std in gnu23 gnu2x; do
		echo | $cc -std=$std -fsyntax-only -x c - 2>"$work/log" && break
	done
	for header in uncore uncore_inspect uncore_marker; do
		echo "#include \"$header.h\"" | $cc -std="$std" -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
			-I"$SRC/src" -x c - 2>"$work/log" || fail "$cc -std=$std: $header.h"
	done
}

# links: whether this compiler's objects for link time optimisation can be linked here
links() {
	echo 'int main(void) { return 0; }' | $cc -O2 -flto -x c - -o "$work/linked" >"$work/log" 2>&1
}

optimised_at_links() {
	if ! links; then
		echo "not tried: $cc: -flto does not link here"
		return 0
	fi
	make_with "-O2 -flto -D_FORTIFY_SOURCE=3" lib uncore uncored || {
		fail "$cc -flto"
		return 0
	}
	"$work/tree/uncore" --machine sim:snbep stat -e UNC_M_CAS_COUNT:RD -- true >"$work/log" 2>&1 ||
		fail "$cc -flto: uncore stat"
	grep -q '[1-9].*UNC_M_CAS_COUNT:RD' "$work/log" || fail "$cc -flto: nothing is counted"
}

# papi_as_by_gcc_14: with its errors PAPI's configure finds what it finds without them
papi_as_by_gcc_14() {
	strict="$(setting CC)"
	for error in implicit-function-declaration implicit-int incompatible-pointer-types int-conversion; do
		strict="$strict -Werror=$error"
	done
	mkdir "$work/papi"
	cd "$work/papi"
	step "configure with PAPI" "$SRC/configure" --with-papi-src="$source" --cc="$strict" --cxx="$(setting CXX)"
	step "PAPI's configure" make ./papi-build/.configured
	diff "$component/config.h" papi-build/src/config.h >"$work/log" || fail "PAPI is configured differently"
}

# try NAME [LEVEL...]: warnings at these levels, and the headers
try() {
	cc=$1
	shift
	"$cc" --version | head -n 1
	no_warnings "$@"
	c23
}

mkdir "$work/tree"
cd "$work/tree"
step "configure" "$SRC/configure" --without-papi --cc="$(setting CC)" --cxx="$(setting CXX)"
component_flags=
if [ -e "$component/Makefile" ]; then
	# shellcheck disable=SC2016
	component_flags=$(make -s -C "$component" --no-print-directory --eval 'flags: ; $(info $(LIBCFLAGS))' flags)
else
	echo "not tried: the component: no PAPI was built (configured --without-papi)"
fi
case ${COMPILERS-} in
'' | all) found=$(compilers) ;;
*) found=$COMPILERS ;;
esac
levels=3
[ -z "${COMPILERS-}" ] || levels='0 1 2 3'
for compiler in $found; do
	# shellcheck disable=SC2086
	try "$compiler" $levels
	if [ -n "${COMPILERS-}" ]; then
		optimised_at_links
	else
		levels=
	fi
done
[ -z "${COMPILERS-}" ] || [ -z "$component_flags" ] || papi_as_by_gcc_14
[ $failures -eq 0 ]
