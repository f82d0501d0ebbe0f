/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    presets.h
 * @ingroup papi_components
 * @brief   Presets of the component (PAPI 7.2 and later); include PAPI's headers first.
 */
#ifndef UNCORE_PRESETS_H
#define UNCORE_PRESETS_H

#include "library.h"

/* Define the presets that the machine can count. */
void _uncore_presets_define(PAPI_component_info_t *info, struct uncore *u);

/* Undefine them. */
void _uncore_presets_free(PAPI_component_info_t *info);
/* Undefine them during PAPI_shutdown(), which has freed their names. */
void _uncore_presets_forget(PAPI_component_info_t *info);

#endif
