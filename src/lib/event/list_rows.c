/* SPDX-License-Identifier: BSD-3-Clause */
/* list_rows.c - merge the events of Intel's lists for a box type with the type's own rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/list_file.h"

/* The name fits: list_event.c refuses longer ones. */
static void set_name(struct unc_row *row, const char *name)
{
	snprintf(row->name, sizeof(row->name), "%s", name);
}

static int push(struct unc_list_table *t, const struct unc_row *row)
{
	if (t->n == t->room) {
		const size_t room = t->room ? 2 * t->room : 256;
		struct unc_row *rows = realloc(t->rows, room * sizeof(*rows));

		if (!rows)
			return UNCORE_ENOMEM;
		t->rows = rows;
		t->room = room;
	}
	t->rows[t->n++] = *row;
	return 0;
}

/* The row of the type's table for an event. */
static const struct unc_row *own_row(const struct unc_box_type *type, const char *event)
{
	const struct unc_row *row = type->rows;

	while (row && *row->name && (row->umask || strcasecmp(row->name, event) != 0))
		row++;
	return row && *row->name ? row : NULL;
}

/* An event of the lists: its items. */
struct group {
	const struct unc_item *items;
	size_t n;
	const struct unc_row *own;
	bool own_umasks; /* keep its umasks in addition to those of the lists */
	bool one_code;
	bool alone; /* all umasks come from the lists */
};

static bool has_umask(const struct group *g, const char *name)
{
	for (size_t i = 0; i < g->n; i++)
		if (strcasecmp(g->items[i].umask, name) == 0)
			return true;
	return false;
}

/* With another code than in the type's table it is another event. */
static void look_at_own(struct group *g, const struct unc_box_type *type)
{
	const struct unc_row *own = own_row(type, g->items->event);

	g->one_code = true;
	for (size_t i = 1; i < g->n; i++)
		g->one_code &= g->items[i].code == g->items->code;
	if (!own)
		return;
	g->own = own;
	g->own_umasks = own[1].umask && *own[1].name && g->one_code && own->bits == g->items->code;
	for (own++; g->own_umasks && *own->name && own->umask; own++)
		g->alone |= own->group != 0;
}

/* The common beginning of all umask descriptions, up to a colon: "Page misses : read". */
static size_t common_text(const struct group *g)
{
	const char *first = g->items->text;
	size_t len = strlen(first), same;
	bool cut = false;

	for (size_t i = 1; i < g->n; i++, len = same) {
		for (same = 0; same < len && first[same] == g->items[i].text[same];)
			same++;
		cut |= same < len || g->items[i].text[same];
	}
	while (cut && len && first[len - 1] != ':')
		len--;
	while (len && strchr(" :;,.-(", first[len - 1]))
		len--;
	return len;
}

static const char *event_text(struct unc_list_table *t, const struct group *g)
{
	const char *before = "depends on the umask, for instance: ", *text = g->items->text;
	const size_t common = common_text(g);
	char **texts, *copy;
	int r;

	if (g->own)
		return g->own->text;
	r = asprintf(&copy, "%s%.*s", common ? "" : before, (int)(common ? common : strlen(text)),
		     text);
	texts = r < 0 ? NULL : realloc(t->texts, (t->n_texts + 1) * sizeof(*texts));
	if (!texts) {
		if (r >= 0)
			free(copy);
		return NULL;
	}
	t->texts = texts;
	texts[t->n_texts++] = copy;
	return copy;
}

static int push_event(struct unc_list_table *t, const struct group *g, bool umasks)
{
	const struct unc_item *i = g->items;
	struct unc_row row = {.unlisted = true};

	set_name(&row, i->event);
	for (size_t k = 0; k < g->n; k++)
		row.unlisted &= g->items[k].unlisted;
	if (g->own_umasks)
		row.unlisted &= g->own->unlisted;
	if (g->own) {
		memcpy(row.unit, g->own->unit, sizeof(row.unit));
		row.regular = g->own->regular;
	}
	if (!umasks) {
		row.long_text = i->text;
		row.bits = i->code | i->bits;
		row.config1 = i->config1;
		row.counters = i->counters;
		return push(t, &row);
	}
	row.bits = g->one_code ? i->code : 0;
	row.long_text = event_text(t, g);
	return row.long_text ? push(t, &row) : UNCORE_ENOMEM;
}

/* The flag of the type's table for a umask of an event. */
static uint8_t regular_of(const struct group *g, const char *umask)
{
	for (const struct unc_row *own = g->own; own && own[1].umask && *own[1].name; own++)
		if (strcasecmp(own[1].name, umask) == 0)
			return own[1].regular;
	return 0;
}

static int push_umask(struct unc_list_table *t, const struct group *g, const struct unc_item *i)
{
	const bool bit = (i->bits & ~0xff00ull) == 0 && __builtin_popcountll(i->bits) == 1 &&
			 i->config1 == 0;
	struct unc_row row = {
		.long_text = i->text,
		.bits = i->bits | (g->one_code ? 0 : i->code),
		.config1 = i->config1,
		.counters = i->counters,
		.umask = true,
		.unlisted = i->unlisted,
		.alone = !bit || !*i->umask || !g->one_code || g->alone,
		.first = !*i->umask,
		.regular = regular_of(g, *i->umask ? i->umask : "PLAIN"),
	};

	set_name(&row, *i->umask ? i->umask : "PLAIN");
	return push(t, &row);
}

static int push_own_umasks(struct unc_list_table *t, const struct group *g)
{
	int r = 0;

	for (const struct unc_row *own = g->own + 1; r == 0 && *own->name && own->umask; own++) {
		struct unc_row row = *own;

		if (has_umask(g, own->name))
			continue;
		if (!row.counters)
			row.counters = g->own->counters;
		row.config1 |= g->own->config1;
		r = push(t, &row);
	}
	return r;
}

static int push_group(struct unc_list_table *t, struct group *g)
{
	bool umasks;
	int r;

	look_at_own(g, t->type);
	umasks = g->n > 1 || *g->items->umask || g->own_umasks;
	r = push_event(t, g, umasks);
	for (size_t i = 0; r == 0 && umasks && i < g->n; i++)
		r = push_umask(t, g, &g->items[i]);
	if (r == 0 && g->own_umasks)
		r = push_own_umasks(t, g);
	return r;
}

static bool in_lists(const struct unc_item *items, size_t n, const char *event)
{
	for (size_t i = 0; i < n; i++)
		if (strcasecmp(items[i].event, event) == 0)
			return true;
	return false;
}

/* Events of the type's table that the lists do not have. */
static int push_own(struct unc_list_table *t, const struct unc_item *items, size_t n)
{
	bool skip = false;
	int r = 0;

	for (const struct unc_row *row = t->type->rows; r == 0 && row && *row->name; row++) {
		if (!row->umask)
			skip = in_lists(items, n, row->name);
		if (!skip)
			r = push(t, row);
	}
	return r;
}

int unc_list_table_fill(struct unc_list_table *t, const struct unc_item *items, size_t n)
{
	static const struct unc_row end;
	int r = push_own(t, items, n);

	for (size_t i = 0, k; r == 0 && i < n; i = k) {
		struct group g = {.items = &items[i]};

		for (k = i; k < n && strcmp(items[k].event, items[i].event) == 0; k++)
			g.n++;
		r = push_group(t, &g);
	}
	return r == 0 ? push(t, &end) : r;
}

void unc_list_table_free(struct unc_list_table *t)
{
	for (size_t i = 0; i < t->n_texts; i++)
		free(t->texts[i]);
	free(t->texts);
	free(t->rows);
}
