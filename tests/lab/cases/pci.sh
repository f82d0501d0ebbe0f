# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# The whole uncore of a simulated machine: its PCI boxes through real config files, its
# MSRs through the portal.  The kernel's driver and the library count the same on
# every box, and with the machine's own values.  See tests/lab/crosscheck.
#
# The machine's time only passes when it is advanced.
# Linux 6.1 uses an element behind an array for the third R3QPI link of Ivy Bridge-EP
# (8086:0e3e), so that one is hidden.  QEMU shows 256 bytes of config space, which
# leaves out UPI and M2M of Skylake-X and Ice Lake-X, and packet matches; it has no
# registers in memory, so no iMC of Ice Lake-X.
#
# platforms: snbep ivbep hswep bdx skx icx nhmex wsmex
# modules: uncore_lab:backend=portal msr intel-uncore
# server: $B/lab/bin/simpci $P:cores=$C,hide=0e3e,time=virtual 512
# programs: $B/uncore $B/lab/bin/crosscheck

spec=$LAB_PLATFORM:cores=$LAB_CORES,hide=0e3e,time=virtual

ring() {
	cat <<-END
		imc 304 0 imc UNC_M_CAS_COUNT:RD
		imc c04 0 imc UNC_M_CAS_COUNT:WR
		ha 301 0 ha UNC_H_REQUESTS:READS
		qpi 200 0 qpi UNC_Q_TXL_FLITS_G0:DATA
		r2pcie 1 0 r2pcie UNC_R2_CLOCKTICKS
		r3qpi 1 0 r3qpi UNC_R3_CLOCKTICKS
		cbox 135 $1 cbox UNC_C_TOR_INSERTS:OPCODE:OPC_DRD
		pcu 0 0 pcu UNC_P_CLOCKTICKS
	END
}

irp() {
	echo "irp 0 0 irp UNC_I_CLOCKTICKS"
}

sbox() {
	echo "sbox $1 0 sbox UNC_S_RING_BL_USED"
}

mesh() {
	cat <<-END
		imc 304 0 imc UNC_M_CAS_COUNT:RD
		imc c04 0 imc UNC_M_CAS_COUNT:WR
		m3upi 1 0 m3upi UNC_M3_CLOCKTICKS
		m2pcie 1 0 m2pcie skx_unc_m2pcie::RAW:config=1
		cha 1134 fe0000 cha UNC_C_LLC_LOOKUP
		iio 1 0 iio UNC_IO_CLOCKTICKS
		irp 1 0 irp UNC_I_CLOCKTICKS
		pcu 0 0 pcu UNC_P_CLOCKTICKS
	END
}

icx() {
	cat <<-END
		cha 1134 0 cha icx_unc_cha::RAW:config=0x1134
		m2pcie 1 0 m2pcie icx_unc_m2pcie::RAW:config=1
		m3upi 1 0 m3upi icx_unc_m3upi::RAW:config=1
		iio 1 0 iio UNC_IIO_CLOCKTICKS
		irp 1 0 irp UNC_I_CLOCKTICKS
		pcu 0 0 pcu UNC_P_CLOCKTICKS
	END
}

ex() {
	cat <<-END
		cbox 714 0 cbox UNC_C_LLC_MISSES
		cbox 1e 0 cbox UNC_C_OCCUPANCY_MAF
		bbox 8 0 bbox UNC_B_TF_ALL
		sbox 306 0 sbox UNC_S_TO_R_B_HOM_MSGQ_CYCLES_NE
		mbox 1440 0 mbox UNC_M_DRAM_CMD
	END
}

case $LAB_PLATFORM in
snbep) ring c1000000 ;;
ivbep) ring 1820000000000000 && irp ;;
hswep) ring 1820000000000000 && irp && sbox 11d ;;
bdx) ring 1820000000000000 && irp && sbox 41d ;;
skx) mesh ;;
icx) icx ;;
nhmex | wsmex) ex ;;
esac >/tmp/events
wanted=$(grep -c . /tmp/events)

crosscheck agree "$spec" </tmp/events | tee /tmp/agree
grep ^WRONG /tmp/agree | while read -r _ why; do
	not_ok "kernel and library" "$why"
done
grep ^agree /tmp/agree | while read -r _ event rest; do
	ok "$event is the same for kernel, library and machine: $rest"
done
if [ "$(grep -c ^agree /tmp/agree)" -ne "$wanted" ]; then
	not_ok "all events" "not all $wanted events were compared"
fi

# The sums of them all, by registers and through the driver.  That takes the two units of an IRP for
# one box, and looks for the fourth M2PCIe of Skylake-X at another address: then the sum is refused.
case $LAB_PLATFORM in
ivbep | hswep | bdx) sed '/^irp /d' /tmp/events ;;
skx) sed '/^m2pcie /d' /tmp/events ;;
*) cat /tmp/events ;;
esac | sed 's/.* //' | paste -s -d , - >/tmp/names
sums() {
	UNCORE_ACCESS=$1 uncore stat -e "$(cat /tmp/names)" -- crosscheck advance 1000000000 >/tmp/stat 2>&1
	cat /tmp/stat >&2
	sed -n 's/,//g; s/^ *\([0-9][0-9]*\)  .*/\1/p' /tmp/stat
}
sums direct >/tmp/direct
sums kernel >/tmp/kernel
# but for the fractions of an event that each box carries from one second to the next
if paste /tmp/direct /tmp/kernel | awk '
	{ apart = $1 - $2; bad += $1 == 0 || NF != 2 || apart > 32 || apart < -32 }
	END { exit bad || NR == 0 }'; then
	ok "the same sums through the kernel's driver: $(grep -c . /tmp/kernel) events"
else
	not_ok "the same sums through the kernel's driver" "$(paste /tmp/direct /tmp/kernel | tr '\t\n' '/ ')"
fi
if [ "$LAB_PLATFORM" = skx ]; then
	says "a box that the driver lacks" "m2pcie3 of package 0 cannot be reached: the kernel's driver has no PMU" \
		env UNCORE_ACCESS=kernel uncore stat -e skx_unc_m2pcie::RAW:config=1 -- true
fi
