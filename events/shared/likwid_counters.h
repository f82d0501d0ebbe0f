/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * likwid_counters.h - the boxes of LIKWID's counters, from its tables of counters and devices
 * (5.5): "MBOX=imc " if LIKWID's number is that of the box, else all boxes in the order of LIKWID's
 * numbers, "MBOX=imc0,imc1,imc3 ".
 */
#ifndef UNC_LIKWID_COUNTERS_H
#define UNC_LIKWID_COUNTERS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct unc_likwid {
	char platforms[24]; /* words, each preceded and followed by a blank */
	char counters[256]; /* each followed by a blank */
};

extern const struct unc_likwid unc_likwid_counters[]; /* ended by empty platforms */

/* An event whose name is not that of the tables with the umask joined to it. */
struct unc_likwid_event {
	char platforms[32], kind[20], name[28]; /* platforms as above */
	uint64_t control, config1;
	const char *why; /* not NULL: it cannot be counted */
};

extern const struct unc_likwid_event unc_likwid_events[]; /* ended by empty platforms */

#ifdef __cplusplus
}
#endif
#endif
