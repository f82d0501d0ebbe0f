#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# start_calls.sh [-v] - how many functions of the library a start of one counter calls, in how many
# files, and a stop; of src/lib and events, not of the simulated machine behind them.  Once on a
# simulated machine, and once on its files, with lock and journal, where machines can be mounted.  The
# exit status is 1 if there are more calls, files or levels than the bounds.  -v: each function, with its
# file.
#
# Expects SRC and BUILD, the source and build directories, in the environment: `make bench-calls`
# builds the programs.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
verbose=${1-}

# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"

program=$BUILD/bench/start_calls
failed=0

# count WHERE MACHINE START STOP: on a machine, with the bounds of both, CALLS/FILES/DEPTH
count() {
	"$program" "$2" >"$tmp/calls" || exit 1
	# what depth function file calls
	while read -r what depth address calls; do
		place=$(addr2line -f -s -e "$program" "$address" | tr '\n' ' ')
		echo "$what $depth ${place%:*} $calls"
	done <"$tmp/calls" >"$tmp/lines"
	[ "$verbose" != -v ] || awk '{ print $1, $5, $4, $3 }' "$tmp/lines" | sort -k1,1 -k2,2nr
	awk -v where="$1" -v start="$3" -v stop="$4" '
		{ calls[$1] += $5; new = !(($1, $4) in seen); files[$1] += new; headers[$1] += new && $4 ~ /\.h$/; seen[$1, $4] = 1; depth[$1] = $2 }
		function show(what, bounds) {
			printf "%s of one counter, %s: %d calls in %d files, %d of them headers, at most %d deep (bounds: %s)\n", \
				what, where, calls[what], files[what], headers[what], depth[what], bounds
			split(bounds, most, "/")
			high += calls[what] == 0 || calls[what] > most[1] || files[what] > most[2] || depth[what] > most[3]
		}
		END { show("start", start); show("stop", stop); exit high > 0 }
	' "$tmp/lines" || failed=1
}

count simulated sim:snbep 400/30/14 250/28/14
if has_mounts; then
	"$BUILD/uncore" sim mount --background --machine sim:snbep:time=virtual "$dir" >/dev/null || exit 1
	UNCORE_SYSROOT=$dir
	export UNCORE_SYSROOT
	count mounted native 600/40/18 330/36/16
	unset UNCORE_SYSROOT
else
	echo "not tried: a mounted machine: $reason"
fi
exit $failed
