/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    codes.h
 * @ingroup papi_components
 * @brief   What uncore.h's codes and events are in PAPI; after papi.h.
 */
#ifndef UNCORE_CODES_H
#define UNCORE_CODES_H

#include <stdbool.h>

#include "uncore.h"

int papi_code(int code);

void papi_info(PAPI_event_info_t *info, const struct uncore_event_info *event, bool simulated);

#endif
