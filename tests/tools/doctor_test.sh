#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# doctor_test.sh - `uncore doctor` as a command: its screen, JSON and exit status, and the PAPI library
# that would be loaded.  Its findings are tested in tests/doctor.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

unset UNCORE_MACHINE UNCORE_WRAP_POLLER UNCORE_FORCE UNCORE_PARTIAL UNCORE_SYSROOT
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT

# shellcheck source=tests/support/command.sh
. "$SRC/tests/support/command.sh"
# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"

# library BODY: a libpapi.so of which nothing else is there, found first
library() {
	printf '#include <stdlib.h>\n%s\n' "$1" >"$tmp/papi.c"
	mkdir -p "$tmp/lib"
	cc -shared -fPIC -o "$tmp/lib/libpapi.so" "$tmp/papi.c" || exit 1
	export LD_LIBRARY_PATH="$tmp/lib"
}

uncore 0 --machine sim:snbep doctor
says '^note machine sim:snbep: all counts are simulated'
says 'fine cpu Intel Xeon E5-2600 \(Sandy Bridge-EP\): 2 packages, 16 CPUs'
says 'No problem, 1 note $'
uncore 0 --machine sim:snbep doctor --json
says '^\{"problems":0,"findings":\[\{"check":"machine","state":"note","found":".*","advice":".*"\}'

uncore 2 doctor now
says 'unexpected argument: "now"'
uncore 1 --machine sim:z80 doctor
says 'problem cpu machine sim:z80: unknown simulated platform'

export UNCORE_MACHINE=sim:snbep
if papi_part "libpapi with the component"; then
	LD_LIBRARY_PATH=$BUILD/papi
	export LD_LIBRARY_PATH
	uncore 0 doctor
	says 'fine papi .*/papi/libpapi\.so.*, version 7\.[0-9]+, has the component uncore'

	# Its component opens the same machine, and has nothing to list.
	UNCORE_MACHINE=sim:z80 uncore 1 doctor
	says 'problem papi .*: the component uncore lists no events'
fi

library 'int PAPI_library_init(int v) { return v; }'
uncore 0 doctor
says 'note papi .*/lib/libpapi\.so, version 5\.0, lacks the component uncore'
library 'int PAPI_library_init(int v) { return v & 0; }'
uncore 0 doctor
says 'note papi .*: unsupported version'
library 'int PAPI_library_init(int v) { abort(); return v; }'
uncore 0 doctor
says 'note papi libpapi.so crashed or did not respond'

[ $failures -eq 0 ]
