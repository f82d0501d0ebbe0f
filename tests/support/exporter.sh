# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# exporter.sh - `uncore exporter` for scripts; they source it behind mounted.sh, whose $tmp it uses,
# or set $tmp themselves.
# shellcheck disable=SC2154

exporter=
tool=$BUILD/uncore

# soon COMMAND...: within ten seconds
soon() {
	for _ in $(seq 200); do
		if "$@"; then return; fi
		sleep 0.05
	done
	return 1
}

# is_ready: it has said where it listens, or has ended
is_ready() {
	grep -q 'http://' "$tmp/exporter.err" || ! kill -0 "$exporter" 2>/dev/null
}

# start_exporter ARGUMENT...: at a free port; $url is where
start_exporter() {
	: >"$tmp/exporter.err"
	COLUMNS=10000 "$tool" exporter --listen 127.0.0.1:0 "$@" 2>"$tmp/exporter.err" &
	exporter=$!
	soon is_ready
	url=$(sed -n 's|.*\(http://[^ ]*\)/metrics.*|\1|p' "$tmp/exporter.err")
	[ -n "$url" ]
}

# end_exporter -SIGNAL: and how it ended, in $status
end_exporter() {
	[ -z "$exporter" ] || kill "$1" "$exporter" 2>/dev/null
	[ -z "$exporter" ] || wait "$exporter"
	# shellcheck disable=SC2034
	status=$?
	exporter=
}

# fetch PATH CURL-OPTION...: to $tmp/page, its head to $tmp/head
fetch() {
	path=$1
	shift
	curl -s -S --noproxy '*' --max-time 30 -D "$tmp/head" -o "$tmp/page" "$@" "$url$path"
}

# value SAMPLE: of the page, as in 'uncore_memory_read_bytes_total{package="0"}'
value() {
	awk -v name="$1" 'index($0, name " ") == 1 { print $NF }' "$tmp/page"
}

# service PROGRAM: where a program is that configure has unpacked, or that is installed
service() {
	PATH=$PATH:/usr/sbin:$BUILD/services/usr/bin:$BUILD/services/usr/sbin command -v "$1"
}
