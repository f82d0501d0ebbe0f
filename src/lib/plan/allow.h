/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allow.h - the registers that programs of this machine's events read and write, and
 * which bits of them.  Pure functions.
 */
#ifndef UNC_ALLOW_H
#define UNC_ALLOW_H

#include "hw/pmon.h"
#include "plan/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One use of a register; packages and boxes that share one come one by one. */
struct unc_register_use {
	struct unc_op op;    /* that reads it */
	uint64_t writable;   /* bits that a program may change; 0: it is read only */
	uint64_t stop_after; /* bits that msr-safe must let uncore_set_stop_after() write besides */
	uint64_t changes;    /* bits that are ever changed, in all */
	uint64_t starts;     /* those that let a counter count, or tell of its overflow */
	bool shared;         /* its other bits are not the counters' */
	bool stop_after_only;      /* nothing else has to do with it */
	const struct unc_box *box; /* NULL: the package's own */
	const char *what;          /* "control" */
	unsigned n;                /* number of the control, counter or filter */
	bool numbered;             /* there is more than one */
};

typedef void unc_register_visit(void *arg, const struct unc_register_use *use);

/* MSR boxes that cannot be used are walked, too: it may be the list that is missing. */
void unc_each_register(const struct unc_machine *machine, unc_register_visit *visit, void *arg);

/* map.c: what may be written on this machine, once its boxes are known.  0 or UNCORE_ENOMEM. */
int unc_map_make(struct unc_pmon *map, const struct unc_machine *machine);

/* As unc_hw.writable. */
uint64_t unc_writable_bits(const struct unc_machine *machine, const struct unc_op *op);

#ifdef __cplusplus
}
#endif
#endif
