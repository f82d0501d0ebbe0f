/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inside.h - what is behind a handle, for tests and for tools that show or
 * mount the simulated machine.  Compiles as C++.
 */
#ifndef UNC_INSIDE_H
#define UNC_INSIDE_H

#include "hw/regs.h"
#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_hw *unc_hw_of(struct uncore *u);
const struct unc_machine *unc_machine_of(const struct uncore *u);

/* How often the wrap poller reads, for what counts since the last start; ms. */
uint64_t unc_wrap_interval_running(struct uncore *u);

/*
 * End the present window of a multiplexed set that runs, and begin the next one, whatever
 * time it is: on machines whose time is stepped nobody else does.  False: no such set.
 */
bool unc_multiplex_next(struct uncore_set *set);
/* The same for all sets whose time has come; returns when the next one's will, or INT64_MAX. */
int64_t unc_multiplex_due(struct uncore *u);

/* Put another backend in place of the present one, which is returned. */
struct unc_hw *unc_hw_replace(struct uncore *u, struct unc_hw *hw);

#ifdef __cplusplus
}
#endif
#endif
