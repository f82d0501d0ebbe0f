/* SPDX-License-Identifier: BSD-3-Clause */
/* tables.c - which platform has which recipes. */
#include "metrics/recipe.h"

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
