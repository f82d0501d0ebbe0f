#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# names_test.sh - names.sh prints the names of the tests that papi_calls has.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"
needs_papi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

"$BUILD/tests/papi_calls" --gtest_list_tests |
	awk '/^[^ ].*\.$/ { suite = $1; next } /^  / { print suite $1 }' | sort >"$tmp/program"
[ -s "$tmp/program" ] || { echo "FAILED: papi_calls lists no tests"; exit 1; }
sh "$SRC/tests/papi/names.sh" | sort | diff "$tmp/program" - >"$tmp/differences" || {
	echo "FAILED: names.sh (>) differs from papi_calls (<):"
	cat "$tmp/differences"
	exit 1
}
