/* SPDX-License-Identifier: BSD-3-Clause */
/* errata.c - known errors of events; errata.def has the rows. */
#include "types.h"

#define ALL 0, UINT8_MAX

#define SAY_WRONG       "wrong: "
#define SAY_UNDERCOUNTS "undercounts: "
#define SAY_OVERCOUNTS  "overcounts: "
#define SAY_ONLY_WITH   "" /* the text begins with it */
#define SAY_UNVERIFIED  "unverified: "

/* clang-format off */
#define ERRATUM(platforms, steppings, events, verdict, text, instead, source, evidence) \
	{platforms, steppings, events, UNC_##verdict, SAY_##verdict text, instead, source, UNC_##evidence},
/* clang-format on */
#define ERRATA_END                                    \
	{                                             \
		"", ALL, "", UNC_WRONG, "", "", "", 0 \
	}

const struct unc_erratum unc_errata[] = {
#include "errata.def"
	ERRATA_END,
};
