/*
 * allow.h - the MSRs that programs of this machine's events read and write, and which
 * bits of them.  Pure functions.
 */
#ifndef UNC_ALLOW_H
#define UNC_ALLOW_H

#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One use of an MSR; packages and boxes that share a register come one by one. */
struct unc_msr_use {
	uint32_t msr;
	uint64_t writable;         /* bits that a program may change; 0: it is read only */
	uint64_t until;            /* bits that uncore_set_until() changes besides */
	bool until_only;           /* nothing else has to do with it */
	const struct unc_box *box; /* NULL: the package's own */
	const char *what;          /* "control" */
	unsigned n;                /* number of the control, counter or filter */
	bool numbered;             /* there is more than one */
};

typedef void unc_msr_visit(void *arg, const struct unc_msr_use *use);

/* Boxes that cannot be used are walked, too: it may be the list that is missing. */
void unc_each_msr(const struct unc_machine *machine, unc_msr_visit *visit, void *arg);

/* As unc_hw.writable. */
uint64_t unc_writable_bits(const struct unc_machine *machine, const struct uncore_op *op);

#ifdef __cplusplus
}
#endif
#endif
