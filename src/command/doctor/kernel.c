/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.c - limits set by the kernel or a hypervisor. */
#include <string.h>

#include "base/documents.h"
#include "base/sysfs.h"
#include "command/doctor/patient.h"

bool is_virtual_machine(const struct patient *p)
{
	char text[8192];

	return unc_read_text(text, sizeof(text), p->root, "proc/cpuinfo") &&
	       unc_cpuinfo_has_flag(text, "hypervisor");
}

void check_hypervisor(struct patient *p)
{
	if (!p->virtual)
		found_fine(p, "hypervisor", "not a virtual machine");
	else if (is_whole(p))
		found_note(p, "hypervisor",
			   text_of("this is a virtual machine: uncore counters may not count, or "
				   "include events of other virtual machines"),
			   text_of("count on the host, or verify counts with known traffic first"));
	else
		found_problem(p, "hypervisor",
			      text_of("this is a virtual machine without uncore counters"),
			      text_of("count on the host"));
	p->hopeless = p->virtual &&
		      (p->code == UNCORE_ENOSUPP || (p->code < 0 && !is_supported(p)));
}

void check_method(struct patient *p)
{
	if (!*p->info.platform || p->code < 0)
		return;
	if (p->info.kernel)
		found_fine(p, "access",
			   "through the kernel driver (perf): multiplexing, --until and energy "
			   "are not supported (" UNC_DOC_KERNEL ")");
	else if (p->info.daemon)
		found_fine(p, "access", "through uncored (" UNC_DOC_DAEMON ")");
	else
		found_fine(p, "access", "direct: this process accesses the registers");
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
			   "the kernel is locked down (%s); no effect on this access method",
			   mode + 1);
	else if (is_whole(p))
		found_note(p, "lockdown",
			   text_of("the kernel is locked down (%s): only boxes reached through "
				   "msr-safe can be counted",
				   mode + 1),
			   text_of("to count on all boxes, boot with Secure Boot off"));
	else
		found_problem(p, "lockdown",
			      text_of("the kernel is locked down (%s): registers cannot be written",
				      mode + 1),
			      text_of("count through the kernel driver (as root: sysctl "
				      "kernel.perf_event_paranoid=0; " UNC_DOC_KERNEL
				      "), or boot with "
				      "Secure Boot off, or without lockdown="));
}

/* Only an explicit "off" denies access; kernels without the parameter are older. */
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
			      text_of("as root: echo on >/sys/module/msr/parameters/allow_writes"));
}

void check_driver(struct patient *p)
{
	const long users = unc_read_number(-1, p->root, "sys/module/intel_uncore/refcnt");

	if (users > 0)
		found_note(p, "kernel driver",
			   text_of("intel_uncore is in use: a process is counting uncore events "
				   "with perf"),
			   text_of("boxes in use by perf are busy: wait until perf ends, or count "
				   "on other boxes"));
	else
		found_fine(p, "kernel driver", "%s",
			   users == 0 ? "intel_uncore is loaded but not in use"
				      : "intel_uncore is not loaded as a module");
}

void check_watchdog(struct patient *p)
{
	if (unc_read_number(0, p->root, "proc/sys/kernel/nmi_watchdog") == 1)
		found_note(p, "nmi watchdog",
			   text_of("it uses one core counter of each CPU; uncore counters are "
				   "not affected"),
			   text_of("to count ix86arch events, as root: sysctl "
				   "kernel.nmi_watchdog=0"));
	else
		found_fine(p, "nmi watchdog", "off");
}

void check_paranoid(struct patient *p)
{
	const long paranoid = unc_read_number(-100, p->root, "proc/sys/kernel/perf_event_paranoid");

	if (paranoid == -100)
		return;
	if (p->code == UNCORE_EACCESS && paranoid > 0)
		found_note(
			p, "perf_event_paranoid",
			text_of("%ld: this user may not count through the kernel driver either",
				paranoid),
			text_of("to let all users count, as root: sysctl "
				"kernel.perf_event_paranoid=0 (for the security implications see " UNC_DOC_KERNEL
				")"));
	else
		found_fine(p, "perf_event_paranoid", "%ld: users without access to registers %s",
			   paranoid,
			   paranoid <= 0 ? "may count through the kernel driver"
					 : "need CAP_PERFMON to count through the kernel driver");
}

void check_offline(struct patient *p)
{
	char list[256];

	if (!unc_read_word(list, sizeof(list), p->root, "sys/devices/system/cpu/offline"))
		return;
	if (!*list)
		found_fine(p, "cpus", "all online");
	else
		found_note(p, "cpus", text_of("offline: %s", list),
			   text_of("packages without an online CPU cannot be counted; to bring a "
				   "CPU online, as root: echo 1 "
				   ">/sys/devices/system/cpu/cpuN/online"));
}
