/* SPDX-License-Identifier: BSD-3-Clause */
/* collect.c - see collect.h. */
#include "command/explain/collect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/box.h"
#include "command/base/gain.h"
#include "command/base/rate.h"
#include "command/base/slices.h"
#include "command/base/text.h"
#include "uncore_inspect.h"

static const struct {
	unsigned part;
	const char *events[2];
} quantities[QUANTITIES] = {
#define QUANTITY(name, part, topic, event, alternative) {part, {event, alternative}},
#include "command/explain/quantities.def"
#undef QUANTITY
};

#define MOST_BYTES ((size_t)64 << 20) /* of samples */
#define LEAST_ROWS 1000

#define WINDOWS_NEEDED 4 /* of each event, for an estimate and its error */

#define LOOK_INTERVAL 0.005 /* s: half of the shortest window */

#define PARTS QUANTITIES /* the most there can be, in a package */

static bool is_of_stacks(enum quantity q)
{
	return q == Q_STACK_READ || q == Q_STACK_WRITE;
}

static bool by_box(enum quantity q)
{
	return q == Q_READ || q == Q_WRITE || q == Q_SLICES;
}

/* ---- events ---- */

/* Current values are not multiplexed. */
static bool is_apart(enum quantity q)
{
	return q == Q_FASTEST;
}

static void miss(struct collection *c, const char *what, const char *why)
{
	const size_t length = strlen(what);
	const bool begins = strncmp(why, what, length) == 0 && why[length] == ':';
	char *line = begins ? text_of("%s\n", why) : text_of("%s: %s\n", what, why);

	if (!c->missing)
		c->missing = text_of("%s", "");
	if (!strstr(c->missing, line))
		c->missing = text_and(c->missing, "%s", line);
	free(line);
}

static void add_event(struct collection *c, unsigned id, struct collected is)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	const char *box = strstr(uncore_event_name(c->u, id), ":box=");
	const size_t part = is.package * PARTS + quantities[is.quantity].part;
	/* a stack has too few counters for all its ports at once */
	const size_t i = basket_add_event(&c->basket, part, id, is.port ? 0 : (unsigned)part + 1);

	is.real = uncore_event_info(c->u, id, &info) == 0 && info.real;
	is.number = box ? (unsigned)strtoul(box + strlen(":box="), NULL, 10) : 0;
	is.expected = is.quantity == Q_SLICES ? expected_of_slice(c->u, id) : 0;
	is.node = is.box >= 0 ? node_of_event(&c->nodes, c->u, id) : NULL;
	c->events = need_more(c->events, i + 1, sizeof(*c->events));
	c->events[i] = is;
	if (is_apart(is.quantity))
		c->basket.parts[part].apart = c->basket.units[is.package].apart = true;
}

static bool add_boxes(struct collection *c, enum quantity q, const char *event, unsigned package)
{
	char *name = text_of("%s:box=*:pkg=%u", event, package);
	unsigned id, n = 0;

	while (uncore_event_part(c->u, name, n, &id) == 1)
		add_event(c, id,
			  (struct collected){.quantity = q, .package = package, .box = (int)n++});
	free(name);
	return n > 0;
}

/* Reads and writes have the same order. */
static bool add_places(struct collection *c, enum quantity q, unsigned package)
{
	int n = 0;

	for (size_t i = 0; i < c->devices.n; i++) {
		const struct device_place *p = &c->devices.list[i];

		if (p->package != package)
			continue;
		add_event(c, p->ids[q == Q_STACK_WRITE],
			  (struct collected){.quantity = q,
					     .package = package,
					     .box = n++,
					     .port = (unsigned)(p->part + 1),
					     .devices = p->devices ? text_of("%s", p->devices)
								   : NULL});
	}
	return n > 0;
}

static int add_package(struct collection *c, enum quantity q, const char *event, unsigned package)
{
	unsigned id;
	int code;

	if (is_of_stacks(q))
		return add_places(c, q, package) ? 0 : UNCORE_ENOEVENT;
	if (by_box(q) && add_boxes(c, q, event, package))
		return 0;
	code = event_that_fits(c->u, &id, "%s:pkg=%u", event, package);
	if (code == 0)
		add_event(c, id, (struct collected){.quantity = q, .package = package, .box = -1});
	return code;
}

static void lack(struct collection *c, enum quantity q, unsigned package, const char *event,
		 const char *why)
{
	c->lacking[(size_t)package * QUANTITIES + q] = true;
	miss(c, event, why);
}

/*
 * In each package that can count it; false: none can.  why: the reason, unless the processor has no
 * such event.
 */
static bool add_event_everywhere(struct collection *c, enum quantity q, const char *event,
				 char *why)
{
	int *codes = need_memory(c->packages, sizeof(*codes));
	bool any = false;

	*why = '\0';
	for (unsigned p = 0; p < c->packages; p++) {
		codes[p] = add_package(c, q, event, p);
		any |= codes[p] == 0;
		if (codes[p] < 0 && codes[p] != UNCORE_ENOEVENT && !*why)
			uncore_errmsg(c->u, why, UNCORE_ERRMSG_MAX);
	}
	for (unsigned p = 0; any && p < c->packages; p++)
		if (codes[p] < 0)
			lack(c, q, p, event, why);
	free(codes);
	return any;
}

/* Some only divide others. */
static bool is_wanted(const struct collection *c, enum quantity q)
{
	return !(q == Q_DCLK && c->clocks) && !(is_of_stacks(q) && c->devices.n == 0);
}

/* Also stacks without devices, of which the bytes may be: not on machines without any device. */
static void find_devices(struct collection *c)
{
	struct device_labels labels;

	read_device_labels(c->u, &labels);
	if (labels.n)
		find_device_places(c->u, &labels, true, &c->devices);
	free_device_labels(&labels);
}

/* The first alternative that the machine has. */
static void add_quantity(struct collection *c, enum quantity q)
{
	const char *const *events = quantities[q].events;
	char why[UNCORE_ERRMSG_MAX] = "", first[UNCORE_ERRMSG_MAX] = "";

	for (size_t i = 0; i < 2 && events[i] && !c->names[q]; i++) {
		c->names[q] = add_event_everywhere(c, q, events[i], why) ? events[i] : NULL;
		if (!*first)
			memcpy(first, why, sizeof(first));
	}
	for (unsigned p = 0; *first && events[0] && !c->names[q] && p < c->packages; p++)
		lack(c, q, p, events[0], first);
}

static void add_reads(struct collection *c, const struct core_reads *reads)
{
	for (size_t i = 0; reads && i < reads->n; i++)
		add_event(c, reads->cpus[i].id,
			  (struct collected){.quantity = Q_CORE_READS,
					     .package = reads->cpus[i].package,
					     .box = (int)i});
}

void collection_new(struct collection *c, struct uncore *u, double interval,
		    const struct clocks *clocks, const struct core_reads *reads)
{
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(u, &m);
	*c = (struct collection){.u = u,
				 .packages = m.packages,
				 .replayed = m.replayed,
				 .clocks = clocks,
				 .look_interval = LOOK_INTERVAL};
	find_devices(c);
	read_node_labels(u, &c->nodes);
	c->paces = need_memory(m.packages, sizeof(*c->paces));
	c->lacking = need_memory((size_t)m.packages * QUANTITIES, sizeof(*c->lacking));
	basket_new(&c->basket, u, m.packages, UNCORE_MULTIPLEX_US);
	for (size_t i = 0; i < (size_t)PARTS * m.packages; i++)
		basket_add_part(&c->basket, i / PARTS);
	for (unsigned q = 0; q < QUANTITIES; q++)
		if (is_wanted(c, (enum quantity)q))
			add_quantity(c, (enum quantity)q);
	add_reads(c, reads);
	basket_split_windows(&c->basket);
	c->basket.interval_us = interval * 1e6;
	c->most = MOST_BYTES / (c->basket.n_events + 1) / sizeof(*c->samples);
	c->most = c->most < LEAST_ROWS ? LEAST_ROWS : c->most;
}

void collection_free(struct collection *c)
{
	for (unsigned p = 0; p < c->packages; p++)
		pace_free(&c->paces[p]);
	for (size_t i = 0; i < c->basket.n_events; i++)
		free(c->events[i].devices);
	free_device_places(&c->devices);
	free_node_labels(&c->nodes);
	free(c->paces);
	basket_free(&c->basket);
	free(c->events);
	free(c->missing);
	free(c->lacking);
	free(c->samples);
	free(c->at);
	free(c->host);
}

/* ---- counting ---- */

/* Windows are known after the start. */
static void note_windows(struct collection *c, const struct basket_set *s)
{
	const double window = s->multiplexed ? 1e-6 * s->window_us : 0;

	for (size_t i = 0; i < s->n; i++)
		c->events[s->events[i]].windows = (struct windows){window, s->rounds};
	c->needs = fmax(c->needs, WINDOWS_NEEDED * window * s->rounds);
}

static void lack_part(struct collection *c, size_t part)
{
	for (size_t i = 0; i < c->basket.n_events; i++) {
		const struct collected *e = &c->events[i];
		const char *name = c->names[e->quantity];

		if (c->basket.events[i].part == part && name)
			lack(c, e->quantity, e->package, name, c->basket.parts[part].reason);
	}
}

int collection_start(struct collection *c)
{
	bool any = false;

	c->rows = c->thinned = 0;
	for (unsigned p = 0; p < c->packages; p++) {
		pace_begin(&c->paces[p], c->replayed ? INFINITY : c->look_interval);
		basket_start(&c->basket, p);
		for (size_t s = 0; s < 2; s++)
			note_windows(c, &c->basket.units[p].sets[s]);
	}
	for (size_t i = 0; i < c->basket.n_parts; i++) {
		any |= c->basket.parts[i].up && c->basket.parts[i].n;
		if (c->basket.parts[i].reason)
			lack_part(c, i);
	}
	return any ? 0 : UNCORE_ENODEV;
}

static struct sample sample_of(const struct collection *c, const struct basket_set *s, size_t i)
{
	const struct uncore_times *t = &s->times[i];

	return (struct sample){
		.count = c->events[s->events[i]].real ? uncore_real(s->values[i])
						      : (double)s->values[i],
		.seconds = 1e-9 * (double)s->ns,
		.counted = 1e-9 * (double)(t->running_ns < t->enabled_ns ? t->running_ns : s->ns),
		.error = t->error,
		.shift = c->rows ? 1e-9 * t->shift_ns : 0, /* the counts begin with the first */
		.local = per_second((double)s->gained[i], 1e-9 * (double)s->gained_ns),
		.took_ns = c->replayed ? 0 : s->took_ns,
	};
}

#define MOST_DELAY (LOOK_INTERVAL / 10)

/*
 * Memory traffic is in the second set of a package.  After a read that was delayed for long, the
 * traffic would seem to change, and before each of its events has had a window it is not known.
 */
static void add_pace(struct collection *c, unsigned package)
{
	const struct basket_set *s = &c->basket.units[package].sets[1];
	const double took = c->replayed ? 0 : 1e-9 * (double)s->took_ns;
	const bool delayed = took >= 1e-9 * (double)s->shortest_ns + MOST_DELAY;
	double bytes = 0;

	for (size_t i = 0; i < s->n; i++) {
		const enum quantity q = c->events[s->events[i]].quantity;

		if (q != Q_READ && q != Q_WRITE)
			continue;
		bytes +=
			c->rows && has_no_window(&s->times[i]) ? (double)NAN : (double)s->values[i];
	}
	if (s->set && !delayed)
		pace_add(&c->paces[package], 1e-9 * (double)s->ns, took / 2, bytes);
}

int collection_look(struct collection *c)
{
	int code = 0;

	for (unsigned p = 0; code == 0 && !c->replayed && p < c->packages; p++) {
		code = basket_read_measured(&c->basket.units[p].sets[1]);
		if (code == 0)
			add_pace(c, p);
	}
	return code;
}

double collection_pace(const struct collection *c)
{
	double longest = 0;

	for (unsigned p = 0; p < c->packages; p++)
		longest = fmax(longest, c->paces[p].interval);
	return longest;
}

/* A recording has its own time. */
static int sample_set(struct collection *c, struct basket_set *s, struct sample *row)
{
	int code = basket_read_closely(s);

	if (code == 0)
		code = basket_times(s);
	for (size_t i = 0; code == 0 && i < s->n; i++) {
		row[s->events[i]] = sample_of(c, s, i);
		c->events[s->events[i]].shortest_ns = c->replayed ? 0 : s->shortest_ns;
	}
	if (code == 0 && s->set)
		c->at[c->rows] = fmax(c->at[c->rows], 1e-9 * (double)s->ns);
	return code;
}

/* Counts are cumulative, so the others stay as they are.  The first two begin the run. */
static void thin_out(struct collection *c)
{
	const size_t n = c->basket.n_events;
	size_t to = 2;

	for (size_t from = 3; from < c->rows; from += 2, to++) {
		memcpy(&c->samples[to * n], &c->samples[from * n], n * sizeof(*c->samples));
		c->at[to] = c->at[from];
		c->host[to] = c->host[from];
	}
	c->rows = to;
	c->thinned++;
}

int collection_sample(struct collection *c, double host)
{
	const size_t n = c->basket.n_events;
	int code = 0;

	if (c->rows >= c->most)
		thin_out(c);
	c->samples = need_more(c->samples, (c->rows + 1) * n, sizeof(*c->samples));
	c->at = need_more(c->at, c->rows + 1, sizeof(*c->at));
	c->host = need_more(c->host, c->rows + 1, sizeof(*c->host));
	c->at[c->rows] = 0;
	c->host[c->rows] = host;
	memset(&c->samples[c->rows * n], 0, n * sizeof(*c->samples));
	for (unsigned i = 0; code == 0 && i < c->packages; i++) {
		for (size_t s = 0; code == 0 && s < 2; s++)
			code = sample_set(c, &c->basket.units[i].sets[s], &c->samples[c->rows * n]);
		if (code == 0)
			add_pace(c, i);
	}
	c->rows += code == 0;
	return code;
}

/* An open window may have begun later than it seems: only a stop finds that out. */
static int stop_set(struct collection *c, struct basket_set *s)
{
	struct sample *last = &c->samples[(c->rows - 1) * c->basket.n_events];
	int code = s->set ? uncore_set_stop(s->set) : 0;

	if (code == 0)
		code = basket_read(s);
	if (code == 0)
		code = basket_times(s);
	for (size_t i = 0; code == 0 && i < s->n; i++)
		if (s->times[i].running_ns < s->times[i].enabled_ns)
			last[s->events[i]] = sample_of(c, s, i);
	return code;
}

int collection_stop(struct collection *c)
{
	int code = 0;

	for (size_t i = 0; c->rows && i < c->basket.n_units; i++)
		for (size_t s = 0; code == 0 && s < 2; s++)
			code = stop_set(c, &c->basket.units[i].sets[s]);
	for (size_t i = 0; i < c->basket.n_units; i++)
		basket_end(&c->basket.units[i]);
	return code;
}
