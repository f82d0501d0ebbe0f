/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * device_name.c - dev= in the name of an event, before it is parsed: the device's package, box and
 * part take its place (docs/devices.md).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "device/device.h"
#include "event/foreign.h"
#include "shared/stacks.h"

#define PREFIX    "uncore:::"
#define QUALIFIER ":dev="
#define ALL       "_ALL_PARTS"
#define DEVICE    64
#define PARTS     16

/* ---- the name without dev= ---- */

struct given {
	struct unc_names *names;
	char device[DEVICE];
	char event[UNC_OWN_NAME]; /* the name without dev= */
	struct unc_device_place place;
	int part; /* -1: the whole stack */
};

/* The length of an address with colons at the beginning of a text, or 0. */
static size_t address_length(const char *text)
{
	static const char forms[][14] = {"xxxxx:xx:xx.x", "xxxx:xx:xx.x", "xx:xx.x"};

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		size_t n = 0;

		while (forms[i][n] && (forms[i][n] == 'x' ? isxdigit((unsigned char)text[n])
							  : text[n] == forms[i][n]))
			n++;
		if (!forms[i][n] && (!text[n] || text[n] == ':'))
			return n;
	}
	return 0;
}

/* 1: g has the device and the rest; 0: there is none. */
static int cut_device(struct given *g, const char *text)
{
	const char *at = strcasestr(text, QUALIFIER), *value;
	size_t len;

	if (!at)
		return 0;
	value = at + strlen(QUALIFIER);
	len = address_length(value);
	len = len ? len : strcspn(value, ":");
	if (strcasestr(value + len, QUALIFIER))
		return unc_fail(g->names->err, UNCORE_EATTR,
				"two devices in %.80s: use an event for each", text);
	if (len >= DEVICE || strlen(text) >= UNC_OWN_NAME)
		return unc_fail(g->names->err, UNCORE_EINVAL,
				"the name of the device is too long in %.80s...", text);
	snprintf(g->device, sizeof(g->device), "%.*s", (int)len, value);
	snprintf(g->event, sizeof(g->event), "%.*s%s", (int)(at - text), text, value + len);
	return 1;
}

/* ---- what counts the device ---- */

static bool is_stack(const struct unc_parsed *p)
{
	return p->pmu && p->pmu->type && strncmp(p->pmu->type->name, "iio", 3) == 0;
}

static bool parses(const struct given *g, const char *text, struct unc_parsed *p)
{
	return unc_parse(g->names, text, p) == 0;
}

/* A part of the mask has a single bit. */
static int part_of(const struct given *g, int *part)
{
	const uint32_t parts = g->place.parts;

	*part = parts == UNC_ALL_PARTS ? -1 : __builtin_ctz(parts);
	if (parts == UNC_ALL_PARTS || !(parts & (parts - 1)))
		return 0;
	return unc_fail(g->names->err, UNCORE_ENOSUPP,
			"%s has several parts of box %u of package %u, which one event cannot "
			"count: add an event for each, with _PART%d and _PART%d, box= and pkg=",
			g->device, g->place.box, g->place.package, *part,
			31 - __builtin_clz(parts));
}

static int finish(const struct given *g, const char *event, char own[UNC_OWN_NAME])
{
	const struct unc_machine *m = g->names->machine;
	const struct unc_die *die = &m->dies[g->place.package];
	char at[24] = "";

	if (m->n_dies > 1)
		snprintf(at, sizeof(at), ":die=%u", die->die);
	if (snprintf(own, UNC_OWN_NAME, "%s:box=%u:pkg=%u%s", event, g->place.number, die->socket,
		     at) >= (int)UNC_OWN_NAME)
		return unc_fail(g->names->err, UNCORE_EINVAL, "event name is too long: %.40s...",
				event);
	return 1;
}

/* ---- events ---- */

static bool has_suffix(const char *text, size_t len, const char *suffix)
{
	const size_t n = strlen(suffix);

	return len >= n && strncasecmp(text + len - n, suffix, n) == 0;
}

/* The umask that ends at `end` of the event, for the device's part; "": it has none. */
static void with_part(const struct given *g, size_t end, char out[UNC_OWN_NAME])
{
	const size_t stem = has_suffix(g->event, end, ALL) ? end - strlen(ALL) : end;

	if (g->part < 0)
		snprintf(out, UNC_OWN_NAME, "%.*s" ALL "%s", (int)stem, g->event, g->event + end);
	else
		snprintf(out, UNC_OWN_NAME, "%.*s_PART%d%s", (int)stem, g->event, g->part,
			 g->event + end);
}

/* "MEM_READ" and "MEM_READ_ALL_PARTS" become "MEM_READ_PART0"; free-running events have no umask.
 */
static bool choose_umask(const struct given *g, char out[UNC_OWN_NAME], struct unc_parsed *p)
{
	const size_t len = strlen(g->event);

	for (size_t end = strcspn(g->event, ":."); end < len;) {
		end += 1 + strcspn(g->event + end + 1, ":");
		with_part(g, end, out);
		if (parses(g, out, p) && is_stack(p))
			return true;
	}
	if (snprintf(out, UNC_OWN_NAME, "%s:PART%d_FREERUN", g->event, g->part) >=
	    (int)UNC_OWN_NAME)
		return false;
	return g->part >= 0 && parses(g, out, p) && is_stack(p);
}

/* The bits of ch_mask in the config words of RAW. */
static int choose_mask(const struct given *g, struct unc_parsed *p, char out[UNC_OWN_NAME])
{
	const struct unc_platform *platform = g->names->machine->platform;
	uint64_t all[UNC_CONFIGS] = {0}, ours[UNC_CONFIGS] = {0};
	struct unc_perf_field f;

	if (!unc_perf_field(platform, p->pmu->type, "ch_mask", strlen("ch_mask"), &f))
		return unc_fail(g->names->err, UNCORE_EATTR, "%s cannot select a port: use box=%u",
				p->pmu->name, g->place.box);
	unc_perf_place(0xff, f.ranges, &all[f.word]);
	unc_perf_place(g->part < 0 ? 0xff : UINT64_C(1) << g->part, f.ranges, &ours[f.word]);
	if ((p->config[f.word] & all[f.word]) && (p->config[f.word] & all[f.word]) != ours[f.word])
		return unc_fail(g->names->err, UNCORE_EATTR,
				"the channel mask of %s is not that of %s, which has %s%.0d",
				p->event, g->device, g->part < 0 ? "the whole stack" : "part ",
				g->part < 0 ? 0 : g->part);
	p->config[f.word] |= ours[f.word];
	unc_raw_name(p->pmu, p->config, out);
	return 0;
}

/* An event that already names a part must name the device's. */
static bool names_part(const struct given *g)
{
	const char *at = strcasestr(g->event, "PART");

	return g->part >= 0 && at && atoi(at + strlen("PART")) == g->part &&
	       isdigit((unsigned char)at[4]);
}

static int no_port(const struct given *g, const struct unc_parsed *p)
{
	if (p && !is_stack(p))
		return unc_fail(g->names->err, UNCORE_EATTR,
				"%s cannot be counted for %s: it is not an event of a PCIe stack; "
				"use one of iio, or UNCORE_IIO_READ_BYTES",
				p->event, g->device);
	if (g->part < 0)
		return unc_fail(g->names->err, UNCORE_EATTR,
				"no umask of %s counts all parts, and the part of %s is not known: "
				"use an event with _ALL_PARTS",
				g->event, g->device);
	return unc_fail(
		g->names->err, UNCORE_EATTR,
		"%s cannot be counted for %s: it is part %d of box %u, and no umask _PART%d "
		"fits; use an event such as UNC_IIO_DATA_REQ_OF_CPU:MEM_READ, or count the "
		"whole box with box=%u",
		g->event, g->device, g->part, g->place.box, g->part, g->place.box);
}

static int of_event(const struct given *g, char own[UNC_OWN_NAME])
{
	char out[UNC_OWN_NAME];
	struct unc_parsed p = {.pmu = NULL};
	const bool whole = parses(g, g->event, &p);
	int r;

	if (whole && is_stack(&p) && p.raw) {
		r = choose_mask(g, &p, out);
		return r < 0 ? r : finish(g, out, own);
	}
	if (whole && is_stack(&p) && names_part(g))
		return finish(g, g->event, own);
	if (whole && !is_stack(&p))
		return no_port(g, &p);
	return choose_umask(g, out, &p) ? finish(g, out, own) : no_port(g, NULL);
}

/* ---- metrics ---- */

/* The metric of a stack that counts what a metric of the package does. */
static const char *of_stack(const char *metric)
{
	for (const struct unc_stack_metric *m = unc_stack_metrics; *m->of_package; m++)
		if (strcmp(m->of_package, metric) == 0)
			return m->of_stack;
	return metric;
}

static int of_metric(const struct given *g, const struct unc_parsed *p, char own[UNC_OWN_NAME])
{
	const char *rest = g->event + strlen(p->event), *metric = of_stack(p->event);
	char event[UNC_OWN_NAME];

	if (g->part < 0)
		snprintf(event, sizeof(event), "%s%s", metric, rest);
	else
		snprintf(event, sizeof(event), "%s:part=%d%s", metric, g->part, rest);
	return finish(g, event, own);
}

/* Metrics begin like no event. */
static bool is_metric(const struct given *g, struct unc_parsed *p)
{
	return strncasecmp(g->event, "UNCORE_", strlen("UNCORE_")) == 0 && parses(g, g->event, p) &&
	       p->base && p->base->metric;
}

/* Others may be many; a list that cannot be made is no reason to refuse the event. */
static void note_others(const struct given *g)
{
	struct unc_device_list list;
	char others[sizeof(g->names->notice.text) / 2];

	if (unc_device_list_make(&g->names->devices, &list, NULL) < 0)
		return;
	unc_device_others(&list, &g->place.chain.device, others, sizeof(others));
	g->names->notice.code = UNCORE_WARNING_SHARED_PORT;
	if (*others)
		snprintf(g->names->notice.text, sizeof(g->names->notice.text),
			 "counts of dev=%s include the traffic of %s%s: their ports are the same "
			 "part of box %u of package %u",
			 g->device, others, strlen(others) + 1 == sizeof(others) ? "..." : "",
			 g->place.number, g->names->machine->dies[g->place.package].socket);
	unc_device_list_free(&list);
}

int unc_without_device(struct unc_names *names, const char *text, char own[UNC_OWN_NAME])
{
	struct given g = {.names = names};
	struct unc_parsed p;
	int r;

	if (strncasecmp(text, PREFIX, strlen(PREFIX)) == 0)
		text += strlen(PREFIX);
	r = cut_device(&g, text);
	if (r <= 0)
		return r;
	if (!names->devices.files.hw)
		return unc_fail(names->err, UNCORE_ENOSUPP,
				"dev=%s cannot be found here: use box= and pkg=", g.device);
	r = unc_device_find(&names->devices, g.device, &g.place, names->err);
	if (r == 0)
		r = part_of(&g, &g.part);
	if (r < 0)
		return r;
	r = is_metric(&g, &p) ? of_metric(&g, &p, own) : of_event(&g, own);
	if (r > 0)
		note_others(&g);
	return r;
}
