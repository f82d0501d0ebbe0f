#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# demo.sh - count uncore events with PAPI's tools and with a multi-threaded program, or by the command
# uncore if PAPI was not built (configure --without-papi).
#
# Run by `make demo`.  Without UNCORE_MACHINE it uses a simulated machine, with
# UNCORE_MACHINE=native the counters of this computer.

set -eu

: "${SRC:?run this by make demo}" "${BUILD:?run this by make demo}"

if [ -z "${UNCORE_MACHINE:-}" ]; then
	UNCORE_MACHINE=sim:snbep:packages=2,cores=8
fi
export UNCORE_MACHINE
# Print the reason if something fails.
export UNCORE_VERBOSE=1
# Use PAPI with the component instead of the system's PAPI.
export LD_LIBRARY_PATH="$BUILD/papi${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

simulated=
case $UNCORE_MACHINE in
sim:*)
	simulated='  [SIMULATED]'
	cat <<-END
		This runs on a SIMULATED Xeon ($UNCORE_MACHINE).
		The counts below are computed by the simulation, differ from run to run and
		do not describe this computer.  On a supported Xeon, as root:
		UNCORE_MACHINE=native make demo
	END
	;;
*) echo "This reads the counters of this computer ($UNCORE_MACHINE)." ;;
esac

banner() {
	printf '\n==== %s%s\n\n' "$1" "$simulated"
}

# typed COMMAND ARGUMENT...: print a command in 80 columns
typed() {
	printf '$ %s' "$1"
	shift
	for word; do
		printf ' \\\n    %s' "$word"
	done
	printf '\n'
}

# fits NAME...: whether these can be counted together on this machine
fits() {
	"$BUILD/uncore" plan "$@" >/dev/null 2>&1
}

# one_of NAME...: the first event that this machine supports
one_of() {
	for name; do
		if fits "$name"; then
			echo "$name"
			return
		fi
	done
	echo "demo: this machine does not support any of: $*" >&2
	exit 1
}

# choose_events: $reads is an event of the memory controllers, $places are those to count
choose_events() {
	reads=$(one_of UNC_M_CAS_COUNT:RD UNCORE_MEM_READ_BYTES)
	places=$reads
	if fits "$reads:pkg=0" "$reads:pkg=0:box=1" "$reads"; then
		places="$reads $reads:pkg=0 $reads:pkg=0:box=1"
	fi
}

all_events() {
	echo "All events:"
	echo "  ${BUILD#"$PWD"/}/uncore --machine ${UNCORE_MACHINE%%:packages*} list"
}

# count NAME...: the counts printed by papi_command_line, without its other output
count() {
	for name; do
		shift
		set -- "$@" "uncore:::$name"
	done
	typed papi_command_line "$@"
	papi_command_line "$@" >"$out" || {
		cat "$out"
		exit 1
	}
	sed -n 's/^\(uncore:::[^ ]*\) : *\t*/\1 /p' "$out" | while read -r name number; do
		printf '%-40s %s\n' "$name" "$number"
	done
}

out=$(mktemp)
trap 'rm -f "$out"' EXIT

# stat [EVENT...]: the counts of a second
stat() {
	printf '$ uncore stat'
	for name; do
		shift
		printf ' -e %s \\\n   ' "$name"
		set -- "$@" -e "$name"
	done
	printf ' -- sleep 1\n'
	"$BUILD/uncore" stat "$@" -- sleep 1 2>&1
}

# without_papi: count by the command
without_papi() {
	printf '\nThis build has no PAPI (configure --without-papi): the command uncore counts.\n'
	banner "memory, links, PCIe, frequency and power of each package"
	stat
	choose_events
	banner "counting: all channels, one package, one channel"
	# shellcheck disable=SC2086
	stat $places
	printf '\n==== next\n\n'
	all_events
}

if [ "${PAPI:-yes}" = no ]; then
	without_papi
	exit
fi

banner "the component in PAPI"
echo "\$ papi_component_avail        (output for uncore)"
papi_component_avail 2>/dev/null | awk '
	/^(Compiled-in|Active) / || /^-----/ { shown = 0 }
	/^Name:/ { shown = ($2 == "uncore"); if (shown) text = "" }
	shown && NF { $1 = $1; text = text $0 "\n" }
	END { printf "%s", text }' | fold -s -w 76 | sed '2,$s/^/    /; s/ *$//' >"$out"
cat "$out"
if grep -q 'Disabled' "$out"; then
	printf '\nThe component is disabled, so nothing can be counted.\n'
	echo "Run \`make demo\` without UNCORE_MACHINE to use a simulated Xeon."
	exit 1
fi

choose_events
banner "an event in PAPI's list"
echo "\$ papi_native_avail -i ${reads%%:*}        (first lines)"
papi_native_avail -i "${reads%%:*}" | awk '/ Component: / { shown = ($NF == "uncore") } shown && /^\|/' |
	sed -n '1,9p'

banner "counting: all channels, one package, one channel"
# shellcheck disable=SC2086
count $places

latency="UNCORE_TOR_DRD_OCCUPANCY UNCORE_TOR_DRD_REQUESTS UNCORE_TOR_DRD_LATENCY_CLOCKS"
# shellcheck disable=SC2086
if fits UNCORE_MEM_READ_BYTES $latency; then
	banner "metrics for all processors; the last one is a mean"
	count UNCORE_MEM_READ_BYTES $latency
fi

banner "a multi-threaded program that measures itself"
typed "${BUILD#"$PWD"/}/examples/traffic"
# The program skips events that do not fit; do not print the reasons.
unset UNCORE_VERBOSE
"$BUILD/examples/traffic"

printf '\n==== next\n\n'
dir="\$PWD${BUILD#"$PWD"}"
sh "$SRC/src/build/configure/guide.sh" own_program "$dir" "$dir/papi/include" "$dir/papi"
all_events
