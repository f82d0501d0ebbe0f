#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# collectd_uncore.sh [EVENT...] - what `uncore stat` counts, for the exec plugin of collectd:
#
#	LoadPlugin exec
#	<Plugin exec>
#		Exec "uncore:uncore" "/usr/local/share/doc/uncore/examples/exporter/collectd_uncore.sh"
#	</Plugin>
#
# Any user but root that may count (group uncore, through uncored).  collectd starts it once, and
# again when it has ended; it says PUTVAL in every interval.  Counts of bytes are of collectd's type
# total_bytes, others of type derive: sums since the start, of which collectd makes rates.

set -u

interval=${COLLECTD_INTERVAL:-10}
interval=${interval%%.*}
[ "$interval" -gt 0 ] || interval=1
if [ $# -eq 0 ]; then
	set -- 'UNCORE_MEM_READ_BYTES:pkg=*' 'UNCORE_MEM_WRITE_BYTES:pkg=*'
fi
events=
for event; do
	events=$events${events:+,}$event
done

# name_apart EVENT: "UNC_M_CAS_COUNT:RD:box=3:pkg=1" is unc_m_cas_count_rd_box3 of -package1
name_apart() {
	package='' name=''
	lower=$(printf '%s' "$1" | tr '[:upper:]:' '[:lower:] ')
	for part in $lower; do
		case $part in
		pkg=*) package=-package${part#pkg=} ;;
		*) name=${name}_$part ;;
		esac
	done
	name=$(printf '%s' "${name#_}" | tr -cd 'a-z0-9_')
}

# shellcheck disable=SC2034,SC2154 # in what is evaluated
# If collectd ends this, uncore ends, and restores its registers, by what it writes next.
uncore stat -x';' --interval "${interval}s" --multiplex=100 -e "$events" |
	while IFS=';' read -r _ count units event _; do
		name_apart "$event"
		case $units in
		bytes) type=total_bytes ;;
		*) type=derive ;;
		esac
		key=sum${package#-}_$name
		eval "$key=\$((\${$key:-0} + count))"
		eval "sum=\$$key"
		echo "PUTVAL \"${COLLECTD_HOSTNAME:-$(uname -n)}/uncore$package/$type-$name\"" \
			"interval=$interval N:$sum" || exit
	done
