#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# on_simulated.sh DIR COMMAND... - run a program that does not support UNCORE_SYSROOT on the
# machine mounted by `uncore sim mount DIR`: in a separate mount namespace in which the
# files of DIR replace those of this computer.  Requires root.
#
#	uncore sim mount --background --machine sim:snbep /tmp/xeon
#	sh on_simulated.sh /tmp/xeon rdmsr -a 0xd10
#	fusermount3 -u /tmp/xeon
#
# The CPUID instruction still describes this computer.

set -eu

if [ $# -lt 2 ] || [ ! -e "$1/sim/machine" ]; then
	echo "usage: $0 DIR COMMAND...; DIR is the mount point of \`uncore sim mount\`" >&2
	exit 2
fi

# /dev is a separate file system, because no entries can be added to this computer's.
# shellcheck disable=SC2016
exec unshare --mount sh -c '
	set -eu
	dir=$1
	shift
	mount --make-rprivate /
	mount --rbind "$dir/sys/bus" /sys/bus
	mount --bind "$dir/sys/devices/system" /sys/devices/system
	[ ! -d /sys/firmware/acpi/tables ] ||
		mount --bind "$dir/sys/firmware/acpi/tables" /sys/firmware/acpi/tables
	mount --bind "$dir/proc/cpuinfo" /proc/cpuinfo
	mount --bind "$dir/proc/bus" /proc/bus
	# the journals of this machine are separate from those of the computer
	mount --bind "$dir/proc/sys/kernel/random/boot_id" /proc/sys/kernel/random/boot_id
	[ ! -d /run/uncore ] || mount --bind "$dir/run/uncore" /run/uncore
	new=$(mktemp -d /tmp/dev.XXXXXX)
	mount -t tmpfs dev "$new"
	for name in null zero full random urandom tty shm pts; do
		[ -e "/dev/$name" ] || continue
		if [ -d "/dev/$name" ]; then mkdir "$new/$name"; else : >"$new/$name"; fi
		mount --rbind "/dev/$name" "$new/$name"
	done
	mkdir "$new/cpu"
	: >"$new/mem"
	mount --bind "$dir/dev/cpu" "$new/cpu"
	mount --bind "$dir/dev/mem" "$new/mem"
	mount --rbind "$new" /dev
	umount -R -l "$new"
	rmdir "$new"
	exec "$@"
' sh "$@"
