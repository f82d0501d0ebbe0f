# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# terminal.sh - for scripts that need a terminal. Source it.

# why_no_terminal: prints why script(1) cannot make a terminal here; fails if it can
why_no_terminal() {
	command -v script >/dev/null || {
		echo "there is no script (bsdutils, util-linux), which makes a terminal"
		return
	}
	made=$(script -qec 'tty -s && echo made' /dev/null </dev/null 2>&1 | tr -d '\r')
	[ "$made" != made ] || return 1
	echo "no terminal can be made here: $made"
}
