#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# guide.sh built BUILD papi|none | installed PREFIX LIBDIR BINDIR DOCDIR papi|none | help
#
# Prints the texts at the end of make and of `make help`, in lines of at most 80 columns
# unless directories have long names.

set -eu

# own_program PKGCONFIG-DIR INCLUDE LIB: print the command that builds a user's program
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
		echo "  make demo      count on a simulated Xeon"
		echo "  make install   install it; see make help for other targets"
		return
	fi
	cat <<-END

		Built: the library, the command uncore, and PAPI with the component.
		  make demo      count on a simulated Xeon
		  make install   install it; see make help for other targets
	END
	own_program "$dir" "$dir/papi/include" "$dir/papi"
	echo "  UNCORE_MACHINE=sim:snbep ./a.out     # simulated Xeon; unset: this machine"
}

installed() {
	prefix=$1 libdir=$2 bindir=$3 docdir=$4 papi=$5
	cat <<-END

		Installed below $prefix.
		  $bindir/uncore list
		  $docdir/examples
	END
	[ "$papi" = papi ] || return 0
	# pkg-config's own search path.
	pc=$libdir/pkgconfig
	case :$(pkg-config --variable pc_path pkg-config 2>/dev/null || :): in
	*:"$pc":*) pc= ;;
	esac
	own_program "$pc" "$libdir/uncore/include" "$libdir/uncore"
	echo "  UNCORE_MACHINE=sim:snbep ./a.out     # simulated Xeon; unset: this machine"
}

help() {
	cat <<-END
		  make                  the library, the command, PAPI with the component
		  make demo             PAPI's tools and a program count on a simulated Xeon
		  make examples         examples/*.c, to build/examples
		  make install          install below the prefix given to configure;
		                        DESTDIR=DIR puts the files below DIR, for packages
		  make uninstall        remove installed files, with the same DESTDIR
		  make dist             build/dist/uncore-VERSION.tar.xz, the sources
		  make deb              Debian packages, in build/deb
		  make rpm              RPM packages, in build/rpm
		  make recipes          recipes for Spack, EasyBuild and conda, in build/recipes
		  make release VERSION=X.Y
		                        check the tree, make what is published and say so
		  make papi-patch       patches that put the component into PAPI's own tree
		  make papi-component   the component as a directory for any PAPI source tree;
		                        SIM=no, LISTS=no: without simulated machines,
		                        without Intel's event lists (and json-c)
		  make check            the tests for daily work
		  make check-rest       the tests again with sanitizers, fuzzers, slow scripts
		  make check-all        both; the last line is the total
		  make check-packages   make dist and make deb from scratch; lintian
		  make bench            measure the cost of counting
		  make lab              test a real kernel in emulated machines
		                        (./configure --with-lab; docs/lab.md)
		  make lint             format and static checks of the sources
		  make design           the diagram of folders in docs/pictures
		  make messages         a list of all messages of the library and the programs
		  make clean            remove what was built
		  make distclean        also remove what configure wrote and fetched

		  V=1                   show the commands
		  -jN                   N jobs (by default one for each processor)
		  TEST_TIMEOUT=SECONDS  for each test program (1200)
		  CASES="NAME ..."      lab: only these cases, NAME or NAME/PLATFORM
		  LAB_SHELL=1           lab: start a shell in the emulated machine
		  LDFLAGS=FLAGS         additional linker flags
		  UNCORE_MACHINE=...    the machine of make demo; native: this one

		For compilers, directories and PAPI see ./configure --help.
	END
}

what=$1
shift
"$what" "$@"
