/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traffic.h - monitoring groups of resctrl for clients that may not make their own (docs/who.md,
 * "Users without root").  A client gets the `tasks` file of its group, opened for writing: the
 * kernel checks with each write that the thread is its user's.
 */
#ifndef UNC_TRAFFIC_H
#define UNC_TRAFFIC_H

#include "daemon/answer.h"

/*
 * As root, before the user is changed: give it the directories in which monitoring groups are made,
 * if the policy has a line for it.  root: of the file system, "" for "/".
 */
void traffic_let_make(const char *root, const struct policy *policy, const struct identity *who);
/* Remove the groups of a daemon that was killed.  NULL: resctrl is not mounted. */
struct traffic *traffic_open(const char *root);
void traffic_close(struct traffic *traffic);

/* The group of a request is made, or removed. */
void traffic_make(struct server *s, struct client *c, const struct message *m, struct answer *a);
void traffic_remove(struct server *s, struct client *c, const struct message *m, struct answer *a);
/* All groups of a client. */
void traffic_drop(struct server *s, struct client *c);

#endif
