/*
 * overflow.c - freeze on overflow: enable bits, status registers and the boxes' bits in them.
 *
 * Sources: facts/sampling-overflow.md 2 to 4, section 5 of facts/<platform>.md.  The order of
 * the bits in the U-Box's own status is told differently by each of them, so that register is
 * left out; its global bit is of its programmable counters alone.
 *
 * Box control: bit 16 lets a box be frozen, bit 17 lets it tell of overflows (datasheets
 * volume 2, PmonUnitCtrl).  SNB-EP has neither bit 17 nor ov_en; of KNL nothing is known.
 */
#include "overflow.h"

#include "ep.h"

#define OV_EN      (1u << 20)
#define BOX_LISTEN (3u << 16)
#define NO_BIT     (-1)
#define AT_END               \
	{                    \
		.type = NULL \
	}

/* ---- IVT ---- */

/* A CBo has no status register: its bit of the global one has to do. */
static const struct unc_overflow_at ivbep[] = {
	{"ubo", 0, 0, 1, 1, 0, 0},         {"pcu", 0xc35, 0, 2, 1, 0, 0},
	{"cbo", 0, 0, 3, 15, 0, 0},        {"ha", 0xf8, 0, 18, 2, 0, 0},
	{"imc", 0xf8, 1, 20, 8, 4, 0},     {"qpi", 0xf8, 0, 22, 2, 0, 0},
	{"r3qpi", 0xf8, 0, 24, 2, 0, 0},   {"r2pcie", 0xf8, 0, 26, 1, 0, 0},
	{"irp", 0xf8, 0, NO_BIT, 0, 0, 0}, AT_END,
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
	{"ubo", 0, 0, 1, 1, 0, 0},
	{"pcu", 0x716, 0, 2, 1, 0, 0},
	{"cbo", 0xe07, 0, 3, 18, 0, 0},
	{"sbo", 0x725, 0, NO_BIT, 0, 0, 0},
	{"ha", 0xf8, 0, 21, 2, 0, 0},
	{"imc", 0xf8, 1, 23, 8, 4, 0},
	{"qpi", 0xf8, 0, 25, 2, 0, 0},
	{"r3qpi", 0xf8, 0, 27, 2, 0, 0},
	{"r2pcie", 0xf8, 0, 29, 1, 0, 0},
	{"irp", 0xf8, 0, 34, 2, 2, 0},
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
	{"ubo", 0, 0, 1, 1, 0, 0},
	{"pcu", 0x716, 0, 2, 1, 0, 0},
	{"cha", 0xe07, 0, 3, 28, 0, 0},
	{"imc", 0xf8, 1, 39, 6, 3, 0},
	{"upi", 0x37c, 0, 41, 3, 0, 0},
	{"m3upi", 0xf8, 0, 46, 2, 0, 0},
	{"iio", 0xa47, 0, 56, 5, 0, 0},
	{"irp", 0xa5f, 0, 56, 5, 0, 0},
	{"m2m", 0x260, 0, 62, 2, 0, 0},
	{"m2pcie", 0xf8, 0, NO_BIT, 0, 0, 0},
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

/* Most positions are undocumented, and those of the CHAs doubtful: facts/icx.md 5. */
static const struct unc_overflow_at icx[] = {
	{"ubo", 0, 0, 1, 1, 0, 0},          {"pcu", 0x716, 0, NO_BIT, 0, 0, 0},
	{"cha", 0xb67, 0, NO_BIT, 0, 0, 0}, {"iio", 0xa57, 0, NO_BIT, 0, 0, 0},
	{"imc", 0x5c, 1, NO_BIT, 0, 0, 0},  {"m2m", 0x4a8, 0, NO_BIT, 0, 0, 0},
	{"upi", 0x37c, 0, NO_BIT, 0, 0, 0}, AT_END,
};

const struct unc_overflow unc_icx_overflow = {
	.enable = OV_EN,
	.run = BOX_LISTEN,
	.status = {0x70e, 0x70f},
	.cores = UINT32_MAX,
	.at = icx,
};

/* ---- SPR and later ---- */

/* Which bits choose cores is not known: facts/sampling-overflow.md 3. */
const struct unc_overflow unc_found_overflow = {.enable = OV_EN};

/* ---- NHM-EX, WSM-EX ---- */

/*
 * Each box has its status behind its control, and what clears it behind that; the U-Box's
 * are the package's, of which no positions are known.  Bits that send the PMI: 323535 tables
 * 2-6, 2-13, 2-20, 2-44, 2-98; facts/nhmex.md 3.
 */
static const struct unc_overflow_at ex[] = {
	{"ubox", 0, 0, NO_BIT, 0, 0, 0},           {"cbox", 0xd01, 0, NO_BIT, 0, 0, 0},
	{"bbox", 0xc21, 0, NO_BIT, 0, 0, 0},       {"sbox", 0xc41, 0, NO_BIT, 0, 0, 0},
	{"mbox", 0xca1, 0, NO_BIT, 0, 0, 1u << 1}, {"rbox", 0xe01, 0, NO_BIT, 0, 0, 1u << 6},
	{"wbox", 0xc81, 0, NO_BIT, 0, 0, 0},       AT_END,
};

const struct unc_overflow unc_ex_overflow = {
	.enable = OV_EN,
	.status = {0xc01},
	.clear = 1,
	.mode = 1u << 31,
	.cores = 0xf << 1,
	.at = ex,
};
