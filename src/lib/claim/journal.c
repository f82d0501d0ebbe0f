/* SPDX-License-Identifier: BSD-3-Clause */
/* journal.c - see journal.h. */
#include "claim/journal.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct unc_journal_head) == 256, "it is the same in all versions");
_Static_assert(sizeof(struct unc_saved) == 56, "no holes: files are compared");

/* FNV-1a over 64-bit words: detects damage, not forgery. */
static uint64_t sum_of(const unsigned char *bytes, size_t n)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i += 8) {
		uint64_t word = 0;

		memcpy(&word, bytes + i, n - i < 8 ? n - i : 8);
		sum = (sum ^ word) * UINT64_C(0x100000001b3);
	}
	return sum;
}

static size_t size_of(const struct unc_journal_head *h)
{
	return sizeof(*h) + (size_t)h->n_saved * sizeof(struct unc_saved) +
	       (size_t)h->n_shown * sizeof(struct unc_shown) + h->n_names;
}

/* ---- encode ---- */

static unsigned char *append(unsigned char *to, const void *from, size_t n)
{
	if (n)
		memcpy(to, from, n);
	return to + n;
}

void *unc_journal_encode(const struct unc_journal *j, size_t *bytes)
{
	struct unc_journal_head head = j->head;
	unsigned char *file, *p;

	*bytes = size_of(&head);
	file = *bytes <= UNC_JOURNAL_MAX ? malloc(*bytes) : NULL;
	if (!file)
		return NULL;
	p = append(file + sizeof(head), j->saved, head.n_saved * sizeof(*j->saved));
	p = append(p, j->shown, head.n_shown * sizeof(*j->shown));
	append(p, j->names, head.n_names);
	head.sum = sum_of(file + sizeof(head), *bytes - sizeof(head));
	memcpy(file, &head, sizeof(head));
	return file;
}

/* ---- decode ---- */

static bool is_text(const char *text, size_t len)
{
	return memchr(text, 0, len) != NULL;
}

static bool has_texts(const struct unc_journal_head *h)
{
	return is_text(h->name, sizeof(h->name)) && is_text(h->boot, sizeof(h->boot)) &&
	       is_text(h->machine, sizeof(h->machine)) && is_text(h->version, sizeof(h->version));
}

static bool is_whole(const struct unc_journal_head *h, const unsigned char *bytes, size_t n)
{
	/* the sum of sizes cannot overflow: each factor has 32 bits */
	return size_of(h) == n && h->sum == sum_of(bytes + sizeof(*h), n - sizeof(*h)) &&
	       (h->n_names == 0 || bytes[n - 1] == 0);
}

static bool is_consistent(const struct unc_journal *j)
{
	for (uint32_t i = 0; i < j->head.n_saved; i++) {
		const struct unc_saved *k = &j->saved[i];

		if (k->shown > j->head.n_shown || k->n_shown > j->head.n_shown - k->shown)
			return false;
	}
	return true;
}

static void *copy(const unsigned char **from, size_t n)
{
	void *to = malloc(n + 1);

	if (to)
		memcpy(to, *from, n);
	*from += n;
	return to;
}

static enum unc_journal_state damaged(struct unc_journal *j)
{
	unc_journal_free(j);
	return UNC_JOURNAL_DAMAGED;
}

enum unc_journal_state unc_journal_decode(const void *bytes, size_t n, struct unc_journal *j)
{
	const unsigned char *p = bytes;

	*j = (struct unc_journal){.saved = NULL};
	if (n < sizeof(j->head) || n > UNC_JOURNAL_MAX)
		return UNC_JOURNAL_DAMAGED;
	memcpy(&j->head, p, sizeof(j->head));
	if (j->head.magic != UNC_JOURNAL_MAGIC || !has_texts(&j->head))
		return damaged(j);
	if (j->head.format != UNC_JOURNAL_FORMAT)
		return UNC_JOURNAL_OTHER;
	if (!is_whole(&j->head, p, n))
		return damaged(j);
	p += sizeof(j->head);
	j->saved = copy(&p, j->head.n_saved * sizeof(*j->saved));
	j->shown = copy(&p, j->head.n_shown * sizeof(*j->shown));
	j->names = copy(&p, j->head.n_names);
	if (!j->saved || !j->shown || !j->names) {
		unc_journal_free(j);
		return UNC_JOURNAL_NO_MEMORY;
	}
	return is_consistent(j) ? UNC_JOURNAL_GOOD : damaged(j);
}

void unc_journal_free(struct unc_journal *j)
{
	free(j->saved);
	free(j->shown);
	free(j->names);
	*j = (struct unc_journal){.saved = NULL};
}

const char *unc_journal_name(const struct unc_journal *j, const char *before)
{
	const char *next = before ? before + strlen(before) + 1 : j->names;

	return j->names && next < j->names + j->head.n_names ? next : NULL;
}
