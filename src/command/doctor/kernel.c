/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.c - what the kernel, or a hypervisor, lets nobody do. */
#include <string.h>

#include "base/error.h"
#include "command/doctor/patient.h"
#include "hw/sysfs.h"
#include "hw/topology.h"

void check_hypervisor(struct patient *p)
{
	struct unc_topology topo = {.n_cpus = 0};
	struct unc_err none;
	bool virtual;

	unc_err_init(&none);
	unc_topology_model(&topo, p->root, &none);
	virtual = topo.hypervisor;
	unc_topology_free(&topo);
	unc_err_destroy(&none);
	if (!virtual)
		found_fine(p, "hypervisor", "this is no virtual machine");
	else if (is_whole(p))
		found_note(
			p, "hypervisor",
			text_of("this is a virtual machine: its uncore counters may not count, or "
				"count what other virtual machines do, too"),
			text_of("count on the host, or compare with known traffic first"));
	else
		found_problem(p, "hypervisor",
			      text_of("this is a virtual machine, which has no uncore counters"),
			      text_of("count on the host"));
}

void check_way(struct patient *p)
{
	if (!*p->info.platform || p->code < 0)
		return;
	if (p->info.kernel)
		found_fine(p, "access",
			   "the kernel's driver counts for this user: no multiplexing, no stop "
			   "after n, no energy (docs/kernel.md)");
	else if (p->info.daemon)
		found_fine(p, "access", "uncored counts for this user (docs/daemon.md)");
	else
		found_fine(p, "access", "this process uses the registers itself");
}

void check_lockdown(struct patient *p)
{
	char text[128], *mode = NULL;

	if (unc_read_word(text, sizeof(text), p->root, "sys/kernel/security/lockdown"))
		mode = strchr(text, '[');
	if (mode)
		mode[strcspn(mode, "]")] = 0;
	if (!mode || strcmp(mode, "[none") == 0)
		found_fine(p, "lockdown", "the kernel is not locked down");
	else if (needs_no_registers(p))
		found_fine(p, "lockdown",
			   "the kernel is locked down (%s), which does not matter here", mode + 1);
	else if (is_whole(p))
		found_note(p, "lockdown",
			   text_of("the kernel is locked down (%s): what is there is read "
				   "through msr-safe, and nothing else",
				   mode + 1),
			   text_of("boot with Secure Boot off to count by all boxes"));
	else
		found_problem(
			p, "lockdown",
			text_of("the kernel is locked down (%s): nobody can write to "
				"registers",
				mode + 1),
			text_of("count through the kernel's driver: sysctl "
				"kernel.perf_event_paranoid=0, as root (docs/kernel.md); or boot "
				"with Secure Boot off, or without lockdown="));
}

/* Only an explicit "off" refuses; without the parameter the kernel is older than it. */
void check_msr_writes(struct patient *p)
{
	char text[16];

	if (needs_no_registers(p) ||
	    !unc_read_word(text, sizeof(text), p->root, "sys/module/msr/parameters/allow_writes"))
		return;
	if (strcmp(text, "off") != 0)
		found_fine(p, "msr writes", "msr.allow_writes=%s", text);
	else
		found_problem(p, "msr writes",
			      text_of("msr.allow_writes=off: counters in MSRs cannot be started"),
			      text_of("echo on >/sys/module/msr/parameters/allow_writes, as root"));
}

void check_driver(struct patient *p)
{
	const long users = unc_read_number(-1, p->root, "sys/module/intel_uncore/refcnt");

	if (users > 0)
		found_note(
			p, "kernel driver",
			text_of("intel_uncore is in use: somebody counts uncore events with perf "
				"now"),
			text_of("boxes that perf uses are refused as busy: wait, or count "
				"others"));
	else
		found_fine(p, "kernel driver", "%s",
			   users == 0 ? "intel_uncore is loaded, and not in use"
				      : "intel_uncore is not loaded as a module");
}

void check_watchdog(struct patient *p)
{
	if (unc_read_number(0, p->root, "proc/sys/kernel/nmi_watchdog") == 1)
		found_note(p, "nmi watchdog",
			   text_of("it has one of the CPUs' own counters; uncore counters are not "
				   "concerned"),
			   text_of("sysctl kernel.nmi_watchdog=0, as root, if you count events of "
				   "ix86arch"));
	else
		found_fine(p, "nmi watchdog", "it is off");
}

void check_paranoid(struct patient *p)
{
	const long paranoid = unc_read_number(-100, p->root, "proc/sys/kernel/perf_event_paranoid");

	if (paranoid == -100)
		return;
	if (p->code == UNCORE_EACCESS && paranoid > 0)
		found_note(
			p, "perf_event_paranoid",
			text_of("%ld: who may not use registers may not count through the kernel's "
				"driver either",
				paranoid),
			text_of("sysctl kernel.perf_event_paranoid=0, as root, lets all users "
				"count (docs/kernel.md tells what else they see then)"));
	else
		found_fine(p, "perf_event_paranoid", "%ld: who may not use registers %s", paranoid,
			   paranoid <= 0
				   ? "can count through the kernel's driver"
				   : "needs CAP_PERFMON to count through the kernel's driver");
}

void check_offline(struct patient *p)
{
	char list[256];

	if (!unc_read_word(list, sizeof(list), p->root, "sys/devices/system/cpu/offline"))
		return;
	if (!*list)
		found_fine(p, "cpus", "all are online");
	else
		found_note(p, "cpus", text_of("offline: %s", list),
			   text_of("a package of which no CPU is online cannot be counted; "
				   "echo 1 >/sys/devices/system/cpu/cpuN/online, as root"));
}
