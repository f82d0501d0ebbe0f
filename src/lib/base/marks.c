/* SPDX-License-Identifier: BSD-3-Clause */
/* marks.c - see marks.h. */
#include "base/marks.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/files.h"

#define MOST_NAME 128
#define DIGITS    20

_Static_assert(DIGITS + 3 + MOST_NAME + 1 <= UNC_MARKS_LINE, "a line has room");

/* ---- identity ---- */

static bool has_key(const struct unc_marks *m)
{
	static const size_t head = sizeof(UNC_MARKS_HEAD) - 1;
	char text[sizeof(UNC_MARKS_HEAD) + UNC_MARKS_KEY];

	return unc_pread(m->fd, text, sizeof(text), 0) == (ssize_t)sizeof(text) &&
	       memcmp(text, UNC_MARKS_HEAD, head) == 0 &&
	       memcmp(text + head, m->key, UNC_MARKS_KEY) == 0 && text[sizeof(text) - 1] == '\n';
}

/* Sets the number of bytes in the file. */
static bool is_the_file(const struct unc_marks *m, int64_t *bytes)
{
	struct stat st;

	if (m->fd <= STDERR_FILENO || fstat(m->fd, &st) != 0)
		return false;
	*bytes = st.st_size;
	return S_ISREG(st.st_mode) && st.st_dev == m->device && st.st_ino == m->inode && has_key(m);
}

/* "3:1:4711:0123...", with 32 digits at the end. */
static bool take_names(struct unc_marks *m, const char *text)
{
	int length = 0;

	return sscanf(text, "%9d:%20" SCNu64 ":%20" SCNu64 ":%32[0-9a-f]%n", &m->fd, &m->device,
		      &m->inode, m->key, &length) == 4 &&
	       !text[length] && strlen(m->key) == UNC_MARKS_KEY;
}

void unc_marks_find(struct unc_marks *m)
{
	const char *value = unc_variable("UNCORE_MARKS");
	const int saved = errno;
	int64_t bytes;

	*m = (struct unc_marks){.fd = -1};
	if (value && (!take_names(m, value) || !is_the_file(m, &bytes)))
		m->fd = -1;
	errno = saved;
}

/* ---- lines; without stdio, for signal handlers ---- */

static size_t put_number(char *to, uint64_t number)
{
	char digits[DIGITS];
	size_t n = 0;

	do
		digits[n++] = (char)('0' + number % 10);
	while ((number /= 10) != 0);
	for (size_t i = 0; i < n; i++)
		to[i] = digits[n - 1 - i];
	return n;
}

static bool continues_character(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* A long name is cut between characters of UTF-8; a name must not end the line. */
static size_t put_name(char *to, const char *name)
{
	size_t n = strnlen(name, MOST_NAME + 1);

	if (n > MOST_NAME)
		for (n = MOST_NAME; n > 0 && continues_character(name[n]);)
			n--;
	for (size_t i = 0; i < n; i++)
		to[i] = (char)(name[i] == '\n' ? ' ' : name[i]);
	return n;
}

/* A write beyond the limit of the process would send it SIGXFSZ. */
static bool has_room(int64_t bytes)
{
	struct rlimit limit;

	if (bytes + UNC_MARKS_LINE > UNC_MARKS_MOST || getrlimit(RLIMIT_FSIZE, &limit) != 0)
		return false;
	return limit.rlim_cur == RLIM_INFINITY ||
	       (uint64_t)bytes + UNC_MARKS_LINE <= limit.rlim_cur;
}

void unc_mark(const struct unc_marks *m, bool begins, const char *name)
{
	char line[UNC_MARKS_LINE];
	const int saved = errno;
	struct timespec t;
	int64_t bytes;
	size_t n;

	if (m->fd < 0)
		return;
	clock_gettime(CLOCK_MONOTONIC, &t);
	n = put_number(line, (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec);
	line[n++] = ' ';
	line[n++] = begins ? '+' : '-';
	line[n++] = ' ';
	n += put_name(line + n, name);
	line[n++] = '\n';
	/* one call, so lines of threads do not mix */
	if (is_the_file(m, &bytes) && has_room(bytes) && write(m->fd, line, n) < 0)
		bytes = 0; /* an error is ignored */
	errno = saved;
}
