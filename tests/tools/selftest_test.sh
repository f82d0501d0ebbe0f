#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# selftest_test.sh - `uncore selftest` as a command: its screen, JSON and exit status, while another
# process counts, and on a recording.  Its findings are tested in tests/selftest.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/mounted.sh
. "$SRC/tests/support/mounted.sh"

# shellcheck source=tests/support/command.sh
. "$SRC/tests/support/command.sh"

# tested ARGUMENT...: nothing fails; status 4: this computer is too busy for some checks
tested() {
	"$tool" "$@" >"$tmp/out" 2>&1
	status=$?
	case $status in
	0 | 4) ;;
	*)
		echo "FAILED: uncore $*: status $status in place of 0 or 4"
		sed 's/^/  /' "$tmp/out"
		failures=$((failures + 1))
		;;
	esac
}

unset UNCORE_MACHINE UNCORE_WRAP_POLLER UNCORE_FORCE UNCORE_JOURNAL UNCORE_SHARE

tested --machine sim:ivbep:packages=1,cores=2 selftest
says '^SIMULATED '
says '(PASS|BUSY) cbo: clocks of all boxes'
says '(PASS|BUSY) cbo: overflow counting stops after 100000 cycles seen: stopped after 10[0-9]{4} '
says '(PASS|BUSY) memory: reads each line read adds 64 to UNCORE_MEM_READ_BYTES .* socket 0 counted [0-9]+, '
says 'SKIP links: received data .* skipped: the machine has only one socket'
says '[0-9]+ passed, 0 warned, 0 failed, [0-9]+ skipped $'
tested --machine sim:snbep:packages=1,cores=1 selftest --json
says '^\{"platform":"snbep","simulated":true,"failed":0,"checks":\[\{"check":".*","state":"(PASS|BUSY)",'
tested --machine sim:snbep:packages=1,cores=1 selftest --report "$tmp/report.json"
says '[0-9]+ passed, 0 warned, 0 failed, [0-9]+ skipped $'
uncore 0 --machine "file:$tmp/report.json" show
says '^RECORDED Intel Xeon E5-2600 '
tr -d ' \n' <"$tmp/report.json" | grep -q '"selftest":{"platform":"snbep","simulated":true,"failed":0,"checks":\[{"check":"' || {
	echo "FAILED: the report has no checks"
	failures=$((failures + 1))
}
uncore 3 --machine sim:snbep:packages=1,cores=1 selftest --report "$tmp/none/report.json"
says 'none/report.json: No such file'
mkdir "$tmp/empty"
UNCORE_SYSROOT=$tmp/empty uncore 3 selftest --report "$tmp/refused.json"
grep -q '^"refused": {' "$tmp/refused.json" || {
	echo "FAILED: the report of a machine that is refused does not say why"
	failures=$((failures + 1))
}
tested --machine sim:ivbep:packages=1,cores=2 selftest ha pcu --json
says '^\{"platform":"ivbep",.*"check":"(ha|pcu): clocks of all boxes",.*"check":"(ha|pcu): clocks of all boxes",'
grep -qE '"check":"(cbo|memory|sum)' "$tmp/out" && {
	echo "FAILED: other kinds are checked, too"
	failures=$((failures + 1))
}
uncore 2 --machine sim:ivbep:packages=1,cores=2 selftest pcu ubox
says 'unknown kind of box "ubox": this machine has cbo, ubo, pcu, ha, imc, irp, qpi, r2pcie, r3qpi'
"$tool" --machine sim:snbep record -o "$tmp/machine.json"
(cd "$tmp" && "$tool" --machine sim:snbep record -o - | grep -q '^{"uncore_recording": 1,' && [ ! -e ./- ]) || {
	echo "FAILED: record -o - does not write to standard output"
	failures=$((failures + 1))
}
uncore 3 --machine "file:$tmp/machine.json" selftest
says 'cannot test a recorded machine'

"$tool" sim mount --background --machine sim:ivbep:packages=1,cores=2 "$dir" >"$tmp/mounted" 2>&1 || {
	[ $failures -eq 0 ] || exit 1
	echo "the rest: nothing can be mounted: $(cat "$tmp/mounted")"
	exit 77
}
UNCORE_SYSROOT=$dir "$tool" stat -e UNC_C_CLOCKTICKS:box=0 -d 60 >/dev/null 2>&1 &
other=$!
is_shown() {
	UNCORE_SYSROOT=$dir "$tool" show | grep -q "(pid $other,"
}
await is_shown
UNCORE_SYSROOT=$dir tested selftest
says "SKIP cbo: clocks of all boxes .* skipped: cbo0 of socket 0 is in use by uncore \\(pid $other,"
says '(PASS|BUSY) ha: each counter'
says 'SKIP memory: reads .* skipped: traffic requires a machine simulated in this process'
kill "$other"
wait "$other" 2>/dev/null
[ $failures -eq 0 ]
