/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inside.h - internals of a handle, for tests and for tools that show or mount the simulated
 * machine.  Compiles as C++.
 */
#ifndef UNC_INSIDE_H
#define UNC_INSIDE_H

#include "hw/regs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_machine;

struct unc_hw *unc_hw_of(struct uncore *u);
const struct unc_machine *unc_machine_of(const struct uncore *u);

/* The interval of the wrap poller for the running counters, ms. */
uint64_t unc_wrap_interval_running(struct uncore *u);

/*
 * End the current window of a running multiplexed set, and begin the next one, now.  On
 * machines with stepped time this is the only way to rotate. false: the set is not running or
 * not multiplexed.
 */
bool unc_multiplex_next(struct uncore_set *set);
/*
 * The same for all sets whose window is over; returns the end of the next window, or INT64_MAX.
 */
int64_t unc_multiplex_due(struct uncore *u);

/* Replace the access method, and return the previous one. */
struct unc_hw *unc_hw_replace(struct uncore *u, struct unc_hw *hw);

#ifdef __cplusplus
}
#endif
#endif
