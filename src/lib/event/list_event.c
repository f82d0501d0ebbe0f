/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list_event.c - an event of Intel's event lists: its texts, and its codes as control value,
 * filter bits and counters.
 */
#include <ctype.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/list_file.h"
#include "event/name_space.h"

#define EXT_SEL (1u << 21) /* bit 8 of the event code; docs/hardware/snbep.md, "Controls" */

/* ---- fields ---- */

const char *unc_list_text(const struct unc_list_source *s, const char *field)
{
	struct json_object *value = NULL;
	const char *text;

	if (!json_object_object_get_ex(s->object, field, &value) || !value)
		return "";
	if (json_object_is_type(value, json_type_int))
		return json_object_get_string(value);
	if (!json_object_is_type(value, json_type_string))
		return NULL;
	text = json_object_get_string(value);
	return strlen(text) == (size_t)json_object_get_string_len(value) ? text : NULL;
}

int unc_list_number(const struct unc_list_source *s, const char *field, uint64_t most,
		    uint64_t *out)
{
	const char *text = unc_list_text(s, field);
	const bool hex = text && strncasecmp(text, "0x", 2) == 0;
	const char *digits = hex ? text + 2 : text;
	char *end;

	*out = 0;
	if (text && !*text)
		return 0;
	if (!text || !isxdigit((unsigned char)*digits))
		return unc_list_fail(s->f, s->at, "invalid %s of %s: expected a number", field,
				     s->shown);
	*out = strtoull(digits, &end, hex ? 16 : 10);
	if (end[strspn(end, " ")])
		return unc_list_fail(s->f, s->at, "invalid %s of %s: expected a number", field,
				     s->shown);
	if (*out > most)
		return unc_list_fail(s->f, s->at, "%s of %s is too large: the maximum is %#llx",
				     field, s->shown, (unsigned long long)most);
	return 0;
}

/* ---- name ---- */

static int check_name(const struct unc_list_source *s)
{
	const char *dot = strchr(s->name, '.');
	const size_t event = dot ? (size_t)(dot - s->name) : strlen(s->name);

	for (const char *c = s->name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_' && *c != '.')
			return unc_list_fail(
				s->f, s->at,
				"invalid EventName %s: only letters, digits, _ and . are allowed",
				s->shown);
	if (event == 0 || (dot && !dot[1]))
		return unc_list_fail(s->f, s->at, "invalid EventName %s: empty event or umask",
				     s->shown);
	if (event >= UNC_ROW_NAME || (dot && strlen(dot + 1) >= UNC_ROW_NAME))
		return unc_list_fail(
			s->f, s->at,
			"EventName %s... is too long: the maximum is %d characters for "
			"the event, and as many for the umask",
			s->shown, UNC_ROW_NAME - 1);
	return 0;
}

static int take_name(struct unc_list_source *s)
{
	s->name = unc_list_text(s, "EventName");
	if (!s->name)
		return unc_list_fail(s->f, s->at,
				     "invalid EventName: expected text without zero characters");
	if (!*s->name)
		return unc_list_fail(s->f, s->at, "an event has no EventName");
	unc_printable(s->shown, sizeof(s->shown), s->name);
	return check_name(s);
}

/* ---- unit ---- */

static bool is_word(const char *word, const char *text, size_t n)
{
	return word && strlen(word) == n && strncasecmp(word, text, n) == 0;
}

/* "UPI LL" is the link layer of the UPI, the only part with counters. */
static size_t unit_length(const char *unit)
{
	const size_t n = strlen(unit);

	return n > 3 && strcasecmp(unit + n - 3, " LL") == 0 ? n - 3 : n;
}

static bool is_unit(const struct unc_box_type *type, const char *unit)
{
	const char *others = type->intel_units;

	while (others && *others) {
		const size_t n = strcspn(others, "|");

		if (n == strlen(unit) && strncasecmp(others, unit, n) == 0)
			return true;
		others += n + (others[n] == '|');
	}
	return is_word(type->name, unit, unit_length(unit));
}

/* Linux has one name for some kinds of boxes that are two kinds here. */
static bool is_linux_unit(const struct unc_box_type *type, const char *unit)
{
	return is_word(type->sysfs_name, unit, unit_length(unit));
}

static bool find_unit(const struct unc_box_type *const *types, const char *unit,
		      bool (*is)(const struct unc_box_type *, const char *), unsigned *found)
{
	for (*found = 0; types[*found]; ++*found)
		if (is(types[*found], unit))
			return true;
	return false;
}

/* 1: a box of this machine has it. */
static int take_unit(const struct unc_list_source *s, unsigned *type)
{
	const char *unit = unc_list_text(s, "Unit");

	if (!unit || !*unit)
		return unc_list_fail(s->f, s->at,
				     "%s has no Unit: use a list of uncore events, not of core "
				     "events",
				     s->shown);
	if (find_unit(s->f->from->types, unit, is_unit, type) ||
	    find_unit(s->f->from->types, unit, is_linux_unit, type))
		return 1;
	unc_printable(s->f->unit, sizeof(s->f->unit), unit);
	return 0;
}

/* ---- codes ---- */

static int take_codes(const struct unc_list_source *s, const struct unc_box_type *type,
		      struct unc_item *item)
{
	uint64_t event, ext_sel = 0, umask = 0, umask_ext = 0, port = 0, class = 0;
	int r = unc_list_number(s, "EventCode", 0xff, &event);

	if (r == 0)
		r = unc_list_number(s, "ExtSel", 1, &ext_sel);
	if (r == 0)
		r = unc_list_number(s, "UMask", 0xff, &umask);
	if (r == 0)
		r = unc_list_number(s, "UMaskExt", 0xffffffff, &umask_ext);
	if (r == 0)
		r = unc_list_number(s, "PortMask", 0xfff, &port);
	if (r == 0)
		r = unc_list_number(s, "FCMask", 0xff, &class);
	if (r < 0)
		return r;
	item->code = event | ext_sel * EXT_SEL;
	item->bits = umask << 8 | umask_ext << 32 | port << 36 |
		     class << (type->class_bit ? type->class_bit : 48);
	return 0;
}

/* Members of perf's lists that change the count. */
static int check_modifiers(const struct unc_list_source *s)
{
	static const char members[][12] = {"EdgeDetect", "Invert", "CounterMask", "AnyThread",
					   "ConfigCode"};
	uint64_t value = 0;
	int r = 0;

	for (unsigned i = 0; r == 0 && i < sizeof(members) / sizeof(*members); i++) {
		r = unc_list_number(s, members[i], UINT64_MAX, &value);
		if (r == 0 && value)
			return unc_list_fail(s->f, s->at,
					     "%s of %s is not supported in an event list",
					     members[i], s->shown);
	}
	return r;
}

/* ---- counters ---- */

static int no_counters(const struct unc_list_source *s)
{
	return unc_list_fail(s->f, s->at, "invalid Counter of %s: expected a list of counters",
			     s->shown);
}

/* "0,1,2,3" */
static int take_list(const struct unc_list_source *s, const char *text, uint32_t *counters)
{
	for (;;) {
		char *end = NULL;
		unsigned long n;

		text += strspn(text, " ");
		n = isdigit((unsigned char)*text) ? strtoul(text, &end, 10) : 32;
		if (n > 31)
			return no_counters(s);
		*counters |= 1u << n;
		end += strspn(end, " ");
		if (*end == '\0')
			return 0;
		if (*end != ',')
			return no_counters(s);
		text = end + 1;
	}
}

static bool is_kind(const char *text)
{
	return !*text || strcasecmp(text, "PGMABLE") == 0 || strcasecmp(text, "FIXED") == 0 ||
	       strcasecmp(text, "FREERUN") == 0;
}

/* 1: the box has them.  Free-running counters cannot be programmed with an event. */
static int take_counters(const struct unc_list_source *s, const struct unc_box_type *type,
			 struct unc_item *item)
{
	const uint32_t all = (1u << type->n_counters) - 1;
	const char *list = unc_list_text(s, "Counter"), *kind = unc_list_text(s, "CounterType");
	int r;

	if (!list || !kind)
		return no_counters(s);
	if (!is_kind(kind))
		return unc_list_fail(
			s->f, s->at,
			"invalid CounterType of %s: expected PGMABLE, FIXED or FREERUN", s->shown);
	if (strcasecmp(kind, "FREERUN") == 0 || type->free)
		return 0;
	if (strcasecmp(kind, "FIXED") == 0 || strcasecmp(list, "FIXED") == 0) {
		item->code = type->fixed.code;
		item->bits = 0;
		return type->fixed.coded;
	}
	if (!*unc_list_text(s, "EventCode"))
		return unc_list_fail(s->f, s->at, "%s has no EventCode", s->shown);
	if (!*list)
		return 1;
	r = take_list(s, list, &item->counters);
	if (r < 0 || (item->counters & all) == 0)
		return r;
	item->counters = (item->counters & all) == all ? 0 : item->counters & all;
	return 1;
}

/* ---- item ---- */

/* Also those of UTF-8, U+0080 to U+009F, which terminals obey: U+009B is an escape and a [. */
static void blank_controls(char *c)
{
	for (; *c; c++) {
		const bool more = (unsigned char)c[0] == 0xc2 && (unsigned char)c[1] >= 0x80 &&
				  (unsigned char)c[1] < 0xa0;

		if (more)
			c[1] = ' ';
		if (more || iscntrl((unsigned char)*c))
			*c = ' ';
	}
}

/*
 * Names as in all other tables: in capitals, and a second dot, as in DATA.READ.PART0, is part
 * of the umask.  Text in one line.
 */
static int copy_texts(const struct unc_list_source *s, struct unc_item *item)
{
	const char *text = unc_list_text(s, "BriefDescription");
	const size_t name = strlen(s->name) + 1;
	char *c;

	if (!text || !*text)
		text = unc_list_text(s, "PublicDescription");
	if (!text || !*text)
		text = s->name;
	item->event = malloc(name + strlen(text) + 1);
	if (!item->event)
		return unc_fail(s->f->err, UNCORE_ENOMEM, "out of memory for %s", s->f->path);
	memcpy(item->event, s->name, name);
	for (c = item->event; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	item->umask = c;
	c = strchr(item->event, '.');
	if (c) {
		*c = '\0';
		item->umask = c + 1;
	}
	while (c && (c = strchr(c + 1, '.')))
		*c = '_';
	c = item->event + name;
	item->text = memcpy(c, text, strlen(text) + 1);
	blank_controls(c);
	return 0;
}

static int keep(const struct unc_list_source *s, struct unc_item *item)
{
	struct unc_list_file *f = s->f;
	int r;

	if (f->n_items == f->room) {
		const size_t room = f->room ? 2 * f->room : 512;
		struct unc_item *items = realloc(f->items, room * sizeof(*items));

		if (!items)
			return unc_fail(f->err, UNCORE_ENOMEM, "out of memory for %zu events",
					room);
		f->items = items;
		f->room = room;
	}
	r = copy_texts(s, item);
	if (r < 0)
		return r;
	item->order = (unsigned)f->n_items;
	f->items[f->n_items++] = *item;
	return 0;
}

/* Reject control bits or counters that the box lacks: the list may be for another CPU. */
static bool fits(const struct unc_box_type *type, const struct unc_item *item)
{
	const uint64_t control = item->code | item->bits;
	bool low;

	if (type->fixed.coded && control == type->fixed.code)
		return true;
	return (control & ~type->event_mask) == 0 &&
	       (item->counters == 0 ||
		(unc_allowed_counters(type, control, &low) & item->counters));
}

int unc_list_event(struct unc_list_file *f, size_t at, struct json_object *object)
{
	struct unc_list_source s = {.f = f, .at = at, .object = object};
	struct unc_item item = {.at = at};
	const struct unc_box_type *type;
	uint64_t deprecated;
	int r = take_name(&s), here, filter = 0, counters = 0;

	here = r < 0 ? r : take_unit(&s, &item.type);
	if (r < 0 || here < 0)
		return UNCORE_EINVAL;
	type = f->from->types[here ? item.type : 0];
	r = take_codes(&s, type, &item);
	if (r == 0 && here)
		r = filter = unc_list_filter(&s, type, &item);
	if (r >= 0 && check_modifiers(&s) < 0)
		r = UNCORE_EINVAL;
	if (r >= 0)
		r = counters = take_counters(&s, type, &item);
	if (r >= 0)
		r = unc_list_number(&s, "Deprecated", 1, &deprecated);
	if (r < 0 || !here || !filter || !counters)
		return r < 0 ? r : 0;
	item.unlisted = deprecated || !fits(type, &item);
	f->n_fit += fits(type, &item);
	return keep(&s, &item);
}
