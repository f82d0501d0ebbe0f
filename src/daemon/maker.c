/* SPDX-License-Identifier: BSD-3-Clause */
/* maker.c - see maker.h. */
#include "daemon/maker.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t own_space(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? (uint64_t)st.st_ino : 0;
}

/* proc(5): the name in parentheses may contain anything, so the state follows the last one. */
static bool take_stat(const char *text, char *state, uint64_t *start)
{
	const char *rest = strrchr(text, ')');

	return rest && sscanf(rest + 1,
			      " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
			      "%*d %*d %" SCNu64,
			      state, start) == 2;
}

/* 0, or an errno value. */
static int read_stat(int pid, char *state, uint64_t *start)
{
	char path[32], text[1024];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (n <= 0)
		return n < 0 ? errno : ESRCH;
	text[n] = '\0';
	return take_stat(text, state, start) ? 0 : EBADMSG;
}

struct maker maker_self(void)
{
	struct maker self = {.space = own_space(), .pid = (int)getpid()};
	char state;

	if (read_stat(self.pid, &state, &self.start) != 0)
		self.start = 0;
	return self;
}

bool maker_is_gone(const struct maker *maker)
{
	uint64_t start = 0;
	char state = '\0';
	int error;

	if (maker->space != own_space())
		return false;
	error = read_stat(maker->pid, &state, &start);
	if (error)
		return error == ENOENT || error == ESRCH;
	return start != maker->start || state == 'Z' || state == 'X';
}
