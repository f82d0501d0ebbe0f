/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tpmi.h - registers of energy and of the uncore's frequency that TPMI tells of;
 * docs/hardware/power.md; src/lib/machine only.
 */
#ifndef UNC_TPMI_H
#define UNC_TPMI_H

#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Read where they are, if a type of the machine's is among them; 0 or UNCORE_ENOMEM. */
int unc_tpmi_read(struct unc_machine *machine, struct unc_hw *hw);
/*
 * Add the boxes of a type, number `type` of the machine's; false: they are none of TPMI's.
 * A package that has none gets one that is absent, with the reason.  *r: 0 or UNCORE_ENOMEM.
 */
bool unc_tpmi_boxes(struct unc_machine *machine, struct unc_hw *hw, unsigned type, int *r);
void unc_tpmi_free(struct unc_tpmi *tpmi);

#ifdef __cplusplus
}
#endif
#endif
