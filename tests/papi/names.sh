#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# names.sh - the names of the tests of papi_calls, SUITE.TEST, from its sources: tests/runner reports
# them as skipped where the program cannot be built, because there is no source of PAPI.  So these
# tests have no parameters; names_test.sh compares the names with the program's own.
#
# Expects SRC, the source directory, in the environment.

set -eu

sed -n 's/^TEST\(_F\)\{0,1\}(\([A-Za-z0-9_]*\), *\([A-Za-z0-9_]*\))$/\2.\3/p' "$SRC"/tests/papi/*_test.cc
