/* SPDX-License-Identifier: BSD-3-Clause */
/* judge_measured.c - diagnoses that compare with the measurements of `uncore ceilings`. */
#include <string.h>

#include "command/base/text.h"
#include "command/explain/judge.h"

#define LINE 64 /* bytes */

/* NAN: not measured. */
static double ceiling(const struct judged *v, enum ceiling which)
{
	return v->ceilings ? v->ceilings->of[which] : (double)NAN;
}

/* ---- latency ---- */

static double remote_share(const struct package_facts *p)
{
	const double share =
		p->rate[Q_REMOTE_READS] / (p->rate[Q_REMOTE_READS] + p->rate[Q_LOCAL_READS]);

	return isnan(share) ? 0 : share;
}

/* Of an idle machine, for the same parts of local and remote memory. */
static double idle_latency(const struct judged *v)
{
	const double local = ceiling(v, CEILING_LATENCY);
	const double remote = ceiling(v, CEILING_REMOTE_LATENCY);

	return isnan(remote) ? local : local + remote_share(v->p) * (remote - local);
}

double judge_slow_memory(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double ns = ratio_of(p, Q_IN_FLIGHT, Q_MISSES) / p->rate[Q_UCLK] * 1e9;
	const double idle = idle_latency(v);
	const bool possible = v->used < 0.6 && LINE * p->rate[Q_MISSES] > LITTLE_MEMORY;
	const double confidence = possible ? ramp(ns / idle, 1.5, 2.5) : 0;

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of("a read of memory takes %.0f ns in package %u, %.1f times as long as "
			      "on an idle machine, although the bandwidth is not used up",
			      ns, v->package, ns / idle);
	t->evidence = text_of(
		"%s / %s / UNCORE_CLOCKTICKS:pkg=%u %.0f ns; %.0f ns idle (measured); "
		"%.0f %% of the bandwidth",
		p->name[Q_IN_FLIGHT], p->name[Q_MISSES], v->package, ns, idle, percent(v->used));
	return confidence;
}

/* ---- bandwidth ---- */

/* Some processors count lines, others bytes. */
static double bytes_of(const struct package_facts *p, enum quantity q)
{
	const bool bytes = p->name[q] && strstr(p->name[q], "_BYTES");

	return p->rate[q] * (bytes ? 1 : LINE);
}

static double near_ceiling(double bytes, double most)
{
	return bytes > LITTLE_MEMORY ? ramp(bytes / most, 0.6, 0.9) : 0;
}

static char *measured_evidence(const struct judged *v, enum quantity q, double bytes, double most)
{
	char used[RATE_TEXT], limit[RATE_TEXT];

	return text_of("%s:pkg=%u %s of %s (measured)", v->p->name[q], v->package,
		       bandwidth(used, bytes), bandwidth(limit, most));
}

double judge_remote_bandwidth(const struct judged *v, struct texts *t)
{
	const double bytes = bytes_of(v->p, Q_REMOTE_READS), most = ceiling(v, CEILING_REMOTE);
	const double confidence = near_ceiling(bytes, most);

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of("bound by the bandwidth between packages: package %u reads %.0f %% "
			      "of what it can read from another package",
			      v->package, percent(bytes / most));
	t->evidence = measured_evidence(v, Q_REMOTE_READS, bytes, most);
	return confidence;
}

double judge_cache_bandwidth(const struct judged *v, struct texts *t)
{
	const double bytes = LINE * v->p->rate[Q_LLC_READS], most = ceiling(v, CEILING_CACHE);
	const double confidence = near_ceiling(bytes, most);

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"bound by the bandwidth of the last-level cache of package %u: %.0f %% of it is in use",
		v->package, percent(bytes / most));
	t->evidence = measured_evidence(v, Q_LLC_READS, bytes, most);
	return confidence;
}
