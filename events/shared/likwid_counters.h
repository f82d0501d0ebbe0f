/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * likwid_counters.h - which boxes the counters of LIKWID stand for, by its tables of counters and
 * of devices (5.5): "MBOX=imc " if the number is that of the box, else all boxes in the order of
 * its numbers, "MBOX=imc0,imc1,imc3 ".
 */
#ifndef UNC_LIKWID_COUNTERS_H
#define UNC_LIKWID_COUNTERS_H

#ifdef __cplusplus
extern "C" {
#endif

struct unc_likwid {
	const char *platforms; /* words between blanks */
	const char *counters;  /* each ends in a blank */
};

extern const struct unc_likwid unc_likwid_counters[]; /* ended by platforms == NULL */

#ifdef __cplusplus
}
#endif
#endif
