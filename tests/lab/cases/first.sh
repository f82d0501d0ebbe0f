# shellcheck shell=sh
# The kernel believes in the machine, and so do we: a count comes through real
# /dev/cpu/N/msr files.
#
# platforms: snbep
# programs: $B/uncore $B/lab/bin/msr

events=/sys/bus/event_source/devices

check "uncore_cbox_7 exists" test -d $events/uncore_cbox_7
says "uncore show names the CPU" "Sandy Bridge-EP|snbep" uncore show
check "nothing counts by itself" \
	uncore stat -e UNC_C_CLOCKTICKS:box=0:pkg=1 -- true
says "a count comes through" '\b(12,?345)\b' \
	uncore stat -e UNC_C_CLOCKTICKS:box=0:pkg=1 -- msr 1 0xd19 12345
