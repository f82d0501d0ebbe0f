/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow.h - how the overflow of a counter stops the others, by platform;
 * docs/hardware/README.md, "Freeze on overflow".
 */
#ifndef UNC_OVERFLOW_H
#define UNC_OVERFLOW_H

#include "box.h"

extern const struct unc_overflow unc_ivbep_overflow, unc_hswep_overflow, unc_bdx_overflow,
	unc_skx_overflow, unc_icx_overflow;
extern const struct unc_overflow unc_found_overflow; /* SPR, EMR, GNR, SRF */
extern const struct unc_overflow unc_ex_overflow;    /* NHM-EX, WSM-EX */

#endif
