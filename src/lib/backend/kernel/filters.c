/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * filters.c - for which events the Linux driver writes which part of config1 to the filters of
 * a C-Box or CHA. It ignores config1 for all others.  It lists umasks one by one, while the
 * hardware checks bits of them (docs/reference/differences.md).  SNB-EP to SKX, Linux 6.1 to 7.2.
 */
#include <string.h>

#include "backend/kernel/perf.h"

#define MOST_UMASKS 10
#define ANY         UINT64_MAX
#define TID_EN      0x80000
#define BIT6        0x4000 /* of the umask: match the node */

/* Fields of config1. */
#define SNB_TID   UINT64_C(0x1f)
#define SNB_NID   UINT64_C(0x3fc00)
#define SNB_STATE UINT64_C(0x7c0000)
#define SNB_OPC   UINT64_C(0xff800000)
#define IVT_LINK  UINT64_C(0x1e0)
#define IVT_STATE UINT64_C(0x7e0000)
#define NID       (UINT64_C(0xffff) << 32)
#define OPC       (UINT64_C(0xfff) << 52)
#define HSX_TID   UINT64_C(0x3f)
#define HSX_STATE UINT64_C(0xfe0000)
#define SKX_STATE UINT64_C(0x7fe0000)
#define SKX_WHO   UINT64_C(0x1fff)
#define HIGH_HALF (ANY << 32)

/* clang-format off */
#define TOR_OPCODES {0x01, 0x03, 0x21, 0x23, 0x41, 0x43, 0x81, 0x83}
#define TOR_NODES   {0x41, 0x43, 0x44, 0x48, 0x4a, 0x50}

static const struct row {
	char platforms[24];
	uint32_t match, mask; /* of the control */
	uint64_t config1;
	uint8_t umasks[MOST_UMASKS]; /* the umask must be one of these; empty: any umask */
} rows[] = {
	{"snbep ivbep", TID_EN, TID_EN, SNB_TID, {0}},
	{"snbep", 0x34, 0xff, SNB_STATE, {0x03, 0x05, 0x09, 0x41, 0x43, 0x45, 0x49}},
	{"snbep", 0x34, 0xff, SNB_NID, {0x41, 0x43, 0x45, 0x49}},
	{"snbep", 0x35, 0xff, SNB_OPC, {0x01, 0x03, 0x41, 0x43}},
	{"snbep", 0x36, 0xff, SNB_OPC, {0x01, 0x03, 0x41, 0x43}},
	{"snbep", 0x35, 0xff, SNB_NID, TOR_NODES},
	{"snbep", 0x36, 0xff, SNB_NID, {0x41, 0x43, 0x44, 0x48, 0x4a}},
	{"snbep", 0x37 | BIT6, 0xff | BIT6, SNB_NID, {0}},
	{"ivbep", 0x1031, 0x10ff, IVT_LINK, {0}},
	{"ivbep", 0x34, 0xff, IVT_STATE, {0x03, 0x05, 0x09, 0x11, 0x41, 0x43, 0x45, 0x49, 0x51}},
	{"ivbep", 0x34, 0xff, NID, {0x41, 0x43, 0x45, 0x49, 0x51}},
	{"hswep bdx", TID_EN, TID_EN, HSX_TID, {0}},
	{"hswep bdx", 0x34, 0xff, HSX_STATE, {0x03, 0x05, 0x09, 0x11, 0x21, 0x41}},
	{"hswep bdx", 0x28 | BIT6, 0xff | BIT6, NID, {0}},
	{"hswep bdx", 0x29 | BIT6, 0xff | BIT6, NID, {0}},
	{"hswep bdx", 0x2a | BIT6, 0xff | BIT6, NID, {0}},
	{"hswep bdx", 0x32 | BIT6, 0xff | BIT6, NID, {0}},
	{"hswep bdx", 0x33 | BIT6, 0xff | BIT6, NID, {0}},
	{"ivbep hswep bdx", 0x35, 0xff, OPC, TOR_OPCODES},
	{"ivbep hswep bdx", 0x36, 0xff, OPC, TOR_OPCODES},
	{"ivbep hswep bdx", 0x35, 0xff, NID, TOR_NODES},
	{"ivbep hswep bdx", 0x36, 0xff, NID, TOR_NODES},
	{"ivbep hswep bdx", 0x37 | BIT6, 0xff | BIT6, NID, {0}},
	{"skx", TID_EN, TID_EN, ANY, {0}},
	{"skx", 0x34, 0xff, SKX_STATE, {0x03, 0x05, 0x09, 0x11, 0x31, 0x91}},
	{"skx", 0x35, 0xff, HIGH_HALF, {0}},
	{"skx", 0x36, 0xff, HIGH_HALF, {0}},
	{"skx", 0x38, 0xff, SKX_WHO, {0}},
};
/* clang-format on */

static bool is_listed(const struct row *r, uint64_t control)
{
	const unsigned umask = control >> 8 & 0xff;

	for (unsigned i = 0; i < MOST_UMASKS && r->umasks[i]; i++)
		if (r->umasks[i] == umask)
			return true;
	return r->umasks[0] == 0;
}

bool unc_perf_filters(const struct unc_machine *m, const struct unc_box_type *type,
		      uint64_t control, uint64_t *config1)
{
	bool known = false;

	*config1 = 0;
	if (strcmp(type->sysfs_name, "cbox") != 0 && strcmp(type->sysfs_name, "cha") != 0)
		return false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct row *r = &rows[i];

		if (!strstr(r->platforms, m->platform->name))
			continue;
		known = true;
		if ((control & r->mask) == r->match && is_listed(r, control))
			*config1 |= r->config1;
	}
	return known;
}
