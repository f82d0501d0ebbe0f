/* SPDX-License-Identifier: BSD-3-Clause */
/* replay.h - between the reader of recordings and the machine that answers from one. */
#ifndef UNC_REPLAY_H
#define UNC_REPLAY_H

#include "machine/record.h"

struct unc_replayed {
	struct unc_hw hw;
	struct unc_recording *recording;
};

/* Without answers so far; NULL: no memory. */
struct unc_replayed *unc_replayed_new(const struct unc_topology *topo);

#endif
