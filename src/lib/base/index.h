/* SPDX-License-Identifier: BSD-3-Clause */
/* index.h - which element of an array has a key: a hash table of their numbers. */
#ifndef UNC_INDEX_H
#define UNC_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zero: empty. */
struct unc_index {
	size_t n;     /* a power of 2; at most half of them are taken */
	uint32_t *at; /* number of the element, counted from 1; 0: free */
};

struct unc_keys {
	uint64_t (*hash)(const void *key);
	bool (*is_same)(const void *a, const void *b);
	const void *(*key)(const void *array, size_t i);
};

/* An array of n elements gets room for one more.  false: no memory, it stays as it is. */
bool unc_room_for_one(void **array, size_t n, size_t *room, size_t size);
/* One that is complete gives back the room behind its n elements: where it is then. */
void *unc_shrink(void *array, size_t n, size_t size);

/* Of an address, and what else makes the key. */
static inline uint64_t unc_hash(uint64_t address, uint64_t rest)
{
	const uint64_t h =
		address * UINT64_C(0x9e3779b97f4a7c15) ^ rest * UINT64_C(0xc2b2ae3d27d4eb4f);

	return h ^ h >> 29;
}

/* Number of the element that has the key, counted from 1; 0: none.  Signal-safe. */
uint32_t unc_index_find(const struct unc_index *s, const struct unc_keys *keys, const void *array,
			const void *key);
/* Element n - 1 was added, whose key no other one has.  false: no memory, it is not found. */
bool unc_index_add(struct unc_index *s, const struct unc_keys *keys, const void *array, size_t n);
/* The first n elements are not what they were. */
void unc_index_renew(struct unc_index *s, const struct unc_keys *keys, const void *array, size_t n);
void unc_index_free(struct unc_index *s);

#ifdef __cplusplus
}
#endif
#endif
