#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# interface_test.sh - the C library as programs see it: headers in C and C++, static and shared,
# symbol versions, and programs that were built with older and newer headers.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u
export LC_ALL=C # the order of names

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"

# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
abi=$SRC/tests/abi
cc=${CC:-cc} cxx=${CXX:-c++}
strict='-Wall -Wextra -pedantic -Werror'
failed=0

fail() {
	printf 'FAILED: %s\n' "$1"
	[ ! -s "$tmp/err" ] || sed 's/^/  /' "$tmp/err"
	failed=1
}

if ! command -v "${cc%% *}" >"$tmp/out" || ! command -v "${cxx%% *}" >"$tmp/out"; then
	echo "there is no compiler $cc or $cxx"
	exit 77
fi
# CC may be several words: "ccache gcc".
printf '#!/bin/sh\nexec %s "$@"\n' "$cc" >"$tmp/cc"
chmod +x "$tmp/cc"
cc=$tmp/cc

# ---- headers: each alone, and both; in all versions of C and C++ ----

printf '#include <uncore.h>\nint main(void) { return UNCORE_OK; }\n' >"$tmp/alone.c"
printf '#include <uncore_marker.h>\nint main(void) { UNCORE_MARKER_INIT; UNCORE_MARKER_START("x"); return 0; }\n' >"$tmp/marks.c"
(echo "#define UNCORE_NO_MARKERS" && cat "$tmp/marks.c") >"$tmp/no_marks.c"
printf '#include <uncore_inspect.h>\nint main(void) { struct uncore_box_info b;
UNCORE_INIT(b); return (int)(b.size - sizeof(b)); }\n' >"$tmp/inspect.c"

# headers COMPILER LANGUAGE STANDARD...
headers() {
	compiler=$1 language=$2
	shift 2
	for standard; do
		for file in alone inspect marks no_marks; do
			# shellcheck disable=SC2086
			$compiler -std="$standard" $strict -I"$SRC/src" -x "$language" \
				-fsyntax-only "$tmp/$file.c" 2>"$tmp/err" ||
				fail "$file.c with $compiler -std=$standard"
		done
	done
}

headers "$cc" c c99 gnu99 c11 c17
headers "$cxx" c++ c++98 c++11 c++14 c++17 c++20
if command -v clang >"$tmp/out" && command -v clang++ >"$tmp/out"; then
	headers clang c c99 c11 c17
	headers clang++ c++ c++98 c++11 c++14 c++17 c++20
fi

# `linux` and `unix` are macros in the compilers' default modes.
printf '#include "types.h"\nint main(void) { return 0; }\n' >"$tmp/types.c"
# shellcheck disable=SC2086
"$cc" -std=gnu11 $strict -I"$SRC/events" -fsyntax-only "$tmp/types.c" 2>"$tmp/err" ||
	fail "events/types.h with -std=gnu11"
for standard in c++17 gnu++17; do
	# shellcheck disable=SC2086
	$cxx -std=$standard $strict -I"$SRC/events" -x c++ -fsyntax-only "$tmp/types.c" 2>"$tmp/err" ||
		fail "events/types.h with -std=$standard"
done

# ---- names: the headers declare what the map has and the library defines ----

for header in uncore.h uncore_inspect.h uncore_marker.h; do
	"$cc" -E -P -I"$SRC/src" "$SRC/src/$header"
done | tr '\n' ' ' | grep -Eo '[ *]uncore_[a-z_]+\([^;{]*\);' |
	sed 's/^[ *]//; s/(.*//' | sort -u >"$tmp/declared"
sed -n 's/^[[:space:]]*\(uncore_[a-z_]*\);$/\1/p' "$SRC/src/libuncore.map" | sort >"$tmp/map"
nm -D --defined-only "$BUILD/libuncore.so" | sed -n 's/^.* T //p' | grep -v '@@UNCORE_PRIVATE$' |
	sort >"$tmp/symbols"
sed 's/@@UNCORE_[0-9.]*$//' "$tmp/symbols" >"$tmp/defined"
for list in declared defined; do
	diff "$tmp/map" "$tmp/$list" >"$tmp/err" ||
		fail "the functions in src/libuncore.map (<) are not those that are $list (>)"
done
grep -v '@@UNCORE_' "$tmp/symbols" >"$tmp/err" && fail "symbols without a version"
nm -D --defined-only "$BUILD/libuncore.so" |
	grep -v -e ' T uncore_' -e ' A UNCORE_' -e '@@UNCORE_PRIVATE$' >"$tmp/err" &&
	fail "the shared library shows more than its functions"
# The private ones are those that the programs of the same build use.
nm -D --defined-only "$BUILD/libuncore.so" | sed -n 's/^.* T \(.*\)@@UNCORE_PRIVATE$/\1/p' |
	sort >"$tmp/private"
nm -D --undefined-only "$BUILD/uncore" "$BUILD/uncored" | sed -n 's/^ *U \(.*\)@UNCORE_PRIVATE$/\1/p' |
	sort -u >"$tmp/used"
[ -s "$tmp/used" ] || fail "no program uses a private function"
diff "$tmp/private" "$tmp/used" >"$tmp/err" ||
	fail "the private functions in src/libuncore.map (<) are not those that uncore and uncored use (>)"
nm -D --defined-only "$BUILD/libuncore-sim.so" |
	grep -v -e ' [TR] sim_[a-z_]*@@UNCORE_SIM_PRIVATE$' -e ' D sim_functions@@' \
		-e ' A UNCORE_SIM_PRIVATE' >"$tmp/err" &&
	fail "the simulator's library shows more than its functions"
: >"$tmp/err"

# ---- the simulator: a library that is opened for a simulated machine only ----

cat >"$tmp/opens.c" <<'END'
#include <stdio.h>
#include <string.h>
#include <uncore.h>
int main(void)
{
	struct uncore *u;
	struct uncore_options o;
	char text[1024];

	UNCORE_INIT(o);
	o.machine = "sim:snbep";
	puts(uncore_open(&u, &o) < 0 ? uncore_errmsg(u, text, sizeof(text)) : "opened");
	uncore_close(u);
	return 0;
}
END
mkdir "$tmp/lib"
cp "$BUILD/libuncore.so.0" "$tmp/lib/"
"$cc" -I"$SRC/src" "$tmp/opens.c" "$tmp/lib/libuncore.so.0" -Wl,-rpath,"$tmp/lib" -o "$tmp/opens" \
	2>"$tmp/err" || fail "a program cannot be linked with libuncore.so alone"

# says WHAT TEXT: what the program prints
says() {
	"$tmp/opens" >"$tmp/err" 2>&1
	grep -qF "$2" "$tmp/err" || fail "$1: not \"$2\""
	: >"$tmp/err"
}
says "without the simulator" "cannot open the simulator, $tmp/lib/libuncore-sim.so.0: cannot open shared object file: No such file"
echo junk >"$tmp/lib/libuncore-sim.so.0"
says "junk" "cannot open the simulator, $tmp/lib/libuncore-sim.so.0: "
printf '#include "sim/sim.h"\nconst struct sim_functions sim_functions = {.version = "0.1"};\n' >"$tmp/old.c"
"$cc" -shared -fPIC -I"$SRC/src" "$tmp/old.c" -o "$tmp/lib/libuncore-sim.so.0" 2>"$tmp/err" ||
	fail "a simulator of another version cannot be built"
says "of another version" "libuncore-sim.so.0 is of version 0.1, but libuncore of "
cp "$BUILD/libuncore-sim.so.0" "$tmp/lib/"
says "with the simulator" "opened"

# Programs and the library have private functions in common: another version is refused.
printf '#include "uncore.h"\nconst char *uncore_version(void) { return "0.1"; }\n' >"$tmp/other.c"
"$cc" -shared -fPIC -I"$SRC/src" "$tmp/other.c" -o "$tmp/other.so" 2>"$tmp/err" ||
	fail "a library of another version cannot be built"
for program in uncore uncored; do
	LD_PRELOAD=$tmp/other.so "$BUILD/$program" --version >"$tmp/out" 2>"$tmp/err" &&
		fail "$program runs with a library of another version"
	grep -q "^$program: this is version .*, but libuncore.so is of version 0.1: " "$tmp/err" ||
		fail "$program does not say which library it found"
	: >"$tmp/err"
done

# ---- layout: structs have only grown at their ends, enumerators are what they were ----

"$cc" -E -P -I"$SRC/src" "$SRC/src/uncore_inspect.h" | awk -f "$abi/interface.awk" >"$tmp/layout.c"
"$cc" -I"$SRC/src" "$tmp/layout.c" -o "$tmp/layout" 2>"$tmp/err" ||
	fail "the layout of the structs cannot be printed"
"$tmp/layout" >"$tmp/all"
grep -v '^behind ' "$tmp/all" >"$tmp/now"

# compare RECORDED NOW: a sentence for each difference that an older program would meet
compare() {
	awk '
		NR == FNR { now[$1 " " $2, ++n[$1 " " $2]] = $0; next }
		{
			type = $1 " " $2
			at = ++seen[type]
			if (now[type, at] == $0 || type in told)
				next
			told[type]
			print type " was changed other than by growing at its end: it had \"" $0 \
				"\", now \"" now[type, at] "\""
		}' "$2" "$1"
}
for layout in "$abi"/layout-*; do
	compare "$layout" "$tmp/now" >"$tmp/err"
	[ ! -s "$tmp/err" ] || fail "programs that were built with version ${layout##*-} would misunderstand this"
done
awk '$1 == "struct" && !($2 in seen) { seen[$2]; if ($3 != "size" || $4 != 0) print $2 }' \
	"$tmp/now" >"$tmp/err"
[ ! -s "$tmp/err" ] || fail "structs that do not begin with their size"

# A new member must not lie in what older programs have left as it was.
awk '$1 == "behind" && $3 > 0 &&
	$2 ~ /^uncore_(options|plan_options|stop_after|missed_wrap)$/' "$tmp/all" >"$tmp/err"
[ ! -s "$tmp/err" ] || fail "structs that go in have bytes behind their last member"

# The comparison finds what it has to find, and only that.
sed '/uncore_box_info kind /d' "$tmp/now" >"$tmp/changed"
compare "$abi/layout-0.2" "$tmp/changed" | grep -q '^struct uncore_box_info was changed' ||
	fail "a member that has gone is not seen"
echo 'struct uncore_msr_info more 500 8' | cat "$tmp/now" - >"$tmp/changed"
[ -z "$(compare "$abi/layout-0.2" "$tmp/changed")" ] || fail "a struct may not grow"

# ---- programs: examples in C99 and C++98, static and shared, with what pkg-config says ----

mkdir "$tmp/static"
ln -s "$BUILD/libuncore.a" "$tmp/static/"

# config DIR OPTION...: for a library in DIR, and not for one that is installed
config() {
	dir=$1
	shift
	PKG_CONFIG_PATH=$BUILD pkg-config --define-variable=libdir="$dir" \
		--define-variable=includedir="$SRC/src" "$@" uncore
}

# build NAME COMPILER SOURCE FLAGS...
build() {
	out=$tmp/$1 compiler=$2 source=$3
	shift 3
	# shellcheck disable=SC2086
	$compiler $strict "$source" "$@" -o "$out" 2>"$tmp/err" && return
	fail "${out##*/} cannot be built"
	return 1
}

if command -v pkg-config >"$tmp/out"; then
	shared=$(config "$BUILD" --cflags --libs)
	static=$(config "$tmp/static" --static --cflags --libs)
else
	shared="-I$SRC/src -L$BUILD -Wl,-rpath,$BUILD -luncore"
	static="-I$SRC/src $tmp/static/libuncore.a $(sed -n 's/^Libs.private: //p' "$BUILD/uncore.pc")"
fi
example=$SRC/examples/library/count
# shellcheck disable=SC2086
for kind in shared static; do
	[ $kind = shared ] && flags=$shared || flags=$static
	build "c-$kind" "$cc -std=gnu99" "$example.c" $flags
	build "cc-$kind" "$cxx -std=c++98" "$example.cc" $flags
done
for program in c-shared cc-shared c-static cc-static; do
	UNCORE_MACHINE=sim:snbep "$tmp/$program" >"$tmp/$program.out" 2>&1 &
done
wait
for program in c-shared cc-shared c-static cc-static; do
	cp "$tmp/$program.out" "$tmp/err"
	if ! grep -q '^SIMULATED' "$tmp/$program.out" ||
		[ "$(grep -c '^UNC_M_CAS_COUNT.* [1-9][0-9]* lines' "$tmp/$program.out")" -ne 2 ]; then
		fail "the example as $program"
	fi
	case $program in *-static) expected=0 ;; *) expected=1 ;; esac
	[ "$(readelf -d "$tmp/$program" | grep -c 'NEEDED.*libuncore')" -eq $expected ] ||
		fail "$program is not what it is called"
done
: >"$tmp/err"

# ---- other versions: a header in which every struct has more members at its end ----

mkdir "$tmp/newer"
for header in uncore.h uncore_inspect.h; do
	awk '/^struct uncore_[a-z_]+ \{/ { inside = 1 }
		inside && /^\};/ { print "\tuint64_t unknown[3];"; inside = 0 }
		{ print }' "$SRC/src/$header" >"$tmp/newer/$header"
done
[ "$(grep -c unknown "$tmp/newer/uncore_inspect.h")" -ge 14 ] || fail "no newer header was made"

# Of the library what knows the members, or has such a struct in one of its own, is compiled for
# the newer header; the rest comes from the archive.
structs=$(awk '$1 == "struct" { print $2 }' "$tmp/now" | sort -u | tr '\n' '|')
structs="struct (${structs%|})"
grep -rlE "$structs [a-z_]+(\[.*)?;" "$SRC/src" --include='*.h' --exclude='uncore*.h' |
	sed -E 's|.*/src/(lib/)?||' >"$tmp/users"
(cd "$BUILD/obj" && find src/lib src/sim -name '*.o') |
	while read -r object; do
		[ -e "$SRC/${object%.o}.c" ] || continue # of a source that has gone
		if grep -qE "$structs" "$SRC/${object%.o}.c" ||
			grep -qFf "$tmp/users" "$BUILD/obj/${object%.o}.d"; then
			echo "${object%.o}"
		fi
	done >"$tmp/sources"
[ "$(wc -l <"$tmp/sources")" -ge 10 ] || fail "no sources know the structs"
mkdir "$tmp/objects"
# shellcheck disable=SC2016
xargs -P "$(nproc)" -I{} sh -c '$1 -std=c11 -D_GNU_SOURCE -pthread -include "$2/newer/uncore_inspect.h" -I"$3/src" -I"$3/src/lib" -I"$3/events" \
	-I"$4/src" -c "$3/$5.c" -o "$2/objects/$(echo "$5" | tr / -).o"' \
	sh "$cc" "$tmp" "$SRC" "$BUILD" {} <"$tmp/sources" 2>"$tmp/err" ||
	fail "a newer library cannot be compiled"

# run NAME FLAGS...: a program against a library
run() {
	name=$1
	shift
	if build "$name" "$cc -std=c99" "$abi/abi.c" "$@"; then
		"$tmp/$name" >"$tmp/err" 2>&1 || fail "$name"
	fi
}
# shellcheck disable=SC2046
{
	set -- $(sed -n 's/^Libs.private: //p' "$BUILD/uncore.pc")
	run program-and-library -I"$SRC/src" "$BUILD/libuncore.a" "$@"
	run newer-program -DNEWER -I"$tmp/newer" "$BUILD/libuncore.a" "$@"
	run older-program -I"$SRC/src" "$tmp/objects"/*.o "$BUILD/libuncore.a" "$@"
	run newer-program-and-library -I"$tmp/newer" "$tmp/objects"/*.o \
		"$BUILD/libuncore.a" "$@"
}
exit $failed
