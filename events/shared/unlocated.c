/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unlocated.c - boxes in Intel's event lists whose registers no source documents
 * (docs/hardware/snbep.md, docs/hardware/gnr.md), and events of memory that only some processors
 * have.
 */
#include "types.h"

/* clang-format off */
#define CHACMS(platform_) \
	{&(platform_), "UNC_CHACMS_", "CHACMS", \
	 "Intel's list has its events, but no manual, Linux, PCM or LIKWID documents its registers"},

const struct unc_unlocated unc_unlocated[] = {
	{&unc_snbep, "UNC_I_", "IRP",
	 "Intel's list has its events, but manual 327043-001, the datasheets, Linux and LIKWID do not document its registers"},
	CHACMS(unc_gnr)
	CHACMS(unc_srf)
	CHACMS(unc_cwf)
	{NULL, "", "", ""},
};
/* clang-format on */

#define HBM    "high-bandwidth memory (HBM)", "Xeon Max (Sapphire Rapids)"
#define MCDRAM "memory on the package (MCDRAM)", "Xeon Phi x200 (Knights Landing)"

const struct unc_memory_events unc_memory_events[] = {
	{"UNC_MCHBM_", "hbm", HBM},
	{"UNC_M2HBM_", "m2hbm", HBM},
	{"UNCORE_HBM_", "hbm", HBM},
	{"UNCORE_MCDRAM_", "edc_eclk", MCDRAM},
	{"", "", "", ""},
};
