/* SPDX-License-Identifier: BSD-3-Clause */
/* convert.c - PDF and PNG, which librsvg's rsvg-convert makes from SVG. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/base/text.h"
#include "command/draw/picture.h"

#define CONVERTER "rsvg-convert"

extern char **environ;

/* The one of n formats that the name ends in; NULL: none. */
static const char *format_among(const char *const *formats, size_t n, const char *name)
{
	const char *suffix = strrchr(name, '.');

	for (size_t i = 0; suffix && i < n; i++)
		if (strcasecmp(suffix + 1, formats[i]) == 0)
			return formats[i];
	return NULL;
}

const char *draw_format_of(const char *name)
{
	static const char *const formats[] = {"pdf", "png"};

	return format_among(formats, sizeof(formats) / sizeof(*formats), name);
}

bool draw_is_other_format(const char *name)
{
	static const char *const others[] = {"gif", "jpg",  "jpeg", "eps", "ps",
					     "tif", "tiff", "webp", "bmp", "emf"};

	return format_among(others, sizeof(others) / sizeof(*others), name) != NULL;
}

bool draw_has_converter(void)
{
	const char *path = getenv("PATH");
	bool found = false;

	for (size_t len; path && *path && !found; path += len + (path[len] == ':')) {
		char *name;

		len = strcspn(path, ":");
		name = text_of("%.*s/" CONVERTER, (int)len, path);
		found = access(name, X_OK) == 0;
		free(name);
	}
	return found;
}

/* The converter reads `from` and writes `to`: it gets no file names. */
static int spawn(pid_t *child, const char *format, int from, int to)
{
	/* the resolution is that of PNG in mm */
	char *const command[] = {
		(char[]){CONVERTER}, (char[]){"-d"}, (char[]){"300"},           (char[]){"-p"},
		(char[]){"300"},     (char[]){"-f"}, (char *)(uintptr_t)format, NULL};
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none;
	int r;

	sigemptyset(&none);
	posix_spawnattr_init(&attr);
	/* a setuid program runs the converter as its caller */
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_RESETIDS);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, from, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO);
	r = posix_spawnp(child, CONVERTER, &files, &attr, command, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	return r;
}

static int convert(const char *format, FILE *svg, int to)
{
	int status = 0, error;
	pid_t child;

	if (fflush(svg) != 0 || ferror(svg) || lseek(fileno(svg), 0, SEEK_SET) < 0)
		return errno ? errno : EIO;
	error = spawn(&child, format, fileno(svg), to);
	while (!error && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			error = errno;
	return error || status == 0 ? error : EIO;
}

int draw_converted(const char *format, int to, void (*draw)(FILE *, const struct draw_record *),
		   const struct draw_record *record)
{
	FILE *svg = tmpfile();
	int error;

	if (!svg)
		return errno;
	errno = 0;
	draw(svg, record);
	error = convert(format, svg, to);
	fclose(svg);
	return error;
}
