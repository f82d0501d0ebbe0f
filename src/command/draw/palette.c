/* SPDX-License-Identifier: BSD-3-Clause */
/* palette.c - see palette.h. */
#include "command/draw/palette.h"

#include <stdio.h>

/* Yellow is left out because it is invisible on paper. */
static const char *const lines[DRAW_COLOURS] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
						"#000000", "#E69F00", "#56B4E9"};
static const char *const dashes[DRAW_PATTERNS] = {"", "6,3", "2,2", "8,3,2,3"};

const char *draw_line_colour(size_t i)
{
	return lines[i % DRAW_COLOURS];
}

/* Neighbours also differ in their dashes, for prints without colours. */
const char *draw_line_dashes(size_t i)
{
	return dashes[i % DRAW_PATTERNS];
}

/* Viridis (van der Walt and Smith, matplotlib; CC0) at equal distances. */
static const unsigned char viridis[][3] = {
	{68, 1, 84},    {72, 40, 120},  {62, 74, 137},  {49, 104, 142}, {38, 130, 142},
	{31, 158, 137}, {53, 183, 121}, {109, 205, 89}, {180, 222, 44}, {253, 231, 37},
};

#define LAST ((unsigned)(sizeof(viridis) / sizeof(*viridis)) - 1)

const char *draw_viridis(char colour[DRAW_COLOUR], unsigned shade)
{
	const double at = (double)shade * (double)LAST / (DRAW_SHADES - 1);
	const unsigned i = at < (double)LAST ? (unsigned)at : LAST - 1;
	unsigned c[3];

	for (unsigned k = 0; k < 3; k++) {
		const double low = viridis[i][k], high = viridis[i + 1][k];

		c[k] = (unsigned)(low + (at - (double)i) * (high - low) + 0.5) & 0xff;
	}
	snprintf(colour, DRAW_COLOUR, "#%02x%02x%02x", c[0], c[1], c[2]);
	return colour;
}
