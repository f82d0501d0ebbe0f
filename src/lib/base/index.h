/* SPDX-License-Identifier: BSD-3-Clause */
/* index.h - a hash table that finds elements of an array by key. */
#ifndef UNC_INDEX_H
#define UNC_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct unc_slot {
	uint32_t at; /* index of an element plus 1; 0: free */
	uint32_t hash;
};

/* All zero: empty. */
struct unc_index {
	size_t n; /* size, a power of 2; at most half of them are in use */
	struct unc_slot *slots;
};

/* The size of an element, and where the bytes of its key are: without padding. */
struct unc_keys {
	size_t size, key, bytes;
};

/* Make room for one more element in an array of n. false: no memory, the array is unchanged. */
bool unc_room_for_one(void **array, size_t n, size_t *room, size_t size);
/* Free the unused memory of an array of n elements; returns its new address. */
void *unc_shrink(void *array, size_t n, size_t size);

/* The hash of an address and a further part of the key, both uint64_t. */
#define UNC_HASH(address, rest)                               \
	((uint32_t)(((address)*UINT64_C(0x9e3779b97f4a7c15) ^ \
		     (rest)*UINT64_C(0xc2b2ae3d27d4eb4f)) >>  \
		    32))

/* The index of the element with the key, which has this hash, plus 1; 0: not found.  Signal-safe.
 */
uint32_t unc_index_find(const struct unc_index *s, const struct unc_keys *keys, const void *array,
			const void *key, uint32_t hash);
/* Element n - 1 was added, with a new key. false: no memory, it will not be found. */
bool unc_index_add(struct unc_index *s, uint32_t hash, size_t n);
void unc_index_free(struct unc_index *s);

#ifdef __cplusplus
}
#endif
#endif
