#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# configure with the options of packagers' tools: rpm's %configure and dh_auto_configure, options that autoconf's
# scripts ignore, other spellings; systems of 32 bits and compilers of other systems.
#
# Expects SRC and BUILD in the environment.

set -eu

without_papi=yes
# shellcheck source=tests/slow/common
. "$SRC/tests/slow/common"
unset CC CXX AR CFLAGS LDFLAGS PKG_CONFIG
failures=0
mkdir "$work/build"
cd "$work/build"
# Without what only tests need.
quick="--without-papi --cxx=false --clang=false"

fail() {
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# says TEXT: messages are folded
says() {
	tr -s '\n ' '  ' <"$work/log" | grep -q -e "$1" || fail "nothing like \"$1\": $(head -n 5 "$work/log")"
}

refused() {
	if "$SRC/configure" "$@" >"$work/log" 2>&1 </dev/null; then
		fail "configure $* is not refused"
	fi
}

# value NAME: the variable of config.mk, as make has it
value() {
	printf 'include config.mk\nall: ; @echo %s\n' "\$($1)" | make -s -f -
}

# have NAME=VALUE...
have() {
	for pair; do
		[ "$(value "${pair%%=*}")" = "${pair#*=}" ] || fail "${pair%%=*} is $(value "${pair%%=*}"), not ${pair#*=}"
	done
}

# ---- rpm's %configure, as Fedora 42 and EL 8 expand it, and what a spec adds ----

# shellcheck disable=SC2086
step "the options of rpm" "$SRC/configure" $quick --build=x86_64-redhat-linux --host=x86_64-redhat-linux --program-prefix= \
	--disable-dependency-tracking --prefix=/usr --exec-prefix=/usr --bindir=/usr/bin --sbindir=/usr/bin \
	--sysconfdir=/etc --datadir=/usr/share --includedir=/usr/include --libdir=/usr/lib64 \
	--libexecdir=/usr/libexec --localstatedir=/var --runstatedir=/run --sharedstatedir=/var/lib \
	--mandir=/usr/share/man --infodir=/usr/share/info \
	--with-systemdsystemunitdir=/usr/lib/systemd/system LDFLAGS=-Wl,-z,now
! grep -q 'unrecognized' "$work/log" || says "no unrecognized option"
have prefix=/usr libdir=/usr/lib64 sbindir=/usr/bin sysconfdir=/etc mandir=/usr/share/man LDFLAGS=-Wl,-z,now \
	UNITS=/usr/lib/systemd/system CC=gcc AR=ar

# ---- debhelper's, and those that others pass ----

# shellcheck disable=SC2016,SC2086
step "the options of debhelper" "$SRC/configure" $quick --build=x86_64-linux-gnu --prefix=/usr '--includedir=${prefix}/include' \
	'--mandir=${prefix}/share/man' '--infodir=${prefix}/share/info' --sysconfdir=/etc --localstatedir=/var \
	--disable-option-checking --disable-silent-rules '--libdir=${prefix}/lib/x86_64-linux-gnu' --runstatedir=/run \
	--disable-maintainer-mode --disable-dependency-tracking --enable-static --with-libtool-sysroot=/x \
	CFLAGS=-O1
says 'note: ignored unrecognized options: --enable-static, --with-libtool-sysroot'
have includedir=/usr/include libdir=/usr/lib/x86_64-linux-gnu mandir=/usr/share/man CFLAGS=-O1
for pair in UNITS:systemd:systemdsystemunitdir SYSUSERS:systemd:sysusersdir TMPFILES:systemd:tmpfilesdir; do
	package=${pair#*:}
	known=$(pkg-config --variable="${package#*:}" "${package%:*}" 2>/dev/null) || known=
	if [ -n "$known" ]; then
		have "${pair%%:*}=$known"
	else
		echo "not tried: the directory ${package#*:}: pkg-config does not know it"
	fi
done

# A value may be the next word, directories may depend on later ones.
# shellcheck disable=SC2016,SC2086
step "other spellings" "$SRC/configure" $quick '--mandir=${datarootdir}/m' --prefix /opt/x --exec-prefix /opt/e/ \
	--datarootdir=/opt/d '--libdir=${exec_prefix}/l' --program-transform-name=s,x,x, --quiet
have prefix=/opt/x libdir=/opt/e/l bindir=/opt/e/bin sbindir=/opt/e/sbin includedir=/opt/x/include mandir=/opt/d/m \
	datadir=/opt/d docdir=/opt/d/doc/uncore UNITS=/opt/x/lib/systemd/system

# ---- refused ----

rm -f config.mk
for option in --unknown prefix=/usr word; do
	refused "$option"
	says "unknown option $option: see "
done
refused --prefix
says 'prefix requires a value'
refused --libexecdir=lib
says 'invalid --libexecdir=lib: must be an absolute path'
for host in i686-redhat-linux-gnu armv7hl-redhat-linux-gnueabi x86_64-linux-gnux32; do
	refused --host=$host
	says "the system $host has 32 bits: the registers have 64"
done
echo '#define __ILP32__ 1' >"$work/macros"
cat >"$work/gcc32" <<END
#!/bin/sh
case "\$*" in *-dM*) cat "$work/macros" ;; *) exec gcc "\$@" ;; esac
END
chmod +x "$work/gcc32"
if echo | gcc -m32 -E - >/dev/null 2>&1; then
	refused CC="gcc -m32"
	says "gcc -m32 compiles for 32 bits"
else
	refused CC="$work/gcc32"
	says "gcc32 compiles for 32 bits"
fi
refused --host=none-linux-gnu --without-papi
says 'there is no none-linux-gnu-gcc, which compiles for none-linux-gnu: install it'
[ ! -e config.mk ] || fail "config.mk is written"
[ $failures -eq 0 ]
