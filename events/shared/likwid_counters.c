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
		  "PBOX=m2pcie IBOX=irp TCBOX=iio M2M=m2m UBOX=ubo "},
	{" knl ", "CBOX=cha MBOX=imc0,imc1,imc2,imc_uclk0,imc3,imc4,imc5,imc_uclk1 "
		  "EUBOX=edc_uclk EDBOX=edc_eclk PBOX=m2pcie IBOX=irp WBOX=pcu UBOX=ubo "},
	/* from here on, LIKWID and this library number boxes by their ids in the discovery table */
	{" spr emr ", "CBOX=cha MBOX=imc PBOX=m2pcie WBOX=pcu UPI=upi MDF=mdf BBOX=m2m IRP=irp "
		      "IIO=iio HBM=hbm RBOX=m3upi "},
	{" gnr srf ", "CBOX=cha MBOX=imc PCU=pcu IRP=irp IBOX=iio UPI=upi MDF=mdf_sbo M2M=b2cmi "
		      "RBOX=b2upi PBOX=b2cxl "},
	{"", ""},
};
