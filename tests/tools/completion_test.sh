#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# completion_test.sh - shell completion after `uncore`: commands, options, machines, events
# and umasks, as bash breaks words, and by its own completion functions.
#
# Expects SRC and BUILD, the source and build directories, in the environment.

set -u

: "${BUILD:?the build directory}"
: "${SRC:?the source directory}"
if ! command -v bash >/dev/null; then
	echo "skipped: there is no bash"
	exit 77
fi
PATH=$BUILD:$PATH
export PATH
unset UNCORE_MACHINE UNCORE_SYSROOT
# shellcheck source=tests/support/scratch.sh
. "$SRC/tests/support/scratch.sh"
trap 'rm -rf "$tmp"' EXIT
failures=0

cat >"$tmp/offer.bash" <<'END'
# offer.bash FILE BREAKS LINE: what is offered at the end of LINE, a word each
source "$1"
compopt() { :; } # there is no completion under way
COMP_WORDBREAKS=$2
COMP_LINE=$3
COMP_POINT=${#COMP_LINE}
COMP_WORDS=() COMP_CWORD=0
_uncore
printf '%s\n' "${COMPREPLY[@]}"
END
all=" 	\"'><=;|&(:"

# offer LINE
offer() {
	bash "$tmp/offer.bash" "$SRC/src/build/install/uncore.bash" "$breaks" "$1" >"$tmp/out" 2>&1
}

# offers LINE WORD...: each of them
offers() {
	line=$1
	shift
	offer "$line"
	for word; do
		grep -qxF -e "$word" "$tmp/out" && continue
		echo "FAILED: behind \"$line\" there is no $word, but $(wc -l <"$tmp/out") others:"
		head -n 5 "$tmp/out"
		failures=$((failures + 1))
	done
}

# offers_only LINE WORD...
offers_only() {
	offers "$@"
	shift
	[ "$(grep -c . "$tmp/out")" -eq $# ] && return
	echo "FAILED: behind \"$line\" there is more than $*:"
	head -n 9 "$tmp/out"
	failures=$((failures + 1))
}

bash -c "source '$SRC/src/build/install/uncore.bash'; complete -p uncore" >"$tmp/out" 2>&1
if ! grep -q -- '-F _uncore uncore' "$tmp/out"; then
	echo "FAILED: bash completes uncore by: $(cat "$tmp/out")"
	failures=1
fi

breaks=$all
offers "uncore " list show plan stat sim allowlist restore record doctor selftest help
offers_only "uncore st" stat
offers "uncore --" --machine --version
offers "uncore stat --" --event --interval --multiplex --json --machine
offers_only "uncore list --me" --metrics
offers_only "uncore --machine sim:sn" snbep
offers_only "uncore stat --machine=sim:ski"
offers_only "uncore stat --machine=sim:sk" skx
offers_only "uncore help sel" selftest
sim="--machine sim:snbep"
# values of options: those of a list, events, metrics, files, or nothing
offers_only "uncore stat -g " MEM MEM_DP MEM_SP L3 CACHES QPI UPI NUMA ENERGY
offers_only "uncore stat $sim --group Q" QPI
offers_only "uncore who --source " resctrl cores perf best
offers_only "uncore who --by c" cgroup container
offers "uncore exporter -g " memory links none
offers_only "uncore exporter --by so"
offers_only "uncore $sim stat -d "
offers_only "uncore $sim top -i "
offers_only "uncore $sim stat --svg "
offers "uncore plan --" --perf --multiplex --operations --verbose
offers "uncore list --" --all --metrics --errata
offers_only "uncore $sim stat -e UNC_M_CAS" UNC_M_CAS_COUNT
offers_only "uncore $sim stat -e unc_m_cas" UNC_M_CAS_COUNT
offers_only "uncore stat $sim -e UNCORE_MEM_READ_BYTES,UNC_M_CAS" UNCORE_MEM_READ_BYTES,UNC_M_CAS_COUNT
offers_only "uncore stat $sim -M memory,UNCORE_MEM_R" memory,UNCORE_MEM_READ_BYTES
offers_only "uncore stat $sim -M li" links
offers "uncore stat --" --per-box --per-package --repeat --metrics
offers_only "uncore plan $sim uncore:::UNC_M_CAS" UNC_M_CAS_COUNT
offers "uncore plan $sim UNC_M_CAS_COUNT:" RD WR box= pkg=
offers_only "uncore plan $sim UNC_M_CAS_COUNT:R" RD RD_REG RD_UNDERFILL
offers "uncore plan $sim UNC_C_TOR_INSERTS:OPCODE:OPC_P" OPC_PRD OPC_PF_RFO
offers_only "uncore $sim list UNCORE_MEM_R" UNCORE_MEM_READ_BYTES
offers_only "uncore --machine=sim:snbep plan UNC_M_CAS" UNC_M_CAS_COUNT
# Experimental events, too.
offers "uncore --machine sim:spr plan UNC_CHA_CORE" UNC_CHA_CORE_SNP
# The machine is that of --machine, else of the environment.
offers_only "uncore --machine sim:spr plan UNC_C_TOR_INS"
UNCORE_MACHINE=sim:spr
export UNCORE_MACHINE
offers "uncore plan UNC_CHA_TOR_INSERTS:IA_MISS_DR" IA_MISS_DRD
offers_only "uncore plan $sim UNC_M_CAS" UNC_M_CAS_COUNT
# A machine that cannot be used offers nothing, and says nothing into the line.
UNCORE_MACHINE=sim:none
offers_only "uncore plan UNC"
unset UNCORE_MACHINE

# Without the colon in COMP_WORDBREAKS, whole words are completed.
breaks=$(printf '%s' "$all" | tr -d ':=')
offers "uncore plan $sim UNC_M_CAS_COUNT:R" UNC_M_CAS_COUNT:RD
offers_only "uncore --machine sim:sn" sim:snbep

# Another program's line is not ours, but its name is looked for.
mkdir "$tmp/bin"
printf '#!/bin/sh\n' >"$tmp/bin/uncore-other-program"
chmod +x "$tmp/bin/uncore-other-program"
PATH=$tmp/bin:$PATH
offers_only "uncore stat uncore-other-p" uncore-other-program
offers_only "uncore stat -- other --"

if command -v zsh >/dev/null; then
	cat >"$tmp/offer.zsh" <<-'END'
		compadd() {
			while [[ $1 != -- ]]; do
				[[ $1 == -p ]] && prefix=$2
				shift
			done
			shift
			print -l -- $prefix$^@
		}
		_files() { :; }
		words=(${(s: :)2})
		[[ $2 == *' ' ]] && words+=("")
		CURRENT=$#words
		source $1
	END
	offer() {
		zsh -f "$tmp/offer.zsh" "$SRC/src/build/install/uncore.zsh" "$1" >"$tmp/out" 2>&1
	}
	offers "uncore " list stat selftest
	offers "uncore stat --" --event --multiplex
	offers "uncore --machine " sim:snbep native
	offers_only "uncore $sim stat -e A,UNC_M_CAS" A,UNC_M_CAS_COUNT
	offers "uncore $sim stat -M memory,li" memory,links
	offers_only "uncore $sim plan UNC_M_CAS_COUNT:RD_R" UNC_M_CAS_COUNT:RD_REG
else
	echo "not tried: there is no zsh"
fi

[ $failures -eq 0 ]
