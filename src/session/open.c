/* SPDX-License-Identifier: BSD-3-Clause */
/* open.c - open and close a machine. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "access/wire.h"
#include "arch/arch.h"
#include "config.h"
#include "count/readers.h"
#include "environment.h"
#include "event/lists.h"
#include "mux/mux.h"
#include "plan/allow.h"
#include "plan/complete.h"
#include "record/record.h"
#include "run/others.h"
#include "session/inside.h"
#include "session/session.h"
#include "session/simulate.h"
#include "sized.h"

#define LOCK_TIMEOUT_MS 5000

/* ---- options ---- */

static const char *text_option(const char *given, const char *variable, const char *missing)
{
	const char *value = given ? given : unc_variable(variable);

	return value && *value ? value : missing;
}

/* Of all files that are looked at. */
static const char *root_of(const struct uncore_options *o)
{
	return text_option(o->sysroot, "UNCORE_SYSROOT", "/");
}

static bool flag_option(int given, const char *value, bool missing)
{
	if (given)
		return given > 0;
	return value && *value ? strcmp(value, "0") != 0 : missing;
}

static void note_ignored(struct uncore *u)
{
	static const char *const names[] = {"UNCORE_MACHINE",
					    "UNCORE_SYSROOT",
					    "UNCORE_FORCE",
					    "UNCORE_EVENT_FILES",
					    "UNCORE_EVENT_FILES_FORCE",
					    "UNCORE_PARTIAL",
					    "UNCORE_JOURNAL",
					    "UNCORE_LOCK_TIMEOUT",
					    "UNCORE_SHARE",
					    "UNCORE_ACCESS",
					    "UNCORE_DAEMON",
					    NULL};

	unc_ignored_variables(names, u->ignored, sizeof(u->ignored));
}

/* ---- open ---- */

/* A page that fork() zeroes in the child: a check that costs no system call. */
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

static int open_native(struct uncore *u, const char *root, const struct unc_platform **platform)
{
	int r = unc_topology_model(&u->machine.topo, root, &u->err);

	if (r == 0)
		r = unc_platform_find(&u->machine.topo, platform, &u->err);
	if (r == 0 && unc_platform_named(*platform))
		r = unc_hw_native_allowed(root, &u->err);
	/* without rights there is nothing to find elsewhere: a desktop pays for no search */
	else if (r == 0 && geteuid() != 0 && !unc_discovery_likely(root))
		r = unc_platform_unknown(&u->machine.topo, &u->err);
	if (r == 0)
		r = unc_topology_devices(&u->machine.topo, root, &u->err);
	if (r == UNCORE_ENOSUPP && *platform && !unc_platform_named(*platform))
		r = unc_platform_unknown(&u->machine.topo, &u->err);
	if (r < 0)
		return r;
	u->hw = unc_hw_native(root, &u->machine.topo);
	if (!u->hw)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for register files");
	u->hw->writable = unc_writable_bits;
	u->hw->machine = &u->machine;
	return 0;
}

static int open_hardware(struct uncore *u, const struct uncore_options *o,
			 const struct unc_platform **platform)
{
	const char *machine = text_option(o->machine, "UNCORE_MACHINE", "native");
	const char *root = root_of(o);
	int r;

	if (strcmp(machine, "native") == 0)
		return open_native(u, root, platform);
	if (strncmp(machine, "file:", 5) == 0) {
		u->hw = unc_hw_replayed(machine + 5, &u->machine.topo, &u->err, &r);
		return u->hw ? unc_platform_find(&u->machine.topo, platform, &u->err) : r;
	}
	u->hw = unc_hw_simulated(machine, &u->machine.topo, &u->err, &r);
	return u->hw ? unc_platform_find(&u->machine.topo, platform, &u->err) : r;
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
			if (b->type->level) /* holds a value and does not wrap */
				counter->wrap_ns = INT64_MAX;
			if (b->type->count_ns)
				counter->wrap_ns = unc_slow_wrap_ns(width, b->type->count_ns);
		}
	}
}

static int open_session(struct uncore *u, const struct uncore_options *o)
{
	const struct unc_machine *m = &u->machine;
	const size_t n_counters = m->n_counters ? m->n_counters : 1;
	const size_t n_boxes = m->n_boxes ? m->n_boxes : 1;

	u->counters = calloc(n_counters, sizeof(*u->counters));
	u->uses = calloc(n_boxes, sizeof(*u->uses));
	u->sites = calloc(unc_count_sites(m), sizeof(*u->sites));
	u->shared = calloc(m->topo.n_packages + 1, sizeof(*u->shared));
	u->packages = calloc(m->topo.n_packages + 1, sizeof(*u->packages));
	u->opened = calloc(m->topo.n_packages + 1, sizeof(*u->opened));
	u->kept = calloc(unc_count_sites(m), sizeof(*u->kept));
	u->alive = make_alive();
	if (!u->counters || !u->uses || !u->sites || !u->shared || !u->packages || !u->opened ||
	    !u->kept || !u->alive || !unc_ledger_make(&u->ledger, unc_count_sites(m)))
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for %zu counters",
				m->n_counters);
	init_counters(u);
	unc_wrap_poller_init(u);
	unc_mux_thread_init(u);
	u->with_readers = o->readers > 0;
	return unc_guard_add(u);
}

/* Until then nothing can be written: opening only reads. */
static int make_map(struct uncore *u)
{
	if (u->machine.listed)
		return 0;
	if (unc_map_make(&u->pmon, &u->machine) < 0)
		return unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for the map of registers");
	u->hw->pmon = &u->pmon;
	return 0;
}

static int load_lists(struct uncore *u, const struct uncore_options *o)
{
	const char *root = root_of(o);
	const size_t length = strlen(root) - (root[strlen(root) - 1] == '/');
	char directory[PATH_MAX];
	const struct unc_lists_from from = {
		.paths = text_option(o->event_files, "UNCORE_EVENT_FILES", NULL),
		.directory = directory,
		.types = u->machine.types,
		.platform = u->machine.platform,
		.force = flag_option(o->event_files_force, unc_variable("UNCORE_EVENT_FILES_FORCE"),
				     false),
		.quiet = unc_is_privileged(),
	};

	snprintf(directory, sizeof(directory), "%.*s%s/%s", (int)length, root, UNCORE_EVENTS_DIR,
		 u->machine.platform->name);
	return unc_lists_load(&u->lists, &from, &u->err);
}

static int open_share(struct uncore *u, const struct uncore_options *o)
{
	const char *root = root_of(o);
	int r = 0;

	if (!u->hw->in_process && !u->machine.listed)
		u->share = unc_share_new(root, text_option(o->journal, "UNCORE_JOURNAL", NULL),
					 &u->machine, &u->err, &r);
	if (r == UNCORE_ENOMEM)
		return unc_fail(&u->err, r, "out of memory for the journal");
	return r;
}

/*
 * Register files of a machine that could not be opened are closed, too, and locks of other
 * handles of this process would end with that: what knows these locks is made after all.
 */
static void open_locks(struct uncore *u, const struct uncore_options *o)
{
	const char *root = root_of(o);
	int r;

	if (u->hw && !u->share && !u->hw->in_process && !u->machine.listed)
		u->share = unc_share_new(root, "none", &u->machine, &u->err, &r);
}

static int read_timeout(struct uncore *u, const struct uncore_options *o)
{
	const char *text = unc_variable("UNCORE_LOCK_TIMEOUT");
	char *end = NULL;
	unsigned long ms = LOCK_TIMEOUT_MS;

	if (o->lock_timeout_ms)
		ms = o->lock_timeout_ms > 0 ? (unsigned long)o->lock_timeout_ms : 0;
	else if (text)
		ms = strtoul(text, &end, 10);
	if (end && (end == text || *end || *text == '-' || ms > 3600000))
		return unc_fail(&u->err, UNCORE_EINVAL,
				"UNCORE_LOCK_TIMEOUT=%s is no number of milliseconds up to an hour",
				text);
	u->lock_timeout_ms = (unsigned)ms;
	return 0;
}

static int read_policy(struct uncore *u, const struct uncore_options *o)
{
	const char *share = text_option(o->share, "UNCORE_SHARE", "refuse");

	u->owner_counts = strcmp(share, "owner") == 0;
	if (u->owner_counts || strcmp(share, "refuse") == 0)
		return 0;
	return unc_fail(&u->err, UNCORE_EINVAL,
			"UNCORE_SHARE=%s: it is refuse (what another process counts cannot be "
			"counted) or owner (within a job the first process counts it, the others "
			"read 0)",
			share);
}

/* Not all that is recorded is needed to find boxes. */
static void ask_cores(struct uncore *u)
{
	for (unsigned p = 0; p < u->machine.topo.n_packages; p++)
		unc_cores_online(&u->machine, u->hw, p);
}

/* Between the machine and its registers stands who takes notes, if somebody wants them. */
static int build_machine(struct uncore *u, const struct unc_platform *platform)
{
	struct unc_hw *hw = u->recording ? unc_hw_recorded(u->hw, u->recording) : u->hw;
	const char *why;
	int r = UNCORE_ENOMEM;

	if (hw)
		r = unc_machine_build(&u->machine, platform, hw, &u->err);
	else
		unc_fail(&u->err, r, "out of memory for a recording");
	if (hw && hw != u->hw)
		hw->ops->close(hw);
	if (r == 0 && u->recording)
		ask_cores(u);
	/* what refused the machine need not have been a register */
	if (r == 0 && u->hw->replayed && unc_replayed_failure(u->hw, &why) < 0)
		r = unc_fail(&u->err, unc_replayed_failure(u->hw, &why), "%s", why);
	return r;
}

static int keep_root(struct uncore *u, const struct uncore_options *o)
{
	u->root = strdup(root_of(o));
	return u->root ? 0 : unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a path");
}

static int open_recording(struct uncore *u, const struct uncore_options *o)
{
	if (o->record)
		u->recording = unc_recording_new(root_of(o));
	return !o->record || u->recording
		       ? 0
		       : unc_fail(&u->err, UNCORE_ENOMEM, "out of memory for a recording");
}

static int open_and_build(struct uncore *u, const struct uncore_options *o)
{
	const struct unc_platform *platform = NULL;
	int r = open_hardware(u, o, &platform);

	return r == 0 ? build_machine(u, platform) : r;
}

/* Simulate the machine that is most like a recorded one. */
static int open_like(struct uncore *u, const struct uncore_options *o, const char *recorded)
{
	struct uncore_options like = *o;
	struct uncore *other;
	char spec[UNC_SPEC];
	int r = unc_recorded_open(u, recorded, &other, spec);

	like.machine = spec;
	if (r == 0)
		r = open_and_build(u, &like);
	if (r == 0)
		unc_recorded_compare(u, other);
	uncore_close(other);
	return r;
}

/* The machine that a recording is of, which is open as a file. */
static int open_from_file(struct uncore *u, const struct uncore_options *o, int file)
{
	struct uncore_options there = *o;
	char name[64];

	snprintf(name, sizeof(name), "file:/proc/self/fd/%d", file);
	there.machine = name;
	return open_and_build(u, &there);
}

static const char *access_of(const struct uncore_options *o)
{
	return text_option(o->access, "UNCORE_ACCESS", "auto");
}

static int check_access(struct uncore *u, const char *access)
{
	static const char *const words[] = {"auto", "direct", "daemon", "kernel"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcmp(access, words[i]) == 0)
			return 0;
	return unc_fail(&u->err, UNCORE_EINVAL,
			"UNCORE_ACCESS=%s: it is auto, direct (this process has the registers), "
			"daemon (uncored has them) or kernel (its driver has them)",
			access);
}

/* 1: uncored has the machine; 0: it is not asked, or (auto) cannot be. */
static int open_there(struct uncore *u, const struct uncore_options *o, const char *machine)
{
	const char *path = text_option(o->daemon, "UNCORE_DAEMON", UNC_WIRE_SOCKET);
	const char *access = access_of(o);
	const bool must = strcmp(access, "daemon") == 0;
	int file, r;

	if ((!must && strcmp(access, "auto") != 0) || strcmp(machine, "native") != 0 || o->record ||
	    (!must && strcmp(root_of(o), "/") != 0))
		return 0;
	r = unc_remote_open(&u->remote, path, &file, &u->err);
	if (r < 0)
		return must ? r : 0;
	r = open_from_file(u, o, file);
	close(file);
	if (r < 0)
		return r;
	u->way = &unc_way_there;
	u->hw->simulated = unc_remote_is_simulated(u->remote);
	unc_note_later_cpus(u, root_of(o));
	return 1;
}

/* What stands between this process and the registers is closed, as if it had not been opened. */
static void forget_machine(struct uncore *u, const struct uncore_options *o)
{
	const bool partial = u->machine.partial;

	open_locks(u, o);
	unc_share_quiesce(u->share);
	if (u->hw)
		u->hw->ops->close(u->hw);
	unc_share_free(u->share);
	unc_machine_free(&u->machine);
	u->hw = NULL;
	u->share = NULL;
	memset(&u->machine, 0, sizeof(u->machine));
	u->machine.partial = partial;
}

/* Who may not use registers may be able to use the kernel's driver; direct: why he may not. */
static int open_instead(struct uncore *u, const struct uncore_options *o, int direct)
{
	char why[UNCORE_ERRMSG_MAX], driver[UNCORE_ERRMSG_MAX];
	int r;

	if (direct != UNCORE_EACCESS || strcmp(access_of(o), "auto") != 0 || o->record ||
	    strcmp(root_of(o), "/") != 0)
		return direct;
	uncore_errmsg(u, why, sizeof(why));
	forget_machine(u, o);
	r = unc_kernel_open(u, root_of(o));
	if (r == 0)
		return 0;
	uncore_errmsg(u, driver, sizeof(driver));
	forget_machine(u, o);
	open_and_build(u, o); /* what is told of a handle that was refused is about registers */
	return unc_fail(&u->err, direct, "%.500s; nor by the kernel's driver: %.400s", why, driver);
}

static int open_machine(struct uncore *u, const struct uncore_options *o)
{
	const char *machine = text_option(o->machine, "UNCORE_MACHINE", "native");
	const bool native = strcmp(machine, "native") == 0;
	char why[UNCORE_ERRMSG_MAX];
	int r = check_access(u, access_of(o));

	if (r == 0)
		r = open_there(u, o, machine);
	if (r != 0)
		return r < 0 ? r : 0;
	if (native && !o->record && strcmp(access_of(o), "kernel") == 0)
		return unc_kernel_open(u, root_of(o));
	r = open_recording(u, o);
	if (r == 0)
		r = unc_is_to_simulate(machine) ? open_like(u, o, machine) : open_and_build(u, o);
	if (r < 0 && u->recording)
		unc_recording_failed(u->recording, r, uncore_errmsg(u, why, sizeof(why)));
	return r < 0 && native ? open_instead(u, o, r) : r;
}

static int open_as(struct uncore *u, const struct uncore_options *o)
{
	int r;

	u->force = flag_option(o->force, unc_variable("UNCORE_FORCE"), false);
	u->machine.partial = flag_option(o->partial, unc_variable("UNCORE_PARTIAL"), false);
	/* this one does not decide which registers are touched */
	u->wrap_poller.wanted = flag_option(o->wrap_poller, getenv("UNCORE_WRAP_POLLER"), true);
	note_ignored(u);
	r = read_timeout(u, o);
	if (r == 0)
		r = read_policy(u, o);
	if (r == 0)
		r = keep_root(u, o);
	if (r == 0)
		r = open_machine(u, o);
	if (r == 0)
		r = make_map(u);
	if (r == 0)
		r = load_lists(u, o);
	if (r == 0)
		r = unc_names_new(&u->names, &u->machine, u->lists, &u->err);
	if (r == 0)
		r = open_session(u, o);
	if (r == 0)
		r = open_share(u, o);
	if (r < 0)
		open_locks(u, o);
	return r;
}

int uncore_open(struct uncore **out, const struct uncore_options *options)
{
	struct uncore *u = calloc(1, sizeof(*u));
	struct uncore_options o = {.size = sizeof(o)};
	int r = 0;

	*out = u;
	if (!u)
		return UNCORE_ENOMEM;
	unc_err_init(&u->err);
	pthread_mutex_init(&u->lock, NULL);
	if (options)
		r = unc_take(&u->err, &o, options, UNC_SIZED(uncore_options));
	return r == 0 ? open_as(u, &o) : r;
}

void uncore_close(struct uncore *u)
{
	if (!u)
		return;
	unc_guard_remove(u);
	while (u->sets)
		uncore_set_destroy(u->sets);
	if (!unc_is_child(u)) {
		unc_failed_retry(u);
		unc_others_prune(u);
	}
	/* without the page it was not opened, but its files were */
	if (!u->alive || !unc_is_child(u))
		unc_share_quiesce(u->share);
	if (u->alive && !unc_is_child(u))
		unc_readers_free(atomic_load(&u->readers));
	unc_names_free(u->names);
	unc_lists_free(u->lists);
	unc_msrs_free(u);
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
	free(u->sites);
	free(u->shared);
	free(u->packages);
	free(u->opened);
	free(u->kept);
	unc_ledger_free(&u->ledger);
	if (u->alive)
		munmap(u->alive, sizeof(atomic_int));
	pthread_mutex_destroy(&u->lock);
	unc_err_destroy(&u->err);
	free(u);
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
