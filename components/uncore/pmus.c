/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    pmus.c
 * @ingroup papi_components
 * @brief   PAPI's list of the component's PMUs: a name for each kind of box.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "papi.h"

#include "pmus.h"

static bool is_named(char *const *names, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Libraries older than this component have no name of the PMU. */
void _uncore_pmus_fill(PAPI_component_info_t *info, struct uncore *u)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	unsigned n = 0;

	_uncore_pmus_free(info);
	for (unsigned i = 0; n < PAPI_PMU_MAX && uncore_box(u, i, &box) == 1; i++)
		if (!box.absent && box.pmu && !is_named(info->pmu_names, n, box.pmu)) {
			info->pmu_names[n] = strdup(box.pmu);
			n += info->pmu_names[n] != NULL;
		}
}

void _uncore_pmus_free(PAPI_component_info_t *info)
{
	for (unsigned i = 0; i < PAPI_PMU_MAX; i++) {
		free(info->pmu_names[i]);
		info->pmu_names[i] = NULL;
	}
}
