/* SPDX-License-Identifier: BSD-3-Clause */
/* sysfs.c - small text files below a root directory. */
#include "base/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"

/* Number of bytes, or -errno. */
static ssize_t read_open(int fd, char *buf, size_t bytes)
{
	size_t have = 0;
	ssize_t n = 0;

	while (have < bytes && (n = unc_pread(fd, buf + have, bytes - have, (off_t)have)) > 0)
		have += (size_t)n;
	return n < 0 ? -errno : (ssize_t)have;
}

/* The kernel returns a line of sysfs in one read. */
static ssize_t read_once(int fd, char *buf, size_t bytes)
{
	const ssize_t n = unc_pread(fd, buf, bytes, 0);

	return n < 0 ? -errno : n;
}

typedef ssize_t read_fn(int fd, char *buf, size_t bytes);

static bool read_path(read_fn *read_file, char *buf, size_t len, const char *root,
		      const char *format, va_list args)
{
	char path[PATH_MAX];
	int used = snprintf(path, sizeof(path), "%s/", root), fd;
	ssize_t n;

	buf[0] = '\0';
	errno = ENAMETOOLONG;
	if (used < 0 || used >= (int)sizeof(path))
		return false;
	vsnprintf(path + used, sizeof(path) - (size_t)used, format, args);
	fd = unc_open(path, O_RDONLY);
	n = fd < 0 ? -errno : read_file(fd, buf, len - 1);
	if (fd >= 0)
		close(fd);
	buf[n < 0 ? 0 : n] = '\0';
	errno = n < 0 ? (int)-n : ENODATA;
	return n > 0;
}

bool unc_read_text(char *buf, size_t len, const char *root, const char *format, ...)
{
	va_list args;
	bool ok;

	va_start(args, format);
	ok = read_path(read_open, buf, len, root, format, args);
	va_end(args);
	return ok;
}

bool unc_read_line(char *buf, size_t len, const char *root, const char *format, ...)
{
	va_list args;
	bool ok;

	va_start(args, format);
	ok = read_path(read_once, buf, len, root, format, args);
	va_end(args);
	return ok;
}

bool unc_read_word(char *buf, size_t len, const char *root, const char *format, ...)
{
	va_list args;
	bool ok;

	va_start(args, format);
	ok = read_path(read_once, buf, len, root, format, args);
	va_end(args);
	buf[strcspn(buf, "\n")] = 0;
	return ok;
}

char *unc_read_all(const char *root, const char *path)
{
	char *text = NULL;

	for (size_t room = 1 << 16; room <= 1 << 24; room *= 2) {
		char *more = realloc(text, room);

		if (!more || !unc_read_text(more, room, root, "%s", path)) {
			free(more ? more : text);
			return NULL;
		}
		text = more;
		if (strlen(text) < room - 1)
			break;
	}
	return text;
}

long unc_read_number(long missing, const char *root, const char *format, ...)
{
	char text[32], *end;
	va_list args;
	long value;
	bool ok;

	va_start(args, format);
	ok = read_path(read_once, text, sizeof(text), root, format, args);
	va_end(args);
	if (!ok)
		return missing;
	value = strtol(text, &end, 0);
	return end == text ? missing : value;
}

static unsigned list_number(const char *text, char **end)
{
	const unsigned long n = strtoul(text, end, 10);

	return n < UINT_MAX ? (unsigned)n : UINT_MAX;
}

const char *unc_next_range(const char *list, unsigned *first, unsigned *last)
{
	char *end;

	if (*list < '0' || *list > '9')
		return NULL;
	*first = *last = list_number(list, &end);
	if (*end == '-')
		*last = list_number(end + 1, &end);
	return end + (*end == ',');
}

uint64_t unc_bit_list(const char *list)
{
	uint64_t bits = 0;
	unsigned low, high;

	while ((list = unc_next_range(list, &low, &high))) {
		if (low > high || high > 63)
			return 0;
		bits |= UINT64_MAX >> (63 - (high - low)) << low;
		if (list[-1] != ',')
			return bits;
	}
	return 0;
}

const char *unc_cpuinfo_value(const char *text, const char *key)
{
	const size_t len = strlen(key);

	for (const char *line = text; line && *line && *line != '\n';) {
		const char *colon = strchr(line, ':');
		const char *end = strchr(line, '\n');

		if (strncmp(line, key, len) == 0 &&
		    (line[len] == '\t' || line[len] == ' ' || line[len] == ':'))
			return colon && (!end || colon < end) ? colon + 1 + (colon[1] == ' ')
							      : NULL;
		line = end ? end + 1 : NULL;
	}
	return NULL;
}

bool unc_cpuinfo_has_flag(const char *text, const char *flag)
{
	const char *flags = unc_cpuinfo_value(text, "flags");
	const size_t len = strlen(flag);

	for (const char *f = flags; f && *f && *f != '\n';) {
		const size_t n = strcspn(f, " \n");

		if (n == len && strncmp(f, flag, len) == 0)
			return true;
		f += n + (f[n] == ' ');
	}
	return false;
}
