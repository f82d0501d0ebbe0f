# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# `uncore selftest` with the kernel's driver: that writes the controls and filters that we would
# write, and counts the same at the same time.  The machine's time is the real one.  And with a
# control that is changed meanwhile it reports that.  Not on icx: its iMC's registers are in memory,
# which the guest does not have.  The one that takes longest is the first.
#
# platforms: skx snbep ivbep hswep bdx nhmex wsmex
# modules: uncore_lab:backend=portal msr intel-uncore
# server: $B/lab/bin/simpci $P:cores=$C,hide=0e3e 512
# programs: $B/uncore $B/lab/bin/msr
# seconds: 400

# report [KIND]...: the checks against the kernel of all kinds of boxes, "STATE|CHECK|SEEN" a line
report() {
	# shellcheck disable=SC2046
	[ $# -gt 0 ] || set -- $(uncore show --json | grep -o '"kind":"[a-z0-9]*"' | cut -d '"' -f 4 | uniq)
	uncore selftest --json "$@" | sed 's/},{/\n/g' |
		sed -n 's/.*"check":"\([^"]*kernel[^"]*\)","state":"\([A-Z]*\)".*"seen":"\([^"]*\)".*/\2|\1|\3/p'
}

# On a busy computer the guest may be too slow to compare to 0.1 %: then that is a warning, but the
# counts do not differ.
report >/tmp/report
cat /tmp/report
for kind in cbo cha imc ha pcu qpi mbox; do
	for what in "registers of the kernel driver" "counts of the kernel driver"; do
		line=$(grep -F "|$kind: $what|" /tmp/report)
		case $line in
		'') ;;
		PASS* | WARN*'difference 0.00 %'*) ok "$kind: $what" ;;
		*) not_ok "$kind: $what" "$line" ;;
		esac
	done
done
check "both were compared" grep -q '^PASS|[a-z0-9]*: registers of the kernel' /tmp/report
if grep -E '^(FAIL|WARN)' /tmp/report | grep -v 'difference 0.00 %' >/tmp/bad; then
	not_ok "nothing is different" "$(head -n 3 /tmp/bad | tr '\n' ' ')"
else
	ok "nothing is different"
fi

# A control that is changed while the kernel uses it must be found.  It is
# written all the time, since the library reads it soon after perf_event_open.  On a busy computer
# the writer may be descheduled just then: five tries.
named_change() {
	for _ in 1 2 3 4 5; do
		report cbo >/tmp/report
		grep -q "^FAIL.cbo: registers of the kernel driver" /tmp/report && break
	done
	cat /tmp/report
}
if [ "$LAB_PLATFORM" = snbep ]; then
	msr 0 0xd10 0x136 100000000 &
	writer=$!
	says "a control of the kernel's that is changed is named" \
		"^FAIL.cbo: registers of the kernel driver.the kernel has set no control of cbo0 of package 0 to" \
		named_change
	kill $writer
fi
