/* SPDX-License-Identifier: BSD-3-Clause */
/* judge_memory.c - diagnoses of memory, links and the last-level cache. */
#include <string.h>

#include "command/base/box.h"
#include "command/base/text.h"
#include "command/explain/judge.h"

#define LINE 64 /* bytes */

/* ---- memory bandwidth ---- */

static double bound_by_bandwidth(const struct judged *v)
{
	return v->limit.measured ? ramp(v->used, 0.60, 0.90) : ramp(v->used, 0.50, 0.80);
}

static char *bandwidth_evidence(const struct judged *v)
{
	char used[RATE_TEXT], most[RATE_TEXT];

	return text_of("UNCORE_MEM_READ_BYTES + UNCORE_MEM_WRITE_BYTES:pkg=%u %s of %s (%s)",
		       v->package, bandwidth(used, memory_traffic(v->p)),
		       bandwidth(most, v->limit.bytes),
		       v->limit.measured ? "measured" : "theoretical peak");
}

/* The other packages have at least half of this one's traffic. */
static bool others_work(const struct judged *v)
{
	for (unsigned p = 0; p < v->facts->packages; p++)
		if (memory_traffic(&v->facts->at[p]) < 0.5 * memory_traffic(v->p))
			return false;
	return true;
}

double judge_bandwidth(const struct judged *v, struct texts *t)
{
	const double confidence = others_work(v) ? bound_by_bandwidth(v) : 0;

	if (confidence < CONFIDENT)
		return 0;
	t->sentence =
		text_of("bound by the memory bandwidth of package %u: %.0f %% of it is in use",
			v->package, percent(v->used));
	t->evidence = bandwidth_evidence(v);
	return confidence;
}

double judge_one_package(const struct judged *v, struct texts *t)
{
	const double confidence = others_work(v) ? 0 : bound_by_bandwidth(v);

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of("bound by the memory bandwidth of package %u alone: %.0f %% of it is "
			      "in use, while another package has less than half of this traffic",
			      v->package, percent(v->used));
	t->evidence = bandwidth_evidence(v);
	return confidence;
}

/* ---- latency ---- */

#define MOST_IN_FLIGHT 2.5 /* of the 10 and more that a core can have */

double judge_latency(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double in_flight = ratio_of(p, Q_IN_FLIGHT, Q_UCLK);
	const double active = ratio_of(p, Q_ACTIVE, Q_PCU);
	const double each = in_flight / active;
	const double ns = ratio_of(p, Q_IN_FLIGHT, Q_MISSES) / p->rate[Q_UCLK] * 1e9;
	const bool possible = v->used < 0.45 && active > 0.2 && ns > 0 && each < MOST_IN_FLIGHT;
	const double confidence = possible ? ramp(each, 0.35, 0.75) : 0;

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"bound by the latency of memory: each active core of package %u waits for %.1f reads at "
		"a time, %.0f ns each",
		v->package, each, ns);
	t->evidence = text_of(
		"%s / UNCORE_CLOCKTICKS %.2f in flight; %.1f active cores; %.0f %% of the bandwidth",
		p->name[Q_IN_FLIGHT], in_flight, active, percent(v->used));
	return confidence;
}

/* ---- channels ---- */

struct spread {
	const struct box_fact *least, *most;
	double mean;
	size_t n;
};

/* Slices are divided by their expected shares. */
static double weighted(const struct box_facts *boxes, const struct box_fact *box)
{
	return box->expected > 0 ? box->rate / (box->expected * (double)boxes->n) : box->rate;
}

static bool same_node(const struct box_fact *a, const struct box_fact *b)
{
	return a->node && b->node ? strcmp(a->node, b->node) == 0 : a->node == b->node;
}

/* Of the boxes of the same node as one of them; NULL: of all. */
static struct spread spread_of(const struct box_facts *boxes, const struct box_fact *of)
{
	struct spread s = {.mean = 0};

	for (size_t i = 0; i < boxes->n; i++) {
		const struct box_fact *box = &boxes->at[i];
		const double value = weighted(boxes, box);

		if (of && !same_node(box, of))
			continue;
		s.n++;
		s.mean += value;
		if (!s.least || value < weighted(boxes, s.least))
			s.least = box;
		if (!s.most || value > weighted(boxes, s.most))
			s.most = box;
	}
	s.mean = s.n ? s.mean / (double)s.n : 0;
	return s;
}

static bool is_first_of_node(const struct box_facts *boxes, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_node(&boxes->at[k], &boxes->at[i]))
			return false;
	return true;
}

/* Whether the boxes of a package serve several nodes, and the nodes are known. */
static bool are_of_nodes(const struct box_facts *boxes)
{
	for (size_t i = 1; i < boxes->n; i++)
		if (!same_node(&boxes->at[0], &boxes->at[i]))
			return true;
	return false;
}

/* Channels are compared with those of their node: of the node where they differ most. */
static struct spread widest_spread(const struct box_facts *boxes)
{
	struct spread widest = {.mean = 0};

	for (size_t i = 0; i < boxes->n; i++) {
		const struct spread s = spread_of(boxes, &boxes->at[i]);
		const bool enough = s.mean * (double)s.n > LITTLE_MEMORY;

		if (enough && is_first_of_node(boxes, i) &&
		    (!widest.n || s.most->rate / s.mean > widest.most->rate / widest.mean))
			widest = s;
	}
	return widest;
}

#define EMPTY 0.05 /* of the mean */

static bool is_empty_channel(const struct spread *s)
{
	return s->least && s->least->rate < EMPTY * s->mean;
}

double judge_empty_channel(const struct judged *v, struct texts *t)
{
	const struct box_facts *channels = &v->p->channels;
	const struct spread s = widest_spread(channels);
	const double confidence = is_empty_channel(&s) ? 1 : 0;
	char name[BOX_NAME], mean[RATE_TEXT], least[RATE_TEXT];

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of("a memory channel of package %u is not used: %s", v->package,
			      box_name(name, channels->kind, s.least->number));
	t->evidence = text_of(
		"UNCORE_MEM_READ_BYTES + UNCORE_MEM_WRITE_BYTES:box=%u:pkg=%u %s; mean of the channels %s",
		s.least->number, v->package, bandwidth(least, s.least->rate),
		bandwidth(mean, s.mean));
	return confidence;
}

double judge_channels(const struct judged *v, struct texts *t)
{
	const struct box_facts *channels = &v->p->channels;
	const struct spread s = widest_spread(channels);
	const double confidence =
		s.n > 1 && !is_empty_channel(&s) ? ramp(s.most->rate / s.mean, 1.2, 1.5) : 0;
	char name[BOX_NAME], mean[RATE_TEXT], most[RATE_TEXT];

	if (!s.n || confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"the memory channels of package %u are loaded unequally: %s has %.1f times the mean",
		v->package, box_name(name, channels->kind, s.most->number), s.most->rate / s.mean);
	t->evidence = text_of(
		"UNCORE_MEM_READ_BYTES + UNCORE_MEM_WRITE_BYTES:box=%u:pkg=%u %s; mean of the channels %s",
		s.most->number, v->package, bandwidth(most, s.most->rate), bandwidth(mean, s.mean));
	return confidence;
}

/* ---- clusters ---- */

#define IDLE 0.25 /* of what the full node uses */

/* A node of a package: the part of its share of the memory bandwidth that is in use. */
struct node_use {
	const struct box_fact *box; /* one of its channels; NULL: none is known */
	double bytes, used, others; /* others: the mean of the other nodes */
};

static struct node_use fullest_node(const struct judged *v)
{
	const struct box_facts *channels = &v->p->channels;
	struct node_use full = {.box = NULL};

	for (size_t i = 0; are_of_nodes(channels) && i < channels->n; i++) {
		const struct spread s = spread_of(channels, &channels->at[i]);
		const double bytes = s.mean * (double)s.n, all = memory_traffic(v->p),
			     share = (double)s.n / (double)channels->n,
			     used = bytes / (share * v->limit.bytes);

		if (channels->at[i].node && (!full.box || used > full.used))
			full = (struct node_use){&channels->at[i], bytes, used,
						 (all - bytes) / ((1 - share) * v->limit.bytes)};
	}
	return full;
}

double judge_cluster(const struct judged *v, struct texts *t)
{
	const struct node_use n = fullest_node(v);
	const double full = v->limit.measured ? ramp(n.used, 0.60, 0.90) : ramp(n.used, 0.50, 0.80);
	const double confidence = n.box && n.others < IDLE * n.used ? full : 0;
	char bytes[RATE_TEXT], most[RATE_TEXT];

	if (!n.box || confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"the memory of NUMA node %s is full while its neighbours are idle: %.0f %% of its "
		"bandwidth is in use, and %.0f %% of that of the other nodes of package %u",
		n.box->node, percent(n.used), percent(n.others), v->package);
	t->evidence =
		text_of("UNCORE_MEM_READ_BYTES + UNCORE_MEM_WRITE_BYTES:node=%s %s of %s, "
			"its share of the package's (%s)",
			n.box->node, bandwidth(bytes, n.bytes), bandwidth(most, n.bytes / n.used),
			v->limit.measured ? "measured" : "theoretical peak");
	return confidence;
}

/* ---- between packages ---- */

double judge_remote(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double share =
		p->rate[Q_REMOTE_READS] / (p->rate[Q_REMOTE_READS] + p->rate[Q_LOCAL_READS]);
	const double confidence = memory_traffic(p) > LITTLE_MEMORY ? ramp(share, 0.25, 0.55) : 0;

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of("%.0f %% of the memory reads of package %u go to another package",
			      percent(share), v->package);
	t->evidence = text_of("%s:pkg=%u / (%s + %s) %.2f", p->name[Q_REMOTE_READS], v->package,
			      p->name[Q_REMOTE_READS], p->name[Q_LOCAL_READS], share);
	return confidence;
}

double judge_links(const struct judged *v, struct texts *t)
{
	const double used = ratio_of(v->p, Q_LINK_USED, Q_LINK_SLOTS);
	const double confidence = ramp(used, 0.55, 0.85);

	if (confidence < CONFIDENT)
		return 0;
	t->sentence =
		text_of("the links of package %u are %.0f %% full", v->package, percent(used));
	t->evidence =
		text_of("UNCORE_LINK_SLOTS_USED / UNCORE_LINK_SLOTS:pkg=%u %.2f", v->package, used);
	return confidence;
}

/* ---- how memory is used ---- */

double judge_write_allocate(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double fetched = LINE * p->rate[Q_STORE_MISSES];
	const double share = fetched / p->rate[Q_READ];
	const double confidence =
		memory_traffic(p) > LITTLE_MEMORY && p->rate[Q_WRITE] > 0.7 * fetched
			? ramp(share, 0.25, 0.45)
			: 0;
	char part[RATE_TEXT], all[RATE_TEXT];

	if (confidence < CONFIDENT)
		return 0;
	t->sentence =
		text_of("%.0f %% of the reads of package %u fetch lines that are then written",
			percent(share), v->package);
	t->evidence =
		text_of("64 * %s:pkg=%u %s of %s UNCORE_MEM_READ_BYTES", p->name[Q_STORE_MISSES],
			v->package, bandwidth(part, fetched), bandwidth(all, p->rate[Q_READ]));
	return confidence;
}

double judge_pages(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double share = ratio_of(p, Q_PAGE_MISSES, Q_PAGE_ACCESSES);
	const double confidence = v->used > 0.1 && v->used < 0.6 ? ramp(share, 0.35, 0.65) : 0;

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"%.0f %% of the accesses of package %u close another DRAM page first (page conflicts)",
		percent(share), v->package);
	t->evidence = text_of("%s / %s:pkg=%u %.2f", p->name[Q_PAGE_MISSES],
			      p->name[Q_PAGE_ACCESSES], v->package, share);
	return confidence;
}

double judge_cache(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double share = ratio_of(p, Q_LLC_READ_MISSES, Q_LLC_READS);
	const double confidence =
		memory_traffic(p) > LITTLE_MEMORY && v->used > 0.15 ? ramp(share, 0.55, 0.85) : 0;

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"%.0f %% of the data reads of package %u miss the last-level cache: the data does not fit "
		"into it",
		percent(share), v->package);
	t->evidence = text_of("%s / %s:pkg=%u %.2f", p->name[Q_LLC_READ_MISSES],
			      p->name[Q_LLC_READS], v->package, share);
	return confidence;
}

double judge_directory(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double share = ratio_of(p, Q_DIRECTORY, Q_WRITE);
	const double confidence = memory_traffic(p) > LITTLE_MEMORY ? ramp(share, 0.2, 0.5) : 0;

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"%.0f %% of the writes to the memory of package %u only update the directory of lines "
		"that other packages hold",
		percent(share), v->package);
	t->evidence = text_of("%s / UNCORE_MEM_WRITE_BYTES:pkg=%u %.2f", p->name[Q_DIRECTORY],
			      v->package, share);
	return confidence;
}

double judge_slice(const struct judged *v, struct texts *t)
{
	const struct box_facts *slices = &v->p->slices;
	const struct spread s = spread_of(slices, NULL);
	const double over = slices->n > 1 ? weighted(slices, s.most) / s.mean : 0;
	const double confidence = s.mean * (double)slices->n > 1e6 ? ramp(over, 1.7, 2.3) : 0;
	char name[BOX_NAME], rate[RATE_TEXT];

	if (confidence < CONFIDENT || !s.most)
		return 0;
	t->sentence = text_of(
		"a slice of the last-level cache of package %u is hot: %s has %.1f times %s",
		v->package, box_name(name, slices->kind, s.most->number), over,
		s.most->expected > 0 ? "its share of the lookups" : "the mean");
	t->evidence = text_of("%s:box=%u:pkg=%u %s", v->p->name[Q_SLICES], s.most->number,
			      v->package, rate_text(rate, "", s.most->rate, 1));
	return confidence;
}

/* ---- contradictions ---- */

double judge_contradiction(const struct judged *v, struct texts *t)
{
	const double confidence = ramp(v->used, 1.02, 1.10);

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"more bytes were counted than package %u can move: the ceilings are those of another "
		"machine, or a counter is wrong",
		v->package);
	t->evidence = bandwidth_evidence(v);
	return confidence;
}
