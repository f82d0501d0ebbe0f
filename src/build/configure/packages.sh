# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# packages.sh - missing packages and their installation: part of ../../configure.
#
# Packages are in groups: `build` and `lab` are required by configure, `demo` and `check` by
# "make demo" and "make check"; `wish`, `more` and `extra` are optional: parts of "make check" and
# "make check-rest" use the last two.  The packages of `unpack` (for "make check-rest") are unpacked
# instead of installed, because they would start services.

missing=
sudo=
asked= # yes: an administrator was asked to install packages
update_cause=

# need GROUP PACKAGE WHY: remember that a package is missing
need() {
	missing="$missing$1:$2:$3
"
}

# missing_of GROUP...: lines PACKAGE:WHY, each package once
missing_of() {
	printf '%s' "$missing" | sort -t : -k 2 | awk -F : -v groups=" $* " '
		index(groups, " " $1 " ") && !seen[$2]++ { print $2 ":" $3 }'
}

packages_of() {
	missing_of "$@" | cut -d : -f 1 | tr '\n' ' ' | sed 's/ $//'
}

list_missing() {
	missing_of "$@" | while IFS=: read -r package why; do
		printf '  %-24s%s\n' "$package" "$why"
	done
}

# apt_line PACKAGES: the command that installs them
apt_line() {
	wrap 78 "    apt-get install " "      " "--no-install-recommends $1" | sed '$!s/$/ \\/'
}

# remedy PACKAGES [WHICH]: print how to install them; without WHICH, omit --install-deps
remedy() {
	if [ -n "$host_system" ]; then
		echo "Libraries for $host_system may be in directories: --with-pfm=DIR --with-json-c=DIR"
		return
	fi
	if ! command -v apt-get >>"$log"; then
		cat <<-END
			These are Debian's names; on other systems look for libpfm-devel, json-c-devel
			(libjson-c-devel), fuse3-devel, numactl-devel,
			ncurses-devel, libseccomp-devel, libmicrohttpd-devel, gtest-devel,
			zlib-devel.  libpfm4 and json-c may be in directories:
			--with-pfm=DIR --with-json-c=DIR (docs/clusters.md).
		END
		return
	fi
	cat <<-END
		As root:
		$(apt_line "$1")
	END
	[ -z "${2:-}" ] || printf 'or\n    %s\n' "$self --install-deps=$2"
	[ "$install_deps" = local ] || echo "or, $(unpacked_instead)"
}

# unpacked_instead: print what installs nothing
unpacked_instead() {
	printf 'without root, unpacked below %s:\n    %s\n' "$(near "$local")" \
		"$self --install-deps=local"
}

# ---- apt ----

# apt COMMAND...: run it with its output in the log; if it fails, $cause is the reason
apt() {
	echo "+ $*" >>"$log"
	LC_ALL=C "$@" >"$tmp/apt" 2>&1
	apt_status=$?
	cat "$tmp/apt" >>"$log"
	cause=$(awk '
		/^sudo: unable to resolve host/ { next }
		/^sudo: / || /sudoers|not allowed to execute/ { print; told = 1; exit }
		failed && /^ / && !net { net = $0; sub(/^ +/, "", net) }
		{ failed = /^Err:/ }
		sub(/^[WE]: Failed to fetch [^ ]* +/, "") && !net { net = $0 }
		/^E: / && !error { error = substr($0, 4) }
		END { if (!told) print net ? net : error }' "$tmp/apt")
	return $apt_status
}

# apt-get update succeeds even if nothing could be fetched; its errors explain later failures.
update_lists() {
	apt "$@" -q update
	apt_status=$?
	update_cause=$cause
	return $apt_status
}

# Use separate package lists if apt's are empty or not writable by this user.
own_lists() {
	mkdir -p "$there/apt/lists/partial" "$there/apt/cache/archives/partial" ||
		die "cannot create $there/apt"
	echo "reading package lists"
	update_lists apt-get -o "Dir::State::lists=$there/apt/lists" \
		-o "Dir::Cache=$there/apt/cache" -o APT::Sandbox::User=
}

# because: print apt's error, and those of its update
because() {
	printf '%s' "${cause:-unknown reason}"
	[ "$cause" = "${update_cause:-$cause}" ] || printf '; before, apt-get update: %s' "$update_cause"
	printf ' (see %s)' "$(near "$log")"
}

# ---- install ----

# has_terminal: where sudo can ask for a password
has_terminal() {
	(: </dev/tty) 2>>"$log"
}

# become_root: set $sudo to what makes a command root's, or $cause to why there is nothing
become_root() {
	[ "$(id -u)" != 0 ] || return 0
	sudo=sudo
	if ! command -v sudo >>"$log"; then
		cause="there is no sudo"
	elif apt sudo -n true; then
		return 0
	elif has_terminal; then
		echo "sudo asks for a password:"
		sudo -v && return 0
		cause="sudo refuses"
	fi
	return 1
}

# sudo_refused: true if sudo itself failed, not the command
sudo_refused() {
	[ -n "$sudo" ] || return
	case $cause in
	"sudo: "* | *sudoers* | *"not allowed to execute"*) ;;
	*) return 1 ;;
	esac
}

# ask_administrator PACKAGES: print the line to run as root, which is not wrapped
ask_administrator() {
	asked=yes
	wrap 80 "" "  " "this user cannot install packages (${cause#sudo: }); as root:"
	echo "    apt-get update && apt-get install --no-install-recommends $1"
}

# cannot_install WHAT PACKAGES
cannot_install() {
	if sudo_refused; then
		ask_administrator "$2"
	else
		die "$1: $(because)." "$(remedy "$2")"
	fi
}

# announce_size PACKAGES: how many packages they are with their dependencies, and how large
announce_size() {
	# shellcheck disable=SC2086
	apt $sudo apt-get -q --assume-no --no-install-recommends install $1 || :
	size=$(sed -n 's/^After this operation, \(.*\) of additional disk space.*/\1/p' "$tmp/apt")
	sed -n "s/.* \([0-9]*\) newly installed.*/with dependencies: \1 packages${size:+, $size}/p" "$tmp/apt" |
		sed 's/ 1 packages/ 1 package/'
}

install_packages() {
	packages=$1
	if ! become_root; then
		ask_administrator "$packages"
		return
	fi
	if ! update_lists $sudo apt-get; then
		cannot_install "apt-get update failed" "$packages"
		return
	fi
	announce_size "$packages"
	# shellcheck disable=SC2086
	apt $sudo env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
		apt-get -q install -y --no-install-recommends $packages ||
		cannot_install "apt-get install failed" "$packages"
}

# ---- unpacking below build/, without root ----

# Absolute links in a package point to the installed files; files of other packages may be below
# build/ or installed.
mend_links() {
	find "$local" -type l | while read -r link; do
		[ ! -e "$link" ] || continue
		target=$(readlink "$link")
		case $target in
		/*) ;;
		*) target=$(realpath -m -s "$(dirname "${link#"$local"}")/$target") ;;
		esac
		if [ -e "$local$target" ]; then
			ln -sfn "$local$target" "$link"
		elif [ -e "$target" ]; then
			ln -sfn "$target" "$link"
		fi
	done
}

# An unpacked compiler searches next to itself for files that the system's gcc has.
complete_gcc() {
	for dir in "$local"/usr/lib/gcc/*/*; do
		for file in "${dir#"$local"}"/*; do
			[ -e "$dir/${file##*/}" ] || ln -s "$file" "$dir/"
		done
	done
}

# would_install PACKAGES APT-OPTIONS...: print lines PACKAGE=VERSION, with dependencies
would_install() {
	wanted=$1
	shift
	# shellcheck disable=SC2086
	apt apt-get -q -s --no-install-recommends "$@" install $wanted || return
	sed -n 's/^Inst \([^ ]*\) .*(\([^ ]*\) .*/\1=\2/p' "$tmp/apt" >"$tmp/inst"
}

unpack_packages() {
	packages=$1
	set -- -o APT::Sandbox::User=
	if ! would_install "$packages" "$@"; then
		own_lists
		set -- "$@" -o "Dir::State::lists=$there/apt/lists" -o "Dir::Cache=$there/apt/cache"
		would_install "$packages" "$@" ||
			die "apt knows no such packages: $(because)." "$(remedy "$packages")"
	fi
	rm -f "$local/.complete"
	mkdir -p "$local/packages" "$local/usr" || die "cannot create $local"
	cd "$local/packages" || exit
	# shellcheck disable=SC2046
	apt apt-get -q "$@" download $(cat "$tmp/inst") ||
		die "cannot fetch packages: $(because)."
	cd "$here" || exit
	for package in "$local"/packages/*.deb; do
		run dpkg-deb -x "$package" "$local" || die "cannot unpack $package (see $(near "$log"))"
	done
	rm -rf "$local/packages"
	for dir in lib bin sbin; do
		[ ! -d "$local/$dir" ] || { cp -a "$local/$dir" "$local/usr/" && rm -rf "${local:?}/$dir"; }
	done
	# PAPI is built here.
	find "$local" -name 'libpapi.so*' -exec rm -f {} +
	mend_links
	complete_gcc
	touch "$local/.complete"
}

# The unpacked directories for compilers and linkers, after the system's own headers.
use_local() {
	[ -e "$local/.complete" ] || return 0
	lib=$local/usr/lib/$($cc -print-multiarch)
	local_flags="-idirafter $local/usr/include -idirafter ${local}/usr/include/${lib##*/} -B$lib -L$lib"
	# make's variable: libraries are installed there
	# shellcheck disable=SC2016
	local_rpath="-Wl,-rpath,$lib:"'$(libdir)/uncore'
	PATH=$local/usr/bin:$PATH
	result "packages of" "$(near "$local")"
}

# download_services APT-OPTION...: download to the current directory
download_services() {
	# shellcheck disable=SC2046
	apt apt-get -q -o APT::Sandbox::User= "$@" download $(packages_of unpack)
}

# Services that tests start and stop themselves.
unpack_services() {
	[ -n "$(packages_of unpack)" ] || return 0
	echo "unpacking below $(near "$there/services") (installed, they would start services):"
	list_missing unpack
	mkdir -p "$there/services/packages" || die "cannot create $there/services"
	cd "$there/services/packages" || exit
	if ! download_services; then
		own_lists
		download_services -o "Dir::State::lists=$there/apt/lists" \
			-o "Dir::Cache=$there/apt/cache" || die "cannot fetch packages: $(because)."
	fi
	cd "$here" || exit
	for package in "$there"/services/packages/*.deb; do
		run dpkg-deb -x "$package" "$there/services" ||
			die "cannot unpack $package (see $(near "$log"))"
	done
	rm -rf "$there/services/packages"
}

install_missing() {
	packages=$(packages_of "$@")
	[ -n "$packages" ] || return 0
	command -v apt-get >>"$log" ||
		die "--install-deps requires apt-get." "$(remedy "$packages")"
	if [ "$install_deps" = local ]; then
		[ -z "$(packages_of lab)" ] ||
			die "the lab's packages cannot be unpacked below $build; as root:" \
				"$(apt_line "$(packages_of lab)")"
		echo "unpacking below $(near "$local"), with their dependencies:"
		list_missing "$@"
		unpack_packages "$packages"
	else
		echo "installing (may take minutes):"
		list_missing "$@"
		install_packages "$packages"
	fi
}
