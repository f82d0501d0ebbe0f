# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The cost of counting: this component, the same through uncored, stock PAPI, perf_event_open and
# likwid, one after the other in this guest.  The table is /out/table; docs/performance.md has its reads.
#
# platforms: snbep
# programs: $B/uncored $B/lab/bin/cost taskset papi_component_avail bash likwid-accessD
# files: /usr/lib/x86_64-linux-gnu/liblikwid.so.5.2:/usr/lib/x86_64-linux-gnu/liblikwid.so.5.2
# seconds: 180

stock=/usr/lib/x86_64-linux-gnu

# Linux leaves event selects behind, which likwid takes for those of another process.
export LIKWID_FORCE=1

# A user of its own, under its filter of calls.  On the CPU of who asks: an emulated CPU that is
# idle is woken by its next tick, so that a bare exchange between two takes 7 ms.
echo 'uncore:x:900:900::/:/bin/false' >>/etc/passwd
printf 'uncored:x:900:\n' >>/etc/group
mkdir -p /run/uncored
taskset 1 uncored >/tmp/uncored 2>&1 &
while ! grep -q uncored: /tmp/uncored; do usleep 20000; done
cat /tmp/uncored
export UNCORE_ACCESS=direct

# one CONTESTANT WHAT: with the libpapi that it is about
one() {
	case $1 in
	stock) LD_LIBRARY_PATH=$stock cost "$@" ;;
	uncored) UNCORE_ACCESS=daemon cost component "$2" | sed 's/^component/uncored/' ;;
	*) cost "$@" ;;
	esac 2>&1
}

for contestant in component library uncored stock perf likwid; do
	for n in 1 4 16 64; do
		one $contestant $n
	done
done >/tmp/lines
for contestant in component library stock; do
	one $contestant list
done >>/tmp/lines
cat /tmp/lines

awk '
	/: / { print "  " $0; next }
	$2 == "list" { list = list sprintf("  %-10s %5d entries %9.2f ms\n", $1, $3, $4); next }
	$1 == "component" { base[$2] = $7 }
	!($2 ~ /^(1|4|16|64)$/) { next }
	{ row[++rows] = $0 }
	END {
		print "contestant  n       init us calls    setup us calls     read us calls   x ours     stop us calls"
		for (i = 1; i <= rows; i++) {
			split(row[i], f, " ")
			printf "%-10s %2d %12.0f %5d %11.0f %5d %11.1f %5d %8.2f %11.0f %5d\n", f[1], f[2],
				f[3], f[4], f[5], f[6], f[7], f[8], f[7] / base[f[2]], f[9], f[10]
		}
		print "listing all events and umasks:"
		printf "%s", list
	}' /tmp/lines >/out/table
cat /out/table

# calls CONTESTANT N: system calls of one read
calls() {
	awk -v name="$1" -v n="$2" '$1 == name && $2 == n { print $8 }' /tmp/lines
}

for n in 1 4 16 64; do
	check "PAPI_read of $n counters makes $n system calls" test "$(calls component $n)" = $n
done
for n in 1 4 16 64; do
	check "PAPI_read of $n counters through uncored makes four" test "$(calls uncored $n)" = 4
done
check "stock PAPI needs as many or more" test "$(calls stock 64)" -ge 64
for contestant in stock perf likwid; do
	if [ -n "$(calls $contestant 64)" ]; then
		ok "$contestant was measured"
	else
		skip "$contestant" "$(grep "^$contestant: " /tmp/lines | tail -n 1)"
	fi
done
