/* SPDX-License-Identifier: BSD-3-Clause */
/* latency.c - see latency.h. */
#include "daemon/latency.h"

#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "backend/daemon/wire.h"
#include "daemon/say.h"

static int64_t ns_of(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

void latency_begin(const struct latency *l, int fd)
{
	const int on = 1;

	if (l->measured)
		setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on));
}

int64_t latency_arrival(struct msghdr *message)
{
	struct timespec t;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS &&
		    c->cmsg_len >= CMSG_LEN(sizeof(t))) {
			memcpy(&t, CMSG_DATA(c), sizeof(t));
			return ns_of(&t);
		}
	return 0;
}

static bool find_kind(unsigned kind, enum latency_kind *found)
{
	*found = kind == UNC_WIRE_READ ? LATENCY_READ : LATENCY_START;
	return kind == UNC_WIRE_READ || kind == UNC_WIRE_START || kind == UNC_WIRE_STOP;
}

void latency_note(struct latency *l, uid_t user, unsigned kind, int64_t arrived)
{
	enum latency_kind which;
	struct timespec now;
	int64_t took;

	if (!l->measured || user != l->user || !arrived || !find_kind(kind, &which))
		return;
	clock_gettime(CLOCK_REALTIME, &now);
	took = ns_of(&now) - arrived;
	l->kinds[which].n++;
	l->kinds[which].sum += took;
	if (took > l->kinds[which].longest)
		l->kinds[which].longest = took;
}

static double mean_ms(const struct latency_of *of)
{
	return of->n ? 1e-6 * (double)of->sum / (double)of->n : 0;
}

void latency_report(const struct latency *l)
{
	const struct latency_of *read = &l->kinds[LATENCY_READ], *start = &l->kinds[LATENCY_START];

	if (l->measured)
		daemon_say(SAY_INFO,
			   "latency of user %u: %" PRIu64 " reads, mean %.3f ms, longest %.3f ms; "
			   "%" PRIu64 " starts and stops, mean %.3f ms, longest %.3f ms",
			   (unsigned)l->user, read->n, mean_ms(read), 1e-6 * (double)read->longest,
			   start->n, mean_ms(start), 1e-6 * (double)start->longest);
}
