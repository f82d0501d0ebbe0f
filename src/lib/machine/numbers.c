/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers.c - sets of numbers of boxes or packages. */
#include "machine/numbers.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool unc_numbers_add(struct unc_numbers *s, unsigned low, unsigned high)
{
	unsigned first = 0, last;

	while (first < s->n && s->range[first].high + 1u < low)
		first++;
	for (last = first; last < s->n && s->range[last].low <= high + 1; last++) {
		low = s->range[last].low < low ? s->range[last].low : low;
		high = s->range[last].high > high ? s->range[last].high : high;
	}
	if (last == first && s->n == UNC_MAX_RANGES)
		return false;
	memmove(&s->range[first + 1], &s->range[last], (s->n - last) * sizeof(*s->range));
	s->n = (uint8_t)(s->n + 1 - (last - first));
	s->range[first] = (struct unc_range){(uint16_t)low, (uint16_t)high};
	return true;
}

int unc_numbers_next(const struct unc_numbers *s, unsigned from)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->range[i].high >= from)
			return s->range[i].low > from ? s->range[i].low : (int)from;
	return -1;
}

bool unc_numbers_same(const struct unc_numbers *a, const struct unc_numbers *b)
{
	return a->n == b->n && memcmp(a->range, b->range, a->n * sizeof(*a->range)) == 0;
}

const char *unc_numbers_text(const struct unc_numbers *s, char text[UNC_NUMBERS_TEXT])
{
	int used = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < s->n; i++) {
		const struct unc_range *r = &s->range[i];
		const size_t room = UNC_NUMBERS_TEXT - (size_t)used;

		used += r->low == r->high
				? snprintf(text + used, room, "%s%u", i ? "." : "", r->low)
				: snprintf(text + used, room, "%s%u_%u", i ? "." : "", r->low,
					   r->high);
	}
	return text;
}

/* ---- masks ---- */

#define BITS 4 /* of a digit */

static unsigned digit_of(const struct unc_numbers *s, unsigned digit)
{
	unsigned bits = 0;

	for (unsigned bit = 0; bit < BITS; bit++)
		bits |= (unsigned)unc_numbers_have(s, BITS * digit + bit) << bit;
	return bits;
}

const char *unc_numbers_short_text(const struct unc_numbers *s, char text[UNC_NUMBERS_TEXT])
{
	const unsigned last = s->n ? s->range[s->n - 1].high : UNC_MASK_NUMBERS,
		       digits = last / BITS + 1;

	unc_numbers_text(s, text);
	if (last >= UNC_MASK_NUMBERS || strlen(text) <= digits + 1)
		return text;
	text[0] = 'm';
	for (unsigned i = 0; i < digits; i++)
		text[i + 1] = "0123456789abcdef"[digit_of(s, digits - 1 - i)];
	text[digits + 1] = '\0';
	return text;
}

static unsigned value_of(char digit)
{
	return isdigit((unsigned char)digit) ? (unsigned)(digit - '0')
					     : (unsigned)(tolower((unsigned char)digit) - 'a') + 10;
}

bool unc_numbers_add_mask(struct unc_numbers *s, const char *mask)
{
	const size_t digits = strlen(mask + (*mask != '\0')),
		     valid = strspn(mask + (*mask != '\0'), "0123456789abcdefABCDEF");

	if ((*mask != 'm' && *mask != 'M') || valid != digits || digits > UNC_MASK_NUMBERS / BITS)
		return false;
	for (unsigned i = 0; i < BITS * digits; i++)
		if (value_of(mask[digits - i / BITS]) >> i % BITS & 1 && !unc_numbers_add(s, i, i))
			return false;
	return s->n > 0;
}
