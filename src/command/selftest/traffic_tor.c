/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic_tor.c - TOR entries: the core they belong to, and how long they last.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/selftest/traffic.h"

/* ---- filters ---- */

/* Demand data reads of one core's first thread: filter value base + core * step. */
static const struct core_filter {
	const char *platforms, *event;
	uint64_t base, step;
} filters[] = {
	{"snbep ivbep hswep bdx", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:cf=%" PRIu64, 0, 1},
	{"skx", "skx_unc_cha::RAW:config=0x83135:config1=%" PRIu64, UINT64_C(0x4043300000000), 8},
	{"icx spr emr", "UNC_CHA_TOR_INSERTS:IA_DRD:tf=%" PRIu64, 0, 8},
	{"gnr", "gnr_unc_cha::RAW:config=0xc817ff00010135:config1=%" PRIu64, 0, 8},
};

#define MOST_CORES 128 /* tried in a filter */

static const struct core_filter *find_filter(const struct traffic *x)
{
	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++)
		if (strstr(filters[i].platforms, x->t->info.platform))
			return &filters[i];
	return NULL;
}

static int core_event(const struct traffic *x, const struct core_filter *f, unsigned package,
		      unsigned core, unsigned *id)
{
	const uint64_t value = f->base + core * f->step;
	char name[UNCORE_NAME_MAX];

	snprintf(name, sizeof(name), f->event, value);
	return event_of(x, name, package, id);
}

/* The share of a load that the filter of a core counts. */
static int part_seen(const struct traffic *x, struct selftest_load *load,
		     const struct core_filter *f, unsigned package, unsigned core, double *part)
{
	unsigned id;
	double gained;
	int r = core_event(x, f, package, core, &id);

	if (r == 0)
		r = gain_of(x, load, &id, 1, &gained);
	if (r == 0)
		*part = gained / (double)load->reads;
	return r;
}

/* The first core whose filter counts most of a load, or -1.  Names end with the last core. */
static int find_core(const struct traffic *x, struct selftest_load *load,
		     const struct core_filter *f, unsigned package, int *core)
{
	double part;
	int r = 0;

	*core = -1;
	for (unsigned c = 0; *core < 0 && c < MOST_CORES; c++) {
		r = part_seen(x, load, f, package, c, &part);
		if (r != 0)
			return c > 0 && r == UNCORE_EATTR ? 0 : r;
		if (part > 0.5)
			*core = (int)c;
	}
	return r;
}

/* The filter of a core counts a load on this core, but not a load on another core. */
static int compare_cores(const struct traffic *x, struct selftest_load *here,
			 struct selftest_load *other_load, const struct core_filter *f,
			 unsigned package, struct worst_gain *w)
{
	double own = 0, other = 0;
	char where[128];
	int core, r = find_core(x, here, f, package, &core);

	*w = (struct worst_gain){.difference = 1};
	snprintf(w->seen, sizeof(w->seen), "no core filter matched a load on CPU %u", here->cpu);
	if (r != 0 || core < 0)
		return r;
	*w = (struct worst_gain){.difference = 0};
	r = part_seen(x, here, f, package, (unsigned)core, &own);
	if (r == 0)
		r = part_seen(x, other_load, f, package, (unsigned)core, &other);
	if (r != 0)
		return r;
	snprintf(where, sizeof(where), "the filter of core %d, with a load on CPU %u,", core,
		 here->cpu);
	note_gain(w, own * (double)here->reads, (double)here->reads, (double)here->reads, where);
	snprintf(where, sizeof(where), "the filter of core %d, with a load on CPU %u,", core,
		 other_load->cpu);
	note_gain(w, other * (double)other_load->reads, 0, (double)other_load->reads, where);
	return r;
}

static int look_at_threads(const struct traffic *x, struct selftest_load *here, unsigned package,
			   const void *filter, struct worst_gain *w)
{
	const struct selftest_traffic *made = x->t->time->traffic;
	struct selftest_load other_load = {.kernel = SELFTEST_CHASE,
					   .cpu = x->at[package].last,
					   .memory_cpu = x->at[package].last};
	int r = NO_LOAD;

	if (made->prepare(made->arg, &other_load))
		r = compare_cores(x, here, &other_load, filter, package, w);
	else
		snprintf(here->why, sizeof(here->why), "%s", other_load.why);
	made->end(made->arg, &other_load);
	return r;
}

static const char *no_filter(const struct traffic *x, const struct core_filter *f)
{
	if (!f)
		return "no known core filter for data reads";
	for (unsigned p = 0; p < x->packages; p++)
		if (x->at[p].first == x->at[p].last)
			return "a package has only one CPU";
	return NULL;
}

void check_threads(const struct traffic *x)
{
	const struct core_filter *f = find_filter(x);
	const struct load_check check = {.kernel = SELFTEST_CHASE,
					 .tolerance = TOLERANCE_CACHE,
					 .look = look_at_threads,
					 .arg = f};
	const char *why = no_filter(x, f);
	char *what = text_of("TOR: filter for a core");
	char *expected = text_of("it matches the data reads of its core only");

	if (why)
		report_check(x->t, SELFTEST_SKIP, what, expected, text_of("%s", why));
	else
		check_packages(x, &check, what, expected);
}

/* ---- latency ---- */

static const char *const latency[] = {"UNCORE_TOR_DRD_MISS_OCCUPANCY",
				      "UNCORE_TOR_DRD_MISS_REQUESTS"};

/* The frequency of the clock that counts TOR occupancy. */
static int frequency(const struct traffic *x, struct selftest_load *load, unsigned package,
		     double *hz)
{
	int64_t value = 0;
	unsigned id;
	int r = event_of(x, "UNCORE_FREQUENCY", package, &id);

	if (r == 0)
		r = count_load(x, load, &id, 1, &value);
	*hz = uncore_real(value);
	return r;
}

/* The TOR latency of a read, in ns, for the load alone. */
static int tor_ns(const struct traffic *x, struct selftest_load *load, unsigned package, double *ns)
{
	double gained[2] = {0, 0}, hz;
	unsigned ids[2];
	int r = frequency(x, load, package, &hz);

	for (size_t i = 0; r == 0 && i < 2; i++)
		r = event_of(x, latency[i], package, &ids[i]);
	if (r == 0)
		r = gain_of(x, load, ids, 2, gained);
	*ns = r == 0 && gained[1] > 0 && hz > 0 ? 1e9 * gained[0] / gained[1] / hz : 0;
	return r;
}

static int look_at_latency(const struct traffic *x, struct selftest_load *load, unsigned package,
			   const void *none, struct worst_gain *w)
{
	double seen, chase;
	int r = tor_ns(x, load, package, &seen);

	(void)none;
	chase = load->reads > 0 ? (double)load->ns / (double)load->reads : 0;
	w->difference = chase > 0 ? fabs(seen - chase) / chase : 1;
	snprintf(w->seen, sizeof(w->seen),
		 "%.1f ns in the TOR of package %u, %.1f ns per read in the pointer chase", seen,
		 package, chase);
	return r;
}

void check_latency(const struct traffic *x)
{
	static const struct load_check check = {
		.kernel = SELFTEST_CHASE, .tolerance = TOLERANCE_LATENCY, .look = look_at_latency};

	check_packages(x, &check, text_of("TOR: latency"),
		       text_of("equal to the time of a read in a pointer chase"));
}
