#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# prometheus_test.sh - Prometheus, with the configuration of examples/exporter, scrapes `uncore
# exporter` and is asked for rates by its HTTP API.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
tmp=$(mktemp -d) || exit 1
# shellcheck source=tests/support/exporter.sh
. "$SRC/tests/support/exporter.sh"

prometheus=
# shellcheck disable=SC2317
finish() {
	end_exporter -TERM
	[ -z "$prometheus" ] || kill "$prometheus" 2>/dev/null
	[ -z "$prometheus" ] || wait "$prometheus"
	rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

skip() {
	echo "skipped: $*"
	exit 77
}

failed() {
	echo "FAILED: $*"
	tail -n 5 "$tmp/prometheus.err" "$tmp/answer" 2>/dev/null
	exit 1
}

program=$(service prometheus) || skip "there is no prometheus; ./configure --install-deps=all unpacks it"
command -v curl >/dev/null || skip "there is no curl"
start_exporter --machine sim:snbep || {
	grep -q 'built without' "$tmp/exporter.err" && skip "the command was built without libmicrohttpd"
	failed "the exporter does not start: $(cat "$tmp/exporter.err")"
}

# As installed, but for the address, and for who cannot wait.
sed -e "s|localhost:19836|${url#http://}|" -e 's|scrape_interval: .*|scrape_interval: 250ms|' \
	-e 's|scrape_timeout: .*|scrape_timeout: 250ms|' \
	"$SRC/examples/exporter/prometheus.yml" >"$tmp/prometheus.yml"
grep -q "${url#http://}" "$tmp/prometheus.yml" || failed "the example has another port"
"$(service promtool)" check config "$tmp/prometheus.yml" >"$tmp/answer" 2>&1 ||
	failed "promtool does not take the example"

# Prometheus cannot choose a free port.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$program" --config.file="$tmp/prometheus.yml" --storage.tsdb.path="$tmp/data" \
	--web.listen-address="127.0.0.1:$port" >"$tmp/prometheus.err" 2>&1 &
prometheus=$!

# ask QUERY: the API's answer
ask() {
	curl -s --noproxy '*' --max-time 10 -G --data-urlencode "query=$1" \
		"http://127.0.0.1:$port/api/v1/query" >"$tmp/answer" 2>/dev/null
}

# result EXPRESSION: of Python, of the answer's list r
result() {
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))["data"]["result"]
sys.exit(not ('"$1"'))' "$tmp/answer" 2>/dev/null
}

# Half of the range of the rate: Prometheus divides by all of it from the second sample on.
# shellcheck disable=SC2317 # soon calls it
has_samples() {
	ask 'count_over_time(uncore_memory_read_bytes_total[5s])' &&
		result 'len(r) == 2 and all(float(x["value"][1]) >= 10 for x in r)'
}

# shellcheck disable=SC2317 # soon calls it
has_rates() {
	ask 'rate(uncore_memory_read_bytes_total[5s])' &&
		result 'len(r) == 2 and all(float(x["value"][1]) > 0 for x in r)'
}

soon has_samples || soon has_samples || failed "no samples of memory bytes"
soon has_rates || failed "no rate of memory bytes"
result '{x["metric"]["package"] for x in r} == {"0", "1"}' || failed "not a series for each package"

# 10 GB/s of the simulated machine, more or less: the rate is bytes per second.
result 'all(1e9 < float(x["value"][1]) < 1e11 for x in r)' || failed "the rate is no bandwidth"

# A latency, from counts that count in the same windows.
ask 'rate(uncore_demand_read_occupancy_cycles_total[5s]) / rate(uncore_demand_read_requests_total[5s])'
result 'len(r) == 2 and all(90 < float(x["value"][1]) < 115 for x in r)' || failed "no latency of some 100 clocks"

ask 'uncore_info'
result 'len(r) == 1 and r[0]["metric"]["simulated"] == "true"' || failed "no uncore_info"
ask 'sum(up{job="uncore"})'
result 'float(r[0]["value"][1]) == 1' || failed "Prometheus calls it down"

# Prometheus reads OpenMetrics output with its units and texts.
curl -s --noproxy '*' "http://127.0.0.1:$port/api/v1/metadata?metric=uncore_memory_read_bytes" >"$tmp/answer"
grep -q '"type":"counter"' "$tmp/answer" || {
	curl -s --noproxy '*' "http://127.0.0.1:$port/api/v1/targets/metadata?metric=uncore_memory_read_bytes" >"$tmp/answer"
	grep -q '"type":"counter"' "$tmp/answer" || failed "no metadata"
}
exit 0
