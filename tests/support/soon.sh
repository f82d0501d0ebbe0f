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

# soon_says FILE PATTERN: waits until a line of the file matches
soon_says() {
	soon grep -Eqs -e "$2" "$1"
}
