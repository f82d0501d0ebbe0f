#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# collectd_test.sh - collectd runs examples/exporter/collectd_uncore.sh, and writes what it says to
# files.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
# shellcheck source=tests/support/exporter.sh
. "$SRC/tests/support/exporter.sh"

collectd=
# shellcheck disable=SC2317
finish() {
	[ -z "$collectd" ] || kill "$collectd" 2>/dev/null
	[ -z "$collectd" ] || wait "$collectd"
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

failed() {
	echo "FAILED: $*"
	sed 's/^/    /' "$tmp/out" 2>/dev/null
	exit 1
}

program=$(service collectd) || {
	echo "skipped: there is no collectd; ./configure --install-deps=all unpacks collectd-core"
	exit 77
}
root=${program%/usr/sbin/collectd}

# collectd does not start programs as root.
user=$(id -un)
if [ "$(id -u)" -eq 0 ]; then
	user=nobody
	chmod 711 "$tmp"
fi
mkdir "$tmp/bin"
cp "$BUILD/uncore" "$SRC/examples/exporter/collectd_uncore.sh" "$tmp/bin/" || exit 1
cat >"$tmp/collectd.conf" <<-END
	Hostname "node1"
	FQDNLookup false
	Interval 1
	BaseDir "$tmp"
	PIDFile "$tmp/pid"
	PluginDir "$root/usr/lib/collectd"
	TypesDB "$root/usr/share/collectd/types.db"
	LoadPlugin logfile
	<Plugin logfile>
		File "$tmp/out"
	</Plugin>
	LoadPlugin csv
	<Plugin csv>
		DataDir "$tmp/csv"
		StoreRates true
	</Plugin>
	LoadPlugin exec
	<Plugin exec>
		Exec "$user" "$tmp/bin/collectd_uncore.sh" "UNCORE_MEM_READ_BYTES:pkg=*" "UNC_M_CAS_COUNT:RD:box=0"
	</Plugin>
END
PATH=$tmp/bin:$PATH UNCORE_MACHINE=sim:snbep "$program" -f -C "$tmp/collectd.conf" >"$tmp/said" 2>&1 &
collectd=$!

# rates FILE: lines of seconds and rate, once there is a rate
# shellcheck disable=SC2317 # soon calls it
rates() {
	cat "$tmp/csv/node1/$1"-20* >"$tmp/rates" 2>/dev/null &&
		[ "$(grep -c '^[0-9.]*,[1-9]' "$tmp/rates")" -ge 2 ]
}

soon rates uncore-package1/total_bytes-uncore_mem_read_bytes || {
	cat "$tmp/said"
	failed "no rates of bytes: $(ls -R "$tmp/csv" 2>&1)"
}
# 10 GB/s of the simulated machine, more or less
awk -F, '/^[0-9]/ && $2 > 1e9 && $2 < 1e11 { good++ } END { exit good < 1 }' "$tmp/rates" ||
	failed "the rate is no bandwidth: $(cat "$tmp/rates")"
soon rates uncore/derive-unc_m_cas_count_rd_box0 || failed "no rates of an event"
exit 0
