# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# exporter.sh - `uncore exporter` for scripts. Source it after mounted.sh, whose $tmp it uses,
# or set $tmp first.
# shellcheck disable=SC2154

# shellcheck source=tests/support/soon.sh
. "$SRC/tests/support/soon.sh"

exporter=
tool=$BUILD/uncore

# is_ready: the exporter has reported its address, or has ended
is_ready() {
	grep -q 'http://' "$tmp/exporter.err" || ! kill -0 "$exporter" 2>/dev/null
}

# start_exporter ARGUMENT...: at a free port, with the address in $url
start_exporter() {
	: >"$tmp/exporter.err"
	COLUMNS=10000 "$tool" exporter --listen 127.0.0.1:0 "$@" 2>"$tmp/exporter.err" &
	exporter=$!
	await is_ready
	url=$(sed -n 's|.*\(http://[^ ]*\)/metrics.*|\1|p' "$tmp/exporter.err")
	[ -n "$url" ]
}

# end_exporter -SIGNAL: leaves the exit status in $status
end_exporter() {
	[ -z "$exporter" ] || kill "$1" "$exporter" 2>/dev/null
	[ -z "$exporter" ] || wait "$exporter"
	# shellcheck disable=SC2034
	status=$?
	exporter=
}

# fetch PATH CURL-OPTION...: saves the body as $tmp/page and the header as $tmp/head
fetch() {
	path=$1
	shift
	curl -s -S --noproxy '*' --max-time 30 -D "$tmp/head" -o "$tmp/page" "$@" "$url$path"
}

# value SAMPLE: prints its value on the page, as in
# 'uncore_memory_read_bytes_total{package="0"}'
value() {
	awk -v name="$1" 'index($0, name " ") == 1 { print $NF }' "$tmp/page"
}

# service PROGRAM: prints the path of a program that is installed or was unpacked by configure
service() {
	PATH=$PATH:/usr/sbin:$BUILD/services/usr/bin:$BUILD/services/usr/sbin command -v "$1"
}
