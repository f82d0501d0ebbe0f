/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * perf_name.c - perf's syntax for events, "uncore_imc_0/event=0x04,umask=0x03/": the PMU is a
 * kind of box; a term is a field of a config word, or an alias of several.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/sysfs.h"
#include "event/foreign.h"
#include "shared/perf_formats.h"

#define UNCORE "uncore_"
#define WORD   64

bool unc_is_perf_name(const char *text)
{
	const char *slash = strchr(text, '/');

	return slash && slash > text && strchr(slash + 1, '/') && strlen(text) <= UNCORE_NAME_MAX;
}

/* ---- PMU ---- */

/* Core events, and PMUs that are not uncore PMUs, are not found. */
static bool has_pmu(const struct unc_box_type *type)
{
	return !type->arch && *type->sysfs_name;
}

static int unknown_pmu(struct unc_names *names, const char *text)
{
	char words[UNC_MAX_TYPES][WORD], hint[160];
	struct unc_nearest near;

	unc_nearest_start(&near, text);
	for (unsigned i = 0; i < names->n_pmus; i++) {
		if (!has_pmu(names->pmus[i].type))
			continue;
		snprintf(words[i], sizeof(words[i]), UNCORE "%s", names->pmus[i].type->sysfs_name);
		unc_nearest_offer(&near, words[i]);
		unc_nearest_offer(&near, words[i] + strlen(UNCORE));
	}
	return unc_fail(names->err, UNCORE_ENOEVENT,
			"unknown perf PMU %s on this machine (%s): use uncore_KIND_N, uncore_KIND "
			"or KIND%s",
			text, names->machine->platform->title,
			unc_nearest_hint(&near, hint, sizeof(hint)));
}

/* The part after a kind: "", "*" and "_*" mean all of its boxes, "_3" means one. */
static bool take_number(const char *text, long *index)
{
	char *end;

	*index = -1;
	if (!*text || strcmp(text, "*") == 0 || strcmp(text, "_*") == 0)
		return true;
	if (*text != '_' || !isdigit((unsigned char)text[1]) || strlen(text) > 6)
		return false;
	*index = strtol(text + 1, &end, 10);
	return !*end;
}

static const struct unc_pmu *find_pmu(const struct unc_names *names, const char *text, long *index)
{
	if (strncasecmp(text, UNCORE, strlen(UNCORE)) == 0)
		text += strlen(UNCORE);
	for (unsigned i = 0; i < names->n_pmus; i++) {
		const struct unc_box_type *type = names->pmus[i].type;
		const size_t n = has_pmu(type) ? strlen(type->sysfs_name) : 0;

		if (n && strncasecmp(text, type->sysfs_name, n) == 0 &&
		    take_number(text + n, index))
			return &names->pmus[i];
	}
	return NULL;
}

/* ---- terms ---- */

static const char *aliases_of(const struct unc_names *names, const struct unc_pmu *pmu)
{
	const struct unc_perf_alias *a = unc_perf_aliases;

	while (*a->aliases && (!unc_is_among(a->platforms, names->machine->platform->name) ||
			       !unc_is_among(a->kinds, pmu->type->sysfs_name)))
		a++;
	return a->aliases;
}

/* The value of a term, 1 by default. */
static int read_value(struct unc_names *names, const char *whole, const char *term, uint64_t *value)
{
	const char *text = strchr(term, '=');
	char *end = NULL;
	bool hex;

	*value = 1;
	if (!text)
		return 0;
	hex = text[1] == '0' && (text[2] == 'x' || text[2] == 'X');
	text += hex ? 3 : 1;
	errno = 0;
	if (hex ? isxdigit((unsigned char)*text) : isdigit((unsigned char)*text))
		*value = strtoull(text, &end, hex ? 16 : 10);
	if (end && (!*end || *end == ',') && !errno)
		return 0;
	return unc_fail(names->err, UNCORE_EATTR,
			"invalid %.*s in %s: expected a 64-bit decimal or 0x number",
			(int)strcspn(term, ","), term, whole);
}

static int unknown_term(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
			const char *term, size_t len)
{
	const char *const lists[] = {aliases_of(names, pmu),
				     unc_perf_fields(names->machine->platform, pmu->type)};
	char words[64][WORD], name[WORD], hint[160];
	struct unc_nearest near;
	unsigned n = 0;

	snprintf(name, sizeof(name), "%.*s", (int)len, term);
	unc_nearest_start(&near, name);
	for (unsigned i = 0; i < 2; i++)
		for (const char *at = lists[i]; at && *at && n < 64; at += strcspn(at, " ") + 1) {
			snprintf(words[n], WORD, "%.*s", (int)strcspn(at, "=:"), at);
			unc_nearest_offer(&near, words[n++]);
		}
	return unc_fail(names->err, UNCORE_EATTR,
			"unknown field or event %s in %s for perf's uncore_%s%s", name, whole,
			pmu->type->sysfs_name, unc_nearest_hint(&near, hint, sizeof(hint)));
}

static int put_field(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
		     const char *term, uint64_t config[UNC_CONFIGS])
{
	const size_t len = strcspn(term, "=,");
	struct unc_perf_field f;
	uint64_t value;
	int r;

	if (!unc_perf_field(names->machine->platform, pmu->type, term, len, &f))
		return unknown_term(names, pmu, whole, term, len);
	r = read_value(names, whole, term, &value);
	if (r < 0 || unc_perf_place(value, f.ranges, &config[f.word]) == 0)
		return r;
	return unc_fail(names->err, UNCORE_EATTR,
			"%.*s in %s is too large: %.*s of uncore_%s has %u bits",
			(int)strcspn(term, ","), term, whole, (int)len, term, pmu->type->sysfs_name,
			(unsigned)__builtin_popcountll(unc_bit_list(f.ranges)));
}

typedef int put_one(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
		    const char *term, uint64_t config[UNC_CONFIGS]);

/* Comma-separated terms; the text is overwritten. */
static int put_each(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
		    char *terms, uint64_t config[UNC_CONFIGS], put_one *put)
{
	int r = 0;

	while (r == 0 && terms) {
		char *comma = strchr(terms, ',');

		if (comma)
			*comma++ = '\0';
		r = put(names, pmu, whole, terms, config);
		terms = comma;
	}
	return r;
}

static int put_alias(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
		     const char *alias, uint64_t config[UNC_CONFIGS])
{
	char terms[WORD * 2];

	snprintf(terms, sizeof(terms), "%.*s", (int)strcspn(alias, " "), alias);
	return put_each(names, pmu, whole, terms, config, put_field);
}

/* An event of perf's lists: UNC_M_CAS_COUNT.RD, or LLC_MISSES.MEM_READ. */
static bool put_event(struct unc_names *names, const struct unc_pmu *pmu, const char *term,
		      uint64_t config[UNC_CONFIGS])
{
	const char *listed = unc_perf_listed(names, term, strlen(term));
	char terms[UNCORE_NAME_MAX];
	long index;

	if (!listed)
		return strlen(term) < UNCORE_NAME_MAX && unc_own_config(names, pmu, term, config);
	snprintf(terms, sizeof(terms), "%s", listed);
	*strchr(terms, '/') = '\0';
	if (find_pmu(names, terms, &index) != pmu)
		return false;
	listed += strlen(terms) + 1;
	snprintf(terms, sizeof(terms), "%.*s", (int)strcspn(listed, "/"), listed);
	return put_each(names, pmu, listed, terms, config, put_field) == 0;
}

static int put_term(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
		    const char *term, uint64_t config[UNC_CONFIGS])
{
	const size_t len = strlen(term);
	const char *alias = unc_perf_word(aliases_of(names, pmu), term, len, ':');

	if (alias)
		return put_alias(names, pmu, whole, alias, config);
	if (!strchr(term, '=') && put_event(names, pmu, term, config))
		return 0;
	return put_field(names, pmu, whole, term, config);
}

static int put_terms(struct unc_names *names, const struct unc_pmu *pmu, const char *whole,
		     char *terms, uint64_t config[UNC_CONFIGS])
{
	if (!*terms)
		return unc_fail(names->err, UNCORE_EATTR,
				"no event in %s: write event= and umask=, or an event of perf's "
				"uncore_%s, between the slashes",
				whole, pmu->type->sysfs_name);
	return put_each(names, pmu, whole, terms, config, put_term);
}

/* ---- the name ---- */

/* The colon before box=, pkg= and die= may be missing. */
static const char *colon_of(const char *rest)
{
	return strncasecmp(rest, "box=", 4) == 0 || strncasecmp(rest, "pkg=", 4) == 0 ||
			       strncasecmp(rest, "die=", 4) == 0
		       ? ":"
		       : "";
}

/* Of perf's event modifiers only those with a meaning here are accepted. */
static int check_rest(struct unc_names *names, const char *whole, const char *rest)
{
	static const char places[][6] = {":box=", ":pkg=", ":die="};

	for (const char *at = *colon_of(rest) ? strchr(rest, ':') : rest; at && *at;
	     at = strchr(at + 1, ':')) {
		bool known = false;

		for (unsigned i = 0; i < sizeof(places) / sizeof(*places); i++)
			known |= strncasecmp(at, places[i], strlen(places[i])) == 0;
		if (!known)
			return unc_fail(names->err, UNCORE_EATTR,
					"invalid %s in %s: only box=, pkg= and die= are allowed "
					"after the last slash; perf's modifiers and CPUs are not "
					"supported for uncore events",
					at, whole);
	}
	return 0;
}

static int check_characters(struct unc_names *names, const char *text)
{
	for (const char *c = text; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_.:=-,*/", *c))
			return unc_bad_character(
				names, *c, text,
				"letters, digits and _ . : = , - * / in perf syntax");
	return 0;
}

int unc_perf_name(struct unc_names *names, const char *text, char own[UNC_OWN_NAME])
{
	char copy[UNCORE_NAME_MAX + 1], boxes[UNC_NUMBERS_TEXT + 8];
	char *terms, *rest;
	uint64_t config[UNC_CONFIGS] = {0};
	const struct unc_pmu *pmu;
	long index;
	int r = check_characters(names, text);

	if (r < 0)
		return r;
	snprintf(copy, sizeof(copy), "%s", text);
	terms = strchr(copy, '/');
	*terms++ = '\0';
	rest = strchr(terms, '/');
	*rest++ = '\0';
	pmu = find_pmu(names, copy, &index);
	if (!pmu)
		return unknown_pmu(names, copy);
	r = check_rest(names, text, rest);
	if (r == 0)
		r = put_terms(names, pmu, text, terms, config);
	if (r == 0)
		r = unc_perf_check_filter(names, pmu, text, config);
	if (r < 0)
		return r;
	unc_own_name(names, pmu, config, own);
	unc_box_of_index(names->machine, pmu->type, index, boxes);
	snprintf(own + strlen(own), UNC_OWN_NAME - strlen(own), "%s%s%s", boxes, colon_of(rest),
		 rest);
	return 0;
}
