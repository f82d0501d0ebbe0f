// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - gives the CPUs of an emulated machine the uncore MSRs of a Xeon.
 *
 * QEMU's emulation answers 0 for MSRs that it does not know, and forgets writes.
 * Kprobes on the kernel's four functions that access an MSR answer in their place
 * for the uncore's ranges, from a store for each package or another backend, and
 * fire the trace points msr:read_msr and msr:write_msr as those functions do.
 */
#include <asm/msr.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "lab.h"

static char *backend = "store";
module_param(backend, charp, 0444);
MODULE_PARM_DESC(backend, "who keeps the registers: store, portal");

static const struct lab_backend *const backends[] = {&lab_store, &lab_portal};
static const struct lab_backend *lab;

/* Of all platforms; 0x394 and 0x395 are the W-Box's, 0x800 to 0x8ff is the local APIC. */
static bool is_uncore(u32 msr)
{
	return msr == 0x394 || msr == 0x395 || (msr >= 0x700 && msr < 0x760) ||
	       (msr >= 0xa00 && msr < 0x1000) || (msr >= 0x2000 && msr < 0x4000);
}

static unsigned int this_package(void)
{
	return topology_logical_package_id(smp_processor_id());
}

/* The probed function returns to its caller without having run. */
static int instead(struct pt_regs *regs, u64 result)
{
	regs->ax = result;
	regs->ip = *(unsigned long *)regs->sp;
	regs->sp += sizeof(unsigned long);
	return 1;
}

static int answer_read(u32 msr, u64 *value)
{
	const int err = lab->read(this_package(), msr, value);

	do_trace_read_msr(msr, err ? 0 : *value, err);
	return err;
}

static int answer_write(struct pt_regs *regs)
{
	const u64 value = (u32)regs->si | (u64)(u32)regs->dx << 32;
	const int err = lab->write(this_package(), regs->di, value);

	do_trace_write_msr(regs->di, value, err);
	return err;
}

/* u64 native_read_msr(u32 msr) */
static int on_read(struct kprobe *probe, struct pt_regs *regs)
{
	u64 value = 0;

	if (!is_uncore(regs->di))
		return 0;
	answer_read(regs->di, &value);
	return instead(regs, value);
}

/* u64 native_read_msr_safe(u32 msr, int *err) */
static int on_read_safe(struct kprobe *probe, struct pt_regs *regs)
{
	u64 value = 0;

	if (!is_uncore(regs->di))
		return 0;
	*(int *)regs->si = answer_read(regs->di, &value);
	return instead(regs, value);
}

/* void native_write_msr(u32 msr, u32 low, u32 high) */
static int on_write(struct kprobe *probe, struct pt_regs *regs)
{
	if (!is_uncore(regs->di))
		return 0;
	answer_write(regs);
	return instead(regs, 0);
}

/* int native_write_msr_safe(u32 msr, u32 low, u32 high) */
static int on_write_safe(struct kprobe *probe, struct pt_regs *regs)
{
	if (!is_uncore(regs->di))
		return 0;
	return instead(regs, (u32)answer_write(regs));
}

/* A probe with a post handler is never made a jump, which could not skip the function. */
static void after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probes[] = {
	{.symbol_name = "native_read_msr", .pre_handler = on_read, .post_handler = after},
	{.symbol_name = "native_read_msr_safe", .pre_handler = on_read_safe, .post_handler = after},
	{.symbol_name = "native_write_msr", .pre_handler = on_write, .post_handler = after},
	{.symbol_name = "native_write_msr_safe",
	 .pre_handler = on_write_safe,
	 .post_handler = after},
};
static struct kprobe *all_probes[] = {&probes[0], &probes[1], &probes[2], &probes[3]};

static int __init lab_init(void)
{
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(backends); i++)
		if (strcmp(backends[i]->name, backend) == 0)
			lab = backends[i];
	if (!lab) {
		pr_err("uncore_lab: no backend is called %s\n", backend);
		return -EINVAL;
	}
	err = lab->init(topology_max_packages());
	if (err)
		return err;
	err = register_kprobes(all_probes, ARRAY_SIZE(all_probes));
	if (err)
		lab->exit();
	return err;
}

static void __exit lab_exit(void)
{
	unregister_kprobes(all_probes, ARRAY_SIZE(all_probes));
	lab->exit();
}

module_init(lab_init);
module_exit(lab_exit);
MODULE_DESCRIPTION("Uncore MSRs for an emulated Xeon");
MODULE_LICENSE("GPL");
