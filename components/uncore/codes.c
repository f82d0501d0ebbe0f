/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file    codes.c
 * @ingroup papi_components
 * @brief   Translation of uncore.h's error codes and event descriptions for PAPI.
 */
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

/* As much of the text as there is room for.  PAPI has cleared the array. */
static void append(char *array, size_t size, const char *text)
{
	const size_t used = strlen(array), n = strnlen(text, size - used - 1);

	memcpy(array + used, text, n);
	array[used + n] = '\0';
}

#define APPEND(array, text) append(array, sizeof(array), text)

void _uncore_info(PAPI_event_info_t *info, const struct uncore_event_info *event, bool simulated)
{
	APPEND(info->symbol, event->name);
	APPEND(info->short_descr, event->brief);
	APPEND(info->long_descr, event->text);
	APPEND(info->long_descr, event->erratum ? "; " : "");
	APPEND(info->long_descr, event->erratum ? event->erratum : "");
	APPEND(info->units, event->units);
	APPEND(info->units, simulated ? " (simulated)" : "");
	info->location = PAPI_LOCATION_UNCORE;
	info->data_type = event->real ? PAPI_DATATYPE_FP64 : PAPI_DATATYPE_INT64;
	info->value_type = event->real ? PAPI_VALUETYPE_ABSOLUTE : PAPI_VALUETYPE_RUNNING_SUM;
	info->timescope = PAPI_TIMESCOPE_SINCE_START;
	info->update_type = PAPI_UPDATETYPE_ARBITRARY;
}
