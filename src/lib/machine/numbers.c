/* SPDX-License-Identifier: BSD-3-Clause */
/* numbers.c - sets of numbers of boxes or packages. */
#include "machine/numbers.h"

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
