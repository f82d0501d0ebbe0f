/* SPDX-License-Identifier: BSD-3-Clause */
/* source.c - see source.h. */
#include "command/who/source.h"

#include <stdio.h>
#include <string.h>

#include "command/base/clock.h"

static const char *const names[SOURCES] = {"best", "resctrl", "cores", "perf"};

const char *source_name(unsigned kind)
{
	return kind < SOURCES ? names[kind] : NULL;
}

bool source_named(const char *name, enum source_kind *kind)
{
	for (unsigned i = 0; i < SOURCES; i++)
		if (strcmp(name, names[i]) == 0) {
			*kind = (enum source_kind)i;
			return true;
		}
	return false;
}

/* ---- opening ---- */

static bool open_one(struct source *s, struct uncore *u, char *why, size_t len)
{
	switch (s->kind) {
	case SOURCE_RESCTRL:
		return monitor_open(&s->monitor, s->root, u, s->by, why, len);
	case SOURCE_CORES:
		return cores_open(&s->cores, s->root, u, s->by, why, len);
	default:
		if (!*s->root)
			return threads_open(&s->threads, u, NULL, s->by, why, len);
		snprintf(why, len, "perf counts threads of this computer only");
		return false;
	}
}

/* A later source is tried if an earlier one is not here. */
static bool open_shares(struct source *s, enum source_kind kind, struct uncore *u, char *why,
			size_t len)
{
	size_t used = 0;

	for (unsigned k = SOURCE_RESCTRL; k < SOURCES; k++) {
		s->kind = (enum source_kind)k;
		if (kind != SOURCE_BEST && kind != s->kind)
			continue;
		used += (size_t)snprintf(why + used, len - used, "%s", used ? "; " : "");
		if (open_one(s, u, why + used, len - used))
			return true;
		used += strlen(why + used);
	}
	return false;
}

static void close_shares(struct source *s)
{
	if (s->kind == SOURCE_RESCTRL)
		monitor_close(&s->monitor);
	else if (s->kind == SOURCE_CORES)
		cores_close(&s->cores);
	else
		threads_close(&s->threads);
}

void source_close(struct source *s)
{
	close_shares(s);
	memory_close(&s->memory);
}

/* The filters of the C-Boxes first: devices are counted only if there is room for them. */
bool source_open(struct source *s, enum source_kind kind, const char *root, struct uncore *u,
		 enum who_by by, char *why, size_t len)
{
	*s = (struct source){.root = root, .by = by};
	if (!open_shares(s, kind, u, why, len))
		return false;
	s->code = memory_open(&s->memory, u, true);
	if (s->code == 0)
		return true;
	uncore_errmsg(u, why, len);
	source_close(s);
	return false;
}

/* ---- intervals ---- */

int source_look(struct source *s)
{
	struct procs procs;
	const int error = procs_read(&procs, s->root);

	if (!error && s->kind == SOURCE_RESCTRL)
		monitor_assign(&s->monitor, &procs);
	if (!error && s->kind == SOURCE_CORES)
		cores_look(&s->cores, &procs);
	if (!error && s->kind == SOURCE_PERF)
		threads_look(&s->threads, &procs);
	procs_free(&procs);
	return error;
}

int source_read(struct source *s)
{
	const double now = seconds_now();
	int code = memory_read(&s->memory);

	if (code == 0 && s->kind == SOURCE_RESCTRL)
		monitor_read(&s->monitor);
	if (code == 0 && s->kind == SOURCE_CORES)
		code = cores_read(&s->cores);
	if (code == 0 && s->kind == SOURCE_PERF)
		threads_read(&s->threads);
	s->seconds = now - s->since;
	s->since = now;
	return code;
}

const struct shares *source_shares(const struct source *s)
{
	return s->kind == SOURCE_RESCTRL ? &s->monitor.shares
	       : s->kind == SOURCE_CORES ? &s->cores.shares
					 : &s->threads.shares;
}
