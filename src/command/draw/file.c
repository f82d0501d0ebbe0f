/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c - a picture's file. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/base/caller.h"
#include "command/base/text.h"
#include "command/draw/picture.h"

/* Follow a symbolic link and replace its target. */
static char *real_name(const char *name)
{
	char *real = realpath(name, NULL);

	return real ? real : text_of("%s", name);
}

static bool is_plain(const char *name)
{
	struct stat s;

	return stat(name, &s) < 0 || S_ISREG(s.st_mode);
}

static int check(const char *name)
{
	char *real = real_name(name), *copy = text_of("%s", real);
	const char *replaced = is_plain(real) ? dirname(copy) : NULL;
	struct stat s;
	int error = 0;

	if (stat(real, &s) == 0 && S_ISDIR(s.st_mode))
		error = EISDIR;
	else if (access(replaced ? replaced : real, W_OK) < 0)
		error = errno;
	else if (replaced && stat(replaced, &s) == 0 && !S_ISDIR(s.st_mode))
		error = ENOTDIR; /* root may write to any file */
	free(copy);
	free(real);
	return error;
}

/* A full disk may be reported by any of these calls. */
static int write_all(FILE *out, void (*draw)(FILE *, const struct draw_record *),
		     const struct draw_record *record, bool sync)
{
	int error = 0;

	errno = 0;
	draw(out, record);
	if (fflush(out) != 0 || ferror(out) || (sync && fsync(fileno(out)) < 0))
		error = errno ? errno : EIO;
	if (fclose(out) != 0 && !error)
		error = errno;
	return error;
}

static int write_converted(int fd, const char *format,
			   void (*draw)(FILE *, const struct draw_record *),
			   const struct draw_record *record)
{
	int error = draw_converted(format, fd, draw, record);

	if (!error && fsync(fd) < 0)
		error = errno;
	if (close(fd) < 0 && !error)
		error = errno;
	return error;
}

static int replace(const char *name, void (*draw)(FILE *, const struct draw_record *),
		   const struct draw_record *record)
{
	char *new = text_of("%s.%ld.new", name, (long)getpid());
	const char *format = draw_format_of(name);
	const int fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *out = fd < 0 || format ? NULL : fdopen(fd, "w");
	int error = out      ? write_all(out, draw, record, true)
		    : fd < 0 ? errno
			     : write_converted(fd, format, draw, record);

	if (!error && rename(new, name) < 0)
		error = errno;
	if (error && fd >= 0)
		unlink(new);
	free(new);
	return error;
}

int draw_check_file(const char *name)
{
	struct caller before;
	int error;

	if (!*name)
		return ENOENT;
	caller_begin(&before);
	error = check(name);
	caller_end(&before);
	return error;
}

int draw_file(const char *name, void (*draw)(FILE *, const struct draw_record *),
	      const struct draw_record *record)
{
	struct caller before;
	char *real;
	int error;
	FILE *out;

	caller_begin(&before);
	real = real_name(name);
	if (is_plain(real)) {
		error = replace(real, draw, record);
	} else {
		out = fopen(real, "we");
		error = out ? write_all(out, draw, record, false) : errno;
	}
	caller_end(&before);
	free(real);
	return error;
}
