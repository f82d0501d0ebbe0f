# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# lines.sh - functions for scripts that look for lines in the output of a command, in $tmp/out.
# Source it and set $tmp. $failures counts the failed checks.
# shellcheck disable=SC2154

failures=0

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# says PATTERN: a line of the last output
says() {
	grep -qE -e "$1" "$tmp/out" || fail "no line like $1: $(cat "$tmp/out")"
}
