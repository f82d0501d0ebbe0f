#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# recipes_test.sh - the scripts in examples/tools: what they set for the tools, and what they refuse before.
# The tools themselves are tried by hand (docs/tools.md).
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tests/support/lines.sh
. "$SRC/tests/support/lines.sh"

# recipe NAME [VARIABLE=VALUE]...: with `env` as the program
recipe() {
	name=$1
	shift
	env PATH="$BUILD:$PATH" UNCORE_MACHINE=sim:skx "$@" sh "$SRC/examples/tools/$name.sh" env >"$tmp/out" 2>&1
}

# has LINE: the output of the last command
has() {
	grep -qxF -e "$1" "$tmp/out" || fail "no line $1: $(cat "$tmp/out")"
}

recipe caliper || fail "caliper.sh: status $?: $(cat "$tmp/out")"
has 'CALI_PAPI_COUNTERS=uncore:::UNCORE_MEM_READ_BYTES,uncore:::UNCORE_MEM_WRITE_BYTES'
has 'CALI_SERVICES_ENABLE=event,aggregate,papi,pthread,report'
recipe caliper UNCORE_EVENTS=UNC_M_CLOCKTICKS || fail "caliper.sh with an event: status $?"
has 'CALI_PAPI_COUNTERS=uncore:::UNC_M_CLOCKTICKS'
grep -q '^UNCORE_EVENTS=' "$tmp/out" && fail "regions would be counted twice"
recipe caliper UNCORE_EVENTS=UNC_M_CLOCKTICK && fail "an event that does not exist"
grep -q 'UNC_M_CLOCKTICK' "$tmp/out" || fail "no reason: $(cat "$tmp/out")"

recipe kokkos && fail "kokkos.sh without a connector"
recipe kokkos KOKKOS_TOOLS_LIBS=/x/kp_papi_connector.so || fail "kokkos.sh: status $?: $(cat "$tmp/out")"
has 'PAPI_EVENTS=uncore:::UNCORE_MEM_READ_BYTES,uncore:::UNCORE_MEM_WRITE_BYTES'
has 'KOKKOS_TOOLS_LIBS=/x/kp_papi_connector.so'
recipe kokkos KOKKOS_TOOLS_LIBS=/x UNCORE_EVENTS=UNCORE_LLC_MISS_RATIO,UNC_NONE && fail "an unknown event"

[ $failures -eq 0 ]
