#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# start_calls.sh [-v] - how many functions of the library a start of one counter calls, in how many
# files, and a stop; of src/lib and events, not of the simulated machine behind them.  The exit status
# is 1 if there are more calls than the bounds.  -v: each function, with its file.
#
# Expects BUILD, the build directory, in the environment: `make bench-calls` builds the program.

set -eu

program=$BUILD/bench/start_calls
verbose=${1-}
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT

# what depth function file calls
"$program" | while read -r what depth address calls; do
	place=$(addr2line -f -s -e "$program" "$address" | tr '\n' ' ')
	echo "$what $depth ${place%:*} $calls"
done >"$lines"

[ "$verbose" != -v ] || awk '{ print $1, $5, $4, $3 }' "$lines" | sort -k1,1 -k2,2nr
awk '
	{ calls[$1] += $5; new = !(($1, $4) in seen); files[$1] += new; headers[$1] += new && $4 ~ /\.h$/; seen[$1, $4] = 1; depth[$1] = $2 }
	function show(what, bound) {
		printf "%s of one counter: %d calls (bound: %d) in %d files, %d of them headers, at most %d deep\n", \
			what, calls[what], bound, files[what], headers[what], depth[what]
		high += calls[what] == 0 || calls[what] > bound
	}
	END { show("start", 500); show("stop", 345); exit high > 0 }
' "$lines"
