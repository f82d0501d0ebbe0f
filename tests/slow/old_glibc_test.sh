#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The installed files can be built with glibc 2.28 (RHEL 8 and its kin): each function of
# glibc that it calls was there.
#
# The version that a symbol has in a program does not tell: linked with a newer glibc,
# pthread_create() is of version 2.34, because it moved to another library then, and the
# same glibc still has it in its old version.  So a function is old if glibc has any
# version of it that is old.  A few have none although they are:
#
#   stat() and its kin    were inline functions of the headers until 2.33
#   __isoc23_NAME()       is what NAME() is called in C23 (2.38)
#
# PAPI's own calls are not looked at: its configure asks for each what there is.
#
# Expects BUILD, the build directory, in the environment.

set -eu

limit=2.28
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

libc=$(ldd "$BUILD/uncore" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
[ -e "$libc" ] || { echo "skipped: $BUILD/uncore uses no glibc"; exit 77; }

# Lines NAME VERSION, the oldest one first.
for lib in "$libc" "${libc%/*}"/libm.so.6 "${libc%/*}"/libpthread.so.0 "${libc%/*}"/librt.so.1 \
	"${libc%/*}"/libdl.so.2; do
	nm -D --defined-only "$lib" 2>/dev/null || :
done | sed -n 's/^[^ ]* [TtWiVuBDR] \([^@]*\)@@*GLIBC_\([0-9.]*\)$/\1 \2/p' |
	sort -k 1,1 -k 2,2V | awk '!seen[$1]++' >"$work/glibc"
grep -q '^pthread_create 2\.2\.5$' "$work/glibc" ||
	{ echo "FAILED: $libc does not say since when it has pthread_create()"; exit 1; }

# too_new FILE: functions of FILE that glibc had not, with their version
too_new() {
	nm -u "$1" | sed -n 's/^ *[Uw] \([^@]*\).*/\1/p' >"$work/names"
	nm -D -u "$1" 2>/dev/null | sed -n 's/^ *[Uw] \([^@]*\).*/\1/p' >>"$work/names"
	sed 's/^__isoc23_//' "$work/names" | sort -u |
		grep -v -x -e '[fl]*stat\(at\)*\(64\)*' -e 'mknod\(at\)*' >"$work/called"
	awk -v limit=$limit '
		function later(a, b, i, x, y) {
			split(a, x, "."); split(b, y, ".")
			for (i = 1; i <= 3; i++)
				if (x[i] + 0 != y[i] + 0)
					return x[i] + 0 > y[i] + 0
			return 0
		}
		NR == FNR { since[$1] = $2; next }
		$1 in since { known++ }
		$1 in since && later(since[$1], limit) { print $1 "() is of glibc " since[$1] }
		END { if (known < 5) print "only " known + 0 " functions of glibc were found" }' \
		"$work/glibc" "$work/called"
}

# It would notice one.
cat >"$work/new.c" <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	struct stat st;
	pthread_t thread;

	(void)argc;
	return stat(argv[0], &st) || printf("%p %d\n", malloc(1), rename(argv[0], argv[0])) ||
	       pthread_create(&thread, NULL, 0, NULL) || strtol(argv[0], NULL, 10)
#ifdef NEW
	       || gettid()
#endif
	;
}
END
cc=$(sed -n 's/^CC *= *//p' "$BUILD/config.mk")
for flags in -DOLD -DNEW; do
	# shellcheck disable=SC2086
	$cc -O0 $flags -pthread "$work/new.c" -o "$work/program$flags"
done
[ -z "$(too_new "$work/program-DOLD")" ] ||
	{ echo "FAILED: old functions are taken for new ones:"; too_new "$work/program-DOLD"; exit 1; }
[ "$(too_new "$work/program-DNEW")" = "gettid() is of glibc 2.30" ] ||
	{ echo "FAILED: gettid() is not noticed:"; too_new "$work/program-DNEW"; exit 1; }

failed=0
for file in uncore uncored libuncore.so libuncore-sim.so papi-build/uncore/uncore_component.o; do
	[ -e "$BUILD/$file" ] || { echo "FAILED: there is no $BUILD/$file"; exit 1; }
	new=$(too_new "$BUILD/$file")
	if [ -n "$new" ]; then
		echo "FAILED: $file calls what glibc $limit has not:"
		echo "$new"
		failed=1
	else
		echo "$file: $(wc -l <"$work/called") functions, none newer than glibc $limit"
	fi
done
exit $failed
