#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# guide.sh built BUILD papi|none | installed PREFIX LIBDIR BINDIR DOCDIR papi|none | help
#
# What make says at its end, and what `make help` says.  Lines of at most 80 columns,
# unless directories have long names.

set -eu

# own_program PKGCONFIG-DIR INCLUDE LIB: the line that builds one
own_program() {
	echo "Your own program:"
	if ! command -v pkg-config >/dev/null; then
		printf '  cc x.c -I%s \\\n      -L%s \\\n' "$2" "$3"
		printf '      -Wl,-rpath,%s -lpapi\n' "$3"
		return
	fi
	[ -z "$1" ] || printf '  export PKG_CONFIG_PATH=%s\n' "$1"
	# shellcheck disable=SC2016
	printf '  cc x.c $(pkg-config --cflags --libs papi-uncore)\n'
}

built() {
	# shellcheck disable=SC2016
	case $1 in
	.) dir='$PWD' ;;
	*) dir='$PWD/'$1 ;;
	esac
	if [ "$2" = none ]; then
		printf '\nBuilt: the library, the command uncore, and uncored, without PAPI.\n'
		echo "  make install   installs; make help tells what else there is"
		return
	fi
	cat <<-END

		Built: the library, the command uncore, and PAPI with the component.
		  make demo      counts on a simulated Xeon
		  make install   installs; make help tells what else there is
	END
	own_program "$dir" "$dir/papi/include" "$dir/papi"
	echo "  UNCORE_MACHINE=sim:snbep ./a.out     # a simulated Xeon; without it this one"
}

installed() {
	prefix=$1 libdir=$2 bindir=$3 docdir=$4 papi=$5
	cat <<-END

		Installed below $prefix.
		  $bindir/uncore list
		  $docdir/examples
	END
	[ "$papi" = papi ] || return 0
	# Where pkg-config looks by itself.
	pc=$libdir/pkgconfig
	case :$(pkg-config --variable pc_path pkg-config 2>/dev/null || :): in
	*:"$pc":*) pc= ;;
	esac
	own_program "$pc" "$libdir/uncore/include" "$libdir/uncore"
	echo "  UNCORE_MACHINE=sim:snbep ./a.out     # a simulated Xeon; without it this one"
}

help() {
	cat <<-END
		  make                  the library, the command, PAPI with the component
		  make demo             PAPI's tools and a program count on a simulated Xeon
		  make examples         examples/*.c, to build/examples
		  make install          installs below the prefix that configure was given;
		                        DESTDIR=DIR puts the files below DIR, for packages
		  make uninstall        removes what was installed, with the same DESTDIR
		  make dist             build/dist/uncore-VERSION.tar.xz, the sources
		  make deb              Debian packages, in build/deb
		  make papi-patch       patches that put the component into PAPI's own tree
		  make papi-component   the component as a directory for any PAPI source tree;
		                        SIM=no, LISTS=no: without simulated machines,
		                        without Intel's event lists (and json-c)
		  make check            the tests that one works with all day
		  make check-rest       them again with sanitizers, fuzzers, slow scripts
		  make check-all        both; the last line is the sum
		  make check-packages   make dist and make deb, from nothing; lintian
		  make bench            what counting costs
		  make lab              on a real kernel in emulated machines
		                        (./configure --with-lab; docs/lab.md)
		  make lint             format and static checks of the sources
		  make clean            removes what was built
		  make distclean        also what configure wrote and fetched

		  V=1                   shows the commands
		  -jN                   N jobs (by default one for each processor)
		  TEST_TIMEOUT=SECONDS  for each test program (300)
		  CASES="NAME ..."      of the lab: these cases only, or NAME/PLATFORM
		  LAB_SHELL=1           of the lab: a shell in the emulated machine
		  LDFLAGS=FLAGS         more flags for linking
		  UNCORE_MACHINE=...    the machine of make demo: native is this one

		./configure --help lists what is chosen before: compilers, directories, PAPI.
	END
}

what=$1
shift
"$what" "$@"
