/* SPDX-License-Identifier: BSD-3-Clause */
/* clocks.c - see clocks.h. */
#include "command/explain/clocks.h"

#include <stdlib.h>
#include <time.h>

#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/explain/ceilings.h"
#include "uncore_inspect.h"

static bool start_package(struct basket *b, unsigned package)
{
	const size_t part = basket_add_part(b, package);
	unsigned id;

	if (event_that_fits(b->u, &id, CLOCK_EVENT ":pkg=%u", package) != 0)
		return false;
	basket_add_event(b, part, id, 0);
	basket_start(b, package);
	return b->parts[part].up;
}

/* The time of a start is not known as well as that of a read. */
static int read_first(struct clocks *c, unsigned package)
{
	struct basket_set *s = &c->basket.units[package].sets[1];
	const int code = basket_read_closely(s);

	if (code == 0)
		c->first[package] = (struct clock_read){s->values[0], s->ns, s->took_ns};
	return code;
}

bool clocks_start(struct clocks *c, struct uncore *u)
{
	struct uncore_machine_info m = {.size = sizeof(m)};
	bool all = true;

	uncore_machine(u, &m);
	basket_new(&c->basket, u, m.packages, 0);
	c->at = need_memory(m.packages, sizeof(*c->at));
	c->first = need_memory(m.packages, sizeof(*c->first));
	for (unsigned p = 0; all && p < m.packages; p++)
		all = start_package(&c->basket, p) && read_first(c, p) == 0;
	return all;
}

int clocks_stop(struct clocks *c)
{
	int code = 0;

	for (unsigned p = 0; code == 0 && p < c->basket.n_units; p++) {
		struct basket_set *s = &c->basket.units[p].sets[1];
		const struct clock_read *first = &c->first[p];
		double seconds;

		code = basket_read_closely(s);
		seconds = 1e-9 * (double)(s->ns - first->ns);
		c->at[p].value = per_second((double)(s->values[0] - first->count), seconds);
		c->at[p].error =
			c->at[p].value *
			per_second(1e-9 * basket_doubt(s->shortest_ns, first->took_ns, s->took_ns),
				   seconds);
	}
	for (unsigned p = 0; p < c->basket.n_units; p++)
		basket_end(&c->basket.units[p]);
	return code;
}

void clocks_free(struct clocks *c)
{
	basket_free(&c->basket);
	free(c->at);
	free(c->first);
	*c = (struct clocks){.at = NULL};
}

/* ---- peaks ---- */

#define CLOCK_NS 20000000 /* ns; enough for an error of less than SURE */
#define SURE     0.01     /* relative */
#define TRIES    5        /* a busy computer delays reads */

static double *measure_peaks(struct uncore *u)
{
	struct clocks clocks;
	bool known = clocks_start(&clocks, u);
	double *peaks = need_memory(clocks.basket.n_units, sizeof(*peaks));

	if (known) {
		nanosleep(&(struct timespec){0, CLOCK_NS}, NULL);
		known = clocks_stop(&clocks) == 0;
	}
	for (unsigned p = 0; known && p < clocks.basket.n_units; p++) {
		peaks[p] = memory_peak(clocks.at[p].value);
		known = clocks.at[p].error < SURE * clocks.at[p].value;
	}
	clocks_free(&clocks);
	if (known)
		return peaks;
	free(peaks);
	return NULL;
}

double *peaks_of_clocks(struct uncore *u)
{
	double *peaks = NULL;

	for (unsigned i = 0; !peaks && i < TRIES; i++)
		peaks = measure_peaks(u);
	return peaks;
}
