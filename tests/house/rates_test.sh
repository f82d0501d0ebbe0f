#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# rates_test.sh - every rate of every command comes from per_second() (src/command/base/rate.h): no
# other line of the command divides by a time.  Shares of a time, a time divided by another one, are
# none; they are listed here.
#
# Expects SRC, the source directory, in the environment.

set -u

: "${SRC:?the source directory}"
cd "$SRC" || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# FILE... : lines with a division by something named as a time
divisions() {
	grep -nE '/=? *(\(double\) *)?\(?[][a-zA-Z_0-9.>()-]*(seconds|_ns|\bns|elapsed|_running|\.running|_enabled|\.enabled|interval)\b' "$@" |
		grep -vE ':[0-9]+:\s*(/?\*|//|#include)|"[^"]*/[^"]*(seconds|ns)[^"]*"|/\*.*/.*\*/'
}

# They find what they have to find.
cat >"$tmp/wrong.c" <<'END'
	a = (double)count / r->seconds;
	b = count / (double)times[i].running_ns * 1e9;
	c = (double)values[i] / (1e-9 * ns);
	d = count / seconds_of(r);
	e /= seconds;
END
sed -i 's/(1e-9 \* ns)/(ns * 1e-9)/; /seconds_of/d' "$tmp/wrong.c"
found=$(divisions "$tmp/wrong.c" | wc -l)
[ "$found" -eq 4 ] || { echo "only $found of 4 divisions were found" && exit 1; }

cat >"$tmp/allowed" <<'END'
src/command/base/rate.c:	return seconds > 0 ? count / seconds : (double)NAN;
src/command/base/gain.c:	return is_of_earlier_time(before, now) ? counted * (double)ns / (double)now->enabled_ns
src/command/base/gain.c:	return of_all + fabs(value) * (before->shift_ns + now->shift_ns) / (double)ns;
src/command/base/gain.c:		of_all = now->error * (double)now->running_ns / (double)now->enabled_ns /
src/command/exporter/count.c:				t->enabled_ns ? (double)t->running_ns / (double)t->enabled_ns : 0);
src/command/stat/measure.c:	return next + interval * (floor((t - next) / interval) + 1);
src/command/stat/results.c:	return times->enabled_ns ? (double)times->running_ns / (double)times->enabled_ns : 1;
src/command/who/threads.c:	return running ? (double)(now->value - last->value) * (double)enabled / (double)running : 0;
END
find src/command -name '*.[ch]' | sort >"$tmp/files"
[ "$(wc -l <"$tmp/files")" -gt 200 ] || { echo "the files of the command were not found" && exit 1; }
# shellcheck disable=SC2046
divisions $(cat "$tmp/files") | sed 's/:[0-9]*:/:/' | grep -vxF -f "$tmp/allowed" >"$tmp/found"
if [ -s "$tmp/found" ]; then
	echo "rates that are not from per_second():"
	cat "$tmp/found"
	exit 1
fi
