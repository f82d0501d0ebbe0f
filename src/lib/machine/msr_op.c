/* SPDX-License-Identifier: BSD-3-Clause */
/* msr_op.c - the operation that reads an MSR, from which others are made. */
#include "machine/machine.h"

struct unc_op unc_msr_op(unsigned package, uint32_t msr)
{
	return (struct unc_op){
		.kind = UNCORE_READ,
		.space = UNCORE_MSR,
		.width = 64,
		.package = (uint16_t)package,
		.address = msr,
	};
}
