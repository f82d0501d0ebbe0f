/* SPDX-License-Identifier: BSD-3-Clause */
/* answers.c - see answers.h. */
#include "machine/answers.h"

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
	unc_index_free(&a->index);
	*a = (struct unc_answers){.n = 0};
}

static uint64_t hash(const void *key)
{
	const struct unc_question *q = key;

	return unc_hash(q->address, (uint64_t)q->where << 32 | (uint64_t)q->width << 8 |
					    (uint64_t)q->asked << 4 | q->space);
}

static bool is_same(const void *a, const void *b)
{
	const struct unc_question *x = a, *y = b;

	return x->asked == y->asked && x->space == y->space && x->width == y->width &&
	       x->where == y->where && x->address == y->address;
}

static const void *key(const void *at, size_t i)
{
	return &((const struct unc_answer *)at)[i].question;
}

static const struct unc_keys keys = {hash, is_same, key};

struct unc_answer *unc_answers_find(const struct unc_answers *a, const struct unc_question *q)
{
	const uint32_t i = unc_index_find(&a->index, &keys, a->at, q);

	return i ? &a->at[i - 1] : NULL;
}

struct unc_answer *unc_answers_add(struct unc_answers *a, const struct unc_question *q)
{
	if (unc_answers_find(a, q))
		return NULL;
	if (unc_room_for_one((void **)&a->at, a->n, &a->room, sizeof(*a->at))) {
		a->at[a->n] = (struct unc_answer){.question = *q};
		if (unc_index_add(&a->index, &keys, a->at, a->n + 1))
			return &a->at[a->n++];
	}
	a->failed = true;
	return NULL;
}
