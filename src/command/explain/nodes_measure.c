/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_measure.c - see nodes_measure.h. */
#include "command/explain/nodes_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/load/load.h"

#define ROUNDS       2
#define SECONDS      0.5
#define MOST_THREADS 8
#define LEAST_BYTES  ((size_t)16 << 20) /* of a thread */
#define SET_BOXES    64                 /* a metric may have several events */

/* ---- traffic ---- */

#define SIMULATED_LINES UINT64_C(2000000000)

static bool simulate(struct uncore *u, const struct uncore_node_info *node, int cpu, char *why,
		     size_t len)
{
	const struct uncore_load load = {.size = sizeof(load),
					 .cpu = (unsigned)cpu,
					 .memory_cpu = (unsigned)cpu,
					 .memory_node = node->node + 1,
					 .reads = SIMULATED_LINES,
					 .ns = 1000000000};

	if (uncore_simulate_load(u, &load) == 0)
		return true;
	uncore_errmsg(u, why, len);
	return false;
}

/* CPUs of the package; returns their number. */
static size_t find_cpus(struct uncore *u, int package, int cpus[MOST_THREADS])
{
	struct uncore_cpu_info info = {.size = sizeof(info)};
	size_t n = 0;

	for (unsigned i = 0; n < MOST_THREADS && uncore_cpu(u, i, &info) == 1; i++)
		if ((int)info.package == package)
			cpus[n++] = (int)info.cpu;
	return n;
}

bool node_traffic_run(void *of, const struct uncore_node_info *node, char *why, size_t len)
{
	struct uncore *u = of;
	struct uncore_machine_info m = {.size = sizeof(m)};
	struct load_member members[MOST_THREADS];
	int cpus[MOST_THREADS];
	const size_t n = find_cpus(u, node->package, cpus);
	size_t bytes;

	if (n == 0) {
		snprintf(why, len, "the package of %s has no CPU that can run a thread",
			 node->name);
		return false;
	}
	uncore_machine(u, &m);
	if (m.simulated)
		return simulate(u, node, cpus[0], why, len);
	bytes = load_memory_beyond_caches() / n / LOAD_LINE * LOAD_LINE;
	for (size_t i = 0; i < n; i++)
		members[i].wanted =
			(struct load_wanted){.kind = LOAD_READ,
					     .cpu = cpus[i],
					     .memory_cpu = cpus[i],
					     .memory_node = node->node + 1,
					     .bytes = bytes > LEAST_BYTES ? bytes : LEAST_BYTES};
	return load_run_together(members, n, SECONDS, why, len);
}

/* ---- counts ---- */

struct measurement {
	struct uncore *u;
	const struct node_list *numa;
	const struct node_traffic *traffic;
	struct node_boxes *boxes;
	unsigned *ids;            /* of each box */
	struct uncore_set **sets; /* of SET_BOXES boxes each */
	size_t n_sets;
	char *why;
	size_t len;
};

static bool failed(const struct measurement *m)
{
	uncore_errmsg(m->u, m->why, m->len);
	return false;
}

static bool add_kind(struct measurement *m, const char *kind, const char *event)
{
	struct uncore_box_info info = {.size = sizeof(info)};
	struct node_boxes *b = m->boxes;

	for (unsigned i = 0; uncore_box(m->u, i, &info) == 1; i++) {
		char *name;
		int code;

		if (strcmp(info.kind, kind) != 0 || info.absent)
			continue;
		b->at = need_more(b->at, b->n + 1, sizeof(*b->at));
		m->ids = need_more(m->ids, b->n + 1, sizeof(*m->ids));
		b->at[b->n] = (struct node_box){kind, info.package, info.index};
		name = text_of("%s:box=%u:pkg=%u", event, info.index, info.package);
		code = uncore_event(m->u, name, &m->ids[b->n++]);
		free(name);
		if (code < 0)
			return failed(m);
	}
	return true;
}

static bool find_boxes(struct measurement *m)
{
	const char *kind, *event;

	for (unsigned i = 0; uncore_node_kind(m->u, i, &kind, &event) == 1; i++)
		if (!add_kind(m, kind, event))
			return false;
	if (m->boxes->n)
		return true;
	snprintf(m->why, m->len, "no box of this machine belongs to a NUMA node");
	return false;
}

static bool make_sets(struct measurement *m)
{
	const size_t n = m->boxes->n;

	m->sets = need_memory(n / SET_BOXES + 1, sizeof(*m->sets));
	for (size_t first = 0; first < n; first += SET_BOXES) {
		const size_t boxes = n - first < SET_BOXES ? n - first : SET_BOXES;

		if (uncore_set_create(m->u, &m->sets[m->n_sets]) < 0 ||
		    uncore_set_assign(m->sets[m->n_sets++], &m->ids[first], boxes) < 0)
			return failed(m);
	}
	return true;
}

/* Stop the sets that were started, and read them; good: as far as everything succeeded. */
static bool stop_sets(const struct measurement *m, size_t started, int64_t *counts, bool good)
{
	for (size_t i = 0; i < started; i++) {
		const int stopped = uncore_set_stop(m->sets[i]);

		if (stopped < 0 || uncore_set_read(m->sets[i], &counts[i * SET_BOXES]) < 0)
			good = good ? failed(m) : false;
	}
	return good;
}

static bool count_node(const struct measurement *m, size_t node, int64_t *counts)
{
	size_t started = 0;
	bool good = true;

	while (good && started < m->n_sets) {
		good = uncore_set_start(m->sets[started]) == 0 || failed(m);
		started += good;
	}
	good = good && m->traffic->run(m->traffic->of, &m->numa->nodes[node], m->why, m->len);
	return stop_sets(m, started, counts, good);
}

/* Boxes of another package cannot be recognized if the node's own package is unknown. */
static bool check_nodes(const struct measurement *m)
{
	for (size_t i = 0; i < m->numa->n; i++)
		if (m->numa->nodes[i].package < 0) {
			snprintf(m->why, m->len, "the package of %s is not known",
				 m->numa->nodes[i].name);
			return false;
		}
	return true;
}

static bool measure_round(const struct measurement *m, bool *is)
{
	const size_t n = m->boxes->n;
	int64_t *counts = need_memory(m->numa->n * n, sizeof(*counts));
	bool good = true;

	for (size_t node = 0; good && node < m->numa->n; node++)
		good = count_node(m, node, &counts[node * n]);
	good = good && nodes_conclude(m->numa, m->boxes, counts, is, m->why, m->len);
	free(counts);
	return good;
}

static bool measure_rounds(const struct measurement *m, bool *is)
{
	const size_t n = m->numa->n * m->boxes->n;
	bool *again = need_memory(n, sizeof(*again)), good = measure_round(m, is);

	for (int i = 1; good && i < ROUNDS; i++) {
		good = measure_round(m, again);
		if (good && memcmp(is, again, n * sizeof(*is)) != 0) {
			snprintf(m->why, m->len,
				 "two measurements differ: stop other programs and measure again");
			good = false;
		}
	}
	free(again);
	return good;
}

bool nodes_measure(struct uncore *u, const struct node_list *numa,
		   const struct node_traffic *traffic, struct node_boxes *boxes, bool **is,
		   char *why, size_t len)
{
	struct measurement m = {
		.u = u, .numa = numa, .traffic = traffic, .boxes = boxes, .why = why, .len = len};
	bool good;

	*boxes = (struct node_boxes){NULL, 0};
	*is = NULL;
	good = check_nodes(&m) && find_boxes(&m) && make_sets(&m);
	if (good) {
		*is = need_memory(numa->n * boxes->n, sizeof(**is));
		good = measure_rounds(&m, *is);
	}
	for (size_t i = 0; i < m.n_sets; i++)
		uncore_set_destroy(m.sets[i]);
	free(m.sets);
	free(m.ids);
	return good;
}
