/* SPDX-License-Identifier: BSD-3-Clause */
/* examine.c - the checks in their order. */
#include <stdlib.h>
#include <string.h>

#include "command/base/caller.h"
#include "command/base/root.h"
#include "command/doctor/patient.h"

static void admit(struct patient *p, const char *machine)
{
	const struct uncore_options options = {.size = sizeof(options), .machine = machine};

	p->machine = machine ? machine : secure_getenv("UNCORE_MACHINE");
	p->other_machine = machine && !is_here(p);
	p->root = files_root();
	if (machine && strcmp(machine, "native") != 0)
		caller_become();
	p->code = uncore_open(&p->u, &options);
	p->info.size = sizeof(p->info);
	if (!p->u)
		end_without_memory();
	if (p->code < 0)
		uncore_errmsg(p->u, p->why, sizeof(p->why));
	uncore_machine(p->u, &p->info);
	p->virtual = is_virtual_machine(p);
}

/* Checks whose failure hides others come first.  here: only for this computer or a file tree. */
static const struct {
	void (*check)(struct patient *p);
	bool here;
} checks[] = {
	{check_environment, false}, {check_hypervisor, true}, {check_cpu, false},
	{check_method, true},       {check_lockdown, true},   {check_msr_files, true},
	{check_pci_files, true},    {check_msr_writes, true}, {check_msr_safe, true},
	{check_capabilities, true}, {check_daemon, true},     {check_boxes, false},
	{check_nodes, false},       {check_open_files, true}, {check_offline, true},
	{check_driver, true},       {check_others, true},     {check_directory, true},
	{check_watchdog, true},     {check_shares, true},     {check_paranoid, true},
	{check_warnings, false},    {check_papi, false},
};

/* Other architectures lack the registers, so permissions and the kernel's driver do not matter. */
static bool has_registers(void)
{
#if defined(__x86_64__)
	return true;
#else
	return false;
#endif
}

void doctor_examine(struct doctor_report *report, const char *machine)
{
	struct patient p = {.report = report};

	*report = (struct doctor_report){.n = 0};
	admit(&p, machine);
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++)
		if (!checks[i].here || (is_here(&p) && has_registers()))
			checks[i].check(&p);
	uncore_close(p.u);
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
