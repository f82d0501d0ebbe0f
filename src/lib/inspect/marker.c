/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * marker.c - the functions behind the macros of uncore_marker.h: events from UNCORE_EVENTS,
 * named regions, and a table or JSON in the file UNCORE_REGIONS.
 *
 * The only functions of the library that print, because a program with markers does not handle
 * errors.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/files.h"
#include "base/marks.h"
#include "set/set.h"

/* Only declarations: the variable belongs to the program. */
#define UNCORE_NO_MARKERS
#include "uncore_marker.h"

#define MAX_GROUPS 16  /* of UNCORE_EVENTS */
#define MAX_EVENTS 128 /* per group */

struct group {
	struct uncore_set *set;
	unsigned ids[MAX_EVENTS], n;
};

struct uncore_marker {
	struct uncore *u; /* NULL: `uncore explain` counts, regions are only marked */
	struct unc_marks marks;
	struct group groups[MAX_GROUPS], *now; /* the running one */
	unsigned n_groups;
};

static int report(struct uncore *u, const char *what, int code)
{
	char text[UNCORE_ERRMSG_MAX] = "";

	if (code >= 0)
		return code;
	if (u)
		uncore_errmsg(u, text, sizeof(text));
	fprintf(stderr, "uncore: %s: %s\n", what, *text ? text : uncore_strerror(code));
	return code;
}

/* ---- events ---- */

/*
 * The comma or | after a name.  In a list of box= or pkg= a comma is followed by a digit; in
 * perf's syntax it is between slashes.
 */
static const char *end_of_name(const char *name)
{
	bool slashes = false;

	for (; *name && (slashes || *name != '|'); name++) {
		slashes ^= *name == '/';
		if (*name == ',' && !slashes && name[1] != '*' && !isdigit((unsigned char)name[1]))
			break;
	}
	return name;
}

static int add_event(struct uncore_marker *m, struct group *g, const char *begin, size_t length)
{
	char name[UNCORE_NAME_MAX + sizeof("uncore:::")];

	if (length == 0)
		return 0;
	if (length >= sizeof(name))
		return unc_fail(&m->u->err, UNCORE_EINVAL,
				"invalid UNCORE_EVENTS: an event name has more than %d characters",
				UNCORE_NAME_MAX);
	if (g->n == MAX_EVENTS)
		return unc_fail(&m->u->err, UNCORE_EINVAL,
				"invalid UNCORE_EVENTS: a group has more than %d events",
				MAX_EVENTS);
	memcpy(name, begin, length);
	name[length] = '\0';
	return uncore_event(m->u, name, &g->ids[g->n++]);
}

/* Up to | or the end. */
static int add_events(struct uncore_marker *m, struct group *g, const char **list)
{
	const char *at = *list;
	int r = 0;

	while (r == 0 && *at && *at != '|') {
		const char *end = end_of_name(at);

		r = add_event(m, g, at, (size_t)(end - at));
		at = end + (*end == ',');
	}
	*list = at;
	if (r == 0 && g->n == 0)
		r = unc_fail(&m->u->err, UNCORE_EINVAL,
			     "invalid UNCORE_EVENTS: group %u has no events", m->n_groups + 1);
	return r;
}

static int add_group(struct uncore_marker *m, const char **list)
{
	struct group *g = &m->groups[m->n_groups];
	int r;

	if (m->n_groups == MAX_GROUPS)
		return unc_fail(&m->u->err, UNCORE_EINVAL,
				"invalid UNCORE_EVENTS: more than %d groups", MAX_GROUPS);
	r = add_events(m, g, list);
	if (r == 0)
		r = uncore_set_create(m->u, &g->set);
	if (r == 0)
		r = uncore_set_assign(g->set, g->ids, g->n);
	m->n_groups++;
	return r;
}

static int add_groups(struct uncore_marker *m, const char *list)
{
	int r;

	do
		r = add_group(m, &list);
	while (r == 0 && *list++ == '|');
	return r;
}

int uncore_marker_init(struct uncore_marker **marks)
{
	const char *events = unc_variable("UNCORE_EVENTS");
	struct unc_marks file;
	struct uncore_marker *m;
	int r;

	unc_marks_find(&file);
	if (*marks || (file.fd < 0 && !events && !unc_variable("UNCORE_REGIONS")))
		return 0;
	m = calloc(1, sizeof(*m));
	if (!m)
		return report(NULL, "regions are not counted", UNCORE_ENOMEM);
	m->marks = file;
	if (file.fd >= 0) {
		*marks = m;
		return 1;
	}
	m->now = m->groups;
	r = uncore_open(&m->u, NULL);
	if (r == 0)
		r = add_groups(m, events ? events : "UNCORE_MEM_READ_BYTES,UNCORE_MEM_WRITE_BYTES");
	if (r == 0)
		r = uncore_set_start(m->now->set);
	if (r == 0) {
		*marks = m;
		return 1;
	}
	report(m->u, "regions are not counted", r);
	uncore_close(m->u);
	free(m);
	return r;
}

int uncore_marker_switch(struct uncore_marker *m)
{
	int r;

	if (!m || m->n_groups < 2)
		return 0;
	r = uncore_set_stop(m->now->set);
	m->now = m->now + 1 < m->groups + m->n_groups ? m->now + 1 : m->groups;
	if (r == 0)
		r = uncore_set_start(m->now->set);
	return report(m->u, "cannot switch to the next group of events", r);
}

/* ---- regions ---- */

/* A forked child does not count, which is not an error. */
static int find_region(struct uncore_marker *m, const char *name, unsigned *id)
{
	const int r = uncore_region(m->now->set, name, id);

	return r == UNCORE_EFORK ? r : report(m->u, name, r);
}

static int end_region(struct uncore_marker *m, const char *name, unsigned id)
{
	const int r = uncore_region_end(m->now->set, id);

	if (r == UNCORE_ESTATE)
		fprintf(stderr, "uncore: region %s ends but was not started\n", name);
	return r;
}

static int mark_region(const struct uncore_marker *m, const char *name, enum uncore_mark mark)
{
	if (mark == UNCORE_MARK_START || mark == UNCORE_MARK_STOP)
		unc_mark(&m->marks, mark == UNCORE_MARK_START, name);
	return 0;
}

int uncore_marker_region(struct uncore_marker *m, const char *name, enum uncore_mark mark)
{
	unsigned id;
	int r;

	if (m && !m->u)
		return mark_region(m, name, mark);
	r = m ? find_region(m, name, &id) : 0;
	if (!m || r < 0)
		return r;
	switch (mark) {
	case UNCORE_MARK_REGISTER:
		return 0;
	case UNCORE_MARK_START: /* the table shows what could not be counted */
		return uncore_region_begin(m->now->set, id);
	case UNCORE_MARK_STOP:
		return end_region(m, name, id);
	case UNCORE_MARK_RESET:
		return uncore_region_reset(m->now->set, id);
	}
	return UNCORE_EINVAL;
}

static double as_double(struct uncore *u, unsigned event, int64_t value)
{
	struct uncore_event_info info = {.size = sizeof(info)};

	return uncore_event_info(u, event, &info) == 0 && info.real ? uncore_real(value)
								    : (double)value;
}

int uncore_marker_get(struct uncore_marker *m, const char *name, int *n, double *events,
		      double *time, int *count)
{
	struct uncore_region_info region = {.size = sizeof(region)};
	int64_t values[MAX_EVENTS];
	const int room = *n;
	unsigned id;
	int r;

	*n = *count = 0;
	*time = 0;
	if (!m || !m->u)
		return 0;
	r = find_region(m, name, &id);
	if (r < 0)
		return r;
	r = uncore_region_info(m->now->set, id, &region, values);
	if (r != 1)
		return r;
	*time = (double)region.ns * 1e-9;
	*count = (int)region.calls;
	for (; *n < room && *n < (int)m->now->n; ++*n)
		events[*n] = as_double(m->u, m->now->ids[*n], values[*n]);
	return 0;
}

/* ---- the file ---- */

static bool is_json(const char *file)
{
	const size_t n = file ? strlen(file) : 0;

	return n > 5 && strcmp(file + n - 5, ".json") == 0;
}

static int write_group(FILE *out, struct uncore_set *set, bool json)
{
	const enum uncore_regions_format format = json ? UNCORE_REGIONS_JSON : UNCORE_REGIONS_TABLE;
	const int length = uncore_regions_text(set, format, NULL, 0);
	char *text = length < 0 ? NULL : malloc((size_t)length + 1);
	int r = length < 0 ? length : UNCORE_ENOMEM;

	if (text) {
		/* running regions may have grown meanwhile: a longer text is truncated */
		r = uncore_regions_text(set, format, text, (size_t)length + 1);
		fputs(r < 0 ? "" : text, out);
	}
	free(text);
	return r < 0 ? r : 0;
}

static int write_groups(struct uncore_marker *m, FILE *out, bool json)
{
	int r = 0;

	for (unsigned i = 0; i < m->n_groups && r == 0; i++) {
		if (i > 0 && !json)
			fputc('\n', out);
		r = write_group(out, m->groups[i].set, json);
	}
	return r;
}

static FILE *create(const char *file)
{
	const int fd = unc_openat(AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !out)
		close(fd);
	return out;
}

int uncore_marker_write(struct uncore_marker *m, const char *file)
{
	bool failed;
	FILE *out;
	int r = 0;

	if (!m || !m->u)
		return 0;
	errno = 0;
	out = file ? create(file) : stderr;
	if (out)
		r = write_groups(m, out, is_json(file));
	failed = !out || ferror(out);
	if (out && out != stderr)
		failed |= fclose(out) != 0;
	if (r < 0)
		return report(m->u, "regions", r);
	if (!failed)
		return 0;
	fprintf(stderr, "uncore: %s: %s\n", file ? file : "standard error", strerror(errno));
	return UNCORE_EIO;
}

int uncore_marker_close(struct uncore_marker **marks)
{
	struct uncore_marker *m = *marks;
	int r = 0, written;

	if (!m)
		return 0;
	*marks = NULL;
	if (!m->u) {
		free(m);
		return 0;
	}
	/* the counts of a forked child belong to its parent, which reports them */
	if (!unc_is_child(m->u)) {
		r = report(m->u, "counting", uncore_set_stop(m->now->set));
		written = uncore_marker_write(m, unc_variable("UNCORE_REGIONS"));
		r = r < 0 ? r : written;
	}
	uncore_close(m->u);
	free(m);
	return r;
}
