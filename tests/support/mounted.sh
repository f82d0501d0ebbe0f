# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# mounted.sh - what the scripts that mount a simulated machine have in common; they source it.
# Sets $tmp, a directory of their own, and $dir in it, where they mount.  At their end it is
# unmounted, and $tmp removed.

tmp=$(mktemp -d) || exit 1
dir=$tmp/xeon
daemon=
mkdir "$dir" || exit 1

unmount() {
	fusermount3 -u "$dir" 2>/dev/null || umount "$dir"
}

# start_daemon OPTION...: uncored on the mounted machine, in $daemon, listening at $tmp/socket
# shellcheck disable=SC2120 # some scripts have no options for it
start_daemon() {
	: >"$tmp/daemon.err" # not in the background only, where the shell does it, too
	"$BUILD/uncored" --sysroot "$dir" --socket "$tmp/socket" "$@" 2>"$tmp/daemon.err" &
	daemon=$!
	while ! grep -q ready "$tmp/daemon.err" && kill -0 "$daemon" 2>/dev/null; do
		sleep 0.02
	done
}

# end_daemon -SIGNAL: and how it ended, in $status
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
