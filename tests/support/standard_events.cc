// SPDX-License-Identifier: BSD-3-Clause
#include "support/standard_events.h"

#include "support/machines.h"

namespace support
{

std::vector<StandardEvent> e5_events()
{
	return {
		{"UNC_C_CLOCKTICKS", "cbo", 0, 0xf},
		{"UNC_C_TOR_OCCUPANCY:MISS_OPCODE:OPC_DRD", "cbo", 0x0336, 0x1},
		{"UNC_C_RXR_OCCUPANCY:IRQ", "cbo", 0x0111, 0x1},
		{"UNC_U_CLOCKTICKS", "ubo", kFixed, 1u << 2},
		{"UNC_U_EVENT_MSG:DOORBELL_RCVD", "ubo", 0x0842, 0x3},
		{"UNC_P_CLOCKTICKS", "pcu", 0, 0xf},
		{"UNC_H_REQUESTS:READS", "ha", 0x0301, 0xf},
		{"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0xf},
		{"UNC_M_CAS_COUNT:WR", "imc", 0x0c04, 0xf},
		{"UNC_M_CLOCKTICKS", "imc", kFixed, 1u << 4},
		{"UNC_Q_TXL_FLITS_G0:DATA", "qpi", 0x0200, 0xf},
		{"UNC_Q_RXL_FLITS_G1:DRS_DATA", "qpi", 0x200802, 0xf},
		{"UNC_R2_RXR_CYCLES_NE:NCB", "r2pcie", 0x1010, 0x3},
	};
}

std::vector<StandardEvent> own_events(const std::string &platform)
{
	if (platform == "snbep")
		return {
			{"UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD", "cbo", 0x0335, 0x3},
			{"UNC_C_LLC_LOOKUP:DATA_READ", "cbo", 0x0334, 0x3},
			{"UNC_C_RING_BL_USED:UP_EVEN", "cbo", 0x011d, 0xc},
			{"UNC_P_POWER_STATE_OCCUPANCY:CORES_C6", "pcu", 0xc080, 0xf},
			{"UNC_R2_TXR_CYCLES_FULL:AD", "r2pcie", 0x0125, 0x1},
			{"UNC_R3_RXR_OCCUPANCY:HOM", "r3qpi", 0x0113, 0x1},
			{"UNC_R3_RING_BL_USED:CW_EVEN", "r3qpi", 0x0109, 0x7},
		};
	if (platform == "ivbep")
		return {
			{"UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD", "cbo", 0x0335, 0x3},
			{"UNC_C_LLC_LOOKUP:DATA_READ", "cbo", 0x0334, 0x3},
			{"UNC_C_RING_BL_USED:UP", "cbo", 0x331d, 0xc},
			{"UNC_P_POWER_STATE_OCCUPANCY:CORES_C6", "pcu", 0xc080, 0xf},
			{"UNC_I_CLOCKTICKS", "irp", 0, 0x3},
			{"UNC_R2_TXR_CYCLES_FULL:AD", "r2pcie", 0x0125, 0x1},
			{"UNC_R3_RXR_OCCUPANCY:HOM", "r3qpi", 0x0113, 0x1},
			{"UNC_R3_RING_BL_USED:CW", "r3qpi", 0x3309, 0x7},
		};
	if (platform == "hswep")
		return {
			{"UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD", "cbo", 0x0335, 0xf},
			{"UNC_C_LLC_LOOKUP:DATA_READ", "cbo", 0x0334, 0xf},
			{"UNC_C_RING_BL_USED:UP_EVEN", "cbo", 0x011d, 0xf},
			{"UNC_S_CLOCKTICKS", "sbo", 0, 0xf},
			{"UNC_S_RXR_OCCUPANCY:AD_CRD", "sbo", 0x0111, 0x1},
			{"UNC_P_POWER_STATE_OCCUPANCY:CORES_C6", "pcu", 0xc080, 0xf},
			{"UNC_H_CONFLICT_CYCLES", "ha", 0x000b, 0x2},
			{"UNC_I_CLOCKTICKS", "irp", 0, 0x3},
			{"UNC_R3_RXR_OCCUPANCY_VN1:HOM", "r3qpi", 0x0113, 0x1},
		};
	return {
		{"UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD", "cbo", 0x0335, 0xf},
		{"UNC_C_LLC_LOOKUP:DATA_READ", "cbo", 0x0334, 0xf},
		{"UNC_C_RING_BL_USED:UP_EVEN", "cbo", 0x011d, 0xf},
		{"UNC_S_CLOCKTICKS", "sbo", 0, 0xf},
		{"UNC_P_POWER_STATE_OCCUPANCY:CORES_C6", "pcu", 0xc080, 0xe},
		{"UNC_H_CONFLICT_CYCLES", "ha", 0x000b, 0x2},
		{"UNC_I_CLOCKTICKS", "irp", 0, 0x3},
		{"UNC_R2_TXR_CYCLES_FULL:AD", "r2pcie", 0x0125, 0x1},
		{"UNC_R3_RXR_OCCUPANCY_VN1:HOM", "r3qpi", 0x0113, 0x1},
	};
}

std::vector<StandardEvent> mesh_events(bool skx)
{
	if (skx)
		return {
			{"UNC_C_CLOCKTICKS", "cha", 0, 0xf},
			{"UNC_C_TOR_OCCUPANCY:IRQ", "cha", 0x3136, 0x1},
			{"UNC_C_TOR_INSERTS:IA_MISS", "cha", 0x2135, 0xf},
			{"UNC_C_RXC_OCCUPANCY:IRQ", "cha", 0x0111, 0x1},
			{"UNC_U_CLOCKTICKS", "ubo", kFixed, 1u << 2},
			{"UNC_U_EVENT_MSG:DOORBELL_RCVD", "ubo", 0x0842, 0x3},
			{"UNC_P_CLOCKTICKS", "pcu", 0, 0xf},
			{"UNC_IO_DATA_REQ_OF_CPU:MEM_READ_PART0", "iio", 0x701000000483, 0x3},
			{"UNC_IO_DATA_REQ_BY_CPU:MEM_READ_PART0", "iio", 0x7010000004c0, 0xc},
			{"UNC_I_CLOCKTICKS", "irp", 0x01, 0x3},
			{"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0xf},
			{"UNC_M_CAS_COUNT:WR", "imc", 0x0c04, 0xf},
			{"UNC_M2_DIRECTORY_LOOKUP:ANY", "m2m", 0x012d, 0xf},
			{"UNC_UPI_TXL_FLITS:ALL_DATA", "upi", 0x0f02, 0xf},
			{"UNC_M3_CLOCKTICKS", "m3upi", 0x01, 0x7},
		};
	return {
		{"UNC_CHA_CLOCKTICKS", "cha", 0, 0xf},
		{"UNC_CHA_TOR_OCCUPANCY:IA_MISS_DRD", "cha", 0xc817fe00000136, 0x1},
		{"UNC_CHA_TOR_INSERTS:IA_DRD", "cha", 0xc817ff00000135, 0xf},
		{"UNC_CHA_RxC_OCCUPANCY:IRQ", "cha", 0x0111, 0x1},
		{"UNC_U_CLOCKTICKS", "ubo", kFixed, 1u << 2},
		{"UNC_U_EVENT_MSG:DOORBELL_RCVD", "ubo", 0x0842, 0x3},
		{"UNC_P_CLOCKTICKS", "pcu", 0, 0xf},
		{"UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_PART0", "iio", 0x7001000000483, 0x3},
		{"UNC_IIO_DATA_REQ_BY_CPU:MEM_READ_PART0", "iio", 0x70010000004c0, 0xc},
		{"UNC_I_CLOCKTICKS", "irp", 0x01, 0x3},
		{"UNC_M2P_CLOCKTICKS", "m2pcie", 0x01, 0xf},
		{"UNC_M_CAS_COUNT:RD", "imc", 0x0f04, 0xf},
		{"UNC_M2M_DIRECTORY_LOOKUP:ANY", "m2m", 0x012d, 0xf},
		{"UNC_UPI_TxL_FLITS:ALL_DATA", "upi", 0x0f02, 0xf},
		{"UNC_M3UPI_CLOCKTICKS", "m3upi", 0x01, 0xf},
	};
}

std::vector<StandardEvent> standard_events(const std::string &platform)
{
	std::vector<StandardEvent> all;

	if (platform == "nhmex" || platform == "wsmex")
		return {
			{"UNC_C_LLC_MISSES:ALL", "cbox", 0x0714, 0x3f},
			{"UNC_C_TRANS_IRQ", "cbox", 0x0019, 0x3f},
			// bits 7:6 select the counter of a B-Box, and a code means another
			// event on each counter
			{"UNC_B_IMT_VALID_OCCUPANCY", "bbox", 0x0e, 0x1},
			{"UNC_B_IMT_INSERTS_ALL", "bbox", 0x4e, 0x2},
			{"UNC_B_IMT_NE_CYCLES", "bbox", 0x8e, 0x4},
			{"UNC_W_CLOCKTICKS", "wbox", kFixed, 1u << 4},
		};
	if (platform == "knl")
		return {
			{"UNC_U_CLOCKTICKS", "ubo", kFixed, 1u << 2},
			{"UNC_P_CLOCKTICKS", "pcu", 0, 0xf},
			{"UNC_M_CAS_COUNT:RD", "imc", 0x0103, 0xf},
		};
	if (platform == "skx" || platform == "icx")
		return mesh_events(platform == "skx");
	all = e5_events();
	for (const StandardEvent &e : own_events(platform))
		all.push_back(e);
	return all;
}

StandardSets standard_sets(const std::string &platform)
{
	if (platform == "nhmex" || platform == "wsmex")
		return {"bbox",
			{"UNC_B_IMT_VALID_OCCUPANCY", "UNC_B_IMT_INSERTS_ALL",
			 "UNC_B_IMT_NE_CYCLES"},
			{"UNC_B_IMT_VALID_OCCUPANCY", "UNC_B_DRSQ_OCCUPANCY"}};
	if (platform == "skx")
		return {"iio",
			{"UNC_IO_DATA_REQ_OF_CPU:MEM_READ_PART0",
			 "UNC_IO_DATA_REQ_OF_CPU:MEM_WRITE_PART0",
			 "UNC_IO_DATA_REQ_BY_CPU:MEM_READ_PART0"},
			{"UNC_IO_DATA_REQ_OF_CPU:MEM_READ_PART0",
			 "UNC_IO_DATA_REQ_OF_CPU:MEM_READ_PART1",
			 "UNC_IO_DATA_REQ_OF_CPU:MEM_READ_PART2"}};
	if (platform == "icx")
		return {"iio",
			{"UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_PART0",
			 "UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_PART0",
			 "UNC_IIO_DATA_REQ_BY_CPU:MEM_READ_PART0"},
			{"UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_PART0",
			 "UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_PART1",
			 "UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_PART2"}};
	return {"cbo",
		{"UNC_C_TOR_OCCUPANCY:MISS_OPCODE:OPC_DRD", "UNC_C_TOR_INSERTS:MISS_OPCODE:OPC_DRD",
		 "UNC_C_CLOCKTICKS"},
		{"UNC_C_TOR_OCCUPANCY:MISS_OPCODE:OPC_DRD", "UNC_C_RXR_OCCUPANCY:IRQ"}};
}

const std::vector<MetricGroup> &metric_groups()
{
	const auto between = [](const char *first, const char *last,
				const std::set<std::string> &without = {}) {
		const std::vector<const char *> machines = machines_between(first, last, without);

		return std::set<std::string>(machines.begin(), machines.end());
	};
	static const std::set<std::string> e5 = between("snbep", "bdx"),
					   ex = between("nhmex", "wsmex"),
					   mesh = between("skx", "icx", {"knl"}),
					   e5_skx = between("snbep", "skx"),
					   e5_mesh = between("snbep", "icx", {"knl"}),
					   all_but_ex = between("snbep", "icx"),
					   all_but_knl = between("nhmex", "icx", {"knl"}),
					   all = between("nhmex", "icx"),
					   by_home = between("ivbep", "icx", {"knl"}),
					   slices = {"cbo", "cha", "cbox"};
	static const std::vector<const char *> home = {
		"HOME_READ_LOCAL_BYTES", "HOME_READ_REMOTE_BYTES", "HOME_WRITE_LOCAL_BYTES",
		"HOME_WRITE_REMOTE_BYTES"};
	static const std::vector<MetricGroup> groups = {
		{all, {"ubo", "wbox"}, {"CLOCKTICKS", "FREQUENCY"}},
		{all, {"imc", "mbox"}, {"MEM_READ_BYTES", "MEM_WRITE_BYTES"}},
		{all_but_ex, {"imc"}, {"MEM_BYTES"}},
		{ex,
		 {"mbox"},
		 {"MEM_READ_BYTES_SPLIT", "MEM_WRITE_BYTES_SPLIT", "MEM_BYTES_SPLIT"}},
		{{"knl"},
		 {"edc_eclk"},
		 {"MCDRAM_READ_BYTES", "MCDRAM_WRITE_BYTES", "MCDRAM_BYTES"}},
		{all_but_knl, {"imc", "mbox"}, {"DRAM_PAGE_HITS", "DRAM_PAGE_MISSES"}},
		// Westmere-EX has no event for empty pages
		{between("nhmex", "icx", {"wsmex", "knl"}),
		 {"imc", "mbox"},
		 {"DRAM_ACCESSES", "DRAM_PAGE_EMPTIES", "DRAM_PAGE_HIT_RATIO",
		  "DRAM_PAGE_EMPTY_RATIO", "DRAM_PAGE_MISS_RATIO"}},
		{all_but_knl,
		 slices,
		 {"LLC_LOOKUPS", "LLC_MISSES", "LLC_READ_LOOKUPS", "LLC_READ_MISSES",
		  "INGRESS_OCCUPANCY_NOT_EMPTY", "INGRESS_CYCLES", "INGRESS_GE1_RATIO",
		  "INGRESS_GE7_RATIO", "INGRESS_GE14_RATIO", "INGRESS_GE18_RATIO",
		  "INGRESS_GE1_CYCLES", "INGRESS_GE7_CYCLES", "INGRESS_GE14_CYCLES",
		  "INGRESS_GE18_CYCLES"}},
		{all,
		 slices,
		 {"INGRESS_LATENCY_CLOCKS", "INGRESS_LATENCY_NS", "INGRESS_OCCUPANCY_AVG",
		  "INGRESS_REQUESTS", "INGRESS_OCCUPANCY", "SLICE_CYCLES"}},
		{e5_skx,
		 slices,
		 {"LLC_MISS_RATIO_SPLIT", "LLC_READ_LOOKUPS_SPLIT", "LLC_READ_MISSES_SPLIT"}},
		{{"icx", "nhmex", "wsmex"}, slices, {"LLC_MISS_RATIO"}},
		{e5_mesh,
		 slices,
		 {"LLC_DRD_MISS_RATIO", "LLC_RFO_MISS_RATIO", "TOR_DRD_LATENCY_CLOCKS",
		  "TOR_DRD_LATENCY_NS", "TOR_DRD_MISS_LATENCY_CLOCKS", "TOR_DRD_MISS_LATENCY_NS",
		  "TOR_DRD_OCCUPANCY_AVG", "TOR_DRD_OCCUPANCY_NOT_EMPTY", "TOR_DRD_REQUESTS",
		  "TOR_DRD_MISS_REQUESTS", "TOR_DRD_HIT_REQUESTS", "TOR_DRD_OCCUPANCY",
		  "TOR_DRD_MISS_OCCUPANCY", "TOR_DRD_NOT_EMPTY_CYCLES", "TOR_RFO_REQUESTS",
		  "TOR_RFO_MISS_REQUESTS"}},
		{by_home,
		 slices,
		 {"TOR_DRD_MISS_LOCAL_LATENCY_NS", "TOR_DRD_MISS_LOCAL_REQUESTS",
		  "TOR_DRD_MISS_LOCAL_OCCUPANCY", "TOR_DRD_MISS_REMOTE_LATENCY_NS",
		  "TOR_DRD_MISS_REMOTE_REQUESTS", "TOR_DRD_MISS_REMOTE_OCCUPANCY",
		  "NUMA_LOCAL_READS", "NUMA_REMOTE_READS", "NUMA_READS"}},
		{between("ivbep", "icx", {"skx", "knl"}),
		 slices,
		 {"NUMA_LOCAL_READ_RATIO", "NUMA_REMOTE_READ_RATIO"}},
		{{"skx"},
		 slices,
		 {"NUMA_LOCAL_READ_RATIO_SPLIT", "NUMA_REMOTE_READ_RATIO_SPLIT",
		  "NUMA_LOCAL_READS_SPLIT", "NUMA_REMOTE_READS_SPLIT", "NUMA_READS_SPLIT"}},
		{{"snbep", "skx", "icx"},
		 {"imc"},
		 {"DRAM_READ_QUEUE_LATENCY_NS", "DRAM_READ_QUEUE_REQUESTS",
		  "DRAM_READ_QUEUE_OCCUPANCY"}},
		{{"icx"}, {"imc"}, {"PMEM_READ_BYTES", "PMEM_WRITE_BYTES", "PMEM_BYTES"}},
		{mesh, {"cha", "m2m"}, {"DIRECTORY_UPDATE_BYTES"}, true},
		{{"ivbep", "hswep", "bdx"}, {"ha"}, home},
		{mesh, slices, home},
		{mesh, slices, {"LLC_DATA_READ_MISSES", "LLC_CODE_READ_MISSES"}},
		{e5, slices, {"LLC_DATA_READ_MISSES_SPLIT", "LLC_CODE_READ_MISSES_SPLIT"}},
		{mesh, {"iio"}, {"IIO_READ_BYTES", "IIO_WRITE_BYTES"}},
		{{"icx"},
		 slices,
		 {"TOR_DRD_MISS_DDR_LATENCY_NS", "TOR_DRD_MISS_DDR_REQUESTS",
		  "TOR_DRD_MISS_DDR_OCCUPANCY", "TOR_DRD_MISS_PMEM_LATENCY_NS",
		  "TOR_DRD_MISS_PMEM_REQUESTS", "TOR_DRD_MISS_PMEM_OCCUPANCY",
		  "PCIE_READ_LOCAL_BYTES", "PCIE_READ_REMOTE_BYTES", "PCIE_WRITE_LOCAL_BYTES",
		  "PCIE_WRITE_REMOTE_BYTES", "PCIE_READ_MISS_BYTES", "PCIE_WRITE_MISS_BYTES"}},
		{mesh, slices, {"TOR_DRD_HIT_LATENCY_CLOCKS", "TOR_DRD_HIT_OCCUPANCY"}},
		{e5,
		 slices,
		 {"PCIE_READ_BYTES", "PCIE_READ_BYTES_SPLIT", "PCIE_WRITE_BYTES_SPLIT"}},
		// Broadwell-EP counts two opcodes, but a slice has only one opcode filter.
		{{"snbep", "ivbep", "hswep"}, slices, {"PCIE_WRITE_BYTES"}},
		{{"skx"}, {"iio"}, {"PCIE_READ_BYTES", "PCIE_WRITE_BYTES"}},
		{{"icx"}, slices, {"PCIE_READ_BYTES", "PCIE_WRITE_BYTES"}},
		{e5_mesh,
		 {"qpi", "upi"},
		 {"SOCKET_OUT_BYTES", "SOCKET_IN_BYTES", "LINK_UTILISATION", "LINK_SLOTS",
		  "LINK_SLOTS_USED"}},
		{all_but_ex,
		 {"pcu"},
		 {"PCU_CYCLES", "CORES_IN_C0", "CORES_IN_C3", "CORES_IN_C6", "CORES_IN_C0_CYCLES",
		  "CORES_IN_C3_CYCLES", "CORES_IN_C6_CYCLES"}},
		{e5_mesh,
		 {"pcu"},
		 {"THERMAL_LIMIT_RATIO", "THERMAL_LIMIT_CYCLES", "POWER_LIMIT_RATIO",
		  "POWER_LIMIT_CYCLES"}},
		{e5, {"pcu"}, {"OS_LIMIT_RATIO", "OS_LIMIT_CYCLES"}},
		{{"snbep", "ivbep"}, {"pcu"}, {"CURRENT_LIMIT_RATIO", "CURRENT_LIMIT_CYCLES"}},
		{e5_mesh,
		 {"imc"},
		 {"DRAM_CYCLES", "DRAM_POWER_DOWN_CYCLES", "DRAM_POWER_DOWN_RATIO",
		  "DRAM_SELF_REFRESH_CYCLES", "DRAM_SELF_REFRESH_RATIO", "DRAM_THROTTLE_CYCLES",
		  "DRAM_THROTTLE_RATIO"}},
		{between("hswep", "icx", {"knl"}), {"irp"}, {"IRP_LOST_FORWARDS"}},
		{e5_mesh, slices, {"PARALLEL_READS", "TOR_DRD_MISS_NOT_EMPTY_CYCLES"}},
		{e5_mesh,
		 slices,
		 {"PCIE_FULL_WRITES", "PCIE_FULL_WRITE_MISSES", "PCIE_FULL_WRITE_MISS_RATIO"}},
		{between("hswep", "icx", {"knl"}),
		 slices,
		 {"PCIE_PARTIAL_WRITES", "PCIE_PARTIAL_WRITE_MISSES",
		  "PCIE_PARTIAL_WRITE_MISS_RATIO"}},
	};

	return groups;
}

} // namespace support
