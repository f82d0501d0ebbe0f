/* SPDX-License-Identifier: BSD-3-Clause */
/* words.c - listed events by the part of their names after the PMU, ignoring case. */
#include <ctype.h>
#include <strings.h>

#include "event/name_space.h"

/* FNV-1a */
static unsigned bucket_of(const char *word)
{
	uint32_t hash = 2166136261;

	for (; *word; word++)
		hash = (hash ^ (uint32_t)toupper((unsigned char)*word)) * 16777619;
	return (hash ^ hash >> 16) % UNC_WORD_BUCKETS;
}

void unc_words_fill(struct unc_names *n)
{
	for (unsigned i = n->n_known; i-- > 0;) {
		struct unc_entry *e = n->entries[i], **bucket;

		bucket = &n->words[bucket_of(unc_event_word(e))];
		e->next = *bucket;
		*bucket = e;
	}
}

struct unc_entry *unc_word_next(const struct unc_names *n, const char *word,
				const struct unc_entry *before)
{
	struct unc_entry *e = before ? before->next : n->words[bucket_of(word)];

	while (e && strcasecmp(word, unc_event_word(e)) != 0)
		e = e->next;
	return e;
}
