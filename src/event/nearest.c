/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.c - the existing spelling that is closest to a wrong one. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "event/name_space.h"

#define LONGEST UNCORE_NAME_MAX

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	const unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Levenshtein distance, letter case ignored. */
static unsigned distance(const char *a, const char *b)
{
	const size_t lb = strnlen(b, LONGEST);
	unsigned row[LONGEST + 1];

	for (size_t j = 0; j <= lb; j++)
		row[j] = (unsigned)j;
	for (unsigned i = 0; a[i] && i < LONGEST; i++) {
		unsigned diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < lb; j++) {
			const unsigned above = row[j + 1];
			const bool same =
				toupper((unsigned char)a[i]) == toupper((unsigned char)b[j]);

			row[j + 1] = min3(above + 1, row[j] + 1, diagonal + !same);
			diagonal = above;
		}
	}
	return row[lb];
}

void unc_nearest_offer(struct unc_nearest *n, const char *candidate)
{
	const unsigned d = distance(n->wanted, candidate);

	if (n->best && d >= n->distance)
		return;
	n->best = candidate;
	n->distance = d;
}

const char *unc_nearest_hint(const struct unc_nearest *n, char *buf, size_t len)
{
	buf[0] = '\0';
	if (n->best && n->distance <= 1 + strlen(n->wanted) / 3 && n->distance < strlen(n->wanted))
		snprintf(buf, len, "; did you mean %s?", n->best);
	return buf;
}
