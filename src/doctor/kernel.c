/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel.c - what the kernel, or a hypervisor, lets nobody do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/patient.h"
#include "topology/sysfs.h"

static bool read_word(const struct patient *p, char *word, size_t len, const char *path)
{
	if (!unc_read_line(word, len, p->root, "%s", path))
		return false;
	word[strcspn(word, "\n")] = 0;
	return true;
}

void check_hypervisor(struct patient *p)
{
	char *text = is_here(p) ? unc_read_all(p->root, "proc/cpuinfo") : NULL;
	const bool virtual = text && strstr(text, " hypervisor");

	free(text);
	if (!is_here(p))
		return;
	if (!virtual)
		found_fine(p, "hypervisor", "this is no virtual machine");
	else if (is_whole(p))
		found_note(
			p, "hypervisor",
			say_text("this is a virtual machine: its uncore counters may not count, or "
				 "count what other virtual machines do, too"),
			say_text("count on the host, or compare with known traffic first"));
	else
		found_problem(p, "hypervisor",
			      say_text("this is a virtual machine, which has no uncore counters"),
			      say_text("count on the host"));
}

void check_lockdown(struct patient *p)
{
	char text[128], *mode = NULL;

	if (!is_here(p))
		return;
	if (read_word(p, text, sizeof(text), "sys/kernel/security/lockdown"))
		mode = strchr(text, '[');
	if (mode)
		mode[strcspn(mode, "]")] = 0;
	if (!mode || strcmp(mode, "[none") == 0)
		found_fine(p, "lockdown", "the kernel is not locked down");
	else if (is_whole(p))
		found_note(p, "lockdown",
			   say_text("the kernel is locked down (%s): what is there is read "
				    "through msr-safe, and nothing else",
				    mode + 1),
			   say_text("boot with Secure Boot off to count by all boxes"));
	else
		found_problem(p, "lockdown",
			      say_text("the kernel is locked down (%s): nobody can write to "
				       "registers",
				       mode + 1),
			      say_text("boot with Secure Boot off, or without lockdown=; or count "
				       "with perf or PAPI's perf_event_uncore"));
}

/* Only an explicit "off" refuses; without the parameter the kernel is older than it. */
void check_msr_writes(struct patient *p)
{
	char text[16];

	if (!is_here(p) ||
	    !read_word(p, text, sizeof(text), "sys/module/msr/parameters/allow_writes"))
		return;
	if (strcmp(text, "off") != 0)
		found_fine(p, "msr writes", "msr.allow_writes=%s", text);
	else
		found_problem(
			p, "msr writes",
			say_text("msr.allow_writes=off: counters in MSRs cannot be started"),
			say_text("echo on >/sys/module/msr/parameters/allow_writes, as root"));
}

void check_driver(struct patient *p)
{
	const long users =
		is_here(p) ? unc_read_number(-1, p->root, "sys/module/intel_uncore/refcnt") : -1;

	if (!is_here(p))
		return;
	if (users > 0)
		found_note(
			p, "kernel driver",
			say_text("intel_uncore is in use: somebody counts uncore events with perf "
				 "now"),
			say_text("boxes that perf uses are refused as busy: wait, or count "
				 "others"));
	else
		found_fine(p, "kernel driver", "%s",
			   users == 0 ? "intel_uncore is loaded, and not in use"
				      : "intel_uncore is not loaded as a module");
}

void check_watchdog(struct patient *p)
{
	if (!is_here(p))
		return;
	if (unc_read_number(0, p->root, "proc/sys/kernel/nmi_watchdog") == 1)
		found_note(p, "nmi watchdog",
			   say_text("it has one of the CPUs' own counters; uncore counters are not "
				    "concerned"),
			   say_text("sysctl kernel.nmi_watchdog=0, as root, if you count events of "
				    "ix86arch"));
	else
		found_fine(p, "nmi watchdog", "it is off");
}

void check_paranoid(struct patient *p)
{
	const long paranoid =
		is_here(p) ? unc_read_number(-100, p->root, "proc/sys/kernel/perf_event_paranoid")
			   : -100;

	if (paranoid != -100)
		found_fine(p, "perf_event_paranoid",
			   "%ld: perf and PAPI's perf_event_uncore %s; it does not matter here",
			   paranoid, paranoid <= 0 ? "may count, too" : "need CAP_PERFMON");
}

void check_offline(struct patient *p)
{
	char list[256];

	if (!is_here(p) || !read_word(p, list, sizeof(list), "sys/devices/system/cpu/offline"))
		return;
	if (!*list)
		found_fine(p, "cpus", "all are online");
	else
		found_note(p, "cpus", say_text("offline: %s", list),
			   say_text("a package of which no CPU is online cannot be counted; "
				    "echo 1 >/sys/devices/system/cpu/cpuN/online, as root"));
}
