/* SPDX-License-Identifier: BSD-3-Clause */
/* listen.c - the socket of uncored: who may open it decides its directory, its group and mode. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/daemon.h"

#define FROM_SYSTEMD 3 /* the first descriptor: sd_listen_fds(3) */

static int fail(const char *path, const char *what)
{
	fprintf(stderr, "uncored: %s: %s: %s\n", path, what, strerror(errno));
	return -1;
}

bool daemon_is_handed_over(void)
{
	const char *pid = getenv("LISTEN_PID"), *n = getenv("LISTEN_FDS");

	return pid && n && strtol(pid, NULL, 10) == getpid() && strcmp(n, "1") == 0;
}

void daemon_close_inherited(void)
{
	close_range(daemon_is_handed_over() ? FROM_SYSTEMD + 1 : FROM_SYSTEMD, ~0U, 0);
}

static bool has_option(int fd, int option, int wanted)
{
	socklen_t len = sizeof(int);
	int value;

	return getsockopt(fd, SOL_SOCKET, option, &value, &len) == 0 && value == wanted;
}

/* A unit's Accept= or ListenStream= would make it another one. */
static int take_over(int fd)
{
	if (!has_option(fd, SO_DOMAIN, AF_UNIX) || !has_option(fd, SO_TYPE, SOCK_SEQPACKET) ||
	    !has_option(fd, SO_ACCEPTCONN, 1)) {
		fputs("uncored: what systemd hands over is no listening SOCK_SEQPACKET socket: the "
		      "unit needs ListenSequentialPacket=, and no Accept=\n",
		      stderr);
		return -1;
	}
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, O_NONBLOCK) < 0)
		return fail("systemd's socket", "it cannot be used");
	return fd;
}

/* Left by a daemon that was killed: nobody listens there. */
static bool remove_dead(const struct sockaddr_un *address)
{
	const int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	const bool dead = fd >= 0 &&
			  connect(fd, (const struct sockaddr *)address, sizeof(*address)) < 0 &&
			  errno == ECONNREFUSED;

	if (fd >= 0)
		close(fd);
	return dead && unlink(address->sun_path) == 0;
}

static int set_group(const char *path, const char *group)
{
	const struct group *g = group ? getgrnam(group) : NULL;

	if (group && !g) {
		fprintf(stderr,
			"uncored: there is no group %s: make it (groupadd -r %s), or name "
			"another one with --group\n",
			group, group);
		return -1;
	}
	if (g && chown(path, (uid_t)-1, g->gr_gid) < 0)
		return fail(path, "its group cannot be set");
	return chmod(path, g ? 0660 : 0600) < 0 ? fail(path, "its mode cannot be set") : 0;
}

static int listen_at(int fd, const struct sockaddr_un *address, const char *group)
{
	const struct sockaddr *generic = (const struct sockaddr *)address;
	const char *path = address->sun_path;
	const mode_t before = umask(0177);
	int r = bind(fd, generic, sizeof(*address));

	if (r < 0 && errno == EADDRINUSE && remove_dead(address))
		r = bind(fd, generic, sizeof(*address));
	umask(before);
	if (r < 0)
		return fail(path, errno == EADDRINUSE ? "another uncored listens there"
						      : "nobody can listen there");
	r = set_group(path, group);
	if (r == 0 && listen(fd, SOMAXCONN) < 0)
		r = fail(path, "nobody can listen there");
	if (r < 0)
		unlink(path);
	return r;
}

int daemon_listen(const char *path, const char *group)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd;

	if (daemon_is_handed_over())
		return take_over(FROM_SYSTEMD);
	if (strlen(path) >= sizeof(address.sun_path)) {
		errno = ENAMETOOLONG;
		return fail(path, "no socket can be there");
	}
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return fail(path, "no socket can be made");
	if (listen_at(fd, &address, group) == 0)
		return fd;
	close(fd);
	return -1;
}
