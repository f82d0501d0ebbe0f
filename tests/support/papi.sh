# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# papi.sh - sourced by scripts that test libpapi with the component, which is not built without
# PAPI's source (configure --without-papi).
#
# Expects BUILD, the build directory, in the environment.

no_papi="no libpapi with the component (configured --without-papi)"

has_papi() {
	grep -q '^PAPI_SRC *= *[^ ]' "$BUILD/config.mk"
}

# needs_papi: the whole script
needs_papi() {
	has_papi || {
		echo "skipped: $no_papi"
		exit 77
	}
}

# papi_part PART: whether this part of a script can be tested
papi_part() {
	has_papi || {
		echo "not tried: $1: $no_papi"
		return 1
	}
}
