#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# options_test.sh [-w] - the help of each command and of uncored, and the error of each option with
# an invalid value, without its value, and of an unknown option, as recorded in tests/tools/options.
# With -w the record is written anew: read the difference before you commit it.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
unset COLUMNS HOME
for variable in $(env | sed -n 's/^\(UNCORE_[A-Z_]*\)=.*/\1/p'); do
	unset "$variable"
done
export LC_ALL=C # the language of getopt and of the system's errors
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
record=$SRC/tests/tools/options
mkdir "$tmp/empty" || exit 1
failures=0

uncore() {
	"$BUILD/uncore" "$@"
}

uncored() {
	"$BUILD/uncored" "$@"
}

# Each line "$ COMMAND" of the record, its output, and its exit status if that is not 0.
sed -n 's/^\$ //p' "$record" | while read -r line; do
	printf '$ %s\n' "$line"
	(cd "$tmp/empty" && eval "$line") </dev/null >"$tmp/out" 2>&1
	status=$?
	sed "s|$tmp|TMP|g; s|$BUILD/||g" "$tmp/out"
	[ $status -eq 0 ] || echo "[exit $status]"
	echo
done >"$tmp/now"
if [ "${1:-}" = -w ]; then
	cp "$tmp/now" "$record"
elif ! diff -u "$record" "$tmp/now" >"$tmp/diff"; then
	echo "FAILED: help or errors differ from tests/tools/options:"
	cat "$tmp/diff"
	failures=1
fi

# missing COMMAND HELP: options that HELP names and the record does not use with a wrong value (or,
# if they have none, with one)
missing() {
	for option in $(COLUMNS=300 $2 | grep -Eo -e '--[a-z][a-z-]*' | sort -u); do
		case $option in --help | --version | --machine | --until) continue ;; esac
		grep -qE -e "^\\\$ $1 (.* )?$option([= ]|\$)" "$record" && continue
		echo "FAILED: tests/tools/options has no line \"\$ $1 ... $option\" with a wrong value"
		failures=$((failures + 1))
	done
	grep -qxF -e "\$ $2" "$record" || {
		echo "FAILED: tests/tools/options has no line \"\$ $2\""
		failures=$((failures + 1))
	}
}

for command in $(COLUMNS=200 uncore help -a 2>/dev/null | awk '/^  uncore [a-z]/ { print $2 }'); do
	missing "uncore $command" "uncore help $command"
done
missing uncored "uncored --help"

[ $failures -eq 0 ]
