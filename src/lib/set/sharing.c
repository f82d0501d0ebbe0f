/* SPDX-License-Identifier: BSD-3-Clause */
/* sharing.c - public functions about other processes and recovery. */
#include <stdio.h>
#include <string.h>

#include "base/listed.h"
#include "base/sized.h"
#include "claim/others.h"
#include "set/set.h"

static int recover_all(struct uncore *u, void *none)
{
	int r;

	(void)none;
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		u->packages[p] = true;
	r = unc_others_begin(u, u->packages);
	if (r == 1)
		unc_others_end(u, u->packages);
	return r > 0 ? 0 : r < 0 ? r : UNC_WAIT;
}

void unc_settle(struct uncore *u)
{
	bool behind = false;

	for (unsigned p = 0; u->behind && p < u->machine.topo.n_packages; p++)
		behind |= u->behind[p];
	if (behind)
		unc_retry_until_unlocked(u, recover_all, NULL);
}

int uncore_recover(struct uncore *u)
{
	int r = unc_refuse_child(u);

	if (r == 0)
		r = unc_retry_until_unlocked(u, recover_all, NULL);
	return r == UNC_WAIT ? unc_still_locked(u) : r;
}

/* Ignore files that cannot be opened here; starting a set reports them. */
static int open_files(struct uncore *u, void *none)
{
	const struct unc_topology *t = &u->machine.topo;

	(void)none;
	for (size_t i = 0; i < t->n_cpus; i++)
		unc_ask(u->hw, UNC_ASKED_CPU_FILE, t->cpus[i].id, 0, 0);
	return 0;
}

int uncore_open_files(struct uncore *u)
{
	int r = uncore_recover(u);

	if (r == 0) /* no further file may be opened: devices are found by the client */
		unc_names_devices(u->names, NULL, NULL);
	return r < 0 ? r : unc_retry_until_unlocked(u, open_files, NULL);
}

int uncore_restored(struct uncore *u, unsigned i, struct uncore_restored_info *info)
{
	struct uncore_restored_info is = {.left = false};
	const struct unc_restored *restored;
	const int r = unc_unopened(u);
	sigset_t before;

	if (r < 0)
		return r;
	unc_lock(u, &before);
	restored = unc_share_restored(u->share, i);
	if (restored) {
		is.owner = restored->owner;
		unc_op_describe(&u->machine, &restored->op, &is.op);
		is.held = restored->held;
		is.value = restored->value;
		is.left = restored->left;
	}
	unc_unlock(u, &before);
	return restored ? unc_give(&u->err, info, &is, UNC_SIZED(uncore_restored_info), 1) : 0;
}

static void join_names(char *text, size_t len, const struct unc_journal *j)
{
	const char *name = NULL;
	size_t n = 0;

	*text = 0;
	while ((name = unc_journal_name(j, name)) && n + 1 < len)
		if (!unc_is_listed(text, name)) /* several sets may count it */
			n += (size_t)snprintf(text + n, len - n, "%s%s", n ? " " : "", name);
}

int uncore_owner(struct uncore *u, unsigned i, struct uncore_owner_info *info)
{
	struct uncore_owner_info is = {.pid = 0};
	const struct unc_journal *j;
	sigset_t before;
	int r = unc_refuse_child(u);

	if (r < 0)
		return r;
	unc_lock(u, &before);
	if (i == 0)
		r = unc_share_look(u->share);
	j = r == 0 ? unc_share_live(u->share, i) : NULL;
	if (j) {
		unc_owner_name(is.name, &j->head);
		snprintf(is.program, sizeof(is.program), "%.31s", j->head.name);
		join_names(is.events, sizeof(is.events), j);
		is.since = (int64_t)j->head.since;
		is.pid = j->head.pid;
		is.uid = j->head.uid;
		is.registers = j->head.n_saved;
	}
	unc_unlock(u, &before);
	return j ? unc_give(&u->err, info, &is, UNC_SIZED(uncore_owner_info), 1) : r;
}

int uncore_sharing(struct uncore *u, struct uncore_sharing_info *info)
{
	struct uncore_sharing_info is = {.ended = 0};
	sigset_t before;
	int r = unc_refuse_child(u);

	if (r < 0)
		return r;
	is.owner = u->owner_counts;
	is.lock_timeout_ms = u->lock_timeout_ms;
	unc_lock(u, &before);
	r = unc_share_look(u->share);
	is.ended = (unsigned)unc_share_dead(u->share);
	is.journal = unc_share_directory(u->share);
	is.missing = unc_share_missing(u->share);
	unc_unlock(u, &before);
	return r < 0 ? r : unc_give(&u->err, info, &is, UNC_SIZED(uncore_sharing_info), 0);
}
