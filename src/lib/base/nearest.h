/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.h - the word that a wrong one may stand for: of events, and of commands. */
#ifndef UNC_NEAREST_H
#define UNC_NEAREST_H

#include <stddef.h>

/* A bit for each letter of a word: UNCORE_NAME_MAX or more. */
__extension__ typedef unsigned __int128 unc_letters;

/* Keeps the candidate that is spelled most like the wanted word, if it is much like it. */
struct unc_nearest {
	const char *best;
	unsigned length, below; /* of the wanted word; as near as the next candidate has to be */
	unc_letters at[256];    /* where in the wanted word a letter is */
};
void unc_nearest_start(struct unc_nearest *n, const char *wanted);
void unc_nearest_offer(struct unc_nearest *n, const char *candidate);
/* "; did you mean X?" or "" */
const char *unc_nearest_hint(const struct unc_nearest *n, char *buf, size_t len);

#endif
