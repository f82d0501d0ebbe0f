# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The same events by the kernel's driver and by us: the same answers, the same
# registers.  The rules and the deliberate differences are those of tests/golden.
#
# platforms: skx icx ivbep bdx hswep snbep nhmex wsmex
# programs: $B/lab/bin/driver
# skx.server: $B/lab/bin/simpci skx:cores=$C,time=virtual 512
# icx.server: $B/lab/bin/simpci icx:cores=$C,time=virtual 512
# files: $S/tests/golden/$P.jsonl.gz:/golden.jsonl
# judge: $B/lab/bin/driver_judge
# seconds: 120

export LAB_CORES

# both NAME FILE
both() {
	trace_start
	if ! { driver perf "$2" >/tmp/perf && driver ours "$LAB_PLATFORM" "$2" >/tmp/ours; }; then
		not_ok "driver $1" "it failed, see log"
	fi
	trace_stop "/out/$1.trace"
	cp /tmp/perf "/out/$1.perf"
	cp /tmp/ours "/out/$1.ours"
}

both golden /golden.jsonl
driver groups "$LAB_PLATFORM" /golden.jsonl 1 150 >/out/random.jsonl
both random /out/random.jsonl
