#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# collectd_uncore.sh [EVENT...] - counts of `uncore stat` for collectd's exec plugin:
#
#	LoadPlugin exec
#	<Plugin exec>
#		Exec "uncore:uncore" "/usr/local/share/doc/uncore/examples/exporter/collectd_uncore.sh"
#	</Plugin>
#
# Use any user except root that may count (group uncore, through uncored).  collectd starts it and
# restarts it when it ends; it prints PUTVAL lines in every interval.  Counts of bytes have collectd's
# type total_bytes, others type derive: sums since the start, which collectd converts to rates.

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

# split_name EVENT: "UNC_M_CAS_COUNT:RD:box=3:pkg=1" becomes unc_m_cas_count_rd_box3 and -package1
split_name() {
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

# shellcheck disable=SC2034,SC2154 # used in eval
# If collectd ends this script, uncore ends at its next write and restores its registers.
uncore stat -x';' --interval "${interval}s" --multiplex=100 -e "$events" |
	while IFS=';' read -r _ count units event _; do
		split_name "$event"
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
