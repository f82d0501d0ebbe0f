/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doctor.h - checks for problems that prevent or limit counting: the machine, the kernel,
 * permissions, other processes that count, PAPI.  Each check reports what it found and, unless that
 * is fine, what to do.  Part of the command only.  It writes no register and no file.
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
	DOCTOR_PROBLEM, /* counting fails, or counts are wrong */
};

struct doctor_finding {
	enum doctor_state state;
	const char *check; /* "lockdown" */
	char *found;       /* a sentence */
	char *advice;      /* what to do; NULL: nothing */
};

struct doctor_report {
	size_t n;
	struct doctor_finding *at; /* in the order in which to fix them */
};

/*
 * Examine a machine, named as in uncore_options.machine; NULL: UNCORE_MACHINE, or this computer.
 * Checks of the computer itself are skipped for simulated and recorded machines.
 */
void doctor_examine(struct doctor_report *report, const char *machine);
void doctor_free(struct doctor_report *report);

#ifdef __cplusplus
}
#endif
#endif
