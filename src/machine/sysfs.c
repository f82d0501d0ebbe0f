/* sysfs.c - small text files below a root directory. */
#include "machine/sysfs.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "files.h"

static bool read_path(char *buf, size_t len, const char *root, const char *format, va_list args)
{
	char path[PATH_MAX];
	int used = snprintf(path, sizeof(path), "%s/", root), fd;
	size_t have = 0;
	ssize_t n;

	buf[0] = '\0';
	if (used < 0 || used >= (int)sizeof(path))
		return false;
	vsnprintf(path + used, sizeof(path) - (size_t)used, format, args);
	fd = unc_open(path, O_RDONLY);
	if (fd < 0)
		return false;
	while (have < len - 1 && (n = read(fd, buf + have, len - 1 - have)) > 0)
		have += (size_t)n;
	close(fd);
	buf[have] = '\0';
	return have > 0;
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
