/* SPDX-License-Identifier: BSD-3-Clause */
/* election_files.c - the files of the handles that take part in an election. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/process.h"
#include "claim/election_state.h"

#define GATE "gate"

/* ---- the directory ---- */

/* In memory if possible.  The processes of a step look at the same places. */
static const char *const places[] = {"/dev/shm", "/tmp", "/var/tmp"};

static void open_at(struct unc_election *e, const char *place)
{
	struct stat st;

	snprintf(e->dir.path, sizeof(e->dir.path), "%s/uncore-%u", place, (unsigned)geteuid());
	if (mkdir(e->dir.path, 0700) == 0)
		chmod(e->dir.path, 0700); /* whatever the umask is */
	if (unc_directory_open(&e->dir, false, NULL) < 0 || e->dir.fd < 0)
		return;
	if (fstat(e->dir.fd, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & 077))
		unc_directory_close(&e->dir);
}

/* The user's other processes can open it, whatever the umask is.  -errno */
static int make_file(const struct unc_election *e, const char *name, bool only)
{
	const int fd = unc_directory_file(&e->dir, name, only);

	if (fd >= 0)
		fchmod(fd, 0600);
	return fd;
}

static bool is_removed(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_nlink == 0;
}

/* A program that cleans up at the end of a job may have removed what another job uses. */
static void close_removed(struct unc_election *e)
{
	if (is_removed(e->gate) || is_removed(e->dir.fd)) {
		unc_election_close(e->gate);
		e->gate = -1;
	}
	if (is_removed(e->names) || is_removed(e->lock))
		unc_election_close_own(e);
	if (is_removed(e->dir.fd))
		unc_directory_close(&e->dir);
}

void unc_election_close_own(struct unc_election *e)
{
	unc_election_close(e->names);
	unc_election_close(e->lock);
	e->names = e->lock = -1;
	e->file[0] = '\0';
}

int unc_election_open(struct unc_election *e, struct unc_err *err)
{
	close_removed(e);
	for (size_t i = 0; e->dir.fd < 0 && i < sizeof(places) / sizeof(*places); i++)
		open_at(e, places[i]);
	if (e->dir.fd >= 0 && e->gate < 0)
		e->gate = make_file(e, GATE, false);
	if (e->gate >= 0)
		return 0;
	return unc_fail(err, UNCORE_EACCESS,
			"ranks cannot agree which one counts: no directory uncore-%u of this user "
			"in /dev/shm, /tmp or /var/tmp; create it with mode 700",
			(unsigned)geteuid());
}

/* ---- a process ---- */

/* Process ids are reused, and other containers have the same ones. */
static int name_process(struct unc_election *e)
{
	struct unc_process self;
	const int r = unc_this_process(&self);

	if (r < 0)
		return r;
	snprintf(e->process, sizeof(e->process), "%d-%" PRIx64 "-%" PRIx64 "-", self.pid,
		 self.began, self.space);
	return 0;
}

/* Closing a locked file of this process would release its lock. */
static bool is_in_process(const struct unc_election *e, const char *file)
{
	return strncmp(file + strlen(e->launch), e->process, strlen(e->process)) == 0;
}

bool unc_election_is_alive(int fd)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

	return fd < 0 || fcntl(fd, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

static void name_lock(char name[UNC_FILE + sizeof(UNC_LOCKED)], const char *file)
{
	snprintf(name, UNC_FILE + sizeof(UNC_LOCKED), "%s" UNC_LOCKED, file);
}

int unc_election_open_lock(const struct unc_election *e, const char *file)
{
	char name[UNC_FILE + sizeof(UNC_LOCKED)];
	int fd;

	if (is_in_process(e, file))
		return -1;
	name_lock(name, file);
	fd = unc_openat(e->dir.fd, name, O_RDWR | O_NOFOLLOW, 0);
	return fd < 0 ? -errno : fd;
}

void unc_election_remove(const struct unc_election *e, const char *file)
{
	char lock[UNC_FILE + sizeof(UNC_LOCKED)];

	name_lock(lock, file);
	unlinkat(e->dir.fd, file, 0);
	unlinkat(e->dir.fd, lock, 0);
}

/* A lock file that cannot be opened for another reason may be locked. */
static bool has_ended(const struct unc_election *e, const char *file)
{
	const int lock = unc_election_open_lock(e, file);
	const bool ended = lock == -ENOENT || !unc_election_is_alive(lock);

	unc_election_close(lock);
	return ended;
}

/* ---- the other handles ---- */

void unc_election_forget(struct unc_election *e)
{
	for (size_t i = 0; i < e->n_others; i++)
		free(e->others[i].names);
	free(e->others);
	e->others = NULL;
	e->n_others = 0;
}

static struct unc_candidate *add_candidate(struct unc_election *e, const char *file)
{
	struct unc_candidate *list = realloc(e->others, (e->n_others + 1) * sizeof(*list));

	if (!list)
		return NULL;
	e->others = list;
	list += e->n_others++;
	*list = (struct unc_candidate){.n = 0};
	snprintf(list->file, sizeof(list->file), "%s", file);
	return list;
}

/* The number of its releases, then the hashes of its names, 0 for a free place. */
static int read_names(struct unc_candidate *c, int fd)
{
	struct stat st;
	ssize_t bytes;

	if (unc_pread(fd, &c->releases, sizeof(c->releases), 0) != sizeof(c->releases) ||
	    fstat(fd, &st) != 0 || st.st_size < 16)
		return 0;
	c->names = malloc((size_t)st.st_size);
	if (!c->names)
		return -ENOMEM;
	bytes = unc_pread(fd, c->names, (size_t)st.st_size - 8, 8);
	c->n = bytes > 0 ? (size_t)bytes / 8 : 0;
	return 0;
}

int unc_election_add(struct unc_election *e, const char *file, int fd)
{
	struct unc_candidate *c = add_candidate(e, file);

	return c ? read_names(c, fd) : -ENOMEM;
}

/* 0 or -errno */
static int look_at(struct unc_election *e, const char *file)
{
	int fd, r;

	if (has_ended(e, file)) {
		unc_election_remove(e, file);
		return 0;
	}
	fd = unc_openat(e->dir.fd, file, O_RDONLY | O_NOFOLLOW, 0);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	r = unc_election_add(e, file, fd);
	close(fd);
	return r;
}

/* Of the two files of a handle, the one with its names. */
static bool has_names(const char *file)
{
	const size_t length = strlen(file), suffix = strlen(UNC_LOCKED);

	return length < UNC_FILE &&
	       (length < suffix || strcmp(file + length - suffix, UNC_LOCKED) != 0);
}

int unc_election_look(struct unc_election *e)
{
	DIR *list = unc_directory_list(&e->dir);
	const struct dirent *entry;
	int r = 0;

	if (!list)
		return -errno;
	if (!e->process[0])
		r = name_process(e);
	unc_election_forget(e);
	while (r == 0 && (entry = readdir(list)))
		if (strncmp(entry->d_name, e->launch, strlen(e->launch)) == 0 &&
		    has_names(entry->d_name) && strcmp(entry->d_name, e->file) != 0)
			r = look_at(e, entry->d_name);
	closedir(list);
	return r;
}

/* ---- the files of this handle ---- */

/* Files of other steps whose processes have been killed: no other process would remove them. */
static void remove_old(const struct unc_election *e)
{
	DIR *list = unc_directory_list(&e->dir);
	const struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, GATE) != 0 &&
		    has_names(entry->d_name) && !strstr(entry->d_name, e->process) &&
		    has_ended(e, entry->d_name))
			unc_election_remove(e, entry->d_name);
	if (list)
		closedir(list);
}

static int lock_own(struct unc_election *e)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
	char name[UNC_FILE + sizeof(UNC_LOCKED)];

	name_lock(name, e->file);
	e->lock = make_file(e, name, true);
	if (e->lock < 0)
		return e->lock;
	return fcntl(e->lock, F_SETLK, &lock) == 0 ? 0 : -errno;
}

/* -errno */
static int make_own(struct unc_election *e)
{
	int r = -EEXIST;

	for (unsigned i = 0; r == -EEXIST; i++) {
		snprintf(e->file, sizeof(e->file), "%s%s%u", e->launch, e->process, i);
		r = make_file(e, e->file, true);
	}
	e->names = r;
	if (r < 0)
		return r;
	r = lock_own(e);
	errno = ENOSPC;
	if (r == 0 &&
	    unc_pwrite(e->names, &e->releases, sizeof(e->releases), 0) != sizeof(e->releases))
		return -errno;
	return r;
}

int unc_election_make_files(struct unc_election *e)
{
	int r;

	remove_old(e);
	r = make_own(e);
	if (r == 0)
		return 0;
	if (e->names >= 0)
		unc_election_remove(e, e->file);
	unc_election_close_own(e);
	return r;
}
