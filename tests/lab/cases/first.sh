# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The kernel believes in the machine, and so do we: as many C-Boxes as the driver has,
# and a count comes through real /dev/cpu/N/msr files.
#
# platforms: snbep nhmex bdx
# programs: $B/uncore $B/lab/bin/msr

pmus=/sys/bus/event_source/devices

case $LAB_PLATFORM in
snbep) cpu='Sandy Bridge-EP' kind=cbo event=UNC_C_CLOCKTICKS counter=0xd79 ;;
bdx) cpu='Broadwell-EP' kind=cbo event=UNC_C_CLOCKTICKS counter=0xe3b ;;
nhmex) cpu='Nehalem-EX|7500' kind=cbox event=UNC_C_SINKS_P2C:ALL counter=0xddb ;;
esac
says "uncore show names the CPU" "$cpu" uncore show
theirs=$(find $pmus -name 'uncore_cbox_*' | wc -l)
ours=$(uncore show -v | sed '/^package 1/,$d' | grep -cE "^ *${kind}[0-9]+ +msr")
echo "$theirs C-Boxes in the driver, $ours here, $LAB_CORES cores"
check "as many C-Boxes as the driver has" test "$theirs" -eq "$LAB_CORES" -a "$ours" -eq "$theirs"
check "nothing counts by itself" uncore stat -e "$event":box=3:pkg=1 -- true
says "a count comes through" '\b(12,?345)\b' \
	uncore stat -e "$event":box=3:pkg=1 -- msr 1 "$counter" 12345
