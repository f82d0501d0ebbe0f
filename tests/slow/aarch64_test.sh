#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Login nodes of another architecture: the library, the command and uncored are compiled for aarch64 and, where
# qemu-aarch64 is present, report that this CPU has no uncore counters.  Their suggestions work there.
#
# The libraries for aarch64 are fetched with apt, unless an earlier run did so, into build/aarch64.
# Expects SRC and BUILD in the environment.

set -eu

without_papi=yes
# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
unset CC CXX AR CFLAGS LDFLAGS PKG_CONFIG PKG_CONFIG_PATH
failures=0

fail() {
	echo "FAILED: $*"
	cat "$work/out"
	failures=$((failures + 1))
}

command -v aarch64-linux-gnu-gcc >/dev/null || skip "there is no aarch64-linux-gnu-gcc"
echo 'int main(void) { return 0; }' | aarch64-linux-gnu-gcc -x c - -o "$work/try" 2>/dev/null ||
	skip "aarch64-linux-gnu-gcc has no C library: libc6-dev-arm64-cross is missing"

# ---- the libraries ----

# fetch: nothing below /etc/apt or /var changes
fetch() {
	archive=$(apt-cache madison libpfm4 2>/dev/null | awk -F ' *[|] *' '/Packages$/ { print $3; exit }')
	[ -n "$archive" ] || return 1
	# shellcheck disable=SC2086
	set -- $archive
	mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/packages"
	echo "deb [arch=arm64] $1 ${2%/*} ${2#*/}" >"$work/apt/sources.list"
	set -- -q -o APT::Architectures::=amd64 -o APT::Architectures::=arm64 -o APT::Sandbox::User= \
		-o "Dir::State::lists=$work/apt/lists" -o "Dir::Cache=$work/apt/cache" \
		-o "Dir::Etc::sourcelist=$work/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
	apt-get "$@" update && cd "$work/packages" &&
		apt-get "$@" download libpfm4:arm64 libpfm4-dev:arm64 libjson-c5:arm64 libjson-c-dev:arm64 || return
	for package in *.deb; do
		dpkg-deb -x "$package" "$work/root" || return
	done
	rm -rf "$libraries" && mv "$work/root" "$libraries" && touch "$libraries/.complete"
}

libraries=$BUILD/aarch64
if [ ! -e "$libraries/.complete" ]; then
	command -v apt-get >/dev/null || skip "there is no apt-get, which fetches libraries for aarch64"
	(fetch) >"$work/log" 2>&1 || skip "cannot fetch libraries for aarch64: $(tail -n 1 "$work/log")"
fi

# ---- the programs ----

mkdir "$work/build"
cd "$work/build"
step "configure" "$SRC/configure" --host=aarch64-linux-gnu --without-papi --with-pfm="$libraries/usr" \
	--with-json-c="$libraries/usr" --clang=false CFLAGS='-O0 -g0'
step "make" make lib uncore uncored
for file in libuncore.so libuncore-sim.so uncore uncored; do
	aarch64-linux-gnu-readelf -h "$file" | grep -q 'Machine: *AArch64' || fail "$file is not for aarch64"
done
aarch64-linux-gnu-nm libuncore.a 2>/dev/null | grep -q ' T uncore_open$' || fail "libuncore.a has no uncore_open()"

# ---- their messages ----

emulator=$(command -v qemu-aarch64) || emulator=
if [ -z "$emulator" ]; then
	echo "not tried: the messages on aarch64: there is no qemu-aarch64"
	[ $failures -eq 0 ]
	exit
fi
# The kernel's list of such CPUs.
mkdir -p "$work/node/proc" "$work/node/sys"
cat >"$work/node/proc/cpuinfo" <<'END'
processor	: 0
BogoMIPS	: 50.00
Features	: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics
CPU implementer	: 0x41
CPU architecture: 8
CPU variant	: 0x3
CPU part	: 0xd0c
CPU revision	: 1

END

# there COMMAND...: on a login node
there() {
	"$emulator" -L /usr/aarch64-linux-gnu -E UNCORE_SYSROOT="$work/node" \
		-E LD_LIBRARY_PATH="$work/build:$libraries/usr/lib/aarch64-linux-gnu:/usr/aarch64-linux-gnu/lib" \
		"$@" >"$work/out" 2>&1
}

says() {
	tr -s '\n ' '  ' <"$work/out" | grep -q -e "$1" || fail "nothing like: $1"
}

for command in "stat -d 0.1" list show; do
	# shellcheck disable=SC2086
	! there ./uncore $command || fail "uncore $command succeeds"
	says 'no uncore counters are known for this CPU (aarch64); the README lists the supported Xeons, and UNCORE_MACHINE=sim:icx simulates one'
done
! there ./uncored || fail "uncored starts"
says 'no uncore counters are known for this CPU (aarch64)'
there ./uncore doctor || :
says 'this CPU (aarch64).*sim:icx'
if grep -i -E 'msr|CAP_|modprobe|paranoid|uncored|hypervisor|driver' "$work/out"; then
	fail "uncore doctor suggests what does not exist on aarch64"
fi
# The suggestions of the messages.
there ./uncore --machine sim:icx show || fail "uncore --machine sim:icx show"
there ./uncore --machine sim:icx list || fail "uncore --machine sim:icx list"
there ./uncore --machine sim:icx stat -x ' ' -d 0.1 -e UNCORE_MEM_READ_BYTES || fail "sim:icx does not count"
says ' *[1-9][0-9]* bytes UNCORE_MEM_READ_BYTES'
[ $failures -eq 0 ]
