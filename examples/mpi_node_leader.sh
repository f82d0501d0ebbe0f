#!/bin/sh
#
# mpi_node_leader.sh - the counters belong to the node: let one rank of each node
# read them, so that sums over ranks are right.
#
#	mpirun -n 32 sh mpi_node_leader.sh ./program
#
# Sets the variables of the tool that is used for local rank 0 and leaves the
# other ranks alone.  UNCORE_EVENTS names other events, separated by commas.

set -eu

: "${1:?the program to run is missing}"

# Open MPI, MPICH and Intel MPI (Hydra), Slurm, PALS
rank=${OMPI_COMM_WORLD_LOCAL_RANK:-${MPI_LOCALRANKID:-${SLURM_LOCALID:-${PALS_LOCAL_RANKID:-0}}}}
events=${UNCORE_EVENTS:-uncore:::UNC_M_CAS_COUNT:RD,uncore:::UNC_M_CAS_COUNT:WR}

if [ "$rank" -eq 0 ]; then
	PAPI_EVENTS=$events # PAPI's high-level API
	TAU_METRICS=TIME,PAPI_NATIVE_$(echo "$events" | sed 's/,/,PAPI_NATIVE_/g')
	SCOREP_METRIC_PAPI_PER_PROCESS=$events
	CALI_PAPI_COUNTERS=$events
	export PAPI_EVENTS TAU_METRICS SCOREP_METRIC_PAPI_PER_PROCESS CALI_PAPI_COUNTERS
fi
exec "$@"
