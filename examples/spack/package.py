# SPDX-License-Identifier: BSD-3-Clause
# package.py - a recipe for Spack.  In a repository of packages of one's own:
#
#	spack repo create $HOME/sites && spack repo add $HOME/sites
#	mkdir $HOME/sites/packages/uncore && cp package.py $HOME/sites/packages/uncore/
#	spack install uncore
#
# It was not run under Spack yet.
#
# The sources are the file that `make dist` writes; Spack finds it in the directory where it is
# called, or by the url of a mirror of the site.

import os

from spack.package import *


class Uncore(Package):
    """Count events outside the cores of Intel Xeon processors (memory controllers, last-level
    cache, UPI and QPI links, power control, PCIe) through the native registers: a command, a C
    library, a daemon for users without rights, and the source of a component for PAPI."""

    url = f"file://{os.getcwd()}/uncore-0.2.tar.xz"

    license("BSD-3-Clause")

    version("0.2")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libpfm4")
    depends_on("json-c")
    depends_on("numactl")
    depends_on("libmicrohttpd")

    requires("target=x86_64:", msg="the counters are those of Intel Xeon processors")

    def install(self, spec, prefix):
        Executable("./configure")(
            "--without-papi",
            f"--prefix={prefix}",
            f"--sysconfdir={prefix.etc}",
            f"--with-pfm={spec['libpfm4'].prefix}",
            f"--with-json-c={spec['json-c'].prefix}",
        )
        make()
        make("install")
        # For src/components of PAPI's source: `spack install papi` has no component of others.
        make("papi-component")
        install_tree("build/papi-component/uncore", prefix.share.join("papi-uncore/uncore"))

    def test_simulated(self):
        """counts on a simulated machine"""
        uncore = which(self.prefix.bin.uncore)
        uncore("stat", "--machine", "sim:snbep", "-d", "1", "-e", "UNCORE_MEM_READ_BYTES")
