/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers.h - a set of numbers of boxes or packages, and the places of an event. */
#ifndef UNC_NUMBERS_H
#define UNC_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_MAX_RANGES   72  /* every second slice of a package */
#define UNC_NUMBERS_TEXT 880 /* bytes of the longest text */
#define UNC_MASK_NUMBERS 512 /* a mask has numbers below this */

/* Ranges in ascending order, with a gap between two of them; empty: all numbers. */
struct unc_numbers {
	uint8_t n;
	struct unc_range {
		uint16_t low, high;
	} range[UNC_MAX_RANGES];
};

/* The values of box=, pkg= and die=; die -1: all. */
struct unc_places {
	struct unc_numbers boxes, packages;
	int die;
};

static inline bool unc_numbers_have(const struct unc_numbers *s, unsigned number)
{
	for (unsigned i = 0; i < s->n; i++)
		if (number >= s->range[i].low && number <= s->range[i].high)
			return true;
	return s->n == 0;
}

/* Exactly one number, which is range[0].low. */
static inline bool unc_numbers_are_one(const struct unc_numbers *s)
{
	return s->n == 1 && s->range[0].low == s->range[0].high;
}

static inline struct unc_numbers unc_numbers_one(unsigned number)
{
	return (struct unc_numbers){1, {{(uint16_t)number, (uint16_t)number}}};
}

/* Add low to high; false: too many ranges. */
bool unc_numbers_add(struct unc_numbers *s, unsigned low, unsigned high);

/* The first number of a set of ranges from `from` on, or -1. */
int unc_numbers_next(const struct unc_numbers *s, unsigned from);

bool unc_numbers_same(const struct unc_numbers *a, const struct unc_numbers *b);

/* "0_3.8", in characters that all tools can pass; returns text. */
const char *unc_numbers_text(const struct unc_numbers *s, char text[UNC_NUMBERS_TEXT]);

/* The shorter of that text and a mask: "m10f", where bit i of the hexadecimal number is number i.
 */
const char *unc_numbers_short_text(const struct unc_numbers *s, char text[UNC_NUMBERS_TEXT]);

/* Add the numbers of a mask; false: it is not one, or has too many ranges. */
bool unc_numbers_add_mask(struct unc_numbers *s, const char *mask);

#ifdef __cplusplus
}
#endif
#endif
