/* SPDX-License-Identifier: BSD-3-Clause */
/* patient.c - see patient.h. */
#include "command/doctor/patient.h"

#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

/* ---- findings ---- */

static void add(struct patient *p, enum doctor_state state, const char *check, char *found,
		char *advice)
{
	struct doctor_report *r = p->report;

	if (p->hopeless && state != DOCTOR_FINE) {
		state = DOCTOR_NOTE;
		free(advice);
		advice = NULL;
	}
	r->at = need_more(r->at, r->n + 1, sizeof(*r->at));
	r->at[r->n++] = (struct doctor_finding){state, check, found, advice};
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

/* ---- used by several checks ---- */

bool is_here(const struct patient *p)
{
	return !p->machine || strcmp(p->machine, "native") == 0;
}

bool needs_no_registers(const struct patient *p)
{
	const char *access = unc_variable("UNCORE_ACCESS");

	if (p->code == 0)
		return p->info.kernel || p->info.daemon;
	return access && (strcmp(access, "daemon") == 0 || strcmp(access, "kernel") == 0);
}

bool is_supported(const struct patient *p)
{
	struct uncore_discovery_table_info table = {.size = sizeof(table)};

	return *p->info.platform && (strcmp(p->info.platform, "discovered") != 0 ||
				     uncore_discovery_table(p->u, 0, &table) == 1);
}

bool is_whole(const struct patient *p)
{
	return p->code == 0 && p->info.boxes_present > 0 && p->info.boxes_unreached == 0;
}
