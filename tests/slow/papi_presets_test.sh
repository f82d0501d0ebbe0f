#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The patches of `make papi-patch` in PAPI_TREE, a git clone of PAPI 7.3 or later: the component's
# tests pass, it has presets, also after a fork and another initialization, and PAPI's functions that
# add up values as integers refuse means.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

without_papi=yes
# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
# shellcheck source=tests/slow/in_papi
. "$SRC/tests/slow/in_papi"
[ -n "${PAPI_TREE:-}" ] || skip "PAPI_TREE is not set to a git clone of PAPI 7.3 or later"
command -v git >/dev/null || skip "there is no git"

export SRC PAPI_TREE
step "papi_patch.sh" sh "$SRC/src/build/packaging/papi_patch.sh" 9.1 "$BUILD/papi-component-thin/uncore" "$work/patches"
for series in "1-component 4" "2-ci 1" "3-presets 4" "4-doubles 1"; do
	[ "$(find "$work/patches/${series% *}" -name '*.patch' | wc -l)" -eq "${series#* }" ] ||
		{ echo "FAILED: not ${series#* } patches in ${series% *}"; ls "$work/patches"/*; exit 1; }
done
step "git clone" git clone -q --shared "$PAPI_TREE" "$work/tree"
cd "$work/tree"
step "git am" git -c user.name=uncore -c user.email=uncore@example.org am "$work/patches"/*/*.patch
cd src
# The tests of the corrections, first without these.
sources="papi.c papi_internal.c"
corrected=$(git rev-parse HEAD)
# shellcheck disable=SC2086
git checkout -q "$(git -C "$PAPI_TREE" rev-parse HEAD)" -- $sources papi_internal.h high-level
# Without sysdetect, uncore is the last component.
step "configure" ./configure --with-components=uncore --disable-sysdetect --with-shared-lib=yes \
	--with-static-lib=no --with-shlib-tools --with-tests= CC="$work/cc" \
	--with-pfm-incdir="$(setting PFM_INCDIR)" --with-pfm-libdir="$(setting PFM_LIBDIR)"
install_library
step "make shared" make -j"$(nproc)" OPTFLAGS=-O0 shared
tests_of_corrections="remove_preset presets_again unknown_preset preset_qualifiers"
LD_LIBRARY_PATH=$work/tree/src
export LD_LIBRARY_PATH
step "make of the test library" make -C testlib OPTFLAGS=-O0 libtestlib.a
# shellcheck disable=SC2086
step "make of the tests of corrections" make -C ctests OPTFLAGS=-O0 $tests_of_corrections
for test in $tests_of_corrections; do
	if UNCORE_MACHINE=sim:snbep "ctests/$test" TESTS_QUIET >"$work/log" 2>&1 && grep -q PASSED "$work/log"; then
		echo "FAILED: ctests/$test passes without the correction"
		exit 1
	fi
done
git checkout -q "$corrected" -- .
step "make shared, corrected" make -j"$(nproc)" OPTFLAGS=-O0 shared
for test in $tests_of_corrections; do
	UNCORE_MACHINE=sim:snbep step "ctests/$test" "ctests/$test" TESTS_QUIET
	grep -q PASSED "$work/log" || { echo "FAILED: ctests/$test"; cat "$work/log"; exit 1; }
	UNCORE_MACHINE=file:/nonexistent step "ctests/$test without presets" "ctests/$test" TESTS_QUIET
	grep -q 'SKIPPED\|PASSED' "$work/log" || { echo "FAILED: ctests/$test without presets"; cat "$work/log"; exit 1; }
done
step "make utils" make OPTFLAGS=-O0 utils
step "make of the component's tests" make -j"$(nproc)" -C components/uncore/tests OPTFLAGS=-O0 uncore_tests
find_tests
run_tests PASSED

# presets MACHINE: those that papi_avail lists as available
presets() {
	UNCORE_MACHINE=$1 step "papi_avail on $1" utils/papi_avail -a
	grep -o '^PAPI_UNCORE_[A-Z_]*' "$work/log" | sort | tr '\n' ' ' || :
}

# equal WHAT EXPECTED FOUND
equal() {
	[ "$2" = "$3" ] || { echo "FAILED: $1: expected $2, found $3"; exit 1; }
}

equal "all presets on Ice Lake-X" 12 "$(presets sim:icx | wc -w)"
equal "presets on Knights Landing" "PAPI_UNCORE_CLOCKTICKS PAPI_UNCORE_ENERGY_DRAM_UJ \
PAPI_UNCORE_ENERGY_PACKAGE_UJ PAPI_UNCORE_MEM_BYTES PAPI_UNCORE_MEM_READ_BYTES \
PAPI_UNCORE_MEM_WRITE_BYTES " "$(presets sim:knl)"
# Its reads and writes cannot be counted at the same time.
equal "presets on Nehalem-EX" "PAPI_UNCORE_CLOCKTICKS PAPI_UNCORE_LLC_LOOKUPS PAPI_UNCORE_LLC_MISSES \
PAPI_UNCORE_MEM_READ_BYTES PAPI_UNCORE_MEM_WRITE_BYTES " "$(presets sim:nhmex)"
equal "presets without a machine" "" "$(presets file:/nonexistent)"

cat >"$work/presets.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "papi.h"

#define CHECK(condition) \
	do { if (!(condition)) { printf("FAILED: line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

static const PAPI_component_info_t *info(void)
{
	return PAPI_get_component_info(PAPI_get_component_index("uncore"));
}

/* Only the name of one of its presets opens the machine. */
static void once(void)
{
	int set = PAPI_NULL, code = 0;

	CHECK(PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT);
	CHECK(PAPI_event_name_to_code("PAPI_TOT_CYC", &code) == PAPI_OK && code == PAPI_TOT_CYC);
	CHECK(PAPI_event_name_to_code("PAPI_UNKNOWN", &code) != PAPI_OK);
	CHECK(info()->disabled == PAPI_EDELAY_INIT && info()->num_preset_events == 0);
	CHECK(PAPI_event_name_to_code("PAPI_UNCORE_MEM_BYTES", &code) == PAPI_OK);
	CHECK(code == PAPI_UNCORE_MEM_BYTES && info()->num_preset_events == 12);
	CHECK(PAPI_event_name_to_code("PAPI_UNCORE_MEM_BYTES:pkg=0", &code) == PAPI_EINVAL);
	CHECK(PAPI_create_eventset(&set) == PAPI_OK);
	CHECK(PAPI_add_event(set, PAPI_UNCORE_MEM_BYTES) == PAPI_OK);
	CHECK(PAPI_add_named_event(set, "PAPI_UNCORE_LLC_MISSES") == PAPI_OK);
	CHECK(PAPI_remove_event(set, PAPI_UNCORE_MEM_BYTES) == PAPI_OK);
	CHECK(PAPI_num_events(set) == 1);
	CHECK(PAPI_cleanup_eventset(set) == PAPI_OK && PAPI_destroy_eventset(&set) == PAPI_OK);
}

int main(void)
{
	int status = -1;

	once();
	if (fork() == 0) {
		once();
		PAPI_shutdown();
		exit(0);
	}
	wait(&status);
	CHECK(status == 0);
	PAPI_shutdown();
	CHECK(PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT);
	PAPI_shutdown();
	once();
	PAPI_shutdown();
	puts("PASSED");
	return 0;
}
END
step "compiling" "$work/cc" -I. -o "$work/presets" "$work/presets.c" -L. -lpapi
UNCORE_MACHINE=sim:snbep step "presets after initializations" "$work/presets"

# The component refuses means that PAPI_EVENTS names in the environment, but here only getenv() has
# PAPI_EVENTS, so that PAPI has to refuse.
cat >"$work/doubles.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "papi.h"

#define MEAN   "uncore:::UNCORE_TOR_DRD_LATENCY_CLOCKS"
#define COUNT  "uncore:::UNCORE_TOR_DRD_REQUESTS"
#define PRESET "PAPI_UNCORE_MEM_BYTES"
#define CHECK(condition) \
	do { if (!(condition)) { printf("FAILED: line %d: %s\n", __LINE__, #condition); exit(1); } } while (0)

char *getenv(const char *name)
{
	static char events[] = MEAN "," COUNT;
	const size_t len = strlen(name);

	if (strcmp(name, "PAPI_EVENTS") == 0)
		return events;
	for (char **variable = environ; *variable; variable++)
		if (strncmp(*variable, name, len) == 0 && (*variable)[len] == '=')
			return *variable + len + 1;
	return NULL;
}

/* The mean is removed first, which moves the others to its place. */
static void accumulate(void)
{
	long long values[3] = {5, 6, 7}, before;
	int set = PAPI_NULL, mean;

	CHECK(PAPI_create_eventset(&set) == PAPI_OK);
	CHECK(PAPI_event_name_to_code(MEAN, &mean) == PAPI_OK);
	CHECK(PAPI_add_event(set, mean) == PAPI_OK);
	CHECK(PAPI_add_named_event(set, COUNT) == PAPI_OK);
	CHECK(PAPI_add_named_event(set, PRESET) == PAPI_OK);
	CHECK(PAPI_start(set) == PAPI_OK);
	CHECK(PAPI_accum(set, values) == PAPI_ENOSUPP);
	CHECK(PAPI_accum(set, values) == PAPI_ENOSUPP);
	CHECK(values[0] == 5 && values[1] == 6 && values[2] == 7);
	CHECK(PAPI_stop(set, values) == PAPI_OK);
	CHECK(PAPI_accum(set, values) == PAPI_ENOSUPP);
	CHECK(PAPI_remove_event(set, mean) == PAPI_OK);
	CHECK(PAPI_start(set) == PAPI_OK);
	values[0] = before = 1LL << 60;
	CHECK(PAPI_accum(set, values) == PAPI_OK);
	CHECK(values[0] >= before && values[0] < 2 * before);
	CHECK(PAPI_stop(set, values) == PAPI_OK);
}

int main(void)
{
	CHECK(PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT);
	accumulate();
	CHECK(PAPI_hl_region_begin("work") == PAPI_OK);
	CHECK(PAPI_hl_region_end("work") == PAPI_OK);
	return 0;
}
END
step "compiling" "$work/cc" -D_GNU_SOURCE -I. -o "$work/doubles" "$work/doubles.c" -L. -lpapi
UNCORE_MACHINE=sim:snbep PAPI_OUTPUT_DIRECTORY=$work/hl step "PAPI_accum and regions with a mean" "$work/doubles"
equal "messages about the mean" \
	'PAPI-HL Warning: "uncore:::UNCORE_TOR_DRD_LATENCY_CLOCKS" is not recorded, because its values are doubles.' \
	"$(grep '^PAPI-HL' "$work/log")"
grep -q 'UNCORE_TOR_DRD_REQUESTS":"[0-9]' "$work"/hl/papi_hl_output/*.json ||
	{ echo "FAILED: no counts of regions"; cat "$work"/hl/papi_hl_output/*.json; exit 1; }
if grep LATENCY "$work"/hl/papi_hl_output/*.json; then
	echo "FAILED: a mean is counted in regions"
	exit 1
fi

if command -v valgrind >/dev/null; then
	UNCORE_MACHINE=sim:snbep step "presets in valgrind" \
		valgrind -q --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
		--errors-for-leak-kinds=none "$work/presets"
	# PAPI itself loses memory when it is initialized again.
	if grep '_uncore_[pP]' "$work/log"; then
		echo "FAILED: memory of the component is lost"
		exit 1
	fi
fi
