/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tpmi.h - registers of energy and uncore frequency that TPMI lists; docs/hardware/power.md;
 * for src/lib/machine only.
 */
#ifndef UNC_TPMI_H
#define UNC_TPMI_H

#include "machine/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Find them, if one of the machine's types needs them; 0 or UNCORE_ENOMEM. */
int unc_tpmi_read(struct unc_machine *machine, struct unc_hw *hw);
/*
 * Add the boxes of a type, number `type` of the machine's; false: not a type of TPMI. A package
 * without any gets one that is absent, with the reason. *r: 0 or UNCORE_ENOMEM.
 */
bool unc_tpmi_boxes(struct unc_machine *machine, struct unc_hw *hw, unsigned type, int *r);
void unc_tpmi_free(struct unc_tpmi *tpmi);

#ifdef __cplusplus
}
#endif
#endif
