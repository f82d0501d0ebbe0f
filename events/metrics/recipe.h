/* SPDX-License-Identifier: BSD-3-Clause */
/* recipe.h - macros of the recipe tables; for events/ only. */
#ifndef UNC_RECIPE_H
#define UNC_RECIPE_H

#include "metrics/metrics.h"

enum {
#define METRIC(name_, ...) UNC_METRIC_##name_,
#define MEAN(name_, ...)   UNC_METRIC_##name_,
#include "metrics/vocabulary.def"
#undef METRIC
#undef MEAN
	UNC_METRIC_NONE
};

/* clang-format off */
#define RECIPE(name_, ...) {UNC_METRIC_##name_, 0, {__VA_ARGS__}, false, "", false, false, 0},
/* a metric of energy counters */
#define ENERGY(name_, event_) {UNC_METRIC_##name_, 0, {ABOVE(1, event_)}, false, "", false, true, 0},
/* a metric of registers that hold a value: 7 bits, in units of unit_ */
#define LEVEL(unit_, shift_, name_, event_) {UNC_METRIC_##name_, unit_, {ABOVE(1, event_)}, false, "", false, false, shift_},
/* a total: the sum is divided by divisor_ */
#define RECIPE_BY(divisor_, name_, ...) {UNC_METRIC_##name_, divisor_, {__VA_ARGS__}, false, "", false, false, 0},
/* a mean: all factors of its events are divided by divisor_ */
#define MEAN_BY RECIPE_BY
/* no box can count the events in one window; instead_ is the alternative */
#define COLLIDES(instead_, name_, ...) {UNC_METRIC_##name_, 0, {__VA_ARGS__}, true, instead_, false, false, 0},
/* the events of the numerator conflict by themselves, too */
#define COLLIDES_ABOVE(instead_, name_, ...) {UNC_METRIC_##name_, 0, {__VA_ARGS__}, true, instead_, true, false, 0},
#define RECIPES_END {0, 0, {{"", 0, 0, false, "", 0, 0, false}}, false, "", false, false, 0}

#define ABOVE(n_, event_)          {event_, n_, 0, false, "", 0, 0, false}
#define BELOW(n_, event_)          {event_, 0, n_, false, "", 0, 0, false}
#define BOTH(above_, below_, event_) {event_, above_, below_, false, "", 0, 0, false}
#define BELOW_EACH(n_, event_, of_) {event_, 0, n_, false, of_, 0, 0, false}
#define CLOCK(event_)              {event_, 0, 0, true, "", 0, 0, false}
/* several boxes per package: their mean, not their sum */
#define ABOVE_MEAN(n_, event_)     {event_, n_, 0, false, "", 0, 0, true}
#define BELOW_MEAN(n_, event_)     {event_, 0, n_, false, "", 0, 0, true}
#define CLOCK_MEAN(event_)         {event_, 0, 0, true, "", 0, 0, true}
/* counted in every of_-th box, from index part_ on, and scaled to all boxes */
#define ABOVE_PART(part_, of_, n_, event_) {event_, n_, 0, false, "", part_, of_, false}
#define ABOVE_EVEN(n_, event_)     ABOVE_PART(0, 2, n_, event_)
#define ABOVE_ODD(n_, event_)      ABOVE_PART(1, 2, n_, event_)
#define BELOW_ODD(n_, event_)      {event_, 0, n_, false, "", 1, 2, false}
#define BELOW_EVEN(n_, event_)     {event_, 0, n_, false, "", 0, 2, false}
#define BOTH_ODD(above_, below_, event_) {event_, above_, below_, false, "", 1, 2, false}
#define BOTH_EVEN(above_, below_, event_) {event_, above_, below_, false, "", 0, 2, false}
/* persistent memory: the same events from Cascade Lake-X to Sapphire Rapids */
#define PERSISTENT_MEMORY \
	RECIPE(PMEM_READ_BYTES, ABOVE(64, "UNC_M_PMM_RPQ_INSERTS")) \
	RECIPE(PMEM_WRITE_BYTES, ABOVE(64, "UNC_M_PMM_WPQ_INSERTS")) \
	RECIPE(PMEM_BYTES, ABOVE(64, "UNC_M_PMM_RPQ_INSERTS"), ABOVE(64, "UNC_M_PMM_WPQ_INSERTS"))
/* a queue of reads in each channel */
#define READ_QUEUE \
	RECIPE(DRAM_READ_QUEUE_LATENCY_NS, ABOVE(1, "UNC_M_RPQ_OCCUPANCY"), \
	       BELOW(1, "UNC_M_RPQ_INSERTS"), CLOCK_MEAN("UNC_M_CLOCKTICKS"))
/* states of the memory channels */
#define DRAM_STATES(power_down_, self_refresh_, throttle_) \
	RECIPE(DRAM_POWER_DOWN_RATIO, ABOVE(1, power_down_), BELOW(1, "UNC_M_CLOCKTICKS")) \
	RECIPE(DRAM_SELF_REFRESH_RATIO, ABOVE(1, self_refresh_), BELOW(1, "UNC_M_CLOCKTICKS")) \
	RECIPE(DRAM_THROTTLE_RATIO, ABOVE(1, throttle_), BELOW(1, "UNC_M_CLOCKTICKS"))
/* what limits the frequency of the cores, where a package has one PCU */
#define FREQUENCY_LIMIT(name_, event_) \
	RECIPE(name_##_LIMIT_RATIO, ABOVE(1, event_), BELOW(1, "UNC_P_CLOCKTICKS"))
#define FREQUENCY_LIMITS \
	FREQUENCY_LIMIT(THERMAL, "UNC_P_FREQ_MAX_LIMIT_THERMAL_CYCLES") \
	FREQUENCY_LIMIT(POWER, "UNC_P_FREQ_MAX_POWER_CYCLES")
/* both events of an IRP, which has two counters or more */
#define LOST_FORWARDS \
	RECIPE(IRP_LOST_FORWARDS, ABOVE(1, "UNC_I_MISC1:LOST_FWD"), \
	       ABOVE(1, "UNC_I_MISC1:SEC_RCVD_INVLD"))
/* clang-format on */

/* Lists shared by several tables. */
extern const struct unc_recipe unc_metrics_memory[]; /* SNB-EP to ICX, SPR, EMR, KNL */
extern const struct unc_recipe unc_metrics_clock[];  /* U-Box clock */
extern const struct unc_recipe unc_metrics_cores[];  /* C-states by umask */

extern const struct unc_recipe unc_metrics_ex[]; /* NHM-EX, WSM-EX */

#endif
