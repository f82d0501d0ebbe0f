# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# scratch.sh - a directory for files and programs of a script. Source it. Sets $tmp to a private
# directory below TMPDIR or /tmp, or, if programs cannot be executed there (mounted with noexec), below
# /var/tmp or BUILD. $scratch_without may name other mount options, such as "noexec nosuid";
# $scratch_as, a command that starts another one as a user who must be able to enter it.
#
# Expects BUILD, the build directory, in the environment.

# is_mounted_with DIR OPTION...: one of them
is_mounted_with() {
	mount_options=,$(findmnt -n -o VFS-OPTIONS -T "$1" 2>/dev/null),
	shift
	for option; do
		case $mount_options in
		*,"$option",*) return ;;
		esac
	done
	return 1
}

tmp=
for parent in "${TMPDIR:-/tmp}" /var/tmp "$BUILD/tests"; do
	# shellcheck disable=SC2086
	${scratch_as:-} test -x "$parent" && ! is_mounted_with "$parent" ${scratch_without:-noexec} &&
		tmp=$(mktemp -d "$parent/uncore-test.XXXXXX" 2>/dev/null) && break
done
[ -n "$tmp" ] || tmp=$(mktemp -d) || exit 1
