/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parse.c - parse an event name.
 *
 * Grammar: docs/events.md.  Each error names the invalid part.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/name_space.h"

#define PREFIX "uncore:::"

/* Split off the next part at ':'. */
static char *next_part(char **rest)
{
	char *part = *rest;
	char *colon = part ? strchr(part, ':') : NULL;

	*rest = colon ? colon + 1 : NULL;
	if (colon)
		*colon = '\0';
	return part;
}

int unc_bad_character(struct unc_names *names, char c, const char *text, const char *allowed)
{
	char shown[8];

	snprintf(shown, sizeof(shown), isgraph((unsigned char)c) ? "\"%c\"" : "%#x",
		 (unsigned char)c);
	return unc_fail(names->err, UNCORE_EINVAL, "invalid character %s in event name %s: use %s",
			shown, text, allowed);
}

static int check_characters(struct unc_names *names, const char *text)
{
	bool value = false;

	if (strlen(text) > UNCORE_NAME_MAX)
		return unc_fail(
			names->err, UNCORE_EINVAL,
			"event name is too long: %zu characters, the maximum is %d: %.40s...",
			strlen(text), UNCORE_NAME_MAX, text);
	for (const char *c = text; *c; c++) {
		value = *c == '=' || (value && *c != ':');
		if (!isalnum((unsigned char)*c) && !strchr(value ? "_.:=-,*" : "_.:=", *c))
			return unc_bad_character(
				names, *c, text,
				"letters, digits and _ . : =, and - , * in values");
	}
	return 0;
}

int unc_parse_number(struct unc_names *names, const struct unc_parsed *p, const char *name,
		     const char *text, uint64_t *value)
{
	const bool hex = text && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = text && hex ? text + 2 : text;
	char *end = NULL;

	if (!digits || !isxdigit((unsigned char)*digits))
		return unc_fail(names->err, UNCORE_EATTR,
				"qualifier %s of %s requires a number, for example %s=1", name,
				p->event, name);
	errno = 0;
	*value = strtoull(digits, &end, hex ? 16 : 10);
	if (*end || errno)
		return unc_fail(names->err, UNCORE_EATTR,
				"invalid %s=%s in %s: expected a 64-bit decimal or 0x number", name,
				text, p->event);
	return 0;
}

/* ---- event ---- */

/* A kind of box has no events: on a CPU that is newer than the tables. */
static bool lacks_tables(const struct unc_names *names)
{
	for (unsigned i = 0; i < names->n_pmus; i++) {
		unsigned e = 0;

		while (e < names->n_known && names->entries[e]->pmu != &names->pmus[i])
			e++;
		if (e == names->n_known)
			return true;
	}
	return false;
}

/* 0, or the error for an event that exists under another name. */
static int find_in_others(struct unc_names *names, const char *text, const struct unc_pmu *pmu)
{
	const struct unc_entry *e = NULL;

	while ((e = unc_word_next(names, text, e))) {
		if (pmu && pmu != e->pmu)
			return unc_fail(names->err, UNCORE_ENOEVENT,
					"%s is an event of %s, not of %s", e->name,
					e->pmu->type->name, pmu->type->name);
		if (!pmu && e->pmu->type->pmu)
			return unc_fail(names->err, UNCORE_ENOEVENT,
					"%s is not an uncore event; %s counts on all CPUs", text,
					e->name);
	}
	return 0;
}

static int unknown_event(struct unc_names *names, const char *text, const struct unc_pmu *pmu)
{
	const char *why = unc_alias_refused(names->machine->platform->desc->aliases, text, NULL);
	char hint[4 * UNCORE_NAME_MAX];
	int r = *text ? unc_why_absent(names, text)
		      : unc_fail(names->err, UNCORE_ENOEVENT,
				 "the name of an event is empty: see `uncore list`");

	if (r == 0)
		r = find_in_others(names, text, pmu);
	if (r == 0 && why)
		r = unc_fail(names->err, UNCORE_EATTR, "%s %s", text, why);
	if (r < 0)
		return r;
	unc_suggest(names, text, pmu, hint, sizeof(hint));
	return unc_fail(names->err, UNCORE_ENOEVENT, "no event %s on this machine (%s)%s%s", text,
			names->machine->platform->title, hint,
			!*hint && lacks_tables(names)
				? "; Intel's event list for this CPU, named in "
				  "UNCORE_EVENT_FILES, may have it"
				: "");
}

/* The event with that word, in the PMU that was named or in any. */
static struct unc_entry *find_event(struct unc_names *names, const char *word,
				    const struct unc_pmu *pmu)
{
	struct unc_entry *e = NULL;

	while ((e = unc_word_next(names, word, e)))
		if (pmu ? pmu == e->pmu : !e->qualified)
			return e;
	return NULL;
}

static bool is_from_list(const struct unc_entry *e)
{
	return e->row && e->row->long_text;
}

/* own: an event of a list does not hide the one that an alias leads to. */
static int parse_event(struct unc_names *names, const char *text, bool own, struct unc_parsed *p)
{
	const struct unc_alias *aliases = names->machine->platform->desc->aliases;
	struct unc_entry *e = find_event(names, text, p->pmu);
	char other[UNCORE_NAME_MAX + 1];
	unsigned next = 0;

	p->given = text;
	if (p->pmu && strcasecmp(text, "RAW") == 0) {
		p->raw = true;
		p->event = "RAW";
		return 0;
	}
	if (e && own && is_from_list(e))
		e = NULL;
	while (!e && unc_alias_event(aliases, text, &next, other))
		e = find_event(names, other, p->pmu);
	if (!e)
		return unknown_event(names, text, p->pmu);
	p->base = e;
	p->pmu = e->pmu;
	p->event = unc_event_word(e);
	p->pfm = e->pfm;
	p->row = e->row;
	return unc_attrs_load(names, e);
}

/* ---- parts ---- */

static int add_part(struct unc_names *names, struct unc_parsed *p, struct unc_part part)
{
	for (unsigned i = 0; i < p->n_parts; i++) {
		if (p->parts[i].attr != part.attr)
			continue;
		if (p->parts[i].value == part.value)
			return 0;
		return unc_fail(names->err, UNCORE_EATTR, "duplicate %s in %s", part.name,
				p->event);
	}
	if (p->n_parts == UNC_MAX_PARTS)
		return unc_fail(names->err, UNCORE_EATTR,
				"too many umasks and qualifiers (maximum: %d) in %s", UNC_MAX_PARTS,
				p->event);
	p->parts[p->n_parts++] = part;
	return 0;
}

/* config=, config1=, config2= of RAW, match= and so on: 1 if it was one of them. */
static int parse_config(struct unc_names *names, const char *name, const char *number,
			struct unc_parsed *p)
{
	static const char words[][8] = {"config", "config1", "config2"};
	const struct unc_qualifier *q = p->pmu->type->qualifiers;
	const char *found = NULL;
	unsigned which = 0;
	uint64_t value;
	int r;

	for (unsigned i = 0; p->raw && i < 3; i++)
		if (strcasecmp(name, words[i]) == 0) {
			found = words[i];
			which = i;
		}
	for (; !p->raw && q && *q->name; q++)
		if (strcasecmp(name, q->name) == 0 && q->event == unc_event_code(p->base)) {
			found = q->name;
			which = q->config;
		}
	if (!found)
		return 0;
	r = unc_parse_number(names, p, found, number, &value);
	if (r < 0)
		return r;
	r = add_part(names, p,
		     (struct unc_part){
			     .name = found, .attr = UNC_OURS_ATTR + (int)which, .value = value});
	p->config[which] = value;
	p->configs |= 1u << which;
	return r < 0 ? r : 1;
}

/*
 * The umask or modifier of a part, ignoring case unless case distinguishes a umask (E) from a
 * modifier (e).  A number makes it a modifier, a dot before it a umask.
 */
static int find_attr(const struct unc_parsed *p, const char *name, bool number, bool dotted)
{
	const struct unc_attr *attr;
	int umask = -1, modifier = -1;

	for (int a = 0; p->base && (attr = unc_attr(p->base, a)); a++) {
		int *found = attr->umask ? &umask : &modifier;

		if (strcasecmp(name, attr->name) == 0 && *found < 0)
			*found = a;
	}
	if (dotted || modifier < 0)
		return umask;
	if (umask < 0 || number)
		return modifier;
	return strcmp(name, unc_attr(p->base, modifier)->name) == 0 ? modifier : umask;
}

/* A umask or modifier of the tables: 1 if it was one. */
static int parse_attr(struct unc_names *names, const char *name, const char *number, bool dotted,
		      struct unc_parsed *p)
{
	const int a = find_attr(p, name, number != NULL, dotted);
	const struct unc_attr *attr = a < 0 ? NULL : unc_attr(p->base, a);
	uint64_t value = 1;
	int r = 0;

	if (!attr)
		return 0;
	if (attr->umask && number)
		return unc_fail(names->err, UNCORE_EATTR, "umask %s of %s does not accept a number",
				attr->name, p->event);
	if (!attr->umask && (number || !attr->flag))
		r = unc_parse_number(names, p, attr->name, number, &value);
	if (r == 0)
		r = add_part(names, p,
			     (struct unc_part){.name = attr->name,
					       .attr = a,
					       .umask = attr->umask,
					       .flag = attr->flag,
					       .value = value,
					       .row = attr->row});
	return r < 0 ? r : 1;
}

static int unknown_part(struct unc_names *names, const char *name, bool qualifier,
			const struct unc_parsed *p)
{
	static const char qualifiers[][5] = {"box", "pkg", "cpu", "die", "dev", "node"};
	struct unc_nearest near;
	const struct unc_attr *attr;
	char hint[160];
	const int r = qualifier ? 0 : unc_why_no_umask(names, p->event, name);

	if (r < 0)
		return r;
	unc_nearest_start(&near, name);
	for (int a = 0; p->base && (attr = unc_attr(p->base, a)); a++)
		if (attr->umask != qualifier)
			unc_nearest_offer(&near, attr->name);
	for (unsigned i = 0; qualifier && i < sizeof(qualifiers) / sizeof(*qualifiers); i++)
		unc_nearest_offer(&near, qualifiers[i]);
	return unc_fail(names->err, UNCORE_EATTR, "no %s %s in %s%s",
			qualifier ? "qualifier" : "umask", name, p->event,
			unc_nearest_hint(&near, hint, sizeof(hint)));
}

/* dotted: it follows the dot of the event, as umasks do in Intel's lists. */
static int parse_part(struct unc_names *names, char *text, bool dotted, struct unc_parsed *p)
{
	char *number = strchr(text, '=');
	int r;

	if (number)
		*number++ = '\0';
	if (!*text)
		return unc_fail(names->err, UNCORE_EATTR, "empty umask or qualifier in %s",
				p->event);
	r = dotted ? 0 : unc_parse_place(names, text, number, p);
	if (r == 0 && !dotted)
		r = parse_config(names, text, number, p);
	if (r == 0)
		r = parse_attr(names, text, number, dotted, p);
	if (r == 0)
		r = unknown_part(names, text, number && !dotted, p);
	return r < 0 ? r : 0;
}

/* A list's umask has the list's encoding: aliases are for names that only the tables have. */
static bool is_umask_of_list(const struct unc_parsed *p, const char *name)
{
	const int a = p->base ? find_attr(p, name, false, true) : -1;
	const struct unc_row *row = a < 0 ? NULL : unc_attr(p->base, a)->row;

	return row && row->long_text;
}

/* One of Intel's umasks that has other names in the tables. */
static int parse_alias(struct unc_names *names, char *text, bool dotted, struct unc_parsed *p)
{
	const struct unc_alias *aliases = names->machine->platform->desc->aliases;
	const bool as_written = p->raw || is_umask_of_list(p, text);
	const char *why = as_written ? NULL : unc_alias_refused(aliases, p->given, text);
	char parts[UNCORE_NAME_MAX + 1], *rest = parts;
	int r = 0;

	if (why)
		return unc_fail(names->err, UNCORE_EATTR, "%s of %s %s", text, p->event, why);
	if (as_written || !unc_alias_umask(aliases, p->given, text, parts))
		return parse_part(names, text, dotted, p);
	while (r == 0 && rest)
		r = parse_part(names, next_part(&rest), false, p);
	return r;
}

/* With a umask that a list added to libpfm4's event, it is the list's event. */
static void choose_table(struct unc_parsed *p)
{
	for (unsigned i = 0; i < p->n_parts; i++)
		if (p->parts[i].row && p->pfm >= 0) {
			p->pfm = -1;
			p->row = p->base->more;
		}
}

static void sort_parts(struct unc_parsed *p)
{
	for (unsigned i = 1; i < p->n_parts; i++)
		for (unsigned j = i; j > 0 && p->parts[j].attr < p->parts[j - 1].attr; j--) {
			const struct unc_part swap = p->parts[j];

			p->parts[j] = p->parts[j - 1];
			p->parts[j - 1] = swap;
		}
}

/* Intel's lists write EVENT.UMASK, and the umask may contain dots: is it such a name? */
static bool accept_dots(char *text)
{
	const size_t len = strcspn(text, ":");
	char separator = ':';

	for (size_t i = 0; i < len; i++)
		if (text[i] == '.') {
			text[i] = separator;
			separator = '_';
		}
	return separator == '_';
}

/* "PMU::EVENT"; RAW, which is not an event name, may follow a single colon. */
static char *end_of_pmu(char *text)
{
	char *colon = strchr(text, ':');

	if (colon && strncasecmp(colon, ":RAW", 4) == 0 && (colon[4] == ':' || !colon[4]))
		return colon;
	return strstr(text, "::");
}

/* Modifiers that mean "all" if none is given mean the same if all are given. */
static void drop_all_of(struct unc_parsed *p)
{
	const uint32_t all = p->pmu && p->base ? p->pmu->type->any_of : 0;
	uint32_t given = 0;
	unsigned n = 0;

	for (unsigned i = 0; all && i < p->n_parts; i++) {
		const struct unc_modifier *m = unc_attr(p->base, p->parts[i].attr)->modifier;

		given |= m && p->parts[i].value ? (uint32_t)m->mask & all : 0;
	}
	for (unsigned i = 0; all && given == all && i < p->n_parts; i++)
		if (!(unc_attr(p->base, p->parts[i].attr)->modifier->mask & all))
			p->parts[n++] = p->parts[i];
	if (all && given == all)
		p->n_parts = n;
}

static int parse(struct unc_names *names, const char *text, bool own, struct unc_parsed *out)
{
	char copy[UNCORE_NAME_MAX + 1], *rest = copy, *pmu_end;
	bool dotted;
	int r = 0;

	memset(out, 0, sizeof(*out));
	out->pfm = out->where.die = -1;
	out->event = "";
	memcpy(copy, text, strlen(text) + 1);
	pmu_end = end_of_pmu(copy);
	if (pmu_end) {
		rest = pmu_end + strspn(pmu_end, ":");
		*pmu_end = '\0';
		r = unc_parse_pmu(names, copy, out);
	}
	dotted = accept_dots(rest);
	if (r == 0)
		r = parse_event(names, next_part(&rest), own, out);
	for (; r == 0 && rest; dotted = false)
		r = parse_alias(names, next_part(&rest), dotted, out);
	out->given = NULL;
	sort_parts(out);
	choose_table(out);
	if (r == 0)
		drop_all_of(out);
	return r;
}

/* A list may have only some of the umasks that the tables have under another name. */
int unc_parse(struct unc_names *names, const char *text, struct unc_parsed *out)
{
	struct unc_parsed own;
	int r;

	memset(out, 0, sizeof(*out));
	if (strncasecmp(text, PREFIX, strlen(PREFIX)) == 0)
		text += strlen(PREFIX);
	r = check_characters(names, text);
	if (r < 0)
		return r;
	r = parse(names, text, false, out);
	if (r != UNCORE_EATTR || !out->base || !is_from_list(out->base) ||
	    parse(names, text, true, &own) < 0)
		return r == 0 ? 0 : parse(names, text, false, out);
	*out = own;
	return 0;
}
