/* SPDX-License-Identifier: BSD-3-Clause */
/* others.c - other processes that count, and how processes detect each other. */
#include "base/documents.h"
#include "command/doctor/patient.h"

void check_directory(struct patient *p)
{
	struct uncore_sharing_info s = {.size = sizeof(s)};

	if (p->code < 0 || p->info.daemon || uncore_sharing(p->u, &s) < 0)
		return; /* uncored detects other processes itself */
	if (s.missing)
		found_note(p, "journals", text_of("%s", s.missing),
			   text_of("as root: install examples/tmpfiles.d/uncore.conf of this "
				   "library, or mkdir /run/uncore (" UNC_DOC_SHARING ")"));
	else
		found_fine(p, "journals", "stored in %s",
			   s.journal ? s.journal : "/run/uncore, created when counting starts");
	if (s.ended)
		found_note(p, "journals",
			   text_of("%u process%s ended without restoring registers", s.ended,
				   s.ended == 1 ? " has" : "es have"),
			   text_of("run uncore restore, or wait until counting starts next"));
}

void check_others(struct patient *p)
{
	struct uncore_owner_info o = {.size = sizeof(o)};
	char when[TIME_TEXT];
	unsigned n = 0;

	if (p->code < 0)
		return;
	if (p->info.daemon) {
		found_fine(p, "others",
			   "uncored shares counters between its clients (uncore clients)");
		return;
	}
	for (; uncore_owner(p->u, n, &o) == 1; n++)
		found_note(p, "others",
			   text_of("%s has been counting since %s with %u registers", o.name,
				   text_of_time(when, o.since), o.registers),
			   text_of("its boxes are busy: wait until it ends, or count on other "
				   "boxes"));
	if (n == 0)
		found_fine(p, "others", "no other process is counting with this library");
}
