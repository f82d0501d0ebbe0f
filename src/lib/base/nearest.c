/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest.c - the existing spelling that is closest to a wrong one. */
#include "nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "uncore.h"

void unc_nearest_start(struct unc_nearest *n, const char *wanted)
{
	const unsigned length = (unsigned)strnlen(wanted, UNCORE_NAME_MAX);

	memset(n, 0, sizeof(*n));
	n->length = length;
	n->below = length < 2 + length / 3 ? length : 2 + length / 3;
	for (unsigned i = 0; i < length; i++)
		n->at[toupper((unsigned char)wanted[i])] |= (unc_letters)1 << i;
}

/*
 * Levenshtein distance ignoring case, or the limit if it is not less.  A column of the table is
 * stored as bits of its differences: G. Myers, A fast bit-vector algorithm for approximate
 * string matching, J. ACM 46 (1999).
 */
static unsigned distance(const struct unc_nearest *n, const char *other, unsigned limit)
{
	const unc_letters last = (unc_letters)1 << (n->length - 1);
	unc_letters rises = ~(unc_letters)0, falls = 0;
	unsigned d = n->length, left = (unsigned)strlen(other);

	for (; left > 0 && d < limit + left; left--) {
		const unc_letters same = n->at[toupper((unsigned char)*other++)];
		const unc_letters level = (((same & rises) + rises) ^ rises) | same | falls;
		unc_letters grows = falls | ~(level | rises), shrinks = rises & level;

		d += (grows & last) != 0;
		d -= (shrinks & last) != 0;
		grows = grows << 1 | 1;
		shrinks <<= 1;
		rises = shrinks | ~(level | grows);
		falls = grows & level;
	}
	return left > 0 ? limit : d;
}

void unc_nearest_offer(struct unc_nearest *n, const char *candidate)
{
	const unsigned length = (unsigned)strlen(candidate);
	unsigned d = length < n->length ? n->length - length : length - n->length;

	if (d < n->below)
		d = distance(n, candidate, n->below);
	if (d >= n->below)
		return;
	n->best = candidate;
	n->below = d;
}

const char *unc_nearest_hint(const struct unc_nearest *n, char *buf, size_t len)
{
	buf[0] = '\0';
	if (n->best)
		snprintf(buf, len, "; did you mean %s?", n->best);
	return buf;
}
