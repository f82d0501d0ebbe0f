# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# mounted.sh - functions for scripts that mount a simulated machine. Source it. Sets $tmp to a
# private directory and $dir to the mount point in it. When the script exits, the machine is
# unmounted and $tmp removed.

# shellcheck source=tests/support/soon.sh
. "$SRC/tests/support/soon.sh"

# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
dir=$tmp/xeon
daemon=
mkdir "$dir" || exit 1

unmount() {
	fusermount3 -u "$dir" 2>/dev/null || umount "$dir"
}

# has_mounts: whether machines can be mounted here; $reason says why not.  Any other failure ends the test
has_mounts() {
	if "$BUILD/uncore" sim mount --background --machine sim:snbep:packages=1,cores=1 "$dir" >"$tmp/mount" 2>&1; then
		unmount
		return 0
	fi
	reason=$(sed -n 's|.*cannot mount at [^ ]*: |nothing can be mounted here: |p
		s|^uncore: \(.*/dev/fuse\)|nothing can be mounted here: \1|p' "$tmp/mount")
	[ -z "$reason" ] || return 1
	cat "$tmp/mount"
	exit 1
}

# needs_mounts: the script is skipped where machines cannot be mounted
needs_mounts() {
	has_mounts || {
		echo "skipped: $reason"
		exit 77
	}
}

# answers: the daemon has reported that it is ready, or has ended
# shellcheck disable=SC2317 # soon calls it
answers() {
	grep -q ready "$tmp/daemon.err" || ! kill -0 "$daemon" 2>/dev/null
}

# start_daemon OPTION...: runs uncored on the mounted machine, listening on $tmp/socket; its
# process id is $daemon
# shellcheck disable=SC2120 # some scripts pass no options
start_daemon() {
	: >"$tmp/daemon.err" # not in the background only, where the shell does it, too
	"$BUILD/uncored" --sysroot "$dir" --socket "$tmp/socket" "$@" 2>"$tmp/daemon.err" &
	daemon=$!
	await answers
}

# end_daemon -SIGNAL: leaves the exit status in $status
end_daemon() {
	[ -z "$daemon" ] || kill "$1" "$daemon" 2>/dev/null
	[ -z "$daemon" ] || wait "$daemon"
	# shellcheck disable=SC2034
	status=$?
	daemon=
}

# shellcheck disable=SC2317
finish() {
	end_daemon -TERM
	[ ! -e "$dir/sim/machine" ] || unmount
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM
