/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * events.c - the events of Ice Lake-X.
 *
 * Names are those of libpfm4's icx_unc_* tables; events found only in Intel's lists
 * are spelled EVENT:UMASK instead of EVENT.UMASK.  Of several names with the same
 * encoding, one is listed.  Counters that the tables or the driver exclude are not used.
 */
#include "icx/events.h"

#include "shared/event_rows.h"

/* Events of boxes whose controls have more than 32 bits; docs/hardware/icx.md, "Controls". */
#define EXT(umask, ext) ((uint64_t)(ext) << 32 | (uint64_t)(umask) << 8)
#define PORTS_FC(umask, channels, fc) \
	((uint64_t)(fc) << 48 | (uint64_t)(channels) << 36 | (uint64_t)(umask) << 8)
#define PORTS(umask, channels) PORTS_FC(umask, channels, 7)

const struct unc_row unc_icx_cha_rows[] = {
#include "icx/cha.def"
	ROWS_END,
};

const struct unc_row unc_icx_iio_rows[] = {
#include "icx/iio.def"
	ROWS_END,
};

const struct unc_row unc_icx_irp_rows[] = {
#include "icx/irp.def"
	ROWS_END,
};

const struct unc_row unc_icx_m2pcie_rows[] = {
#include "icx/m2pcie.def"
	ROWS_END,
};

const struct unc_row unc_icx_m2m_rows[] = {
#include "icx/m2m.def"
	ROWS_END,
};

const struct unc_row unc_icx_upi_rows[] = {
#include "icx/upi.def"
	ROWS_END,
};

const struct unc_row unc_icx_m3upi_rows[] = {
#include "icx/m3upi.def"
	ROWS_END,
};

const struct unc_row unc_icx_imc_rows[] = {
#include "icx/imc.def"
	ROWS_END,
};

const struct unc_row unc_icx_pcu_rows[] = {
#include "icx/pcu.def"
	ROWS_END,
};

const struct unc_row unc_icx_ubo_rows[] = {
#include "icx/ubo.def"
	ROWS_END,
};
