#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# mutants/changed.sh - random mutants of 40 lines that were changed since the last release, with the
# tests of their folders only; fails if more than 15 % live.  The lines and changes depend only on the
# commit.  Expects what draw.py expects; ends with: N passed, N failed, N skipped

set -u
: "${SRC:?the source directory}" "${BUILD:?the build directory}"

skip() {
	printf 'skipped: mutants: %s\n0 passed, 0 failed, 1 skipped\n' "$1"
	exit 0
}

for program in python3 clang git; do
	command -v "$program" >/dev/null || skip "$program is not installed"
done
commit=$(git -C "$SRC" rev-parse HEAD 2>/dev/null) || skip "the sources are not a repository"
# The commits of a version begin with the one that writes its number.
version=$(git -C "$SRC" log -1 --format=%H -G'^VERSION=' -- configure)
git -C "$SRC" rev-parse -q --verify "$version^" >/dev/null || skip "the last release is not in the repository"
if SINCE=$version^ OTHERS=0 MOST=15 python3 -B "$SRC/tests/mutants/draw.py" 40 "$commit"; then
	echo "1 passed, 0 failed, 0 skipped"
else
	printf 'failed: mutants: more than 15 %% live\n0 passed, 1 failed, 0 skipped\n'
	exit 1
fi
