// SPDX-License-Identifier: BSD-3-Clause
// places_test.cc - box= and pkg= with numbers, ranges, lists and *.
#include "support/handle.h"
#include "support/sim_machine.h"

namespace
{

using support::SimMachine;

const std::string kRead = "UNC_M_CAS_COUNT:RD";

// Two packages with four channels each.
class Places : public testing::Test
{
      protected:
	std::vector<std::string> parts(const std::string &name)
	{
		std::vector<std::string> all;
		unsigned id;
		int r = 1;

		for (unsigned i = 0; (r = uncore_event_part(m.u, name.c_str(), i, &id)) == 1; i++)
			all.emplace_back(uncore_event_name(m.u, id));
		EXPECT_EQ(0, r) << m.message();
		return all;
	}
	void expect_refusal(int code, const std::string &places, const std::string &said)
	{
		unsigned id;

		EXPECT_EQ(code, m.refusal(kRead + ":" + places));
		EXPECT_NE(std::string::npos, m.message().find(said)) << m.message();
		EXPECT_EQ(code, uncore_event_part(m.u, (kRead + ":" + places).c_str(), 0, &id));
	}
	std::vector<int64_t> counts(const std::vector<std::string> &names)
	{
		std::vector<int64_t> values(names.size());
		std::vector<unsigned> ids;
		uncore_set *set;

		for (const std::string &name : names)
			ids.push_back(m.event(name));
		EXPECT_EQ(0, uncore_set_create(m.u, &set));
		EXPECT_EQ(0, uncore_set_assign(set, ids.data(), ids.size())) << m.message();
		EXPECT_EQ(0, uncore_set_start(set)) << m.message();
		m.advance();
		EXPECT_EQ(0, uncore_set_stop(set)) << m.message();
		EXPECT_EQ(0, uncore_set_read(set, values.data()));
		uncore_set_destroy(set);
		return values;
	}

	SimMachine m{"packages=2,cores=8"};
};

TEST_F(Places, ListsAreSortedAndMergedInCharactersThatToolsCarry)
{
	static const struct {
		const char *given, *canonical;
	} cases[] = {
		{":box=0-3", ":box=0_3"},
		{":box=0_3", ":box=0_3"},
		{":box=3,0,1", ":box=0_1.3"},
		{":box=3.0.1", ":box=0_1.3"},
		{":box=0-1,1-2,2", ":box=0_2"},
		{":BOX=0x2-0x3", ":box=2_3"},
		{":box=1,1", ":box=1"},
		{":box=2-2", ":box=2"},
		{":box=*", ""},
		{":box=*:pkg=*", ""},
		{":pkg=1,0", ":pkg=0_1"},
		{":pkg=0-1:box=0,2", ":box=0.2:pkg=0_1"},
		{":box=0-1:box=1.0", ":box=0_1"},
	};

	for (const auto &c : cases)
		EXPECT_EQ(kRead + c.canonical, m.canonical(kRead + c.given)) << c.given;
	EXPECT_EQ(m.event(kRead), m.event(kRead + ":box=*"));
	EXPECT_EQ("snbep_unc_imc::RAW:config=0x304:box=0.2",
		  m.canonical("snbep_unc_imc::RAW:config=0x304:box=2,0"));
	EXPECT_EQ("UNCORE_MEM_READ_BYTES:pkg=0_1", m.canonical("UNCORE_MEM_READ_BYTES:pkg=0,1"));
}

// Bit i of the hexadecimal number is box i.
TEST_F(Places, AMaskIsAList)
{
	EXPECT_EQ(kRead + ":box=0.3", m.canonical(kRead + ":box=m9"));
	EXPECT_EQ(kRead + ":box=1_3", m.canonical(kRead + ":BOX=M00E"));
	EXPECT_EQ(kRead + ":box=2:pkg=1", m.canonical(kRead + ":box=m4:pkg=m2"));
	EXPECT_EQ(m.event(kRead + ":box=0.2"), m.event(kRead + ":box=m5"));
	for (const std::string &bad :
	     {std::string("box=m"), std::string("box=m0"), std::string("box=m1g"),
	      std::string("box=m1,2"), "box=m" + std::string(1, '1') + "_2",
	      std::string("pkg=m-1")})
		expect_refusal(UNCORE_EATTR, bad, "expected a number, a list");
	expect_refusal(UNCORE_ENODEV, "box=m10", "box=4 in UNC_M_CAS_COUNT");
}

// Every third slice of 144: a list of them is longer than a name may be.
TEST(LongPlaces, ANameThatIsTooLongWithAListHasAMask)
{
	uncore_options options = support::sized<uncore_options>();
	std::string list, mask = ":box=m";

	options.machine = "sim:srf:time=virtual";
	const support::Handle srf(options);
	ASSERT_EQ(0, srf.code) << srf.message();
	for (unsigned i = 0; i < 12; i++) /* 0x249: bits 0, 3, 6 and 9 */
		mask += "249";
	for (unsigned box = 0; box < 144; box += 3)
		list += (box ? "." : ":box=") + std::to_string(box);
	EXPECT_EQ("UNC_CHA_CLOCKTICKS" + mask, srf.canonical("UNC_CHA_CLOCKTICKS" + mask));
	EXPECT_EQ("UNC_CHA_CLOCKTICKS" + list.substr(0, 78),
		  srf.canonical("UNC_CHA_CLOCKTICKS" + list.substr(0, 78)));
	unsigned id, n = 0;
	for (; uncore_event_part(srf.u, ("UNC_CHA_CLOCKTICKS" + mask).c_str(), n, &id) == 1; n++)
		EXPECT_EQ("UNC_CHA_CLOCKTICKS:box=" + std::to_string(3 * n),
			  uncore_event_name(srf.u, id));
	EXPECT_EQ(48u, n);
	EXPECT_EQ(UNCORE_EINVAL, srf.refusal("UNC_CHA_CLOCKTICKS" + list));
}

TEST_F(Places, InvalidListsAreRefused)
{
	for (const char *bad : {"box=0,,1", "box=a-b", "box=0-", "box=-1", "box=,", "box=0,",
				"box=1-2-3", "box=**", "box=0,*", "pkg=0--1", "box=0x-1", "box=_"})
		expect_refusal(UNCORE_EATTR, bad, "expected a number, a list");
	expect_refusal(UNCORE_EATTR, "box=", "qualifier box of UNC_M_CAS_COUNT requires a number");
	expect_refusal(UNCORE_EATTR, "box=3-1",
		       "invalid range box=3-1 in UNC_M_CAS_COUNT: the lower");
	expect_refusal(UNCORE_EATTR, "box=1q", "expected a 64-bit decimal or 0x number");
	expect_refusal(UNCORE_EATTR, "box=0-1:box=2", "box=2: 0_1 was given before");
	expect_refusal(UNCORE_EATTR, "box=*:box=2", "box=2: * was given before");
	expect_refusal(UNCORE_EATTR, "pkg=0:pkg=*", "pkg=*: 0 was given before");
	expect_refusal(UNCORE_EATTR, "t=1,2", "expected a 64-bit decimal or 0x number");
	expect_refusal(UNCORE_EATTR, "die=0,1", "expected a 64-bit decimal or 0x number");
	expect_refusal(UNCORE_EINVAL, "R-D", "character \"-\"");
}

TEST_F(Places, ABoxOrPackageThatDoesNotExistIsRefusedByItsNumber)
{
	expect_refusal(UNCORE_ENODEV, "box=0-99999", "box=4 in UNC_M_CAS_COUNT");
	expect_refusal(UNCORE_ENODEV, "box=0,2,7", "box=7 in UNC_M_CAS_COUNT");
	expect_refusal(UNCORE_ENODEV, "pkg=0-2", "pkg=2 in UNC_M_CAS_COUNT");
	expect_refusal(UNCORE_ENODEV, "pkg=1,5", "pkg=5 in UNC_M_CAS_COUNT");
	EXPECT_EQ(UNCORE_ENODEV, m.refusal("ix86arch::LLC_MISSES:cpu=0-16"));
	EXPECT_NE(std::string::npos, m.message().find("cpu=16")) << m.message();
}

TEST_F(Places, AHiddenBoxOfAListIsNamed)
{
	SimMachine half("hide=3cb1");

	EXPECT_EQ(UNCORE_ENODEV, half.refusal(kRead + ":box=0-2"));
	EXPECT_NE(std::string::npos, half.message().find("hidden by the firmware"))
		<< half.message();
	EXPECT_EQ(0, half.refusal(kRead + ":box=0,2-3"));
}

// ---- parts ----

TEST_F(Places, PartsAreTheEventsOfSingleBoxesAndPackages)
{
	using Names = std::vector<std::string>;

	EXPECT_EQ(Names{kRead}, parts(kRead));
	EXPECT_EQ(Names{kRead + ":box=1"}, parts(kRead + ":box=1"));
	EXPECT_EQ((Names{kRead + ":box=0", kRead + ":box=1", kRead + ":box=3"}),
		  parts(kRead + ":box=3,0-1"));
	EXPECT_EQ((Names{kRead + ":box=0:pkg=1", kRead + ":box=1:pkg=1", kRead + ":box=2:pkg=1",
			 kRead + ":box=3:pkg=1"}),
		  parts(kRead + ":box=*:pkg=1"));
	EXPECT_EQ((Names{kRead + ":pkg=0", kRead + ":pkg=1"}), parts(kRead + ":pkg=*"));
	EXPECT_EQ((Names{kRead + ":box=0:pkg=0", kRead + ":box=2:pkg=0", kRead + ":box=0:pkg=1",
			 kRead + ":box=2:pkg=1"}),
		  parts(kRead + ":box=0,2:pkg=0-1"));
	EXPECT_EQ((Names{"UNCORE_MEM_READ_BYTES:pkg=0", "UNCORE_MEM_READ_BYTES:pkg=1"}),
		  parts("UNCORE_MEM_READ_BYTES:pkg=*"));
	EXPECT_EQ((Names{"UNCORE_MEM_READ_BYTES:box=0:pkg=1", "UNCORE_MEM_READ_BYTES:box=2:pkg=1"}),
		  parts("UNCORE_MEM_READ_BYTES:box=0,2:pkg=0x1-1"));
	EXPECT_EQ(8u, parts("UNCORE_LLC_LOOKUPS:box=*").size());
	EXPECT_EQ(16u, parts("UNCORE_TOR_DRD_OCCUPANCY_AVG:box=*:pkg=*").size());
	EXPECT_EQ((Names{"ix86arch::LLC_MISSES:cpu=2", "ix86arch::LLC_MISSES:cpu=3"}),
		  parts("ix86arch::LLC_MISSES:cpu=2-3"));
}

TEST_F(Places, MissingBoxesAreNotParts)
{
	SimMachine half("hide=3cb1");
	unsigned id, n = 0;

	for (; uncore_event_part(half.u, (kRead + ":box=*").c_str(), n, &id) == 1; n++)
		EXPECT_STRNE((kRead + ":box=1").c_str(), uncore_event_name(half.u, id));
	EXPECT_EQ(3u, n);
}

// ---- counts ----

TEST_F(Places, ASumAddsItsBoxes)
{
	const auto n = counts({kRead, kRead + ":box=0-3", kRead + ":box=0", kRead + ":box=1",
			       kRead + ":box=2", kRead + ":box=3", kRead + ":box=1,3",
			       kRead + ":box=1_2:pkg=1", kRead + ":box=1:pkg=1",
			       kRead + ":box=2:pkg=1", kRead + ":pkg=0,1"});

	for (size_t i = 0; i < n.size(); i++)
		EXPECT_GT(n[i], 0) << i;
	EXPECT_EQ(n[0], n[1]);
	EXPECT_EQ(n[1], n[2] + n[3] + n[4] + n[5]);
	EXPECT_EQ(n[6], n[3] + n[5]);
	EXPECT_EQ(n[7], n[8] + n[9]);
	EXPECT_EQ(n[0], n[10]);
}

TEST_F(Places, AMetricIsTheSumOfItsPackages)
{
	const std::string bytes = "UNCORE_MEM_READ_BYTES";
	const auto n = counts({bytes, bytes + ":pkg=0-1", bytes + ":pkg=0", bytes + ":pkg=1"});

	EXPECT_GT(n[2], 0);
	EXPECT_EQ(n[0], n[1]);
	EXPECT_EQ(n[1], n[2] + n[3]);
}

// Its events are all of one kind of box; the mean is weighted in each by its own cycles.
TEST_F(Places, AMetricOfOneKindOfBoxIsTheSumOrMeanOfItsBoxes)
{
	const std::string bytes = "UNCORE_MEM_READ_BYTES", mean = "UNCORE_TOR_DRD_OCCUPANCY_AVG";
	const auto n = counts({bytes, bytes + ":box=0-3", bytes + ":box=1", bytes + ":box=0,2,3",
			       bytes + ":box=1:pkg=1", kRead + ":box=1:pkg=1"});
	const auto q = counts({mean + ":box=2", mean + ":box=5", mean + ":box=2,5", mean});

	EXPECT_GT(n[2], 0);
	EXPECT_EQ(n[0], n[1]);
	EXPECT_EQ(n[0], n[2] + n[3]);
	EXPECT_EQ(n[4], 64 * n[5]);
	EXPECT_NE(uncore_real(q[0]), uncore_real(q[1]));
	EXPECT_NEAR(uncore_real(q[2]), (uncore_real(q[0]) + uncore_real(q[1])) / 2,
		    1e-3 * uncore_real(q[2]));
	EXPECT_GT(uncore_real(q[3]), 0);
}

// One filter for each C-Box: two opcodes can only be counted together in different boxes.
TEST_F(Places, OverlappingListsConflictInTheBoxesThatTheyShare)
{
	const std::string drd = "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=";
	const std::string rfo = "UNC_C_TOR_INSERTS:OPCODE:OPC_RFO:box=";
	const auto fit = [this](const std::string &a, const std::string &b) {
		const unsigned ids[] = {m.event(a), m.event(b)};
		uncore_set *set;
		int r;

		EXPECT_EQ(0, uncore_set_create(m.u, &set));
		r = uncore_set_assign(set, ids, 2);
		uncore_set_destroy(set);
		return r;
	};

	EXPECT_EQ(0, fit(drd + "0-3", rfo + "4-7"));
	EXPECT_EQ(0, fit(drd + "0,2,4", rfo + "1,3,5-7"));
	EXPECT_EQ(UNCORE_ECONFLICT, fit(drd + "0-3", rfo + "3-7"));
	EXPECT_EQ(UNCORE_ECONFLICT, fit(drd + "0-3", rfo + "2"));
	EXPECT_EQ(0, fit(drd + "0-3:pkg=0", rfo + "0-3:pkg=1"));
	EXPECT_EQ(0, fit(drd + "0-3", drd + "2-5"));
}

} // namespace
