# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# uncore.bash - completion of the command uncore for bash: commands, options, machines, and the
# events of the machine that --machine or UNCORE_MACHINE names, or of this one.
#
# Commands and options are asked of `uncore help`, events of `uncore list`, which takes some
# 15 ms: what is offered is what this version takes.

# __uncore_options [COMMAND]: its options
__uncore_options() {
	uncore help --options ${1:+"$1"} 2>/dev/null | cut -f 1
}

# __uncore_values COMMAND OPTION: what the value of an option is: "FILE", "EVENT", "MEM L3 CACHES"; fails
# without such an option, or if it has none
__uncore_values() {
	local name values
	while IFS=$'\t' read -r name values; do
		[[ $name != "$2" || -z $values ]] || {
			echo "$values"
			return 0
		}
	done < <(uncore help --options "$1" 2>/dev/null)
	return 1
}

__uncore_commands() {
	COLUMNS=200 uncore help -a 2>/dev/null | awk '/^  uncore [a-z]/ { print $2 }'
	echo help
}

# __uncore_events [MACHINE] EVENT[:...]: names of events, and behind a colon umasks
__uncore_events() {
	local event=${2%%:*}
	case $2 in
	*:*)
		uncore list -v -w ${1:+--machine "$1"} "$event" 2>/dev/null | awk -v event="$event" '
			/^  [^ ]/ { here = (toupper($1) == toupper(event)) }
			here && $1 ~ /^:[A-Za-z]/ { print $1 }'
		printf '%s\n' :box= :pkg=
		;;
	*) uncore list -w --all ${1:+--machine "$1"} 2>/dev/null | awk '/^  [^ ]/ { print $1 }' ;;
	esac
}

# __uncore_metrics [MACHINE]: metrics, and groups of them
__uncore_metrics() {
	uncore list -w --metrics ${1:+--machine "$1"} 2>/dev/null | awk '/^  [^ ]/ { print $1 }'
	# The sentence about a group that does not exist names those that do.
	uncore stat -M : ${1:+--machine "$1"} 2>&1 | sed -n 's/.*metric groups are \([a-z, ]*\);.*/\1/p' | tr -s ', ' '\n'
	echo roofline
}

# __uncore_offer PREFIX WORD CANDIDATES: those that begin with WORD, in any letter case, as they
# are to stand behind PREFIX.  bash puts in what is behind its last word break.
__uncore_offer() {
	local prefix=$1 word=$2 candidate
	local typed=$prefix$word cut=''
	# Colons and equals signs break words; what is before the last one stands already.
	[[ $COMP_WORDBREAKS == *:* && $typed == *:* ]] && cut=${typed%"${typed##*:}"}
	if [[ $COMP_WORDBREAKS == *=* && ${typed#"$cut"} == *=* ]]; then
		typed=${typed#"$cut"}
		cut+=${typed%"${typed##*=}"}
	fi
	while read -r candidate; do
		[[ -n $candidate && ${candidate^^} == "${word^^}"* ]] || continue
		candidate=$prefix$candidate
		COMPREPLY+=("${candidate:${#cut}}")
	done <<<"$3"
	[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

_uncore() {
	local line=${COMP_LINE:0:COMP_POINT} machine=${UNCORE_MACHINE:-} command='' before='' word
	local -a words
	COMPREPLY=()
	# As the shell had it before it was broken at colons.
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=("")
	local current=${words[${#words[@]} - 1]} i
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		word=${words[i]}
		case $before,$word in
		--machine,*) machine=$word ;;
		*,--machine=*) machine=${word#*=} ;;
		*,-*) ;;
		*) [[ -n $command ]] || command=$word ;;
		esac
		# Behind this it is another program's line.
		if [[ $word == -- ]]; then
			compopt -o default 2>/dev/null
			return
		fi
		before=$word
	done
	case $before in
	--machine)
		__uncore_offer "" "$current" "$(__uncore_machines)"
		return
		;;
	esac
	if [[ $current == --machine=* ]]; then
		__uncore_offer --machine= "${current#*=}" "$(__uncore_machines)"
	elif [[ $current == -* ]]; then
		__uncore_offer "" "$current" "$(__uncore_options "$command")"
	elif [[ -z $command ]]; then
		__uncore_offer "" "$current" "$(__uncore_commands)"
	else
		__uncore_argument "$command" "$before" "$current" "$machine"
	fi
}

__uncore_machines() {
	echo native
	# The sentence about one that does not exist names those that do.
	COLUMNS=1000 uncore list --machine sim:? 2>&1 | sed -n 's/.*use one of //p' |
		tr -s ', ' '\n' | sed 's/^/sim:/'
}

# __uncore_argument COMMAND BEFORE WORD MACHINE: the value of the option before it, or an operand
__uncore_argument() {
	local name=$3 list='' values=''
	[[ $2 != -* ]] || values=$(__uncore_values "$1" "$2")
	case $values in
	FILE*)
		compopt -o default 2>/dev/null
		return
		;;
	*" "*)
		__uncore_offer "" "$3" "${values// /$'\n'}"
		return
		;;
	EVENT* | METRIC* | '') ;;
	*) return ;; # a number, or a time
	esac
	case $1,$2 in
	help,*)
		__uncore_offer "" "$3" "$(__uncore_commands)"
		return
		;;
	stat,-e | stat,--event | stat,--until | exporter,-e | exporter,--event | plan,* | list,*) ;;
	stat,-M | stat,--metrics)
		[[ $3 != *,* ]] || list=${3%"${3##*,}"}
		__uncore_offer "$list" "${3##*,}" "$(__uncore_metrics "$4")"
		return
		;;
	stat,*)
		compopt -o default -o bashdefault 2>/dev/null
		mapfile -t COMPREPLY < <(compgen -c -- "$3")
		return
		;;
	*)
		compopt -o default 2>/dev/null
		return
		;;
	esac
	if [[ $1 == stat && $3 == *,* ]]; then
		list=${3%"${3##*,}"}
		name=${3##*,}
	fi
	# PAPI's prefix is no part of the name.
	if [[ $name == uncore:::* ]]; then
		list+=uncore:::
		name=${name#uncore:::}
	fi
	if [[ $name == *:* ]]; then
		list+=${name%:*}
		name=${name%%:*}:${name##*:}
		__uncore_offer "$list" ":${name##*:}" "$(__uncore_events "$4" "$name")"
	else
		__uncore_offer "$list" "$name" "$(__uncore_events "$4" "$name")"
	fi
}

complete -F _uncore uncore
