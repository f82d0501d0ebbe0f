/* SPDX-License-Identifier: BSD-3-Clause */
/* remote.c - requests to uncored and their answers; see remote.h. */
#include "backend/daemon/remote.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/daemon/connection.h"

/* ---- start ---- */

static void *append(void *at, const void *from, size_t size)
{
	if (size)
		memcpy(at, from, size);
	return (char *)at + size;
}

static size_t length(const struct unc_remote_wish *w)
{
	size_t all = w->n_stops * sizeof(*w->stops) + w->n * sizeof(*w->codes) +
		     (w->groups ? w->n * sizeof(*w->groups) : 0);

	for (size_t i = 0; i < w->n; i++)
		all += strlen(w->names[i]) + 1 + (w->owners ? strlen(w->owners[i]) + 1 : 0);
	return all;
}

/* The data after the head, laid out as in wire.h. */
static void *write_wish(const struct unc_remote_wish *w, size_t all)
{
	void *text = malloc(all + 1), *at = text;

	if (!text)
		return NULL;
	at = append(at, w->stops, w->n_stops * sizeof(*w->stops));
	at = append(at, w->codes, w->n * sizeof(*w->codes));
	at = append(at, w->groups, w->groups ? w->n * sizeof(*w->groups) : 0);
	for (size_t i = 0; i < w->n; i++) {
		at = append(at, w->names[i], strlen(w->names[i]) + 1);
		if (w->owners)
			at = append(at, w->owners[i], strlen(w->owners[i]) + 1);
	}
	return text;
}

/* Repeat the request if the daemon was restarted since the last one. */
static int ask_to_start(struct unc_remote *r, struct unc_wire_request *q, char *wish,
			struct unc_reply *a, struct unc_err *err)
{
	int code = unc_ask(r, q, wish, a), file = -1;

	if (code < 0) {
		code = unc_hello(r, &file, err);
		if (file >= 0)
			close(file);
		if (code < 0)
			return code;
		code = unc_ask(r, q, wish, a);
	}
	return code < 0 ? unc_gone(r, err, code) : unc_verdict(a, err);
}

/* The next part of an answer; false: the answer is too short. */
static bool take(struct unc_reply *a, void *to, size_t size)
{
	if (a->got < size)
		return false;
	memcpy(to, a->body, size);
	a->body += size;
	a->got -= size;
	return true;
}

static void end_texts(struct unc_wire_sample *samples, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		samples[i].kind[sizeof(samples[i].kind) - 1] = '\0';
		samples[i].polled[sizeof(samples[i].polled) - 1] = '\0';
	}
}

/* Skipped if there are no samples. */
static void take_samples(struct unc_reply *a, struct unc_wire_samples *to)
{
	if (!to || !take(a, to, sizeof(*to)))
		return;
	to->n = to->n < UNC_WIRE_STOPS ? to->n : UNC_WIRE_STOPS;
	to->n_sources = to->n_sources < UNC_WIRE_SOURCES ? to->n_sources : UNC_WIRE_SOURCES;
	end_texts(to->at, UNC_WIRE_STOPS);
	end_texts(to->sources, UNC_WIRE_SOURCES);
}

static struct unc_wire_request request_of(const struct unc_remote_wish *w, size_t all)
{
	struct unc_wire_request q = unc_request(UNC_WIRE_START);

	q.n = (uint32_t)w->n;
	q.bytes = (uint32_t)all;
	q.flags = UNC_WIRE_CODES | (w->owners ? UNC_WIRE_OWNER : 0) |
		  (w->groups ? UNC_WIRE_GROUPS : 0);
	q.interval_us = w->interval_us;
	q.stops = w->n_stops;
	q.cores = w->cores;
	q.refresh_us = w->refresh_us;
	return q;
}

int unc_remote_start(struct unc_remote *r, const struct unc_remote_wish *w,
		     struct unc_remote_set *set, struct unc_wire_samples *samples, int *page,
		     struct unc_err *err)
{
	const size_t all = length(w);
	struct unc_wire_request q = request_of(w, all);
	char body[sizeof(*samples) + UNCORE_ERRMSG_MAX], *wish;
	struct unc_reply a = {.body = body, .room = sizeof(body), .file = -1};
	sigset_t before;
	int code;

	*page = -1;
	if (all > UNC_WIRE_BYTES || w->n > UNC_WIRE_EVENTS)
		return unc_fail(
			err, UNCORE_EINVAL,
			"too many events for one set of uncored: %zu (maximum: %d events, %d bytes "
			"of names)",
			w->n, UNC_WIRE_EVENTS, UNC_WIRE_BYTES);
	wish = write_wish(w, all);
	if (!wish)
		return unc_fail(err, UNCORE_ENOMEM, "out of memory for a request to uncored");
	unc_remote_lock(r, &before);
	code = ask_to_start(r, &q, wish, &a, err);
	if (code == 0)
		take_samples(&a, samples);
	*set = (struct unc_remote_set){a.head.set, r->connection, a.head.rounds};
	unc_remote_unlock(r, &before);
	*page = a.file;
	free(wish);
	return code < 0 ? code : (int)a.head.n;
}

/* ---- requests for a set ---- */

static int ask_of_set(struct unc_remote *r, struct unc_wire_request q, struct unc_remote_set set,
		      struct unc_reply *a)
{
	sigset_t before;
	int code;

	q.set = set.number;
	unc_remote_lock(r, &before);
	code = set.connection == r->connection ? unc_ask(r, &q, NULL, a) : -ENOTCONN;
	unc_remote_unlock(r, &before);
	return code;
}

/* Exactly that many bytes, directly to their destination. */
static int fetch(struct unc_remote *r, enum unc_wire_kind kind, struct unc_remote_set set, void *to,
		 size_t size, struct unc_remote_state *state)
{
	struct unc_reply a = {.body = to, .room = size};
	const int code = ask_of_set(r, unc_request(kind), set, &a);

	if (code < 0)
		return code;
	*state = (struct unc_remote_state){a.head.enabled, a.head.missed != 0};
	return a.head.code < 0 || a.got != size ? -EIO : 0;
}

int unc_remote_read(struct unc_remote *r, struct unc_remote_set set, uint64_t *counts, size_t n,
		    struct unc_remote_state *state)
{
	return fetch(r, UNC_WIRE_READ, set, counts, n * sizeof(*counts), state);
}

void unc_remote_report_unread(const void *remote, struct unc_err *err)
{
	const struct unc_remote *r = remote;
	const int lost = atomic_load(&r->lost);

	if (lost)
		unc_gone(r, err, lost);
	else
		unc_fail(err, UNCORE_EIO,
			 "cannot read the event set: uncored at %s stopped it or could not read a "
			 "register; stop the set to get the reason",
			 r->address.sun_path);
}

int unc_remote_windows(struct unc_remote *r, struct unc_remote_set set,
		       struct unc_wire_window *windows, size_t n, struct unc_remote_state *state)
{
	return fetch(r, UNC_WIRE_TIMES, set, windows, n * sizeof(*windows), state);
}

int unc_remote_missed(struct unc_remote *r, struct unc_remote_set set,
		      struct unc_wire_missed *missed)
{
	struct unc_remote_state state;

	return fetch(r, UNC_WIRE_MISSED, set, missed, sizeof(*missed), &state);
}

int unc_remote_ask(struct unc_remote *r, enum unc_wire_kind kind, struct unc_remote_set set,
		   struct unc_wire_samples *samples, struct unc_err *err)
{
	char body[sizeof(*samples) + UNCORE_ERRMSG_MAX];
	struct unc_reply a = {.body = body, .room = sizeof(body)};
	const int code = ask_of_set(r, unc_request(kind), set, &a);

	if (code < 0)
		return unc_gone(r, err, code);
	if (a.head.code < 0)
		return unc_verdict(&a, err);
	take_samples(&a, samples);
	return a.head.code;
}

static void take_last(struct unc_reply *a, struct unc_remote_last *last)
{
	const size_t counts = last->n * sizeof(*last->counts);
	const size_t windows = last->windows ? last->n * sizeof(*last->windows) : 0;

	last->enabled = a->head.enabled;
	if (a->head.n != last->n || a->got < counts + windows)
		return;
	take(a, last->counts, counts);
	if (last->windows)
		take(a, last->windows, windows);
	take(a, &last->missed, sizeof(last->missed));
	take_samples(a, last->samples);
}

int unc_remote_stop(struct unc_remote *r, struct unc_remote_set set, struct unc_remote_last *last,
		    struct unc_err *err)
{
	char body[UNC_WIRE_ANSWER + UNCORE_ERRMSG_MAX];
	struct unc_reply a = {.body = body, .room = sizeof(body)};
	const int code = ask_of_set(r, unc_request(UNC_WIRE_STOP), set, &a);

	if (code < 0)
		return unc_gone(r, err, code);
	take_last(&a, last);
	return unc_verdict(&a, err);
}
