/* SPDX-License-Identifier: BSD-3-Clause */
/* patient.h - the examined machine, and how checks report findings; src/command/doctor only. */
#ifndef DOCTOR_PATIENT_H
#define DOCTOR_PATIENT_H

#include "command/base/text.h"
#include "doctor.h"
#include "uncore_inspect.h"

struct patient {
	struct doctor_report *report;
	const char *machine; /* as requested; NULL: this computer */
	bool other_machine;  /* not the machine that a program would use by default */
	const char *root;    /* prefix of the examined files */
	struct uncore *u;
	int code; /* of uncore_open() */
	char why[UNCORE_ERRMSG_MAX];
	struct uncore_machine_info info; /* cpus 0: unknown */
	bool virtual;                    /* this computer is a virtual machine */
	/* A problem without a remedy was found: what follows from it are notes without advice. */
	bool hopeless;
};

/* ---- findings ---- */

void found_fine(struct patient *p, const char *check, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Both texts are from text_of(); the report frees them. */
void found_note(struct patient *p, const char *check, char *found, char *advice);
void found_problem(struct patient *p, const char *check, char *found, char *advice);

/* ---- used by several checks ---- */

/* The machine is this computer, or a tree of files that looks like one. */
bool is_here(const struct patient *p);
/* Whether a hypervisor is below the examined computer; kernel.c. */
bool is_virtual_machine(const struct patient *p);
/* The CPU is in the README, or has discovery tables. */
bool is_supported(const struct patient *p);
/* All boxes that are present can be used. */
bool is_whole(const struct patient *p);

/* Counting does not need access to registers: uncored or the kernel driver counts. */
bool needs_no_registers(const struct patient *p);

/* ---- checks, each with any number of findings ---- */

/* machine.c */
void check_environment(struct patient *p);
void check_cpu(struct patient *p);
void check_boxes(struct patient *p);
void check_nodes(struct patient *p);
void check_warnings(struct patient *p);
/* kernel.c */
void check_hypervisor(struct patient *p);
void check_lockdown(struct patient *p);
void check_msr_writes(struct patient *p);
void check_method(struct patient *p);
void check_driver(struct patient *p);
void check_watchdog(struct patient *p);
void check_paranoid(struct patient *p);
void check_offline(struct patient *p);
/* rights.c */
void check_msr_files(struct patient *p);
void check_pci_files(struct patient *p);
void check_capabilities(struct patient *p);
void check_open_files(struct patient *p);
/* safe.c */
void check_msr_safe(struct patient *p);
/* others.c */
void check_directory(struct patient *p);
void check_others(struct patient *p);
/* shares.c */
void check_shares(struct patient *p);
/* daemon.c */
void check_daemon(struct patient *p);
/* papi.c */
void check_papi(struct patient *p);

#endif
