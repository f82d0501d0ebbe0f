/* SPDX-License-Identifier: BSD-3-Clause */
/* Every platform that the library knows; docs/hardware/README.md. */
#include "box.h"

const struct unc_platform *const unc_platforms[] = {
	&unc_nhmex, &unc_wsmex, &unc_snbep,      &unc_ivbep, &unc_hswep, &unc_bdx,
	&unc_skx,   &unc_knl,   &unc_icx,        &unc_spr,   &unc_emr,   &unc_gnr,
	&unc_srf,   &unc_cwf,   &unc_discovered, NULL,
};
