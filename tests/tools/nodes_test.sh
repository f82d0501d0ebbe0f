#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# nodes_test.sh - NUMA nodes in the output of commands: `uncore stat --per-node` has a row for each node,
# which add up to their package; nodes of high-bandwidth memory have their names; the rows of `top`
# and of a heat map have nodes; measured boxes are used, unknown ones refused.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
tool=$BUILD/uncore
unset UNCORE_MACHINE UNCORE_SYSROOT COLUMNS
export LC_ALL=C
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export XDG_CACHE_HOME="$tmp/cache" # without measured boxes
mkdir "$XDG_CACHE_HOME"
failures=0

fail() {
	echo "FAILED: $*"
	sed 's/^/  /' "$tmp/out" "$tmp/err"
	failures=$((failures + 1))
}

# run STATUS ARGUMENT...: the command, whose output is $tmp/out
run() {
	expected=$1
	shift
	"$tool" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status = "$expected" ] || fail "uncore $*: exit status $status, not $expected"
}

# says PATTERN: in a line of the output, or of the messages
says() {
	cat "$tmp/out" "$tmp/err" | grep -Eq -e "$1" || fail "does not say: $1"
}

# ---- stat --per-node ----

# adds_up MACHINE EVENT NODES: the rows of the nodes of a package are as much as the package
adds_up() {
	run 0 stat --machine "$1" --per-node -d 20ms --csv=long -e "$2,$2:pkg=0,$2:pkg=1"
	awk -F, -v nodes="$3" 'NR > 1 {
			match($2, /pkg=[0-9]+/)
			package = substr($2, RSTART, RLENGTH)
			if ($2 ~ /box=/) { sum[package] += $3; n += $3 > 0 } else whole[package] = $3
		}
		END {
			for (p in whole) if (whole[p] <= 0 || sum[p] != whole[p]) exit 1
			exit n != nodes
		}' "$tmp/out" || fail "$1: nodes of $2 do not add up to their package"
}
adds_up sim:spr:clusters=2 UNC_M_CAS_COUNT:RD 4
adds_up sim:spr:clusters=2 UNC_CHA_TOR_INSERTS:IA_MISS 4
adds_up sim:gnr:clusters=3 UNC_M_CAS_COUNT_SCH0:RD 6
adds_up sim:gnr:clusters=2 UNC_CHA_TOR_INSERTS:IA_MISS 4

# in the table a row is the node's, in JSON it has its name
run 0 stat --machine sim:spr:clusters=2 --per-node -d 20ms -e UNCORE_MEM_READ_BYTES
for node in 0 1 2 3; do says "GB/s  UNCORE_MEM_READ_BYTES:node=$node\$"; done
says 'the boxes of NUMA nodes are assumed, not measured'
run 0 stat --machine sim:spr:clusters=2 --per-node -d 20ms --json -e UNCORE_MEM_READ_BYTES
for node in 0 1 2 3; do says "\"node\":\"node$node\""; done

# high-bandwidth memory in flat mode: nodes without CPUs, with a name
run 0 stat --machine sim:spr:hbm=yes,flat=yes --per-node -d 20ms -e UNCORE_HBM_READ_BYTES,UNCORE_MEM_READ_BYTES
for row in HBM_READ_BYTES:node=hbm2 HBM_READ_BYTES:node=hbm3 MEM_READ_BYTES:node=0 MEM_READ_BYTES:node=1; do
	says "UNCORE_$row\$"
done

# boxes of the package; no table; one node for each package
run 0 stat --machine sim:spr:clusters=2 --per-node -d 20ms -e UNC_UPI_CLOCKTICKS
says 'UNC_UPI_CLOCKTICKS is counted by package: cannot count node0: these boxes serve all nodes'
says 'UNC_UPI_CLOCKTICKS:pkg=1$'
run 2 stat --machine sim:skx:clusters=2 --per-node -d 20ms -e UNC_M_CAS_COUNT:RD
says 'the imc boxes of node0 are not known: .*; measure it with "uncore ceilings --nodes"$'
run 0 stat --machine sim:skx --per-node -d 20ms -e UNC_M_CAS_COUNT:RD
says 'UNC_M_CAS_COUNT:RD:node=1$'

# ---- measured: slices at random have a name, and are counted ----

for machine in sim:gnr:cores=20,clusters=2,nodes=3,time=virtual sim:skx:cores=12,clusters=2,nodes=3,time=virtual; do
	run 0 ceilings --nodes --machine $machine
	run 0 stat --machine $machine --per-node -d 20ms --csv=long -e UNCORE_LLC_MISSES,UNCORE_MEM_READ_BYTES
	[ "$(grep -c '^[0-9.]*,UNCORE_LLC_MISSES:box=' "$tmp/out")" = 4 ] || fail "$machine: rows of slices"
	[ "$(grep -c '^[0-9.]*,UNCORE_MEM_READ_BYTES:box=' "$tmp/out")" = 4 ] || fail "$machine: rows of channels"
	grep -q 'assumed' "$tmp/err" && fail "$machine: measured boxes are said to be assumed"
done

# ---- labels of other commands ----

run 0 top --once --machine sim:spr:packages=1,clusters=2
says '^  node 0  '
says '^  node +0 +0 +1 +1 +0 +0 +1 +1$'
run 0 stat --machine sim:spr:clusters=2 -d 200ms -i 100 --heatmap "$tmp/map.svg" -e 'UNCORE_MEM_READ_BYTES:box=*:pkg=1'
for row in 'channel 0, socket 1, node 2' 'channel 6, socket 1, node 3'; do
	grep -q ">$row<" "$tmp/map.svg" || fail "the heat map has no row $row"
done

[ $failures = 0 ] || {
	echo "nodes_test: $failures checks failed"
	exit 1
}
echo "nodes_test: all checks passed"
