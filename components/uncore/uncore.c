/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    uncore.c
 * @ingroup papi_components
 * @brief   The PAPI component "uncore": implements PAPI's component vector on top of uncore.h.
 * Undocumented requirements of PAPI are described at the functions that they concern.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The order matters: PAPI's headers do not include their dependencies. */
#include "papi.h"

#include "papi_internal.h"
#include "papi_vector.h"

#include "codes.h"
#include "extras.h"
#include "forked.h"
#include "listed.h"
#include "means.h"
#include "multiplex.h"
#include "overflow.h"
#include "papi_libpfm4_events.h"
#include "pmus.h"
#include "presets.h"
#include "sharing.h"
#include "slots.h"

#include "library.h"

#define UNUSED __attribute__((unused))

/* Prefix of the names of core events.  All other names contain "unc". */
#define CORE_PMU "ix86arch::"

/*
 * PAPI's hwd_control_state_t.  Zeroed memory is valid and means "no events": after a failed
 * PAPI_add_event(), PAPI uses the state without calling init_control_state().
 */
struct control {
	struct overflow_timer timer;   /* must be first, see overflow.h */
	struct uncore_set *set;        /* NULL: no events */
	unsigned generation;           /* generation of the set's handle */
	unsigned interval_us;          /* multiplexing interval, 0: default */
	unsigned n;                    /* number of events in the set */
	unsigned id[MAX_EVENTS];       /* their event numbers */
	unsigned position[MAX_EVENTS]; /* index at which PAPI expects each count */
	struct slot slot[MAX_EVENTS];  /* by position */
	long long value[MAX_EVENTS];   /* by position */
	atomic_int deferred;           /* error of a read or reset, to be returned by stop() */
	atomic_bool missed;            /* a wrap may have been missed before a reset */
	atomic_bool failing, stolen;   /* UNCORE_STRICT: errors that read() has reported */
	atomic_bool refused;           /* stop() has failed in a forked child */
};

papi_vector_t _uncore_vector;

/* PAPI before 7.0 has no delayed components.  This one is ready then, and opened when used. */
#ifdef PAPI_EDELAY_INIT
#define DELAYED PAPI_EDELAY_INIT
#else
#define DELAYED PAPI_OK
#endif

static struct {
	pthread_mutex_t names; /* PAPI's locks have no effect before PAPI_thread_init() */
	struct uncore *u;      /* NULL: delayed, disabled or shut down */
	unsigned generation;
	bool delayed;  /* not opened yet */
	bool counted;  /* num_native_events is the number of listed events */
	bool prepared; /* for forks */
	bool forked;   /* the handle belongs to the parent process */
	bool verbose, simulated, list_all;
	bool strict;          /* reads report errors, too */
	unsigned interval_us; /* default multiplexing interval, 0: off */
	struct sharing sharing;
} state = {.names = PTHREAD_MUTEX_INITIALIZER};

/* Translate an error code.  PAPI cannot return messages, so print them if UNCORE_VERBOSE is set. */
static int result(int code)
{
	char text[UNCORE_ERRMSG_MAX];

	if (code && state.verbose && state.u)
		fprintf(stderr, "uncore: %s\n", uncore_errmsg(state.u, text, sizeof(text)));
	return _uncore_code(code);
}

/* ---- life cycle ---- */

static void close_handle(void)
{
	int left;

	state.forked = false;
	state.generation++; /* invalidates sets of threads that outlive PAPI_shutdown() */
	_uncore_pmus_free(&_uncore_vector.cmp_info);
	if (!state.u)
		return;
	left = uncore_restore(state.u);
	if (left != UNCORE_EFORK)
		result(left); /* a forked child has nothing to restore */
	uncore_close(state.u);
	state.u = NULL;
}

static int disable(int code, const char *reason)
{
	PAPI_component_info_t *info = &_uncore_vector.cmp_info;

	snprintf(info->disabled_reason, sizeof(info->disabled_reason), "%s", reason);
	if (state.verbose)
		fprintf(stderr, "uncore: disabled: %s\n", reason);
	info->disabled = code;
	return code;
}

static void describe(PAPI_component_info_t *info)
{
	struct uncore_machine_info m = {.size = sizeof(m)};
	char absent[64] = "";

	uncore_machine(state.u, &m);
	state.simulated = m.simulated;
	if (m.boxes_present < m.boxes)
		snprintf(absent, sizeof(absent), ", %u of %u boxes absent%s",
			 m.boxes - m.boxes_present, m.boxes, m.partial ? ", sums are PARTIAL" : "");
	snprintf(info->description, sizeof(info->description), "%s%s uncore counters%s",
		 m.simulated ? "SIMULATED, counts are not real: " : "", m.title, absent);
	info->num_native_events = (int)m.events;
	state.counted = false;
	_uncore_pmus_fill(info, state.u);
#ifdef PAPI_PARTIAL
	info->partially_disabled = m.partial;
	if (m.partial)
		snprintf(info->partially_disabled_reason, sizeof(info->partially_disabled_reason),
			 "%u of %u boxes are absent: their events cannot be counted, and sums are "
			 "PARTIAL",
			 m.boxes - m.boxes_present, m.boxes);
#endif
}

static bool is_on(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value && strcmp(value, "0") != 0;
}

static int open_machine(void)
{
	char text[UNCORE_ERRMSG_MAX] = "out of memory";
	struct uncore *u = NULL;
	const int ret = uncore_open(&u, NULL);

	if (ret == 0) {
		state.u = u;
		return PAPI_OK;
	}
	if (u)
		uncore_errmsg(u, text, sizeof(text));
	uncore_close(u);
	return disable(result(ret), text);
}

/*
 * Open the machine when its events are first asked for: a program that links PAPI without counting
 * here pays nothing.  The caller holds state.names.
 */
static void wake(void)
{
	PAPI_component_info_t *info = &_uncore_vector.cmp_info;
	char text[UNCORE_ERRMSG_MAX];
	int ret;

	if (!state.delayed)
		return;
	state.delayed = false;
	if (_uncore_library_open(text, sizeof(text)) < 0) {
		disable(PAPI_ENOSUPP, text);
		return;
	}
	snprintf(info->version, sizeof(info->version), "%s", uncore_version());
	/* Register as a user of libpfm4, or PAPI might terminate it while it is in use here. */
	ret = _papi_libpfm4_init(&_uncore_vector);
	if (ret != PAPI_OK) {
		disable(ret, "cannot initialize libpfm4");
		return;
	}
	_papi_hwi_lock(NAMELIB_LOCK);
	ret = open_machine();
	_papi_hwi_unlock(NAMELIB_LOCK);
	if (ret != PAPI_OK) {
		_papi_libpfm4_shutdown(&_uncore_vector);
		return;
	}
	_uncore_forked_init();
	memset(&state.sharing, 0, sizeof(state.sharing));
	_uncore_sharing_warn(&state.sharing, state.u, state.verbose);
	describe(info);
	_papi_hwi_lock(NAMELIB_LOCK);
	_uncore_presets_define(info, state.u);
	_papi_hwi_unlock(NAMELIB_LOCK);
	info->disabled_reason[0] = '\0';
	info->disabled = 0;
}

/* In a forked child, the thread that held the lock does not exist. */
static void enter_child(void)
{
	pthread_mutex_init(&state.names, NULL);
	state.forked = state.u != NULL;
}

/*
 * Reads no device.  PAPI ignores the return value and checks cmp_info.disabled.  In a forked child
 * that initializes PAPI again, this function is called without shutdown_component(), with the
 * parent's handle, or not at all if the parent's component was delayed or disabled.
 */
static int init_component(int cidx)
{
	PAPI_component_info_t *info = &_uncore_vector.cmp_info;

	if (!state.prepared)
		state.prepared = pthread_atfork(NULL, NULL, enter_child) == 0;
	close_handle();
	state.verbose = is_on("UNCORE_VERBOSE");
	state.list_all = is_on("UNCORE_LIST_ALL");
	state.strict = is_on("UNCORE_STRICT");
	state.interval_us = _uncore_multiplex_default();
	info->CmpIdx = cidx;
	_uncore_presets_free(info);
	info->num_native_events = 1; /* TAU's plugin enumerates only components that have events */
	snprintf(info->disabled_reason, sizeof(info->disabled_reason),
		 "not initialized: it will be when its events are listed or added");
	info->disabled = DELAYED;
	state.delayed = true;
	return DELAYED;
}

static int shutdown_component(void)
{
	if (_uncore_vector.cmp_info.disabled || state.delayed)
		return PAPI_OK;
	_uncore_sharing_end(&state.sharing, state.verbose);
	close_handle();
	_uncore_presets_forget(&_uncore_vector.cmp_info);
	return _papi_libpfm4_shutdown(&_uncore_vector);
}

/* PAPI 6.0 calls it before it fills the vector's gaps. */
static int init_thread(hwd_context_t *ctx UNUSED)
{
	return PAPI_OK;
}

static int shutdown_thread(hwd_context_t *ctx UNUSED)
{
	return PAPI_OK;
}

/* ---- event sets ---- */

/* libpfm4 is not thread-safe, and the perf_event component calls it with NAMELIB_LOCK held. */
static bool lock_names(void)
{
	pthread_mutex_lock(&state.names);
	wake();
	_papi_hwi_lock(NAMELIB_LOCK);
	return state.u != NULL;
}

static void unlock_names(void)
{
	_papi_hwi_unlock(NAMELIB_LOCK);
	pthread_mutex_unlock(&state.names);
}

static struct uncore_set *set_of(const struct control *c)
{
	return c->generation == state.generation ? c->set : NULL;
}

static int init_control_state(hwd_control_state_t *ctl)
{
	memset(ctl, 0, sizeof(struct control));
	return PAPI_OK;
}

/* A tool's message about a refused event has no reason, so this one is always printed. */
static bool refuse_means(const unsigned *id, unsigned n)
{
	char why[MEANS_TEXT];
	bool refused;

	if (!_uncore_means_possible())
		return false;
	refused = lock_names() && _uncore_means_refused(state.u, id, n, why, sizeof(why));
	unlock_names();
	if (refused)
		fprintf(stderr, "uncore: %s\n", why);
	return refused;
}

/* PAPI's code or 0. */
static int create_set(struct control *c)
{
	int ret;

	c->n = 0;
	c->set = NULL;
	c->generation = state.generation;
	ret = uncore_set_create(state.u, &c->set);
	if (!ret)
		ret = uncore_set_multiplex(c->set,
					   c->interval_us ? c->interval_us : state.interval_us);
	return result(ret);
}

static int assign(struct control *c, const NativeInfo_t *native, unsigned n)
{
	unsigned id[MAX_EVENTS], i;
	int ret = set_of(c) ? PAPI_OK : create_set(c);

	for (i = 0; i < n; i++)
		id[i] = (unsigned)native[i].ni_event;
	if (ret == PAPI_OK && (n != c->n || memcmp(id, c->id, n * sizeof(id[0])) != 0))
		ret = refuse_means(id, n) ? PAPI_ENOSUPP : result(uncore_set_assign(c->set, id, n));
	if (ret != PAPI_OK)
		return ret;
	memcpy(c->id, id, n * sizeof(id[0]));
	for (i = 0; i < n; i++)
		c->position[i] = (unsigned)native[i].ni_position;
	c->n = n;
	return PAPI_OK;
}

/*
 * PAPI calls this to add and remove events, with the previous list if that failed, and before
 * PAPI_start() if another event set was used meanwhile.  With n = 0, it must release everything
 * and must not fail; the set may be running, and PAPI holds INTERNAL_LOCK, which is not taken here.
 */
static int update_control_state(hwd_control_state_t *ctl, NativeInfo_t *native, int n,
				hwd_context_t *ctx UNUSED)
{
	struct control *c = (struct control *)ctl;

	if (n <= 0) {
		_uncore_overflow_stop_timer(&c->timer);
		if (set_of(c))
			uncore_set_destroy(c->set);
		return init_control_state(ctl);
	}
	if (!state.u || n > MAX_EVENTS)
		return state.u ? PAPI_ECOUNT : PAPI_ENOINIT;
	_uncore_slots_fill(c->slot, native, (unsigned)n);
	return assign(c, native, (unsigned)n);
}

static int start(hwd_context_t *ctx UNUSED, hwd_control_state_t *ctl)
{
	struct control *c = (struct control *)ctl;
	EventSetInfo_t *set = _uncore_overflow_set(_uncore_vector.cmp_info.CmpIdx, &c->timer);
	const char *why = set_of(c) ? _uncore_overflow_prepare(set) : "the event set has no events";
	int ret;

	if (why && state.verbose)
		fprintf(stderr, "uncore: %s\n", why);
	if (why)
		return PAPI_EINVAL;
	memset(c->value, 0, sizeof(c->value));
	c->deferred = 0;
	c->missed = false;
	c->failing = false;
	c->stolen = false;
	ret = uncore_set_start(c->set);
	_uncore_sharing_refused(ret, state.u, state.verbose);
	ret = result(ret);
	_uncore_sharing_warn(&state.sharing, state.u, state.verbose);
	if (ret == PAPI_OK)
		_uncore_sharing_note(&state.sharing, c->set);
	if (ret == PAPI_OK && state.strict) /* only the first check allocates memory */
		uncore_set_check(c->set);
	c->timer.counting = ret == PAPI_OK;
	c->timer.dispatching = false;
	c->timer.restarts++;
	if (set && ret == PAPI_OK)
		_uncore_overflow_start_timer(&c->timer, state.generation);
	return ret;
}

/* Report once that counts may lack a wrap, as for counts that were lost. */
static int stop_missed_wrap(struct control *c)
{
	struct uncore_missed_wrap missed_wrap = {.size = sizeof(missed_wrap)};
	char text[UNCORE_ERRMSG_MAX];
	bool missed = atomic_exchange(&c->missed, false);

	if (set_of(c) && uncore_set_missed_wrap(c->set, &missed_wrap) == 1) {
		missed = true;
		if (state.verbose)
			fprintf(stderr, "uncore: %s\n",
				uncore_missed_wrap_text(c->set, &missed_wrap, text, sizeof(text)));
	}
	return missed ? PAPI_EMISC : PAPI_OK;
}

/* Whether a read has reported the stolen counter.  Call it before the stop restores the registers.
 */
static bool is_theft_reported(struct control *c)
{
	if (!state.strict || !set_of(c))
		return false;
	return uncore_set_check(c->set) == 0 && atomic_load(&c->stolen);
}

/* Counts of the parent process must not be returned as valid; see stop() for "once". */
static int stop_in_child(struct control *c)
{
	_uncore_forked_report();
	if (atomic_exchange(&c->refused, true))
		return result(uncore_set_stop(c->set));
	return _uncore_code(UNCORE_EFORK);
}

/*
 * PAPI also calls this after a failed start.  After an error, PAPI_stop() fails and PAPI considers
 * the event set to be still running, so that it could never be cleaned up.  Corrupted counts must
 * not be returned as valid, either.  Therefore an error is returned once, although the set has
 * stopped, and the next PAPI_stop() succeeds with the last counts.
 */
static int stop(hwd_context_t *ctx UNUSED, hwd_control_state_t *ctl)
{
	struct control *c = (struct control *)ctl;
	int deferred = atomic_exchange(&c->deferred, 0);
	bool counted = c->timer.counting;
	const bool reported = is_theft_reported(c);
	int ret;

	_uncore_overflow_stop_timer(&c->timer);
	c->timer.counting = false;
	if (state.forked && set_of(c))
		return stop_in_child(c);
	ret = set_of(c) ? uncore_set_stop(c->set) : 0;
	if (ret == UNCORE_ESTOLEN && reported)
		ret = 0;
	if (state.verbose && counted && set_of(c))
		_uncore_multiplex_show(state.u, c->set, c->id, c->n);
	if (ret == 0)
		ret = deferred;
	return ret || !counted ? result(ret) : stop_missed_wrap(c);
}

/*
 * Called in signal handlers and in any thread, concurrently.  After a failed register access, the
 * last valid counts are kept.
 */
static int take_counts(struct control *c)
{
	int64_t count[MAX_EVENTS];
	int ret = set_of(c) ? uncore_set_read(c->set, count) : UNCORE_ESTATE;

	if (ret && ret != UNCORE_EIO)
		return 0;
	for (unsigned i = 0; i < c->n; i++)
		__atomic_store_n(&c->value[c->position[i]], (long long)count[i], __ATOMIC_RELAXED);
	return ret;
}

/*
 * With UNCORE_STRICT, report an error once until it has passed.  PAPI_stop() reads before it stops,
 * so an error returned every time would prevent the event set from ever being stopped.
 */
static int report_once(struct control *c, int ret)
{
	if (ret)
		return atomic_exchange(&c->failing, true) ? 0 : ret;
	atomic_store(&c->failing, false);
	ret = set_of(c) ? uncore_set_check(c->set) : 0;
	if (ret == UNCORE_ESTOLEN)
		atomic_store(&c->stolen, true);
	return ret;
}

/* The counts stay those of the last read before the fork. */
static int read_in_child(void)
{
	_uncore_forked_report();
	return _uncore_is_in_stop() ? PAPI_OK : _uncore_code(UNCORE_EFORK);
}

/*
 * Some tools end the program if a read fails, so by default only stop() returns the error.  PAPI
 * ignores errors of reads made in the timer's signal handler.
 */
static int read_counts(hwd_context_t *ctx UNUSED, hwd_control_state_t *ctl, long long **values,
		       int flags UNUSED)
{
	struct control *c = (struct control *)ctl;
	int ret;

	*values = c->value;
	if (state.forked && set_of(c))
		return read_in_child();
	ret = take_counts(c);
	if (state.strict && !c->timer.dispatching)
		return result(report_once(c, ret));
	if (ret)
		atomic_store(&c->deferred, ret);
	return PAPI_OK;
}

/* The deadline of an overflow is a count and has to be adjusted to the new baseline. */
static int reset_overflowing(struct control *c, EventSetInfo_t *set)
{
	long long counts[MAX_EVENTS];
	int ret = take_counts(c);

	if (ret)
		atomic_store(&c->deferred, ret);
	memcpy(counts, c->value, sizeof(counts));
	ret = uncore_set_reset(c->set);
	_uncore_overflow_rebase(set, counts);
	return ret;
}

static int reset(hwd_context_t *ctx UNUSED, hwd_control_state_t *ctl)
{
	struct control *c = (struct control *)ctl;
	EventSetInfo_t *set = _uncore_overflow_set(_uncore_vector.cmp_info.CmpIdx, &c->timer);
	struct uncore_missed_wrap missed_wrap = {.size = sizeof(missed_wrap)};
	int ret;

	if (!set_of(c))
		return PAPI_OK;
	if (uncore_set_missed_wrap(c->set, &missed_wrap) == 1)
		atomic_store(&c->missed, true);
	ret = set ? reset_overflowing(c, set) : uncore_set_reset(c->set);
	if (ret)
		atomic_store(&c->deferred, ret);
	return PAPI_OK;
}

static int write_counts(hwd_context_t *ctx UNUSED, hwd_control_state_t *ctl UNUSED,
			long long *values UNUSED)
{
	return PAPI_ENOSUPP;
}

/*
 * PAPI_set_multiplex(), called before or after events are added.  Events that do not fit can only
 * be added after it.  PAPI's default is 10 ms; it returns the adjusted ns to the caller.
 */
static int multiplex(_papi_int_multiplex_t *option)
{
	struct control *c = (struct control *)option->ESI->ctl_state;
	const unsigned us = _uncore_multiplex_us(option->ns);
	const int ret = set_of(c) ? uncore_set_multiplex(c->set, us) : 0;

	if (ret)
		return result(ret);
	c->interval_us = us;
	option->ns = us * 1000ul;
	return PAPI_OK;
}

/* Uncore counters belong to the package: reject narrower domains instead of ignoring them. */
static int control(hwd_context_t *ctx UNUSED, int code, _papi_int_option_t *option)
{
	if (code == PAPI_DOMAIN && option->domain.domain == PAPI_DOM_ALL)
		return PAPI_OK;
	if (code == PAPI_MULTIPLEX)
		return multiplex(&option->multiplex);
	if (code == PAPI_GRANUL && option->granularity.granularity == PAPI_GRN_SYS)
		return PAPI_OK;
	return PAPI_ENOSUPP;
}

/* Called with the process's default domain.  PAPI would OR an error into another return value. */
static int set_domain(hwd_control_state_t *ctl UNUSED, int domain UNUSED)
{
	return PAPI_OK;
}

/*
 * Handler of the timer signal for PAPI_overflow() and PAPI_profil().  It may run in any thread and
 * at any time, also after PAPI_shutdown(), because PAPI never removes the handler.
 */
static void dispatch_timer(int signal UNUSED, hwd_siginfo_t *si, void *ucontext)
{
	if (state.u)
		_uncore_overflow_signal(_uncore_vector.cmp_info.CmpIdx, state.generation, si,
					ucontext);
}

/* ---- names ---- */

/*
 * Register the event code with PAPI, which would otherwise create a new one for every spelling and
 * every enumeration of the event.
 */
static int publish(unsigned id)
{
	const char *name = uncore_event_name(state.u, id);
	int code = name ? _papi_hwi_native_to_eventcode(_uncore_vector.cmp_info.CmpIdx, (int)id, -1,
							name)
			: PAPI_ENOEVNT;

	if (code < 0)
		return code;
	_papi_hwi_set_papi_event_code((unsigned)code, 1);
	return PAPI_OK;
}

/* Takes as long as the list itself, which a program that only adds an event need not wait for. */
static void count_listed(void)
{
	if (!state.counted)
		_uncore_vector.cmp_info.num_native_events =
			(int)_uncore_listed_count(state.u, state.list_all);
	state.counted = true;
}

/* Return an error for an unknown modifier: PAPI_OK would make the caller iterate forever. */
static int ntv_enum_events(unsigned *code, int modifier)
{
	int ret = 0;

	if (!lock_names())
		;
	else if (modifier == PAPI_ENUM_FIRST || modifier == PAPI_ENUM_EVENTS) {
		count_listed();
		ret = _uncore_listed_next(state.u, state.list_all,
					  modifier == PAPI_ENUM_FIRST ? 0 : *code + 1, code);
	} else if (modifier == PAPI_NTV_ENUM_UMASKS)
		ret = _uncore_listed_umask(state.u, state.list_all, code);
	ret = ret == 1 ? publish(*code) : PAPI_ENOEVNT;
	unlock_names();
	return ret;
}

/*
 * PAPI 7.0 also passes every name without a prefix that no component before this one recognized.
 * Reject those at once and without a message.
 */
static int ntv_name_to_code(const char *name, unsigned *code)
{
	int ret = UNCORE_ENOEVENT;

	if (!strcasestr(name, "unc") && strncasecmp(name, CORE_PMU, strlen(CORE_PMU)) != 0)
		return PAPI_ENOEVNT;
	if (lock_names())
		ret = _uncore_listed_find(state.u, name, code);
	ret = ret ? result(ret) : publish(*code);
	unlock_names();
	return ret;
}

static int ntv_code_to_name(unsigned code, char *name, int len)
{
	const char *found = state.u ? uncore_event_name(state.u, code) : NULL;

	if (!found)
		return PAPI_ENOEVNT;
	return snprintf(name, (size_t)len, "%s", found) < len ? PAPI_OK : PAPI_EBUF;
}

static int ntv_code_to_info(unsigned code, PAPI_event_info_t *info)
{
	struct uncore_event_info event = {.size = sizeof(event)};
	int ret = lock_names() ? uncore_event_info(state.u, code, &event) : UNCORE_EINVAL;

	unlock_names();
	if (ret)
		return PAPI_ENOEVNT;
	_uncore_info(info, &event, state.simulated);
	return PAPI_OK;
}

/* name and short_name must be equal: PAPI prints one and looks up the other. */
papi_vector_t _uncore_vector = {
	.cmp_info = {.name = "uncore",
		     .short_name = "uncore",
		     .description = "Intel Xeon uncore counters through native registers",
		     .num_cntrs = MAX_EVENTS,
		     .num_mpx_cntrs = MAX_EVENTS,
		     .kernel_multiplex = 1,
		     .default_domain = PAPI_DOM_ALL,
		     .available_domains = PAPI_DOM_ALL,
		     .default_granularity = PAPI_GRN_SYS,
		     .available_granularities = PAPI_GRN_SYS,
		     .hardware_intr_sig = PAPI_INT_SIGNAL},
	.size = {.context = sizeof(int),
		 .control_state = sizeof(struct control),
		 .reg_value = sizeof(int),
		 .reg_alloc = sizeof(int)},
	.init_component = init_component,
	.init_thread = init_thread,
	.init_control_state = init_control_state,
	.update_control_state = update_control_state,
	.start = start,
	.stop = stop,
	.read = read_counts,
	.reset = reset,
	.write = write_counts,
	.ctl = control,
	.set_domain = set_domain,
	.dispatch_timer = dispatch_timer,
	.ntv_enum_events = ntv_enum_events,
	.ntv_name_to_code = ntv_name_to_code,
	.ntv_code_to_name = ntv_code_to_name,
	.ntv_code_to_info = ntv_code_to_info,
	.shutdown_thread = shutdown_thread,
	.shutdown_component = shutdown_component,
};
