/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ring_more.c - events that libpfm4 lacks, from Sandy Bridge-EP to Broadwell-EP: one table, of
 * which a platform has its own rows and those that it shares.
 */
#include "shared/event_rows.h"
#include "shared/ring.h"

#define SNBEP(row_)    row_
#define TO_IVBEP(row_) row_
#define IVBEP(row_)
#define FROM_IVBEP(row_)
#define HSWEP(row_)
#define FROM_HSWEP(row_)
#define BDX(row_)

const struct unc_row unc_snbep_more[] = {
#include "shared/ring_more.def"
	ROWS_END,
};

#undef SNBEP
#define SNBEP(row_)
#undef IVBEP
#define IVBEP(row_) row_
#undef FROM_IVBEP
#define FROM_IVBEP(row_) row_
const struct unc_row unc_ivbep_more[] = {
#include "shared/ring_more.def"
	ROWS_END,
};

#undef IVBEP
#define IVBEP(row_)
#undef TO_IVBEP
#define TO_IVBEP(row_)
#undef HSWEP
#define HSWEP(row_) row_
#undef FROM_HSWEP
#define FROM_HSWEP(row_) row_
const struct unc_row unc_hswep_more[] = {
#include "shared/ring_more.def"
	ROWS_END,
};

#undef HSWEP
#define HSWEP(row_)
#undef BDX
#define BDX(row_) row_
const struct unc_row unc_bdx_more[] = {
#include "shared/ring_more.def"
	ROWS_END,
};
