# SPDX-License-Identifier: BSD-3-Clause
# package.py - a recipe for Spack, for a separate package repository:
#
#	spack repo create $HOME/sites && spack repo add $HOME/sites
#	mkdir $HOME/sites/packages/uncore && cp package.py $HOME/sites/packages/uncore/
#	spack install uncore
#
# It has not been tested with Spack yet.
#
# The source is the archive created by `make dist`; Spack expects it in the current directory, or at
# the url of a site mirror.

import os

from spack.package import *


class Uncore(Package):
    """Count events outside the cores of Intel Xeon processors (memory controllers, last-level
    cache, UPI and QPI links, power control, PCIe) through the native registers: a command, a C
    library, a daemon for unprivileged users, and the source of a component for PAPI."""

    url = f"file://{os.getcwd()}/uncore-0.2.tar.xz"

    license("BSD-3-Clause")

    version("0.2")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libpfm4")
    depends_on("json-c")

    # configure's name, package, what it is for
    libraries = (
        ("fuse3", "libfuse@3:", "uncore sim mount: a simulated machine as files"),
        ("ncurses", "ncurses", "uncore top on a terminal"),
        ("microhttpd", "libmicrohttpd", "uncore exporter, for Prometheus"),
        ("seccomp", "libseccomp", "restrict the system calls of uncored"),
        ("numa", "numactl", "traffic of uncore selftest"),
    )
    for name, package, use in libraries:
        variant(name, default=name in ("microhttpd", "ncurses", "numa"), description=use)
        depends_on(package, when=f"+{name}")

    requires("target=x86_64:", msg="the counters are those of Intel Xeon processors")

    def install(self, spec, prefix):
        Executable("./configure")(
            "--without-papi",
            f"--prefix={prefix}",
            f"--sysconfdir={prefix.etc}",
            f"--with-pfm={spec['libpfm4'].prefix}",
            f"--with-json-c={spec['json-c'].prefix}",
            *(f"--{'with' if f'+{name}' in spec else 'without'}-{name}" for name, _, _ in self.libraries),
        )
        make()
        make("install")
        # For src/components of PAPI's source: `spack install papi` does not include external components.
        make("papi-component")
        install_tree("build/papi-component/uncore", prefix.share.join("papi-uncore/uncore"))

    def test_simulated(self):
        """counts on a simulated machine"""
        uncore = which(self.prefix.bin.uncore)
        uncore("stat", "--machine", "sim:snbep", "-d", "1", "-e", "UNCORE_MEM_READ_BYTES")
