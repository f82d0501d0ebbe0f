/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.h - suggestions for misspelled names of events and commands. */
#ifndef UNC_NEAREST_H
#define UNC_NEAREST_H

#include <stddef.h>

#include "base/shared.h"

/* A bit per letter of a word: at least UNCORE_NAME_MAX. */
__extension__ typedef unsigned __int128 unc_letters;

/* Keep the candidate if it is the closest one so far, and close enough. */
struct unc_nearest {
	const char *best;
	unsigned length,
		below; /* of the wanted word; the limit for the distance of the next candidate */
	unc_letters at[256]; /* positions of each letter in the wanted word */
};
UNC_SHARED void unc_nearest_start(struct unc_nearest *n, const char *wanted);
UNC_SHARED void unc_nearest_offer(struct unc_nearest *n, const char *candidate);
/* "; did you mean X?" or "" */
UNC_SHARED const char *unc_nearest_hint(const struct unc_nearest *n, char *buf, size_t len);

#endif
