/* SPDX-License-Identifier: BSD-3-Clause */
/* nhmex_wsmex.c - shared by Nehalem-EX and Westmere-EX. */
#include "shared/nhmex_wsmex.h"

/* Box controls have an enable bit per counter; counter controls have theirs at bit 22 or 0. */
const struct unc_style unc_ex_style = {.enable = 1u << 22, .per_counter = true};
const struct unc_style unc_ex_low_style = {.enable = 1u << 0, .per_counter = true};

/*
 * en_all.  rst_all must not remain 1.  The same register contains the U-Box's enable bit
 * and the selection of the cores that receive interrupts (docs/hardware/nhmex.md).
 */
const struct unc_global unc_ex_global = {
	.msr = 0xc00, .unfreeze = 1u << 28, .zero = 1u << 29, .state = true};

#define EDGE                                                                         \
	{                                                                            \
		"e", "Count beginnings only (edge detect)", 1u << 18, false, 0, NULL \
	}

const struct unc_modifier unc_ex_edge[] = {EDGE, {"", "", 0, false, 0, NULL}};
const struct unc_modifier unc_ex_threshold[] = {
	EDGE,
	{"i", "Count cycles below the threshold (invert)", 1u << 23, false, 0, NULL},
	{"t", "Count cycles with at least this many: 0 to 255", 0xffu << 24, false, 0, NULL},
	{"", "", 0, false, 0, NULL},
};

const uint16_t unc_ex_cbox_offsets[] = {
	0x00, 0x80, 0x40, 0xc0, 0x20, 0xa0, 0x60, 0xe0, 0x240, 0x2c0,
};

/* ---- S-Box: packet match of TO_R_PROG_EV ---- */

#define ALL_BITS UINT64_MAX
#define BIT63    (UINT64_C(1) << 63)

const struct unc_filter unc_ex_sbox_filters[] = {
	{.name = "S_MSR_MM_CFG",
	 .address = 0xe48,
	 .stride = 0x10,
	 .gate = true,
	 .config = 2,
	 .mask = BIT63,
	 .set = BIT63},
	{.name = "S_MSR_MATCH", .address = 0xe49, .stride = 0x10, .config = 1, .mask = ALL_BITS},
	{.name = "S_MSR_MASK", .address = 0xe4a, .stride = 0x10, .config = 2, .mask = ALL_BITS},
};

const struct unc_field unc_ex_sbox_fields[] = {
	{"packet match", 0, BIT63},
	{"packet match", 1, ALL_BITS},
	{"packet mask", 2, ALL_BITS},
};

const struct unc_need unc_ex_sbox_needs[] = {{0x00, 0xff, 0x7}, {0, 0, 0}};

#define MATCH(event)                                           \
	{"match", "Bits that the packet must have", event, 1}, \
	{                                                      \
		"mask", "Which of them are compared", event, 2 \
	}

const struct unc_qualifier unc_ex_sbox_qualifiers[] = {MATCH(0x00), {"", "", 0, 0}};

/* ---- B-Box: one pair of match and mask for several events ---- */

static const struct unc_filter bbox_filters[] = {
	{.name = "B_MSR_MATCH", .address = 0xe45, .stride = 8, .config = 1, .mask = ALL_BITS},
	{.name = "B_MSR_MASK", .address = 0xe46, .stride = 8, .config = 2, .mask = ALL_BITS},
};

static const struct unc_field bbox_fields[] = {
	{"match", 0, ALL_BITS},
	{"mask", 1, ALL_BITS},
};

/* An event as in Linux's config: the counter number in the bits above the event code. */
#define B_EVENT(counter, code) ((counter) << 6 | (code) << 1)
#define B_NEED(counter, code)                     \
	{                                         \
		B_EVENT(counter, code), 0xfe, 0x3 \
	}

static const struct unc_need bbox_needs[] = {
	B_NEED(0, 0), B_NEED(0, 1), B_NEED(0, 2), B_NEED(0, 3), B_NEED(1, 0),
	B_NEED(1, 1), B_NEED(1, 2), B_NEED(1, 3), B_NEED(1, 4), B_NEED(1, 5),
	B_NEED(1, 6), B_NEED(2, 4), {0, 0, 0},
};

static const struct unc_qualifier bbox_qualifiers[] = {
	MATCH(B_EVENT(0, 1)), MATCH(B_EVENT(0, 2)), MATCH(B_EVENT(0, 3)), MATCH(B_EVENT(1, 1)),
	MATCH(B_EVENT(1, 2)), MATCH(B_EVENT(1, 3)), MATCH(B_EVENT(1, 4)), MATCH(B_EVENT(1, 5)),
	MATCH(B_EVENT(1, 6)), MATCH(B_EVENT(2, 4)), {"", "", 0, 0},
};

static const struct unc_rule bbox_rules[] = {
	{0x00, 0x00, 0xc0, 0x1, false},
	{0x40, 0x40, 0xc0, 0x2, false},
	{0x80, 0x80, 0xc0, 0x4, false},
	{0xc0, 0xc0, 0xc0, 0x8, false},
	{0, 0, 0, 0, false},
};

static const struct unc_row bbox_rows[] = {
#include "shared/nhmex_wsmex/bbox.def"
	ROWS_END};

const struct unc_box_type unc_ex_bbox = {
	.name = "bbox",
	.sysfs_name = "bbox",
	.title = "B-Box: home agent",
	.style = &unc_ex_low_style,
	UNC_EX_BOX,
	.count = UNC_COUNT_FIXED,
	.n_boxes = 2,
	.n_counters = 4,
	.box_ctl = 0xc20,
	.ctl = 0xc30,
	.ctr = 0xc31,
	.stride = 0x40,
	.event_mask = 0xfe,
	.unwritten = 0xc0,
	.max_inc = 64,
	.rules = bbox_rules,
	.filters = bbox_filters,
	.n_filters = 2,
	.filter_by_event = true,
	.fields = bbox_fields,
	.needs = bbox_needs,
	.rows = bbox_rows,
	.qualifiers = bbox_qualifiers,
};

/* ---- M-Box ---- */

const struct unc_family unc_ex_mbox_families[] = {
	{0x3e80, 0x0d << 9, 1 << 9, 4}, /* FVC_EV0 to 3 */
	{0, 0, 0, 0},
};

/* ---- R-Box: nine registers per port ---- */

enum { IPERF0, IPERF1, QLX, MM_CFG1, MATCH1, MASK1, MM_CFG2, MATCH2, MASK2, PORT_FILTERS };
enum { QLX_HIGH = PORT_FILTERS, PORT_FIELDS };

/* clang-format off */
#define PORT_REGISTER(port, kind, text, ...)                                    \
	[(port) * PORT_FILTERS + (kind)] = {.name = "R_MSR_PORT_" text, __VA_ARGS__}
#define PORT_SETS(port, n, mm_cfg, match, mask_, base)                          \
	PORT_REGISTER(port, mm_cfg, "XBR_SET" n "_MM_CFG", .address = (base) + 4 * (port), \
		      .gate = true, .config = UNC_CONTROL, .shift = 32, .mask = 0xffffffff), \
	PORT_REGISTER(port, match, "XBR_SET" n "_MATCH", .address = (base) + 4 * (port) + 1, \
		      .config = 1, .mask = ALL_BITS),                           \
	PORT_REGISTER(port, mask_, "XBR_SET" n "_MASK", .address = (base) + 4 * (port) + 2, \
		      .config = 2, .mask = ALL_BITS)
#define PORT(port)                                                              \
	PORT_REGISTER(port, IPERF0, "IPERF_CFG0", .address = 0xe04 + (port), .stride = 4, \
		      .config = 1, .mask = 0xffffffff),                         \
	PORT_REGISTER(port, IPERF1, "IPERF_CFG1", .address = 0xe24 + (port), .stride = 4, \
		      .config = 1, .mask = 0xffffffff),                         \
	PORT_REGISTER(port, QLX, "QLX_CFG", .address = 0xe0c + (port), .config = 1, \
		      .mask = 0xffff),                                          \
	PORT_SETS(port, "1", MM_CFG1, MATCH1, MASK1, 0xe60),                    \
	PORT_SETS(port, "2", MM_CFG2, MATCH2, MASK2, 0xe70)

#define PORT_FIELD(port, field, text, kind, mask)                               \
	[(port) * PORT_FIELDS + (field)] = {text, (port) * PORT_FILTERS + (kind), mask}
#define FIELDS(port)                                                            \
	PORT_FIELD(port, IPERF0, "IPERF", IPERF0, 0xffffffff),                  \
	PORT_FIELD(port, IPERF1, "IPERF", IPERF1, 0xffffffff),                  \
	PORT_FIELD(port, QLX, "QLX", QLX, 0xff),                                \
	PORT_FIELD(port, QLX_HIGH, "QLX", QLX, 0xff00),                         \
	PORT_FIELD(port, MM_CFG1, "XBR", MM_CFG1, 0xffffffff),                  \
	PORT_FIELD(port, MATCH1, "XBR match", MATCH1, ALL_BITS),                \
	PORT_FIELD(port, MASK1, "XBR mask", MASK1, ALL_BITS),                   \
	PORT_FIELD(port, MM_CFG2, "XBR", MM_CFG2, 0xffffffff),                  \
	PORT_FIELD(port, MATCH2, "XBR match", MATCH2, ALL_BITS),                \
	PORT_FIELD(port, MASK2, "XBR mask", MASK2, ALL_BITS)

/* Event 6 * port + k uses the k-th of the port's six registers; even and odd ones are equivalent. */
#define R_EVENT(port, k)      ((6 * (port) + (k)) << 1)
#define R_FIELD(port, field)  (UINT64_C(1) << ((port) * PORT_FIELDS + (field)))
#define R_NEED(port, k, bits) {R_EVENT(port, k), 0x3e, bits}
#define NEEDS(port)                                                             \
	R_NEED(port, 0, R_FIELD(port, IPERF0)), R_NEED(port, 1, R_FIELD(port, IPERF1)), \
	R_NEED(port, 2, R_FIELD(port, QLX)), R_NEED(port, 3, R_FIELD(port, QLX_HIGH)), \
	R_NEED(port, 4, R_FIELD(port, MM_CFG1) | R_FIELD(port, MATCH1) | R_FIELD(port, MASK1)), \
	R_NEED(port, 5, R_FIELD(port, MM_CFG2) | R_FIELD(port, MATCH2) | R_FIELD(port, MASK2))
#define FAMILIES(port)                                                          \
	{0x3e, R_EVENT(port, 0), 2, 2}, {0x3e, R_EVENT(port, 2), 2, 2},         \
	{0x3e, R_EVENT(port, 4), 2, 2}
/* clang-format on */

static const struct unc_filter rbox_filters[] = {PORT(0), PORT(1), PORT(2), PORT(3)};
static const struct unc_field rbox_fields[] = {FIELDS(0), FIELDS(1), FIELDS(2), FIELDS(3)};
static const struct unc_need rbox_needs[] = {NEEDS(0), NEEDS(1), NEEDS(2), NEEDS(3), {0, 0, 0}};
static const struct unc_family rbox_families[] = {
	FAMILIES(0), FAMILIES(1), FAMILIES(2), FAMILIES(3), {0, 0, 0, 0}};

/* Four ports have 24 events: larger codes do not exist. */
static const struct unc_rule rbox_rules[] = {{0x30, 0x3e, 0x3e, 0, false}, {0, 0, 0, 0, false}};

static const struct unc_row rbox_rows[] = {
#include "shared/nhmex_wsmex/rbox.def"
	ROWS_END};

/* MM_CFG of the XBR events is the upper half of Linux's config. */
const struct unc_box_type unc_ex_rbox = {
	.name = "rbox",
	.sysfs_name = "rbox",
	.title = "R-Box: router, four of its eight ports",
	.style = &unc_ex_low_style,
	UNC_EX_BOX,
	.count = UNC_COUNT_FIXED,
	.n_boxes = 2,
	.n_counters = 8,
	.box_ctl = 0xe00,
	.ctl = 0xe10,
	.ctr = 0xe11,
	.stride = 0x20,
	.event_mask = 0xffffffff0000003e,
	.unwritten = 0xffffffff00000000,
	.max_inc = 64,
	.rules = rbox_rules,
	.filters = rbox_filters,
	.n_filters = 4 * PORT_FILTERS,
	.filter_by_event = true,
	.fields = rbox_fields,
	.needs = rbox_needs,
	.families = rbox_families,
	.rows = rbox_rows,
};

/* ---- W-Box ---- */

static const struct unc_row wbox_rows[] = {
#include "shared/nhmex_wsmex/wbox.def"
	ROWS_END};

const struct unc_box_type unc_ex_wbox = {
	.name = "wbox",
	.sysfs_name = "wbox",
	.title = "W-Box: power control",
	UNC_EX_BOX,
	.count = UNC_COUNT_FIXED,
	.n_boxes = 1,
	.n_counters = 4,
	.box_ctl = 0xc80,
	.ctl = 0xc90,
	.ctr = 0xc91,
	.event_mask = 0xff84ffff,
	.max_inc = 16,
	.fixed = {.ctl = 0x395,
		  .ctr = 0x394,
		  .enable = 1u << 0,
		  .width = 48,
		  .bit = 31,
		  .code = 0xff,
		  .coded = true},
	.rows = wbox_rows,
	.modifiers = unc_ex_threshold,
};

/* ---- overflow ---- */

/*
 * The status register of each box follows its control, and is followed by the register that clears
 * it.  The U-Box has those of the package, whose bit positions are unknown.  PMI enable bits:
 * 323535 tables 2-6, 2-13, 2-20, 2-44, 2-98; docs/hardware/nhmex.md, "Controls".
 */
static const struct unc_overflow_at overflow_at[] = {
	UNC_AT_PMI("ubox", 0, 0),           UNC_AT_PMI("cbox", 0xd01, 0),
	UNC_AT_PMI("bbox", 0xc21, 0),       UNC_AT_PMI("sbox", 0xc41, 0),
	UNC_AT_PMI("mbox", 0xca1, 1u << 1), UNC_AT_PMI("rbox", 0xe01, 1u << 6),
	UNC_AT_PMI("wbox", 0xc81, 0),       UNC_AT_END,
};

const struct unc_overflow unc_ex_overflow = {
	.enable = UNC_OV_EN,
	.status = 0xc01,
	.clear = 1,
	.mode = 1u << 31,
	.cores = 0xf << 1,
	.at = overflow_at,
};
