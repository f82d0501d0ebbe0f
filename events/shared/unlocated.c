/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unlocated.c - boxes that Intel's event lists have, and no source tells where:
 * docs/hardware/snbep.md, docs/hardware/gnr.md.
 */
#include "types.h"

/* clang-format off */
#define CHACMS(platform_) \
	{&(platform_), "UNC_CHACMS_", "CHACMS", \
	 "Intel's list has its events, but neither a manual nor Linux, PCM or LIKWID has the box"},

const struct unc_unlocated unc_unlocated[] = {
	{&unc_snbep, "UNC_I_", "IRP",
	 "Intel's list has its events, but neither manual 327043-001 nor a datasheet, Linux or LIKWID has the box"},
	CHACMS(unc_gnr)
	CHACMS(unc_srf)
	CHACMS(unc_cwf)
	{NULL, NULL, NULL, NULL},
};
/* clang-format on */
