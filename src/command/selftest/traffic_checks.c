/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic_checks.c - the CPUs that run loads, and events that count each line of a load. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/selftest/traffic.h"

/* Flags of an event: the traffic it counts, and in which package. */
#define REMOTE  1u /* the memory is the next package's */
#define AT_HOME 2u /* counted in the package of the memory, not of the requesting CPU */
#define WRITES  4u /* counts written lines, not read ones */

static const struct known_gain {
	const char *what, *event;
	enum selftest_kernel kernel;
	double tolerance;
	unsigned how;
	double unit; /* counts per line */
} known_gains[] = {
	{"memory: reads", "UNCORE_MEM_READ_BYTES", SELFTEST_READ, TOLERANCE_MEMORY, AT_HOME, LINE},
	{"memory: stores", "UNCORE_MEM_WRITE_BYTES", SELFTEST_WRITE, TOLERANCE_MEMORY,
	 AT_HOME | WRITES, LINE},
	{"memory: reads of a copy", "UNCORE_MEM_READ_BYTES", SELFTEST_COPY, TOLERANCE_MEMORY,
	 AT_HOME, LINE},
	{"memory: stores of a copy", "UNCORE_MEM_WRITE_BYTES", SELFTEST_COPY, TOLERANCE_MEMORY,
	 AT_HOME | WRITES, LINE},
	{"memory: reads from another package", "UNCORE_MEM_READ_BYTES", SELFTEST_READ,
	 TOLERANCE_MEMORY, REMOTE | AT_HOME, LINE},
	{"links: received data", "UNCORE_SOCKET_IN_BYTES", SELFTEST_READ, TOLERANCE_LINK, REMOTE,
	 LINE},
	{"links: sent data", "UNCORE_SOCKET_OUT_BYTES", SELFTEST_READ, TOLERANCE_LINK,
	 REMOTE | AT_HOME, LINE},
	{"cache: lookups", "UNCORE_LLC_LOOKUPS", SELFTEST_CHASE, TOLERANCE_CACHE, 0, 1},
	{"cache: misses", "UNCORE_LLC_MISSES", SELFTEST_CHASE, TOLERANCE_CACHE, 0, 1},
	{"TOR: data reads", "UNCORE_TOR_DRD_REQUESTS", SELFTEST_CHASE, TOLERANCE_CACHE, 0, 1},
	{"TOR: other requests", "UNCORE_TOR_RFO_REQUESTS", SELFTEST_CHASE, TOLERANCE_CACHE, 0, 0},
};

static char *expected_text(const struct known_gain *k)
{
	const char *moved = (k->how & WRITES) ? "written" : "read";

	if (k->unit <= 0)
		return text_of("a pointer chase adds nothing to %s", k->event);
	return text_of("each line %s adds %.0f to %s in the package that %s, and nothing in "
		       "other packages",
		       moved, k->unit, k->event,
		       (k->how & AT_HOME) ? "has the memory" : "requests it");
}

static int gain_all(const struct traffic *x, struct selftest_load *load, const struct known_gain *k,
		    double *gained)
{
	unsigned *ids = need_memory(x->packages, sizeof(*ids));
	int r = 0;

	for (unsigned p = 0; r == 0 && p < x->packages; p++)
		r = event_of(x, k->event, p, &ids[p]);
	if (r == 0)
		r = gain_of(x, load, ids, x->packages, gained);
	free(ids);
	return r;
}

/* A load of package `from`, and all packages. */
static int look_at_gain(const struct traffic *x, struct selftest_load *load, unsigned from,
			const void *arg, struct worst_gain *w)
{
	const struct known_gain *k = arg;
	const unsigned to = memory_of(x, from, k->how & REMOTE);
	double *gained = need_memory(x->packages, sizeof(*gained));
	const int r = gain_all(x, load, k, gained);
	const double lines = (double)((k->how & WRITES) ? load->writes : load->reads);
	char where[128];

	*w = (struct worst_gain){.difference = 0};
	for (unsigned p = 0; r == 0 && p < x->packages; p++) {
		const bool is_counted = p == ((k->how & AT_HOME) ? to : from);

		snprintf(where, sizeof(where),
			 "with a load on CPU %u in memory of package %u, package %u", load->cpu, to,
			 p);
		note_gain(w, gained[p], is_counted ? lines * k->unit : 0,
			  lines * (k->unit > 0 ? k->unit : 1), where);
	}
	free(gained);
	return r;
}

static void check_gain(const struct traffic *x, const struct known_gain *k)
{
	const struct load_check check = {.kernel = k->kernel,
					 .remote = k->how & REMOTE,
					 .tolerance = k->tolerance,
					 .look = look_at_gain,
					 .arg = k};

	check_packages(x, &check, text_of("%s", k->what), expected_text(k));
}

static void check_known_gains(const struct traffic *x)
{
	for (size_t i = 0; i < sizeof(known_gains) / sizeof(*known_gains); i++) {
		const struct known_gain *k = &known_gains[i];

		if ((k->how & REMOTE) && x->packages < 2)
			report_check(x->t, SELFTEST_SKIP, text_of("%s", k->what), expected_text(k),
				     text_of("the machine has only one package"));
		else
			check_gain(x, k);
	}
}

/* ---- places ---- */

/* The first and the last CPU of each package, by their numbers. */
static int find_places(struct traffic *x)
{
	struct uncore_cpu_info cpu = {.size = sizeof(cpu)};
	int r;

	for (unsigned i = 0; (r = uncore_cpu(x->t->u, i, &cpu)) == 1; i++) {
		struct place *p = cpu.package < x->packages ? &x->at[cpu.package] : NULL;

		if (p && !p->known)
			*p = (struct place){true, cpu.cpu, cpu.cpu};
		if (p)
			p->last = cpu.cpu;
	}
	return r;
}

static bool all_known(const struct traffic *x)
{
	for (unsigned p = 0; p < x->packages; p++)
		if (!x->at[p].known)
			return false;
	return true;
}

void check_traffic(struct testee *t)
{
	struct traffic x = {t, t->info.packages, need_memory(t->info.packages, sizeof(*x.at))};
	int r = t->time->traffic ? find_places(&x) : 0;

	if (r < 0)
		report_refusal(t, r, text_of("traffic"), text_of("loads on a CPU of each package"));
	else if (!t->time->traffic || !all_known(&x))
		report_check(t, SELFTEST_SKIP, text_of("traffic"),
			     text_of("loads on a CPU of each package"),
			     text_of("%s", t->time->traffic ? "a package has no online CPU"
							    : "cannot generate traffic here"));
	else {
		check_known_gains(&x);
		check_channels(&x);
		check_home(&x);
		check_threads(&x);
		check_latency(&x);
	}
	free(x.at);
}
