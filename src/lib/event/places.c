/* SPDX-License-Identifier: BSD-3-Clause */
/* places.c - parse box=, pkg=, die= and cpu=, and check that the machine has them. */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event/name_space.h"

#define MOST       UINT16_MAX /* no machine has a larger number */
#define PLACE_NAME (UNC_TYPE_NAME + 40)
#define SUGGESTION (UNC_NUMBERS_TEXT + 16)

/* ---- numbers ---- */

/* A qualifier of a name, and its error message. */
struct given {
	struct unc_names *names;
	const struct unc_parsed *p;
	const char *name, *text;
};

static int no_list(const struct given *g)
{
	return unc_fail(g->names->err, UNCORE_EATTR,
			"invalid %s=%s in %s: expected a number, a list such as 0,2,5-7, or * for "
			"each",
			g->name, g->text, g->p->event);
}

/* Parse a number at *at, and move past it. */
static bool next_number(const char **at, unsigned *number)
{
	const bool hex = (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X');
	const char *digits = hex ? *at + 2 : *at;
	unsigned long long value;
	char *end;

	if (!(hex ? isxdigit((unsigned char)*digits) : isdigit((unsigned char)*digits)))
		return false;
	value = strtoull(digits, &end, hex ? 16 : 10);
	*number = value > MOST ? MOST : (unsigned)value;
	*at = end;
	return true;
}

/* "0-3,8" or, for tools that cannot pass these characters, "0_3.8". */
static int parse_numbers(const struct given *g, struct unc_numbers *numbers)
{
	const char *at = g->text;
	unsigned low, high;

	do {
		if (!next_number(&at, &low))
			return no_list(g);
		high = low;
		if (*at == '-' || *at == '_') {
			at++;
			if (!next_number(&at, &high))
				return no_list(g);
		}
		if (low > high)
			return unc_fail(g->names->err, UNCORE_EATTR,
					"invalid range %s=%s in %s: the lower number must come "
					"first, as in %s=%u-%u",
					g->name, g->text, g->p->event, g->name, high, low);
		if (!unc_numbers_add(numbers, low, high))
			return unc_fail(g->names->err, UNCORE_EATTR,
					"%s= in %s has too many values: the maximum is %d numbers "
					"and separate ranges",
					g->name, g->p->event, UNC_MAX_RANGES);
	} while ((*at == ',' || *at == '.') && at++);
	return *at ? no_list(g) : 0;
}

static int contradicts(const struct given *g, const struct unc_numbers *a, bool all,
		       const struct unc_numbers *before, bool all_before)
{
	char one[UNC_NUMBERS_TEXT], other[UNC_NUMBERS_TEXT];

	return unc_fail(g->names->err, UNCORE_EATTR, "conflicting %s=%s: %s was given before in %s",
			g->name, all ? "*" : unc_numbers_text(a, one),
			all_before ? "*" : unc_numbers_text(before, other), g->p->event);
}

static int set_numbers(const struct given *g, const struct unc_numbers *numbers,
		       struct unc_numbers *to, bool *all)
{
	const bool star = numbers->n == 0;

	if ((to->n || *all) && (*all != star || !unc_numbers_same(to, numbers)))
		return contradicts(g, numbers, star, to, *all);
	*to = *numbers;
	*all = star;
	return 0;
}

static int parse_list(const struct given *g, struct unc_numbers *to, bool *all)
{
	struct unc_numbers numbers = {.n = 0};
	uint64_t value;
	int r = 0;

	if (g->text && tolower((unsigned char)*g->text) == 'm')
		return unc_numbers_add_mask(&numbers, g->text) ? set_numbers(g, &numbers, to, all)
							       : no_list(g);
	if (!g->text || !g->text[strcspn(g->text, "-_,.*")])
		r = unc_parse_number(g->names, g->p, g->name, g->text, &value);
	if (r == 0 && g->text && strcmp(g->text, "*") != 0)
		r = parse_numbers(g, &numbers);
	return r < 0 ? r : set_numbers(g, &numbers, to, all);
}

/* ---- qualifiers ---- */

static int parse_die(const struct given *g, struct unc_parsed *p)
{
	uint64_t value;
	const int r = unc_parse_number(g->names, p, g->name, g->text, &value);
	const int die = value > MOST ? MOST : (int)value;

	if (r < 0)
		return r;
	if (p->where.die >= 0 && p->where.die != die)
		return unc_fail(g->names->err, UNCORE_EATTR,
				"conflicting die=%d: %d was given before in %s", die, p->where.die,
				p->event);
	p->where.die = die;
	return 0;
}

/* The package of a CPU. */
static int parse_cpu(const struct given *g, struct unc_parsed *p)
{
	const struct unc_machine *m = g->names->machine;
	struct unc_numbers package;
	uint64_t value;
	int r = unc_parse_number(g->names, p, g->name, g->text, &value), logical;

	if (r < 0)
		return r;
	logical = value > INT32_MAX ? -1 : unc_package_of_cpu(&m->topo, (unsigned)value);
	if (logical < 0)
		return unc_fail(g->names->err, UNCORE_ENODEV,
				"invalid cpu=%" PRIu64 " in %s: no such CPU is online", value,
				p->event);
	package = unc_numbers_one(m->dies[logical].socket);
	return set_numbers(g, &package, &p->where.packages, &p->all_packages);
}

static int parse_place(const struct given *g, struct unc_parsed *p, bool box)
{
	if (box)
		return parse_list(g, &p->where.boxes, &p->all_boxes);
	if (strcasecmp(g->name, "die") == 0)
		return parse_die(g, p);
	if (strcasecmp(g->name, "cpu") == 0)
		return parse_cpu(g, p);
	return parse_list(g, &p->where.packages, &p->all_packages);
}

#define MOST_PART 7

/* The part of a stack that a metric is counted for. */
static int parse_part(const struct given *g, struct unc_parsed *p)
{
	uint64_t value;
	int r;

	if (!unc_is_by_port(g->names, p))
		return unc_fail(g->names->err, UNCORE_EATTR,
				"%s is not counted by part on this machine: UNCORE_IIO_READ_BYTES "
				"and UNCORE_IIO_WRITE_BYTES are, where PCIe stacks count by port",
				p->event);
	r = unc_parse_number(g->names, p, g->name, g->text, &value);
	if (r == 0 && value > MOST_PART)
		r = unc_fail(g->names->err, UNCORE_EATTR,
			     "invalid part=%s in %s: the highest part of a stack is %d", g->text,
			     p->event, MOST_PART);
	if (r == 0 && p->port && p->port != value + 1)
		r = unc_fail(g->names->err, UNCORE_EATTR,
			     "conflicting part=%s: %u was given before in %s", g->text, p->port - 1,
			     p->event);
	if (r < 0)
		return r;
	p->port = (unsigned)value + 1;
	return 1;
}

/* Boxes of cores are numbered by CPU. */
int unc_parse_place(struct unc_names *names, const char *name, const char *number,
		    struct unc_parsed *p)
{
	static const char words[][4] = {"box", "pkg", "die", "cpu"};
	struct given g = {names, p, NULL, number};
	bool box;
	int r;

	for (unsigned i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strcasecmp(name, words[i]) == 0)
			g.name = words[i];
	if (strcasecmp(name, "part") == 0 && p->base && p->base->metric) {
		g.name = "part";
		return parse_part(&g, p);
	}
	if (!g.name)
		return 0;
	box = strcmp(g.name, "box") == 0 || (strcmp(g.name, "cpu") == 0 && p->pmu->type->arch);
	if (box && p->pmu->type->arch)
		g.name = "cpu";
	r = parse_place(&g, p, box);
	if (p->where.die == 0 && names->machine->n_dies == 1)
		p->where.die = -1; /* the only one */
	return r < 0 ? r : 1;
}

/* ---- existing boxes ---- */

/* A sum without boxes that could not be accessed would be wrong. */
static int check_sum(struct unc_names *names, const struct unc_parsed *p)
{
	char why[700];
	const int code = unc_unreached(names->machine, p->pmu->type, &p->where, why, sizeof(why));

	if (code == 0)
		return 0;
	return unc_fail(names->err, code,
			"%s would miss boxes: %s (set UNCORE_PARTIAL=1 to count the rest)",
			p->event, why);
}

int unc_check_die(struct unc_names *names, const struct unc_parsed *p)
{
	const struct unc_machine *m = names->machine;
	const int package = unc_numbers_next(&p->where.packages, 0);
	const int missing = package >= (int)m->n_sockets
				    ? package
				    : unc_numbers_next(&p->where.packages, m->n_sockets);

	if (missing >= 0)
		return unc_fail(names->err, UNCORE_ENODEV,
				"invalid pkg=%d in %s: this machine has packages 0 to %u", missing,
				p->event, m->n_sockets - 1);
	if (p->where.die >= (int)m->n_dies)
		return unc_fail(names->err, UNCORE_ENODEV,
				"invalid die=%d in %s: packages of this machine have dies 0 to %u",
				p->where.die, p->event, m->n_dies - 1);
	return 0;
}

/* The boxes of a type in the requested packages. */
struct found {
	bool any, known; /* in the machine; in these packages */
	size_t fit;      /* ... those that can be used */
	unsigned last;   /* highest number in the machine */
	const struct unc_box *absent;
};

static struct found look(const struct unc_machine *m, const struct unc_box_type *type,
			 const struct unc_places *where)
{
	struct found f = {.any = false};
	size_t i, end = unc_boxes_of(m, type, &i);

	for (; i < end; i++) {
		const struct unc_box *b = &m->boxes[i];

		f.any = true;
		f.last = b->number > f.last ? b->number : f.last;
		if (!unc_box_is_at(b, where))
			continue;
		f.known = true;
		f.absent = f.absent || !b->absent ? f.absent : b;
		f.fit += !b->absent;
	}
	return f;
}

/* The boxes, or packages, that can be counted; from: among these numbers, or all. */
static struct unc_numbers usable(const struct unc_names *names, const struct unc_parsed *p,
				 const struct unc_numbers *from, struct unc_places at, bool boxes)
{
	const struct unc_machine *m = names->machine;
	struct unc_numbers to = {.n = 0};
	size_t i, end = unc_boxes_of(m, p->pmu->type, &i);

	*(boxes ? &at.boxes : &at.packages) = *from;
	for (; i < end; i++) {
		const struct unc_box *b = &m->boxes[i];
		const unsigned n = boxes ? b->number : b->socket;

		if (!b->absent && unc_box_is_at(b, &at))
			unc_numbers_add(&to, n, n);
	}
	return to;
}

/*
 * Numbers that can be counted instead: requested ones, otherwise those of boxes at the same place,
 * otherwise packages with the same boxes.
 */
static struct unc_numbers find_usable(const struct unc_names *names, const struct unc_parsed *p,
				      const struct unc_places *where, bool *boxes)
{
	static const struct unc_numbers all = {.n = 0};
	struct unc_numbers numbers;

	*boxes = !unc_numbers_same(&p->where.boxes, &where->boxes);
	numbers = usable(names, p, *boxes ? &p->where.boxes : &p->where.packages, *where, *boxes);
	for (int i = 0; numbers.n == 0 && i < 2; i++) {
		*boxes = i == 0;
		numbers = usable(names, p, &all, *where, *boxes);
	}
	return numbers;
}

/* "; use box=0_1.3", if some place can be counted. */
static const char *suggest(const struct unc_names *names, const struct unc_parsed *p,
			   const struct unc_places *where, char text[SUGGESTION])
{
	bool boxes;
	const struct unc_numbers numbers = find_usable(names, p, where, &boxes);
	const char *box = p->pmu->type->arch ? "cpu" : "box";
	char list[UNC_NUMBERS_TEXT];

	text[0] = '\0';
	if (numbers.n)
		snprintf(text, SUGGESTION, "; use %s=%s", boxes ? box : "pkg",
			 unc_numbers_text(&numbers, list));
	return text;
}

/* There is no box at box=, pkg= and die=. */
static int unknown_box(struct unc_names *names, const struct unc_parsed *p,
		       const struct unc_places *where, const struct found *f)
{
	const struct unc_box_type *t = p->pmu->type;
	const int box = unc_numbers_next(&where->boxes, 0);
	char packages[UNC_NUMBERS_TEXT], use[SUGGESTION];

	if (t->arch && where->packages.n)
		return unc_fail(names->err, UNCORE_ENODEV,
				"invalid cpu=%d in %s: no such CPU is online in package %s", box,
				p->event, unc_numbers_text(&where->packages, packages));
	if (t->arch)
		return unc_fail(names->err, UNCORE_ENODEV,
				"invalid cpu=%d in %s: no such CPU is online", box, p->event);
	if (!f->any || box < 0)
		return unc_fail(names->err, UNCORE_ENODEV, "no %s for %s: the processor%s%s",
				t->name, p->event,
				f->any ? " in that package has none"
				       : "s of this machine have none",
				suggest(names, p, where, use));
	if (where->die >= 0 || box <= (int)f->last)
		return unc_fail(names->err, UNCORE_ENODEV,
				"invalid box=%d in %s: that %s is on another die or in another "
				"package%s",
				box, p->event, t->name, suggest(names, p, where, use));
	return unc_fail(names->err, UNCORE_ENODEV,
			"invalid box=%d in %s: this machine has %s 0 to "
			"%u",
			box, p->event, t->name, f->last);
}

/* "imc2", or "imc" if several boxes were requested; " of package 1" if that was. */
static const char *name_place(const struct unc_box_type *t, const struct unc_places *where,
			      char text[PLACE_NAME])
{
	int n = snprintf(text, PLACE_NAME, "%s", t->name);

	if (unc_numbers_are_one(&where->boxes))
		n += snprintf(text + n, PLACE_NAME - (size_t)n, "%s%d", unc_gap(t),
			      unc_numbers_next(&where->boxes, 0));
	if (unc_numbers_are_one(&where->packages))
		snprintf(text + n, PLACE_NAME - (size_t)n, " of package %d",
			 unc_numbers_next(&where->packages, 0));
	return text;
}

static int check_place(struct unc_names *names, const struct unc_parsed *p,
		       const struct unc_places *where)
{
	char place[PLACE_NAME], use[SUGGESTION];
	const struct unc_box_type *t = p->pmu->type;
	const struct found f = look(names->machine, t, where);
	const char *instead;

	if (f.fit)
		return 0;
	if (!f.known)
		return unknown_box(names, p, where, &f);
	/* a box that could not be accessed may still exist */
	instead = f.absent->unreached ? NULL : t->instead;
	return unc_fail(names->err, UNCORE_ENODEV, "no %s for %s: %s%s%s%s",
			name_place(t, where, place), p->event, f.absent->absent,
			suggest(names, p, where, use),
			instead ? "; enable \"Perfmon and DFX devices\" in the firmware setup; "
				  "otherwise "
				: "",
			instead ? instead : "");
}

/* All numbers of a list must exist: a sum without one of them is not what was requested. */
static int check_each(struct unc_names *names, const struct unc_parsed *p,
		      const struct unc_numbers *numbers, bool boxes)
{
	struct unc_places one = p->where;
	int r = 0;

	if (numbers->n == 0 || unc_numbers_are_one(numbers))
		return 0;
	for (int n = -1; r == 0 && (n = unc_numbers_next(numbers, (unsigned)n + 1)) >= 0;) {
		*(boxes ? &one.boxes : &one.packages) = unc_numbers_one((unsigned)n);
		r = check_place(names, p, &one);
	}
	return r;
}

int unc_check_places(struct unc_names *names, const struct unc_parsed *p)
{
	int r = unc_check_die(names, p);

	if (r == 0)
		r = check_each(names, p, &p->where.boxes, true);
	if (r == 0)
		r = check_each(names, p, &p->where.packages, false);
	if (r == 0)
		r = check_place(names, p, &p->where);
	return r < 0 || names->machine->partial ? r : check_sum(names, p);
}
