# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# papi.sh - find or fetch PAPI's source: part of ../../configure.

# A PAPI tree has src/papi.h, or papi.h when DIR is the src directory itself.
papi_tree() {
	for dir in "$1/src" "$1"; do
		if [ -e "$dir/papi.h" ] && [ -e "$dir/papi_vector.h" ] && [ -d "$dir/components" ]; then
			(cd "$dir" && pwd)
			return
		fi
	done
	return 1
}

# papi_version DIR: major.minor.revision of a PAPI tree
papi_version() {
	sed -n 's/^#define  *PAPI_VERSION[[:space:]].*(\([0-9]*\), *\([0-9]*\), *\([0-9]*\),.*/\1.\2.\3/p' "$1/papi.h"
}

# Older ones have no PMU names and other functions of components.
check_papi_version() {
	version=$(papi_version "$papi_dir")
	case $version in
	[0-4].* | 5.[0-6].*)
		die "PAPI $version in $papi_src is too old: 5.7.0 or later is required; use --with-papi-src=DIR with a \
later one, or --without-papi" ;;
	esac
	result "PAPI version" "${version:-unknown}"
}

installed_version() {
	dpkg-query -W -f '${db:Status-Abbrev}${source:Version}' "$1" 2>>"$log" | sed -n 's/^ii *//p'
}

# find_archive VERSION APT-OPTIONS...: VERSION URI SUITE/COMPONENT of papi-tools, from a line
#   papi-tools | 7.0.0-2 | URI SUITE/COMPONENT ARCH Packages
# Without a VERSION, the version that would be installed.
find_archive() {
	version=$1
	shift
	[ -n "$version" ] || version=$(LC_ALL=C apt-cache "$@" policy papi-tools 2>>"$log" |
		sed -n 's/^  Candidate: //p')
	apt-cache "$@" madison papi-tools 2>>"$log" | awk -v version="$version" '
		{ sub(/\+b[0-9]+$/, "", $3) }
		BEGIN { sub(/\+b[0-9]+$/, "", version) }
		$3 == version && $NF == "Packages" { print version, $5, $6; exit }'
}

# no_papi WHY: there is no source package
no_papi() {
	die "$1; use --with-papi-src=DIR with a source tree of PAPI, or --without-papi to build and test \
everything except the PAPI component"
}

# Apply the distribution's patches, as in its installed PAPI.
unpack_papi() {
	if command -v dpkg-source >>"$log"; then
		run dpkg-source -x "$fetched"/papi_*.dsc "$papi_src"
		return
	fi
	mkdir -p "$papi_src" &&
		run tar -C "$papi_src" --strip-components=1 -xf "$fetched"/papi_*.orig.tar.* &&
		run tar -C "$papi_src" -xf "$fetched"/papi_*.debian.tar.* || return
	sed 's/[[:space:]]*#.*//; /^$/d' "$papi_src/debian/patches/series" >"$tmp/series"
	while read -r name; do
		run patch -d "$papi_src" -p 1 -i "$papi_src/debian/patches/$name" || return
	done <"$tmp/series"
}

# Fetch the distribution's source package of the PAPI that is installed, or would be, once, with
# separate lists and caches: nothing below /etc/apt or /var changes.
fetch_papi() {
	installed=$(installed_version papi-tools)
	fetched=$there/papi-source
	if [ -e "$fetched/.complete" ]; then
		papi_src=$fetched/papi-${installed:-$(cat "$fetched/.complete")}
		if papi_tree "$papi_src" >/dev/null; then
			return
		fi
	fi
	rm -rf "$fetched"
	mkdir -p "$fetched" || die "cannot create $fetched"
	own="-o Dir::State::lists=$there/apt/lists -o Dir::Cache=$there/apt/cache"
	# shellcheck disable=SC2086
	set -- $own -o APT::Sandbox::User=
	archive=$(find_archive "$installed")
	if [ -z "$archive" ]; then
		own_lists || no_papi "apt-get update failed: $(because)"
		archive=$(find_archive "$installed" "$@")
	fi
	[ -n "$archive" ] || no_papi "no archive in apt's lists has papi-tools $installed: $(because)"
	fetch_papi_from "$archive" "$@"
	rm -rf "$there/apt"
	echo "$version" >"$fetched/.complete"
}

# fetch_papi_from "VERSION URI SUITE/COMPONENT" APT-OPTIONS...
fetch_papi_from() {
	archive=$1
	shift
	version=${archive%% *}
	papi_src=$fetched/papi-$version
	suite=${archive##* }
	uri=${archive#* }
	uri=${uri% *}
	echo "fetching the source package papi $version"
	mkdir -p "$there/apt/lists/partial" "$there/apt/cache/archives/partial"
	for type in deb deb-src; do
		echo "$type $uri ${suite%/*} ${suite##*/}"
	done >"$there/apt/sources.list"
	set -- "$@" -o "Dir::Etc::sourcelist=$there/apt/sources.list" \
		-o Dir::Etc::sourceparts=/dev/null
	{ update_lists apt-get "$@" && [ -z "$update_cause" ]; } ||
		no_papi "cannot fetch the source package papi $version: $(because)"
	cd "$fetched" || exit
	apt apt-get -q "$@" --download-only source "papi=$version" ||
		no_papi "cannot fetch the source package papi $version: $(because)"
	cd "$here" || exit
	unpack_papi || die "cannot unpack the source package papi $version (see $(near "$log"))"
	fetch_rocm "$@"
}

# The distribution's PAPI has a component that needs this package's header to be
# compiled.  The package is not installed: its library prints messages whenever PAPI loads it.
fetch_rocm() {
	echo "fetching the header rocm_smi.h from the package librocm-smi-dev"
	if ! { (cd "$fetched" && run apt-get "$@" download librocm-smi-dev) &&
		run dpkg-deb -x "$fetched"/librocm-smi-dev_*.deb "$fetched/rocm"; }; then
		echo "cannot fetch it (see $(near "$log"))"
	fi
}

# Reject options that require PAPI, and leave PAPI's targets out of make.
without_papi() {
	[ -z "$papi_src" ] || die "--without-papi and --with-papi-src=$papi_src cannot be combined"
	[ "$lab" = no ] || die "--without-papi and --with-lab cannot be combined: the lab requires PAPI"
	papi_dir=
	papi_components=
	rocm=
	result "PAPI source" "none: no libpapi; \"make check\" skips its tests"
}

check_papi_source() {
	if [ -z "$papi_src" ]; then
		command -v apt-get >>"$log" ||
			no_papi "no package source of PAPI on this system (docs/clusters.md)"
		fetch_papi
	fi
	papi_dir=$(papi_tree "$papi_src") ||
		die "invalid PAPI source tree $papi_src: no papi.h and components/ in it or in its src/"
	result "PAPI source" "$(near "$papi_dir")"
	check_papi_version
	papi_components=
	rocm=
	if [ -d "$papi_dir/components/sde" ]; then
		papi_components=sde
	fi
	for dir in /usr "$there/papi-source/rocm/usr"; do
		if [ -e "$dir/include/rocm_smi/rocm_smi.h" ] && [ -d "$papi_dir/components/rocm_smi" ]; then
			rocm=$dir
		fi
	done
	if [ -n "$rocm" ]; then
		papi_components="$papi_components rocm_smi"
	else
		result "PAPI component rocm_smi" "no (rocm_smi.h not found)"
	fi
	papi_components=${papi_components# }
	result "drop-in's components" "perf_event perf_event_uncore $papi_components uncore sysdetect"
}
