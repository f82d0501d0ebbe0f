/* SPDX-License-Identifier: BSD-3-Clause */
/* policy.h - who may do what: a file of lines such as `allow group uncore count`. */
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
	bool energy;    /* whoever may count may count energy */
	bool listed;    /* there is a file: whom it does not name may nothing */
	unsigned owner; /* of the file, if not root: who has started uncored */
	size_t n;
	struct policy_rule rules[POLICY_RULES];
};

/*
 * Read the file, which has to be root's, or policy->owner's, and nobody else's to write.  Without a
 * file whoever may open the socket may count.
 *
 * @param path  NULL: UNCORED_POLICY, if there is one
 * @return 0, or -1 after a message that names line and cause
 */
int policy_read(struct policy *policy, const char *path);
/*
 * The same once more, while it is in force, without the rights of the first time.  A file that
 * cannot be read, is wrong, or has gone changes nothing.
 *
 * @return 0, or -1 after messages
 */
int policy_reload(struct policy *policy, const char *path);

/* What the process behind a connected socket may do (enum unc_wire_may); root may do all. */
unsigned policy_of(const struct policy *policy, int fd, uid_t user);

#endif
