# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# command.sh - what scripts that look at the command's screens have in common; they source it, and
# set $tmp, a directory of their own.  $failures counts what was not as it should be.

: "${BUILD:?the build directory}"

tool=$BUILD/uncore
failures=0

# uncore STATUS ARGUMENT...: what it says goes to $tmp/out
uncore() {
	expected=$1
	shift
	"$tool" "$@" >"$tmp/out" 2>&1
	status=$?
	[ $status -eq "$expected" ] || {
		echo "FAILED: uncore $*: status $status in place of $expected"
		sed 's/^/  /' "$tmp/out"
		failures=$((failures + 1))
	}
}

# says PATTERN: the last output, folded lines joined
says() {
	tr -s '\n ' ' ' <"$tmp/out" | grep -Eq "$1" || {
		echo "FAILED: no $1 in"
		sed 's/^/  /' "$tmp/out"
		failures=$((failures + 1))
	}
}
