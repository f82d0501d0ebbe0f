/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uncore_marker.h - regions of a program with nothing else to write: marks, and two variables
 * of the environment.
 *
 *	#include <uncore_marker.h>
 *
 *	UNCORE_MARKER_INIT;
 *	UNCORE_MARKER_START("solve");
 *	...
 *	UNCORE_MARKER_STOP("solve");
 *	UNCORE_MARKER_CLOSE;
 *
 *	cc program.c $(pkg-config --cflags --libs uncore) -o program
 *	UNCORE_EVENTS=UNCORE_MEM_READ_BYTES,UNCORE_MEM_WRITE_BYTES UNCORE_REGIONS=table ./program
 *
 * The marks have LIKWID's names, too, with the same arguments: LIKWID_MARKER_START and so on,
 * unless LIKWID's own header was included before.  What they count is what uncore.h says of
 * regions, which is not what LIKWID counts: threads that are inside together are counted once.
 *
 * UNCORE_EVENTS: events, separated by commas; groups of them, one of which counts at a time, by |
 * (UNCORE_MARKER_SWITCH); memory reads and writes unless told.  UNCORE_REGIONS: the file that
 * UNCORE_MARKER_CLOSE or the end of the program writes: JSON if its name ends so, else a table;
 * without it the table goes to standard error.  Without both variables all marks do nothing, and
 * the machine is not looked at.  So it is for a program that has rights which its caller lacks
 * (setuid, setgid, file capabilities).
 *
 * What fails is told on standard error, and the program goes on: it is not the measured program's
 * matter.  All marks but INIT, SWITCH and CLOSE may be used by any thread; no mark in a signal
 * handler.  With -DUNCORE_NO_MARKERS they are nothing at all.
 *
 * C99 with GNU C's attributes, C++98; glibc.  A program and each of its shared libraries that
 * hide their symbols have marks of their own.
 */
#ifndef UNCORE_MARKER_H
#define UNCORE_MARKER_H

#ifdef UNCORE_NO_MARKERS

#define UNCORE_MARKER_INIT             ((void)0)
#define UNCORE_MARKER_THREADINIT       ((void)0)
#define UNCORE_MARKER_REGISTER(name)   ((void)(name))
#define UNCORE_MARKER_START(name)      ((void)(name))
#define UNCORE_MARKER_STOP(name)       ((void)(name))
#define UNCORE_MARKER_RESET(name)      ((void)(name))
#define UNCORE_MARKER_SWITCH           ((void)0)
#define UNCORE_MARKER_WRITE_FILE(file) ((void)(file))
#define UNCORE_MARKER_CLOSE            ((void)0)
#define UNCORE_MARKER_GET(name, n, events, time, count) \
	((void)(name), (void)(events), (void)(*(n) = 0), (void)(*(time) = 0), (void)(*(count) = 0))

#else

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/types.h>
#include <unistd.h>

#include "uncore_inspect.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UNCORE_MARKER_GROUPS 16  /* of UNCORE_EVENTS */
#define UNCORE_MARKER_EVENTS 128 /* of a group */

/* The marks of the program. */
struct uncore_marker {
	struct uncore *u; /* NULL: they do nothing */
	struct uncore_set *groups[UNCORE_MARKER_GROUPS];
	unsigned events[UNCORE_MARKER_GROUPS][UNCORE_MARKER_EVENTS];
	unsigned n_events[UNCORE_MARKER_GROUPS];
	unsigned n_groups, group; /* how many there are; which one counts */
	pid_t process;
};

/* One for all files that include this. */
__attribute__((weak)) struct uncore_marker uncore_marker_state;

static inline const char *uncore_marker_variable(const char *name)
{
	const char *value = getauxval(AT_SECURE) ? NULL : getenv(name);

	return value && *value ? value : NULL;
}

/* Says why. */
static inline void uncore_marker_say(const char *what, int code)
{
	struct uncore *u = uncore_marker_state.u;
	char text[UNCORE_ERRMSG_MAX];

	if (u)
		uncore_errmsg(u, text, sizeof(text));
	fprintf(stderr, "uncore: %s: %s\n", what, u && *text ? text : uncore_strerror(code));
}

static inline struct uncore_set *uncore_marker_set(void)
{
	return uncore_marker_state.u ? uncore_marker_state.groups[uncore_marker_state.group] : NULL;
}

/* ---- the file ---- */

static inline int uncore_marker_is_json(const char *file)
{
	const size_t n = file ? strlen(file) : 0;

	return n > 5 && strcmp(file + n - 5, ".json") == 0;
}

static inline int uncore_marker_write_group(FILE *out, struct uncore_set *set, int json)
{
	const enum uncore_regions_format format = json ? UNCORE_REGIONS_JSON : UNCORE_REGIONS_TABLE;
	const int length = uncore_regions_text(set, format, NULL, 0);
	char *text = length < 0 ? NULL : (char *)malloc((size_t)length + 1);
	int code = length < 0 ? length : UNCORE_ENOMEM;

	if (text) {
		/* who is inside may leave meanwhile: what is longer then is cut */
		code = uncore_regions_text(set, format, text, (size_t)length + 1);
		fputs(code < 0 ? "" : text, out);
	}
	free(text);
	return code < 0 ? code : 0;
}

/* file: NULL is standard error. */
static inline void uncore_marker_write(const char *file)
{
	FILE *out;
	int code = 0, failed;

	if (!uncore_marker_state.u)
		return;
	errno = 0;
	out = file ? fopen(file, "we") : stderr;
	for (unsigned i = 0; out && i < uncore_marker_state.n_groups && code == 0; i++) {
		if (i > 0 && !uncore_marker_is_json(file))
			fputc('\n', out);
		code = uncore_marker_write_group(out, uncore_marker_state.groups[i],
						 uncore_marker_is_json(file));
	}
	failed = !out || ferror(out);
	if (out && out != stderr)
		failed |= fclose(out) != 0;
	if (code < 0)
		uncore_marker_say("regions", code);
	else if (failed)
		fprintf(stderr, "uncore: %s: %s\n", file ? file : "standard error",
			strerror(errno));
}

static inline void uncore_marker_close(void)
{
	struct uncore *u = uncore_marker_state.u;
	int code;

	if (!u)
		return;
	/* a child that was forked has the counts of its parent, who will tell them */
	if (uncore_marker_state.process == getpid()) {
		code = uncore_set_stop(uncore_marker_set());
		if (code < 0)
			uncore_marker_say("counting", code);
		uncore_marker_write(uncore_marker_variable("UNCORE_REGIONS"));
	}
	uncore_marker_state.u = NULL;
	uncore_close(u);
}

/* ---- the events ---- */

/* The comma or | behind a name: a list of box= or pkg= has commas before numbers, perf's spelling
 * between slashes. */
static inline const char *uncore_marker_end_of_name(const char *name)
{
	int slashes = 0;

	for (; *name && (slashes || *name != '|'); name++) {
		slashes ^= *name == '/';
		if (*name == ',' && !slashes && name[1] != '*' && !isdigit((unsigned char)name[1]))
			break;
	}
	return name;
}

static inline int uncore_marker_refuse(const char *what)
{
	fprintf(stderr, "uncore: UNCORE_EVENTS: %s\n", what);
	return 1;
}

/* Up to | or the end; 0, a code, or 1 after a message. */
static inline int uncore_marker_find(const char **list, unsigned *ids, unsigned *n)
{
	const char *at = *list;
	int code = 0;

	while (code == 0 && *at && *at != '|') {
		const char *end = uncore_marker_end_of_name(at);
		char name[UNCORE_NAME_MAX + 16];

		if (end - at >= (int)sizeof(name))
			return uncore_marker_refuse("a name is too long");
		if (*n == UNCORE_MARKER_EVENTS)
			return uncore_marker_refuse("a group has more than 128 events");
		memcpy(name, at, (size_t)(end - at));
		name[end - at] = '\0';
		if (*name)
			code = uncore_event(uncore_marker_state.u, name, &ids[(*n)++]);
		at = end + (*end == ',');
	}
	*list = at;
	return code;
}

static inline int uncore_marker_add_group(const char **list)
{
	struct uncore_marker *m = &uncore_marker_state;
	unsigned *ids = m->events[m->n_groups], *n = &m->n_events[m->n_groups];
	struct uncore_set **set = &m->groups[m->n_groups];
	int code = uncore_marker_find(list, ids, n);

	if (code != 0)
		return code;
	if (*n == 0)
		return uncore_marker_refuse("a group is empty");
	m->n_groups++;
	code = uncore_set_create(m->u, set);
	return code < 0 ? code : uncore_set_assign(*set, ids, *n);
}

/* 0, a code, or 1 after a message. */
static inline int uncore_marker_add_groups(const char *list)
{
	int code;

	do {
		if (uncore_marker_state.n_groups == UNCORE_MARKER_GROUPS)
			return uncore_marker_refuse("there are more than 16 groups");
		code = uncore_marker_add_group(&list);
	} while (code == 0 && *list++ == '|');
	return code;
}

static inline void uncore_marker_init(void)
{
	const char *events = uncore_marker_variable("UNCORE_EVENTS");
	struct uncore_marker *m = &uncore_marker_state;
	int code;

	if (m->u || (!events && !uncore_marker_variable("UNCORE_REGIONS")))
		return;
	memset(m, 0, sizeof(*m));
	m->process = getpid();
	code = uncore_open(&m->u, NULL);
	if (code == 0)
		code = uncore_marker_add_groups(
			events ? events : "UNCORE_MEM_READ_BYTES,UNCORE_MEM_WRITE_BYTES");
	if (code == 0)
		code = uncore_set_start(m->groups[0]);
	if (code == 0 && atexit(uncore_marker_close) == 0)
		return;
	if (code < 0)
		uncore_marker_say("regions are not counted", code);
	uncore_close(m->u);
	m->u = NULL;
}

static inline void uncore_marker_switch(void)
{
	struct uncore_marker *m = &uncore_marker_state;
	int code;

	if (!m->u || m->n_groups < 2)
		return;
	code = uncore_set_stop(m->groups[m->group]);
	m->group = (m->group + 1) % m->n_groups;
	if (code == 0)
		code = uncore_set_start(m->groups[m->group]);
	if (code < 0)
		uncore_marker_say("another group of events", code);
}

/* ---- the marks ---- */

/* The number of a region; false: nothing is counted. */
static inline int uncore_marker_region(const char *name, unsigned *id)
{
	struct uncore_set *set = uncore_marker_set();
	const int code = set ? uncore_region(set, name, id) : 0;

	if (code < 0 && code != UNCORE_EFORK)
		uncore_marker_say(name, code);
	return set && code == 0;
}

static inline void uncore_marker_register(const char *name)
{
	unsigned id;

	uncore_marker_region(name, &id);
}

/* What cannot be counted is in the table. */
static inline void uncore_marker_start(const char *name)
{
	unsigned id;

	if (uncore_marker_region(name, &id))
		uncore_region_begin(uncore_marker_set(), id);
}

static inline void uncore_marker_stop(const char *name)
{
	unsigned id;

	if (uncore_marker_region(name, &id) &&
	    uncore_region_end(uncore_marker_set(), id) == UNCORE_ESTATE)
		fprintf(stderr, "uncore: region %s ends, and has not begun\n", name);
}

static inline void uncore_marker_reset(const char *name)
{
	unsigned id;

	if (uncore_marker_region(name, &id))
		uncore_region_reset(uncore_marker_set(), id);
}

static inline double uncore_marker_value(unsigned event, int64_t value)
{
	struct uncore_event_info info;

	UNCORE_INIT(info);
	return uncore_event_info(uncore_marker_state.u, event, &info) == 0 && info.real
		       ? uncore_real(value)
		       : (double)value;
}

/* In the group that counts now.  *n: for how many there is room, and how many there are. */
static inline void uncore_marker_get(const char *name, int *n, double *events, double *time,
				     int *count)
{
	const struct uncore_marker *m = &uncore_marker_state;
	int64_t values[UNCORE_MARKER_EVENTS];
	struct uncore_region_info region;
	const int room = *n;
	unsigned id;

	UNCORE_INIT(region);
	*n = *count = 0;
	*time = 0;
	if (!uncore_marker_region(name, &id) ||
	    uncore_region_info(uncore_marker_set(), id, &region, values) != 1)
		return;
	*time = (double)region.ns * 1e-9;
	*count = (int)region.calls;
	for (; *n < room && *n < (int)m->n_events[m->group]; ++*n)
		events[*n] = uncore_marker_value(m->events[m->group][*n], values[*n]);
}

#ifdef __cplusplus
}
#endif

#define UNCORE_MARKER_INIT             uncore_marker_init()
#define UNCORE_MARKER_THREADINIT       ((void)0)
#define UNCORE_MARKER_REGISTER(name)   uncore_marker_register(name)
#define UNCORE_MARKER_START(name)      uncore_marker_start(name)
#define UNCORE_MARKER_STOP(name)       uncore_marker_stop(name)
#define UNCORE_MARKER_RESET(name)      uncore_marker_reset(name)
#define UNCORE_MARKER_SWITCH           uncore_marker_switch()
#define UNCORE_MARKER_WRITE_FILE(file) uncore_marker_write(file)
#define UNCORE_MARKER_CLOSE            uncore_marker_close()
#define UNCORE_MARKER_GET(name, n, events, time, count) \
	uncore_marker_get(name, n, events, time, count)

#endif

/* ---- LIKWID's names ---- */

#ifndef LIKWID_MARKER_INIT
#define LIKWID_MARKER_INIT             UNCORE_MARKER_INIT
#define LIKWID_MARKER_THREADINIT       UNCORE_MARKER_THREADINIT
#define LIKWID_MARKER_REGISTER(name)   UNCORE_MARKER_REGISTER(name)
#define LIKWID_MARKER_START(name)      UNCORE_MARKER_START(name)
#define LIKWID_MARKER_STOP(name)       UNCORE_MARKER_STOP(name)
#define LIKWID_MARKER_RESET(name)      UNCORE_MARKER_RESET(name)
#define LIKWID_MARKER_SWITCH           UNCORE_MARKER_SWITCH
#define LIKWID_MARKER_WRITE_FILE(file) UNCORE_MARKER_WRITE_FILE(file)
#define LIKWID_MARKER_CLOSE            UNCORE_MARKER_CLOSE
#define LIKWID_MARKER_GET(name, n, events, time, count) \
	UNCORE_MARKER_GET(name, n, events, time, count)
#endif

#endif
