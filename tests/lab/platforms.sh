# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh disable=SC2034
# platforms.sh - which CPU QEMU has to imitate for each platform.
#
# The uncore driver looks at family and model, refuses CPUs that admit to be virtual,
# and takes the number of C-Boxes from the number of cores that CPUID tells: the cores
# need not be there.  Two packages of one CPU each are enough, and boot sooner.

# platform NAME: sets cpu, flags and cores (of a package), machine and extra devices
platform() {
	machine=pc
	devices=
	case $1 in
	snbep) cpu=SandyBridge flags=model=45,stepping=7 cores=8 ;;
	ivbep) cpu=IvyBridge flags=model=62,stepping=4 cores=15 ;;
	hswep) cpu=Haswell flags=model=63,stepping=2 cores=18 ;;
	bdx) cpu=Broadwell flags=model=79,stepping=1 cores=24 ;;
	skx) cpu=Skylake-Server flags=model=85,stepping=4 cores=28 machine=q35 ;;
	icx) cpu=Icelake-Server flags=model=106,stepping=6 cores=40 machine=q35 ;;
	nhmex) cpu=Nehalem flags=model=46,stepping=6 cores=8 ;;
	wsmex) cpu=Westmere flags=model=47,stepping=2 cores=10 ;;
	*) return 1 ;;
	esac
}

# more_cpus N: QEMU's options for N CPUs in each of two packages, the first of which
# is there already
more_cpus() {
	for socket in 0 1; do
		core=0
		while [ $core -lt "$1" ]; do
			if [ $socket -gt 0 ] || [ $core -gt 0 ]; then
				printf ' -device %s-x86_64-cpu,socket-id=%d,core-id=%d,thread-id=0' \
					"$cpu" $socket $core
			fi
			core=$((core + 1))
		done
	done
}
