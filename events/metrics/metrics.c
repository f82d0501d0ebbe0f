/* metrics.c - the vocabulary of metrics, and which platform has which recipes. */
#include "metrics/recipe.h"

/* clang-format off */
const struct unc_metric unc_metrics[] = {
#define METRIC(name_, unit_, kind_, text_) {UNC_METRIC_PREFIX #name_, unit_, text_, kind_, NULL, NULL},
#define MEAN(name_, unit_, kind_, above_, below_, text_) \
	{UNC_METRIC_PREFIX #name_, unit_, text_, kind_, &unc_metrics[UNC_METRIC_##above_], \
	 &unc_metrics[UNC_METRIC_##below_]},
#include "metrics/vocabulary.def"
#undef METRIC
#undef MEAN
	{NULL, NULL, NULL, UNC_TOTAL, NULL, NULL},
};
/* clang-format on */

const struct unc_box_type unc_metric_box = {
	.name = "metric",
	.title = "Metrics: what several events tell together, under the same name on all machines",
};

const struct unc_metric_table unc_metric_tables[] = {
	{&unc_snbep, unc_metrics_snbep},
	{&unc_ivbep, unc_metrics_ivbep},
	{&unc_hswep, unc_metrics_hswep},
	{&unc_bdx, unc_metrics_hswep},
	{&unc_skx, unc_metrics_skx},
	{&unc_knl, unc_metrics_knl},
	{&unc_icx, unc_metrics_icx},
	{&unc_spr, unc_metrics_spr},
	{&unc_emr, unc_metrics_spr},
	{&unc_gnr, unc_metrics_gnr},
	{&unc_srf, unc_metrics_srf},
	{&unc_cwf, unc_metrics_cwf},
	{&unc_nhmex, unc_metrics_nhmex},
	{&unc_wsmex, unc_metrics_wsmex},
	{NULL, NULL},
};

/* clang-format off */

const struct unc_recipe unc_metrics_memory[] = {
	RECIPE(MEM_READ_BYTES, ABOVE(64, "UNC_M_CAS_COUNT:RD"))
	RECIPE(MEM_WRITE_BYTES, ABOVE(64, "UNC_M_CAS_COUNT:WR"))
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
