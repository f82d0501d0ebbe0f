# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# plain.sh - links without spaces to directories with spaces: part of ../../configure.
#
# make splits words at spaces, and so do PAPI's makefiles.  A source directory gets a
# symbolic link in the build directory, and a build directory one in a directory of the
# user's own below /var/tmp or /tmp; make only sees these links.

plain_link=
plain_make=

# is_plain PATH: true if it has no character that is special to make or its shell
is_plain() {
	! printf "%s" "$1" | LC_ALL=C grep -q "[][:space:]\"#\$%&'()*,:;<>?[\\^\`{|}]"
}

# plain_path WHAT PATH: exit unless PATH is plain; a link cannot help, as programs use PATH later
plain_path() {
	is_plain "$2" || die "$1 $2: make cannot use a path with a space or one of \
\"#\$%&'()*,:;<>?[\\]^\`{|} in it; choose another directory"
}

# own_directory: print a directory below /var/tmp or /tmp that only this user can change
own_directory() {
	for own in /var/tmp /tmp; do
		own=$own/uncore-$(id -u)
		mkdir -m 700 "$own" 2>/dev/null || { [ -d "$own" ] && [ ! -L "$own" ] && [ -O "$own" ]; } ||
			continue
		[ -w "$own" ] || continue
		printf '%s' "$own"
		return
	done
	return 1
}

# use_plain_here: change to the current directory by a name without spaces.
# make creates the link again if it was removed.
use_plain_here() {
	real_here=$here
	if is_plain "$here"; then
		return
	fi
	own=$(own_directory) || die "the directory $here: make cannot use a path with a space or one of \
\"#\$%&'()*,:;<>?[\\]^\`{|} in it, and neither /var/tmp nor /tmp takes a link to it; choose \
another directory"
	plain_link=$own/$(pwd -P | cksum | tr ' ' -)
	rm -f "$plain_link"
	{ ln -s "$(pwd -P)" "$plain_link" && cd "$plain_link"; } || die "cannot create $plain_link"
	[ "$srcdir" != "$here" ] || srcdir=$plain_link
	here=$plain_link
	plain_make="
# make cannot use this directory's own name.
HERE := $plain_link
ifneq (\$(shell [ \$(HERE) -ef . ] || { mkdir -p -m 700 $own && \\
		[ ! -L $own ] && [ -O $own ] && ln -sfn \"\$\$(pwd -P)\" \$(HERE); } || echo failed),)
\$(error cannot create the link \$(HERE) to this directory)
endif
"
}

# link_in_build NAME DIR: print DIR, or a link to it in the build directory
link_in_build() {
	if is_plain "$2"; then
		printf '%s' "$2"
		return
	fi
	rm -f "$there/$1"
	ln -s "$2" "$there/$1" || die "cannot create the link $there/$1"
	printf '%s' "$there/$1"
}

use_plain_sources() {
	if [ "$build" = . ]; then
		srcdir=$(link_in_build source "$srcdir") || exit
		src=$srcdir
	fi
	[ -z "$papi_src" ] || papi_src=$(link_in_build papi-tree "$papi_src") || exit
}
