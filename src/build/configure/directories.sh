#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# directories.sh create LIST DIR... - create DIRs, and write the created ones, with their parents,
#	to the file LIST
# directories.sh remove LIST DIR... - remove DIRs and the directories in LIST if they are empty
#
# `make install` and `make uninstall` call it, with DESTDIR in the environment.  Below that,
# where packages are made, this list is missing: all directories are removed, up to DESTDIR itself.

set -eu

# missing DIR: print DIR and its parents that do not exist
missing() {
	dir=$1
	while [ ! -d "$dir" ]; do
		echo "$dir"
		dir=$(dirname "$dir")
	done
}

# up DIR: print DIR and its parents up to DESTDIR
up() {
	dir=$1
	while [ "$dir" != "$stop" ] && [ "$dir" != / ] && [ "$dir" != . ]; do
		echo "$dir"
		dir=$(dirname "$dir")
	done
	echo "$stop"
}

create() {
	new=$(for dir; do missing "$dir"; done)
	# Existing directories keep their mode, which install -d would change: a group may own /usr/local.
	for dir; do
		[ -d "$dir" ] || install -d "$dir"
	done
	[ -z "$new" ] || [ -n "$stop" ] || printf '%s\n' "$new" >>"$list"
}

# The longest names first: a directory before its parent.
remove() {
	{
		printf '%s\n' "$@"
		[ -z "$stop" ] || for dir; do up "$dir"; done
		cat "$list" 2>/dev/null || :
	} | awk '!seen[$0]++ { print length($0), $0 }' | sort -rn | cut -d ' ' -f 2- >"$tmp"
	rm -f "$list"
	while read -r dir; do
		rmdir "$dir" 2>/dev/null || :
	done <"$tmp"
}

what=$1 list=$2
shift 2
stop=${DESTDIR%/}
case $what in
create) create "$@" ;;
remove)
	tmp=$(mktemp)
	trap 'rm -f "$tmp"' EXIT
	remove "$@"
	;;
esac
