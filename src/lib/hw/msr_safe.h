/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * msr_safe.h - msr-safe, a kernel module that lets users access the MSRs of an
 * allow-list; src/lib/hw only.  https://github.com/LLNL/msr-safe, versions 1.3 to 2.0.
 *
 * dev/cpu/N/msr_safe is used as dev/cpu/N/msr is.  dev/cpu/msr_batch carries out an
 * array of operations with one ioctl: those of one CPU in their order, CPUs side by
 * side.  If one of them is not allowed, or its CPU is offline, none is carried out;
 * behind one that the CPU refuses the others go on.  A write reads the register
 * first and changes the bits of the allow-list's write mask only, without a word
 * about the others.
 */
#ifndef UNC_MSR_SAFE_H
#define UNC_MSR_SAFE_H

#include "hw/native.h"

/* The batch device and the list: used if they may be opened. */
int unc_safe_open(struct unc_safe *safe, const char *root);
void unc_safe_free(struct unc_safe *safe);

/* As unc_hw_ops.read_many and run_many; cpu[i] carries out operation i. */
int unc_safe_read(struct unc_safe *safe, const uint16_t *cpu, const struct unc_op *const *ops,
		  unsigned n, uint64_t *values);
int unc_safe_run(const struct unc_safe *safe, const uint16_t *cpu, const struct unc_op *ops,
		 unsigned n, struct unc_result *results);

/* The allow-list's write mask of a register; false: it cannot be found out. */
bool unc_safe_mask(const struct unc_safe *safe, uint16_t cpu, uint32_t msr, uint64_t *mask);

/* What of an operation the list forbids, and its line that would allow it: needed has all bits. */
void unc_safe_explain(const struct unc_safe *safe, uint16_t cpu, const struct unc_op *op,
		      uint64_t needed, char *text, size_t len);

#endif
