/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c - see files.h. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "mutex.h"

#define STANDARD 3 /* descriptors: 0, 1 and 2 */

bool unc_is_shortage(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM;
}

/* ---- placeholders ---- */

/*
 * O_PATH permits neither reading nor writing: a program that prints still gets EBADF, as with a
 * closed descriptor, and poll() still returns POLLNVAL.
 */
static int placeholder(void)
{
	const int fd = open("/dev/null", O_PATH | O_CLOEXEC);

	return fd >= 0 ? fd : open("/", O_PATH | O_CLOEXEC);
}

/* Descriptors 0, 1 and 2 that were closed, and are occupied now: bit i is descriptor i. */
static unsigned occupy(void)
{
	unsigned taken = 0;
	int fd;

	while ((fd = placeholder()) >= 0 && fd < STANDARD)
		taken |= 1U << fd;
	if (fd >= STANDARD)
		close(fd);
	return taken;
}

/* The program may have opened a file of its own there meanwhile: leave it open. */
static void give_back(unsigned taken)
{
	for (int fd = 0; fd < STANDARD; fd++) {
		const int flags = taken >> fd & 1 ? fcntl(fd, F_GETFL) : -1;

		if (flags >= 0 && (flags & O_PATH))
			close(fd);
	}
}

void unc_occupy_standard(void)
{
	occupy();
}

static bool any_closed(void)
{
	struct pollfd at[STANDARD] = {{.fd = 0}, {.fd = 1}, {.fd = 2}};
	const int n = poll(at, STANDARD, 0);

	return n < 0 || (n > 0 && ((at[0].revents | at[1].revents | at[2].revents) & POLLNVAL));
}

/* ---- serialized access ---- */

/*
 * For all handles of the process, since descriptors belong to the process: what one thread has
 * released another one may use.
 */
static atomic_int *holder(void)
{
	static atomic_int pid;

	return &pid;
}

struct before {
	sigset_t signals;
	int cancel;
};

/*
 * Signals are blocked, because a handler may start a set and so open files.  A cancelled thread
 * would not release it.
 */
static void lock(struct before *before)
{
	static const struct timespec moment = {.tv_nsec = 50000};
	const int self = getpid();
	sigset_t all;

	before->cancel = unc_cancel_off();
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before->signals);
	for (;;) {
		int seen = 0;

		if (atomic_compare_exchange_strong(holder(), &seen, self))
			return;
		/* a thread of the parent held it when this process was forked */
		if (seen != self && atomic_compare_exchange_strong(holder(), &seen, self))
			return;
		nanosleep(&moment, NULL);
	}
}

static void unlock(const struct before *before)
{
	atomic_store(holder(), 0);
	pthread_sigmask(SIG_SETMASK, &before->signals, NULL);
	unc_cancel_on(before->cancel);
}

/* ---- interrupted calls ---- */

/* A file that always fails with EINTR is broken: report it instead of retrying for ever. */
#define TRIES 100

ssize_t unc_pread(int fd, void *buf, size_t bytes, off_t offset)
{
	int tries = 0;
	ssize_t n;

	do
		n = pread(fd, buf, bytes, offset);
	while (n < 0 && errno == EINTR && ++tries < TRIES);
	return n;
}

ssize_t unc_pwrite(int fd, const void *buf, size_t bytes, off_t offset)
{
	int tries = 0;
	ssize_t n;

	do
		n = pwrite(fd, buf, bytes, offset);
	while (n < 0 && errno == EINTR && ++tries < TRIES);
	return n;
}

/* ---- open ---- */

struct wanted {
	int directory;
	const char *path;
	int flags;
	mode_t mode;
};

static int open_once_more(const struct wanted *w)
{
	int fd, tries = 0;

	do
		fd = openat(w->directory, w->path, w->flags, w->mode);
	while (fd < 0 && errno == EINTR && ++tries < TRIES);
	return fd;
}

int unc_off_standard(int fd)
{
	int moved, error;

	if (fd < 0 || fd >= STANDARD)
		return fd;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, STANDARD);
	error = errno;
	close(fd);
	errno = error;
	return moved;
}

static int open_above(const struct wanted *w)
{
	struct before before;
	unsigned taken;
	int fd, error;

	lock(&before);
	taken = occupy();
	/* another thread may just have closed a standard descriptor */
	fd = unc_off_standard(open_once_more(w));
	error = errno;
	give_back(taken);
	unlock(&before);
	errno = error;
	return fd;
}

/*
 * A file opened for reading does no harm for a moment, and is not worth a system call each
 * time.
 */
int unc_openat(int directory, const char *path, int flags, mode_t mode)
{
	const bool reads = (flags & O_ACCMODE) == O_RDONLY;
	/* a FIFO opened for reading would wait for a writer */
	const struct wanted w = {directory, path, flags | O_CLOEXEC | (reads ? O_NONBLOCK : 0),
				 mode};
	int fd, tries = 0;

	if (!reads && any_closed())
		return open_above(&w);
	do
		fd = openat(directory, path, w.flags, mode);
	while (fd < 0 && errno == EINTR && ++tries < TRIES);
	if (fd < 0 || fd >= STANDARD)
		return fd;
	if (!reads)
		return unc_off_standard(fd);
	close(fd);
	return open_above(&w);
}

int unc_open(const char *path, int flags)
{
	return unc_openat(AT_FDCWD, path, flags, 0);
}

DIR *unc_opendir(const char *path)
{
	const int fd = unc_open(path, O_RDONLY | O_DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

FILE *unc_fopen(const char *path)
{
	const int fd = unc_open(path, O_RDONLY);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

bool unc_has_ended(int process)
{
	struct pollfd at = {.fd = process, .events = POLLIN};

	return process >= 0 && poll(&at, 1, 0) > 0;
}

void unc_allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}
