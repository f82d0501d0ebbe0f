#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# tool_test.sh - the `uncore` command on the simulated machine: what it prints,
# its exit statuses, its messages.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"

unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_WRAP_POLLER UNCORE_FORCE
export COLUMNS=1000 # lines stay whole; screens_test.sh looks at their width
tool=$BUILD/uncore
sim=sim:snbep:packages=2,cores=8
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failures=0

if [ ! -x "$tool" ]; then
	echo "there is no $tool"
	exit 1
fi

fail() {
	echo "FAILED: $*"
	sed 's/^/  out: /' "$tmp/out"
	sed 's/^/  err: /' "$tmp/err"
	failures=$((failures + 1))
}

# run STATUS ARGUMENT...: run the command, expect that exit status
run() {
	expected=$1
	shift
	what="uncore $*"
	"$tool" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status -eq "$expected" ] || fail "$what: exit status $status instead of $expected"
}

# out PATTERN, err PATTERN: standard output, standard error have a line like that
out() {
	grep -q -e "$1" "$tmp/out" || fail "$what: no line like $1"
}

err() {
	grep -q -e "$1" "$tmp/err" || fail "$what: no message like $1"
}

no_out() {
	[ ! -s "$tmp/out" ] || fail "$what: there is output"
}

no_err() {
	[ ! -s "$tmp/err" ] || fail "$what: there is a message"
}

# lines N PATTERN: that many lines of standard output match
lines() {
	n=$(grep -c -e "$2" "$tmp/out")
	[ "$n" -eq "$1" ] || fail "$what: $n lines instead of $1 like $2"
}

# json: standard output is one object per line with balanced brackets
json() {
	awk '
		{
			text = $0
			gsub(/"([^"\\]|\\.)*"/, "S", text)	# strings
			if (text ~ /[^][{}:,S0-9.truefalsn-]/)
				bad = 1
			gsub(/true|false|null|-?[0-9][0-9.]*/, "S", text)
			do {	# the inmost arrays and objects are values, too
				before = text
				gsub(/\[(S(,S)*)?\]/, "S", text)
				gsub(/\{(S:S(,S:S)*)?\}/, "S", text)
			} while (text != before)
			if (text != "S")
				bad = 1
		}
		END { exit bad || NR == 0 }' "$tmp/out" || fail "$what: no JSON"
}

# ---- help and wrong command lines ----

run 0 --version
out '^uncore [0-9][0-9.]*$'
run 0 help -a
out 'uncore plan'
run 0 help
run 0 help stat
out '--interval'
run 0 plan --help
out '--json'
run 2
no_out
err 'Usage'
run 2 nonsense
err 'unknown command "nonsense"'
run 2 help nonsense
err 'unknown command "nonsense"'
run 2 stats
err 'unknown command "stats"; did you mean stat?'
run 2 help shwo
err 'did you mean show?'
run 2 --nonsense
err "unrecognized option '--nonsense'"
run 2 plan --nonsense X
err 'uncore help plan'
run 2 plan
err 'no events given'
run 2 show more
run 2 show --brief
run 2 stat -i 0 -- true
err 'invalid interval .*: use milliseconds or a time'
run 2 stat -d soon
err 'invalid -d "soon"'
run 2 stat -d 1 -- true
err 'cannot be combined'
run 2 stat -e , -- true
# shellcheck disable=SC2016  # the backquotes are part of the message
err 'missing event: use -e with event names; see `uncore list`'

# ---- machines ----

run 3 --machine nonsense show
no_out
err 'no machine nonsense; UNCORE_MACHINE takes native, sim:NAME, as in .*, or file:FILE'
run 3 show --machine sim:nonsense
err 'unknown simulated platform'
export UNCORE_SYSROOT="$tmp/empty"
run 3 show
err 'proc/cpuinfo cannot be read'
unset UNCORE_SYSROOT
run 0 --machine "$sim" show
out '^SIMULATED Intel Xeon E5-2600'
out '^2 sockets, 16 CPUs, 40 boxes$'
out '^  cbo  *8  *4  *44  *C-Box: last-level cache slice and its coherence engine$'
out '^  imc  *4  *4 + fixed  *48  *iMC: '
out '^  cbo: 8 in each socket, from the PCI functions of the socket, one for each slice of its L3 cache$'
out '^[0-9]* events and [0-9]* metrics: see .uncore list.$'
lines 0 'msr 0x\|pci 0000\|missing boxes\|warnings'
run 0 --machine "$sim" show -v
out '^  cbo  *8 '
lines 2 '^package [01]$'
lines 16 '^  cbo[0-7] *msr 0xd[0-9a-e]4 '
out '^  imc3  *pci 0000:7f:10.5  *4 counters of 48 bits and a fixed one$'
run 0 show --machine sim:hswep:packages=1,cores=6,slices=8,silent=yes
out '^1 socket, 6 CPUs, .* boxes, of which .* can be used$'
out '^  cbo  *6 of 8 '
out '^  cbo: 8 in the socket, from '
out '^  cbo6-7 of socket 0 absent: its registers do not answer$'
out '^  cbo7 of package 0, a slice of the L3 cache without a core, is missing in sums: its registers do not answer$'
run 0 show --json --machine sim:hswep:packages=1,hide=2fe0
out '"number_by":"the L3 cache of the package, a slice for each 2048 sets (CPUID leaf 4)"'
run 0 show -v --machine sim:hswep:packages=1,cores=6,slices=8,silent=yes
out '^  cbo7  *msr 0xe70  *absent: its registers do not answer$'
run 0 show --machine sim:snbep:hide=3c41
out '^  qpi  *1 of 2 '
lines 1 'its PCI device is hidden'
out '^  link 0 of sockets 0-1 absent: its PCI device is hidden'
run 0 show --core --machine sim:skx:packages=1,cores=2
lines 2 '^cpu [01] (socket 0): version 4, 8 counters of 48 bits, 3 fixed counters of 48 bits$'
lines 2 '^  GLOBAL_CTRL    0xff PMC0 PMC1 .* PMC7$'
lines 2 '^  GLOBAL_INUSE   0$'
run 0 show --machine "$sim" --core
lines 16 '^cpu [0-9]* (socket [01]): version 3, '
lines 0 'INUSE'
# One CPU made of files: every bit of the global status that has a name.
tree=$tmp/tree
mkdir -p "$tree/proc" "$tree/dev/cpu/0" "$tree/sys/devices/system/cpu/cpu0/topology"
printf 'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 45\nflags\t\t: msr\n' \
	>"$tree/proc/cpuinfo"
echo 0 >"$tree/sys/devices/system/cpu/online"
echo 0 >"$tree/sys/devices/system/cpu/cpu0/topology/physical_package_id"
echo 0 >"$tree/sys/devices/system/cpu/cpu0/topology/core_id"
printf '\0\0\0\0\0\0\0\0\0\0\004\010\060\007\0\0\0\0\0\0\0\0\003\006\0\0' >"$tree/dev/cpu/0/cpuid"
dd if=/dev/zero of="$tree/dev/cpu/0/msr" bs=8192 count=1 2>/dev/null
printf '\201\0\0\0\002\0\201\374' |
	dd of="$tree/dev/cpu/0/msr" bs=1 seek=$((0x38e)) conv=notrunc 2>/dev/null
export UNCORE_SYSROOT="$tree"
run 0 show --core
bits='OvfMetrics TraceToPAPMI LBR_FRZ CTR_FRZ ASCI OvfUncore OvfDSBuffer CondChgd'
out "^  GLOBAL_STATUS  0xfc81000200000081 OvfPMC0 OvfPMC7 OvfFIXED_CTR1 $bits\$"
# The same with PCI devices of which an unprivileged reader sees 64 bytes: the reason once,
# with the boxes, and one box's file.

# device PLACE ID BYTES: a PCI device on bus 7f with that much config space
device() {
	dir=$tree/sys/bus/pci/devices/0000:7f:$1
	mkdir -p "$dir"
	echo "pci:v00008086d0000${2}sv00000000sd00000000bc08sc80i00" >"$dir/modalias"
	echo 0x8086 >"$dir/vendor"
	echo "0x$2" >"$dir/device"
	echo -1 >"$dir/numa_node"
	dd if=/dev/zero of="$dir/config" bs="$3" count=1 2>/dev/null
}
device 0b.3 3ce0 4096
for place in 0e.1:3c46 10.0:3cb0 10.1:3cb1 10.4:3cb4 10.5:3cb5; do
	device "${place%:*}" "${place#*:}" 64
done
run 0 show
out '^1 socket, 1 CPU, .* boxes, of which [0-9]* can be used$'
out '^  imc  *0 of 4 '
lines 1 'only the first 64 bytes'
out '^  ha0, channels 0-3 of socket 0 not reached: only the first 64 bytes .*0000:7f:0e.1/config'
lines 1 '^      (reason of ha0 of socket 0; use -v for the others)$'
out '^  links 0-1, r2pcie0, r3qpi0-1 of socket 0 absent: its PCI device is hidden'
run 0 show -v
out '^  imc3 .*not reached: only the first 64 bytes .*0000:7f:10.5/config'
run 0 show --json
json
out '"box":"imc3".*"unreached":true'
rm -r "$tree/sys/bus"
unset UNCORE_SYSROOT
export UNCORE_MACHINE=sim:snbep:packages=1
run 0 show --verbose
out '^1 socket, 8 CPUs'
out '^    controls  0xd10 0xd11 0xd12 0xd13$'
out '^    counters  0xa0 0xa8 0xb0 0xb8, fixed 0xd0$'
out '^    filters   0xd14$'
lines 0 '^discovery table'
run 0 show
lines 0 '^    controls'
unset UNCORE_MACHINE

# ---- JSON of tables: the same events, errors and registers as in the text ----

# same WHAT: two lists
same() {
	[ -s "$tmp/text" ] && cmp -s "$tmp/text" "$tmp/json" || fail "$1: $(diff "$tmp/text" "$tmp/json" | head -n 4)"
}
for words in '--all' 'upi' 'ENTRIES' '--metrics'; do
	for machine in sim:skx sim:spr; do
		# shellcheck disable=SC2086
		"$tool" list --machine $machine -w $words 2>"$tmp/err" | awk '/^  [^ ]/ { print $1 }' >"$tmp/text"
		# shellcheck disable=SC2086
		"$tool" list --machine $machine --json $words 2>"$tmp/err" | sed 's/^{"event":"\([^"]*\)".*}$/\1/' >"$tmp/json"
		same "list --json $words on $machine"
	done
done
run 0 list --machine sim:skx --json -v UNC_M_CAS_COUNT
out '^{"event":"UNC_M_CAS_COUNT","box":"imc","units":"[a-z]*","real":false,.*"umasks":\[{"name":":[A-Z_]*","text":".*"qualifiers":{'
run 0 list --machine sim:skx --json UNCORE_MEM_BYTES
out '^{"event":"UNCORE_MEM_BYTES","formula":"[^"]*","units":"bytes",'
run 1 list --machine sim:skx --json nonsense
no_out
run 0 list --machine sim:skx --errata
grep '^UNC' "$tmp/out" >"$tmp/text"
run 0 list --machine sim:skx --errata --json
sed 's/^{"events":"\([^"]*\)","text":".*"evidence":".*"}$/\1/' "$tmp/out" >"$tmp/json"
same "list --errata --json"
run 0 allowlist --machine sim:skx --core --until
awk '/^0x/ { print $1, $2 }' "$tmp/out" | sed 's/0x0*\([0-9a-fA-F]\)/0x\1/g' | tr A-F a-f >"$tmp/text"
run 0 allowlist --machine sim:skx --core --until --json
sed 's/^{"msr":"\(.*\)","writable":"\(.*\)","register":".*"}$/\1 \2/' "$tmp/out" >"$tmp/json"
same "allowlist --json"

# ---- a CPU without uncore: what to type instead ----

amd=$tmp/amd
mkdir -p "$amd/proc"
cp -r "$tree/sys" "$amd"
sed 's/GenuineIntel/AuthenticAMD/' "$tree/proc/cpuinfo" >"$amd/proc/cpuinfo"
export UNCORE_SYSROOT="$amd"
for arguments in list show stat 'plan UNC_NONE' allowlist; do
	# shellcheck disable=SC2086
	run 3 $arguments
	no_out
	err 'no uncore counters are known for this CPU (AuthenticAMD family 6 model 45).*UNCORE_MACHINE=sim:icx'
	again=$(sed -n 's/^Try a simulated machine: //p' "$tmp/err")
	case $again in
	"$tool --machine sim:icx ${arguments%% *}"*) ;;
	*) fail "$what: suggests $again" ;;
	esac
	$again >"$tmp/out" 2>"$tmp/err" || fail "$what: suggests $again, which fails"
done
unset UNCORE_SYSROOT

# ---- msr-safe ----

run 0 allowlist --machine "$sim"
out '^# msr-safe allow-list for uncore .* on$'
out '^# Intel .*Sandy Bridge-EP'
out '^# Generated on a simulated machine'
out '^0x00000D04 0x0000000000010102 # cbo0 box control$'
out '^0x00000D16 0x0000000000000000 # cbo0 counter 0$'
lines 0 'PERFEVTSEL'
# Made for one package, it is right for both.
"$tool" allowlist --machine sim:snbep:packages=1 | cmp -s - "$tmp/out" ||
	fail "$what: differs with the number of packages"
run 0 allowlist --core --machine "$sim"
out '^0x00000186 0x00000000FFE7FFFF # PERFEVTSEL 0$'
run 0 allowlist --until --machine sim:skx
out '^0x00000701 0xFFFFFFFFFFFFFFFF # global status$'
run 2 allowlist more
# Without any register file.
rm -r "$tree/dev/cpu/0/msr"
UNCORE_SYSROOT=$tree
export UNCORE_SYSROOT
run 3 show
run 0 allowlist
out '^0x00000D04 0x0000000000010102 # cbo0 box control$'
unset UNCORE_SYSROOT
run 0 allowlist --machine sim:spr:packages=1
out '# cha0 control 0$'

# docs/hardware/discovery.md, "A worked example": eight memory channels of two registers each.
run 0 show -v --machine sim:spr:packages=1
out '^discovery table 0: package 0 (its UBox or NUMA node), PCI device 0000:.*, BAR 0 at 0x[0-9a-f]*$'
out 'global control msr 0x2ff0, [0-9]* global status registers'
n=0
for address in c8aa2 c8aaa c8b22 c8b2a c8ba2 c8baa c8c22 c8c2a; do
	out "^  record [0-9]*: type 6, id $n, mmio 0x${address}800, width 48, 4 registers, control \
offset 64, counter offset 8, .*: imc$n\$"
	out "^  imc$n  *mmio 0x${address}800  *4 counters of 48 bits and a fixed one\$"
	out "^    controls  0x${address}840 0x${address}844 0x${address}848 0x${address}84c, fixed 0x${address}854\$"
	out "^    counters  0x${address}808 0x${address}810 0x${address}818 0x${address}820, fixed 0x${address}838\$"
	n=$((n + 1))
done
lines 8 'type 6,'
lines 2 'type 40, id [01], msr .*: type_40_[01]$'
lines 8 'type [89], .*: no box: ignored, '
run 0 show --json --machine sim:spr:packages=1
lines 1 .
out '"address":"0x[0-9a-f]*"'
out '"type":6,"id":7,"access":"mmio","unit_control":"0xc8c2a800","width":48,"registers":4,"control_offset":64,"counter_offset":8,'
out '"unit_control":"0xc8aa2800","controls":\["0xc8aa2840","0xc8aa2844","0xc8aa2848","0xc8aa284c"\],"fixed_control":"0xc8aa2854","counters":\["0xc8aa2808",'
run 0 show -v --machine sim:spr:packages=1,table=overlap
out 'no box: ignored, an earlier record has the same registers$'
run 0 show -v --machine sim:spr:packages=1,table=zero_stride
out '^  DAMAGED: its records are shorter than a record can be$'
out '^  a discovery table is damaged, so its boxes'
run 0 show --machine sim:spr:packages=1,table=no_dvsec
out '^  no discovery table found, so its boxes'
run 3 show --machine sim:gnr:table=ones
err 'reads as all ones'
run 0 plan --machine sim:spr:packages=1 uncore:::uncore_type_40:RAW:config=0x1:box=1
out '^uncore_type_40::RAW:config=0x1:box=1  *3  *type_40_1 of package 0$'

# ---- list ----

run 0 list --machine "$sim"
no_err
out '^  UNC_C_TOR_INSERTS .*\[events\]$'
out '^  UNC_U_CLOCKTICKS .*\[cycles\]$'
[ "$(grep -c '^  UNC_' "$tmp/out")" -gt 150 ] || fail "list is too short"
run 0 list --machine "$sim" cas_count
lines 1 '^  UNC_'
run 0 list -v --machine "$sim" CAS_COUNT
out '^ *:RD  *Counts all DRAM reads'
out '^ *:t=N  *threshold'
out '^ *:box=N '
lines 1 '^ *:t='
run 1 list --machine "$sim" nonsense
no_out
err 'no event of this machine matches nonsense'

run 0 list --metrics --machine "$sim" mem_read_bytes
lines 1 '^  UNCORE_'
out '^  UNCORE_MEM_READ_BYTES  .*64 for each read command .* \[bytes\]$'
out '^      = 64 \* UNC_M_CAS_COUNT:RD$'
run 1 list --metrics --machine "$sim" TOR_INSERTS_
err 'no metric of this machine matches'

# The machine first, then metrics, then events; in short, or all of it.
run 0 list --machine "$sim"
[ "$(sed -n 1p "$tmp/out" | cut -c1-20)" = 'SIMULATED Intel Xeon' ] || fail "$what: the machine is not first"
[ "$(sed -n '/^Metrics/=' "$tmp/out")" -lt "$(sed -n '/^C-Box/=' "$tmp/out")" ] || fail "$what: metrics are not first"
lines 0 '^      = '
lines 0 '^  UNCORE_.*\(as counts\|64 for each\)'
run 0 list -v --machine "$sim" mem_read_bytes
out '^      = 64 \* UNC_M_CAS_COUNT:RD$'

# Words are searched everywhere, in any letter case, and all of them are needed.
run 0 list --machine "$sim" BandWidth
out '^  UNCORE_MEM_READ_BYTES '
out '^  UNCORE_MEM_WRITE_BYTES '
out '^  UNCORE_SOCKET_OUT_BYTES '
run 0 list --machine "$sim" latency
out '^  UNCORE_TOR_DRD_LATENCY_NS '
run 0 list --machine "$sim" memory bandwidth
out '^  UNCORE_MEM_READ_BYTES '
lines 0 'SOCKET_OUT'
run 0 list --machine sim:spr:packages=1 cxl
lines 2 '^CXL'
out '^  UNC_CXLCM_CLOCKTICKS '
run 0 list --machine "$sim" cas_count number UNDERFILL
out '^  UNC_M_CAS_COUNT '
lines 1 '^      :'
out '^      :RD_UNDERFILL '
run 1 list --machine "$sim" bandwidth nonsense
no_out
err 'no event of this machine matches bandwidth and nonsense in its name.*; alone, bandwidth matches [1-9][0-9]* and nonsense 0'
run 0 list --machine "$sim" UNC_M_CAS_COUNT:RD
lines 0 UNCORE_
out '^      :RD '
run 0 list --metrics --machine "$sim" UNC_M_CAS_COUNT:RD
out '^  UNCORE_MEM_READ_BYTES '
out '^      = 64 \* UNC_M_CAS_COUNT:RD$'

# ---- plan ----

run 0 plan --machine "$sim" UNCORE_MEM_READ_BYTES:pkg=1
out '^UNCORE_MEM_READ_BYTES:pkg=1$'
out '^  UNC_M_CAS_COUNT:RD:pkg=1  *[0-3]  *imc0-3 of package 1$'
run 0 plan --machine "$sim" --json UNCORE_MEM_READ_BYTES:pkg=1
json
out '"term":"UNC_M_CAS_COUNT:RD:pkg=1"'
run 1 plan --machine "$sim" UNCORE_LLC_MISS_RATIO
out '^This event cannot be counted:$'
out '^Why: UNCORE_LLC_MISS_RATIO cannot be measured in one window: .* and .*; UNCORE_LLC_MISS_RATIO_SPLIT counts'
lines 0 'Remedy'

run 0 --machine "$sim" plan uncore:::unc_m_cas_count:rd UNC_U_CLOCKTICKS:pkg=1
out '^UNC_M_CAS_COUNT:RD  *[0-3]  *imc0-3 of packages 0-1$'
out '^UNC_U_CLOCKTICKS:pkg=1  *fixed  *ubo0 of package 1$'
lines 0 '^  write\|^filters\|^setup'
for option in -v --operations; do
	run 0 --machine "$sim" plan $option uncore:::unc_m_cas_count:rd UNC_U_CLOCKTICKS:pkg=1
	out '^UNC_M_CAS_COUNT:RD  '
	out '^  write *package 0  pci 10.0+0xf4  *32 bits  0x10102$'
	out '^setup: '
	out '^restore: '
done
run 0 --machine "$sim" plan UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=3 UNC_C_CLOCKTICKS
out '^UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=3  *[01]  *cbo3 of packages 0-1$'
lines 1 '0xc1000000'
out '^  cbo3 of packages 0-1: 0xc1000000$'

# The commands that are used most with an example each, all of them, and a search
run 0 --help
lines 7 '^  uncore [a-z]'
lines 7 '^ *\$ .*uncore [a-z]'
out 'uncore help -a'
cp "$tmp/out" "$tmp/help"
run 0 help
cmp -s "$tmp/out" "$tmp/help" || fail "uncore help is not uncore --help"
run 0 help -a
lines 20 '^  uncore [a-z]'
run 0 help monitoring group
lines 1 '^  uncore restore '
out '^  uncore stat --share  '
run 0 help INFLUXDB
lines 1 .
out '^  uncore stat --influx  .*InfluxDB'
run 2 help exportr
err 'did you mean exporter'
run 2 help no such words

# A search: boxes of that name, then names, then descriptions; perf's names
first() {
	sed -n 's/^  \(UNC[A-Za-z0-9_]*\).*/\1/p' "$tmp/out" | head -n 1
}
run 0 --machine sim:skx list upi
[ "$(first)" = UNC_UPI_CLOCKTICKS ] || fail "list upi begins with $(first)"
[ "$(sed -n 's/^  \(UNC[A-Za-z0-9_]*\).*/\1/p' "$tmp/out" | sort | uniq -d)" = "" ] || fail "list upi repeats events"
names=$(sed -n 's/^  \(UNC[A-Za-z0-9_]*\).*/\1/p' "$tmp/out" | grep -n UPI | tail -n 1)
texts=$(sed -n 's/^  \(UNC[A-Za-z0-9_]*\).*/\1/p' "$tmp/out" | grep -nv UPI | head -n 1)
[ "${names%%:*}" -lt "${texts%%:*}" ] || fail "list upi: $texts before $names"
run 0 --machine sim:skx list l3
[ "$(first)" = UNCORE_LLC_LOOKUPS ] || fail "list l3 begins with $(first)"
out 'UNC_C_LLC_LOOKUP'
run 0 --machine "$sim" list uncore_imc
[ "$(first)" = UNC_M_CLOCKTICKS ] || fail "list uncore_imc begins with $(first)"
sed -n 's/^  \(UNC[A-Za-z0-9_]*\).*/\1/p' "$tmp/out" | grep -qv '^UNC_M_' && fail "list uncore_imc lists other boxes"
run 0 --machine "$sim" list uncore_cbox_3 lookup
[ "$(first)" = UNC_C_LLC_LOOKUP ] || fail "list uncore_cbox_3 lookup begins with $(first)"
run 0 --machine sim:skx list llc_misses.mem_read
[ "$(first)" = UNC_M_CAS_COUNT ] || fail "list llc_misses.mem_read begins with $(first)"
run 1 --machine "$sim" list uncore_none

# The kernel's driver is not there: as its sources have it.  With it: tests/lab/cases/perf.sh
run 0 --machine "$sim" plan --perf UNC_M_CAS_COUNT:RD:box=2
out '^uncore_imc_2/config=0x304/$'
lines 1 .
run 0 --machine "$sim" plan --perf UNCORE_MEM_READ_BYTES
lines 4 '^uncore_imc_[0-3]/config=0x304/$'
run 0 --machine "$sim" plan --perf UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=3
out '^uncore_cbox_3/config=0x135,config1=0xc1000000/$'
run 3 --machine "$sim" plan --perf ix86arch::INSTRUCTION_RETIRED
err 'core counters are not supported'

# One event on one channel, whole: facts that are independent of the planner are
# the registers and bits (uncore manual 327043), the order is the contract.
run 0 --machine "$sim" plan --json UNC_M_CAS_COUNT:RD:box=0:pkg=0
json
counter=$(sed 's/.*"counter":\([0-3]\).*/\1/' "$tmp/out")
control=$(printf '0x%x' $((0xd8 + 4 * counter)))
value=$(printf '0x%x' $((0xa0 + 8 * counter)))
pci='"space":"pci","package":0,"device":"10.0"'
checks= # the reset clears the other counters, too: they must be unused
for other in 0xd8 0xdc 0xe0 0xe4 0xf0; do
	[ $other = "$control" ] ||
		checks="$checks{\"op\":\"read\",$pci,\"address\":\"$other\",\"width\":32,\"value\":\"0x0\",\"mask\":\"0x400000\"},"
done
# whether another tool has frozen the box
runs="{\"op\":\"read\",$pci,\"address\":\"0xf4\",\"width\":32,\"value\":\"0x10000\",\"mask\":\"0x10100\"}"
cat >"$tmp/want" <<END
{"feasible":true,"events":[{"name":"UNC_M_CAS_COUNT:RD:box=0:pkg=0","placements":[{"package":0,"box":"imc0","counter":$counter}]}],
"setup":[{"op":"read",$pci,"address":"0xf4","width":32},
$checks{"op":"read",$pci,"address":"$control","width":32},
{"op":"write",$pci,"address":"0xf4","width":32,"value":"0x10102"},
{"op":"write",$pci,"address":"$control","width":32,"value":"0x400304"}],
"start":[{"op":"write",$pci,"address":"0xf4","width":32,"value":"0x10000"},
$runs],
"read":[{"op":"read",$pci,"address":"$value","width":64}],
"stop":[$runs,
{"op":"write",$pci,"address":"0xf4","width":32,"value":"0x10100"},
{"op":"read",$pci,"address":"$control","width":32,"value":"0x400304","mask":"0xffc4ffff"}],
"restore":[{"op":"write",$pci,"address":"$control","width":32,"value":"0x0","saved":true},
{"op":"write",$pci,"address":"0xf4","width":32,"value":"0x0","saved":true}]}
END
[ "$(tr -d '\n' <"$tmp/want")" = "$(cat "$tmp/out")" ] || fail "$what: other JSON than $(cat "$tmp/want")"

run 0 --machine "$sim" plan --json UNC_C_TOR_INSERTS:OPCODE:OPC_DRD UNC_U_CLOCKTICKS UNC_M_CAS_COUNT
json
out '"box":"ubo0","counter":2,"fixed":true'
out '{"op":"write","space":"msr","package":1,"address":"0xdf4","width":64,"value":"0xc1000000"}'

run 1 plan --machine "$sim" --json UNC_C_RXR_OCCUPANCY:IRQ UNC_C_CLOCKTICKS UNC_C_TOR_OCCUPANCY:ALL
json
no_err
out '^{"feasible":false,"conflict":\["UNC_C_RXR_OCCUPANCY:IRQ","UNC_C_TOR_OCCUPANCY:ALL"\],"reason":"[^"]*counter 0 of cbo[^"]*"}$'
run 1 plan --machine "$sim" UNC_C_RXR_OCCUPANCY:IRQ UNC_C_TOR_OCCUPANCY:ALL
out '^These events cannot be counted at the same time:$'
out '^  UNC_C_RXR_OCCUPANCY:IRQ$'
out '^Why: .*counter 0 of cbo'
out '^Remedy: multiplex them with .uncore stat --multiplex., or leave out one of them\.$'
# Only counter 0 counts occupancies; clock ticks fit into both rounds.
run 0 plan --machine "$sim" --multiplex UNC_C_RXR_OCCUPANCY:IRQ UNC_C_CLOCKTICKS UNC_C_TOR_OCCUPANCY:ALL
out '^round 1 of 2$'
out '^round 2 of 2$'
for lines in UNC_C_RXR_OCCUPANCY:IRQ=1 UNC_C_TOR_OCCUPANCY:ALL=1 UNC_C_CLOCKTICKS=2; do
	[ "$(grep -c "^ *${lines%=*} " "$tmp/out")" -eq "${lines#*=}" ] ||
		fail "plan --multiplex: not ${lines#*=} rounds with ${lines%=*}: $(cat "$tmp/out")"
done
run 0 plan --machine "$sim" --multiplex --json UNC_C_RXR_OCCUPANCY:IRQ UNC_C_CLOCKTICKS UNC_C_TOR_OCCUPANCY:ALL
out '^{"feasible":false,"rounds":\[{"events":\[{.*}\]},{"events":\[{.*}\]}\]}$'
run 0 plan --machine "$sim" --multiplex UNC_C_CLOCKTICKS
run 1 plan --machine "$sim" --multiplex UNCORE_LLC_MISS_RATIO
out '^Why: '
run 2 plan --machine "$sim" --multiplex -v UNC_C_CLOCKTICKS
err "cannot be combined with --operations"

# Wrong names: status 2, a message that helps, and nothing else.
for name in UNC_M_CAS_COUNTS UNC_M_CAS_COUNT:RDD UNC_M_CAS_COUNT:box=9 UNC_M_CAS_COUNT:pkg=2 \
	UNC_M_CAS_COUNT:t=x 'UNC_M_CAS_COUNT RD' UNC_M_CAS_COUNT:RD:cpu=999 nosuch_pmu::UNC_M_CAS_COUNT \
	snbep_unc_cbo::RAW snbep_unc_cbo::RAW:config=0x100000000 ''; do
	run 2 --machine "$sim" plan --json UNC_U_CLOCKTICKS "$name"
	no_out
	err '^uncore: .'
done
run 2 --machine "$sim" plan UNC_M_CAS_COUNTS
err 'did you mean UNC_M_CAS_COUNT?'
run 3 --machine sim:snbep:hide=3c86 plan UNC_Q_CTO_COUNT:match=1:mask=1
err 'which are in a PCI device hidden by the firmware'

# ---- stat ----

# On a busy computer each read of an interval may be interrupted, so the rate may be off: five tries, longer ones last.
hertz='"event":"UNCORE_FREQUENCY","units":"Hz","count":22[0-9]\{8\}[^0-9]'
for run in '0.2 -i 80' '0.2 -i 80' '0.8 -i 320' '1.6 -i 640' '3.2 -i 1280'; do
	# shellcheck disable=SC2086
	run 0 --machine "$sim" stat -d $run --json -e UNCORE_FREQUENCY,UNCORE_MEM_READ_BYTES
	[ "$(grep -c -e "$hertz" "$tmp/out")" -ne 4 ] || break
done
json
lines 4 "$hertz" # three intervals, of which the last one is shorter, and the total
run 0 --machine "$sim,time=virtual" stat -d 0.05 -e UNCORE_INGRESS_LATENCY_NS
out '^ *-  ns  *UNCORE_INGRESS_LATENCY_NS$'
run 0 --machine "$sim,time=virtual" stat -d 0.05 --json -e UNCORE_INGRESS_LATENCY_NS
out '"units":"ns","count":null'

run 0 --machine "$sim" stat -e UNC_M_CAS_COUNT:RD,UNC_U_CLOCKTICKS -e UNC_M_CAS_COUNT:WR -- sh -c 'sleep 0.2; echo mine'
[ "$(cat "$tmp/out")" = mine ] || fail "$what: standard output is not the program's"
err '^SIMULATED Intel Xeon'
err '^ *[1-9][0-9,]*  lines  *[0-9.]* M/s  UNC_M_CAS_COUNT:RD$'
err '^ *[1-9][0-9,]*  cycles  *[0-9.]* GHz  UNC_U_CLOCKTICKS$'
err '^ *[1-9][0-9,]*  lines  *[0-9.]* M/s  UNC_M_CAS_COUNT:WR$'
run 0 stat --machine "$sim" true
err 'UNCORE_MEM_BYTES (system)$'
run 7 stat --machine "$sim" -- sh -c 'exit 7'
run 137 stat --machine "$sim" -- sh -c 'kill -9 $$'
run 127 stat --machine "$sim" nonsense-command
err 'nonsense-command: No such file'
run 126 stat --machine "$sim" /
run 2 stat --machine "$sim" -e UNC_NONSENSE -- touch "$tmp/ran"
run 1 stat --machine "$sim" -e UNC_C_RXR_OCCUPANCY:IRQ,UNC_C_TOR_OCCUPANCY:ALL -- touch "$tmp/ran"
err 'counter 0 of cbo'
[ ! -e "$tmp/ran" ] || fail "$what: the command ran although nothing was counted"
run 0 stat --machine "$sim" --multiplex=2 -d 0.2 -e UNC_C_RXR_OCCUPANCY:IRQ,UNC_C_TOR_OCCUPANCY:ALL,UNC_U_CLOCKTICKS
out '^  *count  units  *rate  counted  event$'
out '  [1-9][0-9.]* %  UNC_C_TOR_OCCUPANCY:ALL$'
out '  100.0 %  UNC_U_CLOCKTICKS$'
run 0 stat --machine "$sim" --multiplex -d 0.01 -e UNC_U_CLOCKTICKS
lines 0 ' %  '
run 0 stat --machine "$sim" --multiplex --json -d 0.1 -e UNC_C_RXR_OCCUPANCY:IRQ,UNC_C_TOR_OCCUPANCY:ALL
json
out '"counted":[1-9][0-9]*,"enabled_ns":[1-9][0-9]*,"running_ns":[1-9]'
run 2 stat --machine "$sim" --multiplex=soon -d 0.01
run 3 stat --machine "$sim" -o "$tmp/no/file" -- touch "$tmp/ran"

run 0 stat --machine "$sim" --json -i 100 -d 0.55
json
out '^{"kind":"interval","simulated":true,.*"event":"UNCORE_MEM_READ_BYTES:pkg=1","units":"bytes","count":[1-9]'
lines 1 '^{"kind":"total",'
run 0 stat --machine "$sim" -o "$tmp/file" -d 0.01
no_out
no_err
grep -q SIMULATED "$tmp/file" || fail "$what: the file does not say that the machine is simulated"

# Until an event has occurred so often: by hardware, by polling, not at all.
clock=UNC_C_CLOCKTICKS:box=3:pkg=0
run 0 stat --machine sim:ivbep --until $clock=1000000 -e UNC_M_CAS_COUNT:RD:pkg=0
no_err
out "^ *1,000,0[0-9][0-9]  cycles  *[0-9.]* [MG]Hz  $clock\$"
out '^  1000000 reached, and [0-9]* more before counting stopped by overflow$'
run 0 stat --machine "$sim" --until $clock=0x1000
out '^  4096 reached, and [0-9]* more before counting stopped by polling$'
out '^  not exact: stopping all counters on overflow'
run 5 stat --machine sim:hswep --json --until $clock=1000000 -o "$tmp/file" -- sh -c 'sleep 0.1; exit 5'
grep -q '"until":\[{"event":"'$clock'",.*"reached":true,"past":[0-9]*,"exact":true}' "$tmp/file" ||
	fail "$what: the file does not say what stopped it"
run 0 stat --machine sim:hswep --until $clock=0xffffffffffff -d 0.01
out '^  281474976710655 was not reached$'
run 2 stat --machine sim:ivbep --until UNC_C_CLOCKTICKS=5
err 'is counted by 20 counters, and'
run 2 stat --machine sim:ivbep --until $clock=0x100000000000
err 'its counter has 44 bits'
run 2 stat --machine sim:ivbep --until $clock
err 'expected EVENT=N'
run 2 stat --machine sim:ivbep --until $clock=many
# The U-Box clock, and a core that gets an interrupt.
run 0 stat --machine sim:ivbep --until UNC_U_CLOCKTICKS:pkg=0=100000
no_err
out '^  100000 reached, and [0-9]\{1,3\} more before counting stopped by overflow$'
run 0 stat --machine sim:skx --until UNC_U_CLOCKTICKS:pkg=0=100000 --pmi-core 3
err 'may report an unknown NMI'
run 3 stat --machine sim:ivbep --until $clock=1000 --pmi-core 15
err 'invalid cores 0x8000'
run 2 stat --machine sim:ivbep --until $clock=1000 --pmi-core first
err 'expected the number of a core'
run 2 stat --machine sim:ivbep --until $clock=1000 --pmi-core 64
run 2 stat --machine sim:ivbep -e $clock --pmi-core 3
err 'pmi-core requires --until'
run 3 stat --machine sim:snbep --until $clock=1000 --pmi-core 3
run 0 plan -v --machine sim:skx --until UNC_U_CLOCKTICKS:pkg=0=100000 --pmi-core 3
out 'change  *package 0  msr 0x700  *64 bits  0x8 under mask 0xfffffff'
run 0 plan -v --machine sim:ivbep --until $clock=1000000 UNC_H_CLOCKTICKS:pkg=0
out 'write  *package 0  msr 0xd79  *64 bits  0xffffff0bdc0$'

# Interrupted without a command: the counts are shown.
what="uncore stat, interrupted"
for seconds in 1 4 16; do # a busy computer may start it late
	timeout -s INT $seconds "$tool" stat --machine "$sim" >"$tmp/out" 2>"$tmp/err"
	if grep -q ' seconds$' "$tmp/out"; then break; fi
done
out 'UNCORE_MEM_WRITE_BYTES (system)'

# ---- the example of one reader per node ----

# metrics RANK: the metrics that it passes to TAU
metrics() {
	unset TAU_METRICS
	OMPI_COMM_WORLD_LOCAL_RANK=$1 sh "$SRC/examples/mpi_node_leader.sh" sh -c 'echo "$TAU_METRICS"'
}
what="examples/mpi_node_leader.sh"
others=$(metrics 1)
case $others in
*PAPI* | '') fail "$what: rank 1 counts $others" ;;
*,*) ;;
*) fail "$what: one metric, $others: rank 1 has its profile where rank 0 has none" ;;
esac
case $(metrics 0) in
"$others",PAPI_NATIVE_uncore:::*,PAPI_NATIVE_uncore:::*) ;;
*) fail "$what: rank 0 lacks metrics of the other ranks" ;;
esac

# ---- recordings of tests/machines as files ----

what="recorded_machines"
"$BUILD/tests/recorded_machines" >"$tmp/out" 2>"$tmp/err"
lines 160 '^pci-[0-9]* '
lines 38 '^cpuid-[0-9]* '
lines 4 '^tree-[0-9]* '
for name in pci-1 cpuid-2 tree-3; do
	"$BUILD/tests/recorded_machines" $name >"$tmp/$name.json"
done
run 0 show --machine "file:$tmp/pci-1.json"
out '^RECORDED Intel Xeon E5/E7 v4'
out '^  cbo  *16 '
what="uncore show, UNCORE_MACHINE=file:FILE"
cp "$tmp/out" "$tmp/by_option"
UNCORE_MACHINE=file:$tmp/pci-1.json "$tool" show >"$tmp/out" 2>"$tmp/err"
cmp -s "$tmp/by_option" "$tmp/out" || fail "$what: another machine than by --machine"
run 0 show --machine "file:$tmp/cpuid-2.json"
out '^RECORDED Intel Xeon 7500'
run 0 plan --machine "file:$tmp/tree-3.json" UNC_B_IMT_INSERTS_ALL
out '^UNC_B_IMT_INSERTS_ALL  *1  *bbox0-1 of packages 0-3$'
if "$BUILD/tests/recorded_machines" pci-161 >"$tmp/out" 2>"$tmp/err"; then
	fail "recorded_machines pci-161: exit status 0"
fi
err 'there is no pci-161'

[ $failures -eq 0 ]
