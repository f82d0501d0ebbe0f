/* SPDX-License-Identifier: BSD-3-Clause */
/* index.c - see index.h. */
#include "index.h"

#include <stdlib.h>
#include <string.h>

#define FEWEST 128

bool unc_room_for_one(void **array, size_t n, size_t *room, size_t size)
{
	const size_t more = n < FEWEST / 2 ? FEWEST / 2 : 2 * n;
	void *all;

	if (n < *room)
		return *array != NULL;
	all = realloc(*array, more * size);
	if (!all)
		return false;
	*array = all;
	*room = more;
	return true;
}

void *unc_shrink(void *array, size_t n, size_t size)
{
	void *less = realloc(array, n ? n * size : 1);

	return less ? less : array;
}

uint32_t unc_index_find(const struct unc_index *s, const struct unc_keys *keys, const void *array,
			const void *key, uint32_t hash)
{
	const char *first;

	if (!s->n) /* nor has the array elements */
		return 0;
	first = (const char *)array + keys->key;
	for (size_t i = hash & (s->n - 1); s->slots[i].at; i = (i + 1) & (s->n - 1))
		if (s->slots[i].hash == hash &&
		    memcmp(first + (s->slots[i].at - 1) * keys->size, key, keys->bytes) == 0)
			return s->slots[i].at;
	return 0;
}

static void put(const struct unc_index *s, struct unc_slot slot)
{
	size_t i = slot.hash & (s->n - 1);

	while (s->slots[i].at)
		i = (i + 1) & (s->n - 1);
	s->slots[i] = slot;
}

bool unc_index_add(struct unc_index *s, uint32_t hash, size_t n)
{
	struct unc_index more = {.n = s->n ? s->n : FEWEST};

	while (2 * n > more.n)
		more.n *= 2;
	if (more.n != s->n) {
		more.slots = calloc(more.n, sizeof(*more.slots));
		if (!more.slots)
			return false;
		for (size_t i = 0; i < s->n; i++)
			if (s->slots[i].at)
				put(&more, s->slots[i]);
		free(s->slots);
		*s = more;
	}
	put(s, (struct unc_slot){(uint32_t)n, hash});
	return true;
}

void unc_index_free(struct unc_index *s)
{
	free(s->slots);
	*s = (struct unc_index){.n = 0};
}
