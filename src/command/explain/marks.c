/* SPDX-License-Identifier: BSD-3-Clause */
/* marks.c - see marks.h. */
#include "command/explain/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/base/text.h"

/* ---- the file ---- */

/* It is inherited, and each write appends. */
void marks_open(struct marks *m)
{
	char number[16];

	*m = (struct marks){.file = memfd_create("uncore-marks", MFD_ALLOW_SEALING)};
	if (m->file < 0 || fcntl(m->file, F_SETFL, O_APPEND) < 0)
		return;
	snprintf(number, sizeof(number), "%d", m->file);
	setenv("UNCORE_MARKS", number, 1);
}

void marks_close(struct marks *m)
{
	if (m->file >= 0)
		close(m->file);
	for (size_t i = 0; i < m->n; i++) {
		free(m->regions[i].name);
		free(m->regions[i].times);
	}
	free(m->regions);
	*m = (struct marks){.file = -1};
}

/* ---- lines ---- */

/* While lines are taken, a region whose last time has no end is open. */
#define OPEN (-1.0)

struct taken {
	struct marks *m;
	unsigned *inside; /* threads in each region */
};

/* REGIONS_MOST: there are too many. */
static size_t find_region(struct taken *t, const char *name)
{
	struct marks *m = t->m;

	for (size_t i = 0; i < m->n; i++)
		if (strcmp(m->regions[i].name, name) == 0)
			return i;
	if (m->n == REGIONS_MOST) {
		m->left_out++;
		return REGIONS_MOST;
	}
	m->regions = need_more(m->regions, m->n + 1, sizeof(*m->regions));
	m->regions[m->n] = (struct marked_region){.name = text_of("%s", name)};
	return m->n++;
}

static void begin_region(struct taken *t, size_t i, double at)
{
	struct marked_region *r = &t->m->regions[i];

	r->calls++;
	if (t->inside[i]++ > 0)
		return;
	r->times = need_more(r->times, r->n + 1, sizeof(*r->times));
	r->times[r->n++] = (struct marked_time){at, OPEN};
}

static void end_region(struct taken *t, size_t i, double at)
{
	struct marked_region *r = &t->m->regions[i];

	if (t->inside[i] == 0 || --t->inside[i] > 0)
		return;
	r->times[r->n - 1].end = at;
}

static void take_line(struct taken *t, const char *line)
{
	char *rest;
	const double at = 1e-9 * (double)strtoull(line, &rest, 10);
	size_t region;

	if (rest == line || rest[0] != ' ' || (rest[1] != '+' && rest[1] != '-') ||
	    rest[2] != ' ' || !rest[3])
		return; /* a program may write what it likes */
	region = find_region(t, rest + 3);
	if (region < REGIONS_MOST && rest[1] == '+')
		begin_region(t, region, at);
	else if (region < REGIONS_MOST)
		end_region(t, region, at);
}

void marks_take(struct marks *m, char *text, double end)
{
	unsigned inside[REGIONS_MOST] = {0};
	struct taken taken = {m, inside};
	char *rest;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		take_line(&taken, line);
	for (size_t i = 0; i < m->n; i++)
		if (inside[i])
			m->regions[i].times[m->regions[i].n - 1].end = end;
}

void marks_read(struct marks *m, double end)
{
	struct stat st;
	char *text;
	ssize_t n;

	if (m->file < 0 || fstat(m->file, &st) < 0 || st.st_size == 0)
		return;
	text = need_memory((size_t)st.st_size + 1, 1);
	n = pread(m->file, text, (size_t)st.st_size, 0);
	text[n < 0 ? 0 : n] = '\0';
	marks_take(m, text, end);
	free(text);
}
