/* SPDX-License-Identifier: BSD-3-Clause */
/* source.h - the best source of the shares of owners on this machine, and the total to compare
 * with. */
#ifndef WHO_SOURCE_H
#define WHO_SOURCE_H

#include "command/who/cores.h"
#include "command/who/memory.h"
#include "command/who/monitor.h"
#include "command/who/threads.h"

#ifdef __cplusplus
extern "C" {
#endif

enum source_kind { SOURCE_BEST, SOURCE_RESCTRL, SOURCE_CORES, SOURCE_PERF, SOURCES };

/* "best", "resctrl", "cores", "perf"; NULL after the last. */
const char *source_name(unsigned kind);
bool source_named(const char *name, enum source_kind *kind);

struct source {
	enum source_kind kind; /* the one in use */
	enum who_by by;
	const char *root;
	struct monitor monitor;
	struct cores cores;
	struct threads threads;
	struct memory memory;
	int code;     /* of the library, if opening failed for that reason */
	double since; /* of the last reading, in s of the monotonic clock */
	double seconds;
};

/* Root: of /proc and /sys, "" for this computer.  False with a reason in why. */
bool source_open(struct source *s, enum source_kind kind, const char *root, struct uncore *u,
		 enum who_by by, char *why, size_t len);
/* Remove what was made; registers are restored when the handle is closed. */
void source_close(struct source *s);

/* Begin, or look where threads run: at least ten times in an interval.  0 or an errno value. */
int source_look(struct source *s);
/*
 * Read all counters and groups: the shares are those since the previous call; the first call
 * begins.  0, or the library's error of the counters.
 */
int source_read(struct source *s);

const struct shares *source_shares(const struct source *s);

#ifdef __cplusplus
}
#endif
#endif
