/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sized.h - structs of the public headers that begin with their size, for callers compiled
 * against an older or newer version.  As Linux does for perf_event_attr and clone3.
 */
#ifndef UNC_SIZED_H
#define UNC_SIZED_H

#include "error.h"

/* The last member of each struct in the first version, 0.2. */
#define UNC_LAST_uncore_options              partial
#define UNC_LAST_uncore_event_info           formula
#define UNC_LAST_uncore_stop_after           count
#define UNC_LAST_uncore_times                count
#define UNC_LAST_uncore_missed_wrap          wrap_ms
#define UNC_LAST_uncore_machine_info         wrap_interval_ms
#define UNC_LAST_uncore_box_info             basis
#define UNC_LAST_uncore_op_info              fixed
#define UNC_LAST_uncore_qualifier_info       text
#define UNC_LAST_uncore_plan_options         cores
#define UNC_LAST_uncore_plan_info            reason
#define UNC_LAST_uncore_assignment_info      control
#define UNC_LAST_uncore_set_info             running
#define UNC_LAST_uncore_stop_after_info      polled
#define UNC_LAST_uncore_overflow_source      reported_by
#define UNC_LAST_uncore_discovery_table_info control
#define UNC_LAST_uncore_discovered_unit_info refused
#define UNC_LAST_uncore_cpu_info             in_use
#define UNC_LAST_uncore_msr_info             what
#define UNC_LAST_uncore_restored_info        left
#define UNC_LAST_uncore_owner_info           registers
#define UNC_LAST_uncore_sharing_info         ended
#define UNC_LAST_uncore_perf_info            config2
#define UNC_LAST_uncore_region_info          inside
#define UNC_LAST_uncore_load                 bytes
#define UNC_LAST_uncore_encoding             code
#define UNC_LAST_uncore_cost                 bytes
#define UNC_LAST_uncore_sum                  counters
#define UNC_LAST_uncore_erratum              evidence
#define UNC_LAST_uncore_device_info          max_speed
#define UNC_LAST_uncore_node_info            source
#define UNC_LAST_uncore_node_box             box

/* Larger than any struct will ever be: a larger size was not initialised. */
#define UNC_SIZE_MAX 16384

struct unc_sized {
	const char *name;
	size_t now, first;
};

#define UNC_END(type, member) (offsetof(struct type, member) + sizeof(((struct type *)0)->member))
#define UNC_SIZED(type) \
	(&(const struct unc_sized){#type, sizeof(struct type), UNC_END(type, UNC_LAST_##type)})

/* 0, or UNCORE_EINVAL for an invalid size. */
int unc_size_check(struct unc_err *err, const void *given, const struct unc_sized *as);
/* Read a struct of the caller; 0 or UNCORE_EINVAL, also for unknown members that are set. */
int unc_take(struct unc_err *err, void *to, const void *given, const struct unc_sized *as);
/* Element i of an array; the size of the first one is that of all. */
int unc_take_element(struct unc_err *err, void *to, const void *array, size_t i,
		     const struct unc_sized *as);
/* Fill in a struct of the caller; its size does not change.  Returns `code`, or UNCORE_EINVAL. */
int unc_give(struct unc_err *err, void *asked, const void *from, const struct unc_sized *as,
	     int code);

#endif
