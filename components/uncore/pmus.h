/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    pmus.h
 * @ingroup papi_components
 * @brief   PAPI's list of the component's PMUs; include papi.h first.
 */
#ifndef UNCORE_PMUS_H
#define UNCORE_PMUS_H

#include "library.h"

/* Replace the names, which are allocated, by those of the boxes that the machine has. */
void _uncore_pmus_fill(PAPI_component_info_t *info, struct uncore *u);
void _uncore_pmus_free(PAPI_component_info_t *info);

#endif
