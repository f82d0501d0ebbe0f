/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pages.c - counts of sets in memory that is shared with their clients, refreshed at a fixed
 * rate.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "daemon/planner.h"

/* Linux 5.1: a client may map the file, but not for writing. */
#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

/* ---- page of one set ---- */

static int make_file(struct client_set *set)
{
	const int seals = F_SEAL_FUTURE_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
	const size_t size = sizeof(*set->page);
	const int file = memfd_create("uncored-page", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *at = MAP_FAILED;

	if (file >= 0 && ftruncate(file, (off_t)size) == 0)
		at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (at != MAP_FAILED && fcntl(file, F_ADD_SEALS, seals) == 0) {
		set->page = at;
		return file;
	}
	if (at != MAP_FAILED)
		munmap(at, size);
	if (file >= 0)
		close(file);
	return -1;
}

int daemon_page_new(struct server *s, struct client_set *set, uint32_t refresh_us)
{
	const int file = make_file(set);

	if (file < 0)
		return -1;
	set->page->size = sizeof(*set->page);
	set->page->n = (uint32_t)set->n;
	set->refresh = INT64_C(1000) * refresh_us;
	set->due = limits_now();
	s->due = set->due;
	s->n_pages++;
	return file;
}

void daemon_page_end(struct server *s, const struct client_set *set)
{
	if (set->page)
		s->n_pages--;
}

void daemon_page_free(struct client_set *set)
{
	if (set->page)
		munmap(set->page, sizeof(*set->page));
	set->page = NULL;
}

#define put(field, value) __atomic_store_n(&(field), value, __ATOMIC_RELAXED)

void daemon_page_fill(const struct server *s, struct client_set *set, int64_t now)
{
	struct unc_wire_page *page = set->page;
	const uint64_t seq = page->seq;
	struct answer a;

	a.head = (struct unc_wire_reply){.code = 0};
	a.size = 0;
	if (!daemon_is_stopped(set, &a))
		daemon_read_set(s, set, &a);
	put(page->seq, seq + 1);
	atomic_thread_fence(memory_order_release);
	put(page->code, a.head.code);
	for (size_t i = 0; a.head.code == 0 && i < set->n; i++)
		put(page->counts[i], a.is.counts[i]);
	put(page->enabled, a.head.enabled);
	put(page->when, now);
	__atomic_store_n(&page->seq, seq + 2, __ATOMIC_RELEASE);
}

/* ---- pages of all clients ---- */

int64_t daemon_next_page(const struct server *s, int64_t now)
{
	if (s->n_pages == 0)
		return -1;
	return s->due > now ? s->due - now : 0;
}

/* The pages that were filled last come last. */
size_t daemon_find_due(struct server *s, int64_t now, struct page_due *due, size_t most)
{
	const size_t all = (size_t)MAX_CLIENTS * MAX_SETS;
	size_t n = 0;

	if (s->n_pages == 0 || s->due > now)
		return 0;
	s->due = INT64_MAX;
	for (size_t i = 0; i < all; i++) {
		const size_t at = (s->refreshed + i) % all;
		struct client *c = &s->clients[at / MAX_SETS];
		struct client_set *set = &c->sets[at % MAX_SETS];

		if (c->fd < 0 || !set->page)
			continue;
		if (set->due <= now && n < most)
			due[n++] = (struct page_due){c->user, at, set};
		s->due = set->due < s->due ? set->due : s->due;
	}
	return n;
}

static void fill_now(struct server *s, struct client_set *set, int64_t now)
{
	daemon_page_fill(s, set, now);
	daemon_note_read(set, limits_now() - now);
}

/* A page has one writer: a set may turn out to be fast while the planner is filling its page. */
static bool is_planners(const struct planner *p, const struct client_set *set)
{
	const bool fills = p->busy && p->task.kind == TASK_PAGE && p->task.of == set;

	return fills || set->asked || daemon_is_slow(set);
}

static void leave_to_planner(struct server *s, struct client_set *set, int64_t now)
{
	s->planner->pages = true;
	if (!set->asked)
		set->asked = now;
}

/* Missed times are skipped. */
void daemon_page_serve(struct server *s, const struct page_due *due, int64_t now)
{
	struct client_set *set = due->set;

	s->refreshed = due->at + 1;
	if (s->planner && is_planners(s->planner, set))
		leave_to_planner(s, set, now);
	else
		fill_now(s, set, now);
	set->due += set->refresh;
	if (set->due <= now)
		set->due = now + set->refresh;
	if (set->due < s->due)
		s->due = set->due;
}
