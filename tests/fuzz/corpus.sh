#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# fuzz/corpus.sh unpack TARGET DIR - write the inputs of TARGET's corpus to DIR
# fuzz/corpus.sh merge TARGET - add to the corpus those inputs of BUILD/tests/corpus/TARGET that
#                               reach code that no other input reaches
#
# A corpus is an archive: tests/fuzz/corpus/TARGET.tar.gz.  The same inputs give the same archive.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

: "${SRC:?the source directory}" "${BUILD:?the build directory}"

fail() {
	echo "corpus.sh: $*" >&2
	exit 2
}

unpack() {
	mkdir -p "$2"
	tar -xzf "$SRC/tests/fuzz/corpus/$1.tar.gz" -C "$2"
}

# pack TARGET DIR
pack() {
	tar -c --sort=name --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner \
		--mode=u=rwX,go=rX -C "$2" . | gzip -9n >"$SRC/tests/fuzz/corpus/$1.tar.gz.new"
	mv "$SRC/tests/fuzz/corpus/$1.tar.gz.new" "$SRC/tests/fuzz/corpus/$1.tar.gz"
}

merge() {
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	unpack "$1" "$work"
	"$BUILD/tests/fuzz/$1" -set_cover_merge=1 -use_counters=0 "$work" "$BUILD/tests/corpus/$1"
	pack "$1" "$work"
}

case $#:${1-} in
3:unpack) unpack "$2" "$3" ;;
2:merge) merge "$2" ;;
*) fail "expected unpack TARGET DIR or merge TARGET" ;;
esac
