#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# device_rights_test.sh - dev= through uncored: users whom its policy allows to count get the box and port of a device,
# which no other source has on this processor, and its counts; others do not.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/other_users.sh
. "$SRC/tests/support/other_users.sh"
needs_other_users
unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_ACCESS UNCORE_DAEMON COLUMNS
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"
needs_mounts
machine=sim:spr:devices=4,packages=1,cores=4

failed=0

fail() {
	echo "FAILED: $*"
	sed 's/^/    /' "$tmp/out" "$tmp/daemon.err" 2>/dev/null
	failed=1
}

# A directory that no other user can read.
chmod 711 "$tmp"
copy_for_others "$tmp/bin" uncore || exit 1
export LD_LIBRARY_PATH="$tmp/bin${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" UNCORE_JOURNAL="$tmp/journals"

# as_user USER WORD...: uncore WORD... as that user
as_user() {
	user=$1
	shift
	setpriv --reuid "$user" --regid nogroup --clear-groups "$tmp/bin/uncore" "$@" >"$tmp/out" 2>&1
	status=$?
}

# A device and its place, by the simulator.
"$BUILD/uncore" show --devices --json --machine $machine >"$tmp/list" || exit 1
one=$(sed 's/{"address"/\n&/g' "$tmp/list" | grep -F '"parts":[0]' | grep -F '"counted_with":[]' | head -n 1)
name=$(printf '%s' "$one" | sed -E 's/.*"names":\["([a-z0-9_]*)".*/\1/')
box=$(printf '%s' "$one" | sed -E 's/.*"box":"iio([0-9]*)".*/\1/')
event=UNCORE_PCIE_WRITE_BYTES:dev=$name
[ -n "$name" ] && [ -n "$box" ] || {
	fail "no device alone in part 0: $(cat "$tmp/list")"
	exit 1
}

"$BUILD/uncore" sim mount -b --machine $machine "$dir" >"$tmp/out" 2>&1 || {
	fail "cannot mount a machine"
	exit 1
}

echo "allow user mail count" >"$tmp/policy"
chmod 644 "$tmp/policy"
start_daemon --group nogroup --user daemon --policy "$tmp/policy"
export UNCORE_ACCESS=daemon UNCORE_DAEMON="$tmp/socket" UNCORE_SYSROOT="$dir"

as_user mail plan "$event"
[ $status -eq 0 ] && grep -q "part=0:box=$box:pkg=0" "$tmp/out" || fail "the place of $name is not that of the simulator"
as_user mail stat --json -d 0.05 -e "$event"
[ $status -eq 0 ] && grep -q "\"devices\":\"$name\".*\"count\":[1-9]" "$tmp/out" || fail "$name has no counts"
as_user mail show --devices --json
sed 's/"simulated":true,//' "$tmp/list" >"$tmp/simulated"
sed 's/"simulated":true,//' "$tmp/out" | cmp -s - "$tmp/simulated" || fail "uncored shows other devices"

as_user games stat -d 0.05 -e "$event"
[ $status -ne 0 ] || fail "a user outside the policy counts a device"
grep -q "this user may not count" "$tmp/out" || fail "the error does not say who may count"

# the policy changes while uncored runs
echo "allow user games count" >"$tmp/policy"
kill -HUP "$daemon"
# shellcheck disable=SC2317 # soon calls it
is_loaded() {
	[ "$(grep -c "loaded policy" "$tmp/daemon.err")" -ge 1 ]
}
soon is_loaded || fail "the policy was not loaded again"
as_user mail stat -d 0.05 -e "$event"
[ $status -ne 0 ] || fail "a user who may no longer count counts a device"
as_user games stat -d 0.05 -e "$event"
[ $status -eq 0 ] || fail "a user whom the policy now allows to count cannot"

[ $failed -eq 0 ]
