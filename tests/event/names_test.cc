// SPDX-License-Identifier: BSD-3-Clause
// names_test.cc - event names: spellings, refusals, numbers.
#include <cstring>

#include "support/machines.h"
#include "support/sim_machine.h"
#include "support/sized.h"

namespace
{

using support::SimMachine;

constexpr char kDrd[] = "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD";

// Most tests only ask: one machine serves them all.
class Names : public testing::Test
{
      protected:
	static void SetUpTestSuite()
	{
		shared = new SimMachine("packages=2,cores=8");
	}
	static void TearDownTestSuite()
	{
		delete shared;
		shared = nullptr;
	}
	void expect_same(const std::string &canonical, const std::vector<std::string> &spellings)
	{
		const unsigned id = machine.event(canonical);

		EXPECT_EQ(canonical, machine.canonical(canonical));
		for (const std::string &spelling : spellings) {
			EXPECT_EQ(id, machine.event(spelling)) << spelling;
			EXPECT_EQ(canonical, machine.canonical(spelling)) << spelling;
		}
	}
	void expect_refusal(int code, const std::string &name, const std::string &part)
	{
		EXPECT_EQ(code, machine.refusal(name)) << name;
		EXPECT_NE(std::string::npos, machine.message().find(part))
			<< name << ": " << machine.message();
	}

	static SimMachine *shared;
	SimMachine &machine = *shared;
};

SimMachine *Names::shared;

// ---- one event, one number, one spelling ----

TEST_F(Names, LetterCaseAndPrefixDoNotMatter)
{
	expect_same(kDrd, {"unc_c_tor_inserts:opcode:opc_drd", "Unc_C_Tor_Inserts:Opcode:Opc_Drd",
			   "uncore:::UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
			   "UNCORE:::unc_c_tor_inserts:OPCODE:opc_drd"});
}

TEST_F(Names, OrderAndRepetitionOfPartsDoNotMatter)
{
	expect_same(kDrd, {"UNC_C_TOR_INSERTS:OPC_DRD:OPCODE",
			   "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:OPCODE"});
	expect_same("UNC_C_LLC_LOOKUP:NID:STATE_M:e=1:t=3:nf=2:box=1:pkg=0",
		    {"UNC_C_LLC_LOOKUP:pkg=0:nf=2:STATE_M:box=1:t=3:NID:e=1",
		     "UNC_C_LLC_LOOKUP:box=1:pkg=0:pkg=0:NID:STATE_M:e:t=3:nf=2"});
}

TEST_F(Names, NumbersAreDecimalOrHexadecimal)
{
	expect_same("UNC_C_TOR_OCCUPANCY:ALL:e=1:t=16:box=7",
		    {"UNC_C_TOR_OCCUPANCY:ALL:e=0x1:t=0x10:box=0x7",
		     "UNC_C_TOR_OCCUPANCY:ALL:E=01:T=0X10:BOX=07"});
}

TEST_F(Names, Libpfm4sPmuNamesAreAccepted)
{
	expect_same(kDrd, {"snbep_unc_cbo::UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"});
	expect_same(std::string(kDrd) + ":box=3",
		    {"snbep_unc_cbo3::UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
		     "uncore:::SNBEP_UNC_CBO3::unc_c_tor_inserts:opc_drd:opcode",
		     "snbep_unc_cbo3::UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=3"});
	expect_same("UNC_M_CAS_COUNT:RD:box=0", {"snbep_unc_imc0::UNC_M_CAS_COUNT:RD"});
}

TEST_F(Names, IntelsDotBetweenEventAndUmaskIsAccepted)
{
	expect_same("UNC_M_CAS_COUNT:RD",
		    {"UNC_M_CAS_COUNT.RD", "snbep_unc_imc::unc_m_cas_count.rd"});
	expect_same("UNC_Q_RXL_FLITS_G1:DRS_DATA:box=1", {"UNC_Q_RXL_FLITS_G1.DRS.DATA:box=1"});
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT.", "empty umask or qualifier");
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD.x", "no umask RD.x");
}

TEST_F(Names, ACpuStandsForItsPackage)
{
	expect_same("UNC_M_CAS_COUNT:RD:pkg=1",
		    {"UNC_M_CAS_COUNT:RD:cpu=8", "UNC_M_CAS_COUNT:RD:cpu=15",
		     "UNC_M_CAS_COUNT:RD:cpu=9:pkg=1"});
	expect_same("UNC_M_CAS_COUNT:RD:pkg=0", {"UNC_M_CAS_COUNT:RD:CPU=0x7"});
}

TEST_F(Names, PartsWithoutEffectAreLeftOut)
{
	expect_same("UNC_M_CAS_COUNT:WR", {"UNC_M_CAS_COUNT:WR:e=0", "UNC_M_CAS_COUNT:WR:t=0:i=0"});
}

TEST_F(Names, RawTakesWhatLinuxTakes)
{
	expect_same("snbep_unc_cbo::RAW:config=0x135:config1=0xc1000000:box=3",
		    {"snbep_unc_cbo3::raw:config=0x135:config1=0xc1000000",
		     "SNBEP_UNC_CBO::RAW:config1=3238002688:box=3:CONFIG=309"});
	EXPECT_EQ(0, machine.refusal("snbep_unc_qpi::RAW:config=0x38:config1=1:config2=2"));
	EXPECT_EQ(0, machine.refusal("snbep_unc_imc::RAW:config=0xff"));
}

TEST_F(Names, NumbersStayWhatTheyAre)
{
	SimMachine other;
	const unsigned id = other.event(kDrd);

	EXPECT_LT(id, 1u << 31);
	for (unsigned t = 0; t < 200; t++)
		other.event("UNC_M_CAS_COUNT:RD:t=" + std::to_string(t));
	EXPECT_EQ(id, other.event(kDrd));
	EXPECT_STREQ(kDrd, uncore_event_name(other.u, id));
}

// ---- refusals ----

TEST_F(Names, UnknownEventsAreNamedWithTheNearestOne)
{
	expect_refusal(UNCORE_ENOEVENT, "UNC_M_CAS_COUT:RD",
		       "no event UNC_M_CAS_COUT on this machine (Intel Xeon E5-2600 (Sandy "
		       "Bridge-EP)); did you mean UNC_M_CAS_COUNT?");
	expect_refusal(UNCORE_ENOEVENT, "", "the name of an event is empty");
	expect_refusal(UNCORE_ENOEVENT, "RAW:config=1", "no event RAW");
	expect_refusal(UNCORE_ENOEVENT, "snbep_unc_imc::UNC_C_CLOCKTICKS",
		       "UNC_C_CLOCKTICKS is an event of cbo, not of imc");
	EXPECT_EQ(std::string::npos,
		  (machine.refusal("PAPI_TOT_INS"), machine.message()).find("did you mean"));
}

// Suggestions: words that a user tries find events about them.
TEST_F(Names, UnknownEventsGetProposalsByTheirWords)
{
	static const struct {
		const char *name, *proposals;
	} cases[] = {
		{"MEM_READ", "; did you mean UNCORE_MEM_READ_BYTES, UNC_M_CAS_COUNT:RD or "
			     "UNCORE_MEM_BYTES?"},
		{"unc_page_hit",
		 "; did you mean UNCORE_DRAM_PAGE_HITS or UNCORE_DRAM_PAGE_HIT_RATIO?"},
		{"UNCORE_CAS", "; did you mean UNC_M_CAS_COUNT?"},
		{"cas_count_wr", "; did you mean UNC_M_CAS_COUNT:WR, UNC_M_CAS_COUNT:WR_RMM or "
				 "UNC_M_CAS_COUNT:WR_WMM?"},
		// by a metric's text
		{"MEM_BANDWIDTH", "; did you mean UNCORE_MEM_BYTES, "},
		{"snbep_unc_imc::PRE_COUNTS", "no event PRE_COUNTS"},
	};

	for (auto &c : cases)
		expect_refusal(UNCORE_ENOEVENT, c.name, c.proposals);
	for (const char *name : {"a", "UNC_", "UNCORE", "_:_", "x.y"})
		EXPECT_EQ(std::string::npos,
			  (machine.refusal(name), machine.message()).find("did you mean"))
			<< machine.message();
}

// docs/hardware/snbep.md, docs/hardware/gnr.md: nothing near is proposed in their place.
TEST_F(Names, EventsOfBoxesThatNoSourceLocatesAreRefusedWithThat)
{
	expect_refusal(
		UNCORE_ENOEVENT, "unc_i_clockticks",
		"unc_i_clockticks is an event of the IRP, whose registers are not documented: "
		"Intel's list has its events");
	expect_refusal(UNCORE_ENOEVENT, "UNC_I_ADDRESS_MATCH.STALL_COUNT",
		       "is an event of the IRP");
	for (const char *name : support::machines_between("gnr", "cwf")) {
		const std::string spec = "sim:" + std::string(name) + ":packages=1";
		const support::Handle other(support::sim_options(spec.c_str()));

		EXPECT_EQ(UNCORE_ENOEVENT, other.refusal("UNC_CHACMS_CLOCKTICKS:box=3")) << name;
		EXPECT_EQ(0u,
			  other.message().find("UNC_CHACMS_CLOCKTICKS is an event of the CHACMS, "
					       "whose registers are not documented: "))
			<< other.message();
		EXPECT_EQ(std::string::npos, other.message().find("did you mean"));
	}
	// on a machine with such a box its events are looked up as before
	const support::Handle ivbep(support::sim_options("sim:ivbep:packages=1"));
	ivbep.refusal("UNC_I_CLOCKTICK");
	EXPECT_NE(std::string::npos, ivbep.message().find("did you mean UNC_I_CLOCKTICKS?"))
		<< ivbep.message();
	EXPECT_NE(std::string::npos,
		  (ivbep.refusal("UNC_CHACMS_CLOCKTICKS"), ivbep.message()).find("no event"));
}

TEST_F(Names, QuotedTextCannotControlATerminal)
{
	expect_refusal(UNCORE_EINVAL, "UNC_M_CAS_COUNT:\033[2J",
		       "character 0x1b in event name UNC_M_CAS_COUNT:?[2J:");
	expect_refusal(UNCORE_EINVAL, "UNC_M\nCAS\x7f", "event name UNC_M?CAS?:");
	expect_refusal(UNCORE_EINVAL, "\xc3\x84", "event name \xc3\x84:");
	// U+009B; U+202E, U+2066, U+061C
	expect_refusal(UNCORE_EINVAL,
		       "A\xc2\x9b"
		       "2J",
		       "event name A??2J:");
	expect_refusal(UNCORE_EINVAL, "A\xe2\x80\xae\xe2\x81\xa6\xd8\x9cZ",
		       "event name A????????Z:");
}

TEST_F(Names, UnknownPmusAreNamedWithTheNearestOne)
{
	expect_refusal(UNCORE_ENOEVENT, "snbep_unc_imx::UNC_M_CAS_COUNT:RD",
		       "no PMU snbep_unc_imx on this machine (Intel Xeon E5-2600 (Sandy "
		       "Bridge-EP)); did you mean snbep_unc_imc?");
	expect_refusal(UNCORE_ENOEVENT, "hswep_unc_cbo0::UNC_C_CLOCKTICKS", "hswep_unc_cbo0");
	expect_refusal(UNCORE_ENOEVENT, "::UNC_C_CLOCKTICKS", "no PMU");
	expect_refusal(UNCORE_ENOEVENT, "UNC_M_CAS_COUNT::RD", "no PMU UNC_M_CAS_COUNT");
	expect_refusal(UNCORE_ENOEVENT, "snbep_unc_cbo0x::UNC_C_CLOCKTICKS", "snbep_unc_cbo0x");
}

TEST_F(Names, UnknownUmasksAreNamedWithTheNearestOne)
{
	expect_refusal(UNCORE_EATTR, "UNC_C_TOR_INSERTS:OPCDE",
		       "no umask OPCDE in UNC_C_TOR_INSERTS; did you mean OPCODE?");
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:", "empty umask or qualifier");
	expect_refusal(UNCORE_EATTR, "UNC_C_CLOCKTICKS:RD", "no umask RD in UNC_C_CLOCKTICKS");
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD=3", "umask RD of UNC_M_CAS_COUNT");
}

TEST_F(Names, UnknownQualifiersAreNamedWithTheNearestOne)
{
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD:bix=3",
		       "no qualifier bix in UNC_M_CAS_COUNT; did you mean box?");
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD:match=1", "no qualifier match");
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD:config=1", "no qualifier config");
}

TEST_F(Names, InvalidNumbersAreRefused)
{
	for (const char *number : {"", "x", "0x", "1f", "0xg", "1..5", "18446744073709551616"})
		expect_refusal(UNCORE_EATTR, std::string("UNC_M_CAS_COUNT:RD:box=") + number,
			       "box");
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD:t",
		       "t of UNC_M_CAS_COUNT requires a number");
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD:box", "box of UNC_M_CAS_COUNT requires");
}

TEST_F(Names, ValuesOutOfRangeAreRefused)
{
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD:t=256", "t=256");
	EXPECT_EQ(0, machine.refusal("UNC_M_CAS_COUNT:RD:t=255"));
	expect_refusal(UNCORE_EATTR, "UNC_P_CLOCKTICKS:t=32", "t=32");
	expect_refusal(UNCORE_EATTR, "UNC_C_LLC_LOOKUP:ANY:nf=1", "nf=1");
}

// Without nf= a NID umask is refused, too: that must not hide what is wrong.
TEST_F(Names, ValuesOutOfRangeOfAQualifierThatIsNeededAreRefused)
{
	expect_refusal(UNCORE_EATTR, "UNC_C_LLC_LOOKUP:NID:nf=256", "nf=256");
	expect_refusal(UNCORE_EATTR, "UNC_C_TOR_INSERTS:NID_ALL:nf=256", "nf=256");
	expect_refusal(UNCORE_EATTR, "UNC_P_FREQ_BAND0_CYCLES:ff=256", "ff=256");
}

TEST_F(Names, ContradictionsAreRefused)
{
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD:box=1:box=2", "conflicting box=2: 1 was");
	expect_refusal(UNCORE_EATTR, "snbep_unc_imc1::UNC_M_CAS_COUNT:RD:box=2", "conflicting");
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD:pkg=0:cpu=8", "conflicting");
	expect_refusal(UNCORE_EATTR, "UNC_M_CAS_COUNT:RD:t=1:t=2", "duplicate t");
}

TEST_F(Names, PartsThatExcludeEachOtherAreRefused)
{
	expect_refusal(UNCORE_ECOMBO, "UNC_M_CAS_COUNT:RD:WR", "UNC_M_CAS_COUNT:RD:WR");
	expect_refusal(UNCORE_ECOMBO, "UNC_C_TOR_INSERTS:MISS_ALL:WB", "conflicting umasks");
}

TEST_F(Names, MissingPartsAreRefused)
{
	expect_refusal(UNCORE_EATTR, "UNC_C_TOR_INSERTS:OPCODE",
		       "UNC_C_TOR_INSERTS:OPCODE requires a umask, for example OPC_");
	expect_refusal(UNCORE_EATTR, "snbep_unc_cbo::RAW", "RAW requires config=");
	expect_refusal(UNCORE_EATTR, "snbep_unc_cbo::RAW:config1=0xc1000000",
		       "RAW requires config=");
}

// An addition or another umask that makes the name valid is better than removing a given part.
TEST_F(Names, RefusalsNameWhatIsMissing)
{
	const std::string tor = "UNC_C_TOR_INSERTS";

	expect_refusal(UNCORE_EATTR, tor + ":OPCODE:OPC_DRD:nf=1",
		       "nf=1 in UNC_C_TOR_INSERTS requires umask NID_OPCODE instead of OPCODE");
	expect_refusal(UNCORE_EATTR, tor + ":MISS_OPCODE:OPC_DRD:nf=1",
		       "requires umask NID_MISS_OPCODE instead of MISS_OPCODE");
	expect_refusal(UNCORE_EATTR, tor + ":WB:nf=1", "requires umask NID_WB instead of WB");
	expect_refusal(UNCORE_EATTR, "UNC_C_LLC_LOOKUP:DATA_READ:nf=1",
		       "UNC_C_LLC_LOOKUP:DATA_READ:nf=1 requires a umask, for example NID");
	expect_refusal(UNCORE_EATTR, tor + ":NID_OPCODE:OPC_DRD:nf=300",
		       "nf=300 in UNC_C_TOR_INSERTS is out of range (nf: ");
	expect_refusal(UNCORE_EATTR, tor + ":MISS_OPCODE:nf=1",
		       tor + ":MISS_OPCODE requires a umask, for example OPC_");
	expect_refusal(UNCORE_ECOMBO, tor + ":MISS_OPCODE:OPC_DRD:OPC_RFO",
		       ": remove OPC_RFO or OPC_DRD");
	EXPECT_EQ(0, machine.refusal(tor + ":NID_OPCODE:OPC_DRD:nf=1"));
	EXPECT_EQ(0, machine.refusal(tor + ":NID_MISS_OPCODE:OPC_DRD:nf=1"));
	EXPECT_EQ(0, machine.refusal(tor + ":NID_WB:nf=1"));
}

TEST(NamesOfSkylake, AnOpcodeRequiresAQueue)
{
	support::Handle machine(support::sim_options("sim:skx:packages=1,cores=2"));
	unsigned id;

	for (const char *parts : {"OPC0_DRD", "IA_MISS:OPC0_DRD", "MISS:OPC0_DRD:OPC1_RFO"}) {
		const std::string name = std::string("UNC_C_TOR_INSERTS:") + parts;

		EXPECT_EQ(UNCORE_ECOMBO, uncore_event(machine.u, name.c_str(), &id));
		EXPECT_NE(std::string::npos,
			  machine.message().find(name + " requires a umask, for example IRQ"))
			<< machine.message();
		EXPECT_EQ(0, uncore_event(machine.u, (name + ":IRQ").c_str(), &id));
	}
}

TEST_F(Names, RawBitsThatTheControlLacksAreRefused)
{
	expect_refusal(UNCORE_EATTR, "snbep_unc_cbo::RAW:config=0x100000", "bits 0x100000");
	expect_refusal(UNCORE_EATTR, "snbep_unc_cbo::RAW:config=0x400135", "bits 0x400000");
	expect_refusal(UNCORE_EATTR, "snbep_unc_pcu::RAW:config=0x100", "bits 0x100,");
}

TEST_F(Names, PlacesThatDoNotExistAreRefused)
{
	expect_refusal(UNCORE_ENODEV, "UNC_M_CAS_COUNT:RD:box=4", "imc 0 to 3");
	expect_refusal(UNCORE_ENODEV, "snbep_unc_cbo8::UNC_C_CLOCKTICKS", "cbo 0 to 7");
	expect_refusal(UNCORE_ENODEV, "UNC_M_CAS_COUNT:RD:pkg=2", "packages 0 to 1");
	expect_refusal(UNCORE_ENODEV, "UNC_M_CAS_COUNT:RD:cpu=16", "cpu=16");
	for (const char *place : {"box", "pkg", "cpu"})
		for (const char *number :
		     {"65535", "65536", "2147483648", "4294967296", "0xffffffffffffffff"})
			expect_refusal(UNCORE_ENODEV,
				       std::string("UNC_M_CAS_COUNT:RD:") + place + "=" + number,
				       place);
}

TEST_F(Names, AHiddenBoxIsNamedWithItsReason)
{
	SimMachine half("hide=3cb1");

	EXPECT_EQ(UNCORE_ENODEV, half.refusal("UNC_M_CAS_COUNT:RD:box=1"));
	EXPECT_NE(std::string::npos, half.message().find("hidden by the firmware"))
		<< half.message();
	EXPECT_EQ(0, half.refusal("UNC_M_CAS_COUNT:RD"));
}

// Broadwell-EP with at most ten slices has no S-Boxes, and no numbers of them.
TEST_F(Names, BoxesThatTheProcessorLacksAreRefused)
{
	const support::Handle small(support::sim_options("sim:bdx:cores=8"));

	ASSERT_EQ(0, small.code) << small.message();
	for (const char *place : {"", ":pkg=1", ":box=0", ":box=2"}) {
		EXPECT_EQ(UNCORE_ENODEV, small.refusal(std::string("UNC_S_CLOCKTICKS") + place));
		EXPECT_EQ("no sbo for UNC_S_CLOCKTICKS: the processors of this machine have none",
			  small.message());
	}
}

TEST_F(Names, TooLongNamesAreRefused)
{
	const std::string longest = "UNC_M_CAS_COUNT:RD:t=" + std::string(77, '0') + "16";

	ASSERT_EQ(100u, longest.size());
	expect_same("UNC_M_CAS_COUNT:RD:t=16", {longest, "uncore:::" + longest});
	expect_refusal(UNCORE_EINVAL, "0" + longest, "101 characters");
	expect_refusal(UNCORE_EINVAL, std::string(5000, 'A'), "5000 characters");
}

TEST_F(Names, OddCharactersAreRefused)
{
	for (const char *odd : {" ", "-", "\n", "%s", "\x01", "\xff", "/", "*", "\t"})
		expect_refusal(UNCORE_EINVAL, std::string("UNC_M_CAS_COUNT") + odd,
			       isgraph(static_cast<unsigned char>(*odd))
				       ? std::string("character \"") + *odd + "\""
				       : "character 0x");
}

TEST_F(Names, EventsOfTheCpusInPerfAreRefusedWithTheirCounterparts)
{
	expect_refusal(UNCORE_ENOEVENT, "cycles", "use ix86arch::UNHALTED_CORE_CYCLES");
	expect_refusal(UNCORE_ENOEVENT, "LLC-load-misses", "use ix86arch::LLC_MISSES");
	expect_same("UNCORE_ENERGY_PACKAGE_UJ", {"power/energy-pkg/"});
	expect_same("UNCORE_ENERGY_DRAM_UJ", {"power/energy-ram/", "uncore:::power/energy-ram/"});
}

// ---- invalid numbers ----

TEST_F(Names, UnknownNumbersAreRefusedEverywhere)
{
	for (unsigned id : {100000u, 0x7fffffffu, 0xfffffffeu}) {
		auto info = support::sized<struct uncore_event_info>();
		auto qualifier = support::sized<uncore_qualifier_info>();
		unsigned next;
		struct uncore_plan *plan;
		support::Set set(machine);

		EXPECT_EQ(nullptr, uncore_event_name(machine.u, id));
		EXPECT_EQ(UNCORE_EINVAL, uncore_event_info(machine.u, id, &info));
		EXPECT_EQ(0, uncore_listed_event(machine.u, id, &next)) << id;
		EXPECT_EQ(UNCORE_EINVAL, uncore_event_umask(machine.u, id, 0, &next));
		EXPECT_EQ(UNCORE_EINVAL, uncore_event_qualifier(machine.u, id, 0, &qualifier));
		EXPECT_EQ(UNCORE_EINVAL, uncore_set_assign(set.set, &id, 1));
		EXPECT_EQ(UNCORE_EINVAL, uncore_plan(machine.u, &id, 1, nullptr, &plan));
	}
}

TEST_F(Names, TheLargestNumberIsNotAListedEvent)
{
	unsigned id;

	EXPECT_EQ(0, uncore_listed_event(machine.u, UINT32_MAX, &id));
	EXPECT_EQ(UNCORE_EINVAL, uncore_event_umask(machine.u, UINT32_MAX, 0, &id));
}

} // namespace
