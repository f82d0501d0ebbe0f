/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    codes.c
 * @ingroup papi_components
 * @brief   Translation of uncore.h's error codes and event descriptions for PAPI.
 */
#include <stdio.h>
#include <string.h>

#include "papi.h"

#include "codes.h"

int _uncore_code(int code)
{
	static const int codes[] = {
		[-UNCORE_OK] = PAPI_OK,
		[-UNCORE_EINVAL] = PAPI_EINVAL,
		[-UNCORE_ENOMEM] = PAPI_ENOMEM,
		[-UNCORE_ENOEVENT] = PAPI_ENOEVNT,
		[-UNCORE_EATTR] = PAPI_EATTR,
		[-UNCORE_ECOMBO] = PAPI_ECOMBO,
		[-UNCORE_ENODEV] = PAPI_EATTR, /* such as box=9 on a machine with eight boxes */
		[-UNCORE_ENOSUPP] = PAPI_ENOSUPP,
		[-UNCORE_EACCESS] = PAPI_EPERM,
		[-UNCORE_ECONFLICT] = PAPI_ECNFLCT,
		[-UNCORE_EBUSY] = PAPI_ECNFLCT,
		[-UNCORE_EIO] = PAPI_ESYS,
		[-UNCORE_ESTATE] = PAPI_EBUG,
		[-UNCORE_ESTOLEN] = PAPI_ECLOST,
		[-UNCORE_EFORK] = PAPI_ENOINIT, /* the child has to call PAPI_library_init() */
	};

	return code <= 0 && code >= UNCORE_EFORK ? codes[-code] : PAPI_EBUG;
}

/* append TEXT after "; ": as much as there is room for */
static void append(char *to, size_t size, const char *text)
{
	const size_t n = strlen(to);

	snprintf(to + n, size - n, "; %s", text);
}

void _uncore_info(PAPI_event_info_t *info, const struct uncore_event_info *event, bool simulated)
{
	snprintf(info->symbol, sizeof(info->symbol), "%s", event->name);
	snprintf(info->short_descr, sizeof(info->short_descr), "%s", event->brief);
	snprintf(info->long_descr, sizeof(info->long_descr), "%s", event->text);
	if (event->erratum)
		append(info->long_descr, sizeof(info->long_descr), event->erratum);
	snprintf(info->units, sizeof(info->units), "%s%s", event->units,
		 simulated ? " (simulated)" : "");
	info->location = PAPI_LOCATION_UNCORE;
	info->data_type = event->real ? PAPI_DATATYPE_FP64 : PAPI_DATATYPE_INT64;
	info->value_type = event->real ? PAPI_VALUETYPE_ABSOLUTE : PAPI_VALUETYPE_RUNNING_SUM;
	info->timescope = PAPI_TIMESCOPE_SINCE_START;
	info->update_type = PAPI_UPDATETYPE_ARBITRARY;
}
