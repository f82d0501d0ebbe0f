/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * record.h - a machine as data: its answers while it was opened, as a file (JSON,
 * docs/recordings.md), and a machine that replays them.
 */
#ifndef UNC_RECORD_H
#define UNC_RECORD_H

#include <stdio.h>

#include "hw/regs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct unc_recording;

/* root: prefix of the kernel's files.  NULL: no memory. */
struct unc_recording *unc_recording_new(const char *root);
void unc_recording_free(struct unc_recording *recording);

/*
 * A machine that passes accesses on to hw and records them.  Closing it does not close hw.
 * NULL: no memory.
 */
struct unc_hw *unc_hw_recorded(struct unc_hw *hw, struct unc_recording *recording);

/* Store why the machine could not be opened: code and message. */
void unc_recording_failed(struct unc_recording *recording, int code, const char *why);

/*
 * Write the recording, with the kernel's description of the machine: 0, UNCORE_ENOMEM,
 * UNCORE_EIO with errno, UNCORE_ENOSUPP without json-c.
 */
int unc_recording_write(const struct unc_recording *recording, const struct unc_topology *topo,
			FILE *file);

/*
 * The machine of a recording, "FILE[:from=S][:until=S][:speed=N]"; fills topo.  It is read-only.
 * NULL with UNCORE_EINVAL (not a recording, damaged), UNCORE_ENOMEM, UNCORE_ENOSUPP in *code.
 */
struct unc_hw *unc_hw_replayed(const char *spec, struct unc_topology *topo, struct unc_err *err,
			       int *code);

/* The code with which opening the machine failed when it was recorded; 0: it succeeded. */
int unc_replayed_failure(struct unc_hw *hw, const char **why);

#ifdef __cplusplus
}
#endif
#endif
