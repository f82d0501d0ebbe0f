#!/bin/sh
#
# demo.sh - PAPI's stock tools and a threaded program count uncore events.
#
# `make demo` runs it.  Without UNCORE_MACHINE it uses a simulated machine, with
# UNCORE_MACHINE=native this computer's own counters.

set -eu

: "${BUILD:?run this by make demo}"

if [ -z "${UNCORE_MACHINE:-}" ]; then
	UNCORE_MACHINE=sim:snbep:packages=2,cores=8
fi
export UNCORE_MACHINE
# Say why, if something is refused.
export UNCORE_VERBOSE=1
# PAPI with the component in place of the system's.
export LD_LIBRARY_PATH="$BUILD/papi${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

case $UNCORE_MACHINE in
sim:*)
	cat <<-END
		This runs on a SIMULATED Xeon ($UNCORE_MACHINE).
		The numbers below are made up by the simulation; they say nothing about this
		computer.  On a supported Xeon, as root:  UNCORE_MACHINE=native make demo
	END
	;;
*) echo "This counts on this computer's own registers ($UNCORE_MACHINE)." ;;
esac

banner() {
	case $UNCORE_MACHINE in
	sim:*) printf '\n==== %s  [SIMULATED]\n\n' "$1" ;;
	*) printf '\n==== %s\n\n' "$1" ;;
	esac
}

# show COMMAND...: with the command itself in front of what it prints
show() {
	printf '$ %s\n' "$*"
	"$@"
}

# section NAME: of papi_component_avail, the lines about one component
section() {
	awk -v name="$1" '
		/^Name:/ { shown = ($2 == name) }
		/^(Active|Compiled-in)/ || /^-----/ { shown = 0; if (/^[AC]/) print }
		shown'
}

banner "the component, as PAPI sees it"
printf '$ papi_component_avail    (the part about uncore)\n'
papi_component_avail | section uncore

banner "its memory read and write events, as PAPI lists them"
printf '$ papi_native_avail -i UNC_M_CAS    (the part about uncore)\n'
papi_native_avail -i UNC_M_CAS | awk '/ Component: / { shown = ($NF == "uncore") } shown && /^\|/'

banner "counting with PAPI's own command line tool: all channels, one package, one channel"
show papi_command_line uncore:::UNC_M_CAS_COUNT:RD uncore:::UNC_M_CAS_COUNT:RD:pkg=0 \
	uncore:::UNC_M_CAS_COUNT:RD:pkg=0:box=1

banner "names that are the same on every processor: counts, and a mean of two of them"
show papi_command_line uncore:::UNCORE_MEM_READ_BYTES uncore:::UNCORE_TOR_DRD_OCCUPANCY \
	uncore:::UNCORE_TOR_DRD_REQUESTS uncore:::UNCORE_TOR_DRD_LATENCY_CLOCKS

banner "a threaded program that measures its own run: examples/traffic.c"
show "$BUILD/examples/traffic"
