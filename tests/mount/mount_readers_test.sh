#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mount_readers_test.sh - other people's programs, unmodified, on the mounted machine:
# msr-tools, PCM and pciutils read and write the registers that we read and write.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/other_users.sh
. "$SRC/tests/support/other_users.sh"
needs_other_users
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"

tool=$BUILD/uncore
# As few CPUs as any computer has: PCM wants to run on each of those that it is shown.
machine=sim:snbep:packages=1,cores=1,time=virtual
failed=0 ran=0

skip() {
	echo "skipped: $*"
	exit 77
}

fail() {
	echo "FAILED: $*"
	failed=1
}

equal() {
	[ "$2" = "$3" ] || fail "$1: expected $2, found $3"
}

# there COMMAND...: with the machine's files in the places of this computer's
there() {
	sh "$SRC/examples/on_simulated.sh" "$dir" "$@"
}

# have PROGRAM PACKAGE
have() {
	PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null && return
	echo "not run: there is no $1 (package $2)"
	return 1
}

needs_mounts
unshare --mount mount --make-rprivate / 2>/dev/null || skip "no mount namespace can be made here"
PATH=$PATH:/usr/sbin:/sbin
export PATH
"$tool" sim mount --background --machine $machine --trace "$tmp/trace" "$dir" >/dev/null || exit 1

# C-Box 0: its box control, control 0, counter 0 and their values while we count.
if have rdmsr msr-tools && have wrmsr msr-tools; then
	ran=1
	there wrmsr -p 0 0xd10 0x400304 || fail "wrmsr cannot write"
	equal "what wrmsr wrote" 400304 "$(there rdmsr -p 0 0xd10)"
	if there rdmsr -p 0 0xdead >/dev/null 2>&1; then
		fail "rdmsr reads a missing MSR"
	fi
	UNCORE_SYSROOT=$dir "$tool" stat -e UNC_C_CLOCKTICKS:box=0 -- true >"$tmp/out" 2>&1 &&
		fail "we count although wrmsr has the counter"
	grep -q 'cbo0.*counter 0' "$tmp/out" || {
		fail "the message names neither cbo0 nor counter 0"
		cat "$tmp/out"
	}
	there wrmsr -p 0 0xd10 0 || fail "wrmsr cannot write"

	UNCORE_SYSROOT=$dir "$tool" stat --json -o "$tmp/stat" -e UNC_C_CLOCKTICKS:box=0 -- sh -c "
		echo 1000000 >$dir/sim/advance
		for counter in 0xd16 0xd17 0xd18 0xd19; do
			sh $SRC/examples/on_simulated.sh $dir rdmsr -p 0 -d \$counter
		done >$tmp/counters" || fail "uncore stat: exit status $?"
	count=$(sed -n 's/.*"count": *\([0-9]*\).*/\1/p' "$tmp/stat" | head -n 1)
	grep -qx "$count" "$tmp/counters" || {
		fail "we counted $count, rdmsr read:"
		cat "$tmp/counters"
	}
fi

if have pcm-msr pcm; then
	if there pcm-msr -c 0 0xd10 >"$tmp/out" 2>&1; then
		ran=1
		there pcm-msr -c 0 -w 0x400304 0xd10 >"$tmp/out" 2>&1 || fail "pcm-msr cannot write"
		there pcm-msr -c 0 0xd10 >"$tmp/out" 2>&1
		grep -q 'Read value 0x400304 from MSR 0xd10' "$tmp/out" ||
			fail "pcm-msr does not read what it wrote"
		grep -q 'write msr pkg0/cpu0 0xd10 64 0x400304$' "$tmp/trace" ||
			fail "the trace lacks what pcm-msr wrote"
	else
		echo "not run: pcm-msr does not want this computer's CPU"
	fi
fi

if have lspci pciutils && have setpci pciutils; then
	ran=1
	there lspci -n >"$tmp/lspci" || fail "lspci: exit status $?"
	equal "the number of devices" "$(wc -l <"$dir/proc/bus/pci/devices")" "$(wc -l <"$tmp/lspci")"
	there setpci -s ff:10.0 d8.l=00440304 || fail "setpci cannot write"
	equal "what setpci wrote" 00440304 "$(there setpci -s ff:10.0 d8.l)"
	equal "by way of /proc" 00440304 "$(there setpci -A linux-proc -s ff:10.0 d8.l)"
fi

[ $ran = 1 ] || [ $failed = 1 ] || skip "none of msr-tools, pcm and pciutils is here; ./configure --install-deps=all installs them"
exit $failed
