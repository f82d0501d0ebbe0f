# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# msr-safe's batch device: what the library does with it through a real ioctl.
#
# platforms: snbep
# modules: uncore_lab:backend=portal msr fuse cuse
# server: $B/lab/bin/simpci $P:cores=$C 512
# programs: $B/uncore $B/lab/bin/cuse_msr $B/lab/bin/msr

# device LIST: a new device with that list
device() {
	: >/tmp/log
	cuse_msr "$1" /tmp/log &
	pid=$!
	while [ ! -e /dev/msr_batch ] && kill -0 "$pid"; do
		sleep 0.2
	done
	ln -sf /dev/msr_batch /dev/cpu/msr_batch
}

gone() {
	kill "$pid"
	wait "$pid"
	rm -f /dev/cpu/msr_batch
}

count() {
	uncore stat -e UNC_C_CLOCKTICKS,UNC_P_CLOCKTICKS -- sleep 0.1
}

lines() {
	echo "the log has $(grep -c "$1" /tmp/log) lines like $1"
}

check "the list of this machine" uncore allowlist
cp /tmp/check /tmp/list
before=$(msr 0 0xd13)

device /tmp/list
says "counts" '[1-9][0-9]+[[:space:]].*UNC_C_CLOCKTICKS' count
says "with arrays of many operations" 'log has [1-9]' lines '^[1-9][0-9] 0$'
says "none of which is refused" 'log has 0 ' lines ' -'
says "and everything as before" "^$before\$" msr 0 0xd13
gone

grep -v ' counter ' /tmp/list >/tmp/short
device /tmp/short
says "a list without counters: through the files" \
	'[1-9][0-9]+[[:space:]].*UNC_C_CLOCKTICKS' count
says "asked for them once or twice" 'log has [12] ' lines ' -13$'
gone

says "without the device" '[1-9][0-9]+[[:space:]].*UNC_C_CLOCKTICKS' count
