/* Every platform that the library knows; facts/OVERVIEW.md. */
#include "box.h"

const struct unc_platform *const unc_platforms[] = {
	&unc_nhmex, &unc_wsmex, &unc_snbep, &unc_ivbep, &unc_hswep,
	&unc_bdx,   &unc_skx,   &unc_knl,   &unc_icx,   NULL,
};
