/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_files.c - see kernel_files.h. */
#include "hw/kernel_files.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files.h"
#include "base/sysfs.h"

/* ---- links ---- */

static bool is_simulated(struct unc_hw *hw)
{
	return hw && unc_hw_sim(hw);
}

bool unc_kernel_has_files(const struct unc_kernel_files *files)
{
	return files->root || is_simulated(files->hw);
}

static int simulated_link(struct unc_hw *hw, const char *path, char *target, size_t len)
{
	const char *from, *to;

	for (size_t i = 0; unc_hw_sim_link(hw, i, &from, &to); i++)
		if (strcmp(from, path) == 0)
			return snprintf(target, len, "%s", to) < (int)len ? 0 : -ENAMETOOLONG;
	return -ENOENT;
}

int unc_kernel_link(const struct unc_kernel_files *files, const char *path, char *target,
		    size_t len)
{
	char given[PATH_MAX], root[PATH_MAX], real[PATH_MAX];
	size_t skip;

	if (is_simulated(files->hw))
		return simulated_link(files->hw, path, target, len);
	if (!files->root)
		return -ENOSYS;
	if (snprintf(given, sizeof(given), "%s/%s", files->root, path) >= (int)sizeof(given))
		return -ENAMETOOLONG;
	if (!realpath(files->root, root) || !realpath(given, real))
		return -errno;
	skip = strcmp(root, "/") == 0 ? 0 : strlen(root);
	if (strncmp(real, root, skip) != 0) /* it leads out of the root */
		return -ENOENT;
	return snprintf(target, len, "%s", real + skip) < (int)len ? 0 : -ENAMETOOLONG;
}

char *unc_kernel_text(const struct unc_kernel_files *files, const char *path)
{
	const char *text;

	errno = ENOENT;
	if (is_simulated(files->hw)) {
		text = unc_hw_sim_file(files->hw, path);
		return text ? strdup(text) : NULL;
	}
	return files->root ? unc_read_all(files->root, path) : NULL;
}

bool unc_kernel_line(const struct unc_kernel_files *files, const char *path, char *text, size_t len)
{
	const char *is = is_simulated(files->hw) ? unc_hw_sim_file(files->hw, path) : NULL;

	if (is)
		snprintf(text, len, "%s", is);
	return is || (!is_simulated(files->hw) && files->root &&
		      unc_read_word(text, len, files->root, "%s", path));
}

/* ---- directories ---- */

void unc_kernel_names_free(struct unc_kernel_names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
	*names = (struct unc_kernel_names){0, NULL};
}

static bool has_name(const struct unc_kernel_names *names, const char *name, size_t len)
{
	for (size_t i = 0; i < names->n; i++)
		if (strlen(names->name[i]) == len && strncmp(names->name[i], name, len) == 0)
			return true;
	return false;
}

static int add_name(struct unc_kernel_names *names, const char *name, size_t len)
{
	char **all;

	all = realloc(names->name, (names->n + 1) * sizeof(*all));
	if (!all)
		return -ENOMEM;
	names->name = all;
	all[names->n] = strndup(name, len);
	return all[names->n] ? (int)(names->n++, 0) : -ENOMEM;
}

/* The part of a path after a directory; NULL: it is not in it. */
static const char *after(const char *path, const char *dir)
{
	const size_t len = strlen(dir);

	path += *path == '/';
	return strncmp(path, dir, len) == 0 && path[len] == '/' ? path + len + 1 : NULL;
}

static int list_simulated(struct unc_hw *hw, const char *dir, struct unc_kernel_names *to)
{
	const char *path[2];
	int r = 0;

	for (size_t i = 0; r == 0 && unc_hw_sim_link(hw, i, &path[0], &path[1]); i++)
		for (int k = 0; r == 0 && k < 2; k++) {
			const char *name = after(path[k], dir);

			const size_t len = name ? strcspn(name, "/") : 0;

			if (len && !has_name(to, name, len))
				r = add_name(to, name, len);
		}
	return r;
}

static int list_files(const char *root, const char *dir, struct unc_kernel_names *to)
{
	char path[PATH_MAX];
	struct dirent *entry;
	int r = 0;
	DIR *files;

	if (snprintf(path, sizeof(path), "%s/%s", root, dir) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	files = unc_opendir(path);
	if (!files)
		return -errno;
	while (r == 0 && (entry = readdir(files)))
		if (entry->d_name[0] != '.')
			r = add_name(to, entry->d_name, strlen(entry->d_name));
	closedir(files);
	return r;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

int unc_kernel_list(const struct unc_kernel_files *files, const char *dir,
		    struct unc_kernel_names *to)
{
	int r = -ENOSYS;

	*to = (struct unc_kernel_names){0, NULL};
	if (is_simulated(files->hw))
		r = list_simulated(files->hw, dir, to);
	else if (files->root)
		r = list_files(files->root, dir, to);
	if (r < 0)
		unc_kernel_names_free(to);
	else if (to->n)
		qsort(to->name, to->n, sizeof(*to->name), by_name);
	return r;
}
