/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * abi.c - a program that uses every public struct, and counts.  Behind each struct lies a wall:
 * a library that knows more members than the program must not write them there.  With -DNEWER
 * the program's header has members (`unknown`) that the library may not know.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uncore_inspect.h"

#define WALL     64
#define N_EVENTS 3

/* A struct, or an array of them, and the wall behind it. */
#define WALLED(type, name)                \
	struct {                          \
		struct type is;           \
		unsigned char wall[WALL]; \
	} name

/* As callers do it; what is not known here has to come out as 0. */
#define BEGIN(x) (memset(&(x), 0xa5, sizeof(x)), UNCORE_INIT((x).is))
#define INTACT(x) \
	expect((x).is.size == sizeof((x).is) && is_wall((x).wall) && KNOWN_ONLY((x).is), #x)
#ifdef NEWER
#define BEGIN_OUT(x)  (BEGIN(x), (void)((x).is.unknown[1] = 1))
#define KNOWN_ONLY(x) ((x).unknown[0] == 0 && (x).unknown[1] == 0 && (x).unknown[2] == 0)
#else
#define BEGIN_OUT(x)  BEGIN(x)
#define KNOWN_ONLY(x) 1
#endif

static struct uncore *u;
static int failures;

static void expect(int right, const char *what)
{
	char text[UNCORE_ERRMSG_MAX] = "";

	if (right)
		return;
	printf("%s: %s\n", what, u ? uncore_errmsg(u, text, sizeof(text)) : "");
	failures++;
}

static int is_wall(const unsigned char *wall)
{
	for (int i = 0; i < WALL; i++)
		if (wall[i] != 0xa5)
			return 0;
	return 1;
}

static int says(const char *words)
{
	char text[UNCORE_ERRMSG_MAX];

	return strstr(uncore_errmsg(u, text, sizeof(text)), words) != NULL;
}

/* ---- opening ---- */

static void open_machine(const char *machine)
{
	WALLED(uncore_options, options);

	BEGIN(options);
	options.is.machine = machine;
	options.is.wrap_poller = -1;
#ifdef NEWER
	options.is.unknown[2] = 1;
	expect(uncore_open(&u, &options.is) == UNCORE_EINVAL && says("uncore_options") &&
		       says("unknown to libuncore"),
	       "a member that the library does not know");
	uncore_close(u);
	options.is.unknown[2] = 0;
#endif
	options.is.size = 0;
	expect(uncore_open(&u, &options.is) == UNCORE_EINVAL && says("UNCORE_INIT"), "no size");
	uncore_close(u);
	options.is.size = sizeof(options.is);
	expect(uncore_open(&u, &options.is) == 0, machine);
	INTACT(options);
}

/* ---- comparison ---- */

static void look_at_boxes(void)
{
	WALLED(uncore_machine_info, machine);
	WALLED(uncore_box_info, box);
	WALLED(uncore_op_info, op);
	uint64_t value;
	unsigned n = 0;

	BEGIN_OUT(machine);
	BEGIN_OUT(box);
	BEGIN_OUT(op);
	expect(uncore_machine(u, &machine.is) == 0 && machine.is.simulated &&
		       machine.is.wrap_interval_ms > 0,
	       "uncore_machine");
	INTACT(machine);
	while (uncore_box(u, n, &box.is) == 1)
		n++;
	expect(n == machine.is.boxes && n > 0 && box.is.counters > 0, "uncore_box");
	INTACT(box);
	expect(uncore_register(u, 0, UNCORE_COUNTER, 0, &op.is) == 1 && op.is.address > 0 &&
		       op.is.kind == UNCORE_READ,
	       "uncore_register");
	INTACT(op);
	expect(uncore_register_value(u, 0, UNCORE_COUNTER, 0, &value) == 1,
	       "uncore_register_value");
	for (size_t size = 0; size <= 16385; size += size == 8 ? 16377 : 8) {
		box.is.size = size;
		expect(uncore_box(u, 0, &box.is) == UNCORE_EINVAL && says("uncore_box_info"),
		       "a size that cannot be");
	}
}

static void look_at_events(void)
{
	WALLED(uncore_event_info, event);
	WALLED(uncore_qualifier_info, qualifier);
	WALLED(uncore_erratum, erratum);
	unsigned id;

	BEGIN_OUT(event);
	BEGIN_OUT(erratum);
	BEGIN_OUT(qualifier);
	expect(uncore_listed_event(u, 0, &id) == 1, "uncore_listed_event");
	expect(uncore_event_info(u, id, &event.is) == 0 && *event.is.text, "uncore_event_info");
	INTACT(event);
	expect(uncore_event_qualifier(u, id, 0, &qualifier.is) == 1 && *qualifier.is.text,
	       "uncore_event_qualifier");
	INTACT(qualifier);
	expect(uncore_erratum(u, 0, &erratum.is) == 1 && *erratum.is.text, "uncore_erratum");
	INTACT(erratum);
	expect(uncore_event_part(u, "UNCORE_MEM_READ_BYTES:pkg=*", 0, &id) == 1 &&
		       strcmp(uncore_event_name(u, id), "UNCORE_MEM_READ_BYTES:pkg=0") == 0,
	       "uncore_event_part");
}

static void look_at_cpus(void)
{
	WALLED(uncore_cpu_info, cpu);
	WALLED(uncore_msr_info, msr);

	BEGIN_OUT(cpu);
	BEGIN_OUT(msr);
	expect(uncore_cpu(u, 0, &cpu.is) == 1 && cpu.is.counters > 0, "uncore_cpu");
	INTACT(cpu);
	expect(uncore_msr(u, 0, &msr.is) == 1 && msr.is.msr > 0, "uncore_msr");
	INTACT(msr);
}

/* The kernel counts nothing on a simulated machine: what is given stays as it is. */
static void look_at_perf(void)
{
	WALLED(uncore_perf_info, perf);
	unsigned id;

	BEGIN_OUT(perf);
	expect(uncore_listed_event(u, 0, &id) == 1 &&
		       uncore_perf_event(u, id, 0, &perf.is) == UNCORE_ENOSUPP &&
		       says("simulated") && perf.is.size == sizeof(perf.is) && is_wall(perf.wall),
	       "uncore_perf_event");
}

static void look_at_tables(void)
{
	WALLED(uncore_discovery_table_info, table);
	WALLED(uncore_discovered_unit_info, unit);

	BEGIN_OUT(table);
	BEGIN_OUT(unit);
	expect(uncore_discovery_table(u, 0, &table.is) == 1 && table.is.slots > 0,
	       "uncore_discovery_table");
	INTACT(table);
	expect(uncore_discovered_unit(u, 0, &unit.is) == 1 && *unit.is.location,
	       "uncore_discovered_unit");
	INTACT(unit);
}

static void look_at_plan(const unsigned *ids, const struct uncore_stop_after *stop_after)
{
	WALLED(uncore_plan_options, options);
	WALLED(uncore_plan_info, info);
	WALLED(uncore_assignment_info, assignment);
	WALLED(uncore_op_info, op);
	struct uncore_plan *plan;

	BEGIN(options);
	BEGIN_OUT(info);
	BEGIN_OUT(assignment);
	BEGIN_OUT(op);
	options.is.stop_after = stop_after;
	options.is.n_stop_after = 2;
	expect(uncore_plan(u, ids, N_EVENTS, &options.is, &plan) == 0, "uncore_plan");
	INTACT(options);
	expect(uncore_plan_info(plan, &info.is) == 0 && info.is.feasible, "uncore_plan_info");
	INTACT(info);
	expect(uncore_plan_assignment(plan, 0, &assignment.is) == 1 && *assignment.is.kind,
	       "uncore_plan_assignment");
	INTACT(assignment);
	expect(uncore_plan_op(plan, UNCORE_PHASE_SETUP, 0, &op.is) == 1, "uncore_plan_op");
	INTACT(op);
	uncore_plan_free(plan);
}

/* ---- counting ---- */

static void look_at_times(struct uncore_set *set, const int64_t *counts)
{
	struct {
		struct uncore_times is[N_EVENTS];
		unsigned char wall[WALL];
	} times;

	memset(&times, 0xa5, sizeof(times));
	UNCORE_INIT(times.is[0]);
	expect(uncore_set_times(set, times.is) == 0, "uncore_set_times");
	for (int i = 0; i < N_EVENTS; i++)
		expect(times.is[i].size == sizeof(*times.is) && times.is[i].count == counts[i] &&
			       times.is[i].enabled_ns > 0 &&
			       times.is[i].running_ns == times.is[i].enabled_ns &&
			       KNOWN_ONLY(times.is[i]),
		       "uncore_times");
	expect(is_wall(times.wall), "behind uncore_times");
}

static void look_at_stop(struct uncore_set *set)
{
	WALLED(uncore_stop_after_info, info);
	WALLED(uncore_overflow_source, source);

	BEGIN_OUT(info);
	BEGIN_OUT(source);
	expect(uncore_set_stop_after_info(set, 1, &info.is) == 1 && info.is.event == 2 &&
		       info.is.count == 1000000 &&
		       uncore_set_stop_after_info(set, 2, &info.is) == 0,
	       "uncore_set_stop_after_info");
	INTACT(info);
	expect(uncore_set_overflow_source(set, 0, &source.is) == 1 && source.is.event == 2,
	       "uncore_set_overflow_source");
	INTACT(source);
}

static void look_at_set(struct uncore_set *set)
{
	WALLED(uncore_set_info, info);
	WALLED(uncore_missed_wrap, wrap);
	char text[UNCORE_ERRMSG_MAX];

	BEGIN_OUT(info);
	BEGIN_OUT(wrap);
	expect(uncore_set_info(set, &info.is) == 0 && info.is.events == N_EVENTS &&
		       info.is.rounds == 1 && !info.is.running,
	       "uncore_set_info");
	INTACT(info);
	expect(uncore_set_missed_wrap(set, &wrap.is) == 0 && wrap.is.wrap_ms > 0,
	       "uncore_set_missed_wrap");
	INTACT(wrap);
	uncore_missed_wrap_text(set, &wrap.is, text, sizeof(text));
	expect(strstr(text, "was not read for") != NULL, "uncore_missed_wrap_text");
}

/* Time passes on this machine: what is inside takes some. */
static void look_at_regions(const unsigned *ids)
{
	WALLED(uncore_region_info, info);
	int64_t values[N_EVENTS] = {-1, -1, -1};
	struct uncore_set *set;
	char text[1024];
	unsigned id = 1;

	BEGIN_OUT(info);
	expect(uncore_set_create(u, &set) == 0 && uncore_set_assign(set, ids, N_EVENTS) == 0 &&
		       uncore_region(set, "region", &id) == 0 && id == 0 &&
		       uncore_set_start(set) == 0,
	       "uncore_region");
	expect(uncore_region_begin(set, id) == 0 && uncore_region_end(set, id) == 0,
	       "uncore_region_begin, uncore_region_end");
	expect(uncore_region_info(set, id, &info.is, values) == 1 && info.is.calls == 1 &&
		       info.is.ns > 0 && info.is.lost == 0 && info.is.inside == 0 &&
		       strcmp(info.is.name, "region") == 0 && values[2] > 0,
	       "uncore_region_info");
	INTACT(info);
	expect(uncore_regions_text(set, UNCORE_REGIONS_JSON, text, sizeof(text)) > 0 &&
		       strstr(text, "\"region\":\"region\"") != NULL,
	       "uncore_regions_text");
	expect(uncore_region_reset(set, id) == 0 &&
		       uncore_region_info(set, id, &info.is, values) == 1 && info.is.calls == 0,
	       "uncore_region_reset");
	uncore_set_destroy(set);
}

/* The third event stops all of them after a million; the first would after very many. */
static void count(void)
{
	static const char *const names[N_EVENTS] = {"UNC_M_CAS_COUNT:RD:box=0:pkg=0",
						    "UNC_M_CAS_COUNT:WR",
						    "UNC_C_CLOCKTICKS:box=0:pkg=0"};
	struct uncore_stop_after stop_after[2];
	int64_t counts[N_EVENTS] = {0};
	unsigned ids[N_EVENTS];
	struct uncore_set *set;

	for (int i = 0; i < N_EVENTS; i++)
		expect(uncore_event(u, names[i], &ids[i]) == 0, names[i]);
	for (int i = 0; i < 2; i++) {
		UNCORE_INIT(stop_after[i]);
		stop_after[i].event = i ? 2 : 0;
		stop_after[i].count = i ? 1000000 : 1000000000000;
	}
	look_at_plan(ids, stop_after);
	look_at_regions(ids);
	expect(uncore_set_create(u, &set) == 0 && uncore_set_assign(set, ids, N_EVENTS) == 0 &&
		       uncore_set_stop_after(set, stop_after, 2, 0) == 0 &&
		       uncore_set_start(set) == 0,
	       "start");
	expect(uncore_set_wait(set, 10000) == 1, "uncore_set_wait");
	expect(uncore_set_stop(set) == 0 && uncore_set_read(set, counts) == 0, "stop");
	expect(counts[0] > 0 && counts[1] > 0 && counts[2] >= 1000000 && counts[2] < 2000000,
	       "counts");
	look_at_times(set, counts);
	look_at_stop(set);
	look_at_set(set);
	uncore_set_destroy(set);
}

int main(void)
{
	open_machine("sim:ivbep:packages=1,cores=2");
	look_at_boxes();
	look_at_events();
	look_at_cpus();
	look_at_perf();
	count();
	uncore_close(u);
	open_machine("sim:spr:packages=1,cores=2");
	look_at_tables();
	uncore_close(u);
	return failures != 0;
}
