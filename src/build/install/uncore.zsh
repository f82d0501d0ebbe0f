#compdef uncore
# SPDX-License-Identifier: BSD-3-Clause
# uncore.zsh - completion of the command uncore for zsh; as uncore.bash, simpler.

_uncore_events() {
	local machine=$1 name=${2##*,} list=
	[[ $2 == *,* ]] && list=${2%,*},
	if [[ $name == *:* ]]; then
		local event=${name%%:*}
		compadd -U -S '' -p "$list${name%:*}" -- ${(f)"$(uncore list -v -w ${machine:+--machine} $machine "$event" 2>/dev/null |
			awk -v event="$event" -v word=":${name##*:}" '
				/^  [^ ]/ { here = (toupper($1) == toupper(event)) }
				here && $1 ~ /^:[A-Za-z]/ && index($1, toupper(word)) == 1 { print $1 }')"}
	else
		compadd -U -S '' -p "$list" -- ${(f)"$(uncore list -w --all ${machine:+--machine} $machine 2>/dev/null |
			awk -v word="${(U)name}" '/^  [^ ]/ && index($1, word) == 1 { print $1 }')"}
	fi
}

_uncore() {
	local machine=$UNCORE_MACHINE command= before= word
	local current=${words[CURRENT]}
	for word in ${words[2,CURRENT-1]}; do
		if [[ $before == --machine ]]; then
			machine=$word
		elif [[ $word == --machine=* ]]; then
			machine=${word#*=}
		elif [[ $word == -- ]]; then
			_files
			return
		elif [[ $word != -* && -z $command ]]; then
			command=$word
		fi
		before=$word
	done
	local values=
	[[ -n $command && $before == -* ]] && values=$(uncore help --options $command 2>/dev/null |
		awk -F '\t' -v name=$before '$1 == name { print $2 }')
	if [[ $before == --machine ]]; then
		compadd -- native ${(f)"$(COLUMNS=1000 uncore list --machine 'sim:?' 2>&1 |
			sed -n 's/.*use one of //p' | tr -s ', ' '\n' | sed 's/^/sim:/')"}
	elif [[ $current == -* ]]; then
		compadd -- ${(f)"$(uncore help --options $command 2>/dev/null | cut -f 1)"}
	elif [[ $values == *' '* ]]; then
		compadd -- ${=values}
	elif [[ -n $values && $values != (FILE*|EVENT*|METRIC*) ]]; then
		return
	elif [[ $command == stat && $before == (-M|--metrics) ]]; then
		local list=
		[[ $current == *,* ]] && list=${current%,*},
		compadd -p "$list" -- ${(f)"$(uncore list -w --metrics ${machine:+--machine} $machine 2>/dev/null |
			awk '/^  [^ ]/ { print $1 }'
			uncore stat -M : ${machine:+--machine} $machine 2>&1 |
			sed -n 's/.*metric groups are \([a-z, ]*\);.*/\1/p' | tr -s ', ' '\n')"}
	elif [[ -z $command || $command == help ]]; then
		compadd -- help ${(f)"$(COLUMNS=200 uncore help -a 2>/dev/null | awk '/^  uncore [a-z]/ { print $2 }')"}
	elif [[ $command == (list|plan) || ($command == (stat|exporter) && $before == (-e|--event|--until)) ]]; then
		_uncore_events "$machine" "$current"
	else
		_files
	fi
}

_uncore "$@"
