/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allow.h - the registers, and their bits, that programs for events of this machine read and
 * write.  Pure functions.
 */
#ifndef UNC_ALLOW_H
#define UNC_ALLOW_H

#include "hw/pmon.h"
#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A use of a register.  Packages and boxes that share a register are visited one by one. */
struct unc_register_use {
	struct unc_op op;     /* that reads it */
	uint64_t writable;    /* bits that a program may change; 0: read only */
	uint64_t stop_after;  /* additional bits that msr-safe must allow uncore_set_stop_after() to
				 write */
	uint64_t changes;     /* all bits that ever change */
	uint64_t starts;      /* those that enable counting, or report an overflow */
	bool shared;          /* its other bits belong to other users */
	bool stop_after_only; /* used only to stop after n occurrences */
	const struct unc_box *box; /* NULL: a register of the package */
	const char *what;          /* "control" */
	unsigned n;                /* number of the control, counter or filter */
	bool numbered;             /* there are several */
};

typedef void unc_register_visit(void *arg, const struct unc_register_use *use);

/* Also visits unusable boxes with MSRs, since they may be unusable because of the list. */
void unc_each_register(const struct unc_machine *machine, unc_register_visit *visit, void *arg);

/*
 * The registers that may be written on this machine, once its boxes are known. 0 or
 * UNCORE_ENOMEM.
 */
int unc_map_make(struct unc_pmon *map, const struct unc_machine *machine);

/* As unc_hw.writable. */
uint64_t unc_writable_bits(const struct unc_machine *machine, const struct unc_op *op);

#ifdef __cplusplus
}
#endif
#endif
