# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# options.sh - the command line: part of ../../configure.  It accepts the options that packagers' tools pass to
# scripts of autoconf (rpm's %configure, dh_auto_configure, EasyBuild, Yocto).  Those without an effect here
# are ignored; as in autoconf, a note lists unknown features and packages.

unrecognized=
next_is_value= # the option whose value is the next word

# installation_dir OPTION DIR: print an installation directory; the variables of autoconf's directories are
# make's, too
installation_dir() {
	# shellcheck disable=SC2016
	case $2 in
	'${prefix}'* | '$(prefix)'*) start='$(prefix)' ;;
	'${exec_prefix}'* | '$(exec_prefix)'*) start='$(exec_prefix)' ;;
	'${datarootdir}'* | '$(datarootdir)'*) start='$(datarootdir)' ;;
	'~'*) die "invalid $1=$2: the shell does not expand ~ here; use $1=\"\$HOME/...\"" ;;
	/*) start= ;;
	*) die "invalid $1=$2: must be an absolute path, for example $1=$here/$2" ;;
	esac
	rest=$2
	[ -z "$start" ] || rest=${2#*[\}\)]}
	plain_path "$1" "$rest"
	[ "$rest" = / ] || rest=${rest%/}
	printf '%s%s' "$start" "$rest"
}

# existing OPTION DIR: print the absolute name of an existing directory
existing() {
	(cd "$2" 2>/dev/null && pwd) || die "invalid $1=$2: no such directory"
}

# directory_option OPTION DIR: use an installation directory; false if the option has none
directory_option() {
	case $1 in
	--prefix | --exec-prefix | --libdir | --includedir | --bindir | --sbindir | --datadir | --datarootdir | \
		--mandir | --docdir | --sysconfdir | --libexecdir | --localstatedir | --sharedstatedir | --runstatedir | \
		--infodir | --localedir | --htmldir | --dvidir | --pdfdir | --psdir | --oldincludedir | \
		--with-systemdsystemunitdir | --with-sysusersdir | --with-tmpfilesdir | --with-bashcompletiondir) ;;
	*) return 1 ;;
	esac
	dir=$(installation_dir "$1" "$2") || exit
	case $1 in
	--prefix) prefix=$dir ;;
	--exec-prefix) exec_prefix=$dir ;;
	--libdir) libdir=$dir ;;
	--includedir) includedir=$dir ;;
	--bindir) bindir=$dir ;;
	--sbindir) sbindir=$dir ;;
	--datadir) datadir=$dir ;;
	--datarootdir) datarootdir=$dir ;;
	--mandir) mandir=$dir ;;
	--docdir) docdir=$dir ;;
	--sysconfdir) sysconfdir=$dir ;;
	--with-systemdsystemunitdir) unit_dir=$dir ;;
	--with-sysusersdir) sysusers_dir=$dir ;;
	--with-tmpfilesdir) tmpfiles_dir=$dir ;;
	--with-bashcompletiondir) completion_dir=$dir ;;
	esac
}

# own_option OPTION VALUE: an option that only this script has; false if unknown
own_option() {
	case $1 in
	--help | -h) usage; exit 0 ;;
	--version | -V) echo "uncore $VERSION"; exit 0 ;;
	--cc) cc=$2 ;;
	--cxx) cxx=$2 ;;
	--clang) clang=$2 ;;
	--without-papi) with_papi=no ;;
	--with-papi-src) papi_src=$(existing "$1" "$2") || exit ;;
	--with-pfm) pfm=$(existing "$1" "$2") || exit ;;
	--with-json-c) json=$(existing "$1" "$2") || exit ;;
	--enable-sanitizers) sanitizers=${2:-address,undefined} ;;
	--with-lab) lab=yes ;;
	--with-fuse3 | --with-ncurses | --with-microhttpd | --with-seccomp | --with-numa)
		choose "${1#--with-}" "$([ "$2" = no ] && echo no || echo yes)"
		;;
	--without-fuse3 | --without-ncurses | --without-microhttpd | --without-seccomp | --without-numa)
		choose "${1#--without-}" no
		;;
	--install-deps)
		install_deps=${2:-check}
		case $install_deps in
		build | demo | check | all | local) ;;
		*) die "invalid $1=$2: use build, demo, check, all or local" ;;
		esac
		;;
	*) return 1 ;;
	esac
}

# autoconf_option OPTION VALUE: an option that every script of autoconf has; false if unknown
autoconf_option() {
	case $1 in
	--build) build_system=$2 ;;
	--host) host_system=$2 ;;
	--target | --srcdir | --cache-file | --config-cache | -C | --quiet | --silent | -q | --no-create | -n) ;;
	--disable-option-checking | --disable-dependency-tracking | --enable-dependency-tracking | \
		--disable-silent-rules | --enable-silent-rules | --disable-maintainer-mode) ;;
	--program-prefix | --program-suffix | --program-transform-name)
		[ -z "$2" ] || [ "$2" = NONE ] || [ "$2" = s,x,x, ] || unrecognized="$unrecognized, $1=$2"
		;;
	--enable-?* | --disable-?* | --with-?* | --without-?*) unrecognized="$unrecognized, $1" ;;
	*) return 1 ;;
	esac
}

# variable_option NAME VALUE: NAME=VALUE, as if it were in the environment
variable_option() {
	case $1 in
	CC) cc=$2 ;;
	CXX) cxx=$2 ;;
	AR) ar=$2 ;;
	CFLAGS) cflags=$2 ;;
	LDFLAGS) ldflags=$2 ;;
	PKG_CONFIG) pkg_config=$2 ;;
	*[!A-Z0-9_]* | [0-9]* | '') return 1 ;;
	*) export "$1=$2" ;;
	esac
}

parse_option() {
	value=
	case $1 in
	*=*) value=${1#*=} ;;
	esac
	case $1 in
	-*)
		directory_option "${1%%=*}" "$value" || own_option "${1%%=*}" "$value" ||
			autoconf_option "${1%%=*}" "$value"
		;;
	*=*) variable_option "${1%%=*}" "$value" ;;
	*) false ;;
	esac || die "unknown option $1: see $self --help"
}

# has_value OPTION: true if the value may be the next word, as autoconf has it
has_value() {
	case $1 in
	--prefix | --exec-prefix | --*dir | --build | --host | --target | --cache-file | --program-prefix | \
		--program-suffix | --program-transform-name) ;;
	*) return 1 ;;
	esac
}

parse_options() {
	for word; do
		if [ -n "$next_is_value" ]; then
			word=$next_is_value=$word
			next_is_value=
		fi
		if has_value "$word"; then
			next_is_value=$word
		else
			parse_option "$word"
		fi
	done
	[ -z "$next_is_value" ] || die "$next_is_value requires a value: use $next_is_value=VALUE"
	[ -z "$unrecognized" ] || wrap 80 "configure: " "  " "note: ignored unrecognized options: ${unrecognized#, }" >&2
	choose_defaults
	choose_tools
}

# Every distribution has /etc, not /usr/etc.
choose_defaults() {
	# shellcheck disable=SC2016
	if [ "$prefix" = /usr ] && [ "$sysconfdir" = '$(prefix)/etc' ]; then
		sysconfdir=/etc
	fi
}

# The same system is named by several names, for example x86_64-redhat-linux and x86_64-pc-linux-gnu.
choose_tools() {
	[ "$host_system" != "$build_system" ] || host_system=
	case $host_system in
	i[3-6]86-* | arm*-* | *x32) refuse_32_bits "the system $host_system has" ;;
	"$(uname -m)"-*) host_system= ;;
	esac
	tools=${host_system:+$host_system-}
	[ -z "$tools" ] || [ -n "$cc" ] || command -v "${tools}gcc" >/dev/null ||
		die "there is no ${tools}gcc, which compiles for $host_system: install it (Debian: gcc-$host_system), or use --cc=CC"
	[ -z "$tools" ] || [ $with_papi = no ] ||
		die "PAPI cannot be built for $host_system on this system: use --without-papi"
	: "${cc:=${tools}gcc}" "${cxx:=${tools}g++}" "${ar:=${tools}ar}" "${pkg_config:=${tools}pkg-config}"
}

# refuse_32_bits SUBJECT
refuse_32_bits() {
	die "$1 32 bits: the registers have 64; build for x86_64 or aarch64"
}

# known_dir PACKAGE VARIABLE DEFAULT: print what pkg-config knows of systemd's and bash's directories,
# which are those of programs below /usr
known_dir() {
	known=
	[ "$prefix" != /usr ] || known=$("$pkg_config" --variable="$2" "$1" 2>>"$log") || :
	case $known in
	/*) printf '%s' "$known" ;;
	*) printf '%s' "$3" ;;
	esac
}

known_completion_dir() {
	# shellcheck disable=SC2016
	{
		default='$(datadir)/bash-completion/completions'
		[ "$datadir" = '$(datarootdir)' ] || [ "$datadir" = /usr/share ] || { echo "$default"; return; }
	}
	known_dir bash-completion completionsdir "$default"
}

choose_directories() {
	# shellcheck disable=SC2016
	: "${unit_dir:=$(known_dir systemd systemdsystemunitdir '$(prefix)/lib/systemd/system')}" \
		"${sysusers_dir:=$(known_dir systemd sysusersdir '$(prefix)/lib/sysusers.d')}" \
		"${tmpfiles_dir:=$(known_dir systemd tmpfilesdir '$(prefix)/lib/tmpfiles.d')}" \
		"${completion_dir:=$(known_completion_dir)}"
}
