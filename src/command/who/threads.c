/* SPDX-License-Identifier: BSD-3-Clause */
/* threads.c - see threads.h. */
#include "command/who/threads.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/files.h"
#include "command/base/clock.h"
#include "command/base/text.h"

#define LINE 64

/* The read_format of an event; the times are in ns. */
struct counted {
	uint64_t value, enabled, running;
};

struct thread_counter {
	pid_t tid;
	uint64_t start; /* of its process: numbers are used again */
	int fd;         /* -1: refused, or the thread had ended */
	unsigned package;
	struct counted last;
	double gain; /* counts since then */
	char *owner;
	bool here;
	bool refused; /* the kernel did not let it be counted */
	bool starved; /* it ran without its counter: the gain is unknown */
};

/* ---- counters ---- */

/* Where users may not count the kernel, their programs alone. */
static int open_event(struct perf_event_attr *event, pid_t thread)
{
	int fd = (int)syscall(SYS_perf_event_open, event, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd >= 0 || errno != EACCES || event->exclude_kernel)
		return fd;
	event->exclude_kernel = 1;
	return (int)syscall(SYS_perf_event_open, event, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Scaled if the kernel multiplexes the counter. */
static double gain_of(const struct counted *now, const struct counted *last)
{
	const uint64_t enabled = now->enabled - last->enabled;
	const uint64_t running = now->running - last->running;

	return running ? (double)(now->value - last->value) * (double)enabled / (double)running : 0;
}

/* No gain is known of a thread that ran while others had the counter, or that cannot be read. */
static void read_event(struct thread_counter *c)
{
	struct counted now;

	c->gain = 0;
	if (c->fd < 0)
		return;
	c->starved = read(c->fd, &now, sizeof(now)) != sizeof(now);
	if (c->starved)
		return;
	c->starved = now.enabled > c->last.enabled && now.running <= c->last.running;
	c->gain = gain_of(&now, &c->last);
	c->last = now;
}

/* ---- threads ---- */

static unsigned package_of(const struct threads *t, unsigned cpu)
{
	return cpu < t->n_cpus ? t->packages[cpu] : 0;
}

static struct thread_counter *find_counter(const struct threads *t, const struct proc *p, pid_t tid)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i].tid == tid && t->list[i].start == p->start)
			return &t->list[i];
	return NULL;
}

static struct thread_counter *add_counter(struct threads *t, const struct proc *p, pid_t tid)
{
	struct thread_counter *c;

	t->list = need_more(t->list, t->n + 1, sizeof(*t->list));
	c = &t->list[t->n++];
	*c = (struct thread_counter){.tid = tid, .start = p->start, .owner = owner_shown(p, t->by)};
	c->fd = open_event(t->event, tid);
	c->refused = c->fd < 0 && errno != ESRCH; /* ESRCH: it ended before */
	if (c->refused)
		t->error = errno;
	return c;
}

void threads_look(struct threads *t, const struct procs *procs)
{
	for (size_t i = 0; i < t->n; i++)
		t->list[i].here = false;
	for (size_t i = 0; i < procs->n; i++) {
		const struct proc *p = &procs->list[i];

		for (size_t k = 0; owner_is_shown(p) && k < p->n; k++) {
			struct thread_counter *c = find_counter(t, p, p->threads[k].tid);

			if (!c)
				c = add_counter(t, p, p->threads[k].tid);
			c->here = true;
			c->package = package_of(t, p->threads[k].cpu);
		}
	}
}

static void forget(struct thread_counter *c)
{
	if (c->fd >= 0)
		close(c->fd);
	free(c->owner);
}

/* The first pass takes the counts, since what follows takes time of its own. */
static struct counted_time read_all(struct threads *t)
{
	struct looked_at now = {.before = seconds_now()};
	struct counted_time time;

	for (size_t i = 0; i < t->n; i++)
		read_event(&t->list[i]);
	now.after = seconds_now();
	time = time_between(t->at, now);
	t->at = now;
	return time;
}

static void charge(struct threads *t, const struct thread_counter *c, struct counted_time time)
{
	struct share *share = shares_of(&t->shares, c->owner);
	const double bytes = LINE * c->gain;

	share->values.total[c->package] += bytes;
	share_rate(share, c->package, bytes, bytes, time);
}

/* The counter of a thread that has ended keeps its count until it is closed. */
void threads_read(struct threads *t)
{
	const struct counted_time time = read_all(t);
	size_t left = 0;

	shares_free(&t->shares);
	t->ungrouped = t->starved = 0;
	for (size_t i = 0; i < t->n; i++) {
		struct thread_counter *c = &t->list[i];

		if (c->package < WHO_PACKAGES)
			charge(t, c, time);
		t->ungrouped += c->here && c->refused;
		t->starved += c->starved;
		if (c->here)
			t->list[left++] = *c;
		else
			forget(c);
	}
	t->n = left;
}

/* ---- opening ---- */

static void find_packages(struct threads *t, struct uncore *u)
{
	struct uncore_cpu_info cpu = {.size = sizeof(cpu)};

	for (unsigned i = 0; uncore_cpu(u, i, &cpu) == 1; i++) {
		const size_t before = t->n_cpus;

		if (cpu.cpu >= t->n_cpus) {
			t->n_cpus = cpu.cpu + 1;
			t->packages = need_more(t->packages, t->n_cpus, sizeof(*t->packages));
			memset(t->packages + before, 0,
			       (t->n_cpus - before) * sizeof(*t->packages));
		}
		t->packages[cpu.cpu] = cpu.package;
	}
}

static struct perf_event_attr *new_event(const struct perf_event_attr *like)
{
	struct perf_event_attr *event = need_memory(1, sizeof(*event));

	if (like)
		*event = *like;
	else {
		event->type = PERF_TYPE_HARDWARE;
		event->config = PERF_COUNT_HW_CACHE_MISSES;
	}
	event->size = sizeof(*event);
	event->read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return event;
}

bool threads_open(struct threads *t, struct uncore *u, const struct perf_event_attr *event,
		  enum who_by by, char *why, size_t len)
{
	int fd;

	*t = (struct threads){.by = by, .event = new_event(event)};
	fd = open_event(t->event, 0);
	if (fd >= 0) {
		close(fd);
		unc_allow_many_files(); /* each thread needs a descriptor */
		find_packages(t, u);
		return true;
	}
	snprintf(why, len, "perf cannot count misses of the last-level cache: %s", strerror(errno));
	threads_close(t);
	return false;
}

void threads_close(struct threads *t)
{
	for (size_t i = 0; i < t->n; i++)
		forget(&t->list[i]);
	free(t->list);
	free(t->packages);
	free(t->event);
	shares_free(&t->shares);
}
