#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# directories.sh create LIST DIR... - create DIRs, and write into the file LIST which of
#	them, and of those above them, were not there
# directories.sh remove LIST DIR... - remove DIRs and those in LIST, where they are empty
#
# `make install` and `make uninstall` call it, with DESTDIR in the environment.  Below that,
# where packages are made, this list is missing: all directories are removed, up to DESTDIR itself.

set -eu

# missing DIR: it and those above it that are not there
missing() {
	dir=$1
	while [ ! -d "$dir" ]; do
		echo "$dir"
		dir=$(dirname "$dir")
	done
}

# up DIR: it and those above it, up to DESTDIR
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
	# What is there keeps its mode, which install -d would change: /usr/local's may be its group's.
	for dir; do
		[ -d "$dir" ] || install -d "$dir"
	done
	[ -z "$new" ] || [ -n "$stop" ] || printf '%s\n' "$new" >>"$list"
}

# The longest names first: what is inside before what it is in.
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
