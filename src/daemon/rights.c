/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rights.c - privileges of uncored: only those needed to open its files while it does that, and
 * none while it serves, as a separate user.
 *
 * By system calls: libcap would provide two functions for one more dependency.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/documents.h"
#include "daemon/daemon.h"
#include "daemon/say.h"

#define CAP(name) (UINT64_C(1) << CAP_##name)

/*
 * To open register devices (docs/permissions.md, "Files and capabilities") and files of other
 * users, and to set the group of the socket and the journals.
 */
#define TO_OPEN (CAP(SYS_RAWIO) | CAP(SYS_ADMIN) | CAP(DAC_OVERRIDE) | CAP(CHOWN) | CAP(FOWNER))
/* To become another user, without capabilities. */
#define TO_BECOME (CAP(SETUID) | CAP(SETGID) | CAP(SETPCAP))

static int keep_capabilities(uint64_t needed)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data) < 0)
		return -1;
	for (unsigned i = 0; i < 2; i++) {
		data[i].permitted &= (uint32_t)(needed >> 32 * i);
		data[i].effective &= data[i].permitted;
		data[i].inheritable = 0;
	}
	return (int)syscall(SYS_capset, &head, data);
}

int daemon_drop_rights(bool becomes)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return keep_capabilities(TO_OPEN | (becomes ? TO_BECOME : 0));
}

/* ---- a user of its own ---- */

int daemon_find_user(const char *name, struct identity *who)
{
	const char *wanted = name ? name : UNCORED_USER;
	const struct passwd *p = geteuid() == 0 || name ? getpwnam(wanted) : NULL;

	*who = (struct identity){.uid = geteuid(), .gid = getegid()};
	if (!p && name) {
		daemon_say(SAY_ERROR,
			   "unknown user \"%s\": create it (useradd -r %s), or use another "
			   "user (--user)",
			   name, name);
		return -1;
	}
	if (p && geteuid() != 0 && p->pw_uid != geteuid()) {
		daemon_say(SAY_ERROR, "cannot run as user %s: only root can change the user", name);
		return -1;
	}
	if (!p)
		return 0;
	who->uid = p->pw_uid;
	who->gid = p->pw_gid;
	snprintf(who->name, sizeof(who->name), "%s", p->pw_name);
	who->becomes = geteuid() == 0 && p->pw_uid != 0;
	return 0;
}

/* Drop it from the bounding set, so that no executed program can get it. */
static int drop_bounding_set(void)
{
	for (unsigned long cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0)
			return -1;
	return 0;
}

int daemon_become(const struct identity *who)
{
	if (!who->becomes)
		return 0;
	if (drop_bounding_set() < 0 || initgroups(who->name, who->gid) < 0 ||
	    setresgid(who->gid, who->gid, who->gid) < 0 ||
	    setresuid(who->uid, who->uid, who->uid) < 0 || keep_capabilities(0) < 0) {
		daemon_say(SAY_ERROR, "cannot switch to user %s: %s", who->name, strerror(errno));
		return -1;
	}
	return 0;
}

/* ---- the journals ---- */

/* By name: files of processes and their journals, and locks of packages (src/lib/claim). */
static bool is_journal(const char *name)
{
	static const char *const patterns[] = {"[0-9]*-*", "left-*", "package-*.lock", ".", ".."};

	for (unsigned i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		if (fnmatch(patterns[i], name, 0) == 0)
			return true;
	return false;
}

DIR *daemon_list(int directory, const char *path)
{
	const int fd = openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !list)
		close(fd);
	return list;
}

/* A user who may write to a directory can replace its files. -1 with errno. */
static int check_only_journals(int fd)
{
	DIR *d = daemon_list(fd, ".");
	const struct dirent *e;
	bool only = true;

	if (!d)
		return -1;
	while (only && (e = readdir(d)))
		only = is_journal(e->d_name);
	closedir(d);
	errno = ENOTEMPTY;
	return only ? 0 : -1;
}

/* Root's own directory is opened to the user by its group, unless a group was already set. */
static int let_write(int fd, const struct identity *who)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -1;
	if (st.st_uid != 0 || (st.st_mode & S_IWGRP))
		return 0;
	if (check_only_journals(fd) < 0)
		return -1;
	if (fchown(fd, (uid_t)-1, who->gid) < 0)
		return -1;
	return fchmod(fd, 02775);
}

int daemon_let_write_journals(const char *directory, const struct identity *who)
{
	int fd, r;

	if (!who->becomes || strcmp(directory, "none") == 0)
		return 0;
	if (mkdir(directory, 0755) < 0 && errno != EEXIST)
		r = -1;
	else if ((fd = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0)
		r = -1;
	else {
		r = let_write(fd, who);
		close(fd);
	}
	if (r < 0)
		daemon_say(SAY_ERROR,
			   "cannot give user %s write access to the journals in "
			   "%s: %s%s",
			   who->name, directory, strerror(errno),
			   errno == ENOTEMPTY
				   ? "; the directory contains other files, use a separate "
				     "directory for journals (UNCORE_JOURNAL)"
				   : "");
	return r;
}

int daemon_check_journals(const char *directory, const struct identity *who)
{
	if (!who->becomes || !directory ||
	    faccessat(AT_FDCWD, directory, R_OK | W_OK | X_OK, AT_EACCESS) == 0)
		return 0;
	daemon_say(SAY_ERROR,
		   "user %s cannot write journals in %s: %s; make the directory writable "
		   "for its group (" UNC_DOC_DAEMON "), or use another one (UNCORE_JOURNAL)",
		   who->name, directory, strerror(errno));
	return -1;
}
