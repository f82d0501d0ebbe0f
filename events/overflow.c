/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * overflow.c - freeze on overflow: enable bits, status registers and the boxes' bits in them.
 *
 * Sources: docs/hardware/README.md, "Freeze on overflow", and "Overflow" of each
 * platform's page.
 *
 * The U-Box has a bit of the global status for its fixed counter and one for the others.  Its
 * own status has to be cleared before a further overflow stops anything (329468-002 2.2.2.1),
 * but the order of the bits in there is told differently by each source.
 *
 * Box control: bit 16 lets a box be frozen, bit 17 lets it tell of overflows (datasheets
 * volume 2, PmonUnitCtrl).  SNB-EP has neither bit 17 nor ov_en; of KNL nothing is known.
 */
#include "overflow.h"

#include "ep.h"

#define OV_EN      (1u << 20)
#define BOX_LISTEN (3u << 16)
#define NO_BIT     (-1)
#define UBOX_BITS  7 /* of its status: fixed counter and two others */

/* clang-format off */
#define AT(type_, status_, first_, position_, positions_, share_)                   \
	{.type = (type_), .status = (status_), .first = (first_),                   \
	 .position = (position_), .positions = (positions_), .share = (share_)}
#define AT_PMI(type_, status_, enable_)                                             \
	{.type = (type_), .status = (status_), .position = NO_BIT, .enable = (enable_)}
#define AT_UBOX(status_, unsure_)                                                   \
	{.type = "ubo", .status = (status_), .unordered = UBOX_BITS, .position = 1, \
	 .positions = 1, .fixed = OV_EN, .fixed_position = 0, .unsure = (unsure_)}
#define AT_END {.type = NULL}
/* clang-format on */

/* ---- IVT ---- */

/* A CBo has no status register: its bit of the global one has to do. */
static const struct unc_overflow_at ivbep[] = {
	AT_UBOX(0xc15, false),
	AT("pcu", 0xc35, 0, 2, 1, 0),
	AT("cbo", 0, 0, 3, 15, 0),
	AT("ha", 0xf8, 0, 18, 2, 0),
	AT("imc", 0xf8, 1, 20, 8, 4),
	AT("qpi", 0xf8, 0, 22, 2, 0),
	AT("r3qpi", 0xf8, 0, 24, 2, 0),
	AT("r2pcie", 0xf8, 0, 26, 1, 0),
	AT("irp", 0xf8, 0, NO_BIT, 0, 0),
	AT_END,
};

const struct unc_overflow unc_ivbep_overflow = {
	.enable = OV_EN,
	.run = BOX_LISTEN,
	.status = {0xc01},
	.cores = 0x7fff,
	.at = ivbep,
};

/* ---- HSX, BDX ---- */

static const struct unc_overflow_at hswep[] = {
	AT_UBOX(0x708, false),
	AT("pcu", 0x716, 0, 2, 1, 0),
	AT("cbo", 0xe07, 0, 3, 18, 0),
	AT("sbo", 0x725, 0, NO_BIT, 0, 0),
	AT("ha", 0xf8, 0, 21, 2, 0),
	AT("imc", 0xf8, 1, 23, 8, 4),
	AT("qpi", 0xf8, 0, 25, 2, 0),
	AT("r3qpi", 0xf8, 0, 27, 2, 0),
	AT("r2pcie", 0xf8, 0, 29, 1, 0),
	AT("irp", 0xf8, 0, 34, 2, 2),
	AT_END,
};

const struct unc_overflow unc_hswep_overflow = {
	.enable = OV_EN,
	.run = BOX_LISTEN,
	.status = {0x701},
	.cores = 0x3ffff,
	.at = hswep,
};

/* The bits behind 18 CBos are those of home agents, so the other six have none that is known. */
const struct unc_overflow unc_bdx_overflow = {
	.enable = OV_EN,
	.run = BOX_LISTEN,
	.status = {0x701},
	.cores = 0xffffff,
	.at = hswep,
};

/* ---- SKX ---- */

/* A stack's IIO and IRP have one bit. */
static const struct unc_overflow_at skx[] = {
	AT_UBOX(0x708, false),
	AT("pcu", 0x716, 0, 2, 1, 0),
	AT("cha", 0xe07, 0, 3, 28, 0),
	AT("imc", 0xf8, 1, 39, 6, 3),
	AT("upi", 0x37c, 0, 41, 3, 0),
	AT("m3upi", 0xf8, 0, 46, 2, 0),
	AT("iio", 0xa47, 0, 56, 5, 0),
	AT("irp", 0xa5f, 0, 56, 5, 0),
	AT("m2m", 0x260, 0, 62, 2, 0),
	AT("m2pcie", 0xf8, 0, NO_BIT, 0, 0),
	AT_END,
};

const struct unc_overflow unc_skx_overflow = {
	.enable = OV_EN,
	.run = BOX_LISTEN,
	.status = {0x701},
	.cores = 0xfffffff,
	.at = skx,
};

/* ---- ICX ---- */

/*
 * Most positions are undocumented, and those of the CHAs doubtful, as they would be those of
 * the U-Box, too: docs/hardware/icx.md, "Overflow".
 */
static const struct unc_overflow_at icx[] = {
	AT_UBOX(0x708, true),
	AT("pcu", 0x716, 0, NO_BIT, 0, 0),
	AT("cha", 0xb67, 0, NO_BIT, 0, 0),
	AT("iio", 0xa57, 0, NO_BIT, 0, 0),
	AT("imc", 0x5c, 1, NO_BIT, 0, 0),
	AT("m2m", 0x4a8, 0, NO_BIT, 0, 0),
	AT("upi", 0x37c, 0, NO_BIT, 0, 0),
	AT_END,
};

const struct unc_overflow unc_icx_overflow = {
	.enable = OV_EN,
	.run = BOX_LISTEN,
	.status = {0x70e, 0x70f},
	.cores = UINT32_MAX,
	.at = icx,
};

/* ---- SPR and later ---- */

/* Which bits choose cores is not known: docs/hardware/README.md, "Freeze on overflow". */
const struct unc_overflow unc_found_overflow = {.enable = OV_EN};

/* ---- NHM-EX, WSM-EX ---- */

/*
 * Each box has its status behind its control, and what clears it behind that; the U-Box's
 * are the package's, of which no positions are known.  Bits that send the PMI: 323535 tables
 * 2-6, 2-13, 2-20, 2-44, 2-98; docs/hardware/nhmex.md, "Controls".
 */
static const struct unc_overflow_at ex[] = {
	AT_PMI("ubox", 0, 0),           AT_PMI("cbox", 0xd01, 0),
	AT_PMI("bbox", 0xc21, 0),       AT_PMI("sbox", 0xc41, 0),
	AT_PMI("mbox", 0xca1, 1u << 1), AT_PMI("rbox", 0xe01, 1u << 6),
	AT_PMI("wbox", 0xc81, 0),       AT_END,
};

const struct unc_overflow unc_ex_overflow = {
	.enable = OV_EN,
	.status = {0xc01},
	.clear = 1,
	.mode = 1u << 31,
	.cores = 0xf << 1,
	.at = ex,
};
