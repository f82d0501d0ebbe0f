/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.c - Intel's event lists of a machine: which files are read, in which order. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/files.h"
#include "event/list_file.h"
#include "event/name_space.h"

struct unc_lists {
	const struct unc_lists_from *from; /* while loading */
	struct unc_item *items;
	size_t n_items;
	unsigned n_tables;
	struct unc_list_table tables[UNC_MAX_TYPES];
	struct unc_warnings warnings;
};

/* ---- files ---- */

/* Add the items of a valid file to those of the previous files. */
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

/* Drop warnings about the events of a file that is rejected. */
static int load_file(struct unc_lists *l, const char *path, struct unc_err *err)
{
	const unsigned n = l->warnings.n;
	struct unc_err own;
	struct unc_list_file f = {
		.path = path, .from = l->from, .err = &own, .warnings = &l->warnings};
	int r;

	unc_err_init(&own);
	r = unc_list_read(&f);
	if (r == 0)
		r = adopt(l, &f);
	unc_items_free(f.items, f.n_items);
	if (r < 0) {
		unc_warnings_cut(&l->warnings, n);
		unc_fail(err, r, "%s",
			 r == UNCORE_ENOMEM ? "out of memory for event lists" : own.text);
	}
	unc_err_destroy(&own);
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

/* Out of memory is fatal; any other error concerns only this file. */
static int load_or_warn(struct unc_lists *l, const char *path)
{
	struct unc_err err;
	int r;

	unc_err_init(&err);
	r = load_file(l, path, &err);
	if (r < 0 && r != UNCORE_ENOMEM)
		r = unc_warnings_add(&l->warnings, UNCORE_WARNING_EVENT_LISTS,
				     "%s; ignoring this file", err.text);
	unc_err_destroy(&err);
	return r;
}

static bool is_list(const char *name)
{
	const char *dot = strrchr(name, '.');

	return name[0] != '.' && dot && strcmp(dot, ".json") == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool add_name(char ***names, int n, const char *name)
{
	char **more = realloc(*names, (size_t)(n + 1) * sizeof(*more));

	if (!more)
		return false;
	*names = more;
	more[n] = strdup(name);
	return more[n] != NULL;
}

/* In order; 0 or -errno. */
static int find_names(const char *directory, char ***names, int *n)
{
	DIR *dir = unc_opendir(directory);
	const struct dirent *entry;
	int error = dir ? 0 : -errno;

	while (dir && error == 0 && (entry = readdir(dir))) {
		if (!is_list(entry->d_name))
			continue;
		if (add_name(names, *n, entry->d_name))
			++*n;
		else
			error = -ENOMEM;
	}
	if (dir)
		closedir(dir);
	if (*n)
		qsort(*names, (size_t)*n, sizeof(**names), by_name);
	return error;
}

static int load_directory(struct unc_lists *l, struct unc_err *err)
{
	const char *directory = l->from->directory;
	char **names = NULL;
	char path[PATH_MAX];
	int n = 0, error = directory ? find_names(directory, &names, &n) : 0;
	int r = error == -ENOMEM ? UNCORE_ENOMEM : 0;

	if (error < 0 && error != -ENOENT && r == 0)
		r = unc_warnings_add(&l->warnings, UNCORE_WARNING_EVENT_LISTS, "%s: %s", directory,
				     strerror(-error));
	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", directory, names[i]);
		if (r == 0)
			r = load_or_warn(l, path);
		free(names[i]);
	}
	free(names);
	return r < 0 ? unc_fail(err, r, "out of memory for the lists in %s", directory) : 0;
}

/* ---- tables ---- */

/* Of equal names the last one remains; a deprecated one is replaced. */
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
	unc_warnings_free(&l->warnings);
	unc_items_free(l->items, l->n_items);
	free(l);
}

const struct unc_row *unc_lists_rows(const struct unc_lists *l, const struct unc_box_type *type)
{
	for (unsigned i = 0; l && i < l->n_tables; i++)
		if (l->tables[i].type == type)
			return l->tables[i].rows;
	return type->rows;
}

const struct unc_warning *unc_lists_warning(const struct unc_lists *l, unsigned i)
{
	return l ? unc_warning(&l->warnings, i) : NULL;
}

/* The length of "EVENT.UMASK" at the beginning of a text; 0: it is another one. */
static size_t name_at(const char *text, const char *event, const char *umask)
{
	size_t n = strlen(event);

	if (strncasecmp(text, event, n) != 0 || (umask && text[n++] != '.'))
		return 0;
	for (; umask && *umask; umask++, n++)
		if (toupper((unsigned char)text[n]) != toupper((unsigned char)*umask) &&
		    !(text[n] == '.' && *umask == '_'))
			return 0;
	return n;
}

const char *unc_lists_skipped(const struct unc_lists *l, const char *event, const char *umask)
{
	const struct unc_warning *w;

	for (unsigned i = 0; (w = unc_lists_warning(l, i)); i++)
		for (const char *at = strstr(w->text, ": "); at; at = strchr(at, ' ')) {
			const size_t n = name_at(++at, event, umask);
			const char end = n ? at[n] : 'x';

			if (end != '_' && !isalnum((unsigned char)end) && (end != '.' || !umask))
				return w->text;
		}
	return NULL;
}
