/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * directory.h - the directory with the journals of all processes that count: /run/uncore, or the
 * one that UNCORE_JOURNAL names.
 *
 * It must be owned by root or the caller and not be world-writable, because the files in it are
 * trusted.  If it is group-writable, members of the group can read and lock its files, and any of
 * them may own a file.  Symbolic links are not followed, and files with a second name are not used.
 */
#ifndef UNC_DIRECTORY_H
#define UNC_DIRECTORY_H

#include <dirent.h>
#include <limits.h>
#include <sys/types.h>

#include "base/error.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_directory {
	int fd; /* -1: not open */
	bool group;
	gid_t gid;
	char path[PATH_MAX];
	char why[256]; /* part of a message: why it is not open */
};

/*
 * Open the directory; with make, create it if it does not exist.  0 with fd -1 and the reason in
 * `why` if it does not exist or access is denied.  UNCORE_EACCESS if it cannot be trusted.
 */
int unc_directory_open(struct unc_directory *dir, bool make, struct unc_err *err);
void unc_directory_close(struct unc_directory *dir);

/* Open a file for writing and locking, or create it; only: it must not exist.  fd or -errno. */
int unc_directory_file(const struct unc_directory *dir, const char *name, bool only);

/*
 * The contents of a file, to be freed; NULL with *error: -errno, -EFBIG, or -EPERM if it is not
 * trusted.
 */
void *unc_directory_read(const struct unc_directory *dir, const char *name, size_t *n, int *error);

/* Write bytes to a new file `temporary`, then rename it to `name`.  0 or -errno. */
int unc_directory_replace(const struct unc_directory *dir, const char *temporary, const char *name,
			  const void *bytes, size_t n);

/*
 * The same for a file that does not become longer, without a new file, for which a full file system
 * has no room: its beginning is overwritten, then the rest is cut off.  0 or -errno.
 */
int unc_directory_shorten(const struct unc_directory *dir, const char *name, const void *bytes,
			  size_t n);

/* Open the directory for readdir(); NULL with errno. */
DIR *unc_directory_list(const struct unc_directory *dir);

/* Whether any process holds the lock of a file.  *pid: the expected one, then the one found. */
bool unc_directory_locked(const struct unc_directory *dir, const char *name, pid_t *pid);

#ifdef __cplusplus
}
#endif
#endif
