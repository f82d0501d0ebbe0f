/* SPDX-License-Identifier: BSD-3-Clause */
/* mesh.h - shared by SKX, KNL and ICX. */
#ifndef UNC_MESH_H
#define UNC_MESH_H

#include "shared/ubox_pcu_imc.h"

extern const struct unc_global unc_mesh_global;       /* SKX, KNL, ICX */
extern const struct unc_companion unc_mesh_companion; /* CHA of SKX and ICX */

#endif
