/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * msr_safe.h - msr-safe, a kernel module that gives users access to the MSRs of an allow-list;
 * for src/lib/hw only. https://github.com/LLNL/msr-safe, versions 1.3 to 2.0.
 *
 * dev/cpu/N/msr_safe is used like dev/cpu/N/msr. dev/cpu/msr_batch carries out an array of
 * operations with one ioctl: those of one CPU in order, CPUs in parallel.  If one of them is
 * not allowed, or its CPU is offline, none is carried out; if the CPU rejects one, the others
 * continue.  A write reads the register first and silently changes only the bits in the write
 * mask of the allow-list.
 */
#ifndef UNC_MSR_SAFE_H
#define UNC_MSR_SAFE_H

#include "hw/native.h"

/* The batch device and the list are used if they can be opened. */
int unc_safe_open(struct unc_safe *safe, const char *root);
void unc_safe_free(struct unc_safe *safe);

/* As unc_hw_ops.read_many and run_many; cpu[i] carries out operation i. */
int unc_safe_read(struct unc_safe *safe, const uint16_t *cpu, const struct unc_op *const *ops,
		  unsigned n, uint64_t *values);
int unc_safe_run(const struct unc_safe *safe, const uint16_t *cpu, const struct unc_op *ops,
		 unsigned n, struct unc_result *results);

/* The write mask of a register in the allow-list; false: unknown. */
bool unc_safe_mask(const struct unc_safe *safe, uint16_t cpu, uint32_t msr, uint64_t *mask);

/*
 * Explain which part of an operation the list forbids, with the line that would allow it;
 * needed: all bits.
 */
void unc_safe_explain(const struct unc_safe *safe, uint16_t cpu, const struct unc_op *op,
		      uint64_t needed, char *text, size_t len);

#endif
