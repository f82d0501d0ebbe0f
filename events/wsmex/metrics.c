/* SPDX-License-Identifier: BSD-3-Clause */
/* metrics.c - metrics of Westmere-EX. */
#include "metrics/recipe.h"

const struct unc_recipe *const unc_wsmex_metrics[] = {unc_metrics_ex, NULL};
