#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# queue_test.sh - `uncore queue`: the parts of a distribution add up, and its mean is that of the
# occupancy.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
# shellcheck source=tests/support/awk.sh
. "$SRC/tests/support/awk.sh"
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_ACCESS COLUMNS
tool=$BUILD/uncore
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
failures=0

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# queue STATUS PATTERN WORD...
queue() {
	status=$1
	pattern=$2
	shift 2
	"$tool" queue "$@" >"$out" 2>&1
	code=$?
	[ $code -eq "$status" ] || fail "queue $*: status $code: $(cat "$out")"
	grep -qE -e "$pattern" "$out" || fail "queue $*: no line like $pattern: $(cat "$out")"
}

# consistent EVENT: the mean in the output is the sum of all "at least"
consistent() {
	tr -d '{}[]' <"$out" | tr ',' '\n' | awk -F : -v event="$1" '
		/"mean"/ { mean = $2 }
		/"at_least"/ { inside = 1; last = 1; next }
		inside { if ($1 > last + 0.02) bad = 1; last = $1; sum += $1 }
		END {
			if (mean <= 0 || bad || sum < 0.95 * mean || sum > 1.05 * mean) {
				print event ": mean " mean ", sum of the distribution " sum
				exit 1
			}
		}'
}

# On a busy computer windows are less exact, but more of them are as exact as few on an idle one.
for machine_event in \
	'sim:snbep UNC_C_RXR_OCCUPANCY:IRQ' \
	'sim:skx:cores=8 UNC_C_TOR_OCCUPANCY:IA_MISS:box=3:pkg=0' \
	'sim:icx:cores=8 UNC_CHA_TOR_OCCUPANCY:IA_MISS_DRD' \
	'sim:spr:cores=8 UNC_CHA_TOR_OCCUPANCY:IA_MISS'; do
	machine=${machine_event% *}
	event=${machine_event#* }
	for seconds in 1.5 6 24; do
		queue 0 '^\{"event":' --machine "$machine" --json -d $seconds "$event"
		consistent "$event" && continue 2
	done
	fail "the distribution is not that of the occupancy: $(cat "$out")"
done

queue 0 '^ *0  *[1-9][0-9]*\.[0-9]* %  *100\.00 %$' --machine sim:snbep -d 0.5 UNC_C_RXR_OCCUPANCY:IRQ
queue 0 '^ *2\+  *[1-9][0-9.]* %' --machine sim:skx:cores=8 -d 0.5 --longest 2 UNC_C_TOR_OCCUPANCY:IA_MISS
grep -q 'use --longest' "$out" || fail "longer queues are not mentioned"
queue 5 '^mean' --machine sim:snbep --longest 2 UNC_C_RXR_OCCUPANCY:IRQ -- sh -c 'sleep 0.5; exit 5'
"$tool" queue --machine sim:snbep --longest 2 UNC_C_RXR_OCCUPANCY:IRQ -- sleep 0.5 2>/dev/full
[ $? -eq 3 ] || fail "a full disk behind standard error is not noticed"
# On a busy computer a run may last long enough.
for _ in $(seq 10); do
	"$tool" queue --machine sim:snbep -d 5ms UNC_C_RXR_OCCUPANCY:IRQ >"$out" 2>&1
	code=$?
	[ $code -ne 3 ] || break
done
[ $code -eq 3 ] || fail "a run of 5 ms: status $code"
grep -q 'too short for 22 thresholds$' "$out" || fail "a run of 5 ms: $(cat "$out")"
queue 2 'does not count the entries of a queue' --machine sim:snbep UNC_C_CLOCKTICKS
queue 2 'missing event' --machine sim:snbep
queue 2 'invalid length "32": use 1 to 31' --machine sim:snbep --longest 32 UNC_C_RXR_OCCUPANCY:IRQ
queue 2 'no event UNC_NOTHING' --machine sim:snbep UNC_NOTHING

[ $failures -eq 0 ]
