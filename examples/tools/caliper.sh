#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# caliper.sh PROGRAM [ARGUMENT...] - the memory traffic of each Caliper region of a program.
#
# Build Caliper with -DWITH_PAPI=On -DPAPI_PREFIX=DIR, where DIR has the libpapi with the component
# uncore (docs/tools.md), and mark regions with CALI_MARK_BEGIN and CALI_MARK_END.  UNCORE_EVENTS chooses
# other events, separated by commas; their counts are of the whole machine.
#
#	sh caliper.sh ./program
#	UNCORE_EVENTS=UNC_M_ACT_COUNT:ALL sh caliper.sh ./program

set -eu

: "${1:?the program}"
events=${UNCORE_EVENTS:-UNCORE_MEM_READ_BYTES,UNCORE_MEM_WRITE_BYTES}
unset UNCORE_EVENTS # would also count the regions of uncore_marker.h

# Caliper prints 0 for events that it cannot count: refuse them before.
# shellcheck disable=SC2046 # a word for each event
uncore plan $(echo "$events" | tr ',' ' ') >/dev/null

CALI_SERVICES_ENABLE=event,aggregate,papi,pthread,report
CALI_PAPI_COUNTERS=$(echo "$events" | sed 's/\(^\|,\)/\1uncore:::/g')
export CALI_SERVICES_ENABLE CALI_PAPI_COUNTERS
exec "$@"
