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
			const void *key)
{
	const char *first;

	if (!s->n) /* nor has the array elements */
		return 0;
	first = (const char *)array + keys->key;
	for (size_t i = (size_t)keys->hash(key) & (s->n - 1); s->at[i]; i = (i + 1) & (s->n - 1))
		if (keys->is_same(first + (s->at[i] - 1) * keys->size, key))
			return s->at[i];
	return 0;
}

/* Keys are not compared: that of element i is a new one. */
static void put(const struct unc_index *s, const struct unc_keys *keys, const void *array, size_t i)
{
	const void *key = (const char *)array + i * keys->size + keys->key;
	size_t at = (size_t)keys->hash(key) & (s->n - 1);

	while (s->at[at])
		at = (at + 1) & (s->n - 1);
	s->at[at] = (uint32_t)i + 1;
}

void unc_index_renew(struct unc_index *s, const struct unc_keys *keys, const void *array, size_t n)
{
	if (!s->n)
		return;
	memset(s->at, 0, s->n * sizeof(*s->at));
	for (size_t i = 0; i < n; i++)
		put(s, keys, array, i);
}

bool unc_index_add(struct unc_index *s, const struct unc_keys *keys, const void *array, size_t n)
{
	struct unc_index more = {.n = s->n ? s->n : FEWEST};

	if (2 * n <= s->n) {
		put(s, keys, array, n - 1);
		return true;
	}
	while (2 * n > more.n)
		more.n *= 2;
	more.at = calloc(more.n, sizeof(*more.at));
	if (!more.at)
		return false;
	for (size_t i = 0; i < n; i++)
		put(&more, keys, array, i);
	free(s->at);
	*s = more;
	return true;
}

void unc_index_free(struct unc_index *s)
{
	free(s->at);
	*s = (struct unc_index){.n = 0};
}
