/* SPDX-License-Identifier: BSD-3-Clause */
/* share.c - see share.h. */
#include "claim/share.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/index.h"
#include "base/sysfs.h"
#include "claim/counted_names.h"
#include "claim/state.h"
#include "plan/plan.h"

/* ---- make, free ---- */

static bool make_memory(struct unc_share *s)
{
	const size_t n = s->machine->topo.n_packages;

	s->mine = calloc(n + 1, sizeof(*s->mine));
	s->others.counts = calloc(n + 1, sizeof(*s->others.counts));
	return s->mine && s->others.counts &&
	       unc_locks_init(&s->locks, s->root, &s->machine->topo) == 0;
}

/* A directory that the user named must be valid; the default one may be missing or invalid. */
static int look_for_directory(struct unc_share *s, const char *directory)
{
	struct unc_err none;
	int r;

	s->wanted = !directory || strcmp(directory, "none") != 0;
	s->dir.fd = -1;
	if (!s->wanted)
		return 0;
	s->named = directory != NULL;
	if (directory && *directory != '/')
		return unc_fail(
			s->err, UNCORE_EINVAL,
			"invalid UNCORE_JOURNAL \"%s\": expected the absolute path of a directory "
			"or \"none\"",
			directory);
	if (directory) {
		snprintf(s->dir.path, sizeof(s->dir.path), "%s", directory);
		return unc_directory_open(&s->dir, false, s->err);
	}
	snprintf(s->dir.path, sizeof(s->dir.path), "%.*s%s", PATH_MAX - 16, s->root, "/run/uncore");
	unc_err_init(&none);
	r = unc_directory_open(&s->dir, false, &none);
	if (r < 0) {
		snprintf(s->dir.why, sizeof(s->dir.why), "%.255s", none.text);
		s->wanted = false;
		unc_directory_close(&s->dir);
	}
	unc_err_destroy(&none);
	return 0;
}

struct unc_share *unc_share_new(const char *root, const char *directory,
				struct unc_machine *machine, struct unc_ledger *ledger,
				struct unc_err *err, int *code)
{
	struct unc_share *s = calloc(1, sizeof(*s));
	size_t length = strlen(root);

	while (length && root[length - 1] == '/')
		length--;
	*code = UNCORE_ENOMEM;
	if (!s)
		return NULL;
	snprintf(s->root, sizeof(s->root), "%.*s", (int)length, root);
	s->machine = machine;
	s->ledger = ledger;
	s->err = err;
	s->lock = s->dir.fd = -1;
	if (make_memory(s))
		*code = look_for_directory(s, directory);
	if (*code == 0)
		return s;
	unc_share_free(s);
	return NULL;
}

static void remove_files(struct unc_share *s)
{
	char name[UNC_SHARE_NAME + 8];

	if (s->on_disk)
		unlinkat(s->dir.fd, s->file, 0);
	snprintf(name, sizeof(name), "%s.lock", s->file);
	unlinkat(s->dir.fd, name, 0);
}

void unc_share_free(struct unc_share *s)
{
	if (!s)
		return;
	/* in a forked child the files belong to the parent */
	if (s->lock >= 0 && s->self.pid == (uint32_t)getpid() && s->ledger->n == 0)
		remove_files(s);
	if (s->lock >= 0)
		close(s->lock);
	unc_locks_free(&s->locks);
	unc_directory_close(&s->dir);
	unc_others_free(&s->others);
	unc_counted_names_free(&s->names);
	free(s->others.counts);
	free(s->text.bytes);
	free(s->restored);
	free(s->mine);
	free(s);
}

/* ---- take, drop ---- */

static int fail_memory(struct unc_share *s)
{
	return unc_others_unread(s, -ENOMEM);
}

static bool recover_all(struct unc_share *s)
{
	bool ok = true;

	for (size_t i = s->others.n_dead; ok && i-- > 0;)
		ok = unc_recover(s, &s->others.dead[i]);
	return ok;
}

/* The default directory may be missing; one that the user named is required. */
static int need_directory(struct unc_share *s)
{
	int r;

	if (!s->wanted || s->dir.fd >= 0)
		return 0;
	r = unc_directory_open(&s->dir, true, s->err);
	if (r == 0 && s->named && s->dir.fd < 0)
		return unc_fail(s->err, UNCORE_EACCESS,
				"cannot keep a journal in UNCORE_JOURNAL: %s; create the "
				"directory, or make it writable for this user",
				s->dir.why);
	return r;
}

int unc_share_take(struct unc_share *s, struct unc_hw *hw, const bool *packages)
{
	int r;

	if (!s)
		return 1;
	s->hw = hw;
	r = need_directory(s);
	if (r == 0)
		r = unc_locks_take(&s->locks, &s->dir, packages, &s->package, &s->holder, s->err);
	if (r != 1)
		return r;
	memcpy(s->mine, packages, s->locks.n * sizeof(*s->mine));
	r = unc_others_read(s);
	if (r == 0 && !recover_all(s))
		r = -ENOMEM;
	if (r == 0)
		return 1;
	unc_share_drop(s);
	return unc_others_unread(s, r);
}

void unc_share_drop(struct unc_share *s)
{
	if (!s)
		return;
	unc_locks_drop(&s->locks);
	memset(s->mine, 0, s->locks.n * sizeof(*s->mine));
}

/* By its pid, since it may not have a journal yet. */
static void name_holder(const struct unc_share *s, char name[UNC_OWNER_NAME])
{
	struct unc_journal_head head = {.magic = 0};

	if (s->holder <= 0) {
		snprintf(name, UNC_OWNER_NAME, "an unknown process, possibly of another container");
		return;
	}
	unc_identify_process(s->holder, &head);
	unc_owner_name(name, &head);
}

int unc_share_held(struct unc_share *s, uint64_t waited_ms)
{
	char name[UNC_OWNER_NAME], die[UNC_DIE_NAME];

	name_holder(s, name);
	return unc_fail(s->err, UNCORE_EBUSY,
			"the counters of %s have been locked by %s for more than %" PRIu64 " "
			"ms: if that process is stopped, continue or kill it (UNCORE_LOCK_TIMEOUT "
			"sets the timeout in ms)",
			unc_die_name(die, s->machine, s->package), name, waited_ms);
}

/* Closing our descriptors would release the locks of another handle of this process. */
void unc_share_quiesce(struct unc_share *s)
{
	for (int i = 0; s && i < 1000; i++) {
		if (unc_locks_quiesce(&s->locks))
			return;
		usleep(1000);
	}
}

/* ---- the journal of this handle ---- */

bool unc_share_name_events(struct unc_share *s, const void *by, const char *const *names, size_t n)
{
	return unc_counted_names_add(&s->names, by, names, n);
}

void unc_share_unname_events(struct unc_share *s, const void *by)
{
	unc_counted_names_remove(&s->names, by);
}

static int fail_write(struct unc_share *s, int error)
{
	return unc_fail(s->err, UNCORE_EIO,
			"cannot write the journal in %s: %s; no registers were changed (set "
			"UNCORE_JOURNAL to another directory or \"none\")",
			s->dir.path, strerror(-error));
}

/* The new file replaces the old one atomically. */
int unc_share_rewrite(struct unc_share *s, const char *file, const struct unc_journal_head *head)
{
	char temporary[UNC_SHARE_NAME + 8];
	const int r = *s->file ? 0 : unc_share_name(s);

	if (r < 0)
		return r;
	unc_journal_seal(&s->text, head);
	snprintf(temporary, sizeof(temporary), "%s.new", s->file);
	return unc_directory_replace(&s->dir, temporary, file, s->text.bytes, s->text.n);
}

/* A set of free-running counters has not taken a lock, so it is not identified yet. */
static int write_own(struct unc_share *s)
{
	struct unc_journal j;
	int r;

	r = unc_identify(s);
	if (r < 0)
		return r;
	j = (struct unc_journal){.head = s->self};
	unc_ledger_count(s->ledger, &j.head.n_saved, &j.head.n_shown);
	j.head.n_names = (uint32_t)unc_counted_names_bytes(&s->names);
	if (!unc_journal_lay_out(&s->text, &j))
		return -ENOMEM;
	unc_ledger_journal(s->ledger, &s->machine->topo, j.saved, j.shown);
	unc_counted_names_copy(&s->names, j.names);
	if (j.head.n_saved)
		j.head.since = j.saved[0].since;
	/* s->file is "" until the first journal has been named */
	r = unc_share_rewrite(s, s->file, &j.head);
	/* registers that are restored must not seem to be in use */
	if (r < 0 && s->on_disk &&
	    unc_directory_shorten(&s->dir, s->file, s->text.bytes, s->text.n) == 0)
		return 0;
	return r;
}

int unc_share_shorten(struct unc_share *s)
{
	const bool any = s->ledger->n || s->names.n;
	int r = 0;

	if (!(s->ledger->changed || s->names.changed) || s->dir.fd < 0)
		return 0;
	if (any)
		r = write_own(s);
	else if (s->on_disk && unlinkat(s->dir.fd, s->file, 0) != 0 && errno != ENOENT)
		r = -errno;
	if (r < 0)
		return r;
	s->ledger->changed = s->names.changed = false;
	s->on_disk = any;
	return 0;
}

int unc_share_write(struct unc_share *s)
{
	const int r = unc_share_shorten(s);

	if (r == -ENOMEM)
		return fail_memory(s);
	return r < 0 ? fail_write(s, r) : 0;
}

static bool is_left(const struct unc_ledger_entry *e, unsigned group)
{
	return !e->gone && e->group == group;
}

int unc_share_leave(struct unc_share *s, unsigned group)
{
	struct unc_journal j = {.head = s->self};
	char file[UNC_SHARE_NAME];
	uint32_t n = 0;

	if (s->dir.fd < 0)
		return 0;
	j.head.flags = UNC_JOURNAL_LEFT;
	for (size_t i = 0; i < s->ledger->n; i++)
		j.head.n_saved += is_left(&s->ledger->at[i], group);
	if (!unc_share_number(file, "left") || !unc_journal_lay_out(&s->text, &j))
		return -EIO;
	for (size_t i = 0; i < s->ledger->n; i++)
		if (is_left(&s->ledger->at[i], group))
			j.saved[n++] = unc_ledger_saved(&s->ledger->at[i], &s->machine->topo);
	return unc_share_rewrite(s, file, &j.head);
}

bool unc_share_settle(struct unc_share *s, struct unc_hw *hw, const bool *packages)
{
	if (!s || s->dir.fd < 0)
		return true;
	if (!s->others.n_dead && !s->others.error)
		return !s->ledger->changed;
	s->hw = hw;
	for (unsigned p = 0; p < s->locks.n; p++)
		s->mine[p] = packages[p] && s->locks.package[p].held;
	return unc_others_read(s) == 0 && recover_all(s) && !s->ledger->changed;
}

/* ---- counted_names.h ---- */

void unc_counted_names_free(struct unc_counted_names *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->at[i].names);
	free(all->at);
	*all = (struct unc_counted_names){.n = 0};
}

bool unc_counted_names_add(struct unc_counted_names *all, const void *by, const char *const *names,
			   size_t n)
{
	struct unc_named one = {.by = by};
	char *p;

	for (size_t i = 0; i < n; i++)
		one.bytes += strlen(names[i]) + 1;
	one.names = p = malloc(one.bytes + 1);
	if (!p || !unc_room_for_one((void **)&all->at, all->n, &all->room, sizeof(*all->at))) {
		free(p);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		p = stpcpy(p, names[i]) + 1;
	all->at[all->n++] = one;
	all->changed = true;
	return true;
}

void unc_counted_names_remove(struct unc_counted_names *all, const void *by)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->at[i].by != by)
			continue;
		free(all->at[i].names);
		all->at[i] = all->at[--all->n];
		all->changed = true;
		return;
	}
}

size_t unc_counted_names_bytes(const struct unc_counted_names *all)
{
	size_t bytes = 0;

	for (size_t i = 0; i < all->n; i++)
		bytes += all->at[i].bytes;
	return bytes;
}

void unc_counted_names_copy(const struct unc_counted_names *all, char *to)
{
	for (size_t i = 0; i < all->n; i++) {
		memcpy(to, all->at[i].names, all->at[i].bytes);
		to += all->at[i].bytes;
	}
}
