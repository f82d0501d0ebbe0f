# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# command.sh - functions for scripts that check the command's output. Source it and set $tmp to
# a private directory. $failures counts the failed checks.

: "${BUILD:?the build directory}"

tool=$BUILD/uncore
failures=0

# uncore STATUS ARGUMENT...: runs the command, output to $tmp/out, and expects that exit status
uncore() {
	expected=$1
	shift
	"$tool" "$@" >"$tmp/out" 2>&1
	status=$?
	[ $status -eq "$expected" ] || {
		echo "FAILED: uncore $*: exit status $status, expected $expected"
		sed 's/^/  /' "$tmp/out"
		failures=$((failures + 1))
	}
}

# says PATTERN: the last output, with folded lines joined, must match
says() {
	tr -s '\n ' ' ' <"$tmp/out" | grep -Eq "$1" || {
		echo "FAILED: '$1' not found in"
		sed 's/^/  /' "$tmp/out"
		failures=$((failures + 1))
	}
}
