/* SPDX-License-Identifier: BSD-3-Clause */
/* core_event.c - events of the cores for perf. */
#include "event/pfm.h"
#include "set/set.h"

/* The bits of a control register that perf takes: all but those that the kernel sets itself. */
#define CONFIG UINT64_C(0xff84ffff)

int uncore_core_event(struct uncore *u, const char *name, uint64_t *config)
{
	struct unc_pfm_code code;
	const int r = unc_unopened(u);

	if (r < 0)
		return r;
	switch (unc_pfm_encode(name, &code)) {
	case UNC_PFM_OK:
		*config = code.word[0] & CONFIG;
		return 0;
	case UNC_PFM_NO_MEMORY:
		return unc_fail(&u->err, UNCORE_ENOMEM, "cannot encode %s: out of memory", name);
	default:
		return unc_fail(&u->err, UNCORE_ENOEVENT,
				"libpfm4 does not know the event %s: use PMU::EVENT:UMASK as "
				"showevtinfo prints them, or a newer libpfm4",
				name);
	}
}
