/* SPDX-License-Identifier: BSD-3-Clause */
/* pfm.h - libpfm4 behind five functions (and those in name_space.h). */
#ifndef UNC_PFM_H
#define UNC_PFM_H

#include <stdbool.h>
#include <stdint.h>

enum {
	UNC_PFM_OK,
	UNC_PFM_UMASK,
	UNC_PFM_COMBO,
	UNC_PFM_ATTR,
	UNC_PFM_INACTIVE,
	UNC_PFM_NO_MEMORY,
};

struct unc_pfm_code {
	uint64_t word[3]; /* control, filter registers */
};

/* "pmu::EVENT:parts" -> register values, or why there are none. */
int unc_pfm_encode(const char *name, struct unc_pfm_code *out);

/* First event of a PMU; false if libpfm4 does not have the PMU. */
bool unc_pfm_pmu(const char *name, int *first_event);

#endif
