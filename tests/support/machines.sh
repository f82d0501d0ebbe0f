# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# machines.sh - the names of all Xeons that can be simulated, for scripts. Source it. C++ tests
# use machines.h.

# machines: prints one per line, in the order of their generations
machines() {
	sed -n 's/^MACHINE(\(.*\))$/\1/p' "$SRC/src/sim/machines.def"
}
