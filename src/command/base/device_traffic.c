/* SPDX-License-Identifier: BSD-3-Clause */
/* device_traffic.c - see device_traffic.h. */
#include "command/base/device_traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/devices.h"
#include "command/base/text.h"

#define UNCLEAR 1
#define PARTS   8
#define UNIT    4 /* bytes, of an event of a part */

struct search {
	struct uncore *u;
	traffic_source *source;
	void *arg;
	char *why;
	size_t len;
};

/* A box in one direction, or a part of a box. */
struct candidate {
	unsigned id, package, box, part;
	bool write;
	double bytes; /* more than in the background */
};

struct candidates {
	struct candidate *list;
	size_t n;
};

/* ---- counting ---- */

struct counted {
	int64_t *counts;
	int64_t ns;
};

static int count_once(struct search *s, struct uncore_set *set, bool idle, struct counted *to)
{
	int code = uncore_set_start(set), status = 0;

	if (code < 0)
		return code;
	status = s->source(s->arg, idle);
	code = uncore_set_stop(set);
	if (code == 0)
		code = uncore_set_read_timed(set, to->counts, &to->ns);
	return status ? status : code;
}

/* The counts of n candidates while data is moved, without those of the background in that time. */
static int count_gains(struct search *s, struct candidate *list, size_t n, double unit)
{
	struct counted idle = {need_memory(n, sizeof(*idle.counts)), 0};
	struct counted moved = {need_memory(n, sizeof(*moved.counts)), 0};
	unsigned *ids = need_memory(n, sizeof(*ids));
	struct uncore_set *set = NULL;
	int code = uncore_set_create(s->u, &set);

	for (size_t i = 0; i < n; i++)
		ids[i] = list[i].id;
	if (code == 0)
		code = uncore_set_assign(set, ids, n);
	if (code == 0)
		code = count_once(s, set, true, &idle);
	if (code == 0)
		code = count_once(s, set, false, &moved);
	for (size_t i = 0; code == 0 && i < n; i++)
		list[i].bytes = unit * ((double)moved.counts[i] -
					(double)idle.counts[i] * (double)moved.ns /
						(double)(idle.ns > 0 ? idle.ns : 1));
	uncore_set_destroy(set);
	free(ids);
	free(moved.counts);
	free(idle.counts);
	return code;
}

/* ---- conclusions ---- */

static bool is_same_box(const struct candidate *a, const struct candidate *b)
{
	return a->package == b->package && a->box == b->box;
}

/* The candidate with the most bytes; NULL: another place than it, or the background, is too close.
 */
static const struct candidate *clearly_most(struct search *s, const struct candidates *all,
					    const char *what)
{
	const struct candidate *most = &all->list[0], *second = NULL;

	for (size_t i = 1; i < all->n; i++)
		if (all->list[i].bytes > most->bytes)
			most = &all->list[i];
	for (size_t i = 0; i < all->n; i++) {
		const struct candidate *c = &all->list[i];

		/* the other direction of a box is not another place */
		if (c == most || (is_same_box(c, most) && c->part == most->part))
			continue;
		second = !second || c->bytes > second->bytes ? c : second;
	}
	if (most->bytes < TRAFFIC_LEAST) {
		snprintf(
			s->why, s->len,
			"no %s counted 1 MB more than in the background: have the device move more "
			"data, past the page cache",
			what);
		return NULL;
	}
	if (second && second->bytes * TRAFFIC_CLEAR > most->bytes) {
		snprintf(s->why, s->len,
			 "two %ss counted more than in the background, %.3g and %.3g bytes: stop "
			 "other traffic of devices, and measure again",
			 what, most->bytes, second->bytes);
		return NULL;
	}
	return most;
}

/* ---- boxes ---- */

static void add(struct candidates *to, struct candidate c)
{
	to->list = need_more(to->list, to->n + 1, sizeof(*to->list));
	to->list[to->n++] = c;
}

static const char *const directions[] = {"READ", "WRITE"};

static void add_box(struct search *s, struct candidates *to, const struct uncore_box_info *box)
{
	for (unsigned d = 0; d < 2; d++) {
		struct candidate c = {.package = box->package, .box = box->index, .write = d == 1};
		char *name = text_of("UNCORE_IIO_%s_BYTES:box=%u:pkg=%u", directions[d], c.box,
				     c.package);

		if (uncore_event(s->u, name, &c.id) == 0)
			add(to, c);
		free(name);
	}
}

static void find_boxes(struct search *s, struct candidates *to)
{
	struct uncore_box_info box = {.size = sizeof(box)};

	for (unsigned i = 0; uncore_box(s->u, i, &box) == 1; i++)
		if (!box.absent && strcmp(box.kind, DEVICES_OF) == 0)
			add_box(s, to, &box);
}

static int measure_boxes(struct search *s, struct candidates *boxes, const struct candidate **found)
{
	int code;

	if (boxes->n == 0) {
		snprintf(s->why, s->len, "this machine has no counters of PCIe stacks");
		return UNCLEAR;
	}
	code = count_gains(s, boxes->list, boxes->n, 1);
	*found = code == 0 ? clearly_most(s, boxes, "stack") : NULL;
	return code ? code : *found ? 0 : UNCLEAR;
}

/* ---- parts ---- */

char *traffic_event(const struct traffic_place *at)
{
	return text_of("UNC_IIO_DATA_REQ_OF_CPU:MEM_%s_PART%u:box=%u:pkg=%u", directions[at->write],
		       at->part, at->box, at->package);
}

static void find_parts(struct search *s, const struct candidate *box, struct candidates *to)
{
	for (unsigned p = 0; p < PARTS; p++) {
		struct candidate c = *box;
		char *name =
			traffic_event(&(struct traffic_place){c.package, c.box, p, c.write, 0});

		c.part = p;
		if (uncore_event(s->u, name, &c.id) == 0)
			add(to, c);
		free(name);
	}
}

/* Two counters of a box count such events. */
#define AT_ONCE 2

static int measure_parts(struct search *s, const struct candidate *box, struct candidates *parts,
			 const struct candidate **found)
{
	int code = 0;

	find_parts(s, box, parts);
	for (size_t i = 0; code == 0 && i < parts->n; i += AT_ONCE)
		code = count_gains(s, parts->list + i,
				   parts->n - i < AT_ONCE ? parts->n - i : AT_ONCE, UNIT);
	*found = code == 0 && parts->n ? clearly_most(s, parts, "part") : NULL;
	return code ? code : *found ? 0 : UNCLEAR;
}

/* ---- the whole ---- */

/* The boxes are measured again after the parts: what disturbs the one may not disturb the other. */
static int measure(struct search *s, struct candidates *boxes, struct candidates *parts,
		   struct traffic_place *place)
{
	const struct candidate *box, *part, *again;
	struct candidate first;
	int code = measure_boxes(s, boxes, &box);

	if (code != 0)
		return code;
	first = *box;
	code = measure_parts(s, &first, parts, &part);
	if (code == 0)
		code = measure_boxes(s, boxes, &again);
	if (code != 0)
		return code;
	if (!is_same_box(&first, again) || first.write != again->write) {
		snprintf(s->why, s->len,
			 "two measurements found different stacks, %s%u and %s%u: stop other "
			 "traffic of devices, and measure again",
			 DEVICES_OF, first.box, DEVICES_OF, again->box);
		return UNCLEAR;
	}
	*place = (struct traffic_place){part->package, part->box, part->part, first.write,
					part->bytes};
	return 0;
}

int find_device_traffic(struct uncore *u, traffic_source *source, void *arg,
			struct traffic_place *place, char *why, size_t len)
{
	struct search s = {u, source, arg, why, len};
	struct candidates boxes = {NULL, 0}, parts = {NULL, 0};
	int code;

	*why = '\0';
	find_boxes(&s, &boxes);
	code = measure(&s, &boxes, &parts, place);
	free(boxes.list);
	free(parts.list);
	return code;
}
