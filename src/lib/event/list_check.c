/* SPDX-License-Identifier: BSD-3-Clause */
/* list_check.c - check whether a file of Intel's event lists is usable on this machine. */
#include <stdlib.h>
#include <string.h>

#include "event/list_file.h"

/* ---- items ---- */

int unc_item_compare(const void *a, const void *b)
{
	const struct unc_item *x = a, *y = b;
	int r = x->type < y->type ? -1 : x->type > y->type;

	if (r == 0)
		r = strcmp(x->event, y->event);
	if (r == 0)
		r = strcmp(x->umask, y->umask);
	return r ? r : x->order < y->order ? -1 : x->order > y->order;
}

bool unc_item_same(const struct unc_item *a, const struct unc_item *b)
{
	return a->type == b->type && strcmp(a->event, b->event) == 0 &&
	       strcmp(a->umask, b->umask) == 0;
}

void unc_items_free(struct unc_item *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(items[i].event);
	free(items);
}

/* ---- the same name twice ---- */

static bool differ(const struct unc_item *a, const struct unc_item *b)
{
	return a->code != b->code || a->bits != b->bits || a->config1 != b->config1 ||
	       a->counters != b->counters;
}

/*
 * Items with the same name, [first, end), are harmless if they all have the same encoding.
 * Otherwise none of them is used, because it is unknown which one is right.
 */
static int check_name(struct unc_list_file *f, size_t first, size_t end)
{
	const struct unc_item *item = &f->items[first], *listed = NULL;
	bool wrong = false;
	int r = 0;

	for (size_t i = first; i < end; i++) {
		if (f->items[i].unlisted)
			continue;
		listed = listed ? listed : &f->items[i];
		wrong |= differ(listed, &f->items[i]);
	}
	for (size_t i = first; r == 0 && wrong && i < end; i++) {
		f->items[i].left_out = true;
		f->n_fit -= !f->items[i].unlisted;
		unc_list_fail(f, f->items[i].at, "%s%s%s is defined twice with different values",
			      item->event, *item->umask ? "." : "", item->umask);
		r = unc_list_leave_out(f);
	}
	return r;
}

static int check_twice(struct unc_list_file *f)
{
	size_t n = 0;
	int r = 0;

	if (f->n_items)
		qsort(f->items, f->n_items, sizeof(*f->items), unc_item_compare);
	for (size_t i = 0, k; r == 0 && i < f->n_items; i = k) {
		for (k = i + 1; k < f->n_items && unc_item_same(&f->items[i], &f->items[k]); k++)
			;
		r = check_name(f, i, k);
	}
	for (size_t i = 0; i < f->n_items; i++) {
		if (f->items[i].left_out)
			free(f->items[i].event);
		else
			f->items[n++] = f->items[i];
	}
	f->n_items = n;
	return r;
}

/* ---- the whole file ---- */

static int other_processor(struct unc_list_file *f, const char *title)
{
	if (f->from->force)
		return unc_warnings_add(f->warnings, UNCORE_WARNING_EVENT_LISTS,
					"%s is for another processor (\"%s\"), not for this %s: "
					"used because UNCORE_EVENT_FILES_FORCE is set",
					f->path, unc_list_quote(f, f->info), title);
	return unc_list_fail(
		f, f->info_at,
		"the list is for another processor (\"%s\"), not for this %s: use the list of this "
		"CPU, or set UNCORE_EVENT_FILES_FORCE=1",
		f->info, title);
}

static int check_processor(struct unc_list_file *f)
{
	const char *title = f->from->platform->title;

	switch (unc_list_for(f->from->platform, f->info)) {
	case UNC_LIST_OURS:
		return 0;
	case UNC_LIST_OTHERS:
		return other_processor(f, title);
	case UNC_LIST_UNKNOWN:
		break;
	}
	return unc_warnings_add(
		f->warnings, UNCORE_WARNING_EVENT_LISTS,
		"%s does not name its processor (Header.Info: %s%s%s): assuming a list of this %s",
		f->path, *f->info ? "\"" : "", *f->info ? unc_list_quote(f, f->info) : "none",
		*f->info ? "\"" : "", title);
}

static int check_use(struct unc_list_file *f)
{
	if (f->n_events == 0)
		return unc_list_fail(f, 0, "the list has no events");
	if (f->n_fit)
		return 0;
	if (f->n_left)
		return unc_list_fail(f, 0, "none of its %u events can be used: %s", f->n_events,
				     f->warnings->list[f->n_before].text);
	return unc_list_fail(f, 0,
			     "none of its %u events applies to a box of this machine (%s)%s%s; use "
			     "the list of this CPU",
			     f->n_events, f->from->platform->title,
			     *f->unit ? ": their units are, for example, " : "", f->unit);
}

int unc_list_check(struct unc_list_file *f)
{
	int r = check_twice(f);

	if (r == 0 && f->n_left > UNC_LIST_MAX_LEFT)
		r = unc_warnings_add(f->warnings, UNCORE_WARNING_EVENT_LISTS,
				     "%s: ignoring %u more events", f->path,
				     f->n_left - UNC_LIST_MAX_LEFT);
	if (r == 0)
		r = check_processor(f);
	return r < 0 ? r : check_use(f);
}
