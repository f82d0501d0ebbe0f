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

bool unc_journal_lay_out(struct unc_journal_file *file, struct unc_journal *j)
{
	const size_t n = size_of(&j->head);
	unsigned char *bytes = file->bytes;

	if (n > UNC_JOURNAL_MAX)
		return false;
	if (n > file->room && !(bytes = realloc(bytes, n)))
		return false;
	file->bytes = bytes;
	file->n = n;
	file->room = n > file->room ? n : file->room;
	j->saved = (struct unc_saved *)(bytes + sizeof(j->head));
	j->shown = (struct unc_shown *)(j->saved + j->head.n_saved);
	j->names = (char *)(j->shown + j->head.n_shown);
	return true;
}

void unc_journal_seal(struct unc_journal_file *file, const struct unc_journal_head *from)
{
	struct unc_journal_head head = *from;

	head.sum = sum_of(file->bytes + sizeof(head), file->n - sizeof(head));
	memcpy(file->bytes, &head, sizeof(head));
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

/* A file that was shortened in place has more bytes until it is truncated. */
static bool is_whole(const struct unc_journal_head *h, const unsigned char *bytes, size_t n)
{
	/* the sum of sizes cannot overflow: each factor has 32 bits */
	const size_t size = size_of(h);

	return size <= n && h->sum == sum_of(bytes + sizeof(*h), size - sizeof(*h)) &&
	       (h->n_names == 0 || bytes[size - 1] == 0);
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
