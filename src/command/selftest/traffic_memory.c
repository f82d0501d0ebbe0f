/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic_memory.c - each channel alone, and home agents compared with memory controllers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/selftest/traffic.h"

/* ---- channels ---- */

/* The read event of each channel of one package, and its box. */
struct channels {
	size_t n;
	unsigned ids[MOST_EVENTS], box[MOST_EVENTS];
	char kind[32];
};

/* The events that the metric consists of. */
static int find_channels(const struct traffic *x, unsigned package, struct channels *c)
{
	struct uncore_assignment_info a = {.size = sizeof(a)};
	struct uncore_plan *plan = NULL;
	unsigned id;
	int r = event_of(x, "UNCORE_MEM_READ_BYTES", package, &id);

	c->n = 0;
	if (r == 0)
		r = uncore_plan(x->t->u, &id, 1, NULL, &plan);
	for (unsigned i = 0;
	     r == 0 && c->n < MOST_EVENTS && uncore_plan_assignment(plan, i, &a) == 1; i++) {
		const struct uncore_box_info box = {
			.kind = a.kind, .index = a.box, .package = package};

		snprintf(c->kind, sizeof(c->kind), "%s", a.kind);
		c->box[c->n] = a.box;
		r = raw_event(x->t, &box, a.control, &c->ids[c->n++]);
	}
	uncore_plan_free(plan);
	return r;
}

/* Channel i alone should count the same as together with the others. */
static int compare_channel(const struct traffic *x, struct selftest_load *load, unsigned package,
			   const struct channels *c, size_t i, double together,
			   struct worst_gain *w)
{
	char where[128], name[BOX_NAME];
	double alone;
	const int r = gain_of(x, load, &c->ids[i], 1, &alone);

	snprintf(where, sizeof(where), "%s of package %u, alone,",
		 box_name(name, c->kind, c->box[i]), package);
	if (r == 0)
		note_gain(w, alone, together, (double)load->reads / (double)c->n, where);
	return r;
}

static int look_at_channels(const struct traffic *x, struct selftest_load *load, unsigned package,
			    const void *none, struct worst_gain *w)
{
	double together[MOST_EVENTS];
	struct channels c;
	int r = find_channels(x, package, &c);

	(void)none;
	*w = (struct worst_gain){.difference = 0};
	if (r == 0)
		r = gain_of(x, load, c.ids, c.n, together);
	for (size_t i = 0; r == 0 && i < c.n; i++)
		r = compare_channel(x, load, package, &c, i, together[i], w);
	return r;
}

/* On Nehalem-EX another register selects the commands that a memory controller counts. */
static bool chosen_otherwise(const struct traffic *x)
{
	return strstr("nhmex wsmex", x->t->info.platform) != NULL;
}

void check_channels(const struct traffic *x)
{
	static const struct load_check check = {
		.kernel = SELFTEST_READ, .tolerance = TOLERANCE_CHANNEL, .look = look_at_channels};
	char *what = text_of("memory: each channel");
	char *expected = text_of("a channel counts the same alone as with the others");

	if (chosen_otherwise(x))
		report_check(x->t, SELFTEST_SKIP, what, expected,
			     text_of("not supported: its channels have a separate event select "
				     "register"));
	else
		check_packages(x, &check, what, expected);
}

/* ---- home agents ---- */

/* Events of home agents, M2M and B2CMI for requests to the memory controllers. */
static const struct home {
	const char *reads, *writes;
} homes[] = {
	{"UNC_H_REQUESTS:READS", "UNC_H_REQUESTS:WRITES"},
	{"UNC_M2_IMC_READS:ALL", "UNC_M2_IMC_WRITES:ALL"},
	{"UNC_M2M_IMC_READS:ALL", "UNC_M2M_IMC_WRITES:ALL"},
	/* Intel's event lists of Granite Rapids, Sierra Forest and Clearwater Forest */
	{"gnr_unc_b2cmi::RAW:config=0x100000424", "gnr_unc_b2cmi::RAW:config=0x100001025"},
	{"srf_unc_b2cmi::RAW:config=0x100000424", "srf_unc_b2cmi::RAW:config=0x100001025"},
	{"cwf_unc_b2cmi::RAW:config=0x100000424", "cwf_unc_b2cmi::RAW:config=0x100001025"},
};

/* An event of these boxes, and the equivalent at the memory controllers. */
struct home_events {
	const char *home, *memory;
};

static struct home_events find_method(const struct traffic *x, bool writes)
{
	struct home_events events = {NULL,
				     writes ? "UNCORE_MEM_WRITE_BYTES" : "UNCORE_MEM_READ_BYTES"};
	unsigned id;

	for (size_t i = 0; !events.home && i < sizeof(homes) / sizeof(*homes); i++) {
		const char *name = writes ? homes[i].writes : homes[i].reads;

		if (uncore_event(x->t->u, name, &id) == 0)
			events.home = name;
	}
	return events;
}

/* Both are counted in one window, so that both include other traffic. */
static int look_at_home(const struct traffic *x, struct selftest_load *load, unsigned package,
			const void *arg, struct worst_gain *w)
{
	const struct home_events *events = arg;
	unsigned ids[2];
	int64_t counts[2];
	char where[64];
	int r = event_of(x, events->home, package, &ids[0]);

	if (r == 0)
		r = event_of(x, events->memory, package, &ids[1]);
	if (r == 0)
		r = count_load(x, load, ids, 2, counts);
	snprintf(where, sizeof(where), "package %u", package);
	*w = (struct worst_gain){.difference = 0};
	if (r == 0)
		note_gain(w, (double)counts[0], (double)counts[1] / LINE, (double)counts[1] / LINE,
			  where);
	return r;
}

static void check_one_home(const struct traffic *x, bool writes)
{
	const struct home_events events = find_method(x, writes);
	const struct load_check check = {.kernel = writes ? SELFTEST_WRITE : SELFTEST_READ,
					 .tolerance = TOLERANCE_HOME,
					 .look = look_at_home,
					 .arg = &events};
	char *what = text_of("memory: %s at home agents", writes ? "writes" : "reads");

	if (events.home)
		check_packages(
			x, &check, what,
			text_of("%s equals the count of the memory controllers", events.home));
	else
		report_check(x->t, SELFTEST_SKIP, what,
			     text_of("equal to the count of the memory controllers"),
			     text_of("no known event counts them on the way to the memory "
				     "controllers"));
}

void check_home(const struct traffic *x)
{
	check_one_home(x, false);
	check_one_home(x, true);
}
