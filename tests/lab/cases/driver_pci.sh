# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# As the driver case, for the boxes in config space of a simulated machine: random groups
# of events of the recordings of Sandy Bridge-EP, which the later machines have, too.
#
# platforms: snbep ivbep hswep bdx skx
# modules: uncore_lab:backend=portal msr intel-uncore
# server: $B/lab/bin/simpci --trace $O/random.trace $P:cores=$C,hide=0e3e,time=virtual 512
# programs: $B/lab/bin/driver
# files: $S/tests/golden/snbep_pci.jsonl.gz:/golden.jsonl
# judge: $B/lab/bin/driver_judge
# seconds: 120

export LAB_CORES LAB_MARK=msr

driver groups "$LAB_PLATFORM" /golden.jsonl 1 150 >/tmp/random.jsonl
if ! { driver perf /tmp/random.jsonl >/tmp/perf &&
	driver ours "$LAB_PLATFORM" /tmp/random.jsonl >/tmp/ours; }; then
	not_ok driver "it failed, see log"
fi
cp /tmp/random.jsonl /out/
cp /tmp/perf /out/random.perf
cp /tmp/ours /out/random.ours
