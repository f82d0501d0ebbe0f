#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Sixty runs of random length, load and traffic: the true rates are within the errors that `uncore
# explain` states, and in thirty intervals in those of `uncore who`.  By hand:
# UNCORE_EXPLAIN_RUNS=1000, UNCORE_WHO_RUNS=300, and another UNCORE_EXPLAIN_SEED.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

UNCORE_EXPLAIN_RUNS=${UNCORE_EXPLAIN_RUNS:-60} UNCORE_WHO_RUNS=${UNCORE_WHO_RUNS:-30} \
	"$BUILD/tests/unit" --gtest_brief=1 --gtest_filter='Coverage.*:WhoCoverage.*'
