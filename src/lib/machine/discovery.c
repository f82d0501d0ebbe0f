/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * discovery.c - discovery tables: where they are, and their contents.
 *
 * docs/hardware/discovery.md, with the kernel's rules where sources differ.  A table comes from
 * the firmware, and a wrong one must not lead to accesses to other registers: inconsistent
 * tables and records are refused, with the reason.
 */
#include "machine/discovery.h"

#include <errno.h>
#include <stdlib.h>

#define ALL_ONES UINT64_MAX

/* ---- capabilities ---- */

#define CONFIG_BYTES 4096
#define CONFIG_TOP   0x100 /* start of the extended capabilities */

static uint64_t bits(uint64_t value, unsigned high, unsigned low)
{
	return value >> low & (UINT64_MAX >> (63 - (high - low)));
}

static int dword(const struct unc_bytes *config, uint32_t offset, uint32_t *value)
{
	uint64_t wide = 0;
	const int r = config->read(config->of, offset, 32, &wide);

	*value = (uint32_t)wide;
	return r;
}

/* docs/hardware/discovery.md, "Finding a table", step 6. */
static int read_bar(const struct unc_bytes *config, struct unc_discovery_bar *p)
{
	uint32_t low, high = 0;
	int r;

	if (p->number > 5) {
		p->why = "its capability names a BAR that no device has";
		return 0;
	}
	r = dword(config, 0x10 + 4u * p->number, &low);
	if (r < 0)
		return r;
	if (low & 1) {
		p->why = "its BAR is one of I/O ports";
	} else if ((low >> 1 & 3) == 2 && p->number < 5) {
		r = dword(config, 0x14 + 4u * p->number, &high);
	} else if (low >> 1 & 3) {
		p->why = "its BAR is neither one of 32 nor of 64 bits";
	}
	p->base = (uint64_t)high << 32 | (low & ~0xfu);
	if (!p->why && p->base == 0)
		p->why = "its BAR has no address";
	else if (!p->why && (low == UINT32_MAX || p->base >> 52))
		p->why = "its BAR is no physical address";
	return r;
}

/* An Intel capability: "DVSEC" is 0x23, "VSEC" 0x0b. */
struct capability {
	uint16_t id;
	uint8_t names;   /* its dword with the id of the contents in bits 15:0 ... */
	uint16_t name;   /* ... and the id */
	bool at_offsets; /* its tables may begin at an offset into a BAR */
};

static const struct capability pmon = {.id = 0x23, .names = 8, .name = 1};
static const struct capability tpmi = {.id = 0x0b, .names = 4, .name = 0x42, .at_offsets = true};

/* Linux refuses a PMON table that is not at the start of its BAR; others do not check. */
static int find_bar(const struct unc_bytes *config, const struct capability *c, uint32_t at,
		    struct unc_discovery_bar *p)
{
	uint32_t what = 0, where = 0;
	int r = dword(config, at + 8, &what);

	if (r == 0)
		r = dword(config, at + 0xc, &where);
	*p = (struct unc_discovery_bar){.number = where & 7, .entries = (uint8_t)(what >> 16)};
	if (r == 0)
		r = read_bar(config, p);
	if (r == 0 && c->at_offsets)
		p->offset = where & ~7u;
	else if (r == 0 && !p->why && where >> 3)
		p->why = "its capability puts the table at an offset in the BAR, which no known "
			 "machine does";
	return r;
}

static bool first_visit(uint32_t *seen, uint32_t at)
{
	const uint32_t bit = 1u << (at / 4 % 32);
	const bool first = !(seen[at / 128] & bit);

	seen[at / 128] |= bit;
	return first;
}

static int find_bars(const struct unc_bytes *config, const struct capability *c,
		     struct unc_discovery_bar *out, unsigned max)
{
	uint32_t seen[CONFIG_BYTES / 128] = {0}, at = CONFIG_TOP, head, name;
	unsigned n = 0;
	int r = dword(config, 4, &head);

	if (r < 0 || !(head & 1u << 20)) /* no capabilities */
		return r;
	/* follow each link once, so that a circular list ends */
	while (n < max && at >= CONFIG_TOP && at <= CONFIG_BYTES - 16 && first_visit(seen, at)) {
		r = dword(config, at, &head);
		if (r < 0)
			return r;
		if (head == 0 || head == UINT32_MAX)
			break;
		if ((head & 0xffff) == c->id) {
			r = dword(config, at + c->names, &name);
			if (r == 0 && (name & 0xffff) == c->name)
				r = find_bar(config, c, at, &out[n++]);
			if (r < 0)
				return r;
		}
		at = head >> 20 & ~3u;
	}
	return (int)n;
}

int unc_discovery_bars(const struct unc_bytes *config, struct unc_discovery_bar *out, unsigned max)
{
	return find_bars(config, &pmon, out, max);
}

int unc_tpmi_bars(const struct unc_bytes *config, struct unc_discovery_bar *out, unsigned max)
{
	return find_bars(config, &tpmi, out, max);
}

/* ---- records ---- */

#define QWORDS 3 /* qwords of a record that are used */

static int record(const struct unc_bytes *memory, uint64_t bytes, uint64_t offset,
		  uint64_t q[QWORDS])
{
	int r = bytes && offset + 8ull * QWORDS > bytes ? -ENXIO : 0;

	for (unsigned i = 0; r == 0 && i < QWORDS; i++)
		r = memory->read(memory->of, offset + 8ull * i, 64, &q[i]);
	return r;
}

/* MSRs below are architectural, those above belong to hypervisors and AMD (SDM 4, 2). */
#define MSR_FIRST 0x2000
#define MSR_LAST  0xffff

/* Bytes or MSRs from the unit control to the end of the last register. */
static uint64_t reach(const struct unc_unit *u)
{
	const unsigned step = u->access == UNC_BY_MSR ? 1 : 8;
	const unsigned control_step = u->access == UNC_BY_MMIO ? 4 : step;
	const unsigned a = u->control_offset + u->n_counters * control_step;
	const unsigned b = u->counter_offset + u->n_counters * step;

	return a > b ? a : b;
}

const char *unc_address_refusal(const struct unc_unit *u)
{
	const uint64_t first = unc_unit_offset(u), end = first + reach(u);

	switch (u->access) {
	case UNC_BY_MSR:
		if (u->control < MSR_FIRST || u->control > MSR_LAST || end - 1 > MSR_LAST)
			return "its MSRs are not in the range that counters can be in";
		return NULL;
	case UNC_BY_PCI:
		if (u->control >> 32)
			return "its address is not a PCI address";
		if (first < 0x40 || end > CONFIG_BYTES)
			return "its registers leave the config space";
		break;
	default:
		/* the first MiB is legacy memory and has no such registers */
		if (u->control < 0x100000 || u->control >> 52 || end >> 52)
			return "its address is no physical address of registers";
		if ((u->control + u->counter_offset) % 8)
			return "its counters are not aligned";
	}
	return (u->control | u->control_offset | u->counter_offset) % 4
		       ? "its registers are not aligned"
		       : NULL;
}

bool unc_msr_fits(uint64_t address)
{
	return address >= MSR_FIRST && address <= MSR_LAST;
}

bool unc_status_fits(const struct unc_unit *u)
{
	const uint64_t at = unc_unit_offset(u) + u->status_offset;

	if (u->access == UNC_BY_MSR)
		return unc_msr_fits(at);
	if (u->access == UNC_BY_PCI)
		return at % 4 == 0 && at + 4 <= CONFIG_BYTES;
	return at % 4 == 0 && at >> 52 == 0;
}

/* docs/hardware/discovery.md, "Finding a table", step 8: such records describe no box. */
static const char *emptiness(const struct unc_unit *u, const uint64_t q[QWORDS])
{
	if (q[0] == 0 || q[1] == 0)
		return "its record is half empty";
	if (q[0] == ALL_ONES || q[1] == ALL_ONES || q[2] == ALL_ONES)
		return "its record reads as all ones";
	if (u->control_offset == 0 || u->counter_offset == 0)
		return "its record gives no place for controls or counters";
	return NULL;
}

/* A damaged record of a box. */
static const char *damage(const struct unc_unit *u)
{
	if (u->access == UNC_BY_NOTHING)
		return "its record has an unknown access type (3)";
	if (u->n_counters == 0)
		return "it has no counters";
	if (u->n_counters > UNC_MAX_COUNTERS)
		return "its record claims more counters than any box has";
	if (u->width < 32 || u->width > 64)
		return "its record gives a counter width that no box has";
	return unc_address_refusal(u);
}

static struct unc_unit decode(const uint64_t q[QWORDS])
{
	return (struct unc_unit){
		.n_counters = (uint8_t)bits(q[0], 7, 0),
		.control_offset = (uint8_t)bits(q[0], 15, 8),
		.width = (uint8_t)bits(q[0], 23, 16),
		.counter_offset = (uint8_t)bits(q[0], 31, 24),
		.status_offset = (uint8_t)bits(q[0], 39, 32),
		.access = (uint8_t)bits(q[0], 63, 62),
		.control = q[1],
		.type = (uint16_t)bits(q[2], 15, 0),
		.id = (uint16_t)bits(q[2], 31, 16),
		.position = (uint16_t)bits(q[2], 47, 32),
		.pci = -1,
		.box = -1,
	};
}

static int add_unit(struct unc_units *units, const struct unc_unit *u)
{
	if (units->n == units->room) {
		const size_t room = units->room ? 2 * units->room : 64;
		struct unc_unit *list = realloc(units->unit, room * sizeof(*list));

		if (!list)
			return UNCORE_ENOMEM;
		units->unit = list;
		units->room = room;
	}
	units->unit[units->n++] = *u;
	return 0;
}

static bool is_empty(const uint64_t q[QWORDS])
{
	return (q[0] == 0 && q[1] == 0) ||
	       (q[0] == ALL_ONES && q[1] == ALL_ONES && q[2] == ALL_ONES);
}

static int read_units(const struct unc_bytes *memory, uint64_t bytes, struct unc_discovery_table *t,
		      uint16_t number, struct unc_units *units)
{
	int r = 0;

	for (uint16_t slot = 0; r == 0 && slot < t->max_units; slot++) {
		const uint64_t offset = 8ull * t->stride * (slot + 1u);
		uint64_t q[QWORDS];
		struct unc_unit u;

		if (record(memory, bytes, offset, q) < 0) {
			t->why = "it is longer than what is behind its BAR: the records beyond "
				 "are left out";
			return 0;
		}
		if (is_empty(q)) {
			t->n_empty++;
			continue;
		}
		u = decode(q);
		u.table = number;
		u.slot = slot;
		u.package = t->package;
		u.why = emptiness(&u, q);
		u.lost = !u.why && damage(&u);
		if (u.lost)
			u.why = damage(&u);
		r = add_unit(units, &u);
	}
	return r;
}

int unc_discovery_table_read(const struct unc_bytes *memory, uint64_t bytes,
			     struct unc_discovery_table *t, uint16_t number,
			     struct unc_units *units)
{
	uint64_t q[QWORDS] = {0};

	if (record(memory, bytes, 0, q) < 0) {
		t->why = "it cannot be read";
		return 0;
	}
	if (q[0] == ALL_ONES || q[1] == ALL_ONES) {
		t->why = "it reads as all ones: the device is dead or disabled";
		return 0;
	}
	t->type = (uint8_t)bits(q[0], 7, 0);
	t->stride = (uint8_t)bits(q[0], 15, 8);
	t->max_units = (uint16_t)bits(q[0], 25, 16);
	t->access = (uint8_t)bits(q[0], 63, 62);
	t->control = q[1];
	t->status_offset = (uint8_t)bits(q[2], 7, 0);
	t->n_status = (uint16_t)bits(q[2], 23, 8);
	if (t->stride < QWORDS) {
		t->why = "its records are shorter than a record can be";
		return 0;
	}
	return read_units(memory, bytes, t, number, units);
}
