# SPDX-License-Identifier: BSD-3-Clause
from spack_repo.builtin.build_systems.generic import Package

from spack.package import *


class Uncore(Package):
    """Count events outside the cores of Intel Xeon processors (memory controllers, last-level
    cache, UPI and QPI links, power control, PCIe) through the native registers: a command, a C
    library, and a daemon for unprivileged users."""

    homepage = "@homepage@"
    url = "@releases@uncore-@version@.tar.xz"

    license("BSD-3-Clause")

    version("@version@", sha256="@sha256@")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libpfm4")
    depends_on("json-c")

    # configure's name, package, purpose
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

    requires("target=x86_64:", "target=aarch64:", policy="any_of", msg="64-bit systems only")

    def install(self, spec, prefix):
        configure = Executable("./configure")
        configure(
            "--without-papi",
            f"--prefix={prefix}",
            f"--sysconfdir={prefix.etc}",
            f"--with-pfm={spec['libpfm4'].prefix}",
            f"--with-json-c={spec['json-c'].prefix}",
            *(f"--{'with' if f'+{name}' in spec else 'without'}-{name}" for name, _, _ in self.libraries),
        )
        make()
        make("install")

    def test_simulated(self):
        """counts on a simulated machine"""
        uncore = which(self.prefix.bin.uncore)
        uncore("stat", "--machine", "sim:icx", "-d", "1", "-e", "UNCORE_MEM_READ_BYTES")
