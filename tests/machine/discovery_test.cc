// SPDX-License-Identifier: BSD-3-Clause
// discovery_test.cc - discovery tables in memory: what is read from them, and what is refused.
#include <cstdlib>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "machine/discovery.h"
#include "support/memory.h"

namespace
{

using support::Memory;

constexpr uint64_t kOnes = ~UINT64_C(0);

// ---- tables ----

struct Record {
	unsigned counters = 4, control = 0x40, width = 48, counter = 8, status = 0x5c, access = 1;
	uint64_t address = 0xc8aa2800;
	unsigned type = 6, id = 0, position = 0;

	uint64_t first() const
	{
		return counters | control << 8 | width << 16 |
		       static_cast<uint64_t>(counter) << 24 | static_cast<uint64_t>(status) << 32 |
		       static_cast<uint64_t>(access) << 62;
	}
	uint64_t third() const
	{
		return type | id << 16 | static_cast<uint64_t>(position) << 32;
	}
};

struct Table : Memory {
	explicit Table(size_t size = 0x1000, unsigned stride = 3) : Memory(size), stride(stride)
	{
		head(stride, 0);
	}
	~Table()
	{
		free(units.unit);
	}
	void head(unsigned qwords, unsigned slots)
	{
		put(0, 1 | qwords << 8 | slots << 16);
		put(8, 0x2ff0);
		put(16, 0xe | 3 << 8);
	}
	void raw(uint64_t a, uint64_t b, uint64_t c)
	{
		const size_t at = 8 * stride * ++n;

		put(at, a);
		put(at + 8, b);
		put(at + 16, c);
		head(stride, n);
	}
	void add(const Record &r)
	{
		raw(r.first(), r.address, r.third());
	}
	void read(uint64_t bytes = 0)
	{
		const struct unc_bytes memory = reader();

		free(units.unit);
		units = {};
		table = {};
		EXPECT_EQ(0, unc_discovery_table_read(&memory, bytes, &table, 7, &units));
	}
	// The one record's reason, "" if it is a box.
	std::string why()
	{
		read();
		EXPECT_EQ(1u, units.n);
		return units.n == 1 && units.unit[0].why ? units.unit[0].why : "";
	}
	unsigned stride;
	unsigned n = 0;
	struct unc_discovery_table table = {};
	struct unc_units units = {};
};

// The numbers of docs/hardware/discovery.md, "A worked example".
TEST(DiscoveryTable, TheWorkedExampleComesOut)
{
	static const uint64_t addresses[] = {0xc8aa2800, 0xc8aaa800, 0xc8b22800, 0xc8b2a800,
					     0xc8ba2800, 0xc8baa800, 0xc8c22800, 0xc8c2a800};
	Table table;

	for (unsigned i = 0; i < 8; i++)
		table.raw(0x4000005c08304004, addresses[i], 6 | i << 16);
	table.read();
	ASSERT_EQ(8u, table.units.n);
	for (unsigned i = 0; i < 8; i++) {
		const struct unc_unit &u = table.units.unit[i];

		EXPECT_EQ(nullptr, u.why) << u.why;
		EXPECT_EQ(6, u.type);
		EXPECT_EQ(i, u.id);
		EXPECT_EQ(addresses[i], u.control);
		EXPECT_EQ(UNC_BY_MMIO, u.access);
		EXPECT_EQ(48, u.width);
		EXPECT_EQ(4, u.n_counters);
		EXPECT_EQ(64, u.control_offset);
		EXPECT_EQ(8, u.counter_offset);
		EXPECT_EQ(0x5c, u.status_offset);
		EXPECT_EQ(7, u.table);
		EXPECT_EQ(i, u.slot);
	}
}

TEST(DiscoveryTable, TheHeadIsTakenApart)
{
	Table table(0x1000, 4);

	table.raw(0, 0, 0);
	table.put(0, 0x2a | 4 << 8 | UINT64_C(0x3ff) << 16 | UINT64_C(2) << 62);
	table.put(8, 0x123456789abcdef0);
	table.put(16, 0x77 | 0xabcd << 8);
	table.read(0x1000);
	EXPECT_EQ(0x2a, table.table.type);
	EXPECT_EQ(4, table.table.stride);
	EXPECT_EQ(1023, table.table.max_units);
	EXPECT_EQ(UNC_BY_PCI, table.table.access);
	EXPECT_EQ(0x123456789abcdef0u, table.table.control);
	EXPECT_EQ(0x77, table.table.status_offset);
	EXPECT_EQ(0xabcd, table.table.n_status);
}

TEST(DiscoveryTable, AllFieldsOfARecordAreTakenApart)
{
	Table table;
	Record r;

	r.counters = 0x11;
	r.control = 0x24;
	r.width = 40;
	r.counter = 0xa8;
	r.status = 0xfe;
	r.access = 2;
	r.address = 0x80000000 | 5u << 28 | 0xabu << 20 | 0x1fu << 15 | 3u << 12 | 0x200;
	r.type = 0xfedc;
	r.id = 0xba98;
	r.position = 0x7654;
	table.add(r);
	EXPECT_EQ("", table.why());
	const struct unc_unit &u = table.units.unit[0];
	EXPECT_EQ(0x11, u.n_counters);
	EXPECT_EQ(0x24, u.control_offset);
	EXPECT_EQ(40, u.width);
	EXPECT_EQ(0xa8, u.counter_offset);
	EXPECT_EQ(0xfe, u.status_offset);
	EXPECT_EQ(0xfedc, u.type);
	EXPECT_EQ(0xba98, u.id);
	EXPECT_EQ(0x7654, u.position);
	EXPECT_EQ(5u, unc_unit_segment(&u));
	EXPECT_EQ(0xabu, unc_unit_bus(&u));
	EXPECT_EQ(0xfbu, unc_unit_devfn(&u));
	EXPECT_EQ(0x200u, unc_unit_offset(&u));
}

TEST(DiscoveryTable, EmptySlotsAreCountedAndSkipped)
{
	Table table;

	table.add(Record());
	table.raw(0, 0, 0);
	table.raw(0, 0, 0x123);
	table.raw(kOnes, kOnes, kOnes);
	table.add(Record());
	table.read();
	EXPECT_EQ(2u, table.units.n);
	EXPECT_EQ(3, table.table.n_empty);
	EXPECT_EQ(4, table.units.unit[1].slot);
}

TEST(DiscoveryTable, StrideMayBeLongerThanARecord)
{
	Table table(0x4000, 255);

	table.add(Record());
	table.add(Record());
	table.read(0x4000);
	EXPECT_EQ(2u, table.units.n);
	EXPECT_EQ(nullptr, table.table.why);
}

TEST(DiscoveryTable, WithoutRoomForARecordIsRefused)
{
	for (unsigned stride : {0u, 1u, 2u}) {
		Table table;

		table.add(Record());
		table.head(stride, 1);
		table.read();
		EXPECT_EQ(0u, table.units.n);
		EXPECT_NE(nullptr, table.table.why);
	}
}

TEST(DiscoveryTable, AllOnesIsADeadDevice)
{
	Table table;

	memset(table.bytes.data(), 0xff, table.bytes.size());
	table.read();
	EXPECT_EQ(0u, table.units.n);
	ASSERT_NE(nullptr, table.table.why);
	EXPECT_NE(nullptr, strstr(table.table.why, "all ones"));
}

TEST(DiscoveryTable, EndsWhereItsMemoryDoes)
{
	Table table(0x1000);

	for (unsigned i = 0; i < 60; i++) {
		Record r;

		r.id = i;
		table.add(r);
	}
	table.head(3, 1023);
	table.read();
	EXPECT_EQ(60u, table.units.n);
	EXPECT_NE(nullptr, table.table.why);
	EXPECT_EQ(0x1000u / 24 - 1 - 60, table.table.n_empty);
	// the BAR is shorter than what answers
	table.read(24 * 11);
	EXPECT_EQ(10u, table.units.n);
	EXPECT_NE(nullptr, table.table.why);
	table.read(24 * 11 + 23);
	EXPECT_EQ(10u, table.units.n);
	table.read(16);
	EXPECT_EQ(0u, table.units.n);
	EXPECT_NE(nullptr, table.table.why);
}

TEST(DiscoveryTable, With1023RecordsIsReadToTheEnd)
{
	Table table(24 * 1024);

	for (unsigned i = 0; i < 1023; i++) {
		Record r;

		r.address = 0x100000000 + 0x1000 * i;
		table.add(r);
	}
	table.read(24 * 1024);
	EXPECT_EQ(1023u, table.units.n);
	EXPECT_EQ(nullptr, table.table.why);
	EXPECT_EQ(0x100000000u + 0x1000 * 1022, table.units.unit[1022].control);
}

// ---- records that are refused ----

struct BadRecord {
	const char *name;
	void (*spoil)(Record &r);
	const char *why; // "": it is good
};

class DiscoveryRecord : public testing::TestWithParam<BadRecord>
{
};

TEST_P(DiscoveryRecord, IsRefusedOrNot)
{
	Record r;
	Table table;

	GetParam().spoil(r);
	table.add(r);
	const std::string why = table.why();
	if (*GetParam().why)
		EXPECT_NE(std::string::npos, why.find(GetParam().why)) << why;
	else
		EXPECT_EQ("", why);
}

void msr(Record &r, uint64_t address)
{
	r.access = 0;
	r.control = 2;
	r.address = address;
}

void pci(Record &r, unsigned offset)
{
	r.access = 2;
	r.address = 0x0fe00000 | offset;
}

const BadRecord kBad[] = {
	{"good", [](Record &) {}, ""},
	{"half_empty", [](Record &r) { r.address = 0; }, "half empty"},
	{"address_of_ones", [](Record &r) { r.address = kOnes; }, "all ones"},
	{"access_3", [](Record &r) { r.access = 3; }, "unknown access type (3)"},
	{"no_control", [](Record &r) { r.control = 0; }, "no place"},
	{"no_counter", [](Record &r) { r.counter = 0; }, "no place"},
	{"no_registers", [](Record &r) { r.counters = 0; }, "no counters"},
	{"registers_20", [](Record &r) { r.counters = 20; }, ""},
	{"registers_21", [](Record &r) { r.counters = 21; }, "more counters"},
	{"registers_255", [](Record &r) { r.counters = 255; }, "more counters"},
	{"width_0", [](Record &r) { r.width = 0; }, "width"},
	{"width_31", [](Record &r) { r.width = 31; }, "width"},
	{"width_32", [](Record &r) { r.width = 32; }, ""},
	{"width_64", [](Record &r) { r.width = 64; }, ""},
	{"width_65", [](Record &r) { r.width = 65; }, "width"},
	{"msr", [](Record &r) { msr(r, 0x2000); }, ""},
	{"msr_of_the_architecture", [](Record &r) { msr(r, 0x1a0); }, "MSRs"},
	{"msr_below", [](Record &r) { msr(r, 0x1fff); }, "MSRs"},
	{"msr_last", [](Record &r) { msr(r, 0xffff - 11); }, ""},
	{"msr_beyond", [](Record &r) { msr(r, 0xffff - 10); }, "MSRs"},
	{"msr_of_33_bits", [](Record &r) { msr(r, 0x100002000); }, "MSRs"},
	{"msr_of_64_bits", [](Record &r) { msr(r, 0xfffffffffffffff0); }, "MSRs"},
	{"efer", [](Record &r) { msr(r, 0xc0000080); }, "MSRs"},
	{"pci", [](Record &r) { pci(r, 0x318); }, ""},
	{"pci_enabled",
	 [](Record &r) {
		 pci(r, 0x318);
		 r.address |= 0x80000000;
	 },
	 ""},
	{"pci_of_33_bits",
	 [](Record &r) {
		 pci(r, 0x318);
		 r.address |= 0x100000000;
	 },
	 "not a PCI address"},
	{"pci_header", [](Record &r) { pci(r, 0x3c); }, "config space"},
	{"pci_end", [](Record &r) { pci(r, 0x1000 - 0x60); }, ""},
	{"pci_beyond", [](Record &r) { pci(r, 0x1000 - 0x5c); }, "config space"},
	{"pci_odd", [](Record &r) { pci(r, 0x31a); }, "aligned"},
	{"pci_odd_control",
	 [](Record &r) {
		 pci(r, 0x318);
		 r.control = 0x41;
	 },
	 "aligned"},
	{"mmio_odd", [](Record &r) { r.address |= 1; }, "aligned"},
	{"mmio_odd_counter", [](Record &r) { r.counter = 0xc; }, "aligned"},
	{"mmio_odd_control", [](Record &r) { r.control = 0x42; }, "aligned"},
	{"mmio_in_the_first_mib", [](Record &r) { r.address = 0xa0000; }, "physical"},
	{"mmio_above", [](Record &r) { r.address = UINT64_C(1) << 52; }, "physical"},
	{"mmio_at_the_end", [](Record &r) { r.address = (UINT64_C(1) << 52) - 8; }, "physical"},
	{"mmio_that_wraps", [](Record &r) { r.address = kOnes - 7; }, "physical"},
};

INSTANTIATE_TEST_SUITE_P(All, DiscoveryRecord, testing::ValuesIn(kBad),
			 [](const auto &info) { return info.param.name; });

// q2 of all ones is dead, whatever the others say; q0 of zero is half empty.
TEST(DiscoveryRecord, DeadQuadWordsAreRefused)
{
	const Record r;
	const struct {
		uint64_t a, b, c;
	} dead[] = {
		{0, r.address, r.third()},
		{kOnes, r.address, r.third()},
		{r.first(), kOnes, r.third()},
		{r.first(), r.address, kOnes},
	};

	for (const auto &d : dead) {
		Table table;

		table.raw(d.a, d.b, d.c);
		EXPECT_NE("", table.why());
	}
}

// ---- anything ----

// Properties of every accepted record.
void check_sound(const struct unc_unit &u)
{
	EXPECT_GT(u.n_counters, 0);
	EXPECT_LE(u.n_counters, UNC_MAX_COUNTERS);
	EXPECT_GE(u.width, 32);
	EXPECT_LE(u.width, 64);
	EXPECT_NE(0, u.control_offset);
	EXPECT_NE(0, u.counter_offset);
	EXPECT_NE(UNC_BY_NOTHING, u.access);
	if (u.access == UNC_BY_MSR) {
		EXPECT_LE(u.control + u.counter_offset + u.n_counters, 0x10000u);
	}
	if (u.access == UNC_BY_PCI) {
		EXPECT_LE(unc_unit_offset(&u) + u.control_offset + 8u * u.n_counters, 0x1000u);
	}
}

uint64_t noise(std::mt19937_64 &random)
{
	switch (random() % 8) {
	case 0:
		return 0;
	case 1:
		return kOnes;
	case 2:
		return random() & 0xffff;
	default:
		return random();
	}
}

TEST(DiscoveryNoise, RandomTablesGiveNothingUnsound)
{
	std::mt19937_64 random(20240607);
	unsigned good = 0, bad = 0;

	for (int round = 0; round < 2000; round++) {
		Table table(0x400);
		const unsigned records = random() % 20;

		for (unsigned i = 0; i < records; i++) {
			Record r;

			r.counters = random() % 6;
			r.width = random() % 4 ? 48 : random() % 256;
			r.access = random() % 4;
			r.type = random() % 30;
			if (r.access == 0)
				msr(r, 0x1f00 + random() % 0x400);
			if (r.access == 2)
				pci(r, random() % 0x1000);
			table.add(r);
		}
		for (unsigned i = random() % 10; i > 0; i--)
			table.put(random() % 120 * 8, noise(random));
		table.read(random() % 3 ? 0 : random() % 0x800);
		for (size_t i = 0; i < table.units.n; i++) {
			if (table.units.unit[i].why)
				bad++;
			else
				check_sound(table.units.unit[i]), good++;
		}
	}
	EXPECT_GT(good, 1000u);
	EXPECT_GT(bad, 1000u);
}

} // namespace
