/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * caller.c - see caller.h.
 *
 * The kernel has user, group and capabilities for each thread.  The C library's seteuid() would
 * change them in all threads, also in those that open register files meanwhile; setfsuid(),
 * setfsgid() and capset() change the calling thread only.
 */
#include "command/base/caller.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/environment.h"
#include "command/base/text.h"

typedef struct __user_cap_data_struct sets[2];

__attribute__((noreturn)) static void fail(const char *what)
{
	fprintf(stderr, "uncore: cannot %s the privileges of a setuid or setcap program: %s\n",
		what, strerror(errno));
	exit(STATUS_FAILED);
}

static void get(sets s)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};

	if (syscall(SYS_capget, &head, s) < 0)
		fail("read");
}

static void set(sets s, const char *what)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};

	if (syscall(SYS_capset, &head, s) < 0)
		fail(what);
}

/* setfsuid() and setfsgid() return the previous ID and do not report failure. */
static void open_as(uid_t uid, gid_t gid, const char *what)
{
	setfsgid(gid);
	setfsuid(uid);
	if ((gid_t)setfsgid((gid_t)-1) != gid || (uid_t)setfsuid((uid_t)-1) != uid)
		fail(what);
}

void caller_begin(struct caller *before)
{
	sets s;

	*before = (struct caller){.uid = geteuid(), .gid = getegid()};
	if (!unc_is_privileged())
		return;
	get(s);
	open_as(getuid(), getgid(), "suspend");
	for (unsigned i = 0; i < 2; i++) {
		before->effective[i] = s[i].effective;
		s[i].effective = 0;
	}
	set(s, "suspend");
}

void caller_end(const struct caller *before)
{
	const int error = errno;
	sets s;

	if (!unc_is_privileged())
		return;
	get(s);
	for (unsigned i = 0; i < 2; i++)
		s[i].effective = before->effective[i];
	set(s, "restore");
	open_as(before->uid, before->gid, "restore");
	errno = error;
}

void caller_become(void)
{
	const gid_t gid = getgid();
	const uid_t uid = getuid();
	sets s;

	if (!unc_is_privileged())
		return;
	if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
		fail("drop");
	memset(s, 0, sizeof(s));
	set(s, "drop");
}

void caller_keep_from_children(void)
{
	sets s;

	if (!unc_is_privileged())
		return;
	get(s);
	for (unsigned i = 0; i < 2; i++)
		s[i].inheritable = 0;
	set(s, "confine"); /* the ambient set is never larger than the inheritable one */
}
