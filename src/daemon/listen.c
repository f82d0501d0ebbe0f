/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * listen.c - the socket of uncored.  Its group and mode decide who may connect.
 *
 * Root creates it, possibly in a directory of another user: no call here changes a file by a
 * name that this user could have replaced meanwhile.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/daemon.h"
#include "daemon/say.h"

#define FROM_SYSTEMD 3 /* the first descriptor: sd_listen_fds(3) */

static int fail(const char *path, const char *what)
{
	daemon_say(SAY_ERROR, "%s: %s: %s", path, what, strerror(errno));
	return -1;
}

bool daemon_is_handed_over(void)
{
	const char *pid = getenv("LISTEN_PID"), *n = getenv("LISTEN_FDS");

	return pid && n && strtol(pid, NULL, 10) == getpid() && strcmp(n, "1") == 0;
}

void daemon_close_inherited(void)
{
	const int first = daemon_is_handed_over() ? FROM_SYSTEMD + 1 : FROM_SYSTEMD;
	DIR *dir = opendir("/proc/self/fd");

	/* close_range() is of Linux 5.9 and glibc 2.34 */
	for (const struct dirent *e; dir && (e = readdir(dir));) {
		const int fd = (int)strtol(e->d_name, NULL, 10);

		if (fd >= first && fd != dirfd(dir))
			close(fd);
	}
	if (dir)
		closedir(dir);
}

static bool has_option(int fd, int option, int wanted)
{
	socklen_t len = sizeof(int);
	int value;

	return getsockopt(fd, SOL_SOCKET, option, &value, &len) == 0 && value == wanted;
}

/* The setting Accept= or ListenStream= of a unit may pass another kind of socket. */
static int take_over(int fd)
{
	if (!has_option(fd, SO_DOMAIN, AF_UNIX) || !has_option(fd, SO_TYPE, SOCK_SEQPACKET) ||
	    !has_option(fd, SO_ACCEPTCONN, 1)) {
		fputs("uncored: invalid socket from systemd: the unit must use "
		      "ListenSequentialPacket= without Accept=\n",
		      stderr);
		return -1;
	}
	/* listen() shows this process to clients (SO_PEERCRED) instead of systemd */
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0 ||
	    listen(fd, SOMAXCONN) < 0)
		return fail("socket from systemd", "not usable");
	return fd;
}

/* ---- a socket of its own ---- */

#define NAME "socket" /* in the directory in which it is created */

/* The path is resolved at the start; later changes of it do not matter. */
static int open_directory(const char *path, struct socket_file *file)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	char directory[sizeof(file->name) + 1] = ".";

	if (slash)
		snprintf(directory, sizeof(directory), "%.*s", (int)(name - path), path);
	snprintf(file->name, sizeof(file->name), "%s", name);
	file->directory = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return file->directory < 0 ? fail(path, "cannot open its directory") : 0;
}

/* bind() and connect() take a path, not a descriptor. */
static struct sockaddr_un address_of(int fd, const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};

	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d%s", fd, name);
	return address;
}

/* Whether a process listens at an O_PATH descriptor: 0, or an errno of connect(). */
static int try_connect(int path_fd)
{
	const struct sockaddr_un address = address_of(path_fd, "");
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const int error =
		fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof(address)) < 0
			? errno
			: 0;

	if (fd >= 0)
		close(fd);
	return error;
}

static const char *why_not_dead(int path_fd)
{
	struct stat st;
	int error;

	if (fstat(path_fd, &st) < 0)
		return strerror(errno);
	if (!S_ISSOCK(st.st_mode))
		return "the file exists and is not a socket";
	error = try_connect(path_fd);
	if (error == ECONNREFUSED)
		return NULL;
	if (error == EPROTOTYPE)
		return "another program is listening on this socket";
	return error && error != EAGAIN ? strerror(error)
					: "another uncored is listening on "
					  "this socket";
}

/*
 * 0 if the name is free, or a socket on which no process listens, left by a killed daemon.
 * Other files are not removed.
 */
static int check_dead(const char *path, const struct socket_file *file)
{
	const int fd = openat(file->directory, file->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	const char *why;

	if (fd < 0 && errno == ENOENT)
		return 0;
	why = fd < 0 ? strerror(errno) : why_not_dead(fd);
	if (fd >= 0)
		close(fd);
	if (why)
		daemon_say(SAY_ERROR, "cannot listen at %s: %s; use another path (--socket)", path,
			   why);
	return why ? -1 : 0;
}

/*
 * Daemons that find the socket of a killed one must check, remove and replace it one at a time:
 * otherwise a second one would remove the new socket.  The lock is a file next to the socket,
 * removed with the lock; a process that waited for a removed file tries again. -1 with errno.
 */
static int lock_name(const struct socket_file *file, char *name, size_t size)
{
	const int flags = O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	struct stat is, found;
	int fd;

	snprintf(name, size, "%s.lock", file->name);
	for (;;) {
		fd = openat(file->directory, name, flags, 0600);
		if (fd < 0 || flock(fd, LOCK_EX) < 0 || fstat(fd, &is) < 0)
			break;
		if (fstatat(file->directory, name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
		    found.st_ino == is.st_ino && found.st_dev == is.st_dev)
			return fd;
		close(fd);
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

/* 0; 1: another process was faster; -1 after a message. */
static int replace_dead(const char *path, int made, const struct socket_file *file)
{
	if (check_dead(path, file) < 0)
		return -1;
	if (unlinkat(file->directory, file->name, 0) < 0 && errno != ENOENT)
		return fail(path, "cannot remove the stale socket");
	if (linkat(made, NAME, file->directory, file->name, 0) == 0)
		return 0;
	return errno == EEXIST ? 1 : fail(path, "cannot create the socket");
}

/* By link(), which does not replace files. */
static int publish(const char *path, int made, const struct socket_file *file)
{
	char name[sizeof(file->name) + sizeof(".lock")];
	int lock, r;

	if (linkat(made, NAME, file->directory, file->name, 0) == 0)
		return 0;
	if (errno != EEXIST)
		return fail(path, "cannot create the socket");
	lock = lock_name(file, name, sizeof(name));
	if (lock < 0)
		return fail(path, "cannot lock the socket name");
	do
		r = replace_dead(path, made, file);
	while (r > 0);
	unlinkat(file->directory, name, 0);
	close(lock);
	return r;
}

/* In a directory that only this process can change, a name refers to the file it created. */
static int make_socket(int fd, int made, gid_t group, struct socket_file *file)
{
	const struct sockaddr_un address = address_of(made, "/" NAME);
	const mode_t before = umask(group == (gid_t)-1 ? 0177 : 0117);
	const int r = bind(fd, (const struct sockaddr *)&address, sizeof(address));
	const int error = errno;
	struct stat st;

	umask(before);
	errno = error;
	if (r < 0 || fchownat(made, NAME, (uid_t)-1, group, AT_SYMLINK_NOFOLLOW) < 0 ||
	    fstatat(made, NAME, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	file->device = st.st_dev;
	file->inode = st.st_ino;
	return listen(fd, SOMAXCONN);
}

/* Owned by this user, closed to all others; -1 with errno. */
static int open_made(int directory, const char *name)
{
	const int fd = openat(directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 077) == 0)
		return fd;
	if (fd >= 0) {
		close(fd);
		errno = EPERM;
	}
	return -1;
}

/* The socket appears with its final group and mode: nothing is changed through its path. */
static int listen_at(int fd, const char *path, gid_t group, struct socket_file *file)
{
	uint64_t number = 0;
	char name[40];
	int made, r;

	if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
		return fail(path, "cannot choose a name for the socket");
	snprintf(name, sizeof(name), ".uncored-%016" PRIx64, number);
	if (mkdirat(file->directory, name, 0700) < 0)
		return fail(path, "cannot create the socket");
	made = open_made(file->directory, name);
	r = made < 0 ? -1 : make_socket(fd, made, group, file);
	if (r < 0)
		fail(path, "cannot create the socket");
	else
		r = publish(path, made, file);
	if (made >= 0) {
		unlinkat(made, NAME, 0);
		close(made);
	}
	unlinkat(file->directory, name, AT_REMOVEDIR);
	return r;
}

/* (gid_t)-1: no group. */
static int find_group(const char *name, gid_t *id)
{
	const struct group *g = name ? getgrnam(name) : NULL;

	*id = g ? g->gr_gid : (gid_t)-1;
	if (!name || g)
		return 0;
	daemon_say(SAY_ERROR,
		   "unknown group \"%s\": create it (groupadd -r %s), or use another group "
		   "(--group)",
		   name, name);
	return -1;
}

static int listen_in_place(const char *path, gid_t group, struct socket_file *file)
{
	int fd;

	if (strlen(path) >= sizeof(file->name)) {
		errno = ENAMETOOLONG;
		return fail(path, "cannot listen");
	}
	if (open_directory(path, file) < 0)
		return -1;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fail(path, "cannot create a socket");
	if (listen_at(fd, path, group, file) == 0)
		return fd;
	close(fd);
	return -1;
}

int daemon_listen(const char *path, const char *group, struct socket_file *file)
{
	gid_t id;
	int fd;

	*file = (struct socket_file){.directory = -1};
	if (daemon_is_handed_over())
		return take_over(FROM_SYSTEMD);
	if (find_group(group, &id) < 0)
		return -1;
	fd = listen_in_place(path, id, file);
	if (fd < 0 && file->directory >= 0) {
		close(file->directory);
		file->directory = -1;
	}
	return fd;
}

void daemon_remove_socket(struct socket_file *file)
{
	struct stat st;

	if (file->directory < 0)
		return;
	if (fstatat(file->directory, file->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_dev == file->device && st.st_ino == file->inode)
		unlinkat(file->directory, file->name, 0);
	close(file->directory);
	file->directory = -1;
}
