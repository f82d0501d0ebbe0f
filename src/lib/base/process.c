/* SPDX-License-Identifier: BSD-3-Clause */
/* process.c - see process.h. */
#include "base/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/sysfs.h"

static int own_space(uint64_t *space)
{
	struct stat st;
	const int error = stat("/proc/self/ns/pid", &st) == 0 ? 0 : errno;

	*space = error ? 0 : (uint64_t)st.st_ino;
	return error;
}

/* proc(5): the name in parentheses may contain anything, so the state follows the last one. */
static bool take_stat(const char *text, struct unc_process_now *now)
{
	const char *rest = strrchr(text, ')');

	return rest && sscanf(rest + 1,
			      " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
			      "%*d %*d %" SCNu64,
			      &now->state, &now->parent, &now->began) == 3;
}

static int look_at(struct unc_process_now *now, const char *name)
{
	struct unc_process_now found;
	char text[1024];

	*now = (struct unc_process_now){.parent = 0};
	if (!unc_read_text(text, sizeof(text), "/", "proc/%s/stat", name))
		return errno;
	if (!take_stat(text, &found))
		return EBADMSG;
	*now = found;
	return 0;
}

int unc_look_at_process(struct unc_process_now *now, int pid)
{
	char name[16];

	snprintf(name, sizeof(name), "%d", pid);
	return look_at(now, name);
}

/* Not by its number, which /proc may have of another PID namespace. */
int unc_this_process(struct unc_process *self)
{
	struct unc_process_now now;
	int error = look_at(&now, "self");

	*self = (struct unc_process){.pid = (int)getpid(), .began = now.began};
	if (!unc_is_shortage(error))
		error = own_space(&self->space);
	return unc_is_shortage(error) ? -error : 0;
}

/* /proc may be that of another PID namespace, which has other numbers. */
static bool is_own_proc(void)
{
	char pid[16] = "";

	return readlink("/proc/self", pid, sizeof(pid) - 1) > 0 &&
	       strtol(pid, NULL, 10) == (long)getpid();
}

bool unc_process_is_gone(const struct unc_process *process)
{
	struct unc_process_now now;
	uint64_t space;
	int error;

	if (!process->space || !process->began || own_space(&space) != 0 ||
	    process->space != space || !is_own_proc())
		return false;
	error = unc_look_at_process(&now, process->pid);
	if (error)
		return error == ENOENT || error == ESRCH;
	return now.began != process->began || now.state == 'Z' || now.state == 'X';
}
