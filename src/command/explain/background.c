/* SPDX-License-Identifier: BSD-3-Clause */
/* background.c - see background.h. */
#include "command/explain/background.h"

#include <math.h>
#include <stdlib.h>

#include "command/base/rate.h"
#include "command/base/text.h"

#define LITTLE      1e8  /* bytes a second */
#define LINE        64   /* bytes */
#define SAME_MEMORY 0.02 /* of the traffic of the run */
#define SAME        0.1  /* of other quantities */
#define TWO_SIGMA   2.0
#define ERRORS      3    /* of several quantities one may differ by more than its error */
#define UNCERTAIN   0.25 /* errors beyond this part of the traffic say nothing */

/* ---- before the program ---- */

#define MOST_ROWS 25 /* 1.5 s */

bool background_needs_row(const struct collection *c)
{
	const struct span all = {0, c->rows - 1};
	struct facts facts;
	bool unknown;

	if (c->rows <= BACKGROUND_ROWS || c->rows > MOST_ROWS)
		return c->rows <= BACKGROUND_ROWS;
	collection_facts(c, &all, 1, &facts);
	unknown = is_unanswered(&facts, Q_READ) || is_unanswered(&facts, Q_WRITE);
	facts_free(&facts);
	return unknown;
}

#define SHORTEST 1e-3  /* s, of an interval */
#define LONGER   1.618 /* times the last one: no two are a multiple of the same period */
#define LIKE     3     /* intervals of about a length */

/* A run differs as much as intervals of its length do; a long one may differ as a short one. */
static double change_in(const struct package_facts *before, double seconds)
{
	double length = SHORTEST * LONGER, most = before->changes[0];

	for (int i = 1; i < CHANGES && length <= seconds; i++, length *= LONGER) {
		most = 0;
		for (int like = i; like >= 0 && like > i - LIKE; like--)
			most = fmax(most, before->changes[like]);
	}
	return TWO_SIGMA * most;
}

void background_facts(const struct collection *c, struct facts *before)
{
	const struct span all = {0, c->rows - 1};

	collection_facts(c, &all, 1, before);
	for (unsigned p = 0; p < before->packages; p++) {
		struct package_facts *f = &before->at[p];

		f->before = memory_traffic(f);
		f->before_error = memory_error(f);
		for (int i = 0; i < CHANGES; i++)
			f->changes[i] = pace_change(&c->paces[p], SHORTEST * pow(LONGER, i));
	}
}

/* Between two counts of the same, a third one may be anywhere. */
static void join(double *a, double *a_error, double b, double b_error)
{
	const double apart = fabs(*a - b) / 2;

	*a = (*a + b) / 2;
	*a_error = hypot(*a_error, b_error) / 2 + apart;
}

void background_join(struct facts *before, const struct facts *after)
{
	for (unsigned p = 0; p < before->packages; p++) {
		struct package_facts *f = &before->at[p];
		const struct package_facts *g = &after->at[p];

		join(&f->before, &f->before_error, g->before, g->before_error);
		for (unsigned q = 0; q < QUANTITIES; q++)
			join(&f->rate[q], &f->error[q], g->rate[q], g->error[q]);
		for (int i = 0; i < CHANGES; i++)
			f->changes[i] = fmax(f->changes[i], g->changes[i]);
		f->and_after = true;
	}
}

void background_add(struct facts *run, const struct facts *before)
{
	for (unsigned p = 0; p < before->packages; p++) {
		const struct package_facts *f = &before->at[p];

		run->at[p].before = f->before;
		run->at[p].and_after = f->and_after;
		run->at[p].before_error =
			hypot(f->before_error, change_in(f, run->end - run->begin));
	}
}

/* ---- the same as before ---- */

static const struct compared {
	enum quantity quantity;
	double little; /* per second, which does not matter */
} compared[] = {
	{Q_HBM, LITTLE},
	{Q_PMEM, LITTLE},
	{Q_LINK_USED, LITTLE / LINE},
	{Q_REMOTE_READS, LITTLE / LINE},
	{Q_MISSES, LITTLE / LINE},
	{Q_STORE_MISSES, LITTLE / LINE},
	{Q_LLC_READS, LITTLE / LINE},
	{Q_DEVICE_READ, LITTLE},
	{Q_DEVICE_WRITE, LITTLE},
};

/* Unknown rates are not compared. */
static bool is_same(const struct package_facts *run, const struct package_facts *before,
		    const struct compared *c)
{
	const enum quantity q = c->quantity;
	const double apart = fabs(run->rate[q] - before->rate[q]);
	const double errors = run->error[q] + before->error[q];
	const double allowed = fmax(ERRORS * errors, SAME * fmax(run->rate[q], before->rate[q]));

	return !(apart > fmax(allowed, c->little));
}

static bool is_same_memory(const struct package_facts *run)
{
	const double now = memory_traffic(run), errors = memory_error(run) + run->before_error;
	const double allowed = fmax(errors, SAME_MEMORY * now);

	return errors < fmax(UNCERTAIN * now, LITTLE) &&
	       fabs(now - run->before) <= fmax(allowed, LITTLE);
}

/* By its own group, the program moves something. */
static bool has_traffic(const struct package_facts *run)
{
	return run->has_own &&
	       run->own - run->own_error > fmax(SAME_MEMORY * memory_traffic(run), LITTLE);
}

bool is_background(const struct facts *run, const struct facts *before)
{
	double sum = 0;

	for (unsigned p = 0; p < before->packages; p++) {
		if (has_traffic(&run->at[p]))
			return false;
		const bool known = !isnan(run->at[p].before) && !isnan(memory_traffic(&run->at[p]));

		if (known && !is_same_memory(&run->at[p]))
			return false;
		sum += known ? run->at[p].before : 0;
		for (size_t i = 0; i < sizeof(compared) / sizeof(*compared); i++)
			if (!is_same(&run->at[p], &before->at[p], &compared[i]))
				return false;
	}
	return sum > LITTLE;
}

/* ---- the finding ---- */

/* Its own bytes, if they are known of all packages. */
static char *evidence_of_group(const struct facts *run)
{
	double own = 0, error = 0;
	char texts[2][RATE_TEXT];

	for (unsigned p = 0; p < run->packages; p++) {
		if (!run->at[p].has_own)
			return text_of("%s", "");
		own += run->at[p].own;
		error += run->at[p].own_error;
	}
	return text_of("; %s +- %s of the program%s", rate_text(texts[0], "bytes", own, 1),
		       rate_text(texts[1], "bytes", error, 1),
		       run->at[0].own_of_cores ? ", by the reads of its CPUs"
					       : "'s monitoring group");
}

static char *evidence_of(const struct facts *run)
{
	double before = 0, before_error = 0, now = 0, now_error = 0;
	char texts[4][RATE_TEXT], *group = evidence_of_group(run), *text;

	for (unsigned p = 0; p < run->packages; p++) {
		const struct package_facts *f = &run->at[p];

		if (isnan(f->before) || isnan(memory_traffic(f)))
			continue;
		before += f->before;
		before_error += f->before_error;
		now += memory_traffic(f);
		now_error += memory_error(f);
	}
	text = text_of("UNCORE_MEM_READ_BYTES + UNCORE_MEM_WRITE_BYTES %s +- %s %s, %s +- %s "
		       "during the run%s",
		       rate_text(texts[0], "bytes", before, 1),
		       rate_text(texts[1], "bytes", before_error, 1),
		       run->at[0].and_after ? "before and after" : "before",
		       rate_text(texts[2], "bytes", now, 1),
		       rate_text(texts[3], "bytes", now_error, 1), group);
	free(group);
	return text;
}

void background_found(struct findings *list, const struct facts *run, const struct facts *before)
{
	if (!is_background(run, before))
		return;
	findings_of_machine(list, evidence_of(run));
}
