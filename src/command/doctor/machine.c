/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c - which machine it is, and which of its boxes can be used. */
#include <stdlib.h>
#include <string.h>

#include "command/base/box.h"
#include "command/doctor/patient.h"

/* ---- variables ---- */

static const struct variable {
	const char *name, *means;
} variables[] = {
	{"UNCORE_SYSROOT", "another directory is looked at in place of /"},
	{"UNCORE_FORCE", "counters that others have enabled are taken over"},
	{"UNCORE_PARTIAL", "sums lack boxes that cannot be reached"},
	{"UNCORE_EVENT_FILES_FORCE", "event lists of other CPUs are taken"},
	{"LIBPFM_FORCE_PMU", "libpfm4 takes this CPU for another one"},
	{"LIBPFM_DISABLED_PMUS", "libpfm4 leaves out some of its events"},
};

static bool is_off(const char *value)
{
	return !value || !*value || strcmp(value, "0") == 0;
}

void check_environment(struct patient *p)
{
	bool any = false;

	if (p->info.simulated && p->info.daemon)
		found_note(p, "machine",
			   text_of("uncored has a simulated machine: none of its counts is of this "
				   "computer"),
			   text_of("start it without --machine and --sysroot, or "
				   "UNCORE_ACCESS=direct"));
	else if (p->info.simulated)
		found_note(p, "machine",
			   text_of("%s: all counts are simulated, none is of this computer",
				   p->machine ? p->machine : p->root),
			   text_of("leave --machine, UNCORE_MACHINE and UNCORE_SYSROOT out to look "
				   "at this computer"));
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const struct variable *v = &variables[i];
		const char *value = secure_getenv(v->name);

		if (is_off(value))
			continue;
		any = true;
		found_note(p, "environment", text_of("%s=%s: %s", v->name, value, v->means),
			   text_of("unset it unless that is wanted"));
	}
	if (!any)
		found_fine(p, "environment", "no variable changes what is counted");
}

/* ---- the CPU ---- */

void check_cpu(struct patient *p)
{
	if (*p->info.platform)
		found_fine(p, "cpu", "%s: %u package%s, %u CPUs", p->info.title, p->info.packages,
			   plural(p->info.packages), p->info.cpus);
	else if (p->code == UNCORE_ENOSUPP)
		found_problem(
			p, "cpu", text_of("%s", p->why),
			text_of("if this CPU is not in the README's list, count on one that is; "
				"simulated ones show what would be there (uncore --machine sim:skx "
				"show)"));
	else
		found_problem(p, "cpu", text_of("%s", p->why),
			      text_of("as that says; docs/permissions.md has more"));
}

/* ---- boxes ---- */

/* Boxes that cannot be used for the same reason, up to its first colon. */
struct reason {
	struct uncore_box_info first;
	unsigned boxes;
};

static struct reason *reason_of(struct reason *list, size_t *n, const struct uncore_box_info *box)
{
	for (size_t i = 0; i < *n; i++)
		if (is_same_absence(&list[i].first, box))
			return &list[i];
	list[*n] = (struct reason){.first = *box};
	return &list[(*n)++];
}

static char *found_text(const struct reason *r)
{
	const struct uncore_box_info *b = &r->first;
	char name[BOX_NAME];

	box_name(name, b->kind, b->index);
	return r->boxes == 1 ? text_of("%s of package %u: %s", name, b->package, b->absent)
			     : text_of("%u boxes, such as %s of package %u: %s", r->boxes, name,
				       b->package, b->absent);
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
		found_problem(p, "boxes", found,
			      text_of("until that is mended, events of these boxes are refused "
				      "(UNCORE_PARTIAL=1 counts the others)"));
	} else if (!is_hidden(r->first.absent)) {
		found_fine(p, "boxes", "%s", found);
		free(found);
	} else {
		found_note(
			p, "boxes", found,
			r->first.instead
				? text_of("on most machines of this kind it is hidden: look in the "
					  "firmware's setup for \"Perfmon and DFX devices\"; else %s",
					  r->first.instead)
				: text_of("look in the firmware's setup for performance "
					  "counters or uncore devices; a part that lacks them "
					  "has nothing to show"));
	}
}

static void check_missing(struct patient *p)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	struct reason *list = need_memory(p->info.boxes, sizeof(*list));
	size_t n = 0;

	for (unsigned i = 0; uncore_box(p->u, i, &box) == 1; i++)
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
		found_problem(p, "boxes", text_of("none can be used: %s", p->why),
			      text_of("deal with the problems above, then with what that says "
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

	for (unsigned i = 0; uncore_warning(p->u, i, &text) == 1; i++)
		if (!is_told(p, text))
			found_note(p, "warning", text_of("%s", text),
				   text_of("docs/permissions.md explains the warnings"));
}
