/* SPDX-License-Identifier: BSD-3-Clause */
/* directory.c - see directory.h. */
#include "claim/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "claim/journal.h"

/* ---- the directory ---- */

static int missing(struct unc_directory *dir, int error)
{
	snprintf(dir->why, sizeof(dir->why), "%.180s: %s", dir->path, strerror(error));
	return 0;
}

static int judge(struct unc_directory *dir, struct unc_err *err)
{
	struct stat st;

	if (fstat(dir->fd, &st) != 0)
		return unc_fail(err, UNCORE_EACCESS, "%s: %s", dir->path, strerror(errno));
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return unc_fail(err, UNCORE_EACCESS,
				"invalid journal directory %s: owned by user %u, must be owned by "
				"root or the caller (set UNCORE_JOURNAL to use another one)",
				dir->path, (unsigned)st.st_uid);
	if (st.st_mode & S_IWOTH)
		return unc_fail(err, UNCORE_EACCESS,
				"invalid journal directory %s: it is world-writable; run chmod "
				"o-w, or set UNCORE_JOURNAL to use another one",
				dir->path);
	dir->group = (st.st_mode & S_IWGRP) != 0;
	dir->gid = st.st_gid;
	return 0;
}

int unc_directory_open(struct unc_directory *dir, bool make, struct unc_err *err)
{
	int r;

	if (make)
		mkdir(dir->path, 0755);
	dir->fd = unc_open(dir->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	if (dir->fd < 0 && unc_is_shortage(errno))
		return unc_fail(err, unc_code_of_errno(-errno), "%s: %s", dir->path,
				strerror(errno));
	if (dir->fd < 0 && errno != ENOTDIR && errno != ELOOP)
		return missing(dir, errno);
	if (dir->fd < 0)
		return unc_fail(err, UNCORE_EACCESS,
				"invalid journal directory %s: it is a symbolic link or not a "
				"directory (set UNCORE_JOURNAL to use another one)",
				dir->path);
	r = judge(dir, err);
	if (r == 0 && faccessat(dir->fd, ".", R_OK | W_OK | X_OK, AT_EACCESS) == 0)
		return 0;
	if (r == 0)
		missing(dir, errno);
	unc_directory_close(dir);
	return r;
}

void unc_directory_close(struct unc_directory *dir)
{
	if (dir->fd >= 0)
		close(dir->fd);
	dir->fd = -1;
}

DIR *unc_directory_list(const struct unc_directory *dir)
{
	/* dup() would share the position of the walk */
	const int fd = unc_openat(dir->fd, ".", O_RDONLY | O_DIRECTORY, 0);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !list)
		close(fd);
	return list;
}

/* ---- files ---- */

/* Users who may write to the directory may read and lock its files. */
static mode_t mode_of(const struct unc_directory *dir)
{
	return dir->group ? 0660 : 0600;
}

/*
 * A member of the group can link or move a file of this user into the directory: a file that has
 * another name or contents is not given to the group.
 */
static void allow_group(const struct unc_directory *dir, int fd)
{
	struct stat st;

	if (!dir->group || fstat(fd, &st) != 0 || st.st_uid != geteuid() || st.st_nlink != 1 ||
	    st.st_size != 0)
		return;
	if (st.st_gid != dir->gid && fchown(fd, (uid_t)-1, dir->gid) != 0)
		return;
	if ((st.st_mode & 0777) != mode_of(dir))
		fchmod(fd, mode_of(dir));
}

/* A file with another name can be in a directory of another user, and is not written to. */
static bool is_trusted(const struct unc_directory *dir, int fd, struct stat *st)
{
	return fstat(fd, st) == 0 && S_ISREG(st->st_mode) && st->st_nlink <= 1 &&
	       (dir->group || st->st_uid == 0 || st->st_uid == geteuid());
}

int unc_directory_file(const struct unc_directory *dir, const char *name, bool only)
{
	const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (only ? O_EXCL : 0);
	const int fd = unc_openat(dir->fd, name, flags, mode_of(dir));
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!is_trusted(dir, fd, &st)) {
		close(fd);
		return -EPERM;
	}
	allow_group(dir, fd);
	return fd;
}

static void *read_all(int fd, size_t size, size_t *n, int *error)
{
	char *bytes = malloc(size + 1);
	ssize_t got = 1;

	*n = 0;
	while (bytes && *n < size && got > 0) {
		got = unc_pread(fd, bytes + *n, size - *n, (off_t)*n);
		*n += got > 0 ? (size_t)got : 0;
	}
	*error = !bytes ? -ENOMEM : got < 0 ? -errno : 0;
	if (!*error)
		return bytes;
	free(bytes);
	return NULL;
}

void *unc_directory_read(const struct unc_directory *dir, const char *name, size_t *n, int *error)
{
	const int fd = unc_openat(dir->fd, name, O_RDONLY | O_NOFOLLOW, 0);
	void *bytes = NULL;
	struct stat st;

	*error = fd < 0 ? -errno : 0;
	if (fd < 0)
		return NULL;
	if (!is_trusted(dir, fd, &st))
		*error = -EPERM;
	else if (st.st_size > (off_t)UNC_JOURNAL_MAX)
		*error = -EFBIG;
	else
		bytes = read_all(fd, (size_t)st.st_size, n, error);
	close(fd);
	return bytes;
}

static int write_all(int fd, const char *bytes, size_t n)
{
	for (size_t done = 0; done < n;) {
		const ssize_t some = unc_pwrite(fd, bytes + done, n - done, (off_t)done);

		if (some <= 0)
			return some < 0 ? -errno : -ENOSPC;
		done += (size_t)some;
	}
	return 0;
}

int unc_directory_replace(const struct unc_directory *dir, const char *temporary, const char *name,
			  const void *bytes, size_t n)
{
	const int fd = unc_directory_file(dir, temporary, true);
	int r;

	if (fd < 0)
		return fd;
	r = write_all(fd, bytes, n);
	/* a network file system may report a failed write only here */
	if (close(fd) != 0 && r == 0)
		r = -errno;
	if (r == 0 && renameat(dir->fd, temporary, dir->fd, name) != 0)
		r = -errno;
	if (r < 0)
		unlinkat(dir->fd, temporary, 0);
	return r;
}

int unc_directory_shorten(const struct unc_directory *dir, const char *name, const void *bytes,
			  size_t n)
{
	const int fd = unc_openat(dir->fd, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0);
	struct stat st;
	int r;

	if (fd < 0)
		return -errno;
	r = is_trusted(dir, fd, &st) && st.st_size >= (off_t)n ? write_all(fd, bytes, n) : -EPERM;
	if (r == 0 && ftruncate(fd, (off_t)n) != 0)
		r = -errno;
	if (close(fd) != 0 && r == 0)
		r = -errno;
	return r;
}

/* ---- locks of other processes ---- */

/*
 * A process must not open a lock file that another of its handles has open: closing it would
 * release that handle's lock.  /proc/locks is not reliable: a reader that needs several reads
 * misses locks when others are taken or released in between.
 */
static bool open_here(const struct unc_directory *dir, const char *name)
{
	const struct dirent *e;
	struct stat st, one;
	bool found = false;
	DIR *list;

	if (fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno != ENOENT;
	list = unc_opendir("/proc/self/fd");
	while (list && !found && (e = readdir(list)))
		found = e->d_name[0] != '.' && fstatat(dirfd(list), e->d_name, &one, 0) == 0 &&
			one.st_dev == st.st_dev && one.st_ino == st.st_ino;
	if (!list)
		return true; /* unknown */
	closedir(list);
	return found;
}

bool unc_directory_locked(const struct unc_directory *dir, const char *name, pid_t *pid)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd, r;

	/* a process in another container may have the same pid */
	if (*pid == getpid() && open_here(dir, name))
		return true;
	fd = unc_openat(dir->fd, name, O_RDONLY | O_NOFOLLOW, 0);
	if (fd < 0)
		return errno != ENOENT; /* unknown: it may be alive */
	r = fcntl(fd, F_GETLK, &lock);
	close(fd);
	if (r == 0 && lock.l_type == F_UNLCK)
		return false;
	*pid = r == 0 ? lock.l_pid : *pid;
	return true;
}
