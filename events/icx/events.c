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

/* clang-format off */
/* Umasks for each part of a PCIe stack, of this kind, and for its two IOMMUs. */
#define STACK_PART(kind_, name_, n_, umask_, text_) \
	kind_(name_##_PART##n_, PORTS(umask_, 1 << (n_)), text_ ", part " #n_)
#define STACK_IOMMU(name_, n_, umask_, text_) \
	ALONE(name_##_IOMMU##n_, PORTS(umask_, 0x100 << (n_)), text_ ", IOMMU " #n_)
#define PARTS_AND_IOMMUS(kind_, name_, umask_, text_) \
	ALONE(name_##_ALL_PARTS, PORTS(umask_, 0xff), text_ ", all parts") \
	STACK_PART(kind_, name_, 0, umask_, text_) STACK_PART(kind_, name_, 1, umask_, text_) \
	STACK_PART(kind_, name_, 2, umask_, text_) STACK_PART(kind_, name_, 3, umask_, text_) \
	STACK_PART(kind_, name_, 4, umask_, text_) STACK_PART(kind_, name_, 5, umask_, text_) \
	STACK_PART(kind_, name_, 6, umask_, text_) STACK_PART(kind_, name_, 7, umask_, text_) \
	STACK_IOMMU(name_, 0, umask_, text_) STACK_IOMMU(name_, 1, umask_, text_)
/* clang-format on */

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
