/* SPDX-License-Identifier: BSD-3-Clause */
/* slots.c - see slots.h. */
#include "slots.h"

#include <stdlib.h>
#include <string.h>

#define FEWEST 128

static uint32_t *slot_of(const struct unc_slots *s, const struct unc_keys *keys, const void *array,
			 const void *key)
{
	size_t i = (size_t)keys->hash(key) & (s->n - 1);

	while (s->at[i] && !keys->is_same(keys->key(array, s->at[i] - 1), key))
		i = (i + 1) & (s->n - 1);
	return &s->at[i];
}

uint32_t unc_slots_find(const struct unc_slots *s, const struct unc_keys *keys, const void *array,
			const void *key)
{
	return s->n ? *slot_of(s, keys, array, key) : 0;
}

void unc_slots_renew(struct unc_slots *s, const struct unc_keys *keys, const void *array, size_t n)
{
	if (s->n)
		memset(s->at, 0, s->n * sizeof(*s->at));
	for (size_t i = 0; i < n; i++)
		*slot_of(s, keys, array, keys->key(array, i)) = (uint32_t)i + 1;
}

bool unc_slots_add(struct unc_slots *s, const struct unc_keys *keys, const void *array, size_t n)
{
	size_t room = s->n ? s->n : FEWEST;
	uint32_t *at;

	if (2 * n <= s->n) {
		*slot_of(s, keys, array, keys->key(array, n - 1)) = (uint32_t)n;
		return true;
	}
	while (2 * n > room)
		room *= 2;
	at = malloc(room * sizeof(*at));
	if (!at)
		return false;
	free(s->at);
	*s = (struct unc_slots){room, at};
	unc_slots_renew(s, keys, array, n);
	return true;
}

void unc_slots_free(struct unc_slots *s)
{
	free(s->at);
	*s = (struct unc_slots){.n = 0};
}
