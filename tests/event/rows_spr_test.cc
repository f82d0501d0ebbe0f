// SPDX-License-Identifier: BSD-3-Clause
// rows_spr_test.cc - the event tables of Sapphire Rapids: encodings by hand from Intel's
// and libpfm4's lists, the shape of every row.
#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "spr/events.h"
#include "uncore_inspect.h"

namespace
{

struct Table {
	const char *box, *prefix;
	const struct unc_row *rows;
	uint64_t control;  // bits that an event may set, docs/hardware/spr.md, "Controls"; no
			   // modifier, no enable bit
	uint32_t counters; // that the box has
};

constexpr uint64_t Plain = 0xffff, Ext24 = 0xffffff0000ffff, Ext32 = 0xffffffff0000ffff;
constexpr uint64_t Ports = 0x7fff00000ffff; // ch_mask 47:36, fc_mask 50:48

// The controls of the MMIO boxes are written with 32 bits: no extended umask there.
const Table tables[] = {
	{"cha", "UNC_CHA_", unc_spr_cha_rows, Ext32, 0xf},
	{"iio", "UNC_IIO_", unc_spr_iio_rows, Ports, 0xf},
	{"irp", "UNC_I_", unc_spr_irp_rows, Ext24, 0x3},
	{"m2pcie", "UNC_M2P_", unc_spr_m2pcie_rows, Ext24, 0xf},
	{"m2m", "UNC_M2M_", unc_spr_m2m_rows, Ext24, 0xf},
	{"m2hbm", "UNC_M2HBM_", unc_spr_m2hbm_rows, Ext24, 0xf},
	{"upi", "UNC_UPI_", unc_spr_upi_rows, Ext24, 0xf},
	{"m3upi", "UNC_M3UPI_", unc_spr_m3upi_rows, Ext24, 0xf},
	{"mdf", "UNC_MDF_", unc_spr_mdf_rows, Ext24, 0xf},
	{"imc", "UNC_M_", unc_spr_imc_rows, Plain, 0xf},
	{"hbm", "UNC_MCHBM_", unc_spr_hbm_rows, Plain, 0xf},
	{"cxlcm", "UNC_CXLCM_", unc_spr_cxlcm_rows, Plain, 0xff},
	{"cxldp", "UNC_CXLDP_", unc_spr_cxldp_rows, Plain, 0xf},
	{"pcu", "UNC_P_", unc_spr_pcu_rows, Plain, 0xf},
	{"ubo", "UNC_U_", unc_spr_ubo_rows, Plain, 0x3},
};

struct Found {
	const struct unc_row *event, *umask; // umask: NULL if none was asked for
};

Found find(const std::string &name)
{
	const std::string event = name.substr(0, name.find(':'));
	const std::string umask = event.size() < name.size() ? name.substr(event.size() + 1) : "";

	for (const Table &t : tables)
		for (const unc_row *e = t.rows; *e->name; e++) {
			if (e->umask || event != e->name)
				continue;
			for (const unc_row *u = e + 1; *u->name && u->umask; u++)
				if (umask == u->name)
					return {e, u};
			return {umask.empty() ? e : nullptr, nullptr};
		}
	return {nullptr, nullptr};
}

bool has_umasks(const struct unc_row *event)
{
	return *event[1].name && event[1].umask;
}

enum How { Listed, Combines };

struct Pin {
	const char *name;
	uint64_t control;
	uint32_t counters; // 0: any
	How how;           // of the umask, or of the event that has none
};

// Event code, umask from bit 8, extended umask from bit 32; IIO: ports from bit 36, flows 48.
const Pin pins[] = {
	{"UNC_CHA_CLOCKTICKS", 0x01, 0, Listed},
	{"UNC_CHA_TOR_INSERTS:IA_MISS_DRD", 0x00c817fe00000135, 0, Listed},
	{"UNC_CHA_TOR_INSERTS:IA_MISS_DRD_REMOTE_PMM", 0x00c8170a00000135, 0, Listed},
	{"UNC_CHA_TOR_INSERTS:IO_PCIRDCUR_REMOTE", 0x00c8f37f00000435, 0, Listed},
	{"UNC_CHA_TOR_INSERTS:IA_MISS_DRD_CXL_ACC", 0x10c8178200000135, 0, Listed},
	{"UNC_CHA_TOR_INSERTS:LOCAL_TGT", 0x0000008000000035, 0, Combines},
	{"UNC_CHA_TOR_OCCUPANCY:IA_MISS_DRD_LOCAL", 0x00c816fe00000136, 0x1, Listed},
	{"UNC_CHA_TOR_OCCUPANCY:IA_MISS_DRD_PREF_LOCAL", 0x00c896fe00000136, 0x1, Listed},
	{"UNC_CHA_RxC_OCCUPANCY:WBQ", 0x8011, 0x1, Combines},
	{"UNC_CHA_REQUESTS:READS_LOCAL", 0x0150, 0, Combines},
	{"UNC_CHA_REQUESTS:READS", 0x0350, 0, Listed},
	{"UNC_CHA_LLC_LOOKUP:DATA_READ_MISS", 0x00001fc100000134, 0, Listed},
	{"UNC_CHA_LLC_LOOKUP:M_STATE", 0x4034, 0, Combines},
	{"UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_PART3", 0x0007008000000183, 0x3, Listed},
	{"UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_ALL_PARTS", 0x00070ff000000483, 0x3, Listed},
	{"UNC_IIO_DATA_REQ_BY_CPU:MEM_READ_PART7", 0x00070800000004c0, 0xc, Listed},
	{"UNC_IIO_TXN_REQ_OF_CPU:CMPD_PART0", 0x0007001000008084, 0, Listed},
	{"UNC_IIO_NUM_REQ_OF_CPU:COMMIT_ALL", 0x0007fff000000185, 0, Listed},
	{"UNC_IIO_NUM_REQ_OF_CPU_BY_TGT:UBOX_POSTED", 0x00010ff00000048e, 0, Listed},
	{"UNC_IIO_NUM_TGT_MATCHED_REQ_OF_CPU", 0x000700000000008f, 0, Listed},
	{"UNC_IIO_IOMMU1:NUM_MEM_ACCESSES", 0xc041, 0x1, Listed},
	{"UNC_I_SNOOP_RESP:ALL_HIT_M", 0x7812, 0, Listed},
	{"UNC_M_CAS_COUNT:RD", 0xcf05, 0, Listed},
	{"UNC_M_CAS_COUNT:WR", 0xf005, 0, Listed},
	{"UNC_M_CLOCKTICKS", 0x0101, 0, Listed},
	{"UNC_M_DRAM_PRE_ALL", 0x0344, 0, Listed},
	{"UNC_M_RDB_INSERTS:ALL", 0x0317, 0, Listed},
	{"UNC_MCHBM_CAS_COUNT:RD_UNDERFILL", 0xc405, 0, Listed},
	{"UNC_M2M_IMC_READS:TO_PMM", 0x0000000300002024, 0, Listed},
	{"UNC_M2M_CMS_CLOCKTICKS", 0x00800000000000c0, 0, Listed},
	{"UNC_M2M_IMC_WRITES:CH1_NI", 0x0000001200000025, 0, Listed},
	{"UNC_M2HBM_DIRECTORY_UPDATE:ANY", 0x0000000300000121, 0, Listed},
	{"UNC_M2P_P2P_CRD_OCCUPANCY:REMOTE_NCS", 0x0814, 0x3, Combines},
	{"UNC_UPI_TxL_FLITS:ALL_DATA", 0x0f02, 0, Listed},
	{"UNC_UPI_RxL_FLITS:NON_DATA", 0x9703, 0, Listed},
	{"UNC_UPI_TxL_BASIC_HDR_MATCH:NCS_OPC", 0x0000000100000f04, 0, Listed},
	{"UNC_M3UPI_TxC_AD_FLQ_OCCUPANCY:VN1_RSP", 0x401c, 0x1, Combines},
	{"UNC_M3UPI_RxC_HELD:CANT_SLOT_BL", 0x2050, 0x7, Combines},
	{"UNC_MDF_CRS_TxR_INSERTS:AKC", 0x4047, 0, Combines},
	{"UNC_CXLCM_CLOCKTICKS", 0x0201, 0, Listed},
	{"UNC_CXLCM_TxC_FLITS:VALID", 0x0105, 0x0f, Combines},
	{"UNC_CXLCM_RxC_AGF_INSERTS:CACHE_RSP1", 0x4043, 0xf0, Combines},
	{"UNC_CXLDP_TxC_AGF_INSERTS:M2S_DATA", 0x2002, 0, Combines},
	{"UNC_P_POWER_STATE_OCCUPANCY_CORES_C6", 0x37, 0, Listed},
	{"UNC_P_PMAX_THROTTLED_CYCLES", 0x06, 0x1, Listed},
	{"UNC_U_M2U_MISC1:TxC_CYCLES_CRD_OVF_UPI_NCS", 0x804d, 0x1, Combines},
};

TEST(RowsSpr, Encodings)
{
	for (const Pin &pin : pins) {
		const Found f = find(pin.name);

		ASSERT_TRUE(f.event) << pin.name;
		const unc_row *last = f.umask ? f.umask : f.event;
		EXPECT_EQ(f.event->bits | last->bits, pin.control) << pin.name;
		EXPECT_EQ(f.event->counters, pin.counters) << pin.name;
		if (f.umask) {
			EXPECT_EQ(last->alone, pin.how == Listed) << pin.name;
		}
	}
}

TEST(RowsSpr, AnEventIsListedIfOneOfItsUmasksIs)
{
	for (const Table &t : tables)
		for (const unc_row *e = t.rows; *e->name; e++) {
			bool any = false;

			if (e->umask || !has_umasks(e))
				continue;
			for (const unc_row *u = e + 1; *u->name && u->umask; u++)
				any |= !u->unlisted;
			EXPECT_EQ(any, !e->unlisted) << e->name;
		}
}

TEST(RowsSpr, NoFreeRunningCounters)
{
	for (const Table &t : tables)
		for (const unc_row *r = t.rows; *r->name; r++)
			EXPECT_FALSE(strstr(r->name, "FREERUN")) << r->name;
}

std::string upper(std::string s)
{
	std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return toupper(c); });
	return s;
}

bool all_of(const char *s, bool (*good)(char))
{
	return std::all_of(s, s + strlen(s), good);
}

unsigned words(const std::string &text)
{
	return 1 + (unsigned)std::count(text.begin(), text.end(), ' ');
}

void check_names(const Table &t, const unc_row *r, const std::string &event)
{
	EXPECT_TRUE(*r->name && all_of(r->name, [](char c) { return isalnum(c) || c == '_'; }))
		<< r->name;
	if (r->umask) {
		EXPECT_LE(event.size() + 1 + strlen(r->name), (size_t)UNCORE_NAME_MAX) << r->name;
	} else {
		EXPECT_EQ(event.compare(0, strlen(t.prefix), t.prefix), 0) << r->name;
	}
}

void check_text(const unc_row *r)
{
	EXPECT_TRUE(all_of(r->text, [](char c) { return isprint(c) != 0; })) << r->name;
	EXPECT_EQ(std::string(r->text).find("  "), std::string::npos) << r->name;
	EXPECT_GE(words(r->text), 3u) << r->name << ": " << r->text;
	EXPECT_LE(words(r->text), 12u) << r->name << ": " << r->text;
}

void check_bits(const Table &t, const unc_row *r, const std::string &event)
{
	EXPECT_EQ(r->bits & ~t.control, 0u) << event << " " << r->name;
	EXPECT_EQ(r->config1, 0u) << r->name;
	if (r->umask) {
		EXPECT_EQ(r->bits & 0xff, 0u) << event << " " << r->name;
		EXPECT_EQ(r->counters, 0u) << event << " " << r->name;
		// umasks that may be combined add bits of their own
		EXPECT_TRUE(r->alone || r->bits) << event << " " << r->name;
	} else {
		EXPECT_NE(r->bits & 0xff, 0u) << r->name;
		EXPECT_EQ(r->counters & ~t.counters, 0u) << r->name;
		EXPECT_NE(r->counters, t.counters) << r->name << ": 0 says any counter";
	}
}

TEST(RowsSpr, EveryRow)
{
	std::set<std::string> events;

	for (const Table &t : tables) {
		std::set<std::string> umasks;
		std::string event;

		ASSERT_TRUE(*t.rows->name && !t.rows->umask) << t.box;
		for (const unc_row *r = t.rows; *r->name; r++) {
			if (!r->umask) {
				event = r->name;
				umasks.clear();
				EXPECT_TRUE(events.insert(upper(event)).second) << event;
			} else {
				EXPECT_TRUE(umasks.insert(upper(r->name)).second)
					<< event << " " << r->name;
			}
			check_names(t, r, event);
			check_text(r);
			check_bits(t, r, event);
		}
	}
	EXPECT_EQ(events.size(), 439u);
}

// Umasks that may be combined are the same (another spelling) or each adds a bit of its own.
void check_combination(const unc_row *e, const unc_row *a, const unc_row *b)
{
	if (a->bits == b->bits)
		return;
	EXPECT_TRUE((a->bits & ~b->bits) && (b->bits & ~a->bits))
		<< e->name << " " << a->name << " " << b->name;
}

TEST(RowsSpr, CombinableUmasksAddTheirOwnBits)
{
	for (const Table &t : tables) {
		const unc_row *e = nullptr;
		std::vector<const unc_row *> seen;

		for (const unc_row *r = t.rows; *r->name; r++) {
			if (!r->umask) {
				e = r;
				seen.clear();
			} else if (!r->alone) {
				for (const unc_row *s : seen)
					check_combination(e, r, s);
				seen.push_back(r);
			}
		}
	}
}

} // namespace
