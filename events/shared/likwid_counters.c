/* SPDX-License-Identifier: BSD-3-Clause */
/* likwid_counters.c - LIKWID's names of counters; likwid_counters.h. */
#include "shared/likwid_counters.h"

#include <stddef.h>

const struct unc_likwid unc_likwid_counters[] = {
	{" snbep ivbep ",
	 "CBOX=cbo MBOX=imc SBOX=qpi BBOX=ha PBOX=r2pcie RBOX=r3qpi IBOX=irp WBOX=pcu UBOX=ubo "},
	{" hswep bdx ", "CBOX=cbo MBOX=imc SBOX=sbo QBOX=qpi BBOX=ha PBOX=r2pcie RBOX=r3qpi "
			"IBOX=irp WBOX=pcu UBOX=ubo "},
	{" skx ",
	 "CBOX=cha MBOX=imc SBOX=upi RBOX=m3upi IBOX=iio IRP=irp BBOX=m2m WBOX=pcu UBOX=ubo "},
	/* two channels per controller, up to three controllers */
	{" icx ", "CBOX=cha MBOX=imc0,imc1,imc3,imc4,imc6,imc7,imc9,imc10 SBOX=m3upi QBOX=upi "
		  "PBOX=m2pcie IBOX=irp TCBOX=iio M2M=m2m WBOX=pcu UBOX=ubo "
		  "MDEV=imc_free_running "},
	{" knl ", "CBOX=cha MBOX=imc0,imc1,imc2,imc_uclk0,imc3,imc4,imc5,imc_uclk1 "
		  "EUBOX=edc_uclk EDBOX=edc_eclk PBOX=m2pcie IBOX=irp WBOX=pcu UBOX=ubo "},
	/* from here on, LIKWID and this library number boxes by their ids in the discovery table */
	{" spr emr ",
	 "CBOX=cha MBOX=imc PBOX=m2pcie WBOX=pcu UPI=upi MDF=mdf BBOX=m2m M2M=m2m IRP=irp "
	 "IIO=iio HBM=hbm RBOX=m3upi "},
	{" gnr srf ", "CBOX=cha MBOX=imc PCU=pcu IRP=irp IBOX=iio UPI=upi MDF=mdf_sbo M2M=b2cmi "
		      "RBOX=b2upi PBOX=b2cxl UBOX=ubo "},
	{" nhmex wsmex ", "CBOX=cbox MBOX=mbox SBOX=sbox BBOX=bbox RBOX=rbox WBOX=wbox UBOX=ubox "},
	{"", ""},
};

#define NO_COUNTER "the register holds the speed of the link and is not a counter"
#define SCHEDULERS \
	"a channel has two schedulers with events of their own, CAS_COUNT_SCH0 and CAS_COUNT_SCH1"

/* clang-format off */
/* The codes are those of LIKWID's event files. */
const struct unc_likwid_event unc_likwid_events[] = {
	{" snbep ivbep hswep bdx skx ", "ubo", "UNCORE_CLOCK", 0xff, 0, NULL},
	{" icx ", "ubo", "UNCORE_CLOCKTICKS", 0xff, 0, NULL},
	{" gnr srf ", "ubo", "UNCORE_CLOCKTICKS", 0x01, 0, NULL},
	{" nhmex wsmex ", "wbox", "UNCORE_CLOCK", 0xff, 0, NULL},
	{" ivbep ", "cbo", "CBOX_CLOCKTICKS", 0x00, 0, NULL},
	{" ivbep ", "ha", "BBOX_CLOCKTICKS", 0x00, 0, NULL},
	{" ivbep ", "pcu", "WBOX_CLOCKTICKS", 0x00, 0, NULL},
	{" ivbep ", "irp", "IBOX_CLOCKTICKS", 0x00, 0, NULL},
	{" ivbep ", "r2pcie", "PBOX_CLOCKTICKS", 0x01, 0, NULL},
	{" ivbep ", "r3qpi", "RBOX_CLOCKTICKS", 0x01, 0, NULL},
	{" ivbep ", "qpi", "SBOX_CLOCKTICKS", 0x14, 0, NULL},
	{" ivbep ", "qpi", "QPI_RATE", 0, 0, NO_COUNTER},
	{" ivbep ", "qpi", "QPI_SLOW_MODE", 0, 0, NO_COUNTER},
	{" ivbep ", "imc", "DRAM_CLOCKTICKS", 0xff, 0, NULL},
	{" ivbep ", "cbo", "LLC_VICTIMS_M_STATE", 0x0137, 0, NULL},
	{" ivbep ", "cbo", "LLC_VICTIMS_E_STATE", 0x0237, 0, NULL},
	{" ivbep ", "cbo", "LLC_VICTIMS_S_STATE", 0x0437, 0, NULL},
	{" hswep bdx ", "cbo", "LLC_VICTIMS_M", 0x0137, 0, NULL},
	{" hswep bdx ", "cbo", "LLC_VICTIMS_E", 0x0237, 0, NULL},
	{" hswep bdx ", "cbo", "LLC_VICTIMS_I", 0x0437, 0, NULL},
	{" hswep bdx ", "cbo", "LLC_VICTIMS_F", 0x0837, 0, NULL},
	{" hswep bdx ", "sbo", "RING_BL_USED_ANY", 0x0f1d, 0, NULL},
	{" hswep bdx ", "qpi", "RXL_FLITS_G0_DATA", 0x0201, 0, NULL},
	{" hswep bdx ", "qpi", "RXL_FLITS_G0_NON_DATA", 0x0401, 0, NULL},
	{" knl ", "edc_uclk", "EDC_MISS_CLEAN", 0x0402, 0, NULL},
	{" knl ", "edc_uclk", "EDC_MISS_DIRTY", 0x0802, 0, NULL},
	{" knl ", "edc_eclk", "EDC_RPQ_INSERTS", 0x0101, 0, NULL},
	{" knl ", "edc_eclk", "EDC_WPQ_INSERTS", 0x0102, 0, NULL},
	{" knl ", "imc", "MC_CAS_READS", 0x0103, 0, NULL},
	{" knl ", "imc", "MC_CAS_WRITES", 0x0203, 0, NULL},
	{" icx ", "imc_free_running", "DDR_READ_BYTES", 0x20ff, 0, NULL},
	{" icx ", "imc_free_running", "DDR_WRITE_BYTES", 0x21ff, 0, NULL},
	{" spr emr ", "m2m", "M2M_CLOCKTICKS", 0x01, 0, NULL},
	{" gnr srf ", "imc", "CAS_COUNT_RD", 0, 0, SCHEDULERS},
	{" gnr srf ", "imc", "CAS_COUNT_WR", 0, 0, SCHEDULERS},
	{" nhmex ", "mbox", "FVC_EV0_BBOX_CMDS_READS", 0x1a00, 0x2800, NULL},
	{" wsmex ", "mbox", "FVC_EV0_BBOX_CMDS_READS", 0x1a00, 0x5000, NULL},
	{"", "", "", 0, 0, NULL},
};
/* clang-format on */
