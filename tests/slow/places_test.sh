#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# places_test.sh - tests of files, messages and numbers, and the command itself, in other places: locales,
# a zone of time, no HOME, few open files, TMPDIR on another file system.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failed=0
tests='Doctor.Of*:Listening.*:Directory.*:Journals.*:Errors.*:Names.*'
event=UNC_M_CAS_COUNT:RD

fail() {
	echo "FAILED: $*"
	tail -n 40 "$tmp/out"
	failed=1
}

# place NAME COMMAND...: the command starts the tests there
place() {
	place=$1
	shift
	"$@" "$BUILD/tests/unit" --gtest_filter="$tests" --gtest_brief=1 >"$tmp/out" 2>&1 || fail "$place: tests"
	grep -q '^\[  PASSED  \] [1-9][0-9]* tests' "$tmp/out" || fail "$place: no test was run"
	"$@" "$BUILD/uncore" stat --machine sim:snbep --json -d 0.01 -e $event >"$tmp/out" 2>&1 || fail "$place: stat"
	grep -qE '"seconds": ?0\.[0-9]' "$tmp/out" || fail "$place: the JSON of stat"
}

place "locale C" env LC_ALL=C
if mkdir "$tmp/locales" && localedef -i de_DE -f UTF-8 "$tmp/locales/de_DE.UTF-8" >"$tmp/out" 2>&1; then
	place "locale de_DE.UTF-8" env LOCPATH="$tmp/locales" LANG=de_DE.UTF-8 LC_ALL=de_DE.UTF-8
else
	echo "not tried: locale de_DE.UTF-8: $(tail -n 1 "$tmp/out")"
fi
place "another zone of time" env TZ=Pacific/Kiritimati
place "without HOME" env -u HOME
# shellcheck disable=SC2016
place "256 open files" sh -c 'ulimit -n 256 && exec "$@"' sh
if [ -w /dev/shm ] && [ "$(stat -c %d /dev/shm)" != "$(stat -c %d "${TMPDIR:-/tmp}")" ]; then
	place "TMPDIR on another file system" env TMPDIR=/dev/shm
else
	echo "not tried: TMPDIR on another file system: /dev/shm is not another one"
fi
exit $failed
