/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c - see job.h. */
#include "command/who/job.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command/base/text.h"

/* ---- forms ---- */

#define DIGITS "0123456789"

static bool is_number(const char *text, size_t len)
{
	return len > 0 && strspn(text, DIGITS) >= len;
}

/* A number, the index of an array in brackets, and the server: 123[4].server. */
static bool is_job_with_suffix(const char *text, size_t len)
{
	const size_t digits = strspn(text, DIGITS);

	return digits > 0 && (digits >= len || text[digits] == '[' || text[digits] == '.');
}

/*
 * Each part of a pattern is a component of the path: # is a number, * any text.  The job is the
 * rest of the last component, after its part.
 */
struct form {
	const char *pattern;
	bool (*is_job)(const char *text, size_t len);
};

static const struct form forms[] = {
	/* Slurm, cgroup.conf(5): version 2, with several slurmd on a node; version 1, the same */
	{"/system.slice/slurmstepd.scope/job_", is_number},
	{"/system.slice/*_slurmstepd.scope/job_", is_number},
	{"/slurm/uid_#/job_", is_number},
	{"/slurm_*/uid_#/job_", is_number},
	/* the hook pbs_cgroups of PBS, and its older name of the service */
	{"/pbs_jobs.service/jobid/", is_job_with_suffix},
	{"/pbspro.service/jobid/", is_job_with_suffix},
	/* LSF, LSB_RESOURCE_ENFORCE: /lsf/CLUSTER/job.7.1700000000 */
	{"/lsf/*/job.", is_job_with_suffix},
};

/* * does not match an empty text. */
static const char *match_any(const char *path, const char *end)
{
	const size_t component = strcspn(path, "/"), length = strcspn(end, "/");

	if (component <= length || strncmp(path + component - length, end, length) != 0)
		return NULL;
	return path + component - length;
}

/* The rest of the path; NULL: it has another form. */
static const char *match(const char *path, const char *pattern)
{
	for (; path && *pattern; pattern++) {
		if (*pattern == '#') {
			const size_t digits = strspn(path, DIGITS);

			path = digits ? path + digits : NULL;
		} else if (*pattern == '*')
			path = match_any(path, pattern + 1);
		else
			path = *path == *pattern ? path + 1 : NULL;
	}
	return path;
}

/* The job in a path, and its length; NULL: none. */
static const char *find_job(const char *path, size_t *len)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		const char *job = match(path, forms[i].pattern);

		*len = job ? strcspn(job, "/") : 0;
		if (*len && forms[i].is_job(job, *len))
			return job;
	}
	return NULL;
}

/* ---- owners of directories ---- */

static bool exists(const char *directory)
{
	struct stat st;

	return stat(directory, &st) == 0;
}

/*
 * The directory at which a hierarchy is mounted: version 2 has no names, and its own directory if
 * version 1 is mounted, too.  NULL: none of the usual ones.
 */
static char *directory_of(const char *root, const char *names)
{
	const char *name = strncmp(names, "name=", 5) == 0 ? names + 5 : *names ? names : "unified";
	char *dir = text_of("%s/sys/fs/cgroup/%s", root, name);

	if (!*names && !exists(dir)) {
		free(dir);
		dir = text_of("%s/sys/fs/cgroup", root);
	}
	if (exists(dir))
		return dir;
	free(dir);
	return NULL;
}

/* Each directory on the path below base. */
static bool is_roots(const char *base, const char *path)
{
	char *name = text_of("%s%s", base, path);
	bool owned = true;
	struct stat st;

	for (char *end = name + strlen(name); owned && (size_t)(end - name) > strlen(base);
	     end = strrchr(name, '/')) {
		*end = '\0';
		owned = stat(name, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == 0;
	}
	free(name);
	return owned;
}

static bool is_trusted(const char *root, const char *names, const char *path)
{
	char *base = directory_of(root, names);
	const bool trusted = !base || is_roots(base, path);

	free(base);
	return trusted;
}

/* ---- the file ---- */

/* "4:memory:/path", or "0::/path" of version 2; ends the names. */
static char *job_of_line(const char *root, char *line)
{
	char *names = strchr(line, ':'), *path = names ? strchr(names + 1, ':') : NULL;
	const char *job;
	size_t len;
	char *up_to, *found = NULL;

	if (!path)
		return NULL;
	*path++ = '\0';
	job = find_job(path, &len);
	if (!job)
		return NULL;
	up_to = text_of("%.*s", (int)(job - path + (ptrdiff_t)len), path);
	if (is_trusted(root, names + 1, up_to))
		found = text_of("%.*s", (int)len, job);
	free(up_to);
	return found;
}

char *job_of(const char *root, const char *text)
{
	char *copy = text_of("%s", text), *rest, *job = NULL;

	for (char *line = strtok_r(copy, "\n", &rest); line && !job;
	     line = strtok_r(NULL, "\n", &rest))
		job = job_of_line(root, line);
	free(copy);
	return job;
}
