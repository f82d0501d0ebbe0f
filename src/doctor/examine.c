/* SPDX-License-Identifier: BSD-3-Clause */
/* examine.c - the checks in their order. */
#include <stdlib.h>
#include <string.h>

#include "doctor/patient.h"

/* Whoever has rights that his caller lacks is not told where to look. */
static void admit(struct patient *p, const char *machine)
{
	const struct uncore_options options = {.size = sizeof(options), .machine = machine};
	const char *root = secure_getenv("UNCORE_SYSROOT");

	p->machine = machine ? machine : secure_getenv("UNCORE_MACHINE");
	p->elsewhere = machine && !is_here(p);
	p->root = root && strcmp(root, "/") != 0 ? root : "";
	p->code = uncore_open(&p->u, &options);
	p->info.size = sizeof(p->info);
	if (!p->u) {
		p->failed = true;
		return;
	}
	if (p->code < 0)
		uncore_errmsg(p->u, p->why, sizeof(p->why));
	uncore_machine(p->u, &p->info);
}

bool doctor_examine(struct doctor_report *report, const char *machine)
{
	/* What hides the rest comes first. */
	static void (*const checks[])(struct patient *) = {
		check_environment,  check_cpu,       check_hypervisor, check_lockdown,
		check_msr_files,    check_pci_files, check_msr_writes, check_msr_safe,
		check_capabilities, check_boxes,     check_open_files, check_offline,
		check_driver,       check_others,    check_directory,  check_watchdog,
		check_paranoid,     check_warnings,  check_papi,
	};
	struct patient p = {.report = report};

	*report = (struct doctor_report){.n = 0};
	admit(&p, machine);
	for (size_t i = 0; !p.failed && i < sizeof(checks) / sizeof(*checks); i++)
		checks[i](&p);
	uncore_close(p.u);
	return !p.failed;
}

void doctor_free(struct doctor_report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		free(report->at[i].found);
		free(report->at[i].advice);
	}
	free(report->at);
	*report = (struct doctor_report){.n = 0};
}
