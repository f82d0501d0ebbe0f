/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline.h - counters of a recorded machine over time, and the part of them that is replayed:
 * docs/recordings.md.
 */
#ifndef UNC_TIMELINE_H
#define UNC_TIMELINE_H

#include <limits.h>
#include <stdio.h>

#include "hw/regs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct json_object;

#define UNC_SERIES_FILTERS 4

/* A counter: what it counted, and its counts since the first sample, with wraps added. */
struct unc_series {
	char kind[24]; /* of its box */
	unsigned number, package, die;
	bool fixed;
	int counter;      /* of a box without controls: the number of the counter; else -1 */
	uint64_t control; /* without the enable bit */
	uint64_t filters[UNC_SERIES_FILTERS];
	uint64_t *counts;
	/* while recording, counts are values of registers: */
	uint32_t box, index; /* of the machine; of the counter in its box */
	uint8_t width;
};

/* The part of the recording that is replayed, and how fast. */
struct unc_replay_part {
	double from, until; /* seconds since the first sample; until 0: the last sample */
	double speed;       /* recorded seconds per second */
};

struct unc_timeline {
	size_t n, n_series; /* 0: no samples */
	int64_t *ns;        /* of each sample, since the first */
	struct unc_series *series;
	struct unc_replay_part part;
	_Atomic int64_t begun; /* CLOCK_MONOTONIC at the first start; 0: not yet */
};

/* ",\"samples\": {...}" of a timeline that was recorded. */
void unc_timeline_write(const struct unc_timeline *timeline, FILE *file);
/* NULL, or what is wrong with them. */
const char *unc_timeline_read(struct unc_timeline *timeline, struct json_object *o);
void unc_timeline_free(struct unc_timeline *timeline);

/* "FILE[:from=S][:until=S][:speed=N]"; 0, or UNCORE_EINVAL with a message. */
int unc_replay_options(const char *spec, char path[PATH_MAX], struct unc_replay_part *part,
		       struct unc_err *err);

/* 0, or UNCORE_EINVAL if the part begins behind the last sample. */
int unc_replay_part_check(const struct unc_timeline *timeline, struct unc_err *err);

/* The samples of a machine that replays some; NULL: none. */
struct unc_timeline *unc_replayed_timeline(struct unc_hw *hw);

/* Time passes from the first call on.  Returns the recorded time. */
int64_t unc_replay_begin(struct unc_timeline *timeline);
/* The recorded time, ns since the first sample; it stops at the end.  Signal-safe. */
int64_t unc_replay_now(const struct unc_timeline *timeline);
/* The count at that time, interpolated between two samples.  Signal-safe. */
uint64_t unc_series_at(const struct unc_timeline *timeline, const struct unc_series *series,
		       int64_t ns);

#ifdef __cplusplus
}
#endif
#endif
