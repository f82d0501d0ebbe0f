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
	{NULL, NULL},
};
