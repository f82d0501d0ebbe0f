/* SPDX-License-Identifier: BSD-3-Clause */
/* saved_file.c - see saved_file.h. */
#include "command/explain/saved_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command/base/caller.h"
#include "command/base/text.h"

char *user_cache_directory(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache == '/')
		return text_of("%s/uncore", cache);
	return text_of("%s/.cache/uncore", home && *home ? home : "");
}

/* 0 or errno. */
static int write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");
	bool written;

	if (!file)
		return errno;
	written = fputs(text, file) >= 0;
	return fclose(file) == 0 && written ? 0 : errno;
}

/* Replaced as a whole, so that a reader never sees half of it. */
static int write_file(const char *directory, const char *name, const char *text)
{
	char *path = text_of("%s/%s", directory, name), *draft = text_of("%s.new", path);
	int error = write_text(draft, text);

	if (!error && rename(draft, path) != 0)
		error = errno;
	if (error)
		unlink(draft);
	free(draft);
	free(path);
	return error;
}

/* The directory of the user and the one above it. */
static void make_directory(const char *directory)
{
	char *parent = text_of("%s", directory);
	char *end = strrchr(parent, '/');

	if (end && end != parent) {
		*end = 0;
		mkdir(parent, 0700);
	}
	mkdir(directory, 0700);
	free(parent);
}

bool save_own_result(const char *name, const char *text, char *where, size_t len)
{
	char *directory = user_cache_directory();
	struct caller before;
	int error;

	caller_begin(&before);
	make_directory(directory);
	error = write_file(directory, name, text);
	snprintf(where, len, "%s/%s%s%s", directory, name, error ? ": " : "",
		 error ? strerror(error) : "");
	caller_end(&before);
	free(directory);
	return !error;
}

bool save_result(const char *name, const char *text, char *where, size_t len)
{
	struct caller before;
	int error;

	caller_begin(&before);
	error = write_file(SAVED_DIRECTORY, name, text);
	caller_end(&before);
	snprintf(where, len, SAVED_DIRECTORY "/%s", name);
	return !error || save_own_result(name, text, where, len);
}
