#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# peers/run.sh - cost of reading a set of events, in calls of register files: this
# library and Debian's LIKWID, each on its own fresh simulated E5-2600 (two packages of
# eight cores), mounted as files.
#
#	SRC=. BUILD=build sh tests/bench/peers/run.sh
#
# Needs root, /dev/fuse, an Intel CPU that can let CPUID fault (shim.c); for LIKWID the
# package likwid.

set -eu

tmp=$(mktemp -d)
time=virtual
dir=$tmp/xeon
mkdir "$dir"

# shellcheck disable=SC2317
finish() {
	[ ! -e "$dir/sim/machine" ] || umount "$dir"
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

${CC:-cc} -O2 -std=c11 -D_GNU_SOURCE -I"$SRC/src" -o "$tmp/ours" "$SRC/tests/bench/peers/ours.c" \
	"$BUILD/libuncore.a" -lpfm -ljson-c -pthread -lm
${CC:-cc} -O2 -std=c11 -D_GNU_SOURCE -shared -fPIC -o "$tmp/shim.so" \
	"$SRC/tests/bench/peers/shim.c"
likwid=no
if ${CC:-cc} -O2 -D_GNU_SOURCE -o "$tmp/likwid" "$SRC/tests/bench/peers/likwid.c" -llikwid \
	2>"$tmp/err"; then
	likwid=yes
else
	echo "LIKWID is not measured: no liblikwid (package likwid)"
fi

# on_new_machine COMMAND...: run a command line on a new machine
on_new_machine() {
	"$BUILD/uncore" sim mount --background --machine sim:snbep:packages=2,cores=8,time=$time "$dir" \
		>/dev/null
	timeout 60 "$@" || echo "failed: $*" >&2
	umount "$dir"
}

# measure NAME OUR-EVENTS LIKWIDS-EVENTS
measure() {
	# The events are words.
	# shellcheck disable=SC2086
	UNCORE_SYSROOT=$dir on_new_machine "$tmp/ours" "$dir/sim/calls" "$1" $2 >"$tmp/o"
	sed 's/ counts.*//' "$tmp/o"
	[ $likwid = yes ] || return 0
	on_new_machine sh "$SRC/examples/on_simulated.sh" "$dir" env LD_PRELOAD="$tmp/shim.so" \
		"$tmp/likwid" "$dir/sim/calls" "$1" "$3" 2>"$tmp/err" | grep "^$1" >"$tmp/l" ||
		cat "$tmp/err"
	sed 's/ counts.*//' "$tmp/l"
	compare "$3"
}

# compare LIKWIDS-EVENTS: those whose counts of the same second differ; behind them
# LIKWID counts the fixed counters of the cores, which were not requested
compare() {
	sed 's/.* counts //' "$tmp/o" | tr ' ' '\n' >"$tmp/o.counts"
	sed 's/.* counts //' "$tmp/l" | tr ' ' '\n' >"$tmp/l.counts"
	echo "$1" | tr , '\n' | paste -d' ' - "$tmp/o.counts" "$tmp/l.counts" | awk '
		/^ / { next }
		$2 + 0 != $3 + 0 { print "    " $1 ": ours " $2 ", LIKWID " $3; differ++ }
		{ n++ }
		END { print "    " n - differ " of " n " counts are the same" }'
}

# join: lines to a list with commas
join() {
	paste -s -d, -
}

# each FROM TO PATTERNS: the words, once for each number that @ stands for
each() {
	for n in $(seq "$1" "$2"); do
		for pattern in $3; do
			echo "$pattern" | sed "s/@/$n/g"
		done
	done
}

cbo1="UNC_C_TOR_INSERTS:MISS_ALL:box=@"
cbo4="$cbo1 UNC_C_TOR_INSERTS:WB:box=@ UNC_C_RING_AD_USED:UP_EVEN:box=@ UNC_C_RING_AD_USED:DOWN_EVEN:box=@"
imc2="UNC_M_CAS_COUNT:RD:box=@ UNC_M_CAS_COUNT:WR:box=@"
imc5="$imc2 UNC_M_ACT_COUNT:box=@ UNC_M_PRE_COUNT:PAGE_MISS:box=@ UNC_M_CLOCKTICKS:box=@"
qpi2="UNC_Q_TXL_FLITS_G0:DATA:box=@ UNC_Q_TXL_FLITS_G0:NON_DATA:box=@"
qpi4="$qpi2 UNC_Q_TXL_FLITS_G0:IDLE:box=@ UNC_Q_CLOCKTICKS:box=@"

l_cbo1="TOR_INSERTS_MISS_ALL:CBOX@C0"
l_cbo4="$l_cbo1 TOR_INSERTS_WB:CBOX@C1 RING_AD_USED_UP_EVEN:CBOX@C2 RING_AD_USED_DOWN_EVEN:CBOX@C3"
l_imc2="CAS_COUNT_RD:MBOX@C0 CAS_COUNT_WR:MBOX@C1"
l_imc5="$l_imc2 ACT_COUNT:MBOX@C2 PRE_COUNT_PAGE_MISS:MBOX@C3 DRAM_CLOCKTICKS:MBOX@FIX"
l_qpi2="TXL_FLITS_G0_DATA:SBOX@C0 TXL_FLITS_G0_NON_DATA:SBOX@C1"
l_qpi4="$l_qpi2 TXL_FLITS_G0_IDLE:SBOX@C2 SBOX_CLOCKTICKS:SBOX@C3"

printf '%-8s %-6s %6s %6s %6s %6s %6s %6s\n' set who init setup start read stop end
measure imc1 "$(each 0 0 "UNC_M_CAS_COUNT:RD:box=@")" "$(each 0 0 "CAS_COUNT_RD:MBOX@C0" | join)"
measure cbo1 "$(each 0 0 "$cbo1")" "$(each 0 0 "$l_cbo1" | join)"
measure imc_bw "$(each 0 3 "$imc2")" "$(each 0 3 "$l_imc2" | join)"
measure cbo8 "$(each 0 7 "$cbo1")" "$(each 0 7 "$l_cbo1" | join)"
measure cbo32 "$(each 0 7 "$cbo4")" "$(each 0 7 "$l_cbo4" | join)"
measure all18 "$(
	each 0 7 "$cbo1"
	each 0 3 "UNC_M_CAS_COUNT:RD:box=@"
	each 0 1 "$qpi2"
	echo UNC_P_CLOCKTICKS UNC_U_CLOCKTICKS
)" "$({
	each 0 7 "$l_cbo1"
	each 0 3 "CAS_COUNT_RD:MBOX@C0"
	each 0 1 "$l_qpi2"
	each 0 0 "WBOX_CLOCKTICKS:WBOX0 UNCORE_CLOCK:UBOXFIX"
} | join)"
measure all65 "$(
	each 0 7 "$cbo4"
	each 0 3 "$imc5"
	each 0 1 "$qpi4"
	echo UNC_P_CLOCKTICKS UNC_P_CORE0_TRANSITION_CYCLES UNC_P_DEMOTIONS_CORE0 \
		UNC_P_VOLT_TRANS_CYCLES_INCREASE UNC_U_CLOCKTICKS
)" "$({
	each 0 7 "$l_cbo4"
	each 0 3 "$l_imc5"
	each 0 1 "$l_qpi4"
	each 0 0 "WBOX_CLOCKTICKS:WBOX0 CORE0_TRANSITION_CYCLES:WBOX1 DEMOTIONS_CORE0:WBOX2 VOLT_TRANS_CYCLES_INCREASE:WBOX3 UNCORE_CLOCK:UBOXFIX"
} | join)"

# PCM has one set, all it knows.  A refresh more is a read more; its time has to be real.
pcm() {
	on_new_machine sh -c "sh $SRC/examples/on_simulated.sh $dir env LD_PRELOAD=$tmp/shim.so \
		pcm-memory 1 -i=$1 >$tmp/pcm 2>&1; cat $dir/sim/calls"
}

if PATH=$PATH:/usr/sbin command -v pcm-memory >/dev/null; then
	time=real
	PATH=$PATH:/usr/sbin
	once=$(pcm 1)
	thrice=$(pcm 3)
	echo "pcm-memory: $(((thrice - once) / 2)) calls a read, $once for all of a run with one read"
	grep -E 'System .*Throughput' "$tmp/pcm" | tail -n 3
	UNCORE_SYSROOT=$dir on_new_machine "$BUILD/uncore" stat -d 1
else
	echo "PCM is not measured: no pcm-memory (package pcm)"
fi
