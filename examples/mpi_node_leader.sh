#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mpi_node_leader.sh - make one rank of each node read the counters, which belong to the
# node, so that sums over ranks are correct.
#
#	mpirun -n 32 sh mpi_node_leader.sh ./program
#
# If all ranks count the same events in one event set, this script is not needed: with
# UNCORE_SHARE=owner one rank of each node counts and the others read 0 (docs/sharing.md).
#
# Sets the environment variables of the tools for local rank 0.  UNCORE_EVENTS selects
# other events, separated by commas.
#
# TAU writes one file per rank into one directory per metric, but into the current directory
# if there is only one metric, and pprof shows the ranks from 0 to the first one without a
# file.  Therefore all ranks use the same two metrics (or those of TAU_METRICS), and the
# leaders also the uncore events:
#
#	cd MULTI__TIME && pprof                   all ranks
#	cd MULTI__PAPI_NATIVE_uncore* && pprof    rank 0; "pprof 0 16 32": leaders of three nodes

set -eu

: "${1:?the program to run is missing}"

# Open MPI, MPICH and Intel MPI (Hydra), Slurm, PALS
rank=${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-${SLURM_LOCALID:-${PALS_LOCAL_RANKID:-0}}}}
events=${UNCORE_EVENTS:-uncore:::UNC_M_CAS_COUNT:RD,uncore:::UNC_M_CAS_COUNT:WR}

TAU_METRICS=${TAU_METRICS:-TIME}
case $TAU_METRICS in
*,*) ;;
TIME) TAU_METRICS=TIME,CPU_TIME ;;
*) TAU_METRICS=TIME,$TAU_METRICS ;;
esac
export TAU_METRICS
if [ "$rank" -eq 0 ]; then
	PAPI_EVENTS=$events # PAPI's high-level API
	TAU_METRICS=$TAU_METRICS,PAPI_NATIVE_$(echo "$events" | sed 's/,/,PAPI_NATIVE_/g')
	SCOREP_METRIC_PAPI_PER_PROCESS=$events
	CALI_PAPI_COUNTERS=$events
	export PAPI_EVENTS SCOREP_METRIC_PAPI_PER_PROCESS CALI_PAPI_COUNTERS
fi
exec "$@"
