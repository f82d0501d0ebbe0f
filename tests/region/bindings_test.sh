#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# bindings_test.sh - the examples of regions in C, Fortran and Python, built by the lines in their
# heads, and what the modules do with failures and means.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failed=0
skipped=

if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	echo "skipped: programs would have to be built with the sanitizers of the library"
	exit 77
fi

fail() {
	echo "FAILED: $*"
	sed 's/^/    /' "$tmp/out" "$tmp/err"
	failed=1
}

flags="-I$SRC/src -L$BUILD -Wl,-rpath,$BUILD -luncore"
export UNCORE_MACHINE=sim:snbep:packages=1,cores=2
: >"$tmp/out"

# shown WHAT REGION...: the table has these, each with bytes that were read
shown() {
	what=$1
	shift
	for region; do
		awk -v head="region $region:" '
			index($0, head) == 1 { inside = 1; next }
			/^region / { inside = 0 }
			inside && /UNCORE_MEM_READ_BYTES/ && $1 > 0 && $2 > 0 { found = 1 }
			END { exit !found }' "$tmp/out" || fail "$what has no region $region"
	done
}

# ---- C ----

# shellcheck disable=SC2086
if ${CC:-cc} -std=gnu99 -O2 -Wall -Wextra -pedantic -Werror "$SRC/examples/library/regions.c" $flags \
	-pthread -o "$tmp/c" 2>"$tmp/err" && "$tmp/c" >"$tmp/out" 2>"$tmp/err"; then
	shown regions.c "all rounds" triad sum
else
	fail "regions.c"
fi

# ---- Fortran ----

# fortran NAME SOURCE: with the module, as in the head of the example
fortran() {
	# shellcheck disable=SC2086
	(cd "$tmp" && gfortran -std=f2008 -Wall -Wextra -pedantic -Werror -fopenmp \
		"$SRC/src/bindings/uncore.f90" "$2" $flags -o "$tmp/$1") >"$tmp/out" 2>"$tmp/err"
}

cat >"$tmp/means.f90" <<'END'
program means
    use uncore
    implicit none
    type(uncore_machine_t) :: machine
    type(uncore_set_t) :: set
    type(uncore_region_t) :: region
    integer(uncore_id) :: id, none, event
    integer(uncore_count) :: values(1), few(0)

    if (uncore_open(machine) /= UNCORE_OK) stop 1
    if (uncore_event(machine, "UNC_NO_SUCH_EVENT", event) /= UNCORE_ENOEVENT) stop 2
    if (index(uncore_errmsg(machine), "UNC_NO_SUCH_EVENT") == 0) stop 3
    if (uncore_event(machine, "UNCORE_TOR_DRD_LATENCY_CLOCKS  ", event) /= UNCORE_OK) stop 4
    if (uncore_event_name(machine, event) /= "UNCORE_TOR_DRD_LATENCY_CLOCKS") stop 5
    if (uncore_set_create(machine, set) /= UNCORE_OK) stop 6
    if (uncore_region(set, "early", none) /= UNCORE_ESTATE) stop 7
    if (uncore_set_assign(set, [event]) /= UNCORE_OK) stop 8
    if (uncore_region(set, "region  ", id) /= UNCORE_OK .or. id /= 0) stop 9
    if (uncore_region_begin(set, id) /= UNCORE_ESTATE) stop 10
    if (uncore_region_end(set, id) /= UNCORE_OK) stop 11
    if (uncore_set_start(set) /= UNCORE_OK) stop 12
    if (uncore_region_begin(set, id) /= UNCORE_OK) stop 13
    call execute_command_line("sleep 0.05")
    if (uncore_region_end(set, id) /= UNCORE_OK) stop 14
    if (uncore_region_end(set, id) /= UNCORE_ESTATE) stop 15
    if (uncore_region_info(set, id, region, few) /= UNCORE_EINVAL) stop 16
    if (uncore_region_info(set, id, region, values) /= 1) stop 17
    if (region%name /= "region" .or. region%calls /= 2 .or. region%lost /= 1) stop 18
    if (region%seconds < 0.05 .or. region%inside /= 0) stop 19
    if (uncore_real(values(1)) < 10 .or. uncore_real(values(1)) > 1000) stop 20
    if (uncore_region_info(set, id + 1, region, values) /= 0) stop 21
    if (uncore_set_read(set, values) /= UNCORE_OK .or. uncore_real(values(1)) < 10) stop 22
    if (uncore_region_reset(set, id) /= UNCORE_OK) stop 23
    if (index(uncore_regions_text(set, UNCORE_REGIONS_JSON), '"calls":0') == 0) stop 24
    if (uncore_regions_text(set, 7) /= "") stop 25
    call uncore_set_destroy(set)
    call uncore_close(machine)
    call uncore_close(machine)
end program
END
if ! command -v gfortran >/dev/null; then
	skipped="$skipped gfortran"
elif ! fortran f "$SRC/examples/library/regions.f90"; then
	fail "regions.f90 cannot be built"
else
	"$tmp/f" >"$tmp/out" 2>"$tmp/err" || fail "regions.f90"
	shown regions.f90 triad sum
	UNCORE_MACHINE=nonsense "$tmp/f" >"$tmp/out" 2>"$tmp/err"
	if [ $? -ne 1 ] || ! grep -q nonsense "$tmp/err"; then
		fail "regions.f90 on a wrong machine"
	fi
	fortran means "$tmp/means.f90" || fail "means.f90 cannot be built"
	"$tmp/means" >"$tmp/out" 2>"$tmp/err" || fail "means.f90 stops with $?"
fi

# ---- Python ----

export PYTHONPATH="$SRC/src/bindings" LD_LIBRARY_PATH="$BUILD" PYTHONDONTWRITEBYTECODE=1
cat >"$tmp/means.py" <<'END'
import json
import os
import threading
import time
import uncore

def refused(code, function, *arguments):
    try:
        function(*arguments)
    except uncore.Error as error:
        assert error.code == code, (error.code, error)
        return str(error)
    raise AssertionError("not refused")

assert uncore.version() == os.environ["VERSION"]
assert "nonsense" in refused(-1, uncore.Machine, "nonsense")
with uncore.Machine("sim:snbep:packages=1,cores=2") as machine:
    assert "NO_SUCH" in refused(-3, machine.set, "UNC_NO_SUCH_EVENT")
    refused(-9, machine.set, *["UNC_C_TOR_OCCUPANCY:OPCODE:OPC_%s" % opcode
                               for opcode in ("DRD", "CRD", "RFO")])
    counts = machine.set("UNCORE_TOR_DRD_LATENCY_CLOCKS", "UNC_M_CLOCKTICKS:box=0")
    refused(-12, counts.begin, "early")
    counts.end("early")
    counts.start()
    def work(seconds):
        with counts.region("threads"):
            time.sleep(seconds)
    for seconds in 0.05, 0.2, 0.8, 3.2: # a busy computer may disturb a short one
        if seconds > 0.05:
            counts.reset_region("threads")
        threads = [threading.Thread(target=work, args=(seconds,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        region = counts.regions()[1]
        cycles = region.values["UNC_M_CLOCKTICKS:box=0"]
        if abs(cycles / region.seconds / 800e6 - 1) < 0.05:
            break
    refused(-12, counts.end, "threads")
    refused(-1, counts.begin, "bad\nname")
    early, region = counts.regions()
    assert early.lost == 1 and early.calls == 1
    assert (region.name, region.calls, region.lost, region.inside) == ("threads", 3, 0, 0)
    assert 0.05 <= region.seconds
    mean, cycles = region.values.values()
    assert isinstance(mean, float) and 10 < mean < 1000
    # 800 cycles a microsecond, once for three threads
    assert abs(cycles / region.seconds / 800e6 - 1) < 0.05
    assert counts.read()["UNC_M_CLOCKTICKS:box=0"] > cycles
    child = os.fork()
    if child == 0:
        os._exit(0 if refused(-14, counts.begin, "threads") else 1)
    assert os.waitpid(child, 0)[1] == 0
    counts.reset_region("threads")
    assert counts.regions()[1].calls == 0
    lines = [json.loads(line) for line in counts.json().splitlines()]
    assert [line["region"] for line in lines] == ["early", "threads"]
    assert "region threads: 0 calls" in counts.table()
    counts.stop()
for function in (counts.start, counts.read, counts.regions):
    refused(-12, function)
refused(-12, counts.begin, "threads")
machine.close()
END
if ! command -v python3 >/dev/null; then
	skipped="$skipped python3"
else
	if python3 "$SRC/examples/library/regions.py" >"$tmp/out" 2>"$tmp/err"; then
		shown regions.py copy sum
	else
		fail "regions.py"
	fi
	UNCORE_MACHINE=nonsense python3 "$SRC/examples/library/regions.py" >"$tmp/out" 2>"$tmp/err"
	if [ $? -ne 1 ] || ! grep -q nonsense "$tmp/err"; then
		fail "regions.py on a wrong machine"
	fi
	# an ImportError or an OSError is a sentence
	PYTHONPATH='' python3 -S "$SRC/examples/library/regions.py" >"$tmp/out" 2>"$tmp/err"
	if [ $? -ne 1 ] || [ "$(wc -l <"$tmp/err")" -ne 1 ] || ! grep -q PYTHONPATH "$tmp/err"; then
		fail "regions.py without uncore.py"
	fi
	UNCORE_LIBRARY=none.so python3 "$SRC/examples/library/regions.py" >"$tmp/out" 2>"$tmp/err"
	if [ $? -ne 1 ] || [ "$(wc -l <"$tmp/err")" -ne 1 ] || ! grep -q 'none.so' "$tmp/err"; then
		fail "regions.py without libuncore.so.0"
	fi
	VERSION=$(sed -n 's/^VERSION *= *//p' "$BUILD/config.mk") python3 "$tmp/means.py" \
		>"$tmp/out" 2>"$tmp/err" || fail "means.py"
fi

[ -z "$skipped" ] || echo "skipped, because it is not there:$skipped"
[ "$failed" -eq 0 ] && [ -n "$skipped" ] && exit 77
exit "$failed"
