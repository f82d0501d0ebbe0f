/* SPDX-License-Identifier: BSD-3-Clause */
/* owners.c - see owners.h. */
#include "command/slices/owners.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command/base/clock.h"
#include "command/base/text.h"

#define READS      1024 /* of a line at a time */
#define TRIES      64
#define IDLE_NS    5000000
#define IDLE_LINES 512 /* lines between two looks at what the slices count without the reads */

/* Events that count the reads of a line once, in the slice that owns it. */
static const char *const events[] = {"UNCORE_LLC_LOOKUPS", "UNCORE_TOR_DRD_REQUESTS",
				     "UNCORE_INGRESS_REQUESTS"};

struct search {
	struct owners *owners;
	struct uncore *u;
	const struct line_reader *reader;
	struct uncore_set *set;
	int64_t *before, *after;
	int64_t usual_read, usual_try; /* how long a read of the counters takes, and a try, in ns */
	double *idle;                  /* counts per ns without the reads */
	double *gain;
};

/* ---- slices ---- */

/* The event of one slice: 0, or the library's error. */
static int event_of(struct uncore *u, const char *event, const struct uncore_box_info *slice,
		    unsigned *id)
{
	char name[2 * UNCORE_NAME_MAX];

	snprintf(name, sizeof(name), "%s:box=%u:pkg=%u", event, slice->index, slice->package);
	return uncore_event(u, name, id);
}

static bool is_slice(const struct uncore_box_info *box, unsigned package)
{
	return box->package == package && !box->absent &&
	       (strcmp(box->kind, "cbo") == 0 || strcmp(box->kind, "cbox") == 0 ||
		strcmp(box->kind, "cha") == 0);
}

static void find_slices(struct owners *o, struct uncore *u)
{
	struct uncore_box_info box = {.size = sizeof(box)};

	for (unsigned i = 0; uncore_box(u, i, &box) == 1; i++) {
		if (!is_slice(&box, o->package))
			continue;
		o->slices = need_more(o->slices, o->n + 1, sizeof(*o->slices));
		o->slices[o->n++] = box;
	}
}

/* An event that this machine has: its number for each slice. */
static int find_events(struct search *s, unsigned *ids)
{
	struct owners *o = s->owners;
	int code = UNCORE_ENOEVENT;

	for (size_t e = 0; code != 0 && e < sizeof(events) / sizeof(*events); e++) {
		snprintf(o->event, sizeof(o->event), "%s", events[e]);
		code = 0;
		for (size_t i = 0; code == 0 && i < o->n; i++)
			code = event_of(s->u, o->event, &o->slices[i], &ids[i]);
	}
	return code;
}

static int start(struct search *s)
{
	unsigned *ids = need_memory(s->owners->n, sizeof(*ids));
	int code = find_events(s, ids);

	if (code == 0)
		code = uncore_set_create(s->u, &s->set);
	if (code == 0)
		code = uncore_set_assign(s->set, ids, s->owners->n);
	if (code == 0)
		code = uncore_set_start(s->set);
	free(ids);
	return code;
}

/* ---- one line ---- */

/* Twice as long as the shortest one; if all take longer from now on, that becomes usual. */
static bool is_interrupted(int64_t took, int64_t *usual)
{
	*usual += took < *usual || !*usual ? took - *usual : *usual / 8 + 1;
	return took > 2 * *usual;
}

/*
 * Counters are read one after the other.  If the process was preempted in between, the later ones
 * counted longer: read again.
 */
static int read_uninterrupted(struct search *s, int64_t *values, int64_t *when)
{
	uint64_t began;
	int code;

	do {
		began = now_ns();
		code = uncore_set_read_timed(s->set, values, when);
	} while (code == 0 && is_interrupted((int64_t)(now_ns() - began), &s->usual_read));
	return code;
}

/* The background of all slices, which is subtracted. */
static int look_at_idle(struct search *s)
{
	const struct timespec pause = {.tv_nsec = IDLE_NS};
	int64_t began, ended;
	int code = read_uninterrupted(s, s->before, &began);

	nanosleep(&pause, NULL);
	if (code == 0)
		code = read_uninterrupted(s, s->after, &ended);
	for (size_t i = 0; code == 0 && ended > began && i < s->owners->n; i++)
		s->idle[i] = (double)(s->after[i] - s->before[i]) / (double)(ended - began);
	return code;
}

/*
 * The counts of each slice that are due to the reads of a line.  In a try that was interrupted for
 * milliseconds, a small error of the background is more than the reads: try again.
 */
static int count_reads(struct search *s, size_t line)
{
	struct owners *o = s->owners;
	int64_t began, ended = 0;
	int code;

	do {
		code = read_uninterrupted(s, s->before, &began);
		if (code == 0 &&
		    !s->reader->read(s->reader->arg, line, READS, o->why, sizeof(o->why)))
			return OWNERS_NONE;
		if (code == 0)
			code = read_uninterrupted(s, s->after, &ended);
	} while (code == 0 && is_interrupted(ended - began, &s->usual_try));
	for (size_t i = 0; code == 0 && i < o->n; i++)
		s->gain[i] =
			(double)(s->after[i] - s->before[i]) - s->idle[i] * (double)(ended - began);
	return code;
}

uint16_t owner_by_gain(const double *gain, size_t n, double reads)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (gain[i] > gain[best])
			best = i;
	if (gain[best] < 0.5 * reads || gain[best] > 4 * reads)
		return OWNER_UNKNOWN;
	for (size_t i = 0; i < n; i++)
		if (i != best && fabs(gain[i]) > 0.25 * gain[best])
			return OWNER_UNKNOWN;
	return (uint16_t)best;
}

/* Two consecutive tries have to agree. */
static int find_owner(struct search *s, size_t line)
{
	uint16_t last = OWNER_UNKNOWN, owner = OWNER_UNKNOWN;
	int code = 0;

	for (unsigned i = 0; code == 0 && i < TRIES; i++) {
		code = i % 8 == 4 || (i == 0 && line % IDLE_LINES == 0) ? look_at_idle(s) : 0;
		if (code == 0)
			code = count_reads(s, line);
		owner = code == 0 ? owner_by_gain(s->gain, s->owners->n, READS) : OWNER_UNKNOWN;
		if (owner != OWNER_UNKNOWN && owner == last)
			break;
		last = owner;
		owner = OWNER_UNKNOWN;
	}
	s->owners->owner[line] = owner;
	return code;
}

/* ---- all lines ---- */

static int find_line(struct search *s, size_t line)
{
	struct owners *o = s->owners;
	const int code = find_owner(s, line);

	if (o->owner[line] == OWNER_UNKNOWN)
		o->unknown++;
	else
		o->lines[o->owner[line]]++;
	return code;
}

/* If even the first lines have no owner, the others have none, either. */
static bool is_hopeless(struct owners *o, size_t line)
{
	if (o->unknown <= 16 || o->unknown <= line / 2)
		return false;
	snprintf(o->why, sizeof(o->why),
		 "no slice counts the reads of a line more than the others: "
		 "repeat when the machine is idle");
	return true;
}

static int find_once(struct search *s)
{
	for (size_t line = 0; line < OWNER_LINES; line++) {
		const int code = find_line(s, line);

		if (code != 0)
			return code;
		if (is_hopeless(s->owners, line))
			return OWNERS_NONE;
	}
	return 0;
}

/* Other processes may have kept some lines from being found: they have ended by now, perhaps. */
static int find_rest(struct search *s)
{
	struct owners *o = s->owners;
	int code = 0;

	for (size_t line = 0; code == 0 && line < OWNER_LINES; line++) {
		if (o->owner[line] != OWNER_UNKNOWN)
			continue;
		o->unknown--;
		code = find_line(s, line);
	}
	return code;
}

static int search(struct search *s)
{
	struct owners *o = s->owners;
	int code;

	o->owner = need_memory(OWNER_LINES, sizeof(*o->owner));
	o->lines = need_memory(o->n, sizeof(*o->lines));
	s->before = need_memory(2 * o->n, sizeof(*s->before));
	s->after = s->before + o->n;
	s->idle = need_memory(2 * o->n, sizeof(*s->idle));
	s->gain = s->idle + o->n;
	code = start(s);
	if (code == 0)
		code = find_once(s);
	if (code == 0)
		code = find_rest(s);
	uncore_set_destroy(s->set);
	free(s->before);
	free(s->idle);
	return code;
}

int owners_find(struct owners *owners, struct uncore *u, unsigned package,
		const struct line_reader *reader)
{
	struct search s = {.owners = owners, .u = u, .reader = reader};

	*owners = (struct owners){.package = package};
	find_slices(owners, u);
	if (owners->n)
		return search(&s);
	snprintf(owners->why, sizeof(owners->why),
		 "package %u has no slices of the last-level cache that can count", package);
	return OWNERS_NONE;
}

void owners_free(struct owners *owners)
{
	free(owners->slices);
	free(owners->owner);
	free(owners->lines);
}

/* ---- period ---- */

static bool is_permutation(const struct owners *o, size_t block, size_t period, size_t x)
{
	for (size_t i = 0; i < period; i++)
		if (o->owner[block + i] != o->owner[i ^ x])
			return false;
	return true;
}

static bool is_some_permutation(const struct owners *o, size_t block, size_t period)
{
	for (size_t x = 0; x < period; x++)
		if (is_permutation(o, block, period, x))
			return true;
	return false;
}

size_t owners_period(const struct owners *owners)
{
	for (size_t period = 2; period < OWNER_LINES; period *= 2) {
		size_t block = period;

		while (block < OWNER_LINES && is_some_permutation(owners, block, period))
			block += period;
		if (block == OWNER_LINES)
			return period;
	}
	return 0;
}
