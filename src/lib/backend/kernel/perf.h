/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf.h - an encoded event as the kernel's uncore driver takes it, and counting through the
 * kernel.
 *
 * The driver has a PMU for each box, below sys/bus/event_source/devices; one PMU stands for the
 * boxes of that number of all packages, of which the CPU chooses one.  The config words of the
 * driver are laid out as control and filters are here: its format files tell which bits it takes.
 * What it would drop without an error is refused.
 */
#ifndef UNC_PERF_H
#define UNC_PERF_H

#include "event/event.h"
#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNC_PERF_WORDS UNC_CONFIGS
#define UNC_PMU_NAME   40

struct unc_perf_event {
	char pmu[UNC_PMU_NAME]; /* "uncore_cbox_0" */
	uint32_t type;
	uint64_t config[UNC_PERF_WORDS];
	unsigned cpu; /* that counts for the box's package */
};

/*
 * How the kernel counts an event in a box.  Reads text files below root, touches no register.
 *
 * @return 0, UNCORE_ENODEV (the kernel has no such PMU, or none for that package),
 *         UNCORE_ENOSUPP (its PMU lacks what the event needs, or gets it wrong)
 */
int unc_perf_event(const struct unc_machine *machine, const char *root,
		   const struct unc_event *event, const struct unc_box *box,
		   struct unc_perf_event *out, struct unc_err *err);

/* The PMU of a box, and its CPU; no words.  0 or UNCORE_ENODEV. */
int unc_perf_pmu(const struct unc_machine *machine, const char *root, const struct unc_box *box,
		 struct unc_perf_event *out, struct unc_err *err);

/* ---- format.c, filters.c, limits.c ---- */

/* Bits of the config words that a PMU's format files have; false: they cannot be read. */
bool unc_perf_format(const char *root, const char *pmu, uint64_t taken[UNC_PERF_WORDS]);

/* Bits of config1 that the driver writes to filters for a control; false: it lists no events. */
bool unc_perf_filters(const struct unc_machine *machine, const struct unc_box_type *type,
		      uint64_t control, uint64_t *config1);

/* What the driver gets wrong of a box's event, although its format files have it; NULL: nothing. */
const char *unc_perf_limit(const struct unc_machine *machine, const struct unc_box *box,
			   const uint64_t config[UNC_PERF_WORDS]);

/* Whether the driver may give the event a counter that does not count it; misplaced.c. */
bool unc_perf_misplaced(const struct unc_machine *machine, const struct unc_box_type *type,
			uint64_t control);

/* ---- counting: counter.c ---- */

/* All that has been counted; ns for which it was to be counted, and for which it was. */
struct unc_perf_count {
	uint64_t count, enabled, running;
};

/* Count from now on; a descriptor, or -errno. */
int unc_perf_open(uint32_t type, const uint64_t config[UNC_PERF_WORDS], unsigned cpu);
/* 0 or -errno.  Signal-safe. */
int unc_perf_read(int fd, struct unc_perf_count *count);
void unc_perf_close(int fd);

/*
 * ---- groups: events of one PMU and CPU that count at the same time or not at all; group.c ----
 *
 * A group is pinned: where the PMU has no counters left for it, it does not take turns, it fails.
 */
#define UNC_PERF_GROUP 64 /* events, at most */

struct unc_perf_group {
	uint64_t n, enabled, running; /* as of struct unc_perf_count */
	uint64_t counts[UNC_PERF_GROUP];
};

/* One more event of a group, or (leader -1) the first of one that does not count yet. */
int unc_perf_group_add(int leader, const struct unc_perf_event *event);
/* Let it count, or not: 0 or -errno. */
int unc_perf_group_enable(int leader, bool on);
/* n events.  0, -EBUSY: it got no counters, and does not count; or -errno.  Signal-safe. */
int unc_perf_group_read(int leader, unsigned n, struct unc_perf_group *group);

/* ---- pmus.c: the boxes that the driver has ---- */

struct unc_pmus;

/* 0, UNCORE_ENODEV (there are none), UNCORE_ENOMEM.  machine and root stay until it is freed. */
int unc_pmus_find(struct unc_pmus **out, const struct unc_machine *machine, const char *root,
		  struct unc_err *err);
/* What unc_machine_list() takes. */
struct unc_lister unc_pmus_lister(struct unc_pmus *pmus);
/* -errno of perf_event_open() where that failed for want of rights, 0: it did not. */
int unc_pmus_refused(const struct unc_pmus *pmus);
void unc_pmus_free(struct unc_pmus *pmus);

/* Say why perf_event_open() failed with -errno for want of rights; returns UNCORE_EACCESS. */
int unc_perf_no_rights(const char *root, int error, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
