/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - which machine it is, and which of its boxes can be used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/patient.h"

/* ---- variables ---- */

static const struct variable {
	const char *name, *means, *advice;
} variables[] = {
	{"UNCORE_SYSROOT", "another directory is looked at in place of /", "unset it"},
	{"UNCORE_FORCE", "counters that others have enabled are taken over", "unset it"},
	{"UNCORE_PARTIAL", "sums lack boxes that cannot be reached", "unset it"},
	{"UNCORE_EVENT_FILES_FORCE", "event lists of other CPUs are taken", "unset it"},
	{"LIBPFM_FORCE_PMU", "libpfm4 takes this CPU for another one", "unset it"},
	{"LIBPFM_DISABLED_PMUS", "libpfm4 leaves out some of its events", "unset it"},
};

static bool is_off(const char *value)
{
	return !value || !*value || strcmp(value, "0") == 0;
}

void check_environment(struct patient *p)
{
	bool any = false;

	if (p->info.simulated)
		found_note(
			p, "machine",
			say_text("%s: all counts are simulated, none is of this computer",
				 p->machine ? p->machine : p->root),
			say_text("leave --machine, UNCORE_MACHINE and UNCORE_SYSROOT out to look "
				 "at this computer"));
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const struct variable *v = &variables[i];
		const char *value = secure_getenv(v->name);

		if (is_off(value))
			continue;
		any = true;
		found_note(p, "environment", say_text("%s=%s: %s", v->name, value, v->means),
			   say_text("%s unless that is wanted", v->advice));
	}
	if (!any)
		found_fine(p, "environment", "no variable changes what is counted");
}

/* ---- the CPU ---- */

void check_cpu(struct patient *p)
{
	if (*p->info.platform)
		found_fine(p, "cpu", "%s: %u package%s, %u CPUs", p->info.title, p->info.packages,
			   p->info.packages == 1 ? "" : "s", p->info.cpus);
	else if (p->code == UNCORE_ENOSUPP)
		found_problem(
			p, "cpu", say_text("%s", p->why),
			say_text(
				"if this CPU is not in the README's list, count on one that is; simulated ones show what would be there (uncore --machine sim:skx show)"));
	else
		found_problem(p, "cpu", say_text("%s", p->why),
			      say_text("as that says; docs/permissions.md has more"));
}

/* ---- boxes ---- */

/* Boxes that cannot be used for the same reason, up to its first colon. */
struct reason {
	struct uncore_box_info first;
	unsigned boxes;
};

static bool is_same(const struct uncore_box_info *a, const struct uncore_box_info *b)
{
	const size_t n = strcspn(a->absent, ":");

	return a->unreached == b->unreached && n == strcspn(b->absent, ":") &&
	       strncmp(a->absent, b->absent, n) == 0;
}

static struct reason *reason_of(struct reason *list, size_t *n, const struct uncore_box_info *box)
{
	for (size_t i = 0; i < *n; i++)
		if (is_same(&list[i].first, box))
			return &list[i];
	list[*n] = (struct reason){.first = *box};
	return &list[(*n)++];
}

static char *found_text(const struct reason *r)
{
	const struct uncore_box_info *b = &r->first;

	return r->boxes == 1 ? say_text("%s%u of package %u: %s", b->kind, b->index, b->package,
					b->absent)
			     : say_text("%u boxes, such as %s%u of package %u: %s", r->boxes,
					b->kind, b->index, b->package, b->absent);
}

/* It may be there all the same; what a part lacks by design needs no note. */
static bool is_hidden(const char *absent)
{
	return strstr(absent, "hidden") || strstr(absent, "dead");
}

static void tell(struct patient *p, const struct reason *r)
{
	char *found = found_text(r);

	if (r->first.unreached) {
		found_problem(
			p, "boxes", found,
			say_text(
				"until that is mended, events of these boxes are refused (UNCORE_PARTIAL=1 counts the others)"));
	} else if (is_hidden(r->first.absent) && r->first.instead) {
		found_note(
			p, "boxes", found,
			say_text(
				"on most machines of this kind it is hidden, and no setting is known that shows it: %s",
				r->first.instead));
	} else if (is_hidden(r->first.absent)) {
		found_note(
			p, "boxes", found,
			say_text(
				"look in the firmware's setup for performance counters or uncore devices; a part that lacks them has nothing to show"));
	} else {
		found_fine(p, "boxes", "%s", found ? found : "");
		free(found);
	}
}

static void check_missing(struct patient *p)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	struct reason *list = calloc(p->info.boxes + 1, sizeof(*list));
	size_t n = 0;

	p->failed |= !list;
	for (unsigned i = 0; list && i < p->info.boxes && uncore_box(p->u, i, &box) == 1; i++)
		if (box.absent)
			reason_of(list, &n, &box)->boxes++;
	for (size_t i = 0; i < n; i++)
		tell(p, &list[i]);
	free(list);
}

void check_boxes(struct patient *p)
{
	if (!*p->info.platform)
		return;
	if (p->code < 0) {
		found_problem(p, "boxes", say_text("none can be used: %s", p->why),
			      say_text("deal with the problems above, then with what that says "
				       "(docs/permissions.md)"));
		return;
	}
	found_fine(p, "boxes", "%u of %u can be used", p->info.boxes_present, p->info.boxes);
	check_missing(p);
}

/* ---- warnings ---- */

/* By check_boxes(). */
static bool is_told(const struct patient *p, const char *warning)
{
	return p->info.boxes_unreached && strstr(warning, "cannot be reached, so sums");
}

void check_warnings(struct patient *p)
{
	const char *text;

	for (unsigned i = 0; p->u && uncore_warning(p->u, i, &text) == 1; i++)
		if (!is_told(p, text))
			found_note(p, "warning", say_text("%s", text),
				   say_text("docs/permissions.md explains the warnings"));
}
