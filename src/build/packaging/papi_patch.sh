#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# papi_patch.sh COMPONENT DIR - patches in DIR that put the component into PAPI's source tree as
# PAPI's own components are: `git am DIR/*.patch`, or `patch -p1` of each.
#
# COMPONENT is the directory that `make papi-component THIN=yes` writes: it opens libuncore at run
# time.  If PAPI_TREE names a git clone of PAPI, further patches correct its CI scripts, and errors in
# its presets that a component with presets shows.
#
# Expects SRC in the environment.  The author is git's, if it knows one.

set -eu

component=$1 dir=$2
templates=$SRC/src/build/packaging/papi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "make papi-patch: $*" >&2
	exit 1
}

command -v git >/dev/null || fail "there is no git, which writes the patches"
name=$(git config user.name || :) mail=$(git config user.email || :)
GIT_AUTHOR_NAME=${name:-uncore developers} GIT_AUTHOR_EMAIL=${mail:-uncore@example.org}
GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
date=$(git -C "$SRC" log -1 --format=%ct 2>/dev/null || stat -c %Y "$SRC/CHANGELOG.md")
GIT_AUTHOR_DATE="@$date +0000" GIT_COMMITTER_DATE="@$date +0000"
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_AUTHOR_DATE \
	GIT_COMMITTER_DATE
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# ---- the files, as they are to be in PAPI's tree ----

new=$work/new
home=$new/src/components/uncore
mkdir -p "$home" "$new/.github/workflows"
cp -R "$component/." "$home"
rm -f "$home/.complete"
cp "$SRC/LICENSE" "$home/LICENSE"
cp "$templates/uncore_component_workflow.yml" "$new/.github/workflows/"
sed -i '/^<!-- outside PAPI -->$/,/^<!-- \/outside PAPI -->$/d' "$home/README.md"

# ---- the commits ----

git init -q "$work/tree"
cd "$work/tree"
git config core.autocrlf false
git config commit.gpgsign false
git commit -q --allow-empty -m "PAPI"

# step SUBJECT BODY FILE...: FILEs of the new tree as one commit
step() {
	subject=$1 body=$2
	shift 2
	for file; do
		mkdir -p "$(dirname "$file")"
		cp -R "$new/$file" "$(dirname "$file")/"
	done
	git add -A -f
	git commit -q -m "uncore: $subject" -m "$body"
}

uncore=src/components/uncore
# shellcheck disable=SC2046
set -- $(cd "$new" && find $uncore -maxdepth 1 -type f | LC_ALL=C sort)
step "Add a component for Intel Xeon uncore counters" \
	"Counts memory controllers, last-level cache, links, power control and PCIe
through the native registers, so without the kernel's uncore driver.  It
opens libuncore.so.0 at run time and needs its headers to be compiled.
PAPI_UNCORE_ROOT=DIR ./configure --with-components=uncore" "$@"
step "Add component tests" \
	"They skip where the component is disabled; UNCORE_MACHINE=sim:snbep lets them
run on a simulated machine." $uncore/tests
step "Add the component's workflow" \
	"The tests run on a simulated machine, so that any runner will do." .github
rm -rf "$dir"
mkdir -p "$dir"
git format-patch -q --no-signature -o "$dir" --root HEAD~3..HEAD

# "uncore" is also found in "perf_event_uncore".
if [ -n "${PAPI_TREE:-}" ]; then
	git clone -q --shared "$PAPI_TREE" "$work/papi" || fail "$PAPI_TREE is no git clone of PAPI"
	cd "$work/papi"
	# shellcheck disable=SC2016
	sed -i 's/grep -q \$cmp/grep -qw "$cmp"/' .github/workflows_scripts/*.sh
	git commit -q -a -m "CI: compare names of components as words" \
		-m "A component whose name is a part of another one's counts as active otherwise." ||
		fail "the CI scripts of $PAPI_TREE compare names already as words"

	# correct TEXT SUBJECT BODY SED FILE...: a commit, unless PAPI has TEXT, the correction
	correct() {
		text=$1 subject=$2 body=$3 script=$4
		shift 4
		! cat "$@" | grep -qF "$text" || return 0
		sed -i "$script" "$@"
		git diff --quiet || git commit -q -a -m "framework: $subject" -m "$body"
	}

	before=$(git rev-parse HEAD~1)
	correct "get_preset( EventCode )->count" \
		"Allow presets of components to be removed from event sets" \
		"PAPI_remove_event() returned PAPI_EINVAL, because their numbers follow those of
the CPU's presets." \
		'/^_papi_hwi_remove_event/,/^}/ {
			s/preset_index >= PAPI_MAX_PRESET_EVENTS/preset_index >= num_all_presets/
			s/_papi_hwi_presets\[preset_index\]\./get_preset( EventCode )->/g
		}' src/papi_internal.c
	correct "    num_all_presets = 0;" "Number presets from 0 at each initialization" \
		"After a second PAPI_library_init(), also in a forked child, the code of each
preset's name was that of another preset, or of none." \
		'/^_papi_hwi_init_global_presets/,/^}/ s/^\( *\)int retval = PAPI_OK, i = 0;/&\n\n\1num_all_presets = 0;/' \
		src/papi_internal.c
	correct "preset_idx >= 0" "Reject unknown presets also if the last component has presets" \
		"PAPI_event_name_to_code() used element -1 of its table." \
		's/if( NULL != _papi_hwi_list ) {/if( preset_idx >= 0 ) {/' src/papi.c
	correct "k == prstPtr->num_quals" "Reject presets with more qualifiers than they have" \
		"Names such as PAPI_TOT_CYC:u=1 were a segmentation fault." \
		'/^overwrite_qualifiers/,/^}/ s/^\( *\)while( qualName != NULL ) {/&\n\1    if( k == prstPtr->num_quals ) {\n\1        ret = PAPI_EINVAL;\n\1        goto done;\n\1    }/
		/overwrite_qualifiers(prstPtr, in, 1)/,/}/ s/PAPI_ENOMEM/status/' \
		src/papi_internal.c src/papi.c
	correct "_papi_hwi_has_doubles" "Refuse doubles in PAPI_accum() and the high-level API" \
		"Both used the bits of a value of type PAPI_DATATYPE_FP64 as an integer: the
high-level API wrote \"33207662387622\" for the difference of two means." \
		"$(cat "$templates/doubles.sed")" \
		src/papi_internal.c src/papi_internal.h src/papi.c src/high-level/papi_hl.c
	git format-patch -q --no-signature --start-number 4 -o "$dir" "$before"
fi
for patch in "$dir"/*.patch; do
	printf '%s\n' "$patch"
done
