# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# awk.sh - awk for scripts that compute with what uncore prints. Source it.

# mawk reads numbers as the user's locale writes them, uncore prints a point in all of them.
awk() {
	LC_ALL=C command awk "$@"
}
