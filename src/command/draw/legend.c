/* SPDX-License-Identifier: BSD-3-Clause */
/* legend.c - see legend.h. */
#include "command/draw/legend.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/event_name.h"
#include "command/base/text.h"
#include "command/draw/palette.h"

#define PACKAGE ":pkg="

/* ---- colours and dashes ---- */

static char *kind_of(const char *name)
{
	char *kind = text_of("%s", name);

	cut_place(kind, PACKAGE);
	return kind;
}

static char *package_of(const char *name)
{
	const char *package = strstr(name, PACKAGE);

	return package ? text_of("%.*s", (int)(1 + strcspn(package + 1, ":")), package)
		       : text_of("%s", "");
}

/* Number the texts in the order in which each is first; returns how many differ. */
static size_t number(char *const *texts, size_t n, size_t *numbers)
{
	size_t all = 0;

	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (strcmp(texts[k], texts[i]) != 0)
			k++;
		numbers[i] = k < i ? numbers[k] : all++;
	}
	return all;
}

static size_t number_parts(const struct draw_record *r, const size_t *series, size_t n,
			   char *(*part)(const char *), size_t *numbers)
{
	char **texts = need_memory(n, sizeof(*texts));
	size_t all;

	for (size_t i = 0; i < n; i++)
		texts[i] = part(r->series[series[i]].name);
	all = number(texts, n, numbers);
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	free((void *)texts);
	return all;
}

static void choose_styles(struct draw_legend *l, const struct draw_record *r, const size_t *series)
{
	size_t *packages = need_memory(l->n, sizeof(*packages));
	size_t *kinds = need_memory(l->n, sizeof(*kinds));
	const size_t n_packages = number_parts(r, series, l->n, package_of, packages);
	const size_t n_kinds = number_parts(r, series, l->n, kind_of, kinds);
	const bool by_package = n_packages > 1 && n_packages <= DRAW_COLOURS &&
				n_kinds <= DRAW_PATTERNS && n_packages * n_kinds >= l->n;

	for (size_t i = 0; i < l->n; i++)
		l->styles[i] = by_package ? (struct draw_style){packages[i], kinds[i]}
					  : (struct draw_style){i, i};
	free(packages);
	free(kinds);
}

/* ---- names ---- */

/* Whole words only: up to the last of these characters. */
static size_t shared_begin(char *const *names, size_t n)
{
	size_t len = strlen(names[0]);

	for (size_t i = 1; i < n; i++) {
		size_t k = 0;

		while (k < len && names[i][k] == names[0][k])
			k++;
		len = k;
	}
	while (len > 0 && names[0][len - 1] != '_' && names[0][len - 1] != ':')
		len--;
	return len;
}

/* Qualifiers only, behind what is shared at the begin. */
static size_t shared_end(char *const *names, size_t n, size_t begin)
{
	const size_t all = strlen(names[0]);
	size_t len = all - begin;

	for (size_t i = 1; i < n; i++) {
		const size_t length = strlen(names[i]);
		size_t k = 0;

		while (k < len && k < length - begin &&
		       names[i][length - k - 1] == names[0][all - k - 1])
			k++;
		len = k;
	}
	while (len > 0 && names[0][all - len] != ':')
		len--;
	return len;
}

static void shorten(struct draw_legend *l)
{
	const size_t begin = shared_begin(l->names, l->n);
	const size_t end = shared_end(l->names, l->n, begin), all = strlen(l->names[0]);

	if (begin + end == 0)
		return;
	l->shared = text_of("%.*s...%s", (int)begin, l->names[0], l->names[0] + all - end);
	for (size_t i = 0; i < l->n; i++) {
		const size_t left = strlen(l->names[i]) - begin - end;

		memmove(l->names[i], l->names[i] + begin, left);
		l->names[i][left] = '\0';
	}
}

/* Labels that a user chose stay as they are. */
void draw_legend_new(struct draw_legend *l, const struct draw_record *r, const size_t *series,
		     size_t n)
{
	bool labels = false;

	*l = (struct draw_legend){.n = n,
				  .styles = need_memory(n, sizeof(*l->styles)),
				  .names = need_memory(n, sizeof(*l->names))};
	for (size_t i = 0; i < n; i++) {
		l->names[i] = text_of("%s", draw_label(&r->series[series[i]]));
		labels |= r->series[series[i]].label != NULL;
	}
	choose_styles(l, r, series);
	if (n > 1 && !labels)
		shorten(l);
}

void draw_legend_free(struct draw_legend *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->names[i]);
	free((void *)l->names);
	free(l->styles);
	free(l->shared);
}
