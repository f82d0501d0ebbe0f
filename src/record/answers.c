/* SPDX-License-Identifier: BSD-3-Clause */
/* answers.c - see answers.h. */
#include "record/answers.h"

#include <stdlib.h>
#include <string.h>

#include "uncore_inspect.h"

const char *const unc_asked_words[UNC_ASKED_KINDS] = {
	[UNC_ASKED_REGISTER] = "register", [UNC_ASKED_CPUID] = "cpuid",
	[UNC_ASKED_MSR_FILE] = "msr_file", [UNC_ASKED_PCI_FILE] = "pci_file",
	[UNC_ASKED_MAPPING] = "mapping",   [UNC_ASKED_BAR] = "bar",
	[UNC_ASKED_CORE] = "core",         [UNC_ASKED_NODE] = "node",
};

const char *const unc_space_words[UNC_SPACES] = {
	[UNCORE_MSR] = "msr",
	[UNCORE_PCI] = "pci",
	[UNCORE_MMIO] = "mmio",
	[UNCORE_CPU] = "cpu",
};

void unc_answers_free(struct unc_answers *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->at[i].why);
	free(a->at);
	free(a->slot);
	*a = (struct unc_answers){.n = 0};
}

static bool is_same(const struct unc_question *a, const struct unc_question *b)
{
	return a->asked == b->asked && a->space == b->space && a->width == b->width &&
	       a->where == b->where && a->address == b->address;
}

static size_t hash(const struct unc_question *q)
{
	uint64_t h = q->address * UINT64_C(0x9e3779b97f4a7c15);

	h ^= ((uint64_t)q->where << 32 | (uint64_t)q->width << 8 | (uint64_t)q->asked << 4 |
	      q->space) *
	     UINT64_C(0xc2b2ae3d27d4eb4f);
	return (size_t)(h ^ h >> 31);
}

static uint32_t *slot_of(const struct unc_answers *a, const struct unc_question *q)
{
	size_t i = hash(q) & (a->n_slots - 1);

	while (a->slot[i] && !is_same(&a->at[a->slot[i] - 1].question, q))
		i = (i + 1) & (a->n_slots - 1);
	return &a->slot[i];
}

struct unc_answer *unc_answers_find(const struct unc_answers *a, const struct unc_question *q)
{
	const uint32_t i = a->n_slots ? *slot_of(a, q) : 0;

	return i ? &a->at[i - 1] : NULL;
}

/* The index is at most half full. */
static bool grow(struct unc_answers *a)
{
	const size_t room = a->room ? 2 * a->room : 512;
	struct unc_answer *at;
	uint32_t *slot;

	if (a->n < a->room)
		return true;
	at = realloc(a->at, room * sizeof(*at));
	a->at = at ? at : a->at;
	slot = calloc(2 * room, sizeof(*slot));
	if (!at || !slot) {
		free(slot);
		return false;
	}
	free(a->slot);
	a->slot = slot;
	a->n_slots = 2 * room;
	a->room = room;
	for (size_t i = 0; i < a->n; i++)
		*slot_of(a, &a->at[i].question) = (uint32_t)i + 1;
	return true;
}

struct unc_answer *unc_answers_add(struct unc_answers *a, const struct unc_question *q)
{
	uint32_t *slot;

	if (unc_answers_find(a, q))
		return NULL;
	if (!grow(a)) {
		a->failed = true;
		return NULL;
	}
	slot = slot_of(a, q);
	a->at[a->n] = (struct unc_answer){.question = *q};
	*slot = (uint32_t)++a->n;
	return &a->at[a->n - 1];
}
