/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    presets.c
 * @ingroup papi_components
 * @brief   Presets of the component (PAPI 7.2 and later).
 *
 * The definitions are not in papi_events.csv: a preset is the metric of the same name, which the
 * library defines for each processor, and reading that file calls the component, whose lock of
 * names is held here.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "papi.h"

#include "papi_internal.h"
#include "papi_vector.h"

#include "presets.h"

#ifdef PAPI_MAX_uncore_PRESETS

static void undefine(hwi_presets_t *preset)
{
	preset->count = 0;
	preset->name[0] = NULL;
	preset->base_name[0] = NULL;
	preset->default_name[0] = NULL;
}

static void free_names(hwi_presets_t *preset)
{
	free(preset->name[0]);
	free(preset->base_name[0]);
	free(preset->default_name[0]);
	undefine(preset);
}

/* Allocated, or NULL. */
static char *full_name(const char *component, const char *event)
{
	char *text;

	return asprintf(&text, "%s:::%s", component, event) < 0 ? NULL : text;
}

/* PAPI frees each of them. */
static bool name(hwi_presets_t *preset, const char *component, const char *event)
{
	preset->name[0] = full_name(component, event);
	preset->base_name[0] = full_name(component, event);
	preset->default_name[0] = full_name(component, event);
	return preset->name[0] && preset->base_name[0] && preset->default_name[0];
}

/* Forget the code of the event that PAPI looked up last, or it would be returned for this one. */
static int code_of(int component, unsigned id, const char *event)
{
	_papi_hwi_set_papi_event_code(0, -1);
	return _papi_hwi_native_to_eventcode(component, (int)id, -1, event);
}

/* Metrics whose events conflict on this machine are known but not listed. */
static bool is_countable(struct uncore *u, const char *event, unsigned *id)
{
	unsigned listed;

	return uncore_event(u, event, id) == UNCORE_OK &&
	       uncore_listed_event(u, *id, &listed) == 1 && listed == *id;
}

static bool define(hwi_presets_t *preset, const PAPI_component_info_t *info, struct uncore *u)
{
	const char *event = preset->symbol + strlen("PAPI_");
	unsigned id;
	int code;

	if (!is_countable(u, event, &id))
		return false;
	code = code_of(info->CmpIdx, id, event);
	if (code < 0 || !name(preset, info->name, event)) {
		free_names(preset);
		return false;
	}
	preset->code[0] = (unsigned)code;
	preset->default_code[0] = (unsigned)code;
	preset->code[1] = (unsigned)PAPI_NULL; /* the end of the list */
	preset->component_index = info->CmpIdx;
	preset->derived_int = NOT_DERIVED;
	preset->count = 1;
	return true;
}

void _uncore_presets_define(PAPI_component_info_t *info, struct uncore *u)
{
	hwi_presets_t *presets = _papi_hwi_comp_presets[info->CmpIdx];

	info->num_preset_events = 0;
	for (int i = 0; i < PAPI_MAX_uncore_PRESETS && presets[i].symbol; i++)
		info->num_preset_events += define(&presets[i], info, u);
}

static void undefine_all(PAPI_component_info_t *info, void (*function)(hwi_presets_t *))
{
	info->num_preset_events = 0;
	for (int i = 0; i < PAPI_MAX_uncore_PRESETS; i++)
		function(&_papi_hwi_comp_presets[info->CmpIdx][i]);
}

void _uncore_presets_forget(PAPI_component_info_t *info)
{
	undefine_all(info, undefine);
}

void _uncore_presets_free(PAPI_component_info_t *info)
{
	undefine_all(info, free_names);
}

#else

void _uncore_presets_define(PAPI_component_info_t *info, struct uncore *u)
{
	(void)info;
	(void)u;
}

void _uncore_presets_forget(PAPI_component_info_t *info)
{
	(void)info;
}

void _uncore_presets_free(PAPI_component_info_t *info)
{
	(void)info;
}

#endif
