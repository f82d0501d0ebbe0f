/* SPDX-License-Identifier: BSD-3-Clause */
/* patient.c - see patient.h. */
#include "doctor/patient.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- findings ---- */

static char *text_of_list(const char *format, va_list list)
{
	char *text;

	return vasprintf(&text, format, list) < 0 ? NULL : text;
}

char *say_text(const char *format, ...)
{
	va_list list;
	char *text;

	va_start(list, format);
	text = text_of_list(format, list);
	va_end(list);
	return text;
}

static void add(struct patient *p, enum doctor_state state, const char *check, char *found,
		char *advice)
{
	struct doctor_report *r = p->report;
	struct doctor_finding *all = realloc(r->at, (r->n + 1) * sizeof(*all));

	if (all)
		r->at = all;
	if (!all || !found || (state != DOCTOR_FINE && !advice)) {
		p->failed = true;
		free(found);
		free(advice);
		return;
	}
	all[r->n++] = (struct doctor_finding){state, check, found, advice};
}

void found_fine(struct patient *p, const char *check, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	add(p, DOCTOR_FINE, check, text_of_list(format, list), NULL);
	va_end(list);
}

void found_note(struct patient *p, const char *check, char *found, char *advice)
{
	add(p, DOCTOR_NOTE, check, found, advice);
}

void found_problem(struct patient *p, const char *check, char *found, char *advice)
{
	add(p, DOCTOR_PROBLEM, check, found, advice);
}

/* ---- what several checks ask ---- */

bool is_here(const struct patient *p)
{
	return !p->machine || strcmp(p->machine, "native") == 0;
}

bool is_whole(const struct patient *p)
{
	return p->code == 0 && p->info.boxes_present > 0 && p->info.boxes_unreached == 0;
}
