#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# All of tests/claim/kill_test.cc and neighbours_test.cc, of which `make check` runs a part: a process
# is killed at each write to a register, alone and together with another one.
#
# Expects BUILD, the build directory, in the environment.

set -eu

KILLS=all "$BUILD/tests/unit" --gtest_filter='*/Kill.*:*/NeighboursKilled.*' --gtest_brief=1
