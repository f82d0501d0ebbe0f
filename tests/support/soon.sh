# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# soon.sh - waits for other processes. Source it.

# soon COMMAND...: repeats the command until it succeeds, for a minute at most, which is enough
# on a busy computer
soon() {
	for _ in $(seq 1200); do
		if "$@"; then return; fi
		sleep 0.05
	done
	return 1
}

# await COMMAND...: the same; ends the test if the command does not succeed
await() {
	soon "$@" || {
		echo "FAILED: waited a minute for: $*"
		exit 1
	}
}
