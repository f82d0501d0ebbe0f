/* SPDX-License-Identifier: BSD-3-Clause */
/* recipe.h - what the tables of recipes are written in; for events/ only. */
#ifndef UNC_RECIPE_H
#define UNC_RECIPE_H

#include "metrics/metrics.h"

enum {
#define METRIC(name_, unit_, kind_, text_)               UNC_METRIC_##name_,
#define MEAN(name_, unit_, kind_, above_, below_, text_) UNC_METRIC_##name_,
#include "metrics/vocabulary.def"
#undef METRIC
#undef MEAN
	UNC_METRIC_NONE
};

/* clang-format off */
#define RECIPE(name_, ...) {&unc_metrics[UNC_METRIC_##name_], 0, {__VA_ARGS__}, NULL, false, false, 0},
/* of counters of energy */
#define ENERGY(name_, event_) {&unc_metrics[UNC_METRIC_##name_], 0, {ABOVE(1, event_)}, NULL, false, true, 0},
/* of registers that hold a value: 7 bits of it, in units of unit_ */
#define LEVEL(unit_, shift_, name_, event_) {&unc_metrics[UNC_METRIC_##name_], unit_, {ABOVE(1, event_)}, NULL, false, false, shift_},
/* of a total: the sum is divided */
#define RECIPE_BY(divisor_, name_, ...) {&unc_metrics[UNC_METRIC_##name_], divisor_, {__VA_ARGS__}, NULL, false, false, 0},
/* of a mean: all factors of its events are divided */
#define MEAN_BY RECIPE_BY
/* no box can count the events in one window; what to take instead */
#define COLLIDES(instead_, name_, ...) {&unc_metrics[UNC_METRIC_##name_], 0, {__VA_ARGS__}, instead_, false, false, 0},
/* ... nor those above the line alone */
#define COLLIDES_ABOVE(instead_, name_, ...) {&unc_metrics[UNC_METRIC_##name_], 0, {__VA_ARGS__}, instead_, true, false, 0},
#define RECIPES_END {NULL, 0, {{NULL, 0, 0, false, NULL, 0, 0, false}}, NULL, false, false, 0}

#define ABOVE(n_, event_)          {event_, n_, 0, false, NULL, 0, 0, false}
#define BELOW(n_, event_)          {event_, 0, n_, false, NULL, 0, 0, false}
#define BOTH(above_, below_, event_) {event_, above_, below_, false, NULL, 0, 0, false}
#define BELOW_EACH(n_, event_, of_) {event_, 0, n_, false, of_, 0, 0, false}
#define CLOCK(event_)              {event_, 0, 0, true, NULL, 0, 0, false}
/* of several boxes in a package: their mean, not their sum */
#define ABOVE_MEAN(n_, event_)     {event_, n_, 0, false, NULL, 0, 0, true}
#define BELOW_MEAN(n_, event_)     {event_, 0, n_, false, NULL, 0, 0, true}
#define CLOCK_MEAN(event_)         {event_, 0, 0, true, NULL, 0, 0, true}
/* in every of_-th box, from index part_ on, scaled to all */
#define ABOVE_PART(part_, of_, n_, event_) {event_, n_, 0, false, NULL, part_, of_, false}
#define ABOVE_EVEN(n_, event_)     ABOVE_PART(0, 2, n_, event_)
#define ABOVE_ODD(n_, event_)      ABOVE_PART(1, 2, n_, event_)
#define BELOW_ODD(n_, event_)      {event_, 0, n_, false, NULL, 1, 2, false}
#define BOTH_EVEN(above_, below_, event_) {event_, above_, below_, false, NULL, 0, 2, false}
/* persistent memory: the same events from Cascade Lake-X to Sapphire Rapids */
#define PERSISTENT_MEMORY \
	RECIPE(PMEM_READ_BYTES, ABOVE(64, "UNC_M_PMM_RPQ_INSERTS")) \
	RECIPE(PMEM_WRITE_BYTES, ABOVE(64, "UNC_M_PMM_WPQ_INSERTS")) \
	RECIPE(PMEM_BYTES, ABOVE(64, "UNC_M_PMM_RPQ_INSERTS"), ABOVE(64, "UNC_M_PMM_WPQ_INSERTS"))
/* a queue of reads in each channel */
#define READ_QUEUE \
	RECIPE(DRAM_READ_QUEUE_LATENCY_NS, ABOVE(1, "UNC_M_RPQ_OCCUPANCY"), \
	       BELOW(1, "UNC_M_RPQ_INSERTS"), CLOCK_MEAN("UNC_M_CLOCKTICKS"))
/* clang-format on */

/* Lists that several tables share. */
extern const struct unc_recipe unc_metrics_memory[]; /* SNB-EP to ICX, SPR, EMR, KNL */
extern const struct unc_recipe unc_metrics_clock[];  /* U-Box clock */
extern const struct unc_recipe unc_metrics_cores[];  /* C-states by umask */

extern const struct unc_recipe unc_metrics_ex[]; /* NHM-EX, WSM-EX */

#endif
