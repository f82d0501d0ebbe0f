#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# From configure to a program of one's own where nothing is but what building needs: no
# C++ compiler, no libraries of the tests, no libfuse3, libmicrohttpd, libnuma and ncurses, none of PAPI's tools.  Then what
# is installed, and that nothing of it stays; and what configure and make refuse.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
without_sanitizer "a program would need the sanitizer, too"
unset PKG_CONFIG_PATH LD_LIBRARY_PATH
failures=0

fail() {
	echo "FAILED: $*"
	tail -n 30 "$work/out"
	failures=$((failures + 1))
}

# ok COMMAND..., refused COMMAND...: with what it says in $work/out
ok() {
	"$@" >"$work/out" 2>&1 </dev/null || fail "$*: exit status $?"
}

refused() {
	if "$@" >"$work/out" 2>&1 </dev/null; then
		fail "$*: is not refused"
	fi
}

# Messages are folded: the words are looked for in one line.
says() {
	tr -s '\n ' '  ' <"$work/out" | grep -q -e "$1" || fail "nothing like: $1"
}

# Long directories are not cut.
fits() {
	long=$(sed "s|$work||g; s|$SRC||g; s|$source||g" "$work/out" | awk 'length($0) > 80')
	[ -z "$long" ] || fail "more than 80 columns: $long"
}

# ---- what is refused, before anything is tried ----

mkdir "$work/build" "$work/none"
cd "$work/build"
refused "$SRC/configure" --prefix=here
says "invalid --prefix=here: must be an absolute path, for example --prefix=/"
refused "$SRC/configure" --libdir=lib64
says "invalid --libdir=lib64: must be an absolute path"
mkdir -p "$work/old/components"
touch "$work/old/papi_vector.h"
echo '#define PAPI_VERSION PAPI_VERSION_NUMBER(5,6,0,0)' >"$work/old/papi.h"
refused "$SRC/configure" --with-papi-src="$work/old"
says "PAPI 5.6.0 in $work/old is too old: 5.7.0 or later is required; use --with-papi-src="
# shellcheck disable=SC2088
refused "$SRC/configure" "--prefix=~/here"
says 'the shell does not expand ~ here'
for bad in "/a b" "/a\$b" "/a#b" "/a'b" "/a,b" "/a:b" "/a%b"; do
	refused "$SRC/configure" "--prefix=$bad"
	says "make cannot use a path with a space"
done
refused "$SRC/configure" --with-pfm=/nonexistent
says "invalid --with-pfm=/nonexistent: no such directory"
refused "$SRC/configure" --with-json-c="$work/none"
says "library libjson-c not found in $work/none/lib"
refused "$SRC/configure" --install-deps=everything
says "use build, demo, check, all"
[ ! -e Makefile ] || fail "a Makefile is written"
ok "$SRC/configure" --help
fits

# ---- packages that are missing ----

# All programs of this computer but PAPI's and clang.
mkdir "$work/fake"
link_programs "$work/bin"
rm -f "$work"/bin/papi_* "$work"/bin/clang*
PATH=$work/bin
export PATH
cat >"$work/cc" <<-END
	#!/bin/sh
	case "\$*" in *fuse3* | *lnuma* | *lmicrohttpd* | *lncurses*) exit 1 ;; esac
	exec $(setting CC) "\$@"
END
chmod +x "$work/cc"

configure_here() {
	CFLAGS='-O0 -w' "$SRC/configure" --cc="$work/cc" --cxx=false --with-papi-src="$source" \
		--prefix="$work/prefix" "$@"
}

# Without a library nothing can be built; sudo and the network may fail, too.
mkdir -p "$work/none/json-c"
echo '#error not here' >"$work/none/json-c/json.h"
CPATH=$work/none
export CPATH
refused configure_here
says 'cannot build without these packages'
if command -v apt-get >/dev/null; then
	says 'apt-get install --no-install-recommends libjson-c-dev'
	fits
	printf '#!/bin/sh\necho 1000\n' >"$work/fake/id"
	printf '#!/bin/sh\necho "sudo: a terminal is required" >&2\nexit 1\n' >"$work/fake/sudo"
	chmod +x "$work/fake/id" "$work/fake/sudo"
	PATH=$work/fake:$PATH refused configure_here --install-deps=build
	says 'this user cannot install packages (.*); as root:'
	says 'apt-get install --no-install-recommends libjson-c-dev'
	# shellcheck disable=SC2016
	printf '#!/bin/sh\n[ "$1" != -n ] || shift\nexec "$@"\n' >"$work/fake/sudo"
	cat >"$work/fake/apt-get" <<-'END'
		#!/bin/sh
		printf "Err:1 http://x InRelease\n  Temporary failure resolving 'x'\n"
		echo "E: Unable to locate package"
		exit 100
	END
	chmod +x "$work/fake/apt-get"
	PATH=$work/fake:$PATH refused configure_here --install-deps=build
	says "Temporary failure resolving 'x'"
	PATH=$work/fake:$PATH refused configure_here --install-deps=local
	says "Temporary failure resolving 'x'"
fi
rm -f "$work"/bin/apt-get
refused configure_here
says 'libpfm-devel, json-c-devel.*--with-pfm=DIR --with-json-c=DIR'
fits
unset CPATH

ok configure_here
says 'no: "uncore sim mount" will not be supported'
says 'no: "uncore selftest" will not generate traffic on a real machine'
says 'no: "uncore exporter" will not be supported'
says 'packages missing for "make demo": papi-tools'
says 'packages missing for "make check": g++ libfuse3-dev libgtest-dev libmicrohttpd-dev libncurses-dev libnuma-dev nlohmann-json3-dev papi-tools zlib1g-dev'
fits
for target in demo check check-rest; do
	refused make $target
	says "papi-tools PAPI's own tools"
	fits
done
[ ! -d obj ] || fail "something is compiled before make check says what it needs"
ok make help
fits

# ---- built: a program next to the build directory ----

ok make
says 'Your own program:'
fits
ok make
[ ! -s "$work/out" ] || fail "make says something when there is nothing to do"
refused ./uncore sim mount --machine sim:snbep "$work/none"
says 'was built without libfuse3; install libfuse3-dev'
refused ./uncore exporter --machine sim:snbep
says 'was built without libmicrohttpd; install libmicrohttpd-dev'

cat >"$work/x.c" <<'END'
#include <papi.h>
#include <stdio.h>
int main(void)
{
	int set = PAPI_NULL;
	long long bytes;

	if (PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT ||
	    PAPI_create_eventset(&set) != PAPI_OK ||
	    PAPI_add_named_event(set, "uncore:::UNCORE_MEM_READ_BYTES") != PAPI_OK ||
	    PAPI_start(set) != PAPI_OK)
		return 1;
	for (volatile int i = 0; i < 10000000; i++)
		;
	if (PAPI_stop(set, &bytes) != PAPI_OK)
		return 1;
	printf("%lld bytes\n", bytes);
	return bytes > 0 ? 0 : 1;
}
END
command -v pkg-config >/dev/null || skip "there is no pkg-config"

# own PKGCONFIG-DIR: compile x.c and run it, as README has it
own() {
	# shellcheck disable=SC2016
	ok env PKG_CONFIG_PATH="$1" sh -c '$1 $2/x.c $(pkg-config --cflags --libs papi-uncore) -o $2/x' \
		sh "$work/cc" "$work"
	ok env UNCORE_MACHINE=sim:snbep "$work/x"
	says '^[1-9][0-9]* bytes'
	rm -f "$work/x"
}

own "$work/build"

# ---- installed ----

mkdir -m 2775 "$work/prefix"
mkdir -m 2775 "$work/prefix/bin"

refused make install PREFIX=/elsewhere
says 'PREFIX is chosen by configure.*./configure --prefix=DIR && make install'
refused make install libdir=/elsewhere
says 'libdir is chosen by configure'
refused make install DESTDIR="/a b"
[ -z "$(ls "$work/prefix/bin")" ] || fail "something is installed anyway"

ok make install
says "Installed below $work/prefix"
says "export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig"
fits
mv "$work/build" "$work/away"
own "$work/prefix/lib/pkgconfig"
export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
# shellcheck disable=SC2016
for example in simple.c traffic.c library/count.c; do
	cd "$work/prefix/share/doc/uncore/examples/$(dirname $example)"
	line=$(sed -n 's/^ \*[[:space:]]*cc /cc /p' "${example##*/}")
	[ -n "$line" ] || fail "$example does not say how it is built"
	ok sh -c "$line"
	name=$(basename $example .c)
	ok env UNCORE_MACHINE=sim:snbep "./$name"
	rm -f "$name"
done
for example in $(cd "$SRC/examples" && find . -type f ! -name demo.sh); do
	[ -f "$work/prefix/share/doc/uncore/examples/$example" ] || fail "$example is not installed"
done
# what messages cite, and what these documents link to
cd "$SRC/docs"
for document in $(find . -name '*.md' -o -path './pictures/*.svg'); do
	[ -f "$work/prefix/share/doc/uncore/docs/$document" ] || fail "$document is not installed"
done
cd "$work"
ok "$work/prefix/bin/uncore" explain --machine sim:skx -d 1
cited=$(tr -s '\n ' '  ' <"$work/out" | grep -o 'read: [^ ]*\.md' | sort -u)
[ -n "$cited" ] || fail "explain cites no document"
for document in ${cited#read: }; do
	[ "$document" = read: ] || [ -f "$document" ] || fail "explain cites $document, which does not exist"
done
ok "$work/prefix/bin/uncore" --version
ok "$work/prefix/sbin/uncored" --version
# PAPI as a prefix: where Caliper (PAPI_PREFIX), TAU (-papi=) and Score-P (--with-papi-header, --with-papi-lib)
# look, and its own utilities, which need no LD_LIBRARY_PATH.
papi=$work/prefix/lib/uncore
for file in include/papi.h include/papiStdEventDefs.h lib/libpapi.so lib/pkgconfig/papi.pc; do
	[ -f "$papi/$file" ] || fail "$papi has no $file"
done
for file in "$papi"/lib/libpapi.so*; do
	[ "$(readlink "$papi/${file##*/}")" = "lib/${file##*/}" ] || fail "no link to $file in $papi"
done
for utility in avail clockres command_line component_avail cost decode error_codes event_chooser hardware_avail \
	mem_info multiplex_cost native_avail version xml_event_info; do
	[ -x "$papi/bin/papi_$utility" ] || fail "$papi/bin has no papi_$utility"
done
ok env UNCORE_MACHINE=sim:snbep "$papi/bin/papi_command_line" uncore:::UNC_M_CAS_COUNT:RD
says 'UNC_M_CAS_COUNT:RD *:[[:space:]]*[1-9][0-9]*'
ok env PKG_CONFIG_PATH="$papi/lib/pkgconfig" pkg-config --variable=prefix papi
says "^$papi "
# shellcheck disable=SC2016
ok env PKG_CONFIG_PATH="$papi/lib/pkgconfig" sh -c '$1 $2/x.c $(pkg-config --cflags --libs papi) -o $2/x' \
	sh "$work/cc" "$work"
ok env LD_LIBRARY_PATH="$papi/lib" UNCORE_MACHINE=sim:snbep "$work/x"
says '^[1-9][0-9]* bytes'
rm -f "$work/x"
headers=$(cd "$work/prefix/include" && echo *)
[ "$headers" = "uncore.h uncore_inspect.h uncore_marker.h" ] || fail "installed headers: $headers"
[ "$(stat -c %a "$work/prefix/bin")" = 2775 ] || fail "the mode of an existing directory changed"
for unit in uncored:sbin/uncored uncore-restore:bin/uncore; do
	for dir in lib/systemd/system share/doc/uncore/examples/systemd; do
		grep -q "^ExecStart=$work/prefix/${unit#*:} " "$work/prefix/$dir/${unit%:*}.service" ||
			fail "$dir/${unit%:*}.service does not start $work/prefix/${unit#*:}"
	done
done
man_of() {
	command -v man >/dev/null || return 0
	ok env MANPATH="$work/prefix/share/man" LC_ALL=C MANWIDTH=80 man "$@"
}
man_of 3 uncore_set_start
man_of 7 uncore-events
man_of 8 uncored

# with_cmake DIR VERSION [TARGET]: the example count.c by find_package()
with_cmake() {
	rm -rf "$work/cmake"
	mkdir "$work/cmake"
	cat >"$work/cmake/CMakeLists.txt" <<-END
		cmake_minimum_required(VERSION 3.5)
		project(count C)
		find_package(uncore $2 REQUIRED)
		add_executable(count $SRC/examples/library/count.c)
		target_link_libraries(count PRIVATE uncore::${3:-uncore})
	END
	cmake -S "$work/cmake" -B "$work/cmake/build" -DCMAKE_PREFIX_PATH="$1" \
		-DCMAKE_C_COMPILER="$work/cc" -DCMAKE_MAKE_PROGRAM="$(command -v make)" >"$work/out" 2>&1 &&
		make -C "$work/cmake/build" >>"$work/out" 2>&1 &&
		UNCORE_MACHINE=sim:snbep "$work/cmake/build/count" >>"$work/out" 2>&1
}

# cmake_finds DIR
cmake_finds() {
	if ! command -v cmake >/dev/null; then
		echo "not tried: find_package(uncore): there is no cmake"
		return
	fi
	for target in uncore static; do
		with_cmake "$1" "$version" "$target" || fail "find_package(uncore), target $target, in $1"
		says 'SIMULATED.*lines of 64 bytes'
	done
	! with_cmake "$1" 99.1 || fail "cmake takes $version for 99.1"
	says 'uncore.*99.1'
}

version=$(setting VERSION)
cmake_finds "$work/prefix"

# in_module FILE COMMAND: COMMAND with the environment that a module file makes, which is Tcl
in_module() {
	cat >"$work/load.tcl" <<-'END'
		proc module-whatis {text} {}
		proc conflict {name} {}
		proc setenv {name value} { global env; set env($name) $value }
		proc prepend-path {name value} {
			global env
			if {[info exists env($name)]} { set value $value:$env($name) }
			set env($name) $value
		}
		source [lindex $argv 0]
		ModulesHelp
		exec sh -c [lindex $argv 1] >@ stdout 2>@ stderr
	END
	if command -v tclsh >/dev/null; then
		ok tclsh "$work/load.tcl" "$@"
	else
		echo "not tried: $1: there is no tclsh"
		return 1
	fi
}
modules=$work/prefix/share/modulefiles
unset PKG_CONFIG_PATH
# shellcheck disable=SC2016
if in_module "$modules/uncore/$version" \
	'pkg-config --exists uncore && uncore --version && uncored --version && echo "$LD_LIBRARY_PATH"'; then
	says "uncored $version.*$work/prefix/lib"
fi
# shellcheck disable=SC2016
if in_module "$modules/papi-uncore/$version" 'pkg-config --exists papi-uncore papi && command -v papi_avail && ls "${LD_LIBRARY_PATH%%:*}"'; then
	says "$work/prefix/lib/uncore/bin/papi_avail.*libpapi\.so"
fi
unset PKG_CONFIG_PATH
mv "$work/away" "$work/build"
cd "$work/build"
ok make uninstall
[ "$(wc -c <"$work/out")" -lt 200 ] || fail "make uninstall prints much: $(head -c 500 "$work/out")"
[ -z "$(find "$work/prefix" -mindepth 1 ! -path "$work/prefix/bin")" ] ||
	fail "not uninstalled: $(find "$work/prefix")"
rm -rf "$work/prefix"

# As a package is made.
ok make install DESTDIR="$work/stage"
[ -x "$work/stage$work/prefix/bin/uncore" ] || fail "DESTDIR has no uncore"
[ ! -e "$work/prefix" ] || fail "DESTDIR is not all that is written to"
if grep -rqI "$work/stage" "$work/stage"; then
	fail "DESTDIR is written into files"
fi
# As in a package's own build: a program is linked with the staged library.
export PKG_CONFIG_SYSROOT_DIR="$work/stage" PKG_CONFIG_PATH="$work/stage$work/prefix/lib/pkgconfig"
export LD_LIBRARY_PATH="$work/stage$work/prefix/lib"
# shellcheck disable=SC2016
ok sh -c '$1 $2/examples/library/count.c $(pkg-config --cflags --libs uncore) -o $3/count' sh \
	"$work/cc" "$SRC" "$work"
ok env UNCORE_MACHINE=sim:snbep "$work/count"
says 'SIMULATED.*lines of 64 bytes'
unset PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_PATH LD_LIBRARY_PATH
cmake_finds "$work/stage$work/prefix"
ok make uninstall DESTDIR="$work/stage"
[ ! -e "$work/stage" ] || fail "not uninstalled from DESTDIR: $(find "$work/stage")"

# ---- without PAPI: library, command and daemon; objects stay, but for those that know a directory ----

refused "$SRC/configure" --without-papi --with-papi-src="$source"
says 'cannot be combined'
ok env CFLAGS='-O0 -w' "$SRC/configure" --cc="$work/cc" --cxx=false --without-papi --prefix=/usr \
	--libdir=/usr/lib64
rm -rf uncore.pc install
ok make -o config.mk install DESTDIR="$work/stage"
# /lib on Debian 12, /usr/lib later.
units=$(pkg-config --variable=systemdsystemunitdir systemd 2>/dev/null) || units=/usr/lib/systemd/system
[ -e "$work/stage$units/uncored.service" ] || fail "no unit where systemd looks"
papi=$(find "$work/stage" -name '*papi*')
[ -z "$papi" ] || fail "--without-papi installs $papi"
if grep -q rpath "$work/stage/usr/lib64/pkgconfig/uncore.pc"; then
	fail "programs get a run path of the system's directory"
fi
refused make papi
says 'without --without-papi'
ok make -o config.mk demo
says 'no PAPI (configure --without-papi): the command uncore counts'
says 'UNC_M_CAS_COUNT:RD:box=1:pkg=0'
fits
refused make check
says 'make check requires missing packages'
if grep -q papi-tools "$work/out"; then
	fail "make check requires PAPI's tools, which --without-papi does not use"
fi
ok make uninstall DESTDIR="$work/stage"
[ ! -e "$work/stage" ] || fail "not uninstalled from DESTDIR: $(find "$work/stage")"

[ $failures -eq 0 ]
