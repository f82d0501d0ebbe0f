/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core.h - the architectural performance monitoring of a logical CPU: its
 * enumeration and its counters.  Internal to src/sim.
 */
#ifndef SIM_CORE_H
#define SIM_CORE_H

#include "sim/model/model.h"

#define CORE_COUNTERS 8
#define CORE_FIXED    4
#define CORE_SLOTS    (CORE_COUNTERS + CORE_FIXED) /* the fixed ones come last */

/* IA32_PERFEVTSELn */
#define CORE_USR  (UINT64_C(1) << 16)
#define CORE_OS   (UINT64_C(1) << 17)
#define CORE_EDGE (UINT64_C(1) << 18)
#define CORE_INT  (UINT64_C(1) << 20)
#define CORE_ANY  (UINT64_C(1) << 21)
#define CORE_EN   (UINT64_C(1) << 22)
#define CORE_INV  (UINT64_C(1) << 23)

/* The field of a counter in IA32_FIXED_CTR_CTRL */
#define FIXED_OS  1
#define FIXED_USR 2
#define FIXED_ANY 4
#define FIXED_PMI 8

/* State of one logical CPU. */
struct sim_core {
	uint64_t since; /* machine time up to which the counters are right */
	uint64_t select[CORE_COUNTERS];
	uint64_t value[CORE_SLOTS];
	uint64_t fixed_control, global_control, status, debug;
};

/* NULL: nothing is known about the model. */
const struct sim_core_part *sim_core_part(const struct sim *sim);

/* Rate per second of fixed counter i with its field of IA32_FIXED_CTR_CTRL. */
double sim_core_fixed_rate(const struct sim *sim, unsigned cpu, unsigned i, unsigned field);

#endif
