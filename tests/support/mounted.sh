# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# mounted.sh - what the scripts that mount a simulated machine have in common; they source it.
# Sets $tmp, a directory of their own, and $dir in it, where they mount.  At their end it is
# unmounted, and $tmp removed.

tmp=$(mktemp -d) || exit 1
dir=$tmp/xeon
mkdir "$dir" || exit 1

unmount() {
	fusermount3 -u "$dir" 2>/dev/null || umount "$dir"
}

# shellcheck disable=SC2317
finish() {
	[ ! -e "$dir/sim/machine" ] || unmount
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
