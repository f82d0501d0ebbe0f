# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# checks.sh - compilers and libraries: part of ../../configure.  Each check prints a
# line and names the package that provides it.

# compile C|C++|clang FLAGS... <SOURCE: does the program on standard input link?
compile() {
	lang=$1
	shift
	case $lang in
	C) suffix=c compiler=$cc ;;
	C++) suffix=cc compiler=$cxx ;;
	clang) suffix=c compiler=$clang ;;
	esac
	cat >"$tmp/try.$suffix"
	sed 's/^/| /' "$tmp/try.$suffix" >>"$log"
	# The compiler may be "ccache gcc", the flags several words.
	# shellcheck disable=SC2086
	run $compiler $local_flags "$tmp/try.$suffix" -o "$tmp/try" "$@"
}

# ask_cc FLAGS...: print the C compiler's output
ask_cc() {
	# shellcheck disable=SC2086
	$cc $local_flags "$@" 2>>"$log"
}

check_c() {
	if echo 'int main(void) { return 0; }' | compile C -std=c11; then
		result "C compiler" "$cc"
	else
		result "C compiler" "no ($cc)"
		need build gcc "C compiler"
		need build libc6-dev "C library headers"
	fi
}

check_word_size() {
	macros=$(ask_cc -dM -E -x c /dev/null) || return 0
	case $macros in
	*__LP64__*) ;;
	*) refuse_32_bits "$cc compiles for" ;;
	esac
}

# A program unpacked below build/ gets its full path: make does not have our PATH.
check_cxx() {
	case $(command -v "$cxx") in
	"$local"/*) cxx=$local/usr/bin/$cxx ;;
	esac
	if echo 'int main() { return 0; }' | compile C++ -std=c++17; then
		result "C++ compiler" "$(near "$cxx")"
	else
		result "C++ compiler" "no ($cxx)"
		need check g++ "C++ compiler, for the tests"
	fi
}

# The program of the unit tests is linked after each change of the library.
check_quick_link() {
	quick_link=
	for linker in lld gold; do
		if echo 'int main() { return 0; }' | compile C++ "-fuse-ld=$linker"; then
			quick_link=-fuse-ld=$linker
			break
		fi
	done
	result "linker of tests" "${quick_link:-default}"
}

# Not with a compiler that is called through it already, or without a cache directory.
check_ccache() {
	ccache=
	case "$cc $(readlink -f "$(command -v "$cc")")" in
	*ccache*) ;;
	*)
		without_cache=$cc
		cc="ccache $cc"
		if command -v ccache >>"$log" && echo 'int main(void) { return 0; }' | compile C; then
			ccache=ccache
		fi
		cc=$without_cache
		;;
	esac
	result "compiler cache" "${ccache:-no}"
}

check_sanitizers() {
	[ -n "$sanitizers" ] || return 0
	echo 'int main(void) { return 0; }' | compile C "-fsanitize=$sanitizers" ||
		die "$cc does not support -fsanitize=$sanitizers (see $(near "$log"))"
	result "sanitizers" "$sanitizers"
}

# Only programs that use the libraries need it.
check_pkg_config() {
	if command -v "$pkg_config" >>"$log"; then
		result "pkg-config" "yes"
	else
		result "pkg-config" "no"
		need wish pkg-config "flags for your own programs"
	fi
}

# below DIR NAME: print the flags for a library installed in DIR
below() {
	found_cflags=-I$1/include
	for found_libdir in "$1/lib64" "$1/lib" "$1/lib/$(ask_cc -print-multiarch)"; do
		[ -e "$found_libdir/lib$2.so" ] || [ -e "$found_libdir/lib$2.a" ] || continue
		found_libs="-L$found_libdir -l$2"
		found_rpath=-Wl,-rpath,$found_libdir
		return
	done
	die "library lib$2 not found in $1/lib and $1/lib64"
}

# known_to_pkg_config NAME...: print the flags of the first NAME that pkg-config knows
known_to_pkg_config() {
	for name; do
		run "$pkg_config" --exists "$name" || continue
		found_cflags=$("$pkg_config" --cflags "$name")
		found_libs=$("$pkg_config" --libs "$name")
		found_rpath=
		for word in $found_libs; do
			case $word in
			-L*) found_rpath="$found_rpath -Wl,-rpath,${word#-L}" ;;
			esac
		done
		return 0
	done
	return 1
}

# try_library SOURCE: compile and link SOURCE with the flags found
try_library() {
	# shellcheck disable=SC2086
	compile C $found_cflags $found_libs <"$1"
}

# find_library DIR NAME SOURCE PKG-CONFIG-NAME...: search in DIR, or in the compiler's directories
# (modules of a cluster set CPATH and LIBRARY_PATH), or in pkg-config's.
find_library() {
	dir=$1 name=$2 source=$3
	shift 3
	if [ -n "$dir" ]; then
		below "$dir" "$name"
		try_library "$source" ||
			die "cannot compile and link with lib$name in $dir (see $(near "$log"))"
		return 0
	fi
	found_cflags='' found_libs=-l$name found_rpath=''
	try_library "$source" || { known_to_pkg_config "$@" && try_library "$source"; }
}

# ---- libraries that single commands use: --with-NAME, --without-NAME ----

# choose NAME yes|no
choose() {
	without=$(echo "$without" | sed "s/ $1 / /")
	with=$(echo "$with" | sed "s/ $1 / /")
	if [ "$2" = yes ]; then
		with="$with$1 "
	else
		without="$without$1 "
	fi
}

# wanted NAME: unless it is excluded
wanted() {
	case $without in
	*" $1 "*) return 1 ;;
	esac
}

# do_without NAME LIBRARY PACKAGE CONSEQUENCE WHY: it was not found, or excluded
do_without() {
	if ! wanted "$1"; then
		result "$2" "no (--without-$1): $4"
		return
	fi
	result "$2" "no: $4"
	case $with in
	*" $1 "*) need build "$3" "$5 (--with-$1)" ;;
	*) need check "$3" "$5" ;;
	esac
}

check_pfm() {
	cat >"$tmp/pfm.c" <<-'END'
		#include <perfmon/pfmlib.h>
		int main(void) { return pfm_initialize(); }
	END
	if ! find_library "$pfm" pfm "$tmp/pfm.c" pfm libpfm libpfm4; then
		result "libpfm4" "no"
		need build libpfm4-dev "event tables and encoder"
		return
	fi
	result "libpfm4" "${pfm:-yes}"
	pfm_cflags=$found_cflags pfm_libs=$found_libs pfm_rpath=$found_rpath
	# PAPI's configure asks for the directories.
	# shellcheck disable=SC2086
	pfm_incdir=$(ask_cc $pfm_cflags -E "$tmp/pfm.c" |
		sed -n 's|^# 1 "\(.*\)/perfmon/pfmlib.h".*|\1|p' | head -n 1)
	case $pfm_libs in
	*-L*) pfm_libdir=${pfm_libs#*-L} pfm_libdir=${pfm_libdir%% *} ;;
	*) pfm_libdir=$(dirname "$(ask_cc -print-file-name=libpfm.so)") ;;
	esac
}

# A static library can become part of libpapi.so if it is position independent.
find_static_json() {
	json_static=
	for candidate in "${found_rpath##*,}/libjson-c.a" "$(ask_cc -print-file-name=libjson-c.a)"; do
		case $candidate in
		/*) ;;
		*) continue ;;
		esac
		# shellcheck disable=SC2086
		if [ -e "$candidate" ] && compile C $json_cflags -fPIC -shared "$candidate" -lm <<-'END'; then
			#include <json-c/json.h>
			void *make(void);
			void *make(void) { return json_object_new_double_s(0, ""); }
		END
			json_static=$candidate
			return
		fi
	done
}

check_json() {
	cat >"$tmp/json.c" <<-'END'
		#include <json-c/json.h>
		int main(void) { return !json_object_new_double_s(0, ""); }
	END
	if ! find_library "$json" json-c "$tmp/json.c" json-c; then
		result "json-c" "no (cannot compile and link with json-c)"
		need build libjson-c-dev "Intel's event lists, JSON output"
		return
	fi
	json_cflags=$found_cflags json_libs=$found_libs json_rpath=$found_rpath
	find_static_json
	if [ -n "$json_static" ]; then
		result "json-c" "${json:-yes}"
	else
		result "json-c" "${json:-yes} (shared library, required by libpapi.so at run time)"
	fi
}

# Only `uncore sim mount` uses it.
check_fuse() {
	fuse=yes
	fuse_cflags=-I/usr/include/fuse3
	[ ! -d "$local/usr/include/fuse3" ] || fuse_cflags="-I$local/usr/include/fuse3"
	fuse_libs=-lfuse3
	fuse_rpath=
	cat >"$tmp/fuse.c" <<-'END'
		#define FUSE_USE_VERSION 32
		#include <fuse.h>
		int main(void) { return fuse_version() < FUSE_VERSION; }
	END
	if wanted fuse3 && compile C "$fuse_cflags" -lfuse3 <"$tmp/fuse.c"; then
		result "libfuse3" "yes"
	elif wanted fuse3 && known_to_pkg_config fuse3 && try_library "$tmp/fuse.c"; then
		fuse_cflags=$found_cflags fuse_libs=$found_libs fuse_rpath=$found_rpath
		result "libfuse3" "yes"
	else
		fuse=no fuse_cflags='' fuse_libs=''
		do_without fuse3 libfuse3 libfuse3-dev "\"uncore sim mount\" will not be supported" \
			"uncore sim mount, which tests use"
	fi
}

# Only `uncore selftest` uses it, on a real machine.
check_numa() {
	numa=yes
	cat >"$tmp/numa.c" <<-'END'
		#include <numa.h>
		int main(void) { return numa_available() < 0 || numa_node_of_cpu(0) < 0; }
	END
	if wanted numa && find_library '' numa "$tmp/numa.c" numa; then
		numa_cflags=$found_cflags numa_libs=$found_libs numa_rpath=$found_rpath
		result "libnuma" "yes"
	else
		numa=no numa_cflags='' numa_libs='' numa_rpath=''
		do_without numa libnuma libnuma-dev \
			"\"uncore selftest\" will not generate traffic on a real machine" \
			"memory of a chosen node for uncore selftest"
	fi
}

# Only `uncore top` uses it.
check_curses() {
	curses=yes
	cat >"$tmp/curses.c" <<-'END'
		#include <curses.h>
		int main(void) { return !newterm(0, stdout, stdin) || use_default_colors() == ERR; }
	END
	if wanted ncurses && find_library '' ncursesw "$tmp/curses.c" ncursesw ncurses; then
		curses_cflags=$found_cflags curses_libs=$found_libs curses_rpath=$found_rpath
		result "ncurses" "yes"
	else
		curses=no curses_cflags='' curses_libs='' curses_rpath=''
		do_without ncurses ncurses libncurses-dev "\"uncore top\" will print text only" \
			"uncore top on a terminal"
	fi
}

# Only `uncore exporter` uses it.
check_http() {
	http=yes
	cat >"$tmp/http.c" <<-'END'
		#include <microhttpd.h>
		int main(void) { return MHD_is_feature_supported(MHD_FEATURE_EPOLL) != MHD_YES; }
	END
	if wanted microhttpd && find_library '' microhttpd "$tmp/http.c" libmicrohttpd; then
		http_cflags=$found_cflags http_rpath=$found_rpath
		http_file=$(readelf -d "$tmp/try" | sed -n 's/.*NEEDED.*\[\(libmicrohttpd[^]]*\)\].*/\1/p')
		result "libmicrohttpd" "yes"
	else
		http=no http_cflags='' http_file='' http_rpath=''
		do_without microhttpd libmicrohttpd libmicrohttpd-dev \
			"\"uncore exporter\" will not be supported" \
			"uncore exporter, which Prometheus scrapes"
	fi
}

# Only uncored uses it.
check_seccomp() {
	seccomp=yes
	cat >"$tmp/seccomp.c" <<-'END'
		#include <errno.h>
		#include <seccomp.h>
		int main(void) { return !seccomp_init(SCMP_ACT_ERRNO(EPERM)); }
	END
	if wanted seccomp && find_library '' seccomp "$tmp/seccomp.c" libseccomp; then
		seccomp_cflags=$found_cflags seccomp_libs=$found_libs seccomp_rpath=$found_rpath
		result "libseccomp" "yes"
	else
		seccomp=no seccomp_cflags='' seccomp_libs='' seccomp_rpath=''
		do_without seccomp libseccomp libseccomp-dev \
			"uncored will not restrict its system calls" "lets uncored restrict its system calls"
	fi
}

# The whole header takes the compiler seconds, and there is nothing to link.
check_nlohmann() {
	if compile C++ -std=c++17 <<-'END'; then
		#include <nlohmann/json_fwd.hpp>
		int main() { nlohmann::json *value = nullptr; return value != nullptr; }
	END
		result "nlohmann json" "yes"
	else
		result "nlohmann json" "no"
		need check nlohmann-json3-dev "JSON of the golden tests"
	fi
}

check_zlib() {
	if compile C++ -std=c++17 -lz <<-'END'; then
		#include <zlib.h>
		int main() { return gzclose_r(gzopen("", "rb")); }
	END
		result "zlib" "yes"
	else
		result "zlib" "no"
		need check zlib1g-dev "reads the recordings of the tests"
	fi
}

check_gtest() {
	if compile C++ -std=c++17 -lgtest -lgtest_main -pthread <<-'END'; then
		#if !__has_include(<gtest/gtest.h>)
		#error not here
		#endif
		namespace testing { void InitGoogleTest(); }
		int main() { testing::InitGoogleTest(); }
	END
		result "Google Test" "yes"
	else
		result "Google Test" "no"
		need check libgtest-dev "the tests"
	fi
}

# check_programs GROUP WHY PROGRAM:PACKAGE...: optional programs that tests run
check_programs() {
	group=$1 why=$2
	shift 2
	for program; do
		if PATH=$PATH:/usr/sbin:/sbin command -v "${program%:*}" >>"$log"; then
			result "test: ${program%:*}" "yes"
		else
			result "test: ${program%:*}" "no"
			need "$group" "${program#*:}" "$why"
		fi
	done
}

# check_unpacked WHY PROGRAM:PACKAGE...: optional programs whose packages would start services if
# installed, so they are only unpacked below build/
check_unpacked() {
	why=$1
	shift
	for program; do
		if PATH=$PATH:/usr/sbin:$there/services/usr/bin:$there/services/usr/sbin \
			command -v "${program%:*}" >>"$log"; then
			result "test: ${program%:*}" "yes"
		else
			result "test: ${program%:*}" "no"
			need unpack "${program#*:}" "$why"
		fi
	done
}

# Login nodes of clusters are of this architecture, too.
check_cross_compiler() {
	if echo "int main(void) { return 0; }" | run aarch64-linux-gnu-gcc -x c - -o "$tmp/try"; then
		result "test: aarch64 compiler" "yes"
	else
		result "test: aarch64 compiler" "no"
		need extra gcc-aarch64-linux-gnu "compiles for login nodes, for a test"
		need extra libc6-dev-arm64-cross "compiles for login nodes, for a test"
	fi
}

# check_slurm WHY: Debian's names of its programs, and their library directory
check_slurm() {
	check_unpacked "$1" slurmctld-wlm:slurmctld slurmd-wlm:slurmd srun:slurm-client
	case " $(packages_of unpack)" in
	*" slurm"*) need unpack slurm-wlm-basic-plugins "$1" ;;
	esac
}

# Optional.
check_fuzzer() {
	fuzzer=no
	if compile clang -fsanitize=fuzzer,address <<-'END'; then
		#include <stddef.h>
		int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);
		int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
		{
			return size && data[0] ? 0 : 0;
		}
	END
		fuzzer=yes
		result "fuzz target" "yes ($clang)"
		return
	fi
	if command -v "$clang" >>"$log"; then
		result "fuzz target" "no ($clang has no -fsanitize=fuzzer)"
	else
		result "fuzz target" "no ($clang not found)"
		need more clang "compiles the tests in less time, and fuzzed tests"
	fi
	need more libclang-rt-dev "fuzzed tests"
}

check_papi_tools() {
	if command -v papi_native_avail >>"$log" && command -v papi_command_line >>"$log"; then
		result "PAPI's tools" "yes"
	else
		result "PAPI's tools" "no"
		need demo papi-tools "PAPI's own tools, which the demo runs"
	fi
}

# lab_tool COMMAND PACKAGE WHY
lab_tool() {
	if command -v "$1" >>"$log"; then
		result "lab: $1" "yes"
	else
		result "lab: $1" "no"
		need lab "$2" "$3"
	fi
}

# A guest's first program cannot be a busybox that needs shared libraries.
check_lab() {
	lab_tool qemu-system-x86_64 qemu-system-x86 "the lab's machines"
	if lab_tool busybox busybox-static "the lab's user land" && run ldd "$(command -v busybox)"; then
		result "lab: busybox is static" "no"
		need lab busybox-static "the lab's user land"
	fi
	lab_tool likwid-perfctr likwid "the lab compares what reading costs"
	lab_tool cpio cpio "packs the lab's user land"
	lab_tool xz xz-utils "unpacks the lab's kernel"
	lab_tool perf linux-perf "counts at the same time in the lab"
	# The programs of the kernel's headers package are linked with it.
	if run ldconfig -p && ! ldconfig -p | grep -q 'libelf\.so\.1'; then
		need lab libelf1 "builds the lab's kernel module"
	fi
}

fetch_lab() {
	[ -e "$there/lab/linux/.complete" ] || {
		echo "fetching a kernel for the lab"
		run "$srcdir/tests/lab/fetch" "$there/lab/linux" ||
			die "cannot fetch the lab's kernel (see $(near "$log"))"
	}
	result "lab's kernel" "$(cat "$there/lab/linux/.complete")"
}
