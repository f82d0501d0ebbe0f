#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# exporter_test.sh - `uncore exporter` as clients and administrators meet it: formats, paths, clients
# that are slow or many, signals, registers, other processes, uncored that ends and comes again.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/awk.sh
. "$SRC/tests/support/awk.sh"
: "${BUILD:?the build directory}"
# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"
# shellcheck source=tests/support/exporter.sh
. "$SRC/tests/support/exporter.sh"

unset UNCORE_MACHINE UNCORE_SYSROOT UNCORE_ACCESS UNCORE_DAEMON UNCORE_JOURNAL UNCORE_SHARE
failures=0

fail() {
	echo "FAILED: $*"
	sed 's/^/  err: /' "$tmp/exporter.err"
	failures=$((failures + 1))
}

skip() {
	echo "skipped: $*"
	exit 77
}

# refused STATUS PATTERN ARGUMENT...
refused() {
	expected=$1 pattern=$2
	shift 2
	COLUMNS=10000 timeout 20 "$tool" exporter "$@" >"$tmp/out" 2>"$tmp/exporter.err"
	status=$?
	[ $status -eq "$expected" ] || fail "exporter $*: exit status $status instead of $expected"
	grep -q "$pattern" "$tmp/exporter.err" || fail "exporter $*: no '$pattern'"
}

"$tool" exporter --machine sim:none 2>&1 | grep -q 'built without' &&
	skip "the command was built without libmicrohttpd"
command -v curl >/dev/null || skip "there is no curl"

# ---- what is refused ----

: >"$tmp/exporter.err"
refused 2 'unexpected argument: "more"' --machine sim:snbep more
refused 2 'unrecognized option' --machine sim:snbep --lisen :1
refused 2 'invalid --listen .*: expected ADDRESS:PORT' --machine sim:snbep --listen 127.0.0.1
refused 2 'invalid --max-series' --machine sim:snbep --max-series 0
refused 2 'invalid --window' --machine sim:snbep --window 1e3
refused 2 'unknown group "memry"' --machine sim:snbep --group memry
refused 2 'UNC_C_CLOCKTICK' --machine sim:snbep -e UNC_C_CLOCKTICK
refused 2 'a mean has no sum' --machine sim:snbep -e UNCORE_LLC_DRD_MISS_RATIO
refused 2 'no metrics to export' --machine sim:snbep --group none
refused 2 'no metrics to export' --machine sim:snbep --max-series 5

refused 2 'invalid owner "socket"' --machine sim:snbep --by socket
refused 3 'cannot divide the traffic of this machine: this kernel and processor have no resctrl' --machine sim:snbep --by job

# ---- both formats, paths, methods ----

start_exporter --machine sim:snbep -e 'UNC_M_CAS_COUNT:RD:box=*' || {
	fail "it does not start"
	exit 1
}
refused 3 'in use' --machine sim:snbep --listen "${url#http://}"

fetch /metrics -H 'Accept: application/openmetrics-text; version=1.0.0' || fail "no answer"
grep -q '^HTTP/1.1 200 ' "$tmp/head" || fail "not 200 but $(head -n 1 "$tmp/head")"
grep -qi '^content-type: application/openmetrics-text; version=1.0.0; charset=utf-8' "$tmp/head" ||
	fail "not OpenMetrics: $(cat "$tmp/head")"
[ "$(tail -n 1 "$tmp/page")" = '# EOF' ] || fail "OpenMetrics without its end"
grep -q '^uncore_info{.*simulated="true"} 1$' "$tmp/page" || fail "it does not say that it is simulated"
first=$(value 'uncore_memory_read_bytes_total{package="0"}')
grows() {
	fetch /metrics && [ "$(value 'uncore_memory_read_bytes_total{package="0"}')" != "$first" ]
}
soon grows || fail "no answer, or nothing is counted between two"
grep -qi '^content-type: text/plain; version=0.0.4; charset=utf-8' "$tmp/head" ||
	fail "not Prometheus' text format: $(cat "$tmp/head")"
if grep -q '# EOF\|# UNIT' "$tmp/page"; then fail "the text format has what only OpenMetrics has"; fi
second=$(value 'uncore_memory_read_bytes_total{package="0"}')
awk -v a="$first" -v b="$second" 'BEGIN { exit !(a > 0 && b > a) }' ||
	fail "the bytes do not grow: $first, $second"
[ "$(grep -c '^uncore_m_cas_count_rd_total{event="UNC_M_CAS_COUNT:RD",package="[01]",box="[0-3]"} ' \
	"$tmp/page")" -eq 8 ] || fail "not a series for each box"
[ "$(grep -vc '^#' "$tmp/page")" -le 200 ] || fail "more than 200 series"
if service promtool >"$tmp/out" 2>&1; then
	"$(service promtool)" check metrics <"$tmp/page" >"$tmp/out" 2>&1 || {
		# It has opinions about names, too.
		grep -v 'should\|abbreviated' "$tmp/out" | grep -q . && fail "promtool: $(cat "$tmp/out")"
	}
fi

# status STATUS PATH CURL-OPTION...
status() {
	expected=$1
	shift
	fetch "$@"
	grep -q "^HTTP/1.1 $expected " "$tmp/head" || fail "$*: not $expected, $(head -n 1 "$tmp/head")"
}

status 200 /
grep -q 'href="/metrics"' "$tmp/page" || fail "/ does not lead to the metrics"
status 404 /metric
status 404 /../../etc/passwd --path-as-is
status 404 "/$(head -c 3000 /dev/zero | tr '\0' a)"
status 405 /metrics -X POST --data x=1
grep -qi '^allow: GET, HEAD' "$tmp/head" || fail "405 does not say what is allowed"
status 200 /metrics --head
head -c 200000 /dev/zero | tr '\0' b >"$tmp/much"
status 405 /metrics -X PUT --data-binary @"$tmp/much"
fetch /metrics -H "X: $(head -c 60000 /dev/zero | tr '\0' c)"
if grep -q '^HTTP/1.1 200' "$tmp/head"; then fail "a head of 60000 bytes is taken"; fi
status 200 /metrics

# ---- clients that say nothing, while others ask ----

# It takes a while; meanwhile the test continues with other exporters.
slow_err=$tmp/slow.err
python3 - "${url#http://}" 2>"$slow_err" <<'END' &
import socket, sys, time, urllib.request
host, port = sys.argv[1].rsplit(":", 1)
slow = [socket.create_connection((host, int(port))) for _ in range(20)]
for s in slow:
    s.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\nX-")
for _ in range(3):
    assert urllib.request.urlopen(f"http://{host}:{port}/metrics", timeout=5).status == 200
# A request that arrives byte by byte is ended too.
end = time.time() + 25
while slow and time.time() < end:
    for s in list(slow):
        try:
            s.settimeout(0.01)
            s.sendall(b"a")
            if s.recv(1000) is not None:
                slow.remove(s)
        except TimeoutError:
            pass
        except OSError:
            slow.remove(s)
    time.sleep(0.2)
assert not slow, f"{len(slow)} connections never end"
END
slow=$! patient=$exporter
exporter=
start_exporter --machine sim:snbep --listen '[::1]:0' 2>/dev/null
case $url in
'http://[::1]:'*) status 200 /metrics -g ;;
*) grep -q 'cannot listen' "$tmp/exporter.err" || fail "neither IPv6 nor a reason" ;;
esac
end_exporter -TERM

# ---- registers, on a machine made of files ----

"$tool" sim mount --background --machine sim:snbep "$dir" >"$tmp/out" 2>&1 ||
	nothing_mounted=1
slow_clients() {
	wait "$slow" || {
		fail "slow clients keep others from the metrics"
		cat "$slow_err"
	}
	exporter=$patient
	end_exporter -INT
	[ "$status" -eq 0 ] || fail "SIGINT: exit status $status"
}
if [ -n "${nothing_mounted:-}" ]; then
	slow_clients
	[ $failures -eq 0 ] || exit 1
	skip "the rest: nothing can be mounted: $(tail -n 1 "$tmp/out")"
fi
export UNCORE_SYSROOT="$dir"

controls() {
	for address in 0xd04 0xd10 0xd11 0xd12 0xd13 0xd14 0xd24 0xd30; do
		for cpu in 0 8; do
			dd if="$dir/dev/cpu/$cpu/msr" bs=8 count=1 iflag=skip_bytes \
				skip=$((address)) 2>/dev/null | od -An -tx8
		done
	done
}

before=$(controls)
for signal in TERM INT; do
	start_exporter || fail "it does not start on the mounted machine"
	[ "$(controls)" != "$before" ] || fail "nothing is counted"
	end_exporter -$signal
	[ "$status" -eq 0 ] || fail "SIG$signal: exit status $status"
	[ "$(controls)" = "$before" ] || fail "SIG$signal leaves registers changed"
done
start_exporter
end_exporter -HUP
[ "$status" -eq 129 ] || fail "SIGHUP: exit status $status"
[ "$(controls)" = "$before" ] || fail "SIGHUP leaves registers changed"

# ---- another process counts: the rest is exported, and later all ----

"$tool" stat -e UNC_M_CAS_COUNT:RD:pkg=0 -d 60 >/dev/null 2>&1 &
other=$!
busy() {
	"$tool" show | grep -q "(pid $other,"
}
soon busy || fail "the other process does not count"
start_exporter || fail "it does not start while another process counts"
grep -q "memory of package 0 is not counted: .*pid $other" "$tmp/exporter.err" ||
	fail "the conflicting process is not named"
fetch /metrics
[ -z "$(value 'uncore_memory_read_bytes_total{package="0"}')" ] || fail "what is refused is exported"
[ "$(value 'uncore_counted_ratio{group="memory",package="0"}')" = 0 ] || fail "refused, and counted?"
[ "$(value 'uncore_memory_read_bytes_total{package="1"}')" -gt 0 ] || fail "the rest is not exported"
links=$(value 'uncore_clock_cycles_total{package="0"}')
kill $other
wait $other 2>/dev/null
back() {
	fetch /metrics && [ "$(value 'uncore_counted_ratio{group="memory",package="0"}')" = 1 ]
}
back_later() {
	soon back || soon back
}
back_later || fail "what was refused does not come back"
fetch /metrics
[ "$(value 'uncore_memory_read_bytes_total{package="0"}')" -gt 0 ] || fail "it counts nothing"
[ "$(value 'uncore_clock_cycles_total{package="0"}')" -gt "$links" ] || fail "counts begin again"
[ "$(value uncore_restarts_total)" -ge 1 ] || fail "no restart is reported"
end_exporter -KILL 2>/dev/null
"$tool" restore >/dev/null 2>&1
[ "$(controls)" = "$before" ] || fail "what SIGKILL has left is not restored"

# ---- through uncored, which ends and comes again ----

export UNCORE_DAEMON="$tmp/socket" UNCORE_ACCESS=daemon UNCORE_JOURNAL="$tmp/journals"
start_daemon
start_exporter || fail "it does not start with uncored"
fetch /metrics
grep -q '^uncore_info{.*access="daemon"' "$tmp/page" || fail "it does not say who counts"
first=$(value 'uncore_memory_read_bytes_total{package="1"}')
end_daemon -TERM
fetch /metrics
[ -z "$(value 'uncore_memory_read_bytes_total{package="1"}')" ] ||
	fail "counts without uncored"
start_daemon
back_later || fail "it does not find the new uncored"
fetch /metrics
second=$(value 'uncore_memory_read_bytes_total{package="1"}')
[ "$second" -ge "$first" ] || fail "counts go back from $first to $second"
end_exporter -TERM
[ "$status" -eq 0 ] || fail "with uncored: exit status $status"

slow_clients
end_daemon -TERM
unset UNCORE_DAEMON UNCORE_ACCESS UNCORE_JOURNAL

# ---- the traffic of jobs ----

if [ -e "$dir/sim/machine" ]; then
	unmount
fi
# Other users' processes would be reported together, unless root reads them.
cat >"$tmp/processes" <<END
process 101 uid=$(id -u) cgroup=/slurm/uid_1/job_7 cpu=0 threads=2 read=2G write=1G llc=4M
process 201 uid=$(id -u) cgroup=/slurm/uid_2/job_8 cpu=8 read=1G remote=0.3
END
"$tool" sim mount --background --machine sim:skx:packages=2,cores=8 --processes "$tmp/processes" "$dir" >/dev/null
export UNCORE_SYSROOT="$dir"
start_exporter --by job || fail "it does not start with --by job"
moved() {
	fetch /metrics
	[ "$(value 'uncore_owner_memory_bytes_total{job="7",memory="local"}')" -gt 100000000 ]
}
soon moved || fail "no bytes of job 7: $(grep owner "$tmp/page")"
[ "$(value 'uncore_owner_memory_bytes_total{job="8",memory="remote"}')" -gt 0 ] || fail "no remote bytes"
[ "$(value 'uncore_owner_cache_bytes{job="7"}')" -eq 4000000 ] || fail "no bytes in the cache"
[ "$(grep -c '^# TYPE uncore_owner_memory_bytes' "$tmp/page")" -eq 1 ] || fail "a family is described twice"
end_exporter -TERM
[ "$(ls "$dir/sys/fs/resctrl/mon_groups")" = "" ] || fail "monitoring groups are left"
start_exporter --by job --group memory --max-series 4 || fail "it does not start with few series"
fetch /metrics
omits() {
	grep -q 'the traffic of owners is incomplete: .*[1-9] owners* \(is\|are\) omitted: the limit is 1' "$tmp/exporter.err"
}
soon omits || fail "omitted owners are not reported: $(cat "$tmp/exporter.err")"
end_exporter -TERM

[ $failures -eq 0 ]
