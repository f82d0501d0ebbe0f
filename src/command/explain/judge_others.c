/* SPDX-License-Identifier: BSD-3-Clause */
/* judge_others.c - diagnoses of devices, other memory, frequencies and other programs. */
#include <stdlib.h>

#include "command/base/devices.h"
#include "command/base/text.h"
#include "command/explain/judge.h"

/* ---- devices ---- */

/* A stack, or one port of it, and its devices. */
struct mover {
	struct box_fact is;
	char *devices; /* NULL: unknown */
};

static void take(struct mover *m, const struct box_fact *fact)
{
	if (m->devices && fact->devices)
		m->devices = text_and(m->devices, ", %s", fact->devices);
	else if (fact->devices)
		m->devices = text_of("%s", fact->devices);
	m->is.rate += fact->rate;
}

/* All ports of a stack. */
static struct mover whole_stack(const struct box_facts *stacks, unsigned number)
{
	struct mover m = {.is = {.number = number}};

	for (size_t i = 0; i < stacks->n; i++)
		if (stacks->at[i].number == number)
			take(&m, &stacks->at[i]);
	return m;
}

static struct mover one_place(const struct box_fact *fact)
{
	struct mover m = {.is = {.number = fact->number, .port = fact->port}};

	take(&m, fact);
	return m;
}

/* The port that moves more than half of the bytes, or else the stack that does; rate 0: none. */
static struct mover busiest(const struct box_facts *stacks)
{
	double sum = 0;

	for (size_t i = 0; i < stacks->n; i++)
		sum += stacks->at[i].rate;
	for (size_t i = 0; i < 2 * stacks->n; i++) {
		const struct box_fact *fact = &stacks->at[i % stacks->n];
		struct mover m =
			i < stacks->n ? one_place(fact) : whole_stack(stacks, fact->number);

		if (m.is.rate > sum / 2)
			return m;
		free(m.devices);
	}
	return (struct mover){.devices = NULL};
}

static void name_device(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	struct mover m = busiest(&p->stacks);
	char text[RATE_TEXT], *part, *port;

	if (!m.devices)
		return;
	part = m.is.port ? text_of(", part %u", m.is.port - 1) : text_of("%s", "");
	port = m.is.port ? text_of(":part=%u", m.is.port - 1) : text_of("%s", "");
	t->sentence = text_and(t->sentence, "; most of it by %s (stack %s%u%s)", m.devices,
			       DEVICES_OF, m.is.number, part);
	t->evidence = text_and(t->evidence, "; %s + %s%s:box=%u:pkg=%u %s", p->name[Q_STACK_READ],
			       p->name[Q_STACK_WRITE], port, m.is.number, v->package,
			       bandwidth(text, m.is.rate));
	free(port);
	free(part);
	free(m.devices);
}

double judge_devices(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double bytes = p->rate[Q_DEVICE_READ] + p->rate[Q_DEVICE_WRITE];
	const double confidence =
		bytes > LITTLE_MEMORY ? ramp(bytes / memory_traffic(p), 0.25, 0.55) : 0;
	char text[RATE_TEXT];

	if (confidence < CONFIDENT)
		return 0;
	t->sentence =
		text_of("PCIe devices of package %u move %s, %.0f %% of the memory traffic",
			v->package, bandwidth(text, bytes), percent(bytes / memory_traffic(p)));
	t->evidence = text_of("%s + %s:pkg=%u %s", p->name[Q_DEVICE_READ], p->name[Q_DEVICE_WRITE],
			      v->package, bandwidth(text, bytes));
	name_device(v, t);
	return confidence;
}

double judge_device_misses(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double share = ratio_of(p, Q_DEVICE_MISSES, Q_DEVICE_WRITE);
	const double confidence =
		p->rate[Q_DEVICE_WRITE] > LITTLE_MEMORY ? ramp(share, 0.5, 0.8) : 0;
	char text[RATE_TEXT];

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"%.0f %% of what PCIe devices of package %u write misses the last-level cache",
		percent(share), v->package);
	t->evidence = text_of("%s / %s:pkg=%u %.2f of %s", p->name[Q_DEVICE_MISSES],
			      p->name[Q_DEVICE_WRITE], v->package, share,
			      bandwidth(text, p->rate[Q_DEVICE_WRITE]));
	return confidence;
}

/* ---- other memory ---- */

static double in_use(double bytes, double memory)
{
	return bytes > LITTLE_MEMORY / 10 ? ramp(bytes / (bytes + memory), 0.01, 0.07) : 0;
}

double judge_pmem(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double confidence = in_use(p->rate[Q_PMEM], memory_traffic(p));
	char text[RATE_TEXT];

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"persistent memory of package %u is in use, which is several times slower than DRAM",
		v->package);
	t->evidence = text_of("%s:pkg=%u %s", p->name[Q_PMEM], v->package,
			      bandwidth(text, p->rate[Q_PMEM]));
	return confidence;
}

double judge_hbm(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double confidence = in_use(p->rate[Q_HBM], memory_traffic(p));
	char text[RATE_TEXT];

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of(
		"the high-bandwidth memory of package %u serves %.0f %% of the memory traffic",
		v->package, percent(p->rate[Q_HBM] / (p->rate[Q_HBM] + memory_traffic(p))));
	t->evidence = text_of("%s:pkg=%u %s", p->name[Q_HBM], v->package,
			      bandwidth(text, p->rate[Q_HBM]));
	return confidence;
}

/* ---- frequency ---- */

double judge_frequency(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double share = p->rate[Q_UCLK] / (1e6 * p->rate[Q_FASTEST]);
	const double confidence =
		share > 0 && ratio_of(p, Q_ACTIVE, Q_PCU) > 0.5 ? ramp(1 - share, 0.15, 0.35) : 0;

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of("the uncore of package %u runs at %.2f GHz, its limit is %.2f GHz",
			      v->package, p->rate[Q_UCLK] * 1e-9, p->rate[Q_FASTEST] * 1e-3);
	t->evidence = text_of("UNCORE_CLOCKTICKS:pkg=%u / %s %.2f", v->package, p->name[Q_FASTEST],
			      share);
	return confidence;
}

double judge_heat(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double share = ratio_of(p, Q_TOO_HOT, Q_PCU);
	const double confidence = ramp(share, 0.02, 0.08);

	if (confidence < CONFIDENT)
		return 0;
	t->sentence = text_of("package %u is throttled %.0f %% of the time because it is too hot",
			      v->package, percent(share));
	t->evidence = text_of("%s / UNCORE_PCU_CYCLES:pkg=%u %.3f", p->name[Q_TOO_HOT], v->package,
			      share);
	return confidence;
}

/* ---- other programs ---- */

static void describe_group(const struct judged *v, double others, struct texts *t)
{
	const struct package_facts *p = v->p;
	char texts[4][RATE_TEXT];

	t->sentence = text_of("other programs use the memory of package %u: %s during the run; "
			      "%s +- %s is this program's, by the %s",
			      v->package, bandwidth(texts[0], others), bandwidth(texts[1], p->own),
			      bandwidth(texts[2], p->own_error),
			      p->own_of_cores ? "reads of the CPUs on which it ran"
					      : "kernel's monitoring groups");
	t->evidence =
		text_of("UNCORE_MEM_READ_BYTES + UNCORE_MEM_WRITE_BYTES:pkg=%u %s; bytes of "
			"the program's %s %s",
			v->package, bandwidth(texts[3], memory_traffic(p)),
			p->own_of_cores ? "CPUs and its part of the rest" : "group", texts[1]);
}

static void describe_difference(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const char *when = p->and_after ? "before and after the run" : "before the run began";
	char before[RATE_TEXT], now[RATE_TEXT], own[RATE_TEXT], doubt[RATE_TEXT];
	double error;
	const double rest = program_traffic(p, &error);

	t->sentence = text_of("other programs use the memory of package %u: %s %s, which leaves %s "
			      "+- %s for this program",
			      v->package, bandwidth(before, p->before), when, bandwidth(own, rest),
			      bandwidth(doubt, error));
	t->evidence = text_of(
		"UNCORE_MEM_READ_BYTES + UNCORE_MEM_WRITE_BYTES:pkg=%u %s %s, %s during the run",
		v->package, before, p->and_after ? "before and after" : "before",
		bandwidth(now, memory_traffic(p)));
}

double judge_others(const struct judged *v, struct texts *t)
{
	const struct package_facts *p = v->p;
	const double others = p->has_own ? memory_traffic(p) - p->own : p->before;
	const double share = others / memory_traffic(p);
	const double confidence = others > LITTLE_MEMORY ? ramp(share, 0.10, 0.30) : 0;

	if (confidence < CONFIDENT)
		return 0;
	if (p->has_own)
		describe_group(v, others, t);
	else
		describe_difference(v, t);
	return confidence;
}
