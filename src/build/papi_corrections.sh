#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# papi_corrections.sh [COMMAND...] - correct the errors of PAPI 7.2 and later that presets of a
# component show, in PAPI's src, the current directory; docs/upstream.md.  After each correction,
# COMMAND NAME SUBJECT BODY is called; NAME is that of its test in src/build/packaging/papi/ctests.  Errors
# that this PAPI does not have are left out.

set -eu

# correct NAME TEXT SUBJECT BODY SED FILE...: unless one of the files has TEXT, the correction
correct() {
	name=$1 text=$2 subject=$3 body=$4 script=$5
	shift 5
	! cat "$@" | grep -qF "$text" || return 0
	before=$(cat "$@" | cksum)
	sed -i "$script" "$@"
	[ "$before" != "$(cat "$@" | cksum)" ] || return 0
	# shellcheck disable=SC2086
	[ -z "$command" ] || $command "$name" "$subject" "$body"
}

command=$*
grep -q num_all_presets papi_internal.c || exit 0 # no presets of components

correct remove_preset "get_preset( EventCode )->count" \
	"Allow presets of components to be removed from event sets" \
	"PAPI_remove_event() returned PAPI_EINVAL, because their numbers follow those of
the CPU's presets." \
	'/^_papi_hwi_remove_event/,/^}/ {
		s/preset_index >= PAPI_MAX_PRESET_EVENTS/preset_index >= num_all_presets/
		s/_papi_hwi_presets\[preset_index\]\./get_preset( EventCode )->/g
	}' papi_internal.c
correct presets_again "    num_all_presets = 0;" "Number presets from 0 at each initialization" \
	"After a second PAPI_library_init(), also in a forked child, the code of each
preset's name was that of another preset, or of none." \
	'/^_papi_hwi_init_global_presets/,/^}/ s/^\( *\)int retval = PAPI_OK,.* i = 0;/&\n\n\1num_all_presets = 0;/' \
	papi_internal.c
correct unknown_preset "preset_idx >= 0" "Reject unknown presets also if the last component has presets" \
	"PAPI_event_name_to_code() used element -1 of its table." \
	's/if( NULL != _papi_hwi_list ) {/if( preset_idx >= 0 ) {/' papi.c
correct preset_qualifiers "k == prstPtr->num_quals" "Reject presets with more qualifiers than they have" \
	"Names such as PAPI_TOT_CYC:u=1 were a segmentation fault." \
	'/^overwrite_qualifiers/,/^}/ s/^\( *\)while( qualName != NULL ) {/&\n\1    if( k == prstPtr->num_quals ) {\n\1        while( k > 0 )\n\1            free(providedQuals[--k]);\n\1        free(providedQuals);\n\1        free(givenName);\n\1        return PAPI_EINVAL;\n\1    }/
	/overwrite_qualifiers(prstPtr, in, 1)/,/}/ s/PAPI_ENOMEM/status/' \
	papi_internal.c papi.c
