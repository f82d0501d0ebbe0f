/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    codes.h
 * @ingroup papi_components
 * @brief   Translation of uncore.h's error codes and event descriptions for PAPI; include papi.h
 *          first.
 */
#ifndef UNCORE_CODES_H
#define UNCORE_CODES_H

#include <stdbool.h>

#include "library.h"

int _uncore_code(int code);

void _uncore_info(PAPI_event_info_t *info, const struct uncore_event_info *event, bool simulated);

#endif
