#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# kokkos.sh PROGRAM [ARGUMENT...] - the memory traffic of each kernel of a Kokkos program.
#
# KOKKOS_TOOLS_LIBS names kp_papi_connector.so of kokkos-tools (profiling/papi-connector), built with
# the libpapi that has the component uncore (docs/tools.md).  UNCORE_EVENTS chooses other events, separated by
# commas; their counts are of the whole machine.
#
#	KOKKOS_TOOLS_LIBS=$PWD/kp_papi_connector.so sh kokkos.sh ./program

set -eu

: "${1:?the program}" "${KOKKOS_TOOLS_LIBS:?kp_papi_connector.so of kokkos-tools}"
events=${UNCORE_EVENTS:-UNCORE_MEM_READ_BYTES,UNCORE_MEM_WRITE_BYTES}
unset UNCORE_EVENTS # would also count the regions of uncore_marker.h

# The connector ignores events that it cannot count: refuse them before.
# shellcheck disable=SC2046 # a word for each event
uncore plan $(echo "$events" | tr ',' ' ') >/dev/null

PAPI_EVENTS=$(echo "$events" | sed 's/\(^\|,\)/\1uncore:::/g')
export PAPI_EVENTS KOKKOS_TOOLS_LIBS
exec "$@"
