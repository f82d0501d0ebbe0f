#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# units_test.sh - what systemd says of the units of uncored and the exporter, of its users and its directories; and
# uncored takes a socket as systemd hands it over, and no other one.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

for program in systemd-analyze systemd-sysusers systemd-tmpfiles systemd-socket-activate; do
	command -v "$program" >/dev/null || {
		echo "skipped: there is no $program (package systemd)"
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

# Where the program is depends on how it was configured, and the manual may not be installed.
sed -e "s|/usr/local/sbin/uncored|$BUILD/uncored|" -e '/^Documentation=/d' \
	"$SRC/examples/systemd/uncored.service" >"$tmp/uncored.service"
cp "$SRC/examples/systemd/uncored.socket" "$tmp/"
sed -e "s|/usr/local/bin/uncore |$BUILD/uncore |" -e '/^Documentation=/d' \
	"$SRC/examples/systemd/uncore-exporter.service" >"$tmp/uncore-exporter.service"
(cd "$tmp" && systemd-analyze verify ./uncored.service ./uncored.socket ./uncore-exporter.service) >"$tmp/out" 2>&1 ||
	fail "systemd does not take the units"
[ ! -s "$tmp/out" ] || fail "systemd has something to say of the units"
systemd-analyze security --offline=true --threshold=50 "$tmp/uncored.service" >"$tmp/out" 2>&1 ||
	fail "the service is exposed more than 5.0"
systemd-analyze security --offline=true --threshold=20 "$tmp/uncore-exporter.service" >"$tmp/out" 2>&1 ||
	fail "the exporter is exposed more than 2.0"
systemd-sysusers --root="$tmp" --dry-run "$SRC/examples/sysusers.d/uncored.conf" >"$tmp/out" 2>&1 ||
	fail "systemd does not take the users"

# activate OPTION...: a socket is handed over to uncored, and somebody connects
activate() {
	: >"$tmp/out"
	systemd-socket-activate "$@" -l "$tmp/socket" "$BUILD/uncored" --machine sim:snbep \
		>"$tmp/out" 2>&1 &
	daemon=$!
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		[ -S "$tmp/socket" ] && break
		sleep 0.1
	done
}

activate --seqpacket
UNCORE_DAEMON=$tmp/socket UNCORE_ACCESS=daemon "$BUILD/uncore" stat -d 0.1 -e UNC_M_CAS_COUNT:RD \
	>"$tmp/counts" 2>&1 || fail "nobody counts by a socket of systemd: $(cat "$tmp/counts")"
kill "$daemon"
wait "$daemon"
[ -S "$tmp/socket" ] || fail "uncored removes a socket that is not its own"
rm -f "$tmp/socket"
activate
UNCORE_DAEMON=$tmp/socket UNCORE_ACCESS=daemon "$BUILD/uncore" clients >"$tmp/counts" 2>&1
# Not the kind of socket that the library opens: somebody else connects.
perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un($ARGV[0])); <S>' \
	"$tmp/socket"
wait "$daemon" && fail "uncored takes a stream for its socket"
daemon=
grep -q "ListenSequentialPacket=" "$tmp/out" || fail "it is not told which socket uncored needs"

exit "$failed"
