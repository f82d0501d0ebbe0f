// SPDX-License-Identifier: BSD-3-Clause
// discovered_test.cc - records of discovery tables become boxes, or are refused with a reason.
#include <random>

#include <gtest/gtest.h>

#include "support/fake_tables.h"

namespace
{

using support::FakeMachine;
using support::FakeUnit;

FakeUnit msr(unsigned type, unsigned id, uint64_t address)
{
	return FakeUnit::msr(type, id, address);
}

FakeUnit mmio(unsigned type, unsigned id, uint64_t address)
{
	FakeUnit u;

	u.type = type;
	u.id = id;
	u.address = address;
	return u;
}

// ---- numbers and packages ----

TEST(Discovered, TheIdIsTheBoxNumber)
{
	FakeMachine m;

	m.table({msr(5, 9, 0x2090), msr(5, 2, 0x2020), msr(4, 2, 0x2120)});
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("type_5_9 pkg 0", m.box(0));
	EXPECT_EQ("type_5_2 pkg 0", m.box(1));
	EXPECT_EQ("type_4_2 pkg 0", m.box(2));
	// boxes are in the order of type, package and number
	EXPECT_EQ(2, m.machine.boxes[0].index);
	EXPECT_EQ(0x2120u, m.machine.boxes[0].offset);
	EXPECT_EQ(0x2020u, m.machine.boxes[1].offset);
	EXPECT_EQ(0x2090u, m.machine.boxes[2].offset);
}

TEST(Discovered, TheSameIdInTwoPackagesIsTheSameNumber)
{
	FakeMachine m(unc_discovered, 2);

	m.table({msr(5, 1, 0x2010)}, 1);
	m.table({msr(5, 1, 0x2010)}, 0);
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("type_5_1 pkg 1", m.box(0));
	EXPECT_EQ("type_5_1 pkg 0", m.box(1));
}

TEST(Discovered, TablesOfOnePackageAreNumberedOn)
{
	FakeMachine m(unc_discovered, 2);

	m.table({msr(5, 0, 0x2000), msr(5, 3, 0x2030)});
	m.table({msr(5, 0, 0x2100), msr(5, 3, 0x2130), msr(5, 1, 0x2110)});
	m.table({msr(5, 0, 0x2000), msr(5, 7, 0x2070)}, 1);
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("type_5_0 pkg 0", m.box(0));
	EXPECT_EQ("type_5_3 pkg 0", m.box(1));
	EXPECT_EQ("type_5_8 pkg 0", m.box(2));
	EXPECT_EQ("type_5_9 pkg 0", m.box(3));
	EXPECT_EQ("type_5_1 pkg 0", m.box(4));
	EXPECT_EQ("type_5_0 pkg 1", m.box(5));
	EXPECT_EQ("type_5_7 pkg 1", m.box(6));
}

TEST(Discovered, WithoutNumbersLeftABoxIsRefused)
{
	FakeMachine m;

	m.table({msr(5, 0xffff, 0x2000), msr(5, 0xffff, 0x2010)});
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("type_5_65535 pkg 0", m.box(0));
	EXPECT_NE(std::string::npos, m.box(1).find("no other number"));
}

TEST(Discovered, WithoutNumaNodesTablesAreDealtOutInOrder)
{
	FakeMachine m(unc_discovered, 2);

	for (unsigned i = 0; i < 4; i++)
		m.table({msr(5, i, 0x2000 + 0x10 * i)}, -1);
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("type_5_0 pkg 0", m.box(0));
	EXPECT_EQ("type_5_1 pkg 0", m.box(1));
	EXPECT_EQ("type_5_2 pkg 1", m.box(2));
	EXPECT_EQ("type_5_3 pkg 1", m.box(3));
}

TEST(Discovered, OtherDevicesAreAskedWhenTheUsualOneHasNoTable)
{
	FakeMachine m;

	m.device(0x09a7, 0, 30, 0);
	m.table({msr(5, 0, 0x2000)}, 0, 0x1234);
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("type_5_0 pkg 0", m.box(0));

	FakeMachine both;

	both.table({msr(5, 0, 0x2000)}, 0, 0x1234);
	both.table({msr(5, 1, 0x2010)});
	ASSERT_EQ(0, both.build());
	EXPECT_EQ(1u, both.machine.discovered->n_tables);
	EXPECT_EQ("type_5_1 pkg 0", both.box(0));
}

// ---- layouts ----

// A device has six; the capability has three bits for the number.
TEST(Discovered, BarsThatNoDeviceHasAreNotAskedFor)
{
	for (unsigned bar : {6, 7}) {
		FakeMachine m;
		const unsigned unit = m.table({msr(5, 9, 0x2090)});

		m.config(unit, 0x10c, bar);
		EXPECT_EQ(UNCORE_ENOSUPP, m.build_machine());
		EXPECT_NE(nullptr, strstr(m.err.text, "names a BAR that no device has"))
			<< m.err.text;
		EXPECT_EQ(std::vector<unsigned>(), m.bars_asked);
	}
	FakeMachine m;
	m.table({msr(5, 9, 0x2090)});
	EXPECT_EQ(0, m.build_machine());
	EXPECT_EQ(std::vector<unsigned>({0}), m.bars_asked);
}

TEST(Discovered, TheLayoutOfMostRecordsIsTheTypes)
{
	FakeMachine m;
	FakeUnit odd = msr(5, 0, 0x2000);

	odd.counters = 8;
	m.table({odd, msr(5, 1, 0x2010), msr(5, 2, 0x2020)});
	ASSERT_EQ(0, m.build());
	EXPECT_NE(std::string::npos, m.box(0).find("register layout differs"));
	EXPECT_EQ("type_5_1 pkg 0", m.box(1));
	EXPECT_EQ(4, m.type("type_5")->n_counters);
}

struct Step {
	const unc_platform *platform;
	FakeUnit unit;
	const char *type;
	unsigned control, counter, width;
	uint64_t mask;
};

class DiscoveredLayout : public testing::TestWithParam<Step>
{
};

TEST_P(DiscoveredLayout, FollowsFromTheAccess)
{
	const Step &s = GetParam();
	FakeMachine m(*s.platform);

	m.device(0x1111, 0xfe, 12, 0);
	m.table({s.unit});
	ASSERT_EQ(0, m.build()) << m.err.text;
	const unc_box_type *t = m.type(s.type);
	EXPECT_EQ(s.control, t->ctl_step);
	EXPECT_EQ(s.counter, t->ctr_step);
	EXPECT_EQ(s.width, t->ctl_width);
	EXPECT_EQ(s.unit.control, t->ctl);
	EXPECT_EQ(s.unit.counter, t->ctr);
	EXPECT_EQ(s.unit.width, t->width);
	EXPECT_EQ(0u, t->box_ctl);
	EXPECT_EQ(s.mask, t->event_mask);
}

INSTANTIATE_TEST_SUITE_P(
	All, DiscoveredLayout,
	testing::Values(
		Step{&unc_discovered, msr(5, 0, 0x2000), "type_5", 1, 1, 64, 0xff84ffff},
		Step{&unc_discovered, mmio(6, 0, 0xc0000000), "type_6", 4, 8, 32, 0xff84ffff},
		Step{&unc_discovered, FakeUnit::pci(7, 0, 0xfe, 12, 0), "type_7", 8, 8, 64,
		     0xff84ffff},
		Step{&unc_spr, mmio(6, 0, 0xc0000000), "imc", 4, 8, 32, 0xff84ffff},
		Step{&unc_spr, mmio(12, 0, 0xc0000000), "cxlcm", 8, 8, 64, 0xffffffff84ffff},
		Step{&unc_spr, FakeUnit::pci(7, 0, 0xfe, 12, 0), "m2m", 8, 8, 64, 0xffffffff84ffff},
		Step{&unc_spr, msr(0, 0, 0x2000), "cha", 1, 1, 64, 0xffffffffff85ffff},
		Step{&unc_spr, msr(1, 0, 0x3000), "iio", 1, 1, 64, 0x7ffffff84ffff},
		Step{&unc_gnr, mmio(17, 0, 0xc0000000), "b2cxl", 8, 8, 64, 0xffffffff84ffff}));

TEST(Discovered, ANameAddsWhatTheTableLeavesOut)
{
	FakeMachine m(unc_spr);

	m.table({msr(0, 0, 0x2000), mmio(6, 0, 0xc8aa2800), msr(5, 0, 0x2fd0), msr(2, 0, 0x3400)});
	ASSERT_EQ(0, m.build());
	EXPECT_EQ(1, m.type("cha")->n_filters);
	EXPECT_EQ(0x38u, m.type("imc")->fixed.ctr);
	EXPECT_EQ(0x54u, m.type("imc")->fixed.ctl);
	EXPECT_EQ(0xfu, m.type("ubo")->fixed.ctr);
	EXPECT_EQ(2, m.type("irp")->n_counters); // Intel's lists know two of the table's four
	EXPECT_EQ("ubo0 pkg 0", m.box(2));
}

TEST(Discovered, ANameDoesNotGoWithAnotherAccess)
{
	FakeMachine m(unc_spr);

	m.table({msr(6, 0, 0x2000), mmio(0, 0, 0xc0000000)});
	ASSERT_EQ(0, m.build());
	EXPECT_EQ(0, m.type("imc")->fixed.width);
	EXPECT_EQ(0, m.type("cha")->n_filters);
	EXPECT_EQ(0xff85ffffu, m.type("cha")->event_mask);
}

// ---- quirks of platforms ----

TEST(Discovered, UpiRecordsAreLeftToTheirDevices)
{
	FakeMachine m(unc_spr);

	m.device(0x3250, 0xfe, 0, 0);
	m.device(0x3241, 0xfe, 1, 1);
	m.device(0x3241, 0xfe, 3, 1);
	m.device(0x3246, 0xfe, 5, 1);
	m.table({FakeUnit::pci(8, 0, 0xfe, 3, 1, 0x318), FakeUnit::pci(9, 0, 0xfe, 5, 1, 0xa0)});
	ASSERT_EQ(0, m.build());
	EXPECT_NE(std::string::npos, m.box(0).find("records are wrong"));
	EXPECT_NE(std::string::npos, m.box(1).find("records are wrong"));
	std::string present, absent;
	for (size_t i = 0; i < m.machine.n_boxes; i++) {
		const unc_box &b = m.machine.boxes[i];

		if (strstr(b.type->name, "upi"))
			(b.absent ? absent : present) +=
				b.type->name + std::to_string(b.index) + " ";
	}
	EXPECT_EQ("upi0 upi2 m3upi0 ", present);
	EXPECT_EQ("upi1 upi3 m3upi1 m3upi2 m3upi3 ", absent);
}

// Two boxes would write one register.
TEST(Discovered, RecordsAtDevicesThatHaveBoxesOfTheirOwnAreRefused)
{
	FakeMachine m(unc_spr);

	m.device(0x3241, 0xfe, 1, 1);
	m.device(0x3999, 0xfe, 2, 1);
	m.table({FakeUnit::pci(12909, 0, 0xfe, 1, 1), FakeUnit::pci(12909, 1, 0xfe, 2, 1)});
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("its PCI device is that of another kind of box", m.box(0));
	EXPECT_EQ("type_12909_1 pkg 0", m.box(1));
}

TEST(Discovered, OnGraniteRapidsUpiRecordsAreRight)
{
	FakeMachine m(unc_gnr);

	m.device(0x3241, 0xfe, 16, 1);
	m.table({FakeUnit::pci(8, 0, 0xfe, 16, 1, 0x318)});
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("upi0 pkg 0", m.box(0));
}

TEST(Discovered, TheMsrLimitsTheNumberOfChas)
{
	for (uint64_t most : {0, 2, 9}) {
		FakeMachine m(unc_spr, 2);

		m.msrs[{1, 0x2ffe}] = most;
		for (int p = 0; p < 2; p++)
			m.table({msr(0, 0, 0x2000), msr(0, 1, 0x2010), msr(0, 2, 0x2020)}, p);
		ASSERT_EQ(0, m.build());
		EXPECT_EQ("cha2 pkg 0", m.box(2));
		EXPECT_EQ("cha1 pkg 1", m.box(4));
		EXPECT_EQ(most == 2, m.box(5).find("exceeds the number") != std::string::npos)
			<< m.box(5);
	}
}

TEST(Discovered, HbmInterfacesAreRecognizedByTheirPciFunction)
{
	FakeMachine m(unc_spr);

	m.device(0x324a, 0xfe, 12, 0);
	m.device(0x324b, 0xfe, 12, 1);
	m.table({FakeUnit::pci(7, 0, 0xfe, 12, 0), FakeUnit::pci(7, 4, 0xfe, 12, 1)});
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("m2m0 pkg 0", m.box(0));
	EXPECT_EQ("m2hbm4 pkg 0", m.box(1));
}

TEST(Discovered, APciUnitNeedsItsDevice)
{
	FakeMachine m;

	m.device(0x324a, 0xfe, 12, 0);
	m.table({FakeUnit::pci(7, 0, 0xfe, 12, 0), FakeUnit::pci(7, 1, 0xfe, 13, 0)});
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("type_7_0 pkg 0", m.box(0));
	EXPECT_NE(std::string::npos, m.box(1).find("no PCI device"));
}

// ---- registers of other units ----

TEST(DiscoveredClash, TheLaterOfTwoRecordsIsRefused)
{
	FakeMachine m(unc_discovered, 2);

	m.device(0x324a, 0xfe, 12, 0);
	m.table({msr(5, 0, 0x2000), msr(5, 1, 0x2000), msr(4, 0, 0x2005), msr(3, 0, 0x200c),
		 mmio(6, 0, 0xc0000000), mmio(6, 1, 0xc0000040), mmio(6, 2, 0xc0000050),
		 FakeUnit::pci(7, 0, 0xfe, 12, 0, 0x400), FakeUnit::pci(8, 1, 0xfe, 12, 0, 0x430),
		 FakeUnit::pci(8, 0, 0xfe, 12, 0, 0x600)});
	m.table({msr(5, 0, 0x2000), mmio(6, 0, 0xc0000000)}, 1);
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("type_5_0 pkg 0", m.box(0));
	EXPECT_NE(std::string::npos, m.box(1).find("same registers"));
	EXPECT_NE(std::string::npos, m.box(2).find("same registers")); // its control is a control
	EXPECT_EQ("type_3_0 pkg 0", m.box(3)); // adjacent and interleaved registers do not overlap
	EXPECT_EQ("type_6_0 pkg 0", m.box(4));
	EXPECT_NE(std::string::npos, m.box(5).find("same registers"));
	EXPECT_EQ("type_6_2 pkg 0", m.box(6));
	EXPECT_EQ("type_7_0 pkg 0", m.box(7));
	EXPECT_NE(std::string::npos, m.box(8).find("same registers"));
	EXPECT_EQ("type_8_0 pkg 0", m.box(9));
	EXPECT_EQ("type_5_0 pkg 1", m.box(10));                         // MSRs are per package
	EXPECT_NE(std::string::npos, m.box(11).find("same registers")); // addresses are not
}

TEST(DiscoveredClash, ARecordThatOverlapsItselfIsRefused)
{
	FakeMachine m;
	FakeUnit same = msr(5, 0, 0x2000), near = msr(4, 0, 0x2100), tight = msr(3, 0, 0x2200);

	same.counter = same.control;
	near.counter = near.control + 3;
	tight.counter = tight.control + 4;
	m.table({same, near, tight});
	ASSERT_EQ(0, m.build());
	EXPECT_NE(std::string::npos, m.box(0).find("overlap each other"));
	EXPECT_NE(std::string::npos, m.box(1).find("overlap each other"));
	EXPECT_EQ("type_3_0 pkg 0", m.box(2));
}

TEST(DiscoveredClash, FixedCountersTakePart)
{
	FakeMachine m(unc_spr);
	FakeUnit u;

	u.counters = 5; // controls up to the fixed one at 0x54
	m.table({u, msr(0, 0, 0x2000), msr(1, 0, 0x200e)});
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("imc0 pkg 0", m.box(0));
	u.counters = 6;
	FakeMachine six(unc_spr);
	six.table({u, msr(0, 0, 0x2000), msr(1, 0, 0x200e)});
	ASSERT_EQ(0, six.build());
	EXPECT_NE(std::string::npos, six.box(0).find("overlap each other"));
	EXPECT_EQ("cha0 pkg 0", six.box(1));
	EXPECT_NE(std::string::npos, six.box(2).find("same registers")); // the CHA's filter
}

// ---- limits ----

TEST(Discovered, TypesBeyondTheLimitAreRefused)
{
	FakeMachine m;
	std::vector<FakeUnit> units;

	for (unsigned i = 0; i < 80; i++)
		units.push_back(msr(100 + i, 0, 0x2000 + 0x10 * i));
	m.table(units);
	ASSERT_EQ(0, m.build());
	EXPECT_EQ("type_163_0 pkg 0", m.box(63));
	EXPECT_NE(std::string::npos, m.box(64).find("too many types"));
	EXPECT_EQ(64u, m.machine.n_boxes);
	EXPECT_EQ(0, m.find("uncore_type_163::RAW:config=0x1")) << m.err.text;
	EXPECT_EQ(UNCORE_ENOEVENT, m.find("uncore_type_164::RAW:config=0x1"));
}

TEST(Discovered, NamesOfTypesAreDistinct)
{
	FakeMachine m;

	m.table({msr(1, 0, 0x2000), msr(1, 2, 0x2020), msr(12, 0, 0x2100), msr(12, 7, 0x2170)});
	ASSERT_EQ(0, m.build());
	for (const char *good : {"uncore_type_1::RAW:config=1", "uncore_type_1_2::RAW:config=1",
				 "uncore_type_12::RAW:config=1", "uncore_type_12_7::RAW:config=1",
				 "uncore_type_12:RAW:config=1", "UNCORE_TYPE_12:raw:config=1"})
		EXPECT_EQ(0, m.find(good)) << good << ": " << m.err.text;
	EXPECT_EQ(UNCORE_ENODEV, m.find("uncore_type_1_1::RAW:config=1"));
	EXPECT_EQ(UNCORE_ENODEV, m.find("uncore_type_12_1::RAW:config=1"));
	EXPECT_EQ(UNCORE_ENOEVENT, m.find("uncore_type_2::RAW:config=1"));
	EXPECT_EQ(UNCORE_ENOEVENT, m.find("uncore_type_::RAW:config=1"));
	EXPECT_EQ(UNCORE_ENOEVENT, m.find("uncore_type_121::RAW:config=1"));
}

TEST(Discovered, OnAnUnknownCpuWithoutTablesThereIsNothing)
{
	FakeMachine m;

	m.device(0x1234, 0, 1, 0);
	EXPECT_EQ(UNCORE_ENOSUPP, m.build());
	EXPECT_NE(nullptr, strstr(m.err.text, "no uncore counters are known for this CPU"))
		<< m.err.text;
}

TEST(Discovered, ATableWithOnlyInvalidRecordsIsNoMachine)
{
	FakeMachine m(unc_gnr);

	m.table({msr(0, 0, 0x10), msr(0, 0, 0x20)});
	EXPECT_EQ(UNCORE_ENOSUPP, m.build());
	EXPECT_NE(nullptr, strstr(m.err.text, "Granite Rapids")) << m.err.text;
}

// ---- the register of a whole package ----

// ---- status registers: bits in them are cleared, so nothing else may be there ----

class DiscoveredStatus : public testing::Test
{
      protected:
	static constexpr uint64_t kTable = 0x200000000;

	// Of a record, and of the table: the words that FakeMachine leaves at 0.
	void set(unsigned record, uint64_t status, uint64_t position = 0)
	{
		m.memory[kTable + 24 * (record + 1)] |= status << 32;
		m.memory[kTable + 24 * (record + 1) + 16] |= position << 32;
	}
	void global(uint64_t offset, uint64_t n)
	{
		m.memory[kTable + 16] = offset | n << 8;
	}
	unc_summary summary(unsigned record)
	{
		unc_summary s = {};

		if (!m.machine.discovered) {
			EXPECT_EQ(0, m.build_machine()) << m.err.text;
		}
		EXPECT_LE(0, m.unit(record).box);
		EXPECT_TRUE(
			unc_summary_of(&m.machine, static_cast<unsigned>(m.unit(record).box), &s));
		return s;
	}

	FakeMachine m;
};

TEST_F(DiscoveredStatus, IsWhereNothingElseIs)
{
	m.table({msr(5, 0, 0x2000), msr(5, 1, 0x2020), mmio(6, 0, 0xc8aa2800),
		 mmio(6, 1, 0xc8ab2800)});
	set(0, 1);
	set(1, 0);
	set(2, 0x5c);
	set(3, 0xfc);
	EXPECT_EQ(1u, summary(0).offset);
	EXPECT_EQ(0u, summary(1).offset);
	EXPECT_EQ(0x5cu, summary(2).offset);
	EXPECT_EQ(0xfcu, summary(3).offset);
}

TEST_F(DiscoveredStatus, OnOtherRegistersOfTheBoxIsIgnored)
{
	m.table({msr(5, 0, 0x2000), msr(5, 1, 0x2020), mmio(6, 0, 0xc8aa2800)});
	set(0, 2);    // its first control
	set(1, 11);   // its last counter
	set(2, 0x24); // the upper half of one
	EXPECT_EQ(0u, summary(0).offset);
	EXPECT_EQ(0u, summary(1).offset);
	EXPECT_EQ(0u, summary(2).offset);
}

TEST_F(DiscoveredStatus, OnRegistersOfAnotherBoxIsIgnored)
{
	m.table({msr(5, 0, 0x2000), msr(5, 1, 0x2020), msr(5, 2, 0x2050)});
	set(0, 0x22); // the second one's first control
	set(1, 0x70);
	set(2, 0x40); // the same as the second one's
	EXPECT_EQ(0u, summary(0).offset);
	EXPECT_EQ(0x70u, summary(1).offset);
	EXPECT_EQ(0u, summary(2).offset);
}

TEST_F(DiscoveredStatus, ThatIsNotAlignedOrLeavesTheMsrsIsIgnored)
{
	m.table({msr(5, 0, 0xff80), msr(5, 1, 0xff60), mmio(6, 0, 0xc8aa2800)});
	set(0, 0x80);
	set(1, 0x9f);
	set(2, 0xfb);
	EXPECT_EQ(0u, summary(0).offset);
	EXPECT_EQ(0x9fu, summary(1).offset);
	EXPECT_EQ(0u, summary(2).offset);
}

TEST_F(DiscoveredStatus, OfTheTableIsAnMsrOfItsOwn)
{
	m.table({msr(5, 0, 0x2000), msr(5, 1, 0x2ff2), msr(5, 2, 0x2040), msr(5, 3, 0x2060)});
	global(1, 3);
	set(0, 0, 5);
	set(1, 0, 64);  // 0x2ff2, which is the control of that unit
	set(2, 0, 128); // 0x2ff3, which is unused
	set(3, 0, 192); // there are only three
	EXPECT_EQ(0x2ff1u, summary(0).msr);
	EXPECT_EQ(5, summary(0).bit);
	EXPECT_EQ(0u, summary(1).msr);
	EXPECT_EQ(0x2ff3u, summary(2).msr);
	EXPECT_EQ(0u, summary(3).msr);
}

TEST_F(DiscoveredStatus, OfTheTableIsNotItsControl)
{
	m.table({msr(5, 0, 0x2000)});
	global(0, 1);
	EXPECT_EQ(0u, summary(0).msr);
}

TEST(DiscoveredGlobal, IsTakenFromEveryTableThatHasBoxes)
{
	FakeMachine m(unc_discovered, 2);

	m.table({msr(5, 0, 0x2000)}, 0, 0x09a7, 0x2ff0);
	m.table({msr(5, 1, 0x2010)}, 0, 0x09a7, 0x2fe0);
	m.table({msr(5, 0, 0x2000)}, 1, 0x09a7, 0x2ff0);
	m.table({msr(5, 2, 0x2020)}, 1, 0x09a7, 0x2ff0); // the same one
	m.table({msr(5, 0, 0x20)}, 1, 0x09a7, 0x2fd0);   // no boxes
	ASSERT_EQ(0, m.build());
	ASSERT_EQ(3u, m.machine.n_globals);
	EXPECT_EQ(0x2ff0u, m.machine.globals[0].address);
	EXPECT_EQ(0x2fe0u, m.machine.globals[1].address);
	EXPECT_EQ(0u, m.machine.globals[1].package);
	EXPECT_EQ(1u, m.machine.globals[2].package);
	EXPECT_EQ(64, m.machine.globals[2].width);
}

TEST(DiscoveredGlobal, OfNoSenseIsLeftAlone)
{
	for (uint64_t address : {UINT64_C(0), UINT64_C(0x1a0), ~UINT64_C(0) - 1}) {
		FakeMachine m;

		m.table({msr(5, 0, 0x2000)}, 0, 0x09a7, address);
		ASSERT_EQ(0, m.build());
		EXPECT_EQ(0u, m.machine.n_globals);
	}
}

// ---- anything ----

TEST(DiscoveredNoise, RandomMachinesNeverWriteAndAlwaysAnswer)
{
	std::mt19937_64 random(20240609);
	unsigned boxes = 0;

	for (int round = 0; round < 300; round++) {
		FakeMachine m(round % 3 ? round % 3 == 1 ? unc_spr : unc_gnr : unc_discovered, 2);

		for (unsigned d = 0; d < 6; d++)
			m.device(static_cast<uint16_t>(0x3240 + d), 0xfe, d, d % 3);
		for (unsigned t = random() % 4; t > 0; t--) {
			std::vector<FakeUnit> units;

			for (unsigned i = random() % 40; i > 0; i--) {
				FakeUnit u =
					msr(random() % 24, random() % 8, 0x1fc0 + random() % 0x800);

				if (random() % 3 == 0)
					u = mmio(random() % 24, random() % 8,
						 0xc0000000 + random() % 0x400 * 8);
				if (random() % 4 == 0)
					u = FakeUnit::pci(random() % 24, random() % 8, 0xfe,
							  random() % 8, random() % 3,
							  random() % 0x400 * 4);
				if (random() % 8 == 0)
					u.counters = random() % 30;
				if (random() % 8 == 0)
					u.counter = random() % 256;
				if (random() % 8 == 0)
					u.access = random() % 4;
				units.push_back(u);
			}
			m.table(units, static_cast<int>(random() % 3) - 1);
		}
		for (auto &word : m.memory)
			if (random() % 40 == 0)
				word.second = random();
		m.build();
		EXPECT_EQ(0u, m.writes);
		boxes += m.machine.n_boxes;
		for (size_t i = 0; m.machine.discovered && i < m.machine.discovered->units.n; i++)
			EXPECT_EQ(m.unit(i).box < 0, m.unit(i).why != nullptr);
	}
	EXPECT_GT(boxes, 1000u);
}

} // namespace
