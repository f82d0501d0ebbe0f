#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# stress_test.sh - processes that count on one mounted machine, and are killed with SIGKILL: no
# count is silently wrong, each refusal names a process that lives, and the machine is in the
# end as it was.  A few seconds for each way and machine; docs/testing.md has the long run.
#
# Expects BUILD, the build directory, in the environment.

set -u

failed=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

# stress OPTION...: its report, when it fails
stress() {
	timeout 120 "$BUILD/tests/stress" -t 4 -s 10 "$@" >"$out" 2>&1
	status=$?
	[ "$status" -ne 77 ] || {
		cat "$out"
		exit 77
	}
	if [ "$status" -ne 0 ]; then
		echo "FAILED: stress $*: status $status"
		cat "$out"
		failed=1
	fi
}

for way in random disjoint owner; do
	stress -w "$way" -p 8 -n 20
done
for machine in ivbep nhmex spr; do
	stress -m "$machine" -p 4 -n 10
done
exit "$failed"
