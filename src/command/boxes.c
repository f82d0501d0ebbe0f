/* SPDX-License-Identifier: BSD-3-Clause */
/* boxes.c - boxes of several packages by name: "ha0, imc0-3 of packages 0-1". */
#include <stdlib.h>
#include <string.h>

#include "tools.h"

static bool follows(const struct numbered_box *p, const struct numbered_box *before)
{
	return p->box == before->box + 1 && strcmp(p->kind, before->kind) == 0;
}

static char *add_run(char *text, const struct numbered_box *first, const struct numbered_box *last)
{
	char name[BOX_NAME];

	text = text_and(text, "%s%s", *text ? ", " : "", box_name(name, first->kind, first->box));
	return last == first ? text : text_and(text, "-%u", last->box);
}

/* "ha0, imc0-3": the boxes of one package, "" without boxes. */
static char *boxes_of(const struct numbered_box *list, size_t n, unsigned package)
{
	const struct numbered_box *first = NULL, *last = NULL;
	char *text = text_of("%s", "");

	for (size_t i = 0; i < n; i++) {
		const struct numbered_box *p = &list[i];

		if (p->package != package)
			continue;
		if (first && !follows(p, last)) {
			text = add_run(text, first, last);
			first = NULL;
		}
		first = first ? first : p;
		last = p;
	}
	return first ? add_run(text, first, last) : text;
}

static unsigned last_package(const struct numbered_box *list, size_t n)
{
	unsigned last = 0;

	for (size_t i = 0; i < n; i++)
		last = list[i].package > last ? list[i].package : last;
	return last;
}

/* Packages from first on with the same boxes. */
static unsigned end_of_run(const struct numbered_box *list, size_t n, unsigned first,
			   const char *boxes, unsigned end)
{
	unsigned package = first;
	bool same = true;

	while (same && ++package < end) {
		char *other = boxes_of(list, n, package);

		same = strcmp(boxes, other) == 0;
		free(other);
	}
	return package;
}

char *boxes_text(const struct numbered_box *list, size_t n)
{
	const unsigned end = last_package(list, n) + 1;
	char *text = text_of("%s", "");

	for (unsigned package = 0, next; package < end; package = next) {
		char *boxes = boxes_of(list, n, package);

		next = end_of_run(list, n, package, boxes, end);
		if (*boxes)
			text = text_and(text, "%s%s of package", *text ? "; " : "", boxes);
		if (*boxes && next == package + 1)
			text = text_and(text, " %u", package);
		else if (*boxes)
			text = text_and(text, "s %u-%u", package, next - 1);
		free(boxes);
	}
	return text;
}
