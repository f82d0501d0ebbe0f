/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.h - a view as rows of characters with styles, independent of terminals. */
#ifndef TOP_LAYOUT_H
#define TOP_LAYOUT_H

#include "command/top/view.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TOP_MIN_WIDTH 40 /* narrower screens cut off rows */

#define TOP_SHADES 10 /* of a heat map, from low to high */

enum top_style {
	TOP_PLAIN,
	TOP_TITLE,
	TOP_HEADING,
	TOP_DIM,
	TOP_ALERT,
	TOP_SHADED,                         /* a number, on the first shade ... */
	TOP_CELL = TOP_SHADED + TOP_SHADES, /* a cell whose character represents its shade ... */
	TOP_STYLES = TOP_CELL + TOP_SHADES
};

struct top_rows {
	unsigned width;
	size_t n;
	char *text;           /* n * width characters of ASCII; blanks at the ends of rows */
	unsigned char *style; /* enum top_style of each */
};

/* The choices of the user. */
struct top_display {
	bool sorted;      /* boxes with the highest value first, instead of by number */
	bool system_only; /* without packages and boxes */
	bool paused;
};

/*
 * Fill rows, which are zeroed or from an earlier call; text and style are to be freed.  A machine
 * with several packages has a row with their sums.  display may be NULL: everything is shown.
 */
void top_layout(const struct top_view *view, const struct top_display *display, unsigned width,
		struct top_rows *rows);

#ifdef __cplusplus
}
#endif
#endif
