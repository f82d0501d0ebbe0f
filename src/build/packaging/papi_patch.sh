#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# papi_patch.sh VERSION COMPONENT DIR - patches in DIR that put the component into PAPI's source tree as
# PAPI's own components are, in series for separate pull requests: `git am DIR/SERIES/*.patch`, or `patch -p1`
# of each.
#
# COMPONENT is the directory that `make papi-component THIN=yes` writes: it opens libuncore at run
# time.  If PAPI_TREE names a git clone of PAPI, further patches correct its CI scripts, and errors in
# its presets that a component with presets shows.
#
# Expects SRC in the environment.  The author and the URLs are those of `project`.

set -eu

version=$1 component=$2 dir=$3
packaging=$SRC/src/build/packaging
templates=$packaging/papi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
	echo "make papi-patch: $*" >&2
	exit 1
}

# shellcheck source=src/build/packaging/fields.sh
. "$packaging/fields.sh"
require_fields papi-patch
command -v git >/dev/null || fail "there is no git, which writes the patches"
GIT_AUTHOR_NAME=${author%% <*} GIT_AUTHOR_EMAIL=${author##*<}
GIT_AUTHOR_EMAIL=${GIT_AUTHOR_EMAIL%>}
GIT_COMMITTER_NAME=$GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL=$GIT_AUTHOR_EMAIL
date=$(git -C "$SRC" log -1 --format=%ct 2>/dev/null || stat -c %Y "$SRC/CHANGELOG.md")
GIT_AUTHOR_DATE="@$date +0000" GIT_COMMITTER_DATE="@$date +0000"
export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_AUTHOR_DATE \
	GIT_COMMITTER_DATE
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE

# ---- the files, as they are to be in PAPI's tree ----

new=$work/new
home=$new/src/components/uncore
mkdir -p "$home" "$new/.github/workflows" "$new/.github/workflows_scripts"
cp -R "$component/." "$home"
rm -f "$home/.complete"
cp "$SRC/LICENSE" "$home/LICENSE"
cp "$templates/uncore_component_workflow.yml" "$new/.github/workflows/"
fill "$templates/ci_build_libuncore.sh" "" >"$new/.github/workflows_scripts/ci_build_libuncore.sh"
chmod +x "$new/.github/workflows_scripts/ci_build_libuncore.sh"
find "$home" -name '*.[ch]' -exec sed -i "s|^ \* @file .*|&\n * @author  $author|" {} +
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
opens libuncore.so.0 at run time: PAPI_UNCORE_ROOT is its directory." "$@"
step "Add component tests" \
	"They skip where the component is disabled; UNCORE_MACHINE=sim:snbep lets them
run on a simulated machine." $uncore/tests
step "Add the component's workflow" \
	"It builds libuncore.  The tests run on a simulated machine, so that any runner
will do." .github
rm -rf "$dir"
mkdir -p "$dir"
git format-patch -q --no-signature -o "$dir/1-component" --root HEAD~3..HEAD
fill "$templates/pull_request.md" "" >"$dir/1-component/pull_request.md"

# ---- changes of PAPI's own files ----

# commit SUBJECT BODY: what differs, for a script of papi_corrections.sh, too
cat >"$work/commit" <<'END'
git add -A && git commit -q -m "$1" -m "$2"
END

# correction NAME SUBJECT BODY: with its test, in PAPI's src
cat >"$work/correction" <<'END'
for file in "$1.c" component_presets.h; do
	cp "$TEMPLATES/ctests/$file.in" "ctests/$file"
done
sed -i "s/^SERIAL  = serial_hl/& $1/" ctests/Makefile.recipies
cat >>ctests/Makefile.recipies <<RULE

$1: $1.c component_presets.h \$(TESTLIB) \$(PAPILIB)
	\$(CC) \$(INCLUDE) \$(CFLAGS) \$(TOPTFLAGS) $1.c \$(TESTLIB) \$(PAPILIB) \$(LDFLAGS) -o $1
RULE
git add -A && git commit -q -m "framework: $2" -m "$3"
END

# series NAME: begin one, from PAPI's own tree
series() {
	git checkout -q --detach "$before"
	name=$1
}

# write_series: the patches since its beginning, if there are any
write_series() {
	git format-patch -q --no-signature -o "$dir/$name" "$before"
}

# framework_job: in the workflow of all components, and which of them are expected to be active
framework_job() {
	file=.github/workflows/papi_framework_workflow.yml
	[ -e $file ] || return 0
	sed -i "/^  papi_spack:/{
		e cat $templates/framework_job.yml
	}" $file
	# shellcheck disable=SC2016
	sed -i '/HARDWARE" = "infiniband" \]; then/{n;s/$/\nelif [ "$HARDWARE" = "uncore_simulated" ]; then\n    per_hardware_expected_active_components=("perf_event" "perf_event_uncore" "uncore" "sysdetect")/}' \
		.github/workflows_scripts/ci_papi_framework.sh
	sh "$work/commit" "uncore: Add the component to the framework's workflow" \
		"A job of its own, as infiniband has: it builds libuncore, and its tests run on
a simulated machine."
}

if [ -n "${PAPI_TREE:-}" ]; then
	git clone -q --shared "$PAPI_TREE" "$work/papi" || fail "$PAPI_TREE is no git clone of PAPI"
	cd "$work/papi"
	before=$(git rev-parse HEAD)
	TEMPLATES=$templates
	export TEMPLATES
	git am -q "$dir"/1-component/*.patch
	git tag -f component >/dev/null
	framework_job
	git format-patch -q --no-signature --start-number 4 -o "$dir/1-component" component

	# "uncore" is also found in "perf_event_uncore".
	series 2-ci
	# shellcheck disable=SC2016
	sed -i 's/grep -q \$cmp/grep -qw "$cmp"/' .github/workflows_scripts/*.sh
	sh "$work/commit" "CI: compare names of components as words" \
		"A component whose name is a part of another one's counts as active otherwise." ||
		fail "the CI scripts of $PAPI_TREE compare names already as words"
	write_series

	series 3-presets
	(cd src && sh "$SRC/src/build/papi_corrections.sh" sh "$work/correction")
	write_series

	series 4-doubles
	if ! grep -q _papi_hwi_has_doubles src/papi_internal.h; then
		sed -i "$(cat "$templates/doubles.sed")" \
			src/papi_internal.c src/papi_internal.h src/papi.c src/high-level/papi_hl.c
		sh "$work/commit" "framework: Refuse doubles in PAPI_accum() and the high-level API" \
			"Both used the bits of a value of type PAPI_DATATYPE_FP64 as an integer: the
high-level API wrote \"33207662387622\" for the difference of two means."
	fi
	write_series
fi
find "$dir" -type f | LC_ALL=C sort
