/* SPDX-License-Identifier: BSD-3-Clause */
/* others.c - who else counts, and how processes find each other. */
#include <string.h>
#include <time.h>

#include "doctor/patient.h"

void check_directory(struct patient *p)
{
	struct uncore_sharing_info s = {.size = sizeof(s)};

	if (!is_here(p) || p->code < 0 || uncore_sharing(p->u, &s) < 0)
		return;
	if (s.missing)
		found_note(p, "journals", say_text("%s", s.missing),
			   say_text("as root: install examples/tmpfiles.d/uncore.conf of this "
				    "library, or mkdir /run/uncore (docs/sharing.md)"));
	else
		found_fine(p, "journals", "they are kept in %s",
			   s.journal ? s.journal : "/run/uncore from the first count on");
	if (s.ended)
		found_note(p, "journals",
			   say_text("%u process%s ended without giving counters back", s.ended,
				    s.ended == 1 ? " has" : "es have"),
			   say_text("the next count does it, or uncore restore"));
}

void check_others(struct patient *p)
{
	struct uncore_owner_info o = {.size = sizeof(o)};
	unsigned n = 0;

	for (; is_here(p) && p->code == 0 && uncore_owner(p->u, n, &o) == 1; n++) {
		const time_t since = (time_t)o.since;
		char when[32] = "an unknown time";
		struct tm t;

		if (localtime_r(&since, &t))
			strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &t);
		found_note(p, "others",
			   say_text("%s counts since %s, %u registers", o.name, when, o.registers),
			   say_text("boxes that it has are refused: wait for its end, or count "
				    "others"));
	}
	if (n == 0 && is_here(p) && p->code == 0)
		found_fine(p, "others", "no process of this library counts now");
}
