/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * likwid_counters.h - which kind of box a counter of LIKWID stands for, where its number is that of
 * the box: not on KNL and from Ice Lake-X on (docs/events.md).
 */
#ifndef UNC_LIKWID_COUNTERS_H
#define UNC_LIKWID_COUNTERS_H

#ifdef __cplusplus
extern "C" {
#endif

struct unc_likwid {
	const char *platforms; /* words between blanks */
	const char *counters;  /* "MBOX=imc ", each ends in a blank */
};

extern const struct unc_likwid unc_likwid_counters[]; /* ended by platforms == NULL */

#ifdef __cplusplus
}
#endif
#endif
