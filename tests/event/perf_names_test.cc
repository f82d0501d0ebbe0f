// SPDX-License-Identifier: BSD-3-Clause
// perf_names_test.cc - events in perf's spelling: aliases, fields of several ranges, all of the
// golden cases, and what is wrong with others.
#include "support/golden.h"
#include "support/handle.h"
#include "support/sim_machine.h"

#include <gtest/gtest.h>

#include <vector>

namespace
{

std::string canonical(const std::string &machine, const std::string &name)
{
	support::Handle h(support::sim_options((machine + ":packages=1,time=virtual").c_str()));
	unsigned id = 0;

	if (uncore_event(h.u, name.c_str(), &id) != 0)
		return h.message();
	return uncore_event_name(h.u, id);
}

struct Event {
	const char *machine, *name, *is;
};

void expect_events(const std::vector<Event> &cases)
{
	for (const Event &c : cases)
		EXPECT_EQ(c.is, canonical(c.machine, c.name)) << c.machine << " " << c.name;
}

struct Wrong {
	const char *name, *words;
};

void expect_words(const std::vector<Wrong> &cases)
{
	for (const Wrong &c : cases) {
		const std::string said = canonical("sim:snbep", c.name);

		EXPECT_NE(said.npos, said.find(c.words)) << c.name << ": " << said;
	}
}

TEST(PerfNames, AnAliasIsTheEventThatItCounts)
{
	expect_events({
		{"sim:snbep", "uncore_imc/cas_count_read/", "UNC_M_CAS_COUNT:RD"},
		{"sim:snbep", "uncore_imc_2/cas_count_write/", "UNC_M_CAS_COUNT:WR:box=2"},
		{"sim:snbep", "uncore:::imc/CAS_COUNT_READ/", "UNC_M_CAS_COUNT:RD"},
		{"sim:snbep", "uncore_imc*/clockticks/", "UNC_M_CLOCKTICKS"},
		{"sim:snbep", "uncore_qpi/txl_flits_active/", "snbep_unc_qpi::RAW:config=0x600"},
		{"sim:snbep", "uncore_qpi_1/drs_data/", "UNC_Q_RXL_FLITS_G1:DRS_DATA:box=1"},
		{"sim:hswep", "imc_0/cas_count_read/", "UNC_M_CAS_COUNT:RD:box=0"},
		{"sim:skx", "uncore_imc/cas_count_write/", "UNC_M_CAS_COUNT:WR"},
		{"sim:skx", "uncore_iio_free_running/bw_in_port1/",
		 "UNC_IIO_BANDWIDTH_IN:PART1_FREERUN"},
		{"sim:icx", "uncore_imc/cas_count_read/", "UNC_M_CAS_COUNT:RD"},
		{"sim:icx", "uncore_imc_free_running/read/", "UNC_M_READ_FREERUN"},
		{"sim:spr", "uncore_imc/cas_count_write/", "UNC_M_CAS_COUNT:WR"},
		{"sim:gnr", "uncore_imc/cas_count_read_sch1/", "UNC_M_CAS_COUNT_SCH1:RD"},
		{"sim:nhmex", "uncore_wbox/clockticks/", "UNC_W_CLOCKTICKS"},
	});
}

TEST(PerfNames, FieldsAreBitsOfTheControlAndTheFilter)
{
	expect_events({
		{"sim:skx", "uncore_cha_0/event=0x53,umask=0x1/", "UNC_C_DIR_LOOKUP:SNP:box=0"},
		{"sim:snbep", "uncore_cbox/event=0x35,umask=0x1,filter_opc=0x182/",
		 "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD"},
		{"sim:snbep", "uncore_cbox_3/config=0x135,config1=0xc1000000/:pkg=0",
		 "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=3:pkg=0"},
		{"sim:spr", "uncore_cha/event=0x35,umask=0xc817fe01/",
		 "UNC_CHA_TOR_INSERTS:IA_MISS_DRD"},
		{"sim:spr", "uncore_cha/event=0x35,umask=0xc817fe01,edge/",
		 "UNC_CHA_TOR_INSERTS:IA_MISS_DRD:e=1"},
		{"sim:skx", "uncore_imc/event=0x04,umask=0x03,thresh=2,name=reads/",
		 "UNC_M_CAS_COUNT:RD:t=2"},
		{"sim:snbep", "uncore_ha/event=0x77/", "snbep_unc_ha::RAW:config=0x77"},
	});
}

TEST(PerfNames, TheInvalidPartIsNamed)
{
	expect_words({
		{"uncore_imx/cas_count_read/", "unknown perf PMU uncore_imx"},
		{"uncore_imc/cas_count_reed/", "did you mean cas_count_read?"},
		{"uncore_imc/event=0x100/", "event of uncore_imc has 8 bits"},
		{"uncore_imc/event=x/",
		 "invalid event=x in uncore_imc/event=x/: expected a 64-bit"},
		{"uncore_imc//", "no event in uncore_imc//"},
		{"uncore_imc/cas_count_read/u", "perf's modifiers and CPUs"},
		{"uncore_imc/cas_count_read/:cpu=0", "only box=, pkg= and die="},
		{"uncore_imc_9/cas_count_read/", "this machine has imc 0 to 3"},
		{"uncore_imc/cas_count;read/", "character \";\""},
		{"uncore_imc/umask=0x3", "character \"/\""},
	});
}

// Linux ignores them, and compares with 0 instead of a filter that is missing.
TEST(PerfNames, AFilterThatHasNoEffectIsRefused)
{
	const struct {
		const char *machine, *name, *why;
	} names[] = {
		{"sim:skx", "uncore_cha/event=0x35,umask=0x21,config1=0x40433/",
		 "config1=0x40433 in uncore_cha/event=0x35,umask=0x21,config1=0x40433/ has no "
		 "effect: the event compares the bits 0xdffffe3b00000000 (filter_rem, "
		 "filter_loc, filter_nm, filter_all_op, filter_not_nm, filter_opc0, filter_opc1, "
		 "filter_nc, filter_isoc), for example config1=0x4043300000000"},
		{"sim:bdx", "uncore_cbox/event=0x35,umask=0x1,config1=0x182/",
		 "for example config1=0x1820000000000000"},
		{"sim:bdx", "uncore_cbox/event=0x35,umask=0x1/",
		 "counts nothing without a filter: set filter_opc, filter_nc, filter_c6, "
		 "filter_isoc (config1 bits 0xfff0000000000000)"},
		{"sim:hswep", "uncore_cbox/event=0x34,umask=0x11/", "set filter_state"},
		{"sim:snbep", "uncore_cbox/event=0x37,umask=0x41/", "set filter_nid"},
		{"sim:skx", "uncore_cha/event=0x35,umask=0x21/", "set filter_rem, filter_loc"},
		{"sim:snbep", "uncore_cbox/event=0x35,umask=0x4,filter_opc=0x182/",
		 "config1=0xc1000000 in uncore_cbox/event=0x35,umask=0x4,filter_opc=0x182/ has no "
		 "effect: the event has no filter; remove it, or use another umask"},
		{"sim:snbep", "uncore_pcu/event=0xb,filter_band1=12/",
		 "compares the bits 0xff (filter_band0)"},
		{"sim:snbep", "uncore_qpi/event=0x14,mask0=1/", "config2=0x1 in"},
		{"sim:icx", "uncore_cha/event=0x35,umask=0xc897fe01,filter_tid=3/",
		 "the thread in uncore_cha/event=0x35,umask=0xc897fe01,filter_tid=3/ has no "
		 "effect without tid_en: add tid_en=1"},
		{"sim:gnr", "uncore_imc/event=0x05,umask=0xcf,config1=1/", "has no filter"},
	};

	for (const auto &n : names) {
		const std::string said = canonical(n.machine, n.name);

		EXPECT_NE(said.npos, said.find(n.why)) << n.name << ": " << said;
	}
}

TEST(PerfNames, AFilterWithAnEffectIsAccepted)
{
	expect_events({
		{"sim:skx", "uncore_cha/event=0x35,umask=0x21,config1=0x4043300000000/",
		 "UNC_C_TOR_INSERTS:IA_MISS:IRQ:OPC0_DRD"},
		{"sim:bdx", "uncore_cbox/event=0x35,umask=0x41,filter_opc=0x182,filter_nid=1/",
		 "bdx_unc_cbo::RAW:config=0x4135:config1=0x1820000100000000"},
		{"sim:snbep", "uncore_pcu/event=0xb/", "snbep_unc_pcu::RAW:config=0xb"},
		{"sim:icx", "uncore_cha/event=0x35,umask=0xc897fe01,tid_en,filter_tid=3/",
		 "icx_unc_cha::RAW:config=0xc897fe00080135:config1=0x3"},
		{"sim:nhmex", "uncore_mbox/bbox_cmds_read/",
		 "nhmex_unc_mbox::RAW:config=0x1a00:config1=0x2800"},
		{"sim:nhmex", "uncore_rbox/qpi0_idle_filt/", "UNC_R_NULL_IDLE:PORT0"},
		{"sim:skx", "skx_unc_cha::RAW:config=0x2135:config1=0x40433",
		 "skx_unc_cha::RAW:config=0x2135:config1=0x40433"},
	});
}

// Their encodings are those of Intel's perf-uncore-events-*.csv.
TEST(PerfNames, OfItsEventLists)
{
	expect_events({
		{"sim:skx", "uncore_imc/unc_m_cas_count.rd/", "UNC_M_CAS_COUNT:RD"},
		{"sim:skx", "uncore_imc_2/UNC_M_CAS_COUNT.RD,thresh=3/:pkg=0",
		 "UNC_M_CAS_COUNT:RD:t=3:box=2:pkg=0"},
		{"sim:skx", "llc_misses.mem_read", "UNC_M_CAS_COUNT:RD"},
		{"sim:snbep", "LLC_MISSES.MEM_WRITE:box=1", "UNC_M_CAS_COUNT:WR:box=1"},
		{"sim:bdx", "qpi_data_bandwidth_tx:pkg=0", "UNC_Q_TXL_FLITS_G0:DATA:pkg=0"},
		{"sim:bdx", "uncore_cbox/llc_misses.data_read/",
		 "UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD"},
		{"sim:skx", "llc_misses.uncacheable", "UNC_C_TOR_INSERTS:IA_MISS:IRQ:OPC0_PRD"},
	});
	EXPECT_NE(std::string::npos, canonical("sim:skx", "uncore_imc/unc_cha_clockticks/")
					     .find("unknown field or event"));
}

TEST(PerfNames, ATermNameIsIgnored)
{
	const std::string letters(300, 'x');

	expect_events({
		{"sim:icx", "uncore_cha_12/event=0x35,umask=0xc897fe01,name='UNC_CHA.12'/",
		 "UNC_CHA_TOR_INSERTS:IA_MISS_DRD_PREF:box=12"},
		{"sim:skx", "uncore_imc/name=\"a, b/c\",event=0x04,umask=0x03/",
		 "UNC_M_CAS_COUNT:RD"},
		{"sim:skx", "uncore_imc/event=0x04,name=x,umask=0x03/pkg=0",
		 "UNC_M_CAS_COUNT:RD:pkg=0"},
	});
	EXPECT_EQ("UNC_M_CAS_COUNT:RD",
		  canonical("sim:skx", "uncore_imc/event=0x04,umask=0x03,name='" + letters + "'/"));
}

// The codes are those of LIKWID's event files and groups (5.5).
TEST(LikwidNames, OfItsGroups)
{
	expect_events({
		{"sim:skx", "UNCORE_CLOCK:UBOXFIX", "UNC_U_CLOCKTICKS"},
		{"sim:icx", "UNCORE_CLOCKTICKS:UBOXFIX", "UNC_U_CLOCKTICKS"},
		{"sim:icx", "DDR_READ_BYTES:MDEV1C0", "UNC_M_READ_FREERUN:box=1"},
		{"sim:spr", "M2M_CLOCKTICKS:M2MC0", "UNC_M2M_CLOCKTICKS"},
		{"sim:ivbep", "CBOX_CLOCKTICKS:CBOX3C0", "UNC_C_CLOCKTICKS:box=3"},
		{"sim:ivbep", "LLC_VICTIMS_M_STATE:CBOX0C0", "UNC_C_LLC_VICTIMS:STATE_M:box=0"},
		{"sim:hswep", "LLC_VICTIMS_M:CBOX0C1", "UNC_C_LLC_VICTIMS:STATE_M:box=0"},
		{"sim:knl", "EDC_RPQ_INSERTS:EDBOX2C0", "UNC_E_RPQ_INSERTS:box=2"},
		{"sim:knl", "MC_CAS_READS:MBOX4C0", "UNC_M_CAS_COUNT:RD:box=3"},
		{"sim:nhmex", "LLC_HITS_ALL:CBOX1C0", "UNC_C_LLC_HITS:ALL:box=1"},
		{"sim:nhmex", "UNCORE_CLOCK:WBOXFIX", "UNC_W_CLOCKTICKS"},
	});
	const Wrong wrong[] = {
		{"LLC_LOOKUP_DATA_READ:CBOX0C0:STATE=0x3F", "the filter has 5 bits"},
		{"SOMETHING:MBOX0C0", "no event of imc matches the LIKWID name SOMETHING"},
	};

	for (const Wrong &w : wrong) {
		const std::string said = canonical("sim:snbep", w.name);

		EXPECT_NE(said.npos, said.find(w.words)) << said;
	}
	EXPECT_NE(std::string::npos,
		  canonical("sim:emr", "CAS_COUNT_RD:HBM0C0").find("this machine has no hbm"));
	EXPECT_NE(
		std::string::npos,
		canonical("sim:gnr", "CAS_COUNT_RD:MBOX0C0").find("a channel has two schedulers"));
	EXPECT_NE(std::string::npos,
		  canonical("sim:ivbep", "QPI_RATE:SBOX0FIX").find("is not a counter"));
}

TEST(LikwidNames, AreTheEventsThatTheyCount)
{
	expect_events({
		{"sim:snbep", "CAS_COUNT_RD:MBOX0C0", "UNC_M_CAS_COUNT:RD:box=0"},
		{"sim:snbep", "cas_count_wr:mbox3c1", "UNC_M_CAS_COUNT:WR:box=3"},
		{"sim:snbep", "CAS_COUNT_RD:MBOX1C0:THRESHOLD=0x2:EDGEDETECT",
		 "UNC_M_CAS_COUNT:RD:e=1:t=2:box=1"},
		{"sim:snbep", "TXL_FLITS_G0_DATA:SBOX0C1", "UNC_Q_TXL_FLITS_G0:DATA:box=0"},
		{"sim:hswep", "TXL_FLITS_G0_DATA:QBOX1C1", "UNC_Q_TXL_FLITS_G0:DATA:box=1"},
		{"sim:skx", "CAS_COUNT_RD:MBOX5C0", "UNC_M_CAS_COUNT:RD:box=5"},
		{"sim:spr", "CAS_COUNT_RD:MBOX7C0", "UNC_M_CAS_COUNT:RD:box=7"},
		{"sim:spr", "CLOCKTICKS:UPI2C0", "UNC_UPI_CLOCKTICKS:box=2"},
		{"sim:emr", "CLOCKTICKS:BBOX1C0", "UNC_M2M_CLOCKTICKS:box=1"},
		{"sim:gnr", "CLOCKTICKS:M2M3C0", "UNC_B2CMI_CLOCKTICKS:box=3"},
		{"sim:srf", "CAS_COUNT_SCH0_RD:MBOX2C1", "UNC_M_CAS_COUNT_SCH0:RD:box=2"},
	});
}

// LIKWID leaves out each third channel of Ice Lake-X, and has the halves of
// Knights Landing's controllers behind their channels.
TEST(LikwidNames, NumbersOfItsOwnAreTheBoxesBehindThem)
{
	expect_events({
		{"sim:icx", "CAS_COUNT_RD:MBOX1C0", "UNC_M_CAS_COUNT:RD:box=1"},
		{"sim:icx", "CAS_COUNT_RD:MBOX2C0", "UNC_M_CAS_COUNT:RD:box=3"},
		{"sim:icx", "CAS_COUNT_RD:MBOX7C3", "UNC_M_CAS_COUNT:RD:box=10"},
		{"sim:icx", "CLOCKTICKS:M2M3C0", "UNC_M2M_CLOCKTICKS:box=3"},
		{"sim:icx", "CLOCKTICKS:TCBOX5C0", "UNC_IIO_CLOCKTICKS:box=5"},
		{"sim:icx", "CLOCKTICKS:QBOX0C0", "UNC_UPI_CLOCKTICKS:box=0"},
		{"sim:knl", "CAS_COUNT_RD:MBOX2C0", "UNC_M_CAS_COUNT:RD:box=2"},
		{"sim:knl", "U_CLOCKTICKS:MBOX3C0", "UNC_M_U_CLOCKTICKS:box=0"},
		{"sim:knl", "CAS_COUNT_RD:MBOX4C0", "UNC_M_CAS_COUNT:RD:box=3"},
	});
}

TEST(LikwidNames, TheInvalidPartIsNamed)
{
	expect_words({
		{"CAS_COUNT_XX:MBOX0C0", "no event of imc matches the LIKWID name"},
		{"CAS_COUNT_RD:MBOX9C0", "this machine has imc 0 to 3"},
		{"CAS_COUNT_RD:MBOX0X0", "no event CAS_COUNT_RD on this machine"},
		{"TOR_INSERTS_OPCODE:CBOX0C0:OPCODE=0x182", "LIKWID option OPCODE=0x182"},
	});
}

} // namespace
