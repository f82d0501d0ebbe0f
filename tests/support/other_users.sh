# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# other_users.sh - functions for scripts that start programs as other users. Source it before
# anything is made.
#
# Expects BUILD, the build directory, in the environment.

# shellcheck disable=SC2034 # for scratch.sh
scratch_as="setpriv --reuid 65534 --regid 65534 --clear-groups"

# needs_other_users: unless it is root's, the script, which has no arguments, runs again as root of a
# user namespace, with the users that /etc/subuid lists for its user, or is skipped
needs_other_users() {
	command -v setpriv >/dev/null || {
		echo "skipped: there is no setpriv (util-linux)"
		exit 77
	}
	[ "$(id -u)" -ne 0 ] || return 0
	reason=$(unshare --user --mount --map-root-user --map-auto true 2>&1) || {
		echo "skipped: requires root, or a user namespace: $reason"
		exit 77
	}
	exec unshare --user --mount --map-root-user --map-auto sh "$0"
}

# copy_for_others TO FILE...: copies programs of BUILD, with the libraries that are not the
# system's, to a directory that other users may enter.  They start them with
# LD_LIBRARY_PATH=TO
copy_for_others() {
	to=$1
	shift
	mkdir -m 755 "$to" || return 1
	for file; do
		set -- "$BUILD/$file"
		for library in $(ldd "$1" | awk '$3 ~ /^\// && $3 !~ /^\/(usr\/)?lib/ { print $3 }'); do
			set -- "$@" "$library"
		done
		install -m 755 -t "$to" "$@" || return 1
	done
}
