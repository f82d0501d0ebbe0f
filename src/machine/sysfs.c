/* sysfs.c - small text files below a root directory. */
#include "machine/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "files.h"

/* How many bytes, or -errno. */
static ssize_t read_open(int fd, char *buf, size_t bytes)
{
	size_t have = 0;
	ssize_t n = 0;

	while (have < bytes && (n = unc_pread(fd, buf + have, bytes - have, (off_t)have)) > 0)
		have += (size_t)n;
	return n < 0 ? -errno : (ssize_t)have;
}

static bool read_path(char *buf, size_t len, const char *root, const char *format, va_list args)
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
	n = fd < 0 ? -errno : read_open(fd, buf, len - 1);
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
	ok = read_path(buf, len, root, format, args);
	va_end(args);
	return ok;
}

long unc_read_number(long missing, const char *root, const char *format, ...)
{
	char text[32], *end;
	va_list args;
	long value;
	bool ok;

	va_start(args, format);
	ok = read_path(text, sizeof(text), root, format, args);
	va_end(args);
	if (!ok)
		return missing;
	value = strtol(text, &end, 0);
	return end == text ? missing : value;
}
