/* SPDX-License-Identifier: BSD-3-Clause */
/* marks.c - see marks.h. */
#include "command/explain/marks.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/marks.h"
#include "command/base/text.h"

/* ---- the file ---- */

/* The key is not secret: the program reads it, too. */
static bool make_key(char key[UNC_MARKS_KEY + 1])
{
	uint64_t random[2];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return false;
	snprintf(key, UNC_MARKS_KEY + 1, "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	return true;
}

static int64_t most_bytes(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur > (uint64_t)UNC_MARKS_MOST)
		return UNC_MARKS_MOST;
	return (int64_t)limit.rlim_cur;
}

static bool make_file(struct marks *m)
{
	char key[UNC_MARKS_KEY + 1];
	struct stat st;
	char *name;

	if (m->most < UNC_MARKS_LINE || !make_key(key))
		return false;
	m->head = text_of(UNC_MARKS_HEAD "%s\n", key);
	if (fcntl(m->file, F_SETFL, O_APPEND) < 0 || fstat(m->file, &st) < 0 ||
	    write(m->file, m->head, strlen(m->head)) != (ssize_t)strlen(m->head))
		return false;
	name = text_of(UNC_MARKS_FORMAT, m->file, (uint64_t)st.st_dev, (uint64_t)st.st_ino, key);
	setenv("UNCORE_MARKS", name, 1);
	free(name);
	return true;
}

/* It is inherited, and each write appends. */
void marks_open(struct marks *m)
{
	*m = (struct marks){.file = memfd_create("uncore-marks", 0), .most = most_bytes()};
	if (m->file < 0 || make_file(m))
		return;
	close(m->file);
	m->file = -1;
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
	free(m->head);
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
	if (r->n == r->room) {
		r->room = r->room ? 2 * r->room : 16;
		r->times = need_more(r->times, r->room, sizeof(*r->times));
	}
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

/* As much of the file as the library can have written; NULL if it cannot be read. */
static char *read_file(const struct marks *m, int64_t size, size_t *n)
{
	const size_t most = (size_t)(size > m->most ? m->most : size);
	char *text = malloc(most + 1);
	const ssize_t got = text ? pread(m->file, text, most, 0) : -1;

	*n = got < 0 ? 0 : (size_t)got;
	if (text)
		text[*n] = '\0';
	return text;
}

/* The lines of a file that still begins as it did. */
static void take_file(struct marks *m, char *text, size_t n, double end)
{
	const size_t head = strlen(m->head);

	if (!text || strncmp(text, m->head, head) != 0) {
		m->damaged = true;
		return;
	}
	m->damaged |= strlen(text) < n; /* a hole */
	marks_take(m, text + head, end);
}

void marks_read(struct marks *m, double end)
{
	struct stat st;
	char *text;
	size_t n;

	if (m->file < 0 || fstat(m->file, &st) < 0)
		return;
	text = read_file(m, st.st_size, &n);
	m->damaged = st.st_size > m->most || (int64_t)n < st.st_size;
	m->full = !m->damaged && st.st_size + UNC_MARKS_LINE > m->most;
	take_file(m, text, n, end);
	free(text);
}

const char *marks_problem(const struct marks *m)
{
	if (m->damaged)
		return "The program has damaged the file with the times of its regions: regions "
		       "are missing or incomplete.";
	if (m->full)
		return "The file with the times of regions is full: later calls are missing.";
	return NULL;
}
