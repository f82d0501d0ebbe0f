/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * arch.h - programs for the counters of a core instead of an uncore box; used by program.c.
 * For src/lib/plan only.
 */
#ifndef UNC_PLAN_ARCH_H
#define UNC_PLAN_ARCH_H

#include "plan/plan.h"

void unc_arch_save(struct unc_ops *ops, const struct unc_job *job);
void unc_arch_setup(struct unc_ops *ops, const struct unc_job *job);
void unc_arch_start(struct unc_ops *ops, const struct unc_job *job);
void unc_arch_stop(struct unc_ops *ops, const struct unc_job *job);
void unc_arch_check(struct unc_ops *ops, const struct unc_job *job);

/* As unc_own_bits(). */
uint64_t unc_arch_own_bits(const struct unc_job *job, const struct unc_op *op);

#endif
