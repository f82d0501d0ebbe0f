/* SPDX-License-Identifier: BSD-3-Clause */
/* start.c - requests to count a list of events: check and start. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/documents.h"
#include "daemon/planner.h"
#include "uncore_inspect.h"

/* ---- message of a start ---- */

/* Elements of that size, at an address that may be unaligned. */
static bool take(struct reader *from, void *to, size_t n, size_t size)
{
	if (n > (from->m->got - from->at) / size)
		return false;
	memcpy(to, from->m->body + from->at, n * size);
	from->at += n * size;
	return true;
}

struct wanted {
	uint32_t n, n_stops;
	struct unc_wire_stop stops[UNC_WIRE_STOPS];
	uint64_t codes[UNC_WIRE_EVENTS];
	unsigned ids[UNC_WIRE_EVENTS];
	unsigned groups[UNC_WIRE_EVENTS];
	bool grouped, coded;
	bool energy;         /* it has energy events */
	struct reader names; /* the next one is the first */
};

static int too_little(struct answer *a)
{
	answer_say(a, UNCORE_EINVAL, "invalid request: fewer names than events");
	return UNCORE_EINVAL;
}

static int take_lists(const struct message *m, struct wanted *w, struct answer *a)
{
	w->n = m->head.n;
	w->n_stops = m->head.stops;
	w->energy = false;
	w->grouped = (m->head.flags & UNC_WIRE_GROUPS) != 0;
	w->coded = (m->head.flags & UNC_WIRE_CODES) != 0;
	w->names = (struct reader){m, 0};
	if (w->n_stops > UNC_WIRE_STOPS) {
		answer_say(a, UNCORE_EINVAL,
			   "too many events that stop counting: the maximum is "
			   "%d",
			   UNC_WIRE_STOPS);
		return UNCORE_EINVAL;
	}
	if (!take(&w->names, w->stops, w->n_stops, sizeof(*w->stops)) ||
	    (w->coded && !take(&w->names, w->codes, w->n, sizeof(*w->codes))) ||
	    (w->grouped && !take(&w->names, w->groups, w->n, sizeof(*w->groups))))
		return too_little(a);
	return 0;
}

/* Energy counts reveal what a processor works on (docs/permissions.md, "Energy"). */
static int allow(const struct server *s, const struct client *c, unsigned id, bool *energy,
		 struct answer *a)
{
	struct uncore_event_info info = {.size = sizeof(info)};
	int r = uncore_event_info(s->u, id, &info);

	*energy |= info.energy;
	if (r < 0)
		answer_say_why(s, a, r);
	else if (*info.formula)
		answer_say(a, r = UNCORE_EINVAL,
			   "uncored does not count metrics: clients compute them from events");
	else if (info.energy && !(c->may & UNC_MAY_ENERGY))
		answer_say(a, r = UNCORE_EACCESS,
			   "uncored counts energy for root only: allow `energy` in its policy, "
			   "or start it with --energy to allow all users");
	return r;
}

/* Lists of events, and versions of the tables, may use a name for another event. */
static int check_code(const struct server *s, unsigned id, uint64_t code, const char *name,
		      struct answer *a)
{
	struct uncore_encoding is = {.size = sizeof(is)};
	const int r = uncore_event_encoding(s->u, id, &is);

	if (r < 0) {
		answer_say_why(s, a, r);
		return r;
	}
	if (is.code == code)
		return 0;
	answer_say(a, UNCORE_ENOEVENT,
		   "cannot count %s: uncored and this program encode it differently; use the "
		   "same version and event lists",
		   name);
	return UNCORE_ENOEVENT;
}

static int look_up(const struct server *s, const struct client *c, const struct message *m,
		   struct wanted *w, struct answer *a)
{
	const unsigned names = m->head.flags & UNC_WIRE_OWNER ? 2 : 1;
	struct reader from = w->names;
	int r = 0;

	for (uint32_t i = 0; r == 0 && i < w->n * names; i++) {
		const char *name = reader_name(&from);

		if (!name)
			return too_little(a);
		if (i % names)
			continue;
		r = uncore_event(s->u, name, &w->ids[i / names]);
		if (r < 0)
			answer_say_why(s, a, r);
		else
			r = allow(s, c, w->ids[i / names], &w->energy, a);
		if (r == 0 && w->coded)
			r = check_code(s, w->ids[i / names], w->codes[i / names], name, a);
	}
	return r;
}

/* The library's message for its limit does not name the user. */
static void say_limit(const struct client *c, unsigned limit, struct answer *a)
{
	const bool own = limit == NAMES_OF_USER;

	answer_say(a, UNCORE_ENOMEM,
		   "uncored has reached its limit of %u event names for %s: count events that "
		   "were counted before, or restart uncored (user %u)",
		   limit, own ? "one user" : "all users together", (unsigned)c->user->uid);
}

static int find_events(struct server *s, const struct client *c, const struct message *m,
		       struct wanted *w, struct answer *a)
{
	unsigned limit;
	int r;

	names_begin(&s->users, s->u, c->user);
	r = look_up(s, c, m, w, a);
	limit = names_end(&s->users, s->u, c->user);
	if (r == UNCORE_ENOMEM && limit)
		say_limit(c, limit, a);
	return r;
}

/* ---- start ---- */

static size_t counted(const struct client *c)
{
	size_t n = 0;

	for (size_t i = 0; i < MAX_SETS; i++)
		n += c->sets[i].n;
	return n;
}

static int stop_after(struct uncore_set *set, const struct message *m, const struct wanted *w)
{
	struct uncore_stop_after list[UNC_WIRE_STOPS];

	for (uint32_t i = 0; i < w->n_stops; i++)
		list[i] = (struct uncore_stop_after){
			.size = sizeof(list[i]),
			.event = w->stops[i].event,
			.count = w->stops[i].count,
		};
	return uncore_set_stop_after(set, list, w->n_stops, m->head.cores);
}

static int make(const struct server *s, const struct message *m, const struct wanted *w,
		struct client_set *place)
{
	int r = uncore_set_create(s->u, &place->set);

	if (r == 0 && m->head.interval_us)
		r = uncore_set_multiplex(place->set, m->head.interval_us);
	if (r == 0)
		r = uncore_set_assign_groups(place->set, w->ids, w->grouped ? w->groups : NULL,
					     w->n);
	if (r == 0 && w->n_stops)
		r = stop_after(place->set, m, w);
	return r;
}

static unsigned megabytes(size_t bytes)
{
	return (unsigned)((bytes + 999999) / 1000000);
}

/* Account the memory of the new set to its user, within the limit. */
static int take_memory(struct server *s, struct client_set *place, const struct uncore_cost *cost,
		       struct answer *a)
{
	const size_t bytes = (size_t)cost->bytes;
	size_t all;

	place->user->bytes -= place->bytes;
	place->bytes = 0;
	place->counters = (size_t)cost->counters;
	all = memory_take(&s->users, place->user, bytes);
	if (all == 0) {
		place->bytes = bytes;
		return 0;
	}
	answer_say(a, UNCORE_ENOMEM,
		   "cannot start the event set: the sets of user %u would use %u MB of memory in "
		   "uncored, the limit is %u MB (this set: %zu counters, %u MB); stop another "
		   "set, count fewer events, or raise uncored --memory",
		   (unsigned)place->user->uid, megabytes(all), megabytes(memory_most(&s->users)),
		   place->counters, megabytes(bytes));
	return UNCORE_ENOMEM;
}

/* In addition to what the library needs: the request, and the page of counts. */
static int take_memory_of_set(struct server *s, const struct message *m, struct client_set *place,
			      struct answer *a)
{
	struct uncore_cost cost = {.size = sizeof(cost)};
	const int r = uncore_set_cost(place->set, &cost);

	cost.bytes += m->got + (m->head.refresh_us ? sizeof(*place->page) : 0);
	return r < 0 ? r : take_memory(s, place, &cost, a);
}

/* A large set that has no room is refused before it is planned, since others wait meanwhile. */
static int begin(struct server *s, const struct message *m, const struct wanted *w,
		 struct client_set *place, struct answer *a)
{
	struct uncore_cost least = {.size = sizeof(least)};
	int r = uncore_cost(s->u, w->ids, w->n, &least);

	if (r == 0)
		r = take_memory(s, place, &least, a);
	if (r == 0)
		r = make(s, m, w, place);
	if (r == 0)
		r = take_memory_of_set(s, m, place, a);
	return r < 0 ? r : uncore_set_start(place->set);
}

static void started(const struct wanted *w, struct client_set *place, unsigned by_others,
		    struct answer *a)
{
	struct uncore_set_info info = {.size = sizeof(info)};

	place->ids = malloc(w->n * sizeof(*place->ids));
	if (place->ids) /* else it is listed without names */
		memcpy(place->ids, w->ids, w->n * sizeof(*place->ids));
	a->head.n = by_others;
	uncore_set_info(place->set, &info);
	a->head.rounds = info.rounds;
	daemon_add_samples(place, a);
}

static int add_page(struct server *s, const struct message *m, struct client_set *place,
		    struct answer *a)
{
	if (!m->head.refresh_us)
		return 0;
	a->file = daemon_page_new(s, place, m->head.refresh_us);
	if (a->file >= 0)
		return 0;
	answer_say(a, UNCORE_ENOMEM, "uncored is out of memory for a page of counts: %s",
		   strerror(errno));
	return UNCORE_ENOMEM;
}

static bool has_place(const struct client *c)
{
	size_t n = 0;

	while (n < MAX_SETS && c->sets[n].number)
		n++;
	return n < MAX_SETS;
}

static bool has_room(const struct client *c, const struct message *m, struct answer *a)
{
	if (!(c->may & UNC_MAY_COUNT)) {
		answer_say(a, UNCORE_EACCESS,
			   "this user may not count: the policy of uncored must allow `count` "
			   "(" UNC_DOC_DAEMON ")");
		return false;
	}
	if (!has_place(c)) {
		answer_say(a, UNCORE_ECONFLICT,
			   "too many event sets: uncored allows %d per program; stop one of them",
			   MAX_SETS);
		return false;
	}
	if (m->head.refresh_us && m->head.refresh_us < UNCORE_REFRESH_MIN_US) {
		answer_say(a, UNCORE_EINVAL,
			   "invalid refresh interval: the minimum of uncored "
			   "is %d us",
			   UNCORE_REFRESH_MIN_US);
		return false;
	}
	if (m->head.n == 0 || m->head.n > UNC_WIRE_EVENTS || counted(c) + m->head.n > MAX_COUNTED) {
		answer_say(a, UNCORE_ECONFLICT,
			   "invalid number of events: uncored allows 1 to %d per set and %d per "
			   "program",
			   UNC_WIRE_EVENTS, MAX_COUNTED);
		return false;
	}
	return true;
}

/* The memory for destroying the set is allocated before it counts. */
static int prepare(struct server *s, const struct client *c, const struct message *m,
		   const struct wanted *w, struct client_set *set)
{
	*set = (struct client_set){
		.user = c->user,
		.n = m->head.n,
		.multiplexed = m->head.interval_us != 0,
		.energy = w->energy,
		.drop = malloc(sizeof(*set->drop)),
	};
	if (!set->drop)
		return UNCORE_ENOMEM;
	return m->head.flags & UNC_WIRE_OWNER ? owner_new(s, c, &w->names, w->n, &set->owner) : 0;
}

void daemon_start(struct server *s, const struct client *c, const struct message *m,
		  struct client_set *set, struct answer *a)
{
	struct wanted w;
	int r, by_others;

	if (!has_room(c, m, a) || take_lists(m, &w, a) < 0 || find_events(s, c, m, &w, a) < 0)
		return;
	by_others = prepare(s, c, m, &w, set);
	if (by_others == UNCORE_ENOMEM)
		answer_say(a, UNCORE_ENOMEM, "uncored is out of memory for an event set");
	r = by_others < 0 ? by_others : begin(s, m, &w, set, a);
	if (r == 0)
		started(&w, set, (unsigned)by_others, a);
	else if (a->head.code == 0)
		answer_say_why(s, a, r);
	if (r < 0)
		daemon_destroy_set(s, set);
}

void daemon_install(struct server *s, struct client *c, const struct message *m,
		    const struct client_set *set, struct answer *a)
{
	struct client_set *place = daemon_find_set(c, 0);

	*place = *set;
	if (++c->last == 0)
		c->last = 1;
	place->number = a->head.set = c->last;
	if (add_page(s, m, place, a) < 0)
		daemon_drop(s, place);
	else
		daemon_stop_forbidden(s, c); /* the policy may have changed meanwhile */
}
