/* SPDX-License-Identifier: BSD-3-Clause */
/* svg.c - rows over time as pictures: lines, and rows of shades. */
#include "command/draw/picture.h"
#include "command/emit/emit.h"

static void emit_lines(const struct emission *to, const struct rows *rows)
{
	if (rows->type->draw)
		rows->type->draw(rows->of, to->out);
	else
		draw_lines(to->out, rows->type->picture(rows->of));
}

static void emit_heatmap(const struct emission *to, const struct rows *rows)
{
	draw_heatmap(to->out, rows->type->picture(rows->of));
}

const struct emitter lines_emitter = {"svg", NULL, emit_lines};
const struct emitter heatmap_emitter = {"heatmap", NULL, emit_heatmap};
