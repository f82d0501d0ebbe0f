#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# rows_test.sh - events/rows.sh prints what the tables of Xeon 6 have, but for the texts.
#
# Expects SRC, the source directory, in the environment.

set -u

: "${SRC:?the source directory}"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
lists=$SRC/tests/event/intel
failed=0

# what it is, and the two files that have to be the same
same() {
	if ! diff "$tmp/expected" "$tmp/rows" >"$tmp/diff"; then
		printf 'FAILED: %s\n' "$1"
		sed 's/^/  /' "$tmp/diff"
		failed=1
	fi
}

# a table, and the unit of Granite Rapids' list
table() {
	sed -n 's/, "[^"]*"\(, REGULAR\)*)$/, ""\1)/p' "$SRC/events/shared/xeon6/$1.def" >"$tmp/expected"
	sh "$SRC/events/rows.sh" "$lists/gnr.list.gz" "$2" >"$tmp/rows"
	same "rows of $2 and xeon6/$1.def"
}

table ubo UBOX
table pcu PCU
table b2upi B2UPI
table b2hot B2HOT

# Lists that are based on each other: cwf.list on srf.list on gnr.list.
cat >"$tmp/expected" <<'EOF'
EVENT(UNC_CXLCM_RxC_PACK_BUF_INSERTS, 0x41, 0, "")
	UMASK(MEM_DATA, 0x1000, "")
EVENT(UNC_MDF_CLOCKTICKS, 0x01, 0, "", REGULAR)
EOF
for unit in CXLCM MDF; do
	sh "$SRC/events/rows.sh" "$lists/cwf.list.gz" "$unit"
done >"$tmp/rows"
same 'rows of a list with a base'

cat >"$tmp/expected" <<'EOF'
XEVENT(UNC_A, 0x05, 0, "")
	XALONE(OLD_PART0, 0x7001000000100, "")
EVENT(UNC_B, 0x06, 0, "", REGULAR)
	ALONE(PLAIN, 0x00, "")
	UMASK(ONE, 0x100, "", REGULAR)
EVENT(UNC_CLOCK, 0x101, 0, "", REGULAR)
EOF
cat >"$tmp/made.list" <<'EOF'
[BOX]
UNC_A.OLD.PART0 7001000000105 01 x d
UNC_B 6 0123 x
UNC_B.ONE 106 0123
UNC_FREE 0 free
UNC_CLOCK 101 0123
[OTHER]
UNC_C.TWO 206 0123
EOF
sh "$SRC/events/rows.sh" "$tmp/made.list" BOX >"$tmp/rows"
same 'rows of deprecated, bare and free-running events'

cat >"$tmp/expected" <<'EOF'
EVENT(UNC_C, 0x06, 0, "")
	UMASK(TWO, 0x200, "")
EOF
printf '[BOX]\nUNC_C.TWO 206 0123\n' >"$tmp/one.list"
sh "$SRC/events/rows.sh" "$tmp/one.list" BOX >"$tmp/rows"
same 'rows of a list without experimental events'

if sh "$SRC/events/rows.sh" "$tmp/none.list" BOX >"$tmp/rows" 2>&1; then
	echo 'FAILED: a missing list'
	failed=1
fi
exit "$failed"
