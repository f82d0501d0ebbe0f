#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# progress_test.sh - the line of `uncore stat` that tells on a terminal how far it is: after ten
# seconds, erased before the counts; nothing on anything else.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
# shellcheck source=tests/support/terminal.sh
. "$SRC/tests/support/terminal.sh"
unset UNCORE_SYSROOT
export UNCORE_MACHINE=sim:snbep
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
failures=0

fail() {
	echo "FAILED: $*"
	cat -v "$tmp/terminal" "$tmp/err"
	failures=1
}

if reason=$(why_no_terminal); then
	echo "skipped: $reason"
	exit 77
fi
escape=$(printf '\033')
"$BUILD/uncore" stat -d 11.5 >"$tmp/out" 2>"$tmp/err" &
# A busy computer may pass over a second.
for _ in 1 2 3 4; do
	script -qec "'$BUILD/uncore' stat -d 11.5" "$tmp/log" </dev/null | tr '\r' '\n' >"$tmp/terminal"
	if grep -qx "$escape\[K10 s of 11.5 s" "$tmp/terminal" && grep -qx "$escape\[K11 s of 11.5 s" "$tmp/terminal"; then break; fi
done
wait $!
grep -qx "$escape\[K10 s of 11.5 s" "$tmp/terminal" || fail "nothing after ten seconds"
grep -qx "$escape\[K11 s of 11.5 s" "$tmp/terminal" || fail "nothing a second later"
if grep -q "[0-9] s of 11.5 s.*SIM" "$tmp/terminal"; then fail "it was not erased"; fi
[ "$(grep -n "$escape\[K\$" "$tmp/terminal" | tail -n 1 | cut -d : -f 1)" -lt \
	"$(grep -n 'seconds$' "$tmp/terminal" | cut -d : -f 1)" ] || fail "the counts do not come behind it"
grep -q 'UNCORE_MEM_READ_BYTES (system)$' "$tmp/terminal" || fail "no counts on the terminal"
[ ! -s "$tmp/err" ] || fail "progress is written to a file"

# Without an end, it says how it ends, and only on a terminal.
for seconds in 0.5 2 8; do # a busy computer may start it late
	script -qec "timeout -s INT $seconds '$BUILD/uncore' stat" "$tmp/log" </dev/null | tr '\r' '\n' >"$tmp/terminal"
	if grep -q 'seconds$' "$tmp/terminal"; then break; fi
done
[ "$(grep -c 'until Ctrl-C$' "$tmp/terminal")" -eq 1 ] || fail "it does not say how it ends"
grep -q 'seconds$' "$tmp/terminal" || fail "no counts after SIGINT"
timeout -s INT 0.5 "$BUILD/uncore" stat >"$tmp/terminal" 2>&1
if grep -q Ctrl-C "$tmp/terminal"; then fail "it is said to a file"; fi
exit $failures
