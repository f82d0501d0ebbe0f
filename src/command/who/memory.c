/* SPDX-License-Identifier: BSD-3-Clause */
/* memory.c - see memory.h. */
#include "command/who/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/clock.h"
#include "command/base/device_places.h"
#include "command/base/gain.h"
#include "command/base/rate.h"
#include "command/base/text.h"
#include "command/base/window.h"
#include "uncore_inspect.h"

#define ALTERNATIVES 3

/*
 * Reads of devices that hit the last-level cache, and writes that it holds, do not reach memory, so
 * misses are better where they can be counted.
 */
static const struct {
	enum memory_quantity first;
	const char *events[ALTERNATIVES][2];
} parts[] = {
	{MEMORY_READ, {{"UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES"}}},
	{DEVICE_READ,
	 {{"UNCORE_PCIE_READ_MISS_BYTES", "UNCORE_PCIE_WRITE_MISS_BYTES"},
	  {"UNCORE_PCIE_READ_BYTES", "UNCORE_PCIE_WRITE_BYTES"},
	  {"UNCORE_PCIE_READ_BYTES_SPLIT", "UNCORE_PCIE_WRITE_BYTES_SPLIT"}}},
	{ENERGY_PACKAGE, {{"UNCORE_ENERGY_PACKAGE_UJ"}}},
	{ENERGY_DRAM, {{"UNCORE_ENERGY_DRAM_UJ"}}},
};

#define PARTS (sizeof(parts) / sizeof(*parts))

/* ---- events ---- */

/* Events of a part, which are counted together or not at all. */
static unsigned size_of(size_t part)
{
	return parts[part].events[0][1] ? 2 : 1;
}

/* The first alternative that fits, of which ids receives the events. */
static int find_part(struct memory *m, size_t part, unsigned package, unsigned ids[2])
{
	int code = UNCORE_ENOEVENT;

	for (size_t a = 0; a < ALTERNATIVES && parts[part].events[a][0]; a++) {
		const unsigned n = size_of(part);

		code = 0;
		for (unsigned i = 0; code == 0 && i < n; i++) {
			m->names[parts[part].first + i] = parts[part].events[a][i];
			code = event_that_fits(m->u, &ids[i], "%s:pkg=%u", parts[part].events[a][i],
					       package);
		}
		if (code == 0)
			code = events_fit(m->u, ids, n);
		if (code == 0 || !is_not_here(code))
			break;
	}
	return code;
}

static void add_event(struct memory *m, size_t part, unsigned id, struct memory_event is)
{
	const size_t event = basket_add_event(&m->basket, part, id, 0);

	m->events = need_more(m->events, event + 1, sizeof(*m->events));
	m->events[event] = is;
}

static void add_part(struct memory *m, size_t part, unsigned package, const unsigned *ids)
{
	const size_t to = basket_add_part(&m->basket, package);

	for (unsigned i = 0; i < size_of(part); i++)
		add_event(m, to, ids[i],
			  (struct memory_event){.quantity = parts[part].first + i,
						.package = package,
						.stack = -1});
}

/* ---- PCIe stacks ---- */

/* Ports are counted one after another where a stack has fewer counters than they need: in units of
 * their own.
 */
static void add_place(struct memory *m, struct device_place *place)
{
	const size_t part =
		basket_add_part(&m->basket, place->package + (place->part < 0 ? 0 : m->packages));

	m->stacks = need_more(m->stacks, m->n_stacks + 1, sizeof(*m->stacks));
	m->stacks[m->n_stacks] = (struct memory_stack){.package = place->package,
						       .box = place->box,
						       .part = place->part,
						       .devices = place->devices};
	for (unsigned i = 0; i < 2; i++)
		add_event(m, part, place->ids[i],
			  (struct memory_event){.quantity = STACK_READ + i,
						.package = place->package,
						.stack = (int)m->n_stacks});
	m->n_stacks++;
	place->devices = NULL;
}

/* Only processors that count bytes of each stack have them. */
static void add_stacks(struct memory *m)
{
	struct device_labels labels;
	struct device_places places;

	read_device_labels(m->u, &labels);
	find_device_places(m->u, &labels, true, &places);
	for (size_t i = 0; i < places.n; i++)
		if (places.list[i].package < m->packages)
			add_place(m, &places.list[i]);
	free_device_places(&places);
	free_device_labels(&labels);
}

/* ---- opening ---- */

/* 0, or why the memory controllers of a package cannot be counted. */
static int add_package(struct memory *m, unsigned package)
{
	unsigned ids[2] = {0, 0};

	for (size_t part = 0; part < PARTS; part++) {
		const int code = find_part(m, part, package, ids);

		if (code == 0)
			add_part(m, part, package, ids);
		else if (part == 0)
			return code;
		for (unsigned i = 0; i < size_of(part); i++)
			m->here[parts[part].first + i] &= code == 0;
	}
	return 0;
}

/* Parts that do not fit with the others are not counted. */
static int start(struct memory *m)
{
	for (size_t unit = 0; unit < m->basket.n_units; unit++)
		basket_start(&m->basket, unit);
	for (size_t i = 0; i < m->basket.n_events; i++) {
		const struct basket_part *part = &m->basket.parts[m->basket.events[i].part];
		const enum memory_quantity q = m->events[i].quantity;

		if (!part->up && q == MEMORY_READ)
			return part->code;
		if (q < MEMORY_QUANTITIES)
			m->here[q] &= part->up;
	}
	return 0;
}

int memory_open(struct memory *m, struct uncore *u, bool stacks)
{
	struct uncore_machine_info info = {.size = sizeof(info)};
	int code = 0;

	uncore_machine(u, &info);
	*m = (struct memory){.u = u, .packages = info.packages};
	if (m->packages > WHO_PACKAGES)
		m->packages = WHO_PACKAGES;
	for (unsigned q = 0; q < MEMORY_QUANTITIES; q++)
		m->here[q] = true;
	m->clocks = need_memory(4 * (size_t)m->packages, sizeof(*m->clocks));
	basket_new(&m->basket, u, 2 * (size_t)m->packages, 0);
	for (size_t unit = m->packages; unit < m->basket.n_units; unit++)
		m->basket.units[unit].window_us = UNCORE_MULTIPLEX_US;
	for (unsigned p = 0; code == 0 && p < m->packages; p++)
		code = add_package(m, p);
	if (code == 0 && stacks)
		add_stacks(m);
	return code == 0 ? start(m) : code;
}

void memory_close(struct memory *m)
{
	for (size_t unit = 0; unit < m->basket.n_units; unit++)
		basket_end(&m->basket.units[unit]);
	basket_free(&m->basket);
	for (size_t i = 0; i < m->n_stacks; i++)
		free(m->stacks[i].devices);
	free(m->events);
	free(m->stacks);
	free(m->clocks);
}

/* ---- reading ---- */

struct gain {
	double bytes, error; /* error: of an estimate; NAN: unknown, and so are the bytes */
	struct counted_time time;
	bool estimate;
};

static void take_stack(struct memory_stack *stack, bool read, const struct gain *gain)
{
	*(read ? &stack->read : &stack->write) = isfinite(gain->error) ? gain->bytes : (double)NAN;
	*(read ? &stack->read_error : &stack->write_error) = gain->error;
	stack->seconds = gain->time.seconds;
	stack->estimate = gain->estimate;
}

static void take_gain(struct memory *m, const struct memory_event *e, const struct gain *gain)
{
	if (e->stack >= 0) {
		take_stack(&m->stacks[e->stack], e->quantity == STACK_READ, gain);
		return;
	}
	m->used[e->quantity][e->package] += gain->bytes;
	m->rates[e->quantity].rate += per_second(gain->bytes, gain->time.seconds);
	m->rates[e->quantity].doubt += rate_doubt(gain->bytes, gain->time);
}

/* Of an estimate: its windows differ, and their lengths are not known exactly. */
static double relative_error(const struct uncore_times *before, const struct uncore_times *now,
			     int64_t ns, unsigned window_us)
{
	const int64_t running = now->running_ns - before->running_ns;
	const double error = error_of_interval(before, now, ns);

	return error < 0 ? (double)NAN
			 : 2 * hypot(error, doubt_of_lengths((double)running / (1e3 * window_us)));
}

/* ns: of the interval. */
static void estimate(struct gain *gain, struct memory_event *e, const struct basket_set *s,
		     size_t i, int64_t ns)
{
	gain->bytes = gain_of_interval(&e->times, &s->times[i], gain->bytes, ns);
	gain->error = gain->bytes * relative_error(&e->times, &s->times[i], ns, s->window_us);
	e->times = s->times[i];
}

/* The length is the set's; that of the reads is an upper bound of its uncertainty. */
static void take_counts(struct memory *m, const struct basket_set *s, struct memory_clock *clock,
			struct looked_at now)
{
	const int64_t ns = s->ns - clock->ns;
	struct gain gain = {.time = {1e-9 * (double)ns, time_between(clock->at, now).doubt},
			    .estimate = s->multiplexed};

	for (size_t i = 0; s->set && i < s->n; i++) {
		struct memory_event *e = &m->events[s->events[i]];

		gain.bytes = (double)(s->values[i] - e->before);
		if (s->multiplexed)
			estimate(&gain, e, s, i, ns);
		take_gain(m, e, &gain);
		e->before = s->values[i];
	}
	*clock = (struct memory_clock){s->ns, now, true};
}

/* Estimates of the first moment are of few windows: the first interval begins with the start. */
static int read_set(struct memory *m, struct basket_set *s, struct memory_clock *clock)
{
	struct looked_at now = {.before = seconds_now()};
	int code = basket_read(s);

	now.after = seconds_now();
	if (code == 0 && s->multiplexed)
		code = basket_times(s);
	if (code == 0 && s->multiplexed && !clock->looked)
		*clock = (struct memory_clock){0, now, true};
	else if (code == 0)
		take_counts(m, s, clock, now);
	return code;
}

int memory_read(struct memory *m)
{
	int code = 0;

	for (unsigned q = 0; q < MEMORY_QUANTITIES; q++) {
		const double none = m->here[q] ? 0 : (double)NAN;

		for (unsigned p = 0; p < WHO_PACKAGES; p++)
			m->used[q][p] = none;
		m->rates[q] = (struct memory_rate){none, none};
	}
	for (size_t set = 0; code == 0 && set < 2 * m->basket.n_units; set++)
		code = read_set(m, &m->basket.units[set / 2].sets[set % 2], &m->clocks[set]);
	return code;
}
