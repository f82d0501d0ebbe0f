/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doctor.h - what keeps somebody from counting here, or should be known before: the machine, the
 * kernel, rights, others who count, PAPI.  Each check says what it found and, unless that is fine,
 * what to do.  Part of the command only; writes nothing.
 */
#ifndef DOCTOR_H
#define DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum doctor_state {
	DOCTOR_FINE,
	DOCTOR_NOTE,    /* counting works, but not for all events or users */
	DOCTOR_PROBLEM, /* it does not count, or wrongly */
};

struct doctor_finding {
	enum doctor_state state;
	const char *check; /* "lockdown" */
	char *found;       /* a sentence */
	char *advice;      /* what to do; NULL: nothing */
};

struct doctor_report {
	size_t n;
	struct doctor_finding *at; /* in the order in which they should be dealt with */
};

/*
 * Look at a machine as uncore_options.machine names it, NULL: UNCORE_MACHINE, or this computer.  Of
 * one that is simulated or recorded only what belongs to it.
 */
void doctor_examine(struct doctor_report *report, const char *machine);
void doctor_free(struct doctor_report *report);

#ifdef __cplusplus
}
#endif
#endif
