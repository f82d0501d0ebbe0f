/* SPDX-License-Identifier: BSD-3-Clause */
/* source.c - see source.h. */
#include "command/who/source.h"

#include <stdio.h>
#include <string.h>

#include "command/base/clock.h"

static const char *const names[SOURCES] = {"best", "resctrl", "cores"};

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

/* A later source is tried if an earlier one is not here; the first reason says most. */
static bool open_shares(struct source *s, enum source_kind kind, struct uncore *u, enum who_by by,
			char *why, size_t len)
{
	char other[UNCORE_ERRMSG_MAX], first[UNCORE_ERRMSG_MAX] = "";

	s->kind = SOURCE_RESCTRL;
	if (kind != SOURCE_CORES && monitor_open(&s->monitor, s->root, u, by, first, sizeof(first)))
		return true;
	s->kind = SOURCE_CORES;
	if (kind != SOURCE_RESCTRL && cores_open(&s->cores, s->root, u, by, other, sizeof(other)))
		return true;
	if (kind == SOURCE_RESCTRL)
		snprintf(why, len, "%s", first);
	else if (kind == SOURCE_CORES)
		snprintf(why, len, "%s", other);
	else
		snprintf(why, len, "%s; %s", first, other);
	return false;
}

static void close_shares(struct source *s)
{
	if (s->kind == SOURCE_RESCTRL)
		monitor_close(&s->monitor);
	else
		cores_close(&s->cores);
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
	*s = (struct source){.root = root};
	if (!open_shares(s, kind, u, by, why, len))
		return false;
	s->code = memory_open(&s->memory, u);
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
	s->seconds = now - s->since;
	s->since = now;
	return code;
}

const struct shares *source_shares(const struct source *s)
{
	return s->kind == SOURCE_RESCTRL ? &s->monitor.shares : &s->cores.shares;
}
