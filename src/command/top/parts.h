/* SPDX-License-Identifier: BSD-3-Clause */
/* parts.h - the parts that layout.c composes: rows.c, shades.c, boxes.c and map.c. */
#ifndef TOP_PARTS_H
#define TOP_PARTS_H

#include "command/top/layout.h"

#define LABEL  24 /* columns of a row's label */
#define COLUMN 11 /* ... of a metric */
#define CELL   7  /* ... of a box's number */

/* ---- rows.c ---- */

void rows_new(struct top_rows *r);
/* Write into the last row; text that does not fit is cut off. */
void rows_put(struct top_rows *r, unsigned column, unsigned style, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* Wrap a sentence over several rows, with continuation rows indented by two. */
void rows_put_folded(struct top_rows *r, unsigned style, const char *text);
/* How many parts of that width fit to the right of the label. */
unsigned rows_fit(const struct top_rows *r, unsigned width);

/* ---- shades.c ---- */

/* The range of values of boxes that are compared. */
struct range {
	bool scaled; /* each slice divided by its expected share */
	double low, high, sum;
	const struct top_box *least, *most;
	unsigned n;
};

struct range range_of(const struct top_metric *m);
/* A box's value, scaled like the range. */
struct top_value range_value(const struct range *g, const struct top_box *b);
unsigned shade_of(const struct range *g, double x);
/* The character of a shade, for screens without colours. */
char shade_letter(unsigned shade);

/*
 * The boxes of a package in the order of the screen: by number, or the highest value first.
 * Returns their number; to be freed.
 */
const struct top_box **boxes_in_order(const struct top_metric *m, unsigned package, bool sorted,
				      size_t *n);
/* Whether a box serves a node; NULL: no known one. */
bool is_of_node(const struct top_box *b, const char *node);
/* "imc3"; a kind is cut at its underscore if the name has more than that many characters. */
char *box_label(const struct top_metric *m, const struct top_box *b, size_t most);

/* ---- boxes.c, map.c ---- */

/* Numbers of all boxes of a package, below their names: of metrics from..to-1 of a section. */
void put_boxes(struct top_rows *r, const struct top_section *s, size_t from, size_t to,
	       unsigned package, bool sorted);
/* A cell for each box of each package, node by node where nodes are known. */
void put_map(struct top_rows *r, const struct top_view *v, const struct top_metric *m, bool sorted);

#endif
