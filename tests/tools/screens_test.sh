#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# screens_test.sh - every screen of the `uncore` command fits the given width,
# on simulated machines of all kinds.  Only a word that cannot be broken may be longer: one
# that stands alone in its line.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
# shellcheck source=tests/support/machines.sh
. "$SRC/tests/support/machines.sh"
# shellcheck source=tests/support/terminal.sh
. "$SRC/tests/support/terminal.sh"

unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_WRAP_POLLER UNCORE_FORCE COLUMNS
tool=$BUILD/uncore
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failures=0 screens=0 skipped=
columns=80

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# too_wide WIDTH FILE: lines with more columns than that, but for those of one word
too_wide() {
	awk -v width="$1" 'length($0) > width && NF > 1 { print length($0) ": " $0 }' "$2"
}

# fits STATUS ARGUMENT...: what the command prints is no wider than the columns
fits() {
	expected=$1
	shift
	"$tool" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	[ $status -eq "$expected" ] || fail "uncore $*: exit status $status instead of $expected"
	[ -s "$tmp/out" ] || fail "uncore $*: nothing is printed"
	too_wide $columns "$tmp/out" >"$tmp/wide"
	[ ! -s "$tmp/wide" ] || {
		fail "uncore $*: wider than $columns columns"
		head -n 5 "$tmp/wide"
	}
	screens=$((screens + 1))
}

# ---- the check itself ----

printf '%080d\n%081d\n%040d %040d\n%040d %039d\n' 1 1 1 1 1 1 >"$tmp/lines"
[ "$(too_wide 80 "$tmp/lines" | wc -l)" -eq 1 ] || fail "lines that are too wide are not found"

# ---- help and manual ----

# help_screens: of every command, by both ways
help_screens() {
	fits 0 --help
	for command in list show plan stat sim allowlist top; do
		fits 0 help $command
		fits 0 $command --help
	done
}

# manual: as `man` shows it
manual() {
	groff -man -Tascii -P-c -P-b -P-u -rLL=${columns}n "$SRC/docs/uncore.1" >"$tmp/out" 2>"$tmp/err" ||
		fail "groff cannot read uncore.1"
	[ ! -s "$tmp/err" ] || fail "uncore.1: $(cat "$tmp/err")"
	[ "$(wc -l <"$tmp/out")" -gt 100 ] || fail "uncore.1 is not shown"
	too_wide $columns "$tmp/out" >"$tmp/wide"
	[ ! -s "$tmp/wide" ] || {
		fail "uncore.1: wider than $columns columns"
		cat "$tmp/wide"
	}
}

# ---- the screens of one machine ----

# events MACHINE: two that it has, short and long
events() {
	case $1 in
	sim:nhmex* | sim:wsmex*) echo UNC_W_CLOCKTICKS UNC_C_SINKS_P2C:ALL:box=0:pkg=0 ;;
	sim:knl* | sim:gnr* | sim:srf* | sim:cwf*) echo UNCORE_CLOCKTICKS UNCORE_MEM_READ_BYTES ;;
	*) echo UNC_P_CLOCKTICKS UNCORE_TOR_DRD_LATENCY_NS ;;
	esac
}

machine_screens() {
	export UNCORE_MACHINE="$1"
	for arguments in list 'list -v' 'list memory' 'list -v memory read' 'list --metrics' \
		show 'show -v' 'show --core' allowlist; do
		# shellcheck disable=SC2086
		fits 0 $arguments
	done
	for how in plan 'plan --operations'; do
		# shellcheck disable=SC2046,SC2086
		fits 0 $how $(events "$1")
	done
	fits 0 stat -d 0.001 -e "$(events "$1" | tr ' ' ,)"
	fits 0 stat -d 0.001
	fits 0 top --once -i 50
	unset UNCORE_MACHINE
}

# ---- screens that only one machine has ----

special_screens() {
	conflict='UNC_C_RXR_OCCUPANCY:IRQ UNC_C_TOR_OCCUPANCY:ALL'
	# shellcheck disable=SC2086
	fits 1 plan --machine sim:snbep $conflict
	fits 1 plan --machine sim:snbep UNCORE_LLC_MISS_RATIO
	fits 0 stat --machine sim:snbep -d 0.05 --multiplex -e "$(echo "$conflict" | tr ' ' ,)"
	fits 0 stat --machine sim:snbep --until UNC_C_CLOCKTICKS:box=3:pkg=0=1000
	fits 0 plan -v --machine sim:skx:dies=2 UNC_C_CLOCKTICKS:box=0
	fits 0 show -v --machine sim:skx:dies=2
	fits 0 show -v --machine sim:hswep:packages=1,cores=6,slices=8,silent=yes
	fits 0 show -v --machine sim:spr:packages=1,table=zero_stride
	fits 0 show --machine sim:spr:packages=1,table=no_dvsec
	fits 0 show -v --machine sim:dmr:packages=1,dies=2,cores=2
	fits 0 plan --operations --machine sim:dmr dmr_unc_imc::RAW:config=0xff:box=0:pkg=0
	fits 0 list --machine sim:dmr
}

# ---- few columns ----

# whole FILE WIDTH NAME...: each name is in one line, which is no longer than that
whole() {
	file=$1 width=$2
	shift 2
	for name; do
		grep -qE -e "(^|[^A-Z_])$name([^A-Z_]|\$)" "$file" || fail "$name is not whole in $width columns"
		grep -E -e "$name" "$file" | awk -v width="$width" 'length($0) > width' >"$tmp/wide"
		[ ! -s "$tmp/wide" ] || fail "$name: wider than $width columns: $(cat "$tmp/wide")"
	done
}

export COLUMNS=40
UNCORE_MACHINE=sim:snbep:packages=2
export UNCORE_MACHINE
"$tool" stat -d 0.01 >"$tmp/out"
whole "$tmp/out" 40 UNCORE_MEM_READ_BYTES:pkg=0 'UNCORE_PCIE_WRITE_BYTES_SPLIT \(system\)'
"$tool" stat -d 0.02 -i 10 >"$tmp/out"
whole "$tmp/out" 40 'UNCORE_PCIE_WRITE_BYTES_SPLIT \(system\)'
"$tool" list >"$tmp/out"
whole "$tmp/out" 40 UNC_C_ISMQ_DRD_MISS_OCC
"$tool" help stat >"$tmp/out"
whole "$tmp/out" 40 'bw=64\*UNC_M_CAS_COUNT.RD/seconds'
"$tool" top --once -i 50 >"$tmp/out"
head -n 1 "$tmp/out" | grep -qE '^SIMULATED Intel Xeon( E5-2600)? +[0-9:]{8}  0\.[0-9]{2} s$' ||
	fail "the processor is cut: $(head -n 1 "$tmp/out")"
"$tool" show >"$tmp/out"
too_wide 40 "$tmp/out" >"$tmp/wide"
[ ! -s "$tmp/wide" ] || fail "show is wider than 40 columns: $(cat "$tmp/wide")"
unset COLUMNS

# tables in a file are no wider than those on a terminal of 80 columns
columns=80
fits 0 stat -d 0.02 -i 10
fits 0 stat -d 0.02 -i 10 --per-box -e UNC_M_CAS_COUNT:RD
fits 0 stat -d 0.02 -i 10 -e UNCORE_CLOCKTICKS
unset UNCORE_MACHINE

for columns in 60 80 120; do
	export COLUMNS=$columns
	help_screens
	special_screens
	machine_screens sim:skx
	machine_screens sim:snbep
done
columns=80
export COLUMNS=$columns
for machine in $(machines); do
	case $machine in
	skx | snbep) ;; # above
	dmr) ;;         # no events are published
	*) machine_screens "sim:$machine" ;;
	esac
done

# ---- where the width comes from ----

# without COLUMNS, and if it is not a number: 80 without a terminal
for width in '' 0 19 wide 100000; do
	export COLUMNS="$width"
	"$tool" list --machine sim:skx >"$tmp/other"
	COLUMNS=80 "$tool" list --machine sim:skx | cmp -s - "$tmp/other" ||
		fail "COLUMNS='$width' is not 80 columns"
done
unset COLUMNS
help_screens
COLUMNS=60 "$tool" list --machine sim:skx | cmp -s - "$tmp/other" && fail "COLUMNS=60 is 80 columns"

# one line for each event where that is wanted: as many as have a name
"$tool" list -w --machine sim:skx >"$tmp/wide"
[ "$(grep -c '^  UNC' "$tmp/wide")" -eq "$(grep -c '^  UNC' "$tmp/other")" ] || fail "list -w lists other events"
grep -q '^   ' "$tmp/wide" && fail "list -w folds lines"

# on a terminal its own width, unless COLUMNS asks for less; messages are folded there, too
if skipped=$(why_no_terminal); then
	echo "not on a terminal: $skipped"
else
	# terminal WIDTH COMMAND: what it prints on a terminal that is so wide
	terminal() {
		script -qec "stty cols $1; $2" /dev/null </dev/null | tr -d '\r' >"$tmp/out"
	}
	for width in 50 100; do
		columns=$width
		terminal $width "'$tool' list --machine sim:skx"
		too_wide $width "$tmp/out" >"$tmp/wide"
		[ ! -s "$tmp/wide" ] || fail "wider than a terminal of $width columns"
		COLUMNS=$width "$tool" list --machine sim:skx | cmp -s - "$tmp/out" ||
			fail "a terminal of $width columns is not used"
	done
	terminal 70 "COLUMNS=200 '$tool' list --machine sim:skx"
	COLUMNS=70 "$tool" list --machine sim:skx | cmp -s - "$tmp/out" || fail "wider than the terminal"
	terminal 100 "'$tool' stat --machine sim:snbep -i 10 -d 0.05 -e UNCORE_CLOCKTICKS"
	grep -q '^uncore: counting every 10 ms, for 0.05 s$' "$tmp/out" || fail "units are not shown: $(cat "$tmp/out")"
	terminal 100 "'$tool' stat --machine sim:snbep --timeout 50 -e UNCORE_CLOCKTICKS"
	grep -q '^uncore: counting for 50 ms$' "$tmp/out" || fail "the unit of --timeout is not shown: $(cat "$tmp/out")"
	terminal 100 "'$tool' stat --machine sim:snbep -i 10ms -d 50ms -e UNCORE_CLOCKTICKS"
	grep -q 'counting ' "$tmp/out" && fail "units are shown that were given"
	# shown COMMAND SENTENCE: a number without a unit
	shown() {
		terminal 100 "'$tool' $1"
		grep -q "^uncore: counting $2\$" "$tmp/out" || fail "uncore $1 does not show \"$2\": $(cat "$tmp/out")"
	}
	shown 'top --machine sim:snbep --once -i 60' 'every 60 ms'
	shown 'explain --machine sim:snbep -i 20 -d 0.1' 'for 0.1 s, every 20 ms'
	shown 'queue --machine sim:snbep -d 0.1 UNC_C_RXR_OCCUPANCY:IRQ' 'for 0.1 s'
	shown 'who --machine sim:snbep -I 500 -n 1' 'every 500 ms'
	shown 'record --machine sim:snbep -I 20 -n 2' 'every 20 ms'
	shown 'exporter --machine sim:snbep --window 50 -e UNC_NONE' 'in windows of 50 ms'
	shown 'stat --machine sim:snbep -d 2 -d 0.05 --multiplex=20 -e UNCORE_CLOCKTICKS' 'for 0.05 s, in windows of 20 ms'
	terminal 100 "'$tool' stat --machine sim:snbep -d 2 --timeout 50ms -e UNCORE_CLOCKTICKS"
	grep -q 'counting ' "$tmp/out" && fail "a number is shown that is not used"
	terminal 70 "'$tool' plan --machine sim:snbep UNC_NONE UNC_NONE"
	terminal 70 "'$tool' stat --machine sim:snbep -e $(echo "$conflict" | tr ' ' ,)"
	too_wide 70 "$tmp/out" >"$tmp/wide"
	[ "$(wc -l <"$tmp/out")" -gt 1 ] || fail "a message is not folded"
	[ ! -s "$tmp/wide" ] || fail "a message is wider than the terminal"
fi
"$tool" stat --machine sim:snbep -e "$(echo "$conflict" | tr ' ' ,)" 2>"$tmp/err"
[ "$(wc -l <"$tmp/err")" -eq 1 ] || fail "a message is folded where there is no terminal"

# ---- manual ----

if command -v groff >/dev/null; then
	columns=80
	manual
else
	skipped="there is no groff to show uncore.1 with"
fi

echo "$screens screens"
[ $failures -eq 0 ] || exit 1
[ -z "$skipped" ] || {
	echo "skipped: $skipped"
	exit 77
}
