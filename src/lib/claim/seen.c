/* SPDX-License-Identifier: BSD-3-Clause */
/* seen.c - reports on other processes, and on how the machine is shared. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/documents.h"
#include "claim/state.h"

/* ---- other processes ---- */

const bool *unc_share_others(const struct unc_share *s)
{
	return s ? s->others.counts : NULL;
}

static int refuse_package(struct unc_share *s, unsigned package, const struct unc_other *other,
			  const char *why)
{
	char name[UNC_OWNER_NAME], die[UNC_DIE_NAME], since[32];

	return unc_fail(s->err, UNCORE_EBUSY, "%s is in use by %s since %s: %s",
			unc_die_name(die, s->machine, package),
			unc_owner_name(name, &other->journal.head),
			unc_since(since, other->journal.head.since), why);
}

static bool has_package(const struct unc_other *other, unsigned package, unsigned flags)
{
	for (uint32_t i = 0; i < other->journal.head.n_saved; i++) {
		const struct unc_saved *k = &other->journal.saved[i];

		if (k->place.package == package && k->place.space != UNCORE_CPU &&
		    (k->flags & flags) == flags)
			return true;
	}
	return false;
}

int unc_share_package(struct unc_share *s, unsigned package, bool exclusive)
{
	for (size_t i = 0; s && i < s->others.n_live; i++) {
		const struct unc_other *other = &s->others.live[i];

		if (other->opaque)
			return refuse_package(s, package, other,
					      "its journal is unreadable (other version or missing "
					      "permission), so any counter may be in use");
		if (has_package(other, package, UNC_SAVED_EXCLUSIVE))
			return refuse_package(s, package, other,
					      "its stop condition stops all boxes of the package, "
					      "so no other process can count in it");
		if (exclusive && has_package(other, package, 0))
			return refuse_package(s, package, other,
					      "a set with a stop condition stops all boxes of the "
					      "package");
	}
	return 0;
}

bool unc_share_owner(const struct unc_share *s, const struct unc_op *op, struct unc_owner *who)
{
	const struct unc_place place =
		s ? unc_place_of(&s->machine->topo, op) : (struct unc_place){.space = 0};
	const uint64_t bits = op->mask ? op->mask : UINT64_MAX;
	size_t low = 0, high = s ? s->others.n_taken : 0;

	while (low < high) {
		const size_t middle = (low + high) / 2;

		if (unc_place_compare(&s->others.taken[middle].place, &place) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; s && low < s->others.n_taken; low++) {
		const struct unc_taken *t = &s->others.taken[low];

		if (unc_place_compare(&t->place, &place) != 0)
			return false;
		if (t->bits && !(t->bits & bits))
			continue;
		*who = (struct unc_owner){&s->others.live[t->owner].journal.head, t->since};
		return true;
	}
	return false;
}

bool unc_share_counts(const struct unc_share *s, const char *event, struct unc_owner *who)
{
	for (size_t i = 0; s && i < s->others.n_live; i++) {
		const struct unc_journal *j = &s->others.live[i].journal;
		const char *name = NULL;

		if (j->head.uid != s->self.uid)
			continue;
		while ((name = unc_journal_name(j, name)))
			if (strcmp(name, event) == 0) {
				*who = (struct unc_owner){&j->head, j->head.since};
				return true;
			}
	}
	return false;
}

int unc_share_look(struct unc_share *s)
{
	const int r = s ? unc_others_read(s) : 0;

	return r < 0 ? unc_others_unread(s, r) : 0;
}

const struct unc_journal *unc_share_live(const struct unc_share *s, size_t i)
{
	return s && i < s->others.n_live ? &s->others.live[i].journal : NULL;
}

/* ---- state of the journal ---- */

const struct unc_restored *unc_share_restored(const struct unc_share *s, size_t i)
{
	return s && i < s->n_restored ? &s->restored[i] : NULL;
}

const char *unc_share_directory(const struct unc_share *s)
{
	return s && s->dir.fd >= 0 ? s->dir.path : NULL;
}

/*
 * Whether this is the initial PID namespace.  A container has its own file systems, and so its own
 * locks and journals.  The inode of the initial namespace is fixed by the kernel.
 */
#define FIRST_PROCESSES "pid:[4026531836]"

static bool in_container(const struct unc_share *s)
{
	char link[64];
	const ssize_t n = *s->root ? -1 : readlink("/proc/self/ns/pid", link, sizeof(link) - 1);

	if (n < 0)
		return false;
	link[n] = 0;
	return strcmp(link, FIRST_PROCESSES) != 0;
}

size_t unc_share_dead(const struct unc_share *s)
{
	return s ? s->others.n_dead : 0;
}

static bool can_write(const char *path)
{
	return faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0;
}

/* A missing directory is created at the first start. */
static bool can_make(const struct unc_share *s)
{
	char above[PATH_MAX];

	if (s->dir.fd >= 0 || can_write(s->dir.path))
		return true;
	if (errno != ENOENT)
		return false;
	snprintf(above, sizeof(above), "%s", s->dir.path);
	*(strrchr(above, '/') + 1) = 0;
	return can_write(above);
}

const char *unc_share_missing(struct unc_share *s)
{
	static const char lost[] = "if this process is killed its registers are not restored, and "
				   "other processes cannot identify it";

	if (!s)
		return NULL;
	*s->missing = 0;
	if (!s->wanted && !*s->dir.why)
		snprintf(s->missing, sizeof(s->missing),
			 "no journal is kept (UNCORE_JOURNAL=none): %s", lost);
	else if (!s->wanted)
		snprintf(s->missing, sizeof(s->missing), "no journal is kept: %s; so %s",
			 s->dir.why, lost);
	else if (!can_make(s))
		snprintf(s->missing, sizeof(s->missing),
			 "no journal can be kept (%s): %s; an administrator must create the "
			 "directory (" UNC_DOC_SHARING ")",
			 s->dir.why, lost);
	else if (in_container(s))
		snprintf(s->missing, sizeof(s->missing),
			 "running in a container: it coordinates with processes outside only if "
			 "they share its /dev/cpu and %.200s",
			 s->dir.path);
	return *s->missing ? s->missing : NULL;
}
