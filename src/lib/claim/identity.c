/* SPDX-License-Identifier: BSD-3-Clause */
/* identity.c - names of processes: of this one for its journal, of others for messages. */
#include <errno.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "base/sysfs.h"
#include "claim/state.h"
#include "config.h"
#include "uncore.h"

#define UNKNOWN_USER UINT32_MAX

/* ---- processes ---- */

/* Once, except for the user, which a daemon changes; a process that does not count skips it. */
int unc_identify(struct unc_share *share)
{
	struct unc_journal_head *h = &share->self;
	const struct unc_topology *t = &share->machine->topo;

	h->uid = (uint32_t)geteuid();
	if (h->magic)
		return 0;
	if (!unc_read_word(h->boot, sizeof(h->boot), share->root,
			   "proc/sys/kernel/random/boot_id") &&
	    unc_is_shortage(errno))
		return -errno;
	h->magic = UNC_JOURNAL_MAGIC;
	h->format = UNC_JOURNAL_FORMAT;
	h->pid = (uint32_t)getpid();
	h->since = (uint64_t)time(NULL);
	unc_read_word(h->name, sizeof(h->name), "/", "proc/self/comm");
	snprintf(h->machine, sizeof(h->machine), "%s %u-%u-%u", t->vendor, t->family, t->model,
		 t->stepping);
	snprintf(h->version, sizeof(h->version), "%s", UNCORE_VERSION);
	return 0;
}

/* The effective one, as in journals.  A process that changed its user has a directory of root. */
static uint32_t user_of(pid_t pid)
{
	char text[1024];
	const char *line = NULL;
	uint32_t uid;

	if (unc_read_text(text, sizeof(text), "/", "proc/%d/status", (int)pid))
		line = strstr(text, "\nUid:");
	return line && sscanf(line, "\nUid: %*u %" SCNu32, &uid) == 1 ? uid : UNKNOWN_USER;
}

void unc_identify_process(pid_t pid, struct unc_journal_head *head)
{
	head->pid = (uint32_t)pid;
	head->uid = user_of(pid);
	unc_read_word(head->name, sizeof(head->name), "/", "proc/%d/comm", (int)pid);
}

bool unc_is_same_machine(const struct unc_share *share, const struct unc_journal_head *head)
{
	return strcmp(share->self.boot, head->boot) == 0 &&
	       strcmp(share->self.machine, head->machine) == 0;
}

static void user_name(char *text, size_t len, uid_t uid)
{
	struct passwd user, *found = NULL;
	char memory[2048];

	if (uid == UNKNOWN_USER)
		snprintf(text, len, "unknown user");
	else if (getpwuid_r(uid, &user, memory, sizeof(memory), &found) == 0 && found)
		snprintf(text, len, "user %.32s", found->pw_name);
	else
		snprintf(text, len, "user %u", (unsigned)uid);
}

/* Names come from files that other users write: escape sequences must not reach a terminal. */
const char *unc_owner_name(char name[UNC_OWNER_NAME], const struct unc_journal_head *head)
{
	const bool here = head->pid == (uint32_t)getpid();
	char user[48];

	user_name(user, sizeof(user), head->uid);
	snprintf(name, UNC_OWNER_NAME, "%.31s (pid %u, %s%s)",
		 *head->name ? head->name : "a process", head->pid, user,
		 here ? ", another handle of this process" : "");
	unc_printable(name, UNC_OWNER_NAME, name);
	return name;
}

const char *unc_since(char text[32], uint64_t since)
{
	const time_t then = (time_t)since, now = time(NULL);
	struct tm t, today;
	bool known = localtime_r(&then, &t) && localtime_r(&now, &today);

	if (!known)
		snprintf(text, 32, "an unknown time");
	else if (t.tm_year == today.tm_year && t.tm_yday == today.tm_yday)
		strftime(text, 32, "%H:%M:%S", &t);
	else
		strftime(text, 32, "%Y-%m-%d %H:%M:%S", &t);
	return text;
}

/* ---- processes without a journal ---- */

/* "intel_uncore 200704 0 - Live 0x0": the third word is the reference count; events hold one. */
static int users_of_driver(const char *root)
{
	char *text = unc_read_all(root, "proc/modules");
	const char *line = text;
	unsigned users;
	int found = -1;

	while (line && found < 0) {
		if (sscanf(line, "intel_uncore %*u %u", &users) == 1)
			found = users > 0;
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	free(text);
	return found;
}

/* A built-in driver has no reference count. */
static bool is_built_in(const char *root)
{
	char text[16];

	return unc_read_line(text, sizeof(text), root,
			     "sys/bus/event_source/devices/uncore_cbox_0/type") ||
	       unc_read_line(text, sizeof(text), root,
			     "sys/bus/event_source/devices/uncore_cha_0/type") ||
	       unc_read_line(text, sizeof(text), root,
			     "sys/bus/event_source/devices/uncore_imc_0/type");
}

const char *unc_share_suspect(const struct unc_share *s)
{
	const int users = s ? users_of_driver(s->root) : 0;

	if (users > 0)
		return "the kernel's driver (perf)";
	if (users < 0 && is_built_in(s->root))
		return "the kernel's driver (perf) or another tool";
	if (s && s->dir.fd < 0)
		return "another tool, or a process without a journal";
	return "another tool";
}
