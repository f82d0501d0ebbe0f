/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * roof.c - the memory traffic of each package, and of each phase, below the limit of its mix of
 * reads and writes.
 */
#include <math.h>
#include <stdlib.h>

#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/draw/axis.h"
#include "command/draw/svg.h"
#include "command/explain/pictures.h"

#define WIDTH  760.0
#define HEIGHT 340.0
#define STEPS  20

static const struct svg_box frame = {70, 20, 560, 260};
static const char *const colors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};

#define COLORS (sizeof(colors) / sizeof(*colors))

struct roof {
	FILE *out;
	const struct explanation *e;
	struct draw_axis axis; /* of bytes/s */
};

/* ---- values ---- */

static double limit_at(const struct explanation *e, unsigned package, double reads)
{
	const double measured = ceiling_of_mix(&e->ceilings, package, reads);

	return measured > 0 ? measured : memory_limit(&e->ceilings, &e->whole.facts, package).bytes;
}

static double highest(const struct explanation *e)
{
	double most = 0;

	for (unsigned p = 0; p < e->whole.facts.packages; p++) {
		most = fmax(most, memory_traffic(&e->whole.facts.at[p]));
		for (int i = 0; i <= STEPS; i++)
			most = fmax(most, limit_at(e, p, (double)i / STEPS));
	}
	return most;
}

static struct svg_point place(const struct roof *r, double reads, double bytes)
{
	return (struct svg_point){frame.x + reads * frame.width,
				  frame.y + frame.height * (1 - bytes / r->axis.high)};
}

/* ---- parts ---- */

static void draw_axes(const struct roof *r)
{
	char text[RATE_TEXT];

	svg_frame(r->out, frame);
	for (int i = 0; i <= 4; i++) {
		const struct svg_point x = place(r, i / 4.0, 0);
		char percent[16];

		snprintf(percent, sizeof(percent), "%d %%", 25 * i);
		svg_text(r->out, (struct svg_point){x.x, x.y + 18}, SVG_MIDDLE, 12, percent);
	}
	for (unsigned i = 0; i < r->axis.n; i++) {
		const double bytes = r->axis.low + i * r->axis.step;
		const struct svg_point y = place(r, 0, bytes);

		rate_text(text, "bytes", bytes, 1);
		svg_text(r->out, (struct svg_point){y.x - 6, y.y + 4}, SVG_END, 12, text);
	}
	svg_text(r->out, (struct svg_point){frame.x + frame.width / 2, HEIGHT - 20}, SVG_MIDDLE, 12,
		 "share of reads");
}

static void draw_limit(const struct roof *r, unsigned package)
{
	char *name = text_of("limit of socket %u", package);

	svg_begin_curve(r->out, colors[package % COLORS], "6,3");
	for (int i = 0; i <= STEPS; i++)
		svg_point_to(
			r->out,
			place(r, (double)i / STEPS, limit_at(r->e, package, (double)i / STEPS)),
			i == 0);
	svg_end_curve(r->out, name);
	free(name);
}

static void draw_point(const struct roof *r, const struct package_facts *p, unsigned package,
		       double size)
{
	const double reads = p->rate[Q_READ] / memory_traffic(p);
	struct svg_point at;

	if (isnan(reads))
		return;
	at = place(r, reads, memory_traffic(p));
	svg_rect(r->out, (struct svg_box){at.x - size / 2, at.y - size / 2, size, size},
		 colors[package % COLORS]);
}

static void draw_package(const struct roof *r, unsigned package)
{
	const double y = frame.y + 14 + 18 * package;
	const double x = frame.x + frame.width + 14;
	char *name = text_of("socket %u", package);

	draw_limit(r, package);
	for (size_t i = 0; i < r->e->n_phases; i++)
		draw_point(r, &r->e->phases[i].facts.at[package], package, 5);
	draw_point(r, &r->e->whole.facts.at[package], package, 10);
	svg_rect(r->out, (struct svg_box){x, y - 9, 10, 10}, colors[package % COLORS]);
	svg_text(r->out, (struct svg_point){x + 16, y}, SVG_START, 12, name);
	free(name);
}

void draw_roof(FILE *out, const struct explanation *e)
{
	const double most = highest(e);
	const struct roof r = {out, e, draw_axis_to(most, 4)};

	if (!(most > 0))
		return;
	svg_begin(out, WIDTH, HEIGHT, 0, "Memory traffic and its limit");
	draw_axes(&r);
	for (unsigned p = 0; p < e->whole.facts.packages; p++)
		draw_package(&r, p);
	svg_text(out, (struct svg_point){frame.x + frame.width + 14, frame.y + frame.height},
		 SVG_START, 12, "dashed: limit");
	svg_finish(out);
}
