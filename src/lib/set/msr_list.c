/* SPDX-License-Identifier: BSD-3-Clause */
/* msr_list.c - the list of MSRs that msr-safe has to allow. */
#include "plan/allow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "set/set.h"

struct unc_msrs {
	size_t n, room;
	bool failed;
	struct uncore_msr_info *msr;
};

static void describe(struct uncore_msr_info *info, const struct unc_register_use *use)
{
	const struct unc_box *b = use->box;
	size_t n = 0;

	memset(info, 0, sizeof(*info));
	info->msr = (uint32_t)use->op.address;
	info->writable = use->writable;
	info->stop_after = use->stop_after;
	info->stop_after_only = use->stop_after_only;
	info->kind = b ? b->type->name : "";
	if (b && !b->type->arch)
		n = (size_t)snprintf(info->what, sizeof(info->what), "%s%s%u ", b->type->name,
				     unc_gap(b->type), b->index);
	if (n >= sizeof(info->what))
		return;
	if (use->numbered)
		snprintf(info->what + n, sizeof(info->what) - n, "%s %u", use->what, use->n);
	else
		snprintf(info->what + n, sizeof(info->what) - n, "%s", use->what);
}

static void collect(void *arg, const struct unc_register_use *use)
{
	struct unc_msrs *list = arg;

	if (!unc_is_msr(&use->op))
		return;
	if (list->n == list->room) {
		const size_t room = list->room ? 2 * list->room : 256;
		struct uncore_msr_info *msr = realloc(list->msr, room * sizeof(*msr));

		list->failed |= !msr;
		if (!msr)
			return;
		list->msr = msr;
		list->room = room;
	}
	describe(&list->msr[list->n++], use);
}

/* Of equal entries, the one that knows the number of the register in its box comes first. */
static int by_number(const void *a, const void *b)
{
	const struct uncore_msr_info *x = a, *y = b;

	if (x->msr != y->msr)
		return x->msr < y->msr ? -1 : 1;
	return strcmp(y->what, x->what);
}

static void merge(struct unc_msrs *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++) {
		const struct uncore_msr_info *one = &list->msr[i];
		struct uncore_msr_info *last = n ? &list->msr[n - 1] : NULL;

		if (!last || last->msr != one->msr) {
			list->msr[n++] = *one;
			continue;
		}
		last->writable |= one->writable;
		last->stop_after |= one->stop_after;
		last->stop_after_only = last->stop_after_only && one->stop_after_only;
	}
	list->n = n;
}

static void free_list(struct unc_msrs *list)
{
	if (list)
		free(list->msr);
	free(list);
}

static struct unc_msrs *make(const struct unc_machine *m)
{
	struct unc_msrs *list = calloc(1, sizeof(*list));

	if (!list)
		return NULL;
	if (!m->listed || !m->discovered) /* else only a table has their addresses */
		unc_each_register(m, collect, list);
	if (list->failed) {
		free_list(list);
		return NULL;
	}
	if (list->n)
		qsort(list->msr, list->n, sizeof(*list->msr), by_number);
	merge(list);
	return list;
}

/* Two threads may create it at the same time; one of them frees its own. */
static const struct unc_msrs *msrs_of(struct uncore *u)
{
	struct unc_msrs *list = atomic_load(&u->msrs), *none = NULL;

	if (list)
		return list;
	list = make(&u->machine);
	if (list && !atomic_compare_exchange_strong(&u->msrs, &none, list)) {
		free_list(list);
		list = none;
	}
	return list;
}

void unc_msrs_free(struct uncore *u)
{
	free_list(atomic_load(&u->msrs));
	atomic_store(&u->msrs, NULL);
}

int uncore_msr(struct uncore *u, unsigned i, struct uncore_msr_info *info)
{
	const struct unc_msrs *list = msrs_of(u);

	if (!list)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the list of MSRs");
	if (i >= list->n)
		return 0;
	return unc_give(&u->err, info, &list->msr[i], UNC_SIZED(uncore_msr_info), 1);
}
