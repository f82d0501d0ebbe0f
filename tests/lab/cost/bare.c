/* SPDX-License-Identifier: BSD-3-Clause */
/* cost_bare.c - counting without PAPI: our library, perf_event_open, liblikwid. */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cost.h"
#include "uncore_inspect.h"

/* ---- our library ---- */

static struct {
	struct uncore *u;
	struct uncore_set *set;
	int64_t values[COST_MAX];
	char text[UNCORE_ERRMSG_MAX];
} lib;

static const char *said(int r)
{
	return r ? uncore_errmsg(lib.u, lib.text, sizeof(lib.text)) : NULL;
}

static const char *init_library(unsigned n)
{
	(void)n;
	return said(uncore_open(&lib.u, NULL));
}

static const char *setup_library(unsigned n)
{
	unsigned ids[4];
	char name[UNCORE_NAME_MAX + 1];
	int r = uncore_set_create(lib.u, &lib.set);

	for (unsigned i = 0; r == 0 && i < cost_per_box(n); i++) {
		snprintf(name, sizeof(name), "%s%s", cost_events[i].name,
			 cost_boxes(n) == 1 ? ":box=0:pkg=0" : "");
		r = uncore_event(lib.u, name, &ids[i]);
	}
	if (r == 0)
		r = uncore_set_assign(lib.set, ids, cost_per_box(n));
	return said(r ? r : uncore_set_start(lib.set));
}

static const char *read_library(void)
{
	return said(uncore_set_read(lib.set, lib.values));
}

static const char *stop_library(void)
{
	const int r = uncore_set_stop(lib.set);

	uncore_set_destroy(lib.set);
	return said(r);
}

static unsigned list_library(void)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	unsigned n = 0, id, umask;

	for (unsigned i = 0; uncore_listed_event(lib.u, i, &id) == 1; i++) {
		n += uncore_event_info(lib.u, id, &info) == 0;
		for (umask = id; uncore_event_umask(lib.u, umask, 0, &umask) == 1;)
			n += uncore_event_info(lib.u, umask, &info) == 0;
	}
	return n;
}

const struct contestant cost_library = {
	.name = "library",
	.title = "this library",
	.init = init_library,
	.setup = setup_library,
	.read = read_library,
	.stop = stop_library,
	.list = list_library,
};

/* ---- perf_event_open, a group for each box ---- */

static struct {
	unsigned boxes, per_box;
	int fd[COST_MAX];
	uint64_t counts[1 + 4];
} perf;

static const char *init_perf(unsigned n)
{
	(void)n;
	return NULL;
}

static int pmu_type(unsigned box)
{
	char path[80];
	FILE *f;
	int type = -1;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/uncore_cbox_%u/type", box);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%d", &type) != 1)
		type = -1;
	fclose(f);
	return type;
}

static int open_counter(int type, unsigned cpu, unsigned event, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = (uint32_t)type,
		.config = cost_events[event].config,
		.read_format = PERF_FORMAT_GROUP,
	};

	return (int)syscall(SYS_perf_event_open, &attr, -1, (int)cpu, leader, 0);
}

static const char *setup_perf(unsigned n)
{
	perf.boxes = cost_boxes(n);
	perf.per_box = cost_per_box(n);
	for (unsigned b = 0; b < perf.boxes; b++) {
		const int type = pmu_type(b % 8);
		int *fd = &perf.fd[(size_t)b * perf.per_box];

		if (type < 0)
			return "the kernel has no uncore_cbox PMU";
		for (unsigned e = 0; e < perf.per_box; e++) {
			fd[e] = open_counter(type, b / 8, e, e ? fd[0] : -1);
			if (fd[e] < 0)
				return "perf_event_open failed";
		}
	}
	return NULL;
}

static const char *read_perf(void)
{
	for (unsigned b = 0; b < perf.boxes; b++)
		if (read(perf.fd[(size_t)b * perf.per_box], perf.counts, sizeof(perf.counts)) < 0)
			return "read failed";
	return NULL;
}

static const char *stop_perf(void)
{
	for (unsigned i = 0; i < perf.boxes * perf.per_box; i++)
		close(perf.fd[i]);
	return NULL;
}

const struct contestant cost_perf = {
	.name = "perf",
	.title = "perf_event_open, one group a box",
	.init = init_perf,
	.setup = setup_perf,
	.read = read_perf,
	.stop = stop_perf,
};

/* ---- liblikwid, direct access ---- */

static struct {
	int (*topology_init)(void);
	int (*numa_init)(void);
	void (*affinity_init)(void);
	void (*HPMmode)(int mode);
	int (*perfmon_init)(int n, const int *cpus);
	int (*perfmon_addEventSet)(const char *events);
	int (*perfmon_setupCounters)(int group);
	int (*perfmon_startCounters)(void);
	int (*perfmon_readCounters)(void);
	int (*perfmon_stopCounters)(void);
	void (*perfmon_finalize)(void);
} likwid;

/* In the order above. */
static const char *const likwid_names[] = {
	"topology_init",         "numa_init",
	"affinity_init",         "HPMmode",
	"perfmon_init",          "perfmon_addEventSet",
	"perfmon_setupCounters", "perfmon_startCounters",
	"perfmon_readCounters",  "perfmon_stopCounters",
	"perfmon_finalize",
};

/* The library is not linked: it may not be there, and its headers need not be. */
static const char *find_likwid(void)
{
	void *dl = dlopen("liblikwid.so.5.2", RTLD_NOW | RTLD_GLOBAL);
	void *found[sizeof(likwid_names) / sizeof(*likwid_names)];

	_Static_assert(sizeof(found) == sizeof(likwid), "a name for each function");
	if (!dl)
		return "liblikwid.so.5.2 is not installed";
	for (size_t i = 0; i < sizeof(found) / sizeof(*found); i++) {
		found[i] = dlsym(dl, likwid_names[i]);
		if (!found[i])
			return "this liblikwid lacks a function";
	}
	/* POSIX: an address that dlsym() gives may be a function's. */
	memcpy(&likwid, found, sizeof(likwid));
	return NULL;
}

/* A thread in each package that counts. */
static const char *init_likwid(unsigned n)
{
	static const int cpus[2] = {0, 1};
	const char *why = find_likwid();

	if (why)
		return why;
	likwid.HPMmode(0);
	if (likwid.topology_init() < 0)
		return "topology_init failed";
	likwid.numa_init();
	likwid.affinity_init();
	return likwid.perfmon_init(cost_boxes(n) == 1 ? 1 : 2, cpus) < 0 ? "perfmon_init failed"
									 : NULL;
}

/* likwid takes the events of all threads from one list and sums nothing. */
static const char *setup_likwid(unsigned n)
{
	static const unsigned counter[4] = {1, 0, 2, 3};
	const unsigned boxes = cost_boxes(n) == 1 ? 1 : 8;
	char list[2048] = "";
	size_t used = 0;
	int group;

	for (unsigned b = 0; b < boxes; b++)
		for (unsigned e = 0; e < cost_per_box(n); e++)
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s:CBOX%uC%u",
						 used ? "," : "", cost_events[e].likwid, b,
						 counter[e]);
	group = likwid.perfmon_addEventSet(list);
	if (group < 0)
		return "perfmon_addEventSet failed";
	if (likwid.perfmon_setupCounters(group) < 0)
		return "perfmon_setupCounters failed";
	return likwid.perfmon_startCounters() < 0 ? "perfmon_startCounters failed" : NULL;
}

static const char *read_likwid(void)
{
	return likwid.perfmon_readCounters() < 0 ? "perfmon_readCounters failed" : NULL;
}

static const char *stop_likwid(void)
{
	const int r = likwid.perfmon_stopCounters();

	likwid.perfmon_finalize();
	return r < 0 ? "perfmon_stopCounters failed" : NULL;
}

const struct contestant cost_likwid = {
	.name = "likwid",
	.title = "likwid, direct access",
	.init = init_likwid,
	.setup = setup_likwid,
	.read = read_likwid,
	.stop = stop_likwid,
};
