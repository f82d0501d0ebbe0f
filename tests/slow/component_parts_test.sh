#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The output of `make papi-component SIM=no`, `LISTS=no` and both becomes a component of another
# PAPI tree by PAPI's own configure and make: it says what was left out and counts all the
# same, on a simulated machine that it has, or on one that is mounted as files.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
without_sanitizer "PAPI's own tools do not run with it"

dir=$work/xeon
mkdir "$dir"
trap '[ ! -e "$dir/sim/machine" ] || fusermount3 -u "$dir" 2>/dev/null || umount "$dir"; rm -rf "$work"' EXIT

fail() {
	echo "FAILED: $*"
	tail -n 20 "$work/log"
	exit 1
}

# says PATTERN: in the lines of what was logged, which are folded
says() {
	tr -s '\n ' '  ' <"$work/log" | grep -q -e "$1" || fail "$variant: nothing like: $1"
}

# told ENVIRONMENT...: what papi_component_avail says
told() {
	step "papi_component_avail" env "$@" utils/papi_component_avail
}

# counts EVENT ENVIRONMENT...: more than nothing
counts() {
	event=$1
	shift
	step "$event" env "$@" utils/papi_command_line "uncore:::$event"
	grep -q "^uncore:::$event *:[[:space:]]*[1-9]" "$work/log" || fail "$variant: $event is not counted"
}

# ---- sizes: those that the README of the component tells ----

# size VARIANT: files and lines
size() {
	(cd "$BUILD/papi-component$1/uncore" && find . -type f ! -name '.*' -exec cat {} + | wc -l &&
		find . -type f ! -name '.*' | wc -l)
}

for variant in '' -nosim -nolists -nosim-nolists; do
	[ -d "$BUILD/papi-component$variant/uncore" ] || fail "there is no $BUILD/papi-component$variant"
	: >"$work/log"
	switches=$(echo "$variant" | sed 's/-nosim/SIM=no /; s/-nolists/LISTS=no /; s/ $//; s/^-//')
	row=$(grep -F "| \`make papi-component${switches:+ $switches}\` |" "$SRC/components/uncore/README.md") ||
		fail "components/uncore/README.md has no row for make papi-component $switches"
	# shellcheck disable=SC2046
	echo "$row" | tr -d , | awk -F '|' -v lines="$(size "$variant" | head -n 1)" \
		-v files="$(size "$variant" | tail -n 1)" '
		function near(a, b) { return a > 0.8 * b && a < 1.25 * b }
		{ exit !(near($3, files) && near($4, lines)) }' ||
		fail "it has $(size "$variant" | tr '\n' ' ')(lines, files), the README says $row"
done

# ---- PAPI's tree, with one after the other in it ----

cp -R "$source" "$work/src"
cd "$work/src"
[ ! -f Makefile ] || make -s distclean >/dev/null 2>&1 || :
unset SRC UNCORE_OBJ UNCORE_CFLAGS
if grep -q '^MISCOBJS *=.*PFM_OBJS' Rules.pfm4_pe; then
	set -- # as released, PAPI joins libpfm.a in, and only its own is position independent
else
	set -- --with-pfm-incdir="$(setting PFM_INCDIR)" --with-pfm-libdir="$(setting PFM_LIBDIR)"
fi
LD_LIBRARY_PATH=$work/src
export LD_LIBRARY_PATH
mkdir -p "$work/none/json-c"
echo '#error not here' >"$work/none/json-c/json.h"

# take VARIANT: into the tree
take() {
	variant=$1
	rm -rf "$work/src/components/uncore"
	cp -R "$BUILD/papi-component$variant/uncore" "$work/src/components/uncore"
}

# All that PAPI builds but its tests, with what was to be left out not there.
take -nosim-nolists
step "configure" ./configure --with-components=uncore --with-shlib-tools --with-tests= CC="$work/cc" "$@"
step "make, $variant" env CPATH="$work/none" make OPTFLAGS=-O0
told UNCORE_MACHINE=sim:snbep
says 'no machine sim:snbep: simulated machines were left out .*(SIM=no)'
told LC_ALL=C
if grep -q 'UNCORE_MACHINE=sim' "$work/log"; then
	fail "$variant: a simulated machine is recommended"
fi
strings libpapi.so.*.*.* >"$work/strings"
if grep -q -e 'json_tokener' -e 'sim_msr_read' "$work/strings"; then
	fail "$variant: libpapi has what was to be left out"
fi
if readelf -d libpapi.so | grep -q json; then
	fail "$variant: libpapi needs json-c"
fi
mounted=no
if "$BUILD/uncore" sim mount --background --machine sim:gnr "$dir" >"$work/log" 2>&1; then
	mounted=yes
	counts UNCORE_CLOCKTICKS UNCORE_SYSROOT="$dir"
	told UNCORE_SYSROOT="$dir" UNCORE_EVENT_FILES=/some/list.json
	says "cannot read /some/list.json: Intel's event lists were left out .*(LISTS=no)"
fi

take -nosim
step "make, $variant" make OPTFLAGS=-O0 shared
told UNCORE_MACHINE=sim:snbep
says 'simulated machines were left out'
if [ $mounted = yes ]; then
	counts UNCORE_CLOCKTICKS UNCORE_SYSROOT="$dir"
	told UNCORE_SYSROOT="$dir" UNCORE_EVENT_FILES=/some/list.json
	says '/some/list.json: No such file'
fi

take -nolists
step "make, $variant" env CPATH="$work/none" make OPTFLAGS=-O0 shared
counts UNCORE_CLOCKTICKS UNCORE_MACHINE=sim:gnr
counts UNC_CHA_CLOCKTICKS UNCORE_MACHINE=sim:spr
told UNCORE_MACHINE=sim:gnr UNCORE_EVENT_FILES=/some/list.json
says "Intel's event lists were left out"

# The whole directory: parts left out by an option of make are missing, and are back without that option.
take ''
step "make UNCORE_LISTS=no" env CPATH="$work/none" make OPTFLAGS=-O0 shared UNCORE_LISTS=no
told UNCORE_MACHINE=sim:gnr UNCORE_EVENT_FILES=/some/list.json
says "Intel's event lists were left out"
step "make with all" make OPTFLAGS=-O0 shared
told UNCORE_MACHINE=sim:gnr UNCORE_EVENT_FILES=/some/list.json
says '/some/list.json: No such file'
step "make UNCORE_LISTS=no again" make OPTFLAGS=-O0 shared UNCORE_LISTS=no
told UNCORE_MACHINE=sim:gnr UNCORE_EVENT_FILES=/some/list.json
says "Intel's event lists were left out"

[ $mounted = yes ] || skip "nothing can be mounted here, so two of the four did not count; the rest passed"
