/* lists.c - Intel's event lists of a machine: which files, in which order, what for. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/list_file.h"
#include "event/names.h"

struct unc_lists {
	const struct unc_lists_from *from; /* while loading */
	struct unc_item *items;
	size_t n_items;
	unsigned n_tables, n_warnings;
	struct unc_list_table tables[UNC_MAX_TYPES];
	char **warnings;
};

/* ---- files ---- */

/* The items of a file that is right, to those of the files before it. */
static int adopt(struct unc_lists *l, struct unc_list_file *f)
{
	const size_t n = l->n_items + f->n_items;
	struct unc_item *items = realloc(l->items, (n ? n : 1) * sizeof(*items));

	if (!items)
		return unc_fail(f->err, UNCORE_ENOMEM, "out of memory for %zu events", n);
	l->items = items;
	for (size_t i = 0; i < f->n_items; i++) {
		items[l->n_items] = f->items[i];
		items[l->n_items].order = (unsigned)l->n_items;
		l->n_items++;
	}
	f->n_items = 0;
	return 0;
}

static int load_file(struct unc_lists *l, const char *path, struct unc_err *err)
{
	struct unc_list_file f = {.path = path, .from = l->from, .err = err};
	int r = unc_list_read(&f);

	if (r == 0)
		r = adopt(l, &f);
	unc_items_free(f.items, f.n_items);
	return r;
}

static int load_paths(struct unc_lists *l, struct unc_err *err)
{
	char *paths = strdup(l->from->paths ? l->from->paths : ""), *rest = paths, *path;
	int r = paths ? 0 : unc_fail(err, UNCORE_ENOMEM, "out of memory for file names");

	while (r == 0 && (path = strsep(&rest, ":")))
		if (*path)
			r = load_file(l, path, err);
	free(paths);
	return r;
}

static int warn(struct unc_lists *l, const char *text)
{
	char **warnings = realloc(l->warnings, (l->n_warnings + 1) * sizeof(*warnings));

	if (!warnings)
		return UNCORE_ENOMEM;
	l->warnings = warnings;
	warnings[l->n_warnings] = strdup(text);
	return warnings[l->n_warnings++] ? 0 : UNCORE_ENOMEM;
}

/* Without memory nothing works; everything else is this file's own matter. */
static int load_or_warn(struct unc_lists *l, const char *path)
{
	struct unc_err err;
	int r;

	unc_err_init(&err);
	r = load_file(l, path, &err);
	if (r < 0 && r != UNCORE_ENOMEM)
		r = warn(l, err.text);
	unc_err_destroy(&err);
	return r;
}

static int is_list(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot && strcmp(dot, ".json") == 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int load_directory(struct unc_lists *l, struct unc_err *err)
{
	const char *directory = l->from->directory;
	struct dirent **names = NULL;
	char path[PATH_MAX];
	int n = directory ? scandir(directory, &names, is_list, by_name) : 0, r = 0;

	if (n < 0 && errno != ENOENT) {
		snprintf(path, sizeof(path), "%s: %s", directory, strerror(errno));
		r = warn(l, path);
	}
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]->d_name);
		if (r == 0)
			r = load_or_warn(l, path);
		free(names[i]);
	}
	free(names);
	return r < 0 ? unc_fail(err, r, "out of memory for the lists in %s", directory) : 0;
}

/* ---- tables ---- */

/* Of equal names the last one stays; a deprecated one makes way. */
static void drop_doubles(struct unc_lists *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n_items; i++) {
		struct unc_item *item = &l->items[i];

		if (n == 0 || !unc_item_same(&l->items[n - 1], item)) {
			l->items[n++] = *item;
		} else if (item->unlisted && !l->items[n - 1].unlisted) {
			free(item->event);
		} else {
			free(l->items[n - 1].event);
			l->items[n - 1] = *item;
		}
	}
	l->n_items = n;
}

static int make_tables(struct unc_lists *l, struct unc_err *err)
{
	int r = 0;

	if (l->n_items)
		qsort(l->items, l->n_items, sizeof(*l->items), unc_item_compare);
	drop_doubles(l);
	for (size_t i = 0, k; r == 0 && i < l->n_items; i = k) {
		for (k = i; k < l->n_items && l->items[k].type == l->items[i].type; k++)
			;
		l->tables[l->n_tables].type = l->from->types[l->items[i].type];
		r = unc_list_table_fill(&l->tables[l->n_tables++], &l->items[i], k - i);
	}
	return r < 0 ? unc_fail(err, r, "out of memory for %zu events", l->n_items) : 0;
}

/* ---- interface ---- */

int unc_lists_load(struct unc_lists **out, const struct unc_lists_from *from, struct unc_err *err)
{
	struct unc_lists *l = calloc(1, sizeof(*l));
	int r;

	*out = l;
	if (!l)
		return unc_fail(err, UNCORE_ENOMEM, "out of memory for event lists");
	l->from = from;
	r = load_directory(l, err);
	if (r == 0)
		r = load_paths(l, err);
	if (r == 0)
		r = make_tables(l, err);
	l->from = NULL;
	return r;
}

void unc_lists_free(struct unc_lists *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < l->n_tables; i++)
		unc_list_table_free(&l->tables[i]);
	for (unsigned i = 0; i < l->n_warnings; i++)
		free(l->warnings[i]);
	unc_items_free(l->items, l->n_items);
	free(l->warnings);
	free(l);
}

const struct unc_row *unc_lists_rows(const struct unc_lists *l, const struct unc_box_type *type)
{
	for (unsigned i = 0; l && i < l->n_tables; i++)
		if (l->tables[i].type == type)
			return l->tables[i].rows;
	return type->rows;
}

const char *unc_lists_warning(const struct unc_lists *l, unsigned i)
{
	return l && i < l->n_warnings ? l->warnings[i] : NULL;
}
