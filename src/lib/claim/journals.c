/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journals.c - read the journals of other processes: which registers running ones use, and what
 * ended ones have left to restore.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "claim/state.h"

/* ---- file names: PID-NUMBER or left-NUMBER, with .lock or .new appended ---- */

#define DIGITS 16

static bool is_number(const char *text)
{
	size_t n = 0;

	while (isxdigit((unsigned char)text[n]) && n < DIGITS)
		n++;
	return n == DIGITS && (text[n] == 0 || text[n] == '.');
}

/* The process of a file; 0: left by an owner, -1: not a file of this library. */
static pid_t process_of(const char *file)
{
	const char *dash = strchr(file, '-');
	char *end;
	long pid;

	if (!dash || strlen(file) >= UNC_SHARE_NAME || !is_number(dash + 1))
		return -1;
	if (strncmp(file, "left-", 5) == 0)
		return 0;
	pid = strtol(file, &end, 10);
	return end == dash && pid > 0 && pid <= INT32_MAX && isdigit((unsigned char)*file)
		       ? (pid_t)pid
		       : -1;
}

static void with_ending(char name[2 * UNC_SHARE_NAME], const char *file, const char *ending)
{
	snprintf(name, (size_t)2 * UNC_SHARE_NAME, "%.*s%s", (int)strcspn(file, "."), file, ending);
}

/* ---- our own file ---- */

/* Another process may have removed it as one without an owner: then a new one is made. */
static int lock_own(struct unc_share *s, const char *name)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	const int fd = unc_directory_file(&s->dir, name, true);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fcntl(fd, F_SETLK, &lock) == 0 && fstat(fd, &st) == 0 && st.st_nlink > 0)
		return fd;
	close(fd);
	return -EAGAIN;
}

bool unc_share_number(char file[UNC_SHARE_NAME], const char *prefix)
{
	uint64_t number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return false;
	snprintf(file, UNC_SHARE_NAME, "%.16s-%016" PRIx64, prefix, number);
	return true;
}

int unc_share_name(struct unc_share *s)
{
	char name[2 * UNC_SHARE_NAME], pid[16];
	int fd = -EAGAIN;

	snprintf(pid, sizeof(pid), "%u", s->self.pid);
	for (int i = 0; i < 8 && (fd == -EAGAIN || fd == -EEXIST); i++) {
		if (!unc_share_number(s->file, pid))
			return -EIO;
		with_ending(name, s->file, ".lock");
		fd = lock_own(s, name);
	}
	if (fd < 0)
		*s->file = 0;
	s->lock = fd < 0 ? -1 : fd;
	return fd < 0 ? fd : 0;
}

/* ---- stale files ---- */

/* A lock without a journal: its owner is not counting, or ended before it began. */
static void clear_lock(const struct unc_share *s, const char *name)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char journal[2 * UNC_SHARE_NAME];
	int fd;

	with_ending(journal, name, "");
	if (faccessat(s->dir.fd, journal, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		return;
	fd = unc_openat(s->dir.fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK, 0);
	if (fd < 0)
		return;
	if (fcntl(fd, F_SETLK, &lock) == 0 &&
	    faccessat(s->dir.fd, journal, F_OK, AT_SYMLINK_NOFOLLOW) != 0)
		unlinkat(s->dir.fd, name, 0);
	close(fd);
}

static void clear_up(const struct unc_share *s, const char *name)
{
	char lock[2 * UNC_SHARE_NAME];
	pid_t pid = process_of(name);

	if (pid == (pid_t)s->self.pid)
		return;
	if (strcmp(strchr(name, '.'), ".lock") == 0) {
		clear_lock(s, name);
		return;
	}
	with_ending(lock, name, ".lock");
	if (strcmp(strchr(name, '.'), ".new") == 0 && !unc_directory_locked(&s->dir, lock, &pid))
		unlinkat(s->dir.fd, name, 0);
}

/* ---- journals ---- */

void unc_share_discard(const struct unc_share *s, const char *file)
{
	char lock[2 * UNC_SHARE_NAME];

	unlinkat(s->dir.fd, file, 0);
	with_ending(lock, file, ".lock");
	unlinkat(s->dir.fd, lock, 0);
}

static void warn_once(struct unc_share *s, const char *format, const char *file)
{
	struct unc_warnings *all = &s->machine->warnings;
	const unsigned n = all->n;

	if (unc_warnings_add(all, UNCORE_WARNING_RECOVERY, format, s->dir.path, file) < 0)
		return;
	for (unsigned i = 0; i < n; i++)
		if (strcmp(unc_warning(all, i)->text, unc_warning(all, n)->text) == 0) {
			unc_warnings_cut(all, n);
			return;
		}
}

static void add(struct unc_others *o, struct unc_other **list, size_t *n, struct unc_other *other)
{
	struct unc_other *all = realloc(*list, (*n + 1) * sizeof(*all));

	if (!all) {
		o->error = -ENOMEM;
		unc_journal_free(&other->journal);
		return;
	}
	*list = all;
	all[(*n)++] = *other;
}

/* A running owner whose journal cannot be read may count in any package. */
static void add_live(struct unc_share *s, struct unc_other *other, enum unc_journal_state state,
		     pid_t pid)
{
	other->opaque = state != UNC_JOURNAL_GOOD;
	if (other->opaque && state != UNC_JOURNAL_OTHER) {
		other->journal.head = (struct unc_journal_head){.pid = (uint32_t)pid};
		snprintf(other->journal.head.name, sizeof(other->journal.head.name),
			 "an unreadable owner");
	} else if (!unc_is_same_machine(s, &other->journal.head)) {
		unc_journal_free(&other->journal);
		return;
	}
	add(&s->others, &s->others.live, &s->others.n_live, other);
}

static void add_dead(struct unc_share *s, struct unc_other *other, enum unc_journal_state state)
{
	if (state == UNC_JOURNAL_DAMAGED) {
		warn_once(s, "removed the damaged journal %s/%s: its registers are not restored",
			  other->file);
		unc_share_discard(s, other->file);
	} else if (!*s->self.boot && *other->journal.head.boot) {
		warn_once(s,
			  "ignoring the journal %s/%s of a process that has ended: it may be of an "
			  "earlier boot, since /proc/sys/kernel/random/boot_id cannot be read",
			  other->file);
	} else if (!unc_is_same_machine(s, &other->journal.head)) {
		unc_share_discard(s, other->file);
	} else if (state == UNC_JOURNAL_OTHER) {
		warn_once(s,
			  "the journal %s/%s was written by a newer version of this library: run "
			  "that version's uncore restore",
			  other->file);
	} else {
		add(&s->others, &s->others.dead, &s->others.n_dead, other);
		return;
	}
	unc_journal_free(&other->journal);
}

static void add_journal(struct unc_share *s, const char *file)
{
	char lock[2 * UNC_SHARE_NAME];
	struct unc_other other = {.opaque = false};
	pid_t pid = process_of(file);
	enum unc_journal_state state = UNC_JOURNAL_DAMAGED;
	bool alive, shortage;
	int error;
	size_t n;
	void *bytes;

	with_ending(lock, file, ".lock");
	alive = pid > 0 && unc_directory_locked(&s->dir, lock, &pid);
	bytes = unc_directory_read(&s->dir, file, &n, &error);
	if (error == -ENOENT)
		return;
	snprintf(other.file, sizeof(other.file), "%s", file);
	if (bytes)
		state = unc_journal_decode(bytes, n, &other.journal);
	free(bytes);
	if (state == UNC_JOURNAL_NO_MEMORY)
		error = -ENOMEM;
	shortage = unc_is_shortage(-error);
	if (shortage)
		s->others.error = error;
	if (alive)
		add_live(s, &other, state, pid);
	else if (bytes && state != UNC_JOURNAL_NO_MEMORY)
		add_dead(s, &other, state);
	else if (!bytes && !shortage)
		warn_once(s,
			  "ignoring the journal %s/%s of a process that has ended: it is "
			  "unreadable or not trusted; root can remove it",
			  file);
}

/* ---- registers of running owners ---- */

static int by_place(const void *a, const void *b)
{
	return unc_place_compare(&((const struct unc_taken *)a)->place,
				 &((const struct unc_taken *)b)->place);
}

static void add_taken(struct unc_share *s, size_t owner)
{
	struct unc_others *o = &s->others;
	const struct unc_journal *j = &o->live[owner].journal;
	struct unc_taken *all =
		realloc(o->taken, (o->n_taken + j->head.n_saved + 1) * sizeof(*all));

	if (!all) {
		o->error = -ENOMEM;
		return;
	}
	o->taken = all;
	for (uint32_t i = 0; i < j->head.n_saved; i++) {
		const struct unc_saved *k = &j->saved[i];

		if (k->place.space != UNCORE_CPU && k->place.package < s->locks.n)
			o->counts[k->place.package] = true;
		if (!(k->flags & UNC_SAVED_PACKAGE))
			all[o->n_taken++] = (struct unc_taken){
				k->place, k->flags & UNC_SAVED_WHOLE ? 0 : k->bits, k->since,
				owner};
	}
}

static void find_taken(struct unc_share *s)
{
	struct unc_others *o = &s->others;

	for (size_t i = 0; i < o->n_live; i++) {
		if (!o->live[i].opaque)
			add_taken(s, i);
		for (unsigned p = 0; o->live[i].opaque && p < s->locks.n; p++)
			o->counts[p] = true;
	}
	if (o->n_taken)
		qsort(o->taken, o->n_taken, sizeof(*o->taken), by_place);
}

/* ---- all journals ---- */

void unc_others_free(struct unc_others *o)
{
	for (size_t i = 0; i < o->n_live; i++)
		unc_journal_free(&o->live[i].journal);
	for (size_t i = 0; i < o->n_dead; i++)
		unc_journal_free(&o->dead[i].journal);
	free(o->live);
	free(o->dead);
	free(o->taken);
	*o = (struct unc_others){.counts = o->counts};
}

int unc_others_read(struct unc_share *s)
{
	DIR *list = s->dir.fd >= 0 ? unc_directory_list(&s->dir) : NULL;
	const struct dirent *e;
	int error = s->dir.fd >= 0 && !list ? -errno : 0;

	if (list)
		error = unc_identify(s);
	unc_others_free(&s->others);
	memset(s->others.counts, 0, s->locks.n * sizeof(*s->others.counts));
	while (list && error == 0 && (e = readdir(list))) {
		if (process_of(e->d_name) < 0 ||
		    (*s->file && strncmp(e->d_name, s->file, strlen(s->file)) == 0))
			continue;
		if (strchr(e->d_name, '.'))
			clear_up(s, e->d_name);
		else
			add_journal(s, e->d_name);
	}
	if (list)
		closedir(list);
	find_taken(s);
	return error ? error : s->others.error;
}

int unc_others_unread(struct unc_share *s, int error)
{
	if (error == -ENOMEM)
		return unc_fail(s->err, UNCORE_ENOMEM,
				"out of memory for the journals of other processes");
	return unc_fail(s->err, UNCORE_EIO, "cannot list the journals in %s: %s; %s", s->dir.path,
			strerror(-error),
			error == -EMFILE
				? "raise the limit of open files (ulimit -n)"
				: "other processes may be counting, so nothing was changed");
}
