# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# PAPI's stock tools and the examples with the drop-in library, on the kernel's own files.
#
# platforms: snbep
# modules: uncore_lab:backend=portal msr intel-uncore
# server: $B/lab/bin/simpci $P:cores=$C 512
# programs: $B/uncore papi_component_avail papi_native_avail papi_command_line $B/examples/simple
# files: $B/papi:/papi

export LD_LIBRARY_PATH=/papi

# count PATTERN FILE: lines that match
count() {
	grep -cE "$1" "$2"
}

papi_component_avail >/tmp/components 2>&1
cat /tmp/components
says "papi_component_avail: the component is active" \
	'^Name:   uncore +Intel Xeon E5-2600 \(Sandy Bridge-EP\) uncore counters' cat /tmp/components
says "papi_component_avail: and has events" '^ +Native: [1-9][0-9]*,' \
	sed -n '/^Name:   uncore /,/^$/p' /tmp/components

papi_native_avail -i UNC_ >/tmp/native 2>&1
uncore list >/tmp/list 2>/dev/null
check "papi_native_avail lists what uncore lists" \
	test "$(count '^\| uncore:::[A-Z]' /tmp/native)" -ge "$(count '^  UNC_' /tmp/list)"
says "papi_native_avail: events by name" 'uncore:::UNC_M_CAS_COUNT' cat /tmp/native
says "papi_native_avail: stock components are still there" 'UNC_M_CAS_COUNT' \
	papi_native_avail -e snbep_unc_imc0::UNC_M_CAS_COUNT:RD

for event in UNC_C_CLOCKTICKS UNC_C_TOR_INSERTS:OPCODE:OPC_DRD UNC_M_CAS_COUNT:RD \
	UNC_Q_TXL_FLITS_G0:DATA UNC_P_CLOCKTICKS UNC_U_CLOCKTICKS; do
	says "papi_command_line: $event" "uncore:::${event}[[:space:]]+:[[:space:]]+[1-9][0-9]*" \
		papi_command_line uncore:::$event
done
says "papi_command_line: an unknown name" 'Failed adding: uncore:::UNC_C_NONE' \
	papi_command_line uncore:::UNC_C_NONE

says "examples/simple" '[1-9][0-9]{3,}' simple
says "uncore stat" 'UNC_M_CAS_COUNT:RD' uncore stat -e UNC_M_CAS_COUNT:RD -- sleep 0.1

# The same event through the kernel driver at the same time: two readers of one machine.
says "stock PAPI counts the same machine" '[1-9][0-9]*' \
	papi_command_line snbep_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0
