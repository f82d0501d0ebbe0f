/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf.h - count through the kernel's uncore driver, and encode events for it.
 *
 * The driver has a PMU per box in sys/bus/event_source/devices; a PMU stands for the boxes of
 * that number in all packages, and the CPU selects the package.  The config words of the driver
 * are laid out like control and filters here: its format files list the bits it accepts.  Bits
 * that it would drop without an error are refused.
 */
#ifndef UNC_PERF_H
#define UNC_PERF_H

#include "base/shared.h"
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
	unsigned cpu; /* that the PMU uses for the box's package */
};

/*
 * Find out how the kernel counts an event in a box.  Reads text files below root; accesses no
 * register.
 *
 * @param root  NULL: how Linux's driver would count it, if it were loaded; type is UNCORE_NO_PMU
 * @return 0, UNCORE_ENODEV (the kernel has no such PMU, or not for that package),
 *         UNCORE_ENOSUPP (its PMU cannot encode the event, or encodes it incorrectly)
 */
int unc_perf_event(const struct unc_machine *machine, const char *root,
		   const struct unc_event *event, const struct unc_box *box,
		   struct unc_perf_event *out, struct unc_err *err);

/* The PMU of a box, and its CPU; without config words. 0 or UNCORE_ENODEV. */
int unc_perf_pmu(const struct unc_machine *machine, const char *root, const struct unc_box *box,
		 struct unc_perf_event *out, struct unc_err *err);

/* ---- event.c, filters.c, limits.c ---- */

/* The bits of the config words in a PMU's format files; false: they cannot be read. */
bool unc_perf_format(const char *root, const char *pmu, uint64_t taken[UNC_PERF_WORDS]);
/* The same by the driver's sources. */
void unc_perf_known_format(const struct unc_machine *machine, const struct unc_box_type *type,
			   uint64_t taken[UNC_PERF_WORDS]);

/*
 * The bits of config1 that the driver writes to filters for events with a control; false: the
 * driver has no list of events.
 */
bool unc_perf_filters(const struct unc_machine *machine, const struct unc_box_type *type,
		      uint64_t control, uint64_t *config1);

/* How the driver misprograms an event that its format files allow; NULL: it does not. */
const char *unc_perf_limit(const struct unc_machine *machine, const struct unc_box *box,
			   const uint64_t config[UNC_PERF_WORDS]);

/* Whether the driver may use a counter that does not count the event; limits.c. */
bool unc_perf_misplaced(const struct unc_machine *machine, const struct unc_box_type *type,
			uint64_t control);

/* ---- counting: counter.c ---- */

/* The count, and the time enabled and running, ns. */
struct unc_perf_count {
	uint64_t count, enabled, running;
};

/* Open and start counting; returns a descriptor or -errno. */
UNC_SHARED int unc_perf_open(uint32_t type, const uint64_t config[UNC_PERF_WORDS], unsigned cpu);
/* 0 or -errno.  Signal-safe. */
UNC_SHARED int unc_perf_read(int fd, struct unc_perf_count *count);
UNC_SHARED void unc_perf_close(int fd);

/*
 * ---- groups: events of one PMU and CPU that count at the same time or not at all; group.c ----
 *
 * A group is pinned: if the PMU has no free counters for it, it fails, it is not multiplexed.
 */
#define UNC_PERF_GROUP 64 /* maximum number of events */

struct unc_perf_group {
	uint64_t n, enabled, running; /* as in struct unc_perf_count */
	uint64_t counts[UNC_PERF_GROUP];
};

/* Add an event to a group, or (leader -1) open the leader.  The group is not enabled. */
int unc_perf_group_add(int leader, const struct unc_perf_event *event);
/* Enable or disable it: 0 or -errno. */
int unc_perf_group_enable(int leader, bool on);
/* n events. 0, -EBUSY: the group got no counters and does not count; or -errno.  Signal-safe. */
int unc_perf_group_read(int leader, unsigned n, struct unc_perf_group *group);

/* ---- limits.c ---- */

/*
 * Whether the driver counts nothing in a box, not even its clock within 10 ms.  False if the driver
 * does not name the clock, or has no free counter for it.
 */
bool unc_perf_silent(const struct unc_machine *machine, const char *root,
		     const struct unc_box *box);
/* Whether an event of a clock counts, or cannot be opened now. */
bool unc_perf_counts(const struct unc_perf_event *event);

/* ---- pmus.c: the boxes that the driver has ---- */

struct unc_pmus;

/*
 * 0, UNCORE_ENODEV (no such PMUs), UNCORE_ENOMEM. machine and root must live until it is freed.
 */
int unc_pmus_find(struct unc_pmus **out, const struct unc_machine *machine, const char *root,
		  struct unc_err *err);
/* The argument of unc_machine_list(). */
struct unc_lister unc_pmus_lister(struct unc_pmus *pmus);
/* -errno if perf_event_open() fails for lack of privileges, else 0. */
int unc_pmus_refused(const struct unc_pmus *pmus);
void unc_pmus_free(struct unc_pmus *pmus);

/*
 * Set the message for perf_event_open() failing with -errno for lack of privileges; returns
 * UNCORE_EACCESS.
 */
int unc_perf_no_rights(const char *root, int error, struct unc_err *err);

#ifdef __cplusplus
}
#endif
#endif
