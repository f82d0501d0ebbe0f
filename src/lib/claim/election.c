/* SPDX-License-Identifier: BSD-3-Clause */
/* election.c - see election.h. */
#include "claim/election.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files.h"
#include "claim/election_state.h"

/* FNV-1a; 0 is a free place in a file. */
static uint64_t hash_of(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3;
	return hash ? hash : 1;
}

/* ---- create, free ---- */

struct unc_election *unc_election_new(const struct unc_launch *step)
{
	struct unc_election *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->step = *step;
	e->dir.fd = e->gate = e->names = e->lock = -1;
	for (size_t i = 0; i < UNC_WATCHED; i++) {
		atomic_init(&e->watched[i].names, -1);
		atomic_init(&e->watched[i].lock, -1);
	}
	snprintf(e->launch, sizeof(e->launch), "%016llx-", (unsigned long long)hash_of(step->name));
	return e;
}

const struct unc_launch *unc_election_launch(const struct unc_election *e)
{
	return &e->step;
}

static void unwatch(struct unc_watched *w)
{
	unc_election_close(atomic_exchange(&w->names, -1));
	unc_election_close(atomic_exchange(&w->lock, -1));
	w->file[0] = '\0';
}

void unc_election_free(struct unc_election *e, bool child)
{
	if (!e)
		return;
	if (!child && e->file[0])
		unc_election_remove(e, e->file);
	for (size_t i = 0; i < UNC_WATCHED; i++)
		unwatch(&e->watched[i]);
	unc_election_forget(e);
	unc_election_close(e->names);
	unc_election_close(e->lock);
	unc_election_close(e->gate);
	unc_directory_close(&e->dir);
	free(e->held);
	free(e);
}

/* ---- other handles that are waited for ---- */

static const struct unc_candidate *candidate_of(const struct unc_election *e, const char *file)
{
	for (size_t i = 0; i < e->n_others; i++)
		if (strcmp(e->others[i].file, file) == 0)
			return &e->others[i];
	return NULL;
}

void unc_election_renew(struct unc_election *e)
{
	for (size_t i = 0; i < UNC_WATCHED; i++) {
		struct unc_watched *w = &e->watched[i];
		const struct unc_candidate *c = w->file[0] ? candidate_of(e, w->file) : NULL;

		if (c)
			atomic_store(&w->releases, c->releases);
		else if (w->file[0])
			unwatch(w);
	}
	atomic_store(&e->too_many, false);
	atomic_store(&e->unchanged, unc_monotonic());
}

static struct unc_watched *watched_as(struct unc_election *e, const char *file)
{
	for (size_t i = 0; i < UNC_WATCHED; i++)
		if (strcmp(e->watched[i].file, file) == 0)
			return &e->watched[i];
	return NULL;
}

static void watch(struct unc_election *e, const struct unc_candidate *c)
{
	struct unc_watched *w = watched_as(e, c->file);
	int fd;

	if (w)
		return;
	w = watched_as(e, "");
	fd = w ? unc_openat(e->dir.fd, c->file, O_RDONLY | O_NOFOLLOW, 0) : -1;
	if (fd < 0) {
		atomic_store(&e->too_many, true);
		return;
	}
	snprintf(w->file, sizeof(w->file), "%s", c->file);
	atomic_store(&w->releases, c->releases);
	atomic_store(&w->lock, unc_election_open_lock(e, c->file));
	atomic_store(&w->names, fd);
	if (!atomic_load(&e->unchanged))
		atomic_store(&e->unchanged, unc_monotonic());
}

static bool has_changed(struct unc_watched *w)
{
	const int fd = atomic_load(&w->names);
	uint64_t releases;
	const int lock = atomic_load(&w->lock);
	struct stat st;

	if (fd < 0)
		return false;
	if (unc_pread(fd, &releases, sizeof(releases), 0) != sizeof(releases) ||
	    releases != atomic_load(&w->releases))
		return true;
	if (lock >= 0)
		return !unc_election_is_alive(lock);
	return fstat(fd, &st) != 0 || st.st_nlink == 0; /* closed, in this process */
}

bool unc_election_changed(struct unc_election *e)
{
	const int64_t now = unc_monotonic();

	if (atomic_load(&e->too_many))
		return true;
	for (size_t i = 0; i < UNC_WATCHED; i++)
		if (has_changed(&e->watched[i]))
			return true;
	atomic_store(&e->unchanged, now);
	return false;
}

int64_t unc_election_unchanged(const struct unc_election *e)
{
	return atomic_load(&e->unchanged);
}

/* Those whose files another program has removed still count. */
static int add_removed(struct unc_election *e)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < UNC_WATCHED; i++) {
		const struct unc_watched *w = &e->watched[i];
		const int lock = atomic_load(&w->lock);

		if (w->file[0] && lock >= 0 && unc_election_is_alive(lock) &&
		    !candidate_of(e, w->file))
			r = unc_election_add(e, w->file, atomic_load(&w->names));
	}
	return r;
}

/* ---- one at a time ---- */

static bool write_place(const struct unc_election *e, size_t place)
{
	const uint64_t hash = e->held[place].hash;

	errno = ENOSPC;
	return unc_pwrite(e->names, &hash, sizeof(hash), (off_t)(8 * (place + 1))) == sizeof(hash);
}

/* Names that are still held, if the file of this handle was removed. 0 or -errno */
static int write_again(struct unc_election *e)
{
	int r = e->names < 0 && e->n_held ? unc_election_make_files(e) : 0;

	for (size_t i = 0; r == 0 && i < e->n_held; i++)
		if (!write_place(e, i))
			r = -errno;
	return r;
}

/* Between handles of one process, too. */
static int lock_gate(const struct unc_election *e, short type)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};

	return fcntl(e->gate, F_OFD_SETLK, &lock) == 0 ? 0 : -errno;
}

int unc_election_begin(struct unc_election *e, struct unc_err *err)
{
	int r = unc_election_open(e, err);

	if (r < 0)
		return r;
	r = lock_gate(e, F_WRLCK);
	e->locked = r == -EAGAIN || r == -EACCES;
	if (e->locked)
		return 0;
	if (r == 0)
		r = unc_election_look(e);
	if (r == 0)
		r = add_removed(e);
	if (r == 0)
		r = write_again(e);
	if (r < 0) {
		lock_gate(e, F_UNLCK);
		return unc_fail(err, UNCORE_EACCESS, "ranks cannot agree which one counts: %s: %s",
				e->dir.path, strerror(-r));
	}
	return 1;
}

bool unc_election_is_locked(const struct unc_election *e)
{
	return e->locked;
}

void unc_election_end(struct unc_election *e)
{
	lock_gate(e, F_UNLCK);
}

/* ---- names ---- */

static struct unc_held_name *held_as(const struct unc_election *e, uint64_t hash)
{
	for (size_t i = 0; i < e->n_held; i++)
		if (e->held[i].hash == hash)
			return &e->held[i];
	return NULL;
}

static struct unc_held_name *free_place(struct unc_election *e)
{
	struct unc_held_name *place = held_as(e, 0), *list;

	if (place)
		return place;
	list = realloc(e->held, (e->n_held + 1) * sizeof(*list));
	if (!list)
		return NULL;
	e->held = list;
	list[e->n_held] = (struct unc_held_name){.hash = 0};
	return &list[e->n_held++];
}

static const struct unc_candidate *other_with(const struct unc_election *e, uint64_t hash)
{
	for (size_t i = 0; i < e->n_others; i++)
		for (size_t k = 0; k < e->others[i].n; k++)
			if (e->others[i].names[k] == hash)
				return &e->others[i];
	return NULL;
}

static int hold(struct unc_election *e, uint64_t hash, struct unc_err *err)
{
	const int r = e->names < 0 ? unc_election_make_files(e) : 0;
	struct unc_held_name *held;

	if (r < 0)
		return unc_fail(err, UNCORE_EIO, "cannot create a file in %s: %s", e->dir.path,
				strerror(-r));
	held = free_place(e);
	if (!held)
		return unc_fail(err, UNCORE_ENOMEM, "out of memory for the names of events");
	*held = (struct unc_held_name){.hash = hash, .times = 1};
	if (write_place(e, (size_t)(held - e->held)))
		return 1;
	held->hash = 0;
	return unc_fail(err, UNCORE_EIO, "cannot write to %s/%s: %s", e->dir.path, e->file,
			strerror(errno));
}

int unc_election_take(struct unc_election *e, const char *name, struct unc_err *err)
{
	const uint64_t hash = hash_of(name);
	struct unc_held_name *held = held_as(e, hash);
	const struct unc_candidate *other;

	if (held) {
		held->times++;
		return 1;
	}
	other = other_with(e, hash);
	if (!other)
		return hold(e, hash, err);
	watch(e, other);
	return 0;
}

/* The number of releases is written last: a handle that has seen it finds the place free. */
void unc_election_leave(struct unc_election *e, const char *name)
{
	struct unc_held_name *held = held_as(e, hash_of(name));

	if (!held || --held->times)
		return;
	held->hash = 0;
	e->releases++;
	if (write_place(e, (size_t)(held - e->held)))
		unc_pwrite(e->names, &e->releases, sizeof(e->releases), 0);
}
