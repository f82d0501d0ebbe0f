#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# All cases of the exhaustive tests (tests/support/seeds.h), of which `make check` runs a tenth.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

exhaustive='Assign.*:*/AssignEx.*:*/Encode.*:*/PerfSyntax.*:*/Decode.*:*/Sequences.*:NodesMeasured.*:DeviceCounts.*'
exhaustive=$exhaustive':*.EveryListedEventCountsAloneAndLeavesNoTrace/*'

TEST_SEEDS=all "$BUILD/tests/unit" --gtest_brief=1 --gtest_filter="$exhaustive"
