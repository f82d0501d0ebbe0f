/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - the vocabulary of metrics, and recipes shared by many platforms. */
#include "metrics/recipe.h"

/* clang-format off */
/* Drop the fields after the text, which only the command uses. */
#define TEXT(...) TEXT_ONLY(__VA_ARGS__, 0)
#define TEXT_ONLY(text_, ...) text_

const struct unc_metric unc_metrics[] = {
#define METRIC(name_, unit_, kind_, ...) \
	{UNC_METRIC_PREFIX #name_, unit_, TEXT(__VA_ARGS__), kind_, 0, 0},
#define MEAN(name_, unit_, kind_, above_, below_, ...) \
	{UNC_METRIC_PREFIX #name_, unit_, TEXT(__VA_ARGS__), kind_, \
	 UNC_METRIC_##above_ + 1, UNC_METRIC_##below_ + 1},
#include "metrics/vocabulary.def"
#undef METRIC
#undef MEAN
	{"", "", "", UNC_TOTAL, 0, 0},
};
/* clang-format on */

const struct unc_box_type unc_metric_box = {
	.name = "metric",
	.title = "Metrics: computed from several events, with the same name on all machines",
};

/* clang-format off */

const struct unc_recipe unc_metrics_memory[] = {
	RECIPE(MEM_READ_BYTES, ABOVE(64, "UNC_M_CAS_COUNT:RD"))
	RECIPE(MEM_WRITE_BYTES, ABOVE(64, "UNC_M_CAS_COUNT:WR"))
	RECIPE(MEM_BYTES, ABOVE(64, "UNC_M_CAS_COUNT:RD"), ABOVE(64, "UNC_M_CAS_COUNT:WR"))
	RECIPES_END,
};

const struct unc_recipe unc_metrics_clock[] = {
	RECIPE(CLOCKTICKS, ABOVE(1, "UNC_U_CLOCKTICKS"))
	RECIPE(FREQUENCY, ABOVE(1, "UNC_U_CLOCKTICKS"))
	RECIPES_END,
};

const struct unc_recipe unc_metrics_cores[] = {
	RECIPE(CORES_IN_C0, ABOVE(1, "UNC_P_POWER_STATE_OCCUPANCY:CORES_C0"), BELOW(1, "UNC_P_CLOCKTICKS"))
	RECIPE(CORES_IN_C3, ABOVE(1, "UNC_P_POWER_STATE_OCCUPANCY:CORES_C3"), BELOW(1, "UNC_P_CLOCKTICKS"))
	RECIPE(CORES_IN_C6, ABOVE(1, "UNC_P_POWER_STATE_OCCUPANCY:CORES_C6"), BELOW(1, "UNC_P_CLOCKTICKS"))
	RECIPES_END,
};

const struct unc_recipe *const unc_no_metrics[] = {NULL};
