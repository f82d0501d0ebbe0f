/* SPDX-License-Identifier: BSD-3-Clause */
/* palette.h - colours distinguishable to colour-blind readers and in greyscale prints. */
#ifndef DRAW_PALETTE_H
#define DRAW_PALETTE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DRAW_COLOURS  7
#define DRAW_PATTERNS 4

/* Style of line i: 7 of Okabe and Ito's colours, then the same colours with four dash patterns. */
const char *draw_line_colour(size_t i);
const char *draw_line_dashes(size_t i);

#define DRAW_SHADES 64
#define DRAW_COLOUR 8

/* Of viridis, from dark (0) to bright; returns colour, "#440154". */
const char *draw_viridis(char colour[DRAW_COLOUR], unsigned shade);

#ifdef __cplusplus
}
#endif
#endif
