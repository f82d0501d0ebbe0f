// SPDX-License-Identifier: BSD-3-Clause
// rows_test.cc - the event tables of the .def files: each row by itself, and some
// encodings that were copied from Intel's lists by hand.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <ostream>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "icx/events.h"
#include "shared/xeon6_events.h"
#include "types.h"
#include "uncore.h"

namespace
{

struct Table {
	const char *platform, *box;
	const unc_row *rows;
	uint64_t event_bits; // of the control: where the code of an event may be
	uint64_t umask_bits; // and what its umasks may add
	unsigned n_counters;
	unsigned events, umasks; // how many there are, unlisted ones included
};

void PrintTo(const Table &table, std::ostream *out)
{
	*out << table.platform << " " << table.box;
}

// One line per table.  The masks of the controls: docs/hardware/icx.md.
const Table tables[] = {
	{"icx", "cha", unc_icx_cha_rows, 0xff, 0x03ffffff0000ff00, 4, 132, 1106},
	{"icx", "iio", unc_icx_iio_rows, 0xff, 0x0007fff00000ff00, 4, 28, 434},
	{"icx", "irp", unc_icx_irp_rows, 0xff, 0xff00, 2, 32, 50},
	{"icx", "m2pcie", unc_icx_m2pcie_rows, 0xff, 0xff00, 4, 105, 546},
	{"icx", "m2m", unc_icx_m2m_rows, 0xff, 0x000000ff0000ff00, 4, 175, 673},
	{"icx", "upi", unc_icx_upi_rows, 0xff, 0x00ffffff0000ff00, 4, 36, 105},
	{"icx", "m3upi", unc_icx_m3upi_rows, 0xff, 0xff00, 4, 130, 729},
	{"icx", "imc", unc_icx_imc_rows, 0xff, 0xff00, 4, 58, 157},
	{"icx", "pcu", unc_icx_pcu_rows, 0xff, 0xc000, 4, 24, 3},
	{"icx", "ubo", unc_icx_ubo_rows, 0xff, 0xff00, 2, 9, 27},
	{"gnr", "cha", unc_xeon6_p_cha_rows, 0xff, 0xffffffff0000ff00, 4, 16, 364},
	{"gnr", "imc", unc_xeon6_p_imc_rows, 0xffff, 0xff00, 4, 31, 81},
	{"gnr", "b2cmi", unc_xeon6_b2cmi_rows, 0xffff, 0x00ffffff0000ff00, 4, 21, 71},
	{"gnr", "mdf", unc_xeon6_p_mdf_rows, 0xff, 0xff00, 4, 7, 36},
	{"srf", "cha", unc_xeon6_e_cha_rows, 0xff, 0xffffffff0000ff00, 4, 16, 332},
	{"srf", "imc", unc_xeon6_e_imc_rows, 0xffff, 0xff00, 4, 30, 77},
	{"srf", "b2cmi", unc_xeon6_b2cmi_rows, 0xffff, 0x00ffffff0000ff00, 4, 21, 71},
	{"srf", "mdf", unc_xeon6_e_mdf_rows, 0xff, 0xff00, 4, 1, 0},
	{"xeon6", "iio", unc_xeon6_iio_rows, 0xff, 0x0007fff00000ff00, 4, 15, 166},
	{"xeon6", "irp", unc_xeon6_irp_rows, 0xff, 0xff00, 4, 8, 11},
	{"xeon6", "upi", unc_xeon6_upi_rows, 0xff, 0x00ffffff0000ff00, 4, 11, 62},
	{"xeon6", "pcu", unc_xeon6_pcu_rows, 0xff, 0, 4, 11, 0},
	{"xeon6", "ubo", unc_xeon6_ubo_rows, 0xff, 0xff00, 2, 1, 5},
	{"xeon6", "cxlcm", unc_xeon6_cxlcm_rows, 0xff, 0xff00, 8, 1, 1},
	{"xeon6", "cxldp", unc_xeon6_cxldp_rows, 0xff, 0xff00, 4, 1, 1},
};

class Rows : public testing::TestWithParam<Table>
{
};

std::string table_name(const testing::TestParamInfo<Table> &info)
{
	return std::string(info.param.platform) + "_" + info.param.box;
}

INSTANTIATE_TEST_SUITE_P(Defs, Rows, testing::ValuesIn(tables), table_name);

// Calls f with the event of each umask, or with NULL for events.
template <typename F> void each_row(const Table &table, F f)
{
	const unc_row *event = nullptr;

	for (const unc_row *r = table.rows; *r->name; r++) {
		if (!r->umask)
			event = r;
		f(r->umask ? event : nullptr, *r);
	}
}

bool only_table_letters(const char *name)
{
	return name[0] && strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
				       "abcdefghijklmnopqrstuvwxyz") == strlen(name);
}

TEST_P(Rows, StartWithAnEventAndAreComplete)
{
	unsigned events = 0, umasks = 0;

	ASSERT_STRNE("", GetParam().rows->name);
	EXPECT_FALSE(GetParam().rows->umask) << "no event above " << GetParam().rows->name;
	each_row(GetParam(),
		 [&](const unc_row *, const unc_row &r) { (r.umask ? umasks : events)++; });
	EXPECT_EQ(GetParam().events, events);
	EXPECT_EQ(GetParam().umasks, umasks);
}

TEST_P(Rows, HaveNamesOfTheAlphabetThatFit)
{
	each_row(GetParam(), [](const unc_row *event, const unc_row &r) {
		EXPECT_TRUE(only_table_letters(r.name)) << r.name;
		EXPECT_LE(strlen(r.name) + (event ? strlen(event->name) + 1 : 0),
			  static_cast<size_t>(UNCORE_NAME_MAX))
			<< r.name;
	});
}

TEST_P(Rows, HaveShortTexts)
{
	each_row(GetParam(), [](const unc_row *event, const unc_row &r) {
		const size_t len = strlen(r.text);

		ASSERT_GT(len, 0u) << r.name;
		EXPECT_LT(len, 200u) << r.name;
		EXPECT_FALSE(isspace(r.text[0]) || isspace(r.text[len - 1])) << r.name;
		EXPECT_NE('.', r.text[len - 1]) << r.name;
		if (!event) {
			EXPECT_FALSE(islower(r.text[0])) << r.name;
		}
	});
}

TEST_P(Rows, HaveEachNameOnce)
{
	std::set<std::string> events, umasks;

	each_row(GetParam(), [&](const unc_row *event, const unc_row &r) {
		if (event) {
			EXPECT_TRUE(umasks.insert(r.name).second) << event->name << ":" << r.name;
		} else {
			EXPECT_TRUE(events.insert(r.name).second) << r.name;
			umasks.clear();
		}
	});
}

TEST_P(Rows, StayWithinTheControl)
{
	each_row(GetParam(), [](const unc_row *event, const unc_row &r) {
		const uint64_t mask = event ? GetParam().umask_bits : GetParam().event_bits;

		EXPECT_EQ(0u, r.bits & ~mask) << r.name;
		EXPECT_TRUE(!event || (r.bits | r.config1)) << event->name << ":" << r.name;
	});
}

TEST_P(Rows, StayWithinTheCounters)
{
	each_row(GetParam(), [](const unc_row *, const unc_row &r) {
		EXPECT_EQ(0u, r.counters >> GetParam().n_counters) << r.name;
	});
}

// Two listed umasks with one encoding would be one event under two names.
TEST_P(Rows, ListEachEncodingOnce)
{
	std::map<std::pair<uint64_t, uint64_t>, std::string> seen;

	each_row(GetParam(), [&](const unc_row *event, const unc_row &r) {
		if (!event)
			seen.clear();
		if (!event || r.unlisted)
			return;
		const auto found = seen.emplace(std::make_pair(r.bits, r.config1), r.name);
		EXPECT_TRUE(found.second)
			<< event->name << ": " << r.name << " is " << found.first->second;
	});
}

// A name says which kind of box it belongs to.
TEST(RowsOfAPlatform, HaveEachEventInOneTable)
{
	std::map<std::string, std::string> seen;

	for (const Table &table : tables)
		each_row(table, [&](const unc_row *event, const unc_row &r) {
			if (event)
				return;
			const auto found =
				seen.emplace(std::string(table.platform) + " " + r.name, table.box);
			EXPECT_TRUE(found.second) << r.name << " of " << table.box << " is in "
						  << found.first->second;
		});
}

// ---- encodings ----

struct Found {
	uint64_t bits;
	uint32_t counters;
	bool listed, alone;
};

// The row of "EVENT:UMASK" in a table; bits 0 and no counters if it is missing.
Found find(const unc_row *rows, const std::string &name)
{
	const std::string event_name = name.substr(0, name.find(':'));
	const std::string umask = name.substr(std::min(name.size(), event_name.size() + 1));
	const unc_row *event = rows;

	while (*event->name && (event->umask || strcasecmp(event_name.c_str(), event->name) != 0))
		event++;
	if (!*event->name)
		return {0, 0, false, false};
	if (umask.empty())
		return {event->bits, event->counters, !event->unlisted, false};
	for (const unc_row *r = event + 1; *r->name && r->umask; r++)
		if (strcasecmp(umask.c_str(), r->name) == 0)
			return {event->bits | r->bits, event->counters,
				!event->unlisted && !r->unlisted, r->alone};
	return {0, 0, false, false};
}

struct Pin {
	const unc_row *rows;
	const char *name;
	uint64_t bits;
	uint32_t counters;
};

// Written down from Intel's event list: umask_ext | umask | event_code.
const Pin pins[] = {
	{unc_icx_cha_rows, "UNC_CHA_TOR_INSERTS:IA_MISS_DRD", 0x00c817fe00000135, 0},
	{unc_icx_cha_rows, "UNC_CHA_TOR_INSERTS:IA_MISS_DRD_LOCAL_PMM", 0x00c8168a00000135, 0},
	{unc_icx_cha_rows, "UNC_CHA_TOR_INSERTS:IO_PCIRDCUR", 0x00c8f3ff00000435, 0},
	{unc_icx_cha_rows, "UNC_CHA_TOR_INSERTS:IO_PCIRDCUR_REMOTE", 0x00c8f37f00000435, 0},
	{unc_icx_cha_rows, "UNC_CHA_TOR_INSERTS:ALL", 0x00c001ff0000ff35, 0},
	{unc_icx_cha_rows, "UNC_CHA_TOR_INSERTS:ISOC", 0x0200000000000035, 0},
	{unc_icx_cha_rows, "UNC_CHA_TOR_OCCUPANCY:IA_MISS_DRD", 0x00c817fe00000136, 0x1},
	{unc_icx_cha_rows, "UNC_CHA_LLC_LOOKUP:DATA_READ_MISS", 0x00001bc100000134, 0},
	{unc_icx_cha_rows, "UNC_CHA_LLC_LOOKUP:ALL", 0x00001fff0000ff34, 0},
	{unc_icx_cha_rows, "UNC_CHA_REQUESTS:READS", 0x350, 0},
	{unc_icx_cha_rows, "UNC_CHA_RxC_OCCUPANCY:IRQ", 0x111, 0x1},
	{unc_icx_cha_rows, "UNC_CHA_PIPE_REJECT:VN_BL_RSP", 0x0200000000000042, 0},
	{unc_icx_iio_rows, "UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_PART0", 0x0007001000000183, 0x3},
	{unc_icx_iio_rows, "UNC_IIO_DATA_REQ_BY_CPU:MEM_READ_PART7", 0x00070800000004c0, 0xc},
	{unc_icx_iio_rows, "UNC_IIO_TXN_REQ_OF_CPU:CMPD_IOMMU1", 0x0007200000008084, 0},
	{unc_icx_iio_rows, "UNC_IIO_NUM_REQ_FROM_CPU:IRP", 0x00070ff0000001c2, 0},
	{unc_icx_iio_rows, "UNC_IIO_COMP_BUF_OCCUPANCY:CMPD_ALL", 0x000400000000ffd5, 0xc},
	{unc_icx_iio_rows, "UNC_IIO_COMP_BUF_INSERTS:CMPD_PART3", 0x00040080000003c2, 0},
	{unc_icx_imc_rows, "UNC_M_CAS_COUNT:RD", 0x0f04, 0},
	{unc_icx_imc_rows, "UNC_M_CAS_COUNT:WR", 0x3004, 0},
	{unc_icx_imc_rows, "UNC_M_CAS_COUNT:ALL", 0x3f04, 0},
	{unc_icx_imc_rows, "UNC_M_CLOCKTICKS", 0x00, 0},
	{unc_xeon6_p_imc_rows, "UNC_M_CAS_COUNT_SCH0:RD", 0xcf05, 0},
	{unc_xeon6_p_imc_rows, "UNC_M_CAS_COUNT_SCH0:WR", 0xf005, 0},
	{unc_xeon6_p_imc_rows, "UNC_M_CAS_COUNT_SCH1:RD", 0xcf06, 0},
	{unc_xeon6_p_imc_rows, "UNC_M_CAS_COUNT_SCH1:ALL", 0xff06, 0},
	{unc_xeon6_p_imc_rows, "UNC_M_CLOCKTICKS", 0x0101, 0},
	{unc_icx_imc_rows, "UNC_M_HCLOCKTICKS", 0xff, 0},
	{unc_icx_upi_rows, "UNC_UPI_TXL_FLITS:ALL_DATA", 0x0f02, 0},
	{unc_icx_upi_rows, "UNC_UPI_RXL_FLITS:NON_DATA", 0x9703, 0},
	{unc_icx_upi_rows, "UNC_UPI_RXL_BASIC_HDR_MATCH:RSPI", 0x0000000100002a05, 0},
	{unc_icx_m2m_rows, "UNC_M2M_IMC_READS:ALL", 0x0000000700000437, 0},
	{unc_icx_m2m_rows, "UNC_M2M_IMC_WRITES:CH1_NI", 0x0000000a00000038, 0},
	{unc_icx_m2m_rows, "UNC_M2M_DIRECTORY_UPDATE:ANY", 0x012e, 0},
	{unc_icx_m3upi_rows, "UNC_M3UPI_TxC_BL_FLQ_OCCUPANCY:VN1_NCS", 0x801d, 0x1},
	{unc_icx_m3upi_rows, "UNC_M3UPI_RxC_HELD:VN0", 0x0150, 0x7},
	{unc_icx_m2pcie_rows, "UNC_M2P_P2P_CRD_OCCUPANCY:ALL", 0x1014, 0x3},
	{unc_icx_irp_rows, "UNC_I_SNOOP_RESP:ALL_HIT_M", 0x7812, 0},
	{unc_icx_pcu_rows, "UNC_P_POWER_STATE_OCCUPANCY:CORES_C6", 0xc080, 0},
	{unc_icx_pcu_rows, "UNC_P_PKG_RESIDENCY_C6_CYCLES", 0x2d, 0},
	{unc_icx_ubo_rows, "UNC_U_EVENT_MSG:DOORBELL_RCVD", 0x0842, 0},
};

TEST(RowsEncodings, AreThoseOfIntelsLists)
{
	for (const Pin &pin : pins) {
		const Found found = find(pin.rows, pin.name);

		EXPECT_EQ(pin.bits, found.bits) << pin.name << std::hex << " " << found.bits;
		EXPECT_EQ(pin.counters, found.counters) << pin.name;
		EXPECT_TRUE(found.listed) << pin.name;
	}
}

// Where the lists contradict themselves: the comments in the .def files.
TEST(RowsEncodings, MisprintsOfTheListsAreNotCopied)
{
	EXPECT_EQ(0x40e0u, find(unc_icx_cha_rows, "UNC_CHA_RxR_OCCUPANCY:BL_CRD").bits);
	EXPECT_EQ(0x40e0u, find(unc_icx_m2m_rows, "UNC_M2M_RxR_OCCUPANCY:BL_CRD").bits);
	EXPECT_EQ(0x4019u,
		  find(unc_icx_m2pcie_rows, "UNC_M2P_LOCAL_P2P_DED_RETURNED_0:MS2IOSF3_NCB").bits);
	EXPECT_EQ(0x4061u, find(unc_icx_m3upi_rows, "UNC_M3UPI_XPT_PFTCH:LOST_QFULL").bits);
	EXPECT_EQ(0x00071000000002c1u,
		  find(unc_icx_iio_rows, "UNC_IIO_TXN_REQ_BY_CPU:PEER_WRITE_IOMMU0").bits);
}

TEST(RowsEncodings, AliasesAreKnownButNotListed)
{
	const char *const twins[][2] = {
		{"UNC_CHA_TOR_INSERTS:IA_MISS_WCILF",
		 "UNC_CHA_TOR_INSERTS:IA_MISS_FULL_STREAMING_WR"},
		{"UNC_CHA_TOR_INSERTS:DDR", "UNC_CHA_TOR_INSERTS:DDR4"},
		{"UNC_CHA_LLC_LOOKUP:DATA_READ", "UNC_CHA_LLC_LOOKUP:DATA_RD"},
		{"UNC_CHA_PMM_MEMMODE_NM_INVITOX:LOCAL", "UNC_CHA_2LM_NM_INVITOX:LOCAL"},
	};

	for (const auto &twin : twins) {
		const Found listed = find(unc_icx_cha_rows, twin[0]);
		const Found alias = find(unc_icx_cha_rows, twin[1]);

		EXPECT_NE(0u, alias.bits) << twin[1];
		EXPECT_EQ(listed.bits, alias.bits) << twin[1];
		EXPECT_TRUE(listed.listed) << twin[0];
		EXPECT_FALSE(alias.listed) << twin[1];
	}
}

// Bit masks add up; codes that are no unions of their neighbours do not.
TEST(RowsEncodings, ConflictingPartsAreSeparate)
{
	const char *const cha_alone[] = {"UNC_CHA_TOR_INSERTS:IA_MISS_DRD",
					 "UNC_CHA_LLC_LOOKUP:DATA_READ",
					 "UNC_CHA_CORE_SNP:EXT_ONE"};
	const char *const cha_mask[] = {"UNC_CHA_TOR_INSERTS:IRQ_IA", "UNC_CHA_TOR_INSERTS:MISS",
					"UNC_CHA_LLC_LOOKUP:M", "UNC_CHA_REQUESTS:READS",
					"UNC_CHA_READ_NO_CREDITS:MC13"};

	for (const char *name : cha_alone)
		EXPECT_TRUE(find(unc_icx_cha_rows, name).alone) << name;
	for (const char *name : cha_mask)
		EXPECT_FALSE(find(unc_icx_cha_rows, name).alone) << name;
	EXPECT_TRUE(find(unc_icx_pcu_rows, "UNC_P_POWER_STATE_OCCUPANCY:CORES_C0").alone);
	EXPECT_TRUE(find(unc_icx_upi_rows, "UNC_UPI_TXL_BASIC_HDR_MATCH:REQ").alone);
	EXPECT_TRUE(find(unc_icx_m2m_rows, "UNC_M2M_IMC_READS:CH0_NORMAL").alone);
	EXPECT_FALSE(find(unc_icx_imc_rows, "UNC_M_CAS_COUNT:RD").alone);
}

} // namespace
