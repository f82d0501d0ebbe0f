#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# All of tests/claim/faults_test.cc and allocation_test.cc, of which `make check` runs a part, also with
# the address sanitizer: each access of each life fails in each way, each pair of accesses on SNB-EP,
# each allocation.
#
# Expects BUILD, the build directory, in the environment.

set -eu

shards=$(nproc)
pids=
for shard in $(seq "$shards"); do
	FAULTS=all GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$((shard - 1)) "$BUILD/tests/unit" \
		--gtest_filter='FaultPairs.*:*/Faults.*:*/Allocation.*' --gtest_brief=1 &
	pids="$pids $!"
done
code=0
for pid in $pids; do
	wait "$pid" || code=$?
done
exit "$code"
