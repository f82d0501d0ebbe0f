/* SPDX-License-Identifier: BSD-3-Clause */
/* marks.c - see marks.h. */
#include "base/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/environment.h"

#define MOST_NAME 128
#define DIGITS    20

/* Only a file in memory has seals; no other file is ever written to. */
static bool is_memory(int fd)
{
	const int saved = errno;
	const bool is = fd > STDERR_FILENO && fcntl(fd, F_GET_SEALS) >= 0;

	errno = saved;
	return is;
}

int unc_marks_descriptor(void)
{
	const char *value = unc_variable("UNCORE_MARKS");
	const long fd = value ? strtol(value, NULL, 10) : -1;

	return fd < 1 << 20 && is_memory((int)fd) ? (int)fd : -1;
}

/* Without stdio, for signal handlers. */
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

void unc_mark(int descriptor, bool begins, const char *name)
{
	char line[DIGITS + MOST_NAME + 4];
	const int saved = errno;
	struct timespec t;
	size_t n;

	if (!is_memory(descriptor)) /* closed, or closed and opened again as another file */
		return;
	clock_gettime(CLOCK_MONOTONIC, &t);
	n = put_number(line, (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec);
	line[n++] = ' ';
	line[n++] = begins ? '+' : '-';
	line[n++] = ' ';
	for (size_t i = 0; name[i] && i < MOST_NAME; i++)
		line[n++] = name[i];
	line[n++] = '\n';
	/* one call, so lines of threads do not mix */
	if (write(descriptor, line, n) < 0)
		errno = saved;
}
