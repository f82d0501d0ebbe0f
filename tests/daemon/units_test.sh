#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# units_test.sh - systemd accepts the units of uncored, the exporter and the restore service, their users
# and directories; and uncored accepts a socket passed by systemd, but no other type of socket.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/soon.sh
. "$SRC/tests/support/soon.sh"

for program in systemd-analyze systemd-sysusers systemd-tmpfiles systemd-socket-activate; do
	command -v "$program" >/dev/null || {
		echo "skipped: $program not found (package systemd)"
		exit 77
	}
done
tmp=$(mktemp -d) || exit 1
daemon=
trap '[ -z "$daemon" ] || kill "$daemon" 2>/dev/null; rm -rf "$tmp"' EXIT
failed=0

fail() {
	echo "FAILED: $*"
	sed 's/^/    /' "$tmp/out"
	failed=1
}

# The program's path depends on the configuration, and the manual may not be installed.
sed -e "s|/usr/local/sbin/uncored|$BUILD/uncored|" -e '/^Documentation=/d' \
	"$SRC/examples/systemd/uncored.service" >"$tmp/uncored.service"
cp "$SRC/examples/systemd/uncored.socket" "$tmp/"
sed -e "s|/usr/local/bin/uncore |$BUILD/uncore |" -e '/^Documentation=/d' \
	"$SRC/examples/systemd/uncore-exporter.service" >"$tmp/uncore-exporter.service"
sed -e "s|/usr/local/bin/uncore |$BUILD/uncore |" -e '/^Documentation=/d' \
	"$SRC/examples/systemd/uncore-restore.service" >"$tmp/uncore-restore.service"
(cd "$tmp" && systemd-analyze verify ./uncored.service ./uncored.socket ./uncore-exporter.service \
	./uncore-restore.service) >"$tmp/out" 2>&1 ||
	fail "systemd does not accept the units"
[ ! -s "$tmp/out" ] || fail "systemd reports problems in the units"
systemd-analyze security --offline=true --threshold=50 "$tmp/uncored.service" >"$tmp/out" 2>&1 ||
	fail "the exposure level of the service exceeds 5.0"
systemd-analyze security --offline=true --threshold=20 "$tmp/uncore-exporter.service" >"$tmp/out" 2>&1 ||
	fail "the exposure level of the exporter exceeds 2.0"
systemd-analyze security --offline=true --threshold=30 "$tmp/uncore-restore.service" >"$tmp/out" 2>&1 ||
	fail "the exposure level of the restore service exceeds 3.0"
# Before version 253, systemd denies a unit with ProtectClock all devices but the clock's and those in
# DeviceAllow (systemd#18142).
: >"$tmp/out"
for unit in uncored uncore-restore; do
	grep -qx 'ProtectClock=yes' "$tmp/$unit.service" && ! grep -qx 'DeviceAllow=char-\* rw' "$tmp/$unit.service" &&
		fail "$unit.service cannot open /dev/cpu/N/msr"
done
systemd-sysusers --root="$tmp" --dry-run "$SRC/examples/sysusers.d/uncored.conf" >"$tmp/out" 2>&1 ||
	fail "systemd does not accept the users"

# activate OPTION...: passes a socket to uncored and connects a client
activate() {
	: >"$tmp/out"
	systemd-socket-activate "$@" -l "$tmp/socket" "$BUILD/uncored" --machine sim:snbep \
		>"$tmp/out" 2>&1 &
	daemon=$!
	await test -S "$tmp/socket"
}

activate --seqpacket
UNCORE_DAEMON=$tmp/socket UNCORE_ACCESS=daemon "$BUILD/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD \
	>"$tmp/counts" 2>&1 || fail "a client cannot count through systemd's socket: $(cat "$tmp/counts")"
kill "$daemon"
wait "$daemon"
[ -S "$tmp/socket" ] || fail "uncored removed systemd's socket"
rm -f "$tmp/socket"
activate
UNCORE_DAEMON=$tmp/socket UNCORE_ACCESS=daemon "$BUILD/uncore" clients >"$tmp/counts" 2>&1
# A stream socket, to which the library would not connect, so another program does.
perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un($ARGV[0])); <S>' \
	"$tmp/socket"
wait "$daemon" && fail "uncored accepts a stream socket"
daemon=
grep -q "ListenSequentialPacket=" "$tmp/out" || fail "the error does not name the required socket type"

exit "$failed"
