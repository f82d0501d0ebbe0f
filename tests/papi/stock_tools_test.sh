#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# The distribution's own PAPI tools, unmodified, with the drop-in libpapi: they
# list the component and its events, and count.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -eu

# shellcheck source=tests/support/papi.sh
. "$SRC/tests/support/papi.sh"
needs_papi

# Further packages that the tools need may have been unpacked below the build directory.
libs=$BUILD/papi${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

failed=0
out=$BUILD/tests/stock_tools
mkdir -p "$out"

skip() {
	echo "skipped: $*"
	exit 77
}

fail() {
	echo "FAILED: $*"
	failed=1
}

# expect WHAT FILE PATTERN: some line matches the extended regular expression
expect() {
	if ! grep -qE -- "$3" "$2"; then
		fail "$1: no line of $2 matches: $3"
	fi
}

# reject WHAT FILE PATTERN: none does
reject() {
	if grep -E -- "$3" "$2"; then
		fail "$1: the line above is in $2"
	fi
}

# equal WHAT EXPECTED FOUND
equal() {
	if [ "$2" != "$3" ]; then
		fail "$1: expected $2, found $3"
	fi
}

# tool FILE COMMAND...: its output and errors go to FILE
tool() {
	file=$1
	shift
	if ! LD_LIBRARY_PATH=$libs "$@" >"$file" 2>&1; then
		fail "$*: exit code not 0"
		tail -n 5 "$file"
	fi
}

for name in papi_component_avail papi_native_avail papi_command_line papi_xml_event_info \
	papi_event_chooser; do
	command -v $name >/dev/null || skip "this system has no $name"
done
if grep -q '^SANITIZERS *= *[a-z]' "$BUILD/config.mk"; then
	skip "the drop-in is built with a sanitizer, which these tools lack"
fi
LD_LIBRARY_PATH=$libs ldd "$(command -v papi_native_avail)" | grep -qF "$BUILD/papi/" ||
	skip "the system's PAPI tools are of another version than the drop-in"

unset UNCORE_SYSROOT UNCORE_VERBOSE UNCORE_FORCE UNCORE_WRAP_POLLER

# ---- papi_component_avail ----

UNCORE_MACHINE=sim:snbep:packages=2,cores=8
export UNCORE_MACHINE
f=$out/component_avail
tool "$f" papi_component_avail
expect "the component is listed" "$f" '^Name: +uncore +SIMULATED.*E5-2600'
# The lines after the component's name, in both lists.
grep -A 1 -E '^Name: +uncore ' "$f" >"$f.uncore"
reject "the component is enabled" "$f.uncore" 'Disabled'
expect "it has events" "$f.uncore" 'Native: [1-9][0-9]+, Preset: 0, Counters: [1-9]'
grep -A 2 -E '^Name: +uncore ' "$f" >"$f.uncore"
expect "its PMUs are listed" "$f.uncore" 'PMUs supported: snbep_unc_cbo, .*snbep_unc_imc'
native=$(sed -n 's/.*Native: \([0-9]*\),.*/\1/p' "$f.uncore")

# Without the setting it is disabled, unless this is a machine that has an uncore.
f=$out/component_avail.native
(
	unset UNCORE_MACHINE
	tool "$f" papi_component_avail
	exit $failed
) || failed=1
grep -A 1 -E '^Name: +uncore ' "$f" >"$f.uncore" || :
expect "the component is listed" "$f.uncore" '^Name: +uncore '
reject "nothing is simulated unless asked for" "$f.uncore" '[Ss][Ii][Mm][Uu][Ll][Aa][Tt][Ee][Dd]'
family=$(awk -F': ' '/^cpu family/ {print $2; exit}' /proc/cpuinfo)
model=$(awk -F': ' '/^model[ \t]*:/ {print $2; exit}' /proc/cpuinfo)
case $family.$model in
6.45) echo "this is a Xeon E5-2600: its own component is left alone" ;;
*)
	expect "the reason is about this computer" "$f.uncore" \
		"Disabled: (no uncore counters .*family $family model $model|this virtual machine has no uncore registers)"
	;;
esac

# ---- papi_native_avail ----

f=$out/native_avail
tool "$f" papi_native_avail
sed -n 's/^| \(uncore:::[^ ]*\) *|$/\1/p' "$f" >"$f.names"
equal "events that are listed" "$native" "$(wc -l <"$f.names")"
equal "events that are listed more than once" "" "$(sort "$f.names" | uniq -d)"
reject "names are of letters that tools understand" "$f.names" '[^A-Za-z0-9_.:]'
# From the event to the line that ends its description.
sed -n '/^| uncore:::UNC_M_CAS_COUNT /,/^--/p' "$f" >"$f.cas"
for umask in ALL RD WR RD_UNDERFILL; do
	expect "umasks are listed" "$f.cas" "^\\| +:$umask +\\|\$"
done
expect "units say that numbers are not real" "$f.cas" 'Units: lines \(simulated\)'

f=$out/native_avail.cas
tool "$f" papi_native_avail -e uncore:::UNC_M_CAS_COUNT
expect "-e finds the event" "$f" '^Event name: +uncore:::UNC_M_CAS_COUNT$'
expect "-e describes the event" "$f" '^Description: +DRAM'
for umask in ALL RD WR; do
	expect "-e shows the umasks" "$f" "Info: +:$umask -- [A-Z]"
done
for qualifier in e=0 t=0 box=0 pkg=0; do
	expect "-e shows the qualifiers" "$f" "Info: +:$qualifier -- [a-z]"
done

f=$out/native_avail.wrong
LD_LIBRARY_PATH=$libs papi_native_avail -e uncore:::UNC_M_NONSENSE >"$f" 2>&1 || :
reject "-e does not find an unknown event" "$f" '^Event name: +uncore:::UNC_M_NONSENSE$'

# ---- papi_command_line ----

f=$out/command_line
tool "$f" papi_command_line uncore:::UNC_M_CAS_COUNT:RD uncore:::UNC_C_CLOCKTICKS:pkg=1 \
	uncore:::unc_c_tor_inserts:opcode:opc_rfo:box=3
equal "events that were added" 3 "$(grep -c '^Successfully added' "$f")"
expect "it counts reads" "$f" 'UNC_M_CAS_COUNT:RD :[[:space:]]+[1-9][0-9]+ lines \(simulated\)$'
expect "it counts cycles" "$f" 'UNC_C_CLOCKTICKS:pkg=1 :[[:space:]]+[1-9][0-9]+ cycles \(simulated\)$'
expect "it counts by opcode" "$f" 'opc_rfo:box=3 :[[:space:]]+[1-9][0-9]+ [a-z]+ \(simulated\)$'

f=$out/command_line.wrong
LD_LIBRARY_PATH=$libs papi_command_line uncore:::UNC_C_TOR_OCCUPANCY:MISS_ALL \
	uncore:::UNC_C_RXR_OCCUPANCY:IRQ >"$f" 2>&1 || :
expect "the first of two that conflict is added" "$f" '^Successfully added: .*TOR_OCCUPANCY'
expect "the second is not" "$f" 'Failed adding: uncore:::UNC_C_RXR_OCCUPANCY'

# ---- papi_xml_event_info ----

f=$out/events.xml
tool "$f" papi_xml_event_info
sed -n '/<component .*id="uncore"/,/<\/component>/p' "$f" >"$f.uncore"
equal "events in the XML" "$native" "$(grep -c '<event ' "$f.uncore")"
sed -n 's/.*<\(event\|modifier\)[^>]* name="\([^"]*\)" desc="..*/\2/p' "$f.uncore" >"$f.names"
equal "events and modifiers with a name and a description" \
	"$(grep -cE '<(event|modifier) ' "$f.uncore")" "$(wc -l <"$f.names")"
equal "names in the XML that come twice" "" "$(sort "$f.names" | uniq -d)"
equal "events that end" "$native" "$(grep -c '</event>' "$f.uncore")"
reject "the XML is not broken by a description" "$f.uncore" \
	'desc="[^"]*[<>][^"]*"|&($|[^a-z#])|desc="[^"]*"[^> ?]'
if command -v xmllint >/dev/null; then
	xmllint --noout "$f" || fail "papi_xml_event_info: xmllint"
fi

# ---- papi_event_chooser ----

f=$out/event_chooser
tool "$f" papi_event_chooser NATIVE uncore:::UNC_C_TOR_OCCUPANCY:MISS_ALL
expect "events that fit with an event are offered" "$f" '^uncore:::UNC_M_CAS_COUNT[[:space:]]'
reject "events that conflict are not" "$f" '^uncore:::UNC_C_RXR_OCCUPANCY[[:space:]]'
expect "what a metric is made of is shown" "$f" \
	'^ \|Bytes read from .* by all agents.*: 64 for each .*; = 64 \* UNC_M_CAS_COUNT:RD\|$'
expect "its qualifiers have their own text" "$f" \
	'::UNCORE_MEM_READ_BYTES:pkg=0  \|count on this package only \[[0-9-]*\]\|$'

exit $failed
