/* SPDX-License-Identifier: BSD-3-Clause */
/* diagnoses.c - the table of diagnoses, and the findings of a run. */
#include "command/explain/diagnoses.h"

#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"
#include "command/explain/draws.h"
#include "command/explain/judge.h"

/* ---- the table ---- */

static const struct diagnosis rows[] = {
	{"contradiction", "repeat uncore ceilings, and test the counters: uncore selftest",
	 "20. Do the counters of this machine work?", judge_contradiction},
	{"memory-bandwidth",
	 "move less data: blocking, smaller types, non-temporal stores; more cores do not help",
	 "1. Is my job bound by memory bandwidth?", judge_bandwidth},
	{"memory-bandwidth-one-package",
	 "spread the pages over the packages: first touch by the threads that use them, or numactl "
	 "--interleave=all",
	 "3. Which socket's memory do I use?", judge_one_package},
	{"memory-latency",
	 "have more reads in flight: more threads, prefetching, arrays instead of linked lists; huge "
	 "pages",
	 "7. How long does a read take?", judge_latency},
	{"slow-memory",
	 "look for what delays reads: page conflicts, a busy channel or slice, low uncore frequency",
	 "7. How long does a read take?", judge_slow_memory},
	{"empty-channel", "check the placement of the DIMMs: uncore show, dmidecode -t memory",
	 "4. Are all memory channels used?", judge_empty_channel},
	{"unequal-channels",
	 "check the sizes of the DIMMs, and strides that are a multiple of a large power of two",
	 "4. Are all memory channels used?", judge_channels},
	{"full-cluster",
	 "spread the pages over the nodes of the package: first touch by threads of all of them, or "
	 "numactl --interleave",
	 "3. Which socket's memory do I use?", judge_cluster},
	{"remote-memory", "bind threads and their memory to the same package: numactl, first touch",
	 "3. Which socket's memory do I use?", judge_remote},
	{"links", "place data in the package that uses it",
	 "11. How much data moves between the sockets?", judge_links},
	{"remote-bandwidth", "place data in the package that uses it",
	 "11. How much data moves between the sockets?", judge_remote_bandwidth},
	{"write-allocate", "write whole lines by non-temporal stores where data is not read again",
	 "5. Does my program read or write?", judge_write_allocate},
	{"page-conflicts", "access memory in long runs; fewer streams at the same time",
	 "6. Do accesses hit open DRAM pages?", judge_pages},
	{"cache-capacity", "work on blocks that fit into the cache",
	 "9. Does my data fit into the last-level cache?", judge_cache},
	{"cache-bandwidth", "work on blocks that fit into the caches of the cores",
	 "9. Does my data fit into the last-level cache?", judge_cache_bandwidth},
	{"directory", "keep lines that are written in one package",
	 "11. How much data moves between the sockets?", judge_directory},
	{"hot-slice", "look for a lock or a counter that many threads write",
	 "10. Is one cache slice busier than the others?", judge_slice},
	{"devices", "find out which device it is: uncore stat --per-box",
	 "12. How much PCIe traffic does the NIC cause?", judge_devices},
	{"device-misses", "use smaller rings of buffers, or more ways of the cache for devices",
	 "12. How much PCIe traffic does the NIC cause?", judge_device_misses},
	{"persistent-memory", "bind the data that is used most to DRAM: numactl --membind",
	 "8. Is high-bandwidth memory used?", judge_pmem},
	{"high-bandwidth-memory", "bind the data that is used most to it: numactl --membind",
	 "8. Is high-bandwidth memory used?", judge_hbm},
	{"uncore-frequency", "check power limits, and the range of MSR 0x620",
	 "14. Are cores asleep, and how fast is the uncore?", judge_frequency},
	{"heat", "check the cooling of the machine",
	 "14. Are cores asleep, and how fast is the uncore?", judge_heat},
	{"other-programs", "repeat the run when the machine is idle",
	 "2. How much of the traffic is mine?", judge_others},
};

#define N_ROWS (sizeof(rows) / sizeof(*rows))

static const struct diagnosis none = {"none", "look at the cores: perf stat, perf record",
				      "1. Is my job bound by memory bandwidth?", NULL};

static const struct diagnosis machine = {"background", "repeat the run when the machine is idle",
					 "2. How much of the traffic is mine?", NULL};

const struct diagnosis *diagnosis(unsigned i)
{
	static const struct diagnosis *const others[] = {&none, &machine};

	if (i < N_ROWS)
		return &rows[i];
	return i - N_ROWS < sizeof(others) / sizeof(*others) ? others[i - N_ROWS] : NULL;
}

/* ---- findings ---- */

static void add(struct findings *list, struct finding found)
{
	list->at = need_more(list->at, list->n + 1, sizeof(*list->at));
	list->at[list->n++] = found;
}

static int by_confidence(const void *left, const void *right)
{
	const struct finding *a = left, *b = right;

	if (a->confidence > b->confidence || a->confidence < b->confidence)
		return a->confidence < b->confidence ? 1 : -1;
	if (a->diagnosis != b->diagnosis)
		return a->diagnosis < b->diagnosis ? -1 : 1;
	return a->package < b->package ? -1 : a->package > b->package;
}

/* Whether a quantity is missing in a package, and whether it was asked for. */
static bool is_unseen(const struct facts *f, enum quantity q)
{
	bool lacking = is_unanswered(f, q);

	for (unsigned p = 0; p < f->packages; p++)
		lacking |= f->at[p].lacking[q];
	return lacking;
}

struct view {
	unsigned asked, unseen; /* topics; those that the processor cannot count are not asked */
	char *names;            /* of those that were not seen, to be freed */
};

static struct view view_of(const struct facts *f)
{
	struct view v = {.names = text_of("%s", "")};

	for (unsigned q = 0; q < QUANTITIES; q++) {
		const char *topic = topic_of((enum quantity)q);
		bool unseen = false, asked = false;

		if (q > 0 && strcmp(topic, topic_of((enum quantity)(q - 1))) == 0)
			continue;
		for (unsigned i = q;
		     i < QUANTITIES && strcmp(topic, topic_of((enum quantity)i)) == 0; i++) {
			unseen |= is_unseen(f, (enum quantity)i);
			asked |= quantity_name(f, (enum quantity)i) != NULL;
		}
		v.asked += asked || unseen;
		v.unseen += unseen;
		if (unseen)
			v.names = text_and(v.names, "%s%s", *v.names ? ", " : "", topic);
	}
	return v;
}

/* Of all packages; false: it was counted in none of them. */
static bool find_traffic(const struct judged *cases, unsigned packages, double *bytes, double *used)
{
	bool any = false;

	*bytes = *used = 0;
	for (unsigned p = 0; p < packages; p++) {
		const double traffic = memory_traffic(cases[p].p);

		any |= !isnan(traffic);
		*bytes += isnan(traffic) ? 0 : traffic;
		*used = fmax(*used, cases[p].used);
	}
	return any;
}

static char *none_evidence(const struct judged *cases, unsigned packages, double bytes, double used)
{
	char text[RATE_TEXT];
	bool known = false;

	for (unsigned p = 0; p < packages; p++)
		known |= cases[p].limit.bytes > 0;
	return known ? text_of("at most %.0f %% of the memory bandwidth of a package is in use",
			       percent(used))
		     : text_of("%s of memory traffic, whose limit is unknown",
			       bandwidth(text, bytes));
}

/* Only if there was something to judge by; a count of 0 is. */
static void add_none(struct findings *list, const struct judged *cases, const struct facts *f,
		     double confidence)
{
	struct view v = {.names = NULL};
	double bytes, used, seen;

	if (list->n || !find_traffic(cases, f->packages, &bytes, &used))
		return;
	v = view_of(f);
	seen = 1 - (double)v.unseen / fmax(v.asked, 1);
	add(list, (struct finding){
			  &none, 0, confidence * seen,
			  v.unseen ? text_of("nothing was found that limits it, but this could not "
					     "be seen: %s",
					     v.names)
				   : text_of("nothing in the uncore limits it"),
			  none_evidence(cases, f->packages, bytes, used)});
	free(v.names);
}

static struct judged *cases_of(const struct facts *f, const struct ceilings *c)
{
	struct judged *cases = need_memory(f->packages, sizeof(*cases));

	for (unsigned p = 0; p < f->packages; p++) {
		const struct limit limit = memory_limit(c, f, p);

		cases[p] = (struct judged){f,
					   p,
					   &f->at[p],
					   limit,
					   memory_traffic(&f->at[p]) / limit.bytes,
					   p < c->packages ? &c->at[p] : NULL};
	}
	return cases;
}

/* In how many draws each row has a finding of each package. */
static void count_draws(const struct facts *f, const struct ceilings *c, unsigned *hits)
{
	uint64_t state = 0;

	for (unsigned d = 0; d < DRAWS; d++) {
		struct facts draw = draw_facts(f, &state);
		struct judged *cases = cases_of(&draw, c);

		for (size_t i = 0; i < N_ROWS * f->packages; i++) {
			struct texts texts = {NULL, NULL};

			hits[i] += rows[i / f->packages].judge(&cases[i % f->packages], &texts) >=
				   CONFIDENT;
			free(texts.sentence);
			free(texts.evidence);
		}
		free(cases);
		free(draw.at);
	}
}

/* The quantity of the run is beyond its threshold, and that of most draws. */
static void judge(struct findings *list, const struct diagnosis *row, const struct judged *v,
		  double confidence)
{
	struct texts texts = {NULL, NULL};

	if (row->judge(v, &texts) >= CONFIDENT && confidence >= CONFIDENT) {
		add(list,
		    (struct finding){row, v->package, confidence, texts.sentence, texts.evidence});
		return;
	}
	free(texts.sentence);
	free(texts.evidence);
}

void diagnose(struct findings *list, const struct facts *f, const struct ceilings *c)
{
	struct judged *cases = cases_of(f, c);
	unsigned *hits = need_memory(N_ROWS * f->packages, sizeof(*hits));
	const bool draws = has_deviations(f);
	double most = 0;

	*list = (struct findings){.n = 0};
	if (draws)
		count_draws(f, c, hits);
	for (size_t i = 0; i < N_ROWS * f->packages; i++) {
		const double confidence = draws ? hits[i] / (double)DRAWS : 1;

		most = fmax(most, draws ? confidence : 0);
		judge(list, &rows[i / f->packages], &cases[i % f->packages], confidence);
	}
	if (list->n)
		qsort(list->at, list->n, sizeof(*list->at), by_confidence);
	add_none(list, cases, f, 1 - most);
	free(hits);
	free(cases);
}

static bool is_of_others(const struct finding *found)
{
	return found->diagnosis->judge == judge_others;
}

/* The first sentence includes those of other programs. */
void findings_of_machine(struct findings *list, char *evidence)
{
	struct findings all = {.of_machine = true};

	add(&all,
	    (struct finding){&machine, 0, 1,
			     text_of("nothing here is this program's: the machine did the same "
				     "before it began"),
			     evidence});
	for (size_t i = 0; i < list->n; i++) {
		struct finding found = list->at[i];
		char *sentence = found.sentence;

		if (is_of_others(&found)) {
			free(found.sentence);
			free(found.evidence);
			continue;
		}
		found.sentence = text_of("the machine: %s", sentence);
		free(sentence);
		add(&all, found);
	}
	free(list->at);
	*list = all;
}

void findings_free(struct findings *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->at[i].sentence);
		free(list->at[i].evidence);
	}
	free(list->at);
	*list = (struct findings){.n = 0};
}
