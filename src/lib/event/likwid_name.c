/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * likwid_name.c - LIKWID's syntax for events, "CAS_COUNT_RD:MBOX0C1": event and umask joined,
 * the counter of a box, options.  The box is used; the counter is chosen by the planner.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sysfs.h"
#include "event/foreign.h"
#include "shared/likwid_counters.h"

#define WORD 64

/* ---- counters ---- */

/* "0C1", and "C0" and "FIX" without the number of a box. */
static bool is_number(const char *text)
{
	return isdigit((unsigned char)*text) || strncasecmp(text, "FIX", 3) == 0 ||
	       (toupper((unsigned char)*text) == 'C' && isdigit((unsigned char)text[1]));
}

/* The word for a counter, "imc " or "imc0,imc1 ", and the position of its number; or NULL. */
static const char *boxes_of(const char *platform, const char *text, const char **number)
{
	const struct unc_likwid *l = unc_likwid_counters;

	while (*l->platforms && !unc_is_among(l->platforms, platform))
		l++;
	for (const char *at = l->counters; *at; at += strcspn(at, " ") + 1) {
		const size_t len = strcspn(at, "=");

		*number = text + len;
		if (strncasecmp(text, at, len) == 0 && is_number(*number))
			return at + len + 1;
	}
	return NULL;
}

struct counter {
	const struct unc_pmu *pmu; /* NULL: this machine has no such box */
	const char *boxes;
	long box;
};

/* The box of a number: of the only kind, or that item of the list. */
static bool choose_box(const struct unc_names *n, const char *boxes, long number, struct counter *c)
{
	size_t len = strcspn(boxes, ", ");

	c->box = number;
	if (boxes[len] == ',') {
		for (; number > 0 && boxes[len] == ','; number--) {
			boxes += len + 1;
			len = strcspn(boxes, ", ");
		}
		if (number)
			return false;
		while (isdigit((unsigned char)boxes[len - 1]))
			len--;
		c->box = strtol(boxes + len, NULL, 10);
	}
	for (unsigned i = 0; i < n->n_pmus; i++) {
		const char *name = n->pmus[i].type->name;

		c->pmu = &n->pmus[i];
		if (strlen(name) == len && strncmp(boxes, name, len) == 0)
			return true;
	}
	c->pmu = NULL;
	return false;
}

/* "MBOX0C1", "MBOX2FIX", "UBOX0", "WBOX1": the number is that of the box if C or FIX follows. */
static bool read_counter(const struct unc_names *n, const char *text, size_t len, struct counter *c)
{
	const char *number;
	const char *boxes = boxes_of(n->machine->platform->name, text, &number);
	char *end;
	long box;

	if (!boxes)
		return false;
	c->boxes = boxes;
	box = strtol(number, &end, 10);
	if (end < text + len && toupper((unsigned char)*end) != 'C' &&
	    toupper((unsigned char)*end) != 'F')
		return false;
	if (end < text + len && end > number)
		return choose_box(n, boxes, box, c) || !c->pmu;
	if (!choose_box(n, boxes, 0, c))
		return false;
	c->box = -1; /* a kind with a single box: the number is that of a counter */
	return true;
}

bool unc_is_likwid_name(const struct unc_names *names, const char *text)
{
	const char *colon = strchr(text, ':');
	struct counter c;

	return colon && colon > text && colon[1] != ':' && strlen(text) <= UNCORE_NAME_MAX &&
	       read_counter(names, colon + 1, strcspn(colon + 1, ":"), &c);
}

/* ---- events ---- */

static bool is_joined(const char *event, const char *umask, const char *text)
{
	const size_t n = strlen(event);

	if (strncasecmp(text, event, n) != 0)
		return false;
	return umask ? text[n] == '_' && strcasecmp(text + n + 1, umask) == 0 : !text[n];
}

struct found {
	char own[UNC_OWN_NAME]; /* the last one */
	char all[3 * WORD];     /* for a message */
	unsigned n;
};

static void note(struct found *f, const struct unc_entry *e, const char *umask)
{
	snprintf(f->own, sizeof(f->own), "%s%s%s", e->name, umask ? ":" : "", umask ? umask : "");
	if (strlen(f->all) + strlen(f->own) + 3 < sizeof(f->all))
		stpcpy(stpcpy(f->all + strlen(f->all), f->n ? ", " : ""), f->own);
	f->n++;
}

static void look_at(struct unc_names *n, struct unc_entry *e, const char *text, struct found *f)
{
	const char *word = unc_event_word(e), *inner = unc_skip_unit_prefix(word);
	const struct unc_attr *attr;

	if (is_joined(word, NULL, text) || is_joined(inner, NULL, text))
		note(f, e, NULL);
	else if (strncasecmp(text, inner, strlen(inner)) != 0 &&
		 strncasecmp(text, word, strlen(word)) != 0)
		return;
	for (int a = 0; unc_attrs_load(n, e) == 0 && (attr = unc_attr(e, a)); a++)
		if (attr->umask && !attr->unlisted &&
		    (is_joined(word, attr->name, text) || is_joined(inner, attr->name, text)))
			note(f, e, attr->name);
}

/* 1: it is one of the events whose names differ; or an error. */
static int find_other(struct unc_names *n, const struct unc_pmu *pmu, const char *text,
		      struct found *f)
{
	for (const struct unc_likwid_event *e = unc_likwid_events; *e->platforms; e++) {
		const uint64_t config[UNC_CONFIGS] = {e->control, e->config1};

		if (strcasecmp(e->name, text) != 0 || strcmp(e->kind, pmu->type->name) != 0 ||
		    !unc_is_among(e->platforms, n->machine->platform->name))
			continue;
		if (e->why)
			return unc_fail(n->err, UNCORE_ENOEVENT, "LIKWID name %s of %s: %s", text,
					pmu->type->name, e->why);
		unc_own_name(n, pmu, config, f->own);
		return 1;
	}
	return 0;
}

static int find(struct unc_names *n, const struct unc_pmu *pmu, const char *text, struct found *f)
{
	const int r = find_other(n, pmu, text, f);

	if (r)
		return r < 0 ? r : 0;
	for (unsigned i = 0; i < n->n_known; i++)
		if (n->entries[i]->pmu == pmu && !n->entries[i]->metric)
			look_at(n, n->entries[i], text, f);
	if (f->n == 1)
		return 0;
	if (f->n)
		return unc_fail(n->err, UNCORE_ENOEVENT, "LIKWID name %s is ambiguous: use %s",
				text, f->all);
	return unc_fail(n->err, UNCORE_ENOEVENT,
			"no event of %s matches the LIKWID name %s: see `uncore list`",
			pmu->type->name, text);
}

/* ---- options ---- */

#define STATE ":STATE="

/* The state of cache lines is a filter: the event with this filter in its config words. */
static int put_state(struct unc_names *n, const struct unc_pmu *pmu, const char *whole,
		     char own[UNC_OWN_NAME])
{
	const char *option = strcasestr(whole, STATE);
	uint64_t config[UNC_CONFIGS] = {0}, value, none = 0;
	struct unc_perf_field f;
	char *end;

	if (!option)
		return 0;
	value = strtoull(option + strlen(STATE), &end, 0);
	if (!unc_perf_field(n->machine->platform, pmu->type, "filter_state", strlen("filter_state"),
			    &f) ||
	    !unc_own_config(n, pmu, own, config))
		return unc_fail(n->err, UNCORE_EATTR, "%s has no filter for STATE in %s", own,
				whole);
	if (end == option + strlen(STATE) || (*end && *end != ':') || value == 0 ||
	    unc_perf_place(value, f.ranges, &none))
		return unc_fail(n->err, UNCORE_EATTR,
				"STATE in %s is out of range: the filter has %d bits", whole,
				__builtin_popcountll(unc_bit_list(f.ranges)));
	unc_perf_place(value, f.ranges, &config[f.word]);
	unc_own_name(n, pmu, config, own);
	return 0;
}

static int add_option(struct unc_names *n, const char *whole, const char *option, char *own)
{
	static const char *const same[][2] = {
		{"EDGEDETECT", "e"}, {"INVERT", "i"}, {"THRESHOLD", "t"}, {"NID", "nf"},
		{"TID", "tf"},       {"box", "box"},  {"pkg", "pkg"}};
	const size_t len = strcspn(option, "=");

	if (strncasecmp(option, &STATE[1], strlen(STATE) - 1) == 0)
		return 0; /* already part of the name */

	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++)
		if (strlen(same[i][0]) == len && strncasecmp(option, same[i][0], len) == 0) {
			snprintf(own + strlen(own), UNC_OWN_NAME - strlen(own), ":%s%s", same[i][1],
				 option[len] ? option + len : "=1");
			return 0;
		}
	return unc_fail(n->err, UNCORE_EATTR,
			"LIKWID option %s in %s is not supported: use the umask or qualifier "
			"instead (`uncore list -v`)",
			option, whole);
}

int unc_likwid_name(struct unc_names *names, const char *text, char own[UNC_OWN_NAME])
{
	char copy[UNCORE_NAME_MAX + 1], *counter, *option;
	struct found f = {.n = 0};
	struct counter c = {.box = -1};
	int r;

	snprintf(copy, sizeof(copy), "%s", text);
	counter = strchr(copy, ':');
	*counter++ = '\0';
	option = strchr(counter, ':');
	if (option)
		*option++ = '\0';
	if (!read_counter(names, counter, strlen(counter), &c))
		return 0;
	if (!c.pmu)
		return unc_fail(names->err, UNCORE_ENODEV,
				"LIKWID counter %s of %s: this machine has no %.*s", counter, text,
				(int)strcspn(c.boxes, " ,0123456789"), c.boxes);
	r = find(names, c.pmu, copy, &f);
	if (r == 0)
		r = put_state(names, c.pmu, text, f.own);
	snprintf(own, UNC_OWN_NAME, "%s", f.own);
	if (r == 0 && c.box >= 0)
		snprintf(own + strlen(own), UNC_OWN_NAME - strlen(own), ":box=%ld", c.box);
	while (r == 0 && option) {
		char *next = strchr(option, ':');

		if (next)
			*next++ = '\0';
		r = add_option(names, text, option, own);
		option = next;
	}
	return r;
}
