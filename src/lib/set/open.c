/* SPDX-License-Identifier: BSD-3-Clause */
/* open.c - open and close a machine. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "backend/daemon/remote.h"
#include "base/environment.h"
#include "base/sized.h"
#include "claim/election.h"
#include "claim/others.h"
#include "config.h"
#include "count/readers.h"
#include "event/lists.h"
#include "machine/record.h"
#include "plan/allow.h"
#include "set/inside.h"
#include "set/opening.h"
#include "set/set.h"
#include "set/simulate.h"
#include "set/takeover.h"

/* ---- open ---- */

/* A page that fork() zeroes in the child: checking it needs no system call. */
static atomic_int *make_alive(void)
{
	void *page = mmap(NULL, sizeof(atomic_int), PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (madvise(page, sizeof(atomic_int), MADV_WIPEONFORK) != 0) {
		munmap(page, sizeof(atomic_int));
		return NULL;
	}
	atomic_init((atomic_int *)page, 1);
	return page;
}

static void init_counters(struct uncore *u)
{
	for (size_t i = 0; i < u->machine.n_boxes && !u->machine.listed; i++) {
		const struct unc_box *b = &u->machine.boxes[i];
		const unsigned n = b->type->n_counters;

		for (unsigned c = 0; c <= n && !b->absent; c++) {
			const unsigned width = unc_counter_width(b->type, c);
			struct unc_counter *counter = &u->counters[b->first + c];

			if (width == 0)
				continue;
			counter->read = unc_read_op(&u->machine, b, c);
			counter->mask = UINT64_MAX >> (64 - width);
			/* a fixed counter counts cycles */
			unc_wrap_times_init(counter, width, c == n ? 1 : b->type->max_inc,
					    b->type->free);
			if (b->type->level) /* holds a level and does not wrap */
				counter->wrap_ns = INT64_MAX;
			if (b->type->count_ns)
				counter->wrap_ns = unc_slow_wrap_ns(width, b->type->count_ns);
		}
	}
}

/* Boxes are sorted by type.  false: no memory. */
static bool make_kinds(struct uncore *u)
{
	const struct unc_machine *m = &u->machine;
	unsigned kind = 0;

	u->kinds = calloc(UNC_MAX_TYPES + 1, sizeof(*u->kinds));
	u->groups = calloc(unc_count_groups(m), sizeof(*u->groups));
	if (!u->kinds || !u->groups)
		return false;
	for (unsigned i = 0; i < m->n_boxes; i++) {
		kind += i > 0 && m->boxes[i].type != m->boxes[i - 1].type;
		u->groups[i].kind = kind;
	}
	for (unsigned p = 0; p < m->topo.n_packages; p++)
		u->groups[unc_group_of_package(m, p)].kind = UNC_MAX_TYPES;
	return true;
}

static int open_session(struct uncore *u)
{
	const struct unc_machine *m = &u->machine;
	const size_t n_counters = m->n_counters ? m->n_counters : 1;
	const size_t n_boxes = m->n_boxes ? m->n_boxes : 1;

	u->counters = calloc(n_counters, sizeof(*u->counters));
	u->uses = calloc(n_boxes, sizeof(*u->uses));
	u->counting = calloc(m->topo.n_packages + 1, sizeof(*u->counting));
	u->shared = calloc(m->topo.n_packages + 1, sizeof(*u->shared));
	u->behind = calloc(m->topo.n_packages + 1, sizeof(*u->behind));
	u->packages = calloc(m->topo.n_packages + 1, sizeof(*u->packages));
	u->opened = calloc(m->topo.n_packages + 1, sizeof(*u->opened));
	u->pinned = calloc(unc_count_groups(m), sizeof(*u->pinned));
	u->alive = make_alive();
	if (!u->counters || !u->uses || !u->counting || !u->shared || !u->behind || !u->packages ||
	    !u->opened || !u->pinned || !u->alive || !make_kinds(u) ||
	    !unc_ledger_make(&u->ledger, unc_count_groups(m)))
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for %zu counters",
				m->n_counters);
	init_counters(u);
	unc_wrap_poller_init(u);
	unc_mux_thread_init(u);
	unc_takeover_init(u);
	return 0;
}

/* Nothing can be written before: opening only reads. */
static int make_map(struct uncore *u)
{
	if (u->machine.listed)
		return 0;
	if (unc_map_make(&u->pmon, &u->machine) < 0)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the register map");
	u->hw->pmon = &u->pmon;
	return 0;
}

static int load_lists(struct uncore *u, const struct uncore_options *o)
{
	const char *root = u->root;
	const size_t length = strlen(root) - (root[strlen(root) - 1] == '/');
	char directory[PATH_MAX];
	const struct unc_lists_from from = {
		.paths = unc_text_option(o->event_files, "UNCORE_EVENT_FILES", NULL),
		.directory = directory,
		.types = u->machine.types,
		.platform = u->machine.platform,
		.force = unc_flag_option(o->event_files_force,
					 unc_variable("UNCORE_EVENT_FILES_FORCE"), false),
		.quiet = unc_is_privileged(),
	};

	snprintf(directory, sizeof(directory), "%.*s%s/%s", (int)length, root, UNCORE_EVENTS_DIR,
		 u->machine.platform->name);
	return unc_lists_load(&u->lists, &from, &u->err);
}

static int open_share(struct uncore *u, const struct uncore_options *o)
{
	int r = 0;

	if (unc_is_shared(u->hw))
		u->share =
			unc_share_new(u->root, unc_text_option(o->journal, "UNCORE_JOURNAL", NULL),
				      &u->machine, &u->ledger, &u->err, &r);
	if (r == UNCORE_ENOMEM)
		return unc_fail(&u->err, r, "out of memory for the journal");
	return r;
}

/* Simulate the machine that is most similar to a recorded one. */
static int open_like(struct uncore *u, const struct uncore_options *o, const char *recorded)
{
	struct uncore_options like = *o;
	struct uncore *other;
	char spec[UNC_SPEC];
	int r = unc_recorded_open(u, recorded, &other, spec);

	like.machine = spec;
	if (r == 0)
		r = unc_open_machine(u, &like);
	if (r == 0)
		unc_recorded_compare(u, other);
	uncore_close(other);
	return r;
}

static int open_machine(struct uncore *u, const struct uncore_options *o)
{
	const char *machine = unc_text_option(o->machine, "UNCORE_MACHINE", "native");

	return unc_is_to_simulate(machine) ? open_like(u, o, machine) : unc_open_machine(u, o);
}

/* The machine of a recording, or one that uncored simulates, is not the one with the files in /. */
static void find_devices(struct uncore *u)
{
	const bool other = u->hw->where == UNC_RECORDED || u->hw->where == UNC_SIMULATED ||
			   (u->hw->where == UNC_SERVED_SIMULATED && strcmp(u->root, "/") == 0);

	unc_names_devices(u->names, u->hw, other ? NULL : u->root);
}

static int open_as(struct uncore *u, const struct uncore_options *o)
{
	int r = unc_read_options(u, o);

	if (r == 0)
		r = open_machine(u, o);
	if (r == 0)
		r = make_map(u);
	if (r == 0)
		r = load_lists(u, o);
	if (r == 0)
		r = unc_names_new(&u->names, &u->machine, u->lists, &u->err);
	if (r == 0)
		r = open_session(u);
	if (r == 0)
		find_devices(u);
	if (r == 0)
		r = open_share(u, o);
	if (r < 0)
		unc_open_locks(u);
	return r;
}

static int open_handle(struct uncore **out, const struct uncore_options *options)
{
	struct uncore *u = calloc(1, sizeof(*u));
	struct uncore_options o = {.size = sizeof(o)};
	int r = 0;

	*out = u;
	if (!u)
		return UNCORE_ENOMEM;
	unc_err_init(&u->err);
	u->backend = &unc_backend_registers;
	pthread_mutex_init(&u->lock.mutex, NULL);
	if (options)
		r = unc_take(&u->err, &o, options, UNC_SIZED(uncore_options));
	if (r == 0) /* first: a handle that cannot be opened may have files open, too */
		r = unc_guard_add(u, uncore_close);
	return r == 0 ? open_as(u, &o) : r;
}

int uncore_open(struct uncore **out, const struct uncore_options *options)
{
	const int before = unc_cancel_off(), r = open_handle(out, options);

	if (*out)
		(*out)->failed = r;
	unc_cancel_on(before);
	return r;
}

static void close_handle(struct uncore *u)
{
	unc_guard_remove(u);
	unc_takeover_stop(u);
	while (u->sets)
		uncore_set_destroy(u->sets);
	if (!unc_is_child(u)) {
		unc_failed_retry(u);
		unc_others_prune(u);
		unc_settle(u);
	}
	/* without the page the handle was not opened, but its files were */
	if (!u->alive || !unc_is_child(u))
		unc_share_quiesce(u->share);
	if (u->alive && !unc_is_child(u))
		unc_readers_free(atomic_load(&u->readers));
	unc_election_free(u->election, u->alive && unc_is_child(u));
	unc_names_free(u->names);
	unc_lists_free(u->lists);
	unc_msrs_free(u);
	unc_device_infos_free(u);
	if (u->hw)
		u->hw->ops->close(u->hw);
	unc_share_free(u->share);
	unc_remote_close(u->remote);
	unc_recording_free(u->recording);
	unc_pmon_free(&u->pmon);
	unc_machine_free(&u->machine);
	free(u->root);
	free(u->counters);
	free(u->uses);
	free(u->counting);
	free(u->groups);
	free(u->kinds);
	free(u->shared);
	free(u->behind);
	free(u->packages);
	free(u->opened);
	free(u->pinned);
	unc_ledger_free(&u->ledger);
	if (u->alive)
		munmap(u->alive, sizeof(atomic_int));
	pthread_mutex_destroy(&u->lock.mutex);
	unc_err_destroy(&u->err);
	free(u);
}

void uncore_close(struct uncore *u)
{
	const int before = unc_cancel_off();

	if (u)
		close_handle(u);
	unc_cancel_on(before);
}

/* ---- inside.h ---- */

uint64_t unc_wrap_interval_running(struct uncore *u)
{
	uint64_t ms;

	pthread_mutex_lock(&u->wrap_poller.thread.lock);
	ms = u->wrap_poller.running_ms;
	pthread_mutex_unlock(&u->wrap_poller.thread.lock);
	return ms;
}

struct unc_hw *unc_hw_of(struct uncore *u)
{
	return u->hw;
}

const struct unc_machine *unc_machine_of(const struct uncore *u)
{
	return &u->machine;
}

struct unc_hw *unc_hw_replace(struct uncore *u, struct unc_hw *hw)
{
	struct unc_hw *old = u->hw;

	u->hw = hw;
	return old;
}
