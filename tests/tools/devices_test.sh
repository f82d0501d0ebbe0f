#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# devices_test.sh - devices in the output of commands: `show --devices`, events with dev=, labels of stat, top,
# explain and who; on simulated machines, on mounted ones with the kernel's files, and through uncored.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_ACCESS UNCORE_DAEMON COLUMNS
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"
tool=$BUILD/uncore
# shellcheck source=tests/support/lines.sh
. "$SRC/tests/support/lines.sh"

# run STATUS WORD...
run() {
	status=$1
	shift
	"$tool" "$@" >"$tmp/out" 2>&1
	code=$?
	[ $code -eq "$status" ] || fail "uncore $*: status $code: $(cat "$tmp/out")"
}

# run_until PATTERN STATUS WORD...: again while a busy computer disturbs the counts, five times at most
run_until() {
	pattern=$1 wanted=$2
	shift 2
	for _ in 1 2 3 4; do
		if "$tool" "$@" >"$tmp/out" 2>&1; then code=0; else code=$?; fi
		[ $code -ne "$wanted" ] || ! grep -qE -e "$pattern" "$tmp/out" || return 0
	done
	run "$wanted" "$@"
	says "$pattern"
}

# field OBJECT KEY: a text or a number of a JSON object
field() {
	printf '%s' "$1" | sed -nE "s/.*\"$2\":\"?([^\",}]*)\"?[,}].*/\1/p"
}

# device NAME: its object in the list
device() {
	sed 's/{"address"/\n&/g' "$tmp/list" | grep -F "\"names\":[\"$1\"]"
}

# list ARGUMENT...: the devices, in $tmp/list
list() {
	run 0 show --devices --json "$@"
	cp "$tmp/out" "$tmp/list"
}

# ---- simulated machines ----

list --machine sim:skx:devices=1
names=$(grep -o '"names":\["[a-z0-9_]*"' "$tmp/list" | cut -d '"' -f 4)
# shellcheck disable=SC2086
set -- $names
[ $# -gt 20 ] || fail "only $# devices: $names"
run 0 show --devices --machine sim:skx:devices=1
for name; do
	grep -qE "^  $name  *$(field "$(device "$name")" address) " "$tmp/out" || fail "no row of $name"
done
says '^  eth14 .* -  '
says '^counted together$'
says '^  port [0-9a-f:.]*: eth13, eth14 \(virtual function\), eth15 \(virtual function\)$'

# the events of the list can be counted, in the box and part of the list
one=$(device eth13)
box=$(field "$one" box) package=$(field "$one" package)
part=$(printf '%s' "$one" | sed -nE 's/.*"parts":\[([0-9]*)\].*/\1/p')
for event in $(printf '%s' "$one" | sed -E 's/.*"events":\[([^]]*)\].*/\1/' | tr '",' '  '); do
	run 0 plan "$event:dev=eth13" --machine sim:skx:devices=1
	says "(_PART|:PART|part=)$part.*box=${box#iio}:pkg=$package"
	says '^uncore: counts of dev=eth13 include the traffic of eth14, eth15: '
done

# a device alone has no warning
run 0 plan UNCORE_PCIE_READ_BYTES:dev=mlx5_26 --machine sim:skx:devices=1
grep -q '^uncore: counts' "$tmp/out" && fail "a warning about a device alone"

# devices without a known part, with the reason and what to do
run 0 show --devices --machine sim:spr:devices=2
says '^box or part unknown$'
says '^  sd2, eth3 \(0000:24:00.0\): the part of 0000:20:05.0 in stack PCIe4'
run 2 show --devices --core
run 0 show --devices --machine sim:emr
says '^No PCI devices'
run 0 show --devices --json --machine sim:bdx
says '"devices":\[\]'

# the traffic of a simulated machine is not that of a command
list --machine sim:emr:devices=1,packages=1
name=$(sed -nE 's/[^]]*"names":\["([a-z0-9_]*)".*/\1/p' "$tmp/list")
none="^uncore: cannot tell the box of $name: no stack counted 1 MB more than in the background"
run_until "$none" 1 show --devices --measure "$name" --machine sim:emr:devices=1,packages=1 -- true
run_until "$none" 1 show --devices --measure "$name" --json --machine sim:emr:devices=1,packages=1 -- true
grep -q '^{' "$tmp/out" && fail "an object without a box"
run 3 show --devices --measure "$name" --machine sim:emr:devices=1,packages=1 -- false
says '^uncore: false: exit status 1'
run 2 show --devices --measure nothing0 --machine sim:emr:devices=1 -- true
says '^uncore: no device nothing0'

# an address that is not in the list: a DMA engine
grep -q '"0000:00:04.0"' "$tmp/list" && fail "the DMA engine is in the list"
for address in 0000:00:04.0 00:04.7 0000_00_04.0; do
	run_until "^uncore: cannot tell the box of $address: no stack counted 1 MB more" \
		1 show --devices --measure $address --machine sim:skx:devices=1 -- true
done
run 2 show --devices --measure 0000:00:03.0 --machine sim:skx:devices=1 -- true
says '^uncore: no PCI device 0000:00:03.0 on this machine'

# ---- labels ----

run 0 stat -M pcie -d 0.05 --machine sim:skx:devices=1
says "^ *UNCORE_IIO_READ_BYTES:part=$part:box=${box#iio}:pkg=$package \(eth13, eth14, eth15\)$"
says "^ *UNCORE_IIO_READ_BYTES:part=1:box=${box#iio}:pkg=$package \(mlx5_10\)$"
# a stack with more ports than counters: they are counted one after another, and the package all the time
run_until ' 100.0 %  UNCORE_PCIE_READ_BYTES$' 0 stat -M pcie -d 0.3 --machine sim:icx:devices=3
says '^ *UNCORE_IIO_READ_BYTES:part=3:box=4:pkg=0 \(eth13, eth14, eth15\)$'
run 0 stat -M pcie -d 0.05 --machine sim:skx
grep -q IIO "$tmp/out" && fail "rows of stacks without devices"
run 0 stat --json -d 0.05 -e UNC_IIO_DATA_REQ_OF_CPU:MEM_READ:dev=mlx5_26 --machine sim:skx:devices=1
says '"devices":"mlx5_26"'
run 0 top --once -i 50 --machine sim:skx:devices=1
says '^PCIe devices  *to devices  to memory$'
says '^  iio.part  *2.0  *3.1  *3.2  *3.3$'
says "^$box part $part of socket $package: eth13, eth14, eth15$"
run 0 top --once --json -i 50 --machine sim:skx:devices=1
says '"box":"iio3","part":1,"devices":"nvme2, eth3"'

# ---- native code on the kernel's files ----

if ! has_mounts; then
	echo "not tried: mounted machines: $reason"
	[ $failures -eq 0 ]
	exit
fi
machine=sim:skx:devices=1,packages=1,cores=4
list --machine $machine
sed 's/"simulated":true,//' "$tmp/list" >"$tmp/simulated"
"$tool" sim mount --background --machine $machine "$dir" >"$tmp/mount" || fail "cannot mount $machine"
export UNCORE_SYSROOT="$dir" UNCORE_JOURNAL="$tmp"
list
sed 's/"simulated":true,//' "$tmp/list" | cmp -s - "$tmp/simulated" ||
	fail "the kernel's files show other devices: $(cat "$tmp/list")"
name=$(sed -nE 's/.*"names":\["([a-z0-9_]*)".*/\1/p' "$tmp/list" | head -n 1)
run 0 stat --json -d 0.05 -e "UNCORE_PCIE_WRITE_BYTES:dev=$name"
says "\"devices\":\"[^\"]*$name"

# ---- a device that is renamed, and unplugged while it is counted ----

# a root with files of its own for devices, so that they can be changed
root=$tmp/root
mkdir -p "$root/sys/bus/pci/devices"
for entry in "$dir"/*; do
	[ "${entry##*/}" = sys ] || ln -s "$entry" "$root/"
done
for entry in "$dir"/sys/*; do
	case ${entry##*/} in
	bus) ;;
	class | devices) cp -a "$entry" "$root/sys/" ;;
	*) ln -s "$entry" "$root/sys/" ;;
	esac
done
for entry in "$dir"/sys/bus/pci/devices/*; do
	if [ -L "$entry" ]; then
		cp -a "$entry" "$root/sys/bus/pci/devices/"
	else
		ln -s "$entry" "$root/sys/bus/pci/devices/"
	fi
done
export UNCORE_SYSROOT="$root"
class=$(find "$root/sys/class" -name "$name" | head -n 1)
address=$(field "$(device "$name")" address)
run 0 plan "UNCORE_PCIE_WRITE_BYTES:dev=$name"
grep -v '^uncore:' "$tmp/out" >"$tmp/plan"
cp -a "$class" "${class%/*}/renamed0" && rm "$class"
run 2 plan "UNCORE_PCIE_WRITE_BYTES:dev=$name"
says "^uncore: no device $name on this machine"
run 0 plan UNCORE_PCIE_WRITE_BYTES:dev=renamed0
grep -v '^uncore:' "$tmp/out" | cmp -s - "$tmp/plan" || fail "a renamed device is another one: $(cat "$tmp/out")"

: >"$tmp/intervals"
"$tool" stat --json -i 100 -d 100 -e UNCORE_PCIE_WRITE_BYTES:dev=renamed0 >"$tmp/intervals" 2>&1 &
stat=$!
# has_intervals N: that many were printed
# shellcheck disable=SC2317 # soon calls it
has_intervals() {
	[ "$(grep -c interval "$tmp/intervals")" -ge "$1" ]
}
soon has_intervals 2 || fail "nothing is counted: $(cat "$tmp/intervals")"
rm -r "$root/sys/bus/pci/devices/$address" "${class%/*}/renamed0"
before=$(grep -c interval "$tmp/intervals")
soon has_intervals $((before + 3)) || fail "counting ended with the device: $(cat "$tmp/intervals")"
kill -INT "$stat"
wait "$stat"
grep interval "$tmp/intervals" | grep -v '"count":[1-9]' && fail "an interval without bytes: the port still has traffic"
run 2 plan UNCORE_PCIE_WRITE_BYTES:dev=renamed0
run 2 plan "UNCORE_PCIE_WRITE_BYTES:dev=$address"
export UNCORE_SYSROOT="$dir"

# ---- through uncored ----

start_daemon
if grep -q ready "$tmp/daemon.err"; then
	export UNCORE_ACCESS=daemon UNCORE_DAEMON="$tmp/socket"
	list
	sed 's/"simulated":true,//' "$tmp/list" | cmp -s - "$tmp/simulated" ||
		fail "uncored shows other devices: $(cat "$tmp/list")"
	run 0 stat --json -d 0.05 -e "UNCORE_PCIE_WRITE_BYTES:dev=$name"
	says '"count":[1-9]'
else
	echo "not tried: uncored: $(cat "$tmp/daemon.err")"
fi

[ $failures -eq 0 ]
