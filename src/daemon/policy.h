/* SPDX-License-Identifier: BSD-3-Clause */
/* policy.h - rights of users: a file with lines such as `allow group uncore count`. */
#ifndef UNC_POLICY_H
#define UNC_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "backend/daemon/wire.h"

#define UNCORED_POLICY "/etc/uncored.conf"
#define POLICY_RULES   256

struct policy_rule {
	bool is_group;
	unsigned id;
	unsigned may; /* enum unc_wire_may */
};

struct policy {
	bool energy;    /* users who may count may also count energy */
	bool listed;    /* there is a file: users not listed have no rights */
	unsigned owner; /* permitted owner of the file other than root: the user who started uncored
			 */
	size_t n;
	struct policy_rule rules[POLICY_RULES];
};

/*
 * Read the file, which must be owned by root or policy->owner, and not be writable by others.
 * Without a file, all users who can open the socket may count.
 *
 * @param path  NULL: UNCORED_POLICY if it exists
 * @return 0, or -1 after a message that names line and cause
 */
int policy_read(struct policy *policy, const char *path);
/*
 * Read it again while serving, without the initial privileges.  If the file cannot be read, is
 * invalid or missing, the policy does not change.
 *
 * @return 0, or -1 after messages
 */
int policy_reload(struct policy *policy, const char *path);

/* The rights (enum unc_wire_may) of the process behind a connected socket; root has all. */
unsigned policy_of(const struct policy *policy, int fd, uid_t user);

#endif
