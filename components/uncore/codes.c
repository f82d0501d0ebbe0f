/* codes.c - what uncore.h's codes are in PAPI. */
#include "papi.h"

#include "codes.h"
#include "uncore.h"

int papi_code(int code)
{
	static const int codes[] = {
		[-UNCORE_OK] = PAPI_OK,
		[-UNCORE_EINVAL] = PAPI_EINVAL,
		[-UNCORE_ENOMEM] = PAPI_ENOMEM,
		[-UNCORE_ENOEVENT] = PAPI_ENOEVNT,
		[-UNCORE_EATTR] = PAPI_EATTR,
		[-UNCORE_ECOMBO] = PAPI_ECOMBO,
		[-UNCORE_ENODEV] = PAPI_EATTR, /* box=9 where there are eight */
		[-UNCORE_ENOSUPP] = PAPI_ENOSUPP,
		[-UNCORE_EACCESS] = PAPI_EPERM,
		[-UNCORE_ECONFLICT] = PAPI_ECNFLCT,
		[-UNCORE_EBUSY] = PAPI_ECNFLCT,
		[-UNCORE_EIO] = PAPI_ESYS,
		[-UNCORE_ESTATE] = PAPI_EBUG,
		[-UNCORE_ESTOLEN] = PAPI_ECLOST,
		[-UNCORE_EFORK] = PAPI_ENOINIT, /* the child's remedy: PAPI_library_init() */
	};

	return code <= 0 && code >= UNCORE_EFORK ? codes[-code] : PAPI_EBUG;
}
