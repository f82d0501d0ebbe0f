/* SPDX-License-Identifier: BSD-3-Clause */
// published_pairs.h - the published formula for each metric, events that have two names, and
// intended differences between formulas.
#ifndef TESTS_PUBLISHED_PAIRS_H
#define TESTS_PUBLISHED_PAIRS_H

#include <map>
#include <ostream>
#include <string>

namespace support::pairs
{

struct Platform {
	const char *name;                    // in tests/event/published
	const char *machine, *list, *prefix; // simulated machine, Intel's list, PMUs
	const char *title;                   // in docs/reference/metrics.md
	bool dies = false;                   // several PCUs in a package
};

std::ostream &operator<<(std::ostream &out, const Platform &p);

const Platform kPlatforms[] = {
	{"JKT", "snbep", "snbep", "snbep", "SNB-EP"},
	{"IVT", "ivbep", "ivbep", "ivbep", "IVT"},
	{"HSX", "hswep", "hswep", "hswep", "HSX"},
	{"BDX", "bdx", "bdx", "bdx", "BDX"},
	{"SKX", "skx", "skx", "skx", "SKX"},
	{"CLX", "skx:stepping=7", "clx", "skx", "CLX"},
	{"KNL", "knl", "knl", "knl", "KNL"},
	{"ICX", "icx", "icx", "icx", "ICX"},
	{"SPR", "spr", "spr", "spr", "SPR"},
	{"EMR", "emr", "emr", "spr", "EMR"},
	{"GNR", "gnr", "gnr", "gnr", "GNR", true},
	{"SRF", "srf", "srf", "srf", "SRF", true},
	{"CWF", "cwf", "cwf", "cwf", "CWF", true},
};

// Whether a list of platforms, such as "SKX CLX", contains one.
bool applies(const char *platforms, const std::string &platform);

// Units in Intel's lists, and the corresponding box types.
const std::map<std::string, std::string> kUnits = {
	{"CBO", "cbo"},     {"CHA", "cha"}, {"UBOX", "ubo"},          {"PCU", "pcu"},
	{"iMC", "imc"},     {"IMC", "imc"}, {"QPI LL", "qpi"},        {"UPI LL", "upi"},
	{"IIO", "iio"},     {"IRP", "irp"}, {"EDC_ECLK", "edc_eclk"}, {"M2M", "m2m"},
	{"B2CMI", "b2cmi"}, {"HA", "ha"},
};

struct Pair {
	const char *name, *metric;
	const char *unit = ""; // if the file has no unit
};

const Pair kPairs[] = {
	{"memory_bandwidth_read", "MEM_READ_BYTES"},
	{"memory_bandwidth_write", "MEM_WRITE_BYTES"},
	{"memory_bandwidth_total", "MEM_BYTES"},
	{"Info_System_DRAM_BW_Use", "MEM_BYTES", "GB/sec"},
	{"io_bandwidth_read", "PCIE_READ_BYTES"},
	{"io_bandwidth_write", "PCIE_WRITE_BYTES"},
	{"Info_System_IO_Read_BW", "PCIE_READ_BYTES", "GB/sec"},
	{"Info_System_IO_Write_BW", "PCIE_WRITE_BYTES", "GB/sec"},
	{"qpi_data_transmit_bw", "SOCKET_OUT_BYTES"},
	{"upi_data_transmit_bw", "SOCKET_OUT_BYTES"},
	{"Info_System_UPI_Data_Transmit_BW", "SOCKET_OUT_BYTES", "MB"},
	{"upi_data_receive_bw", "SOCKET_IN_BYTES", "MB/sec"},
	{"uncore_frequency", "FREQUENCY"},
	{"Info_System_Uncore_Frequency", "FREQUENCY", "GHz"},
	{"Info_System_Socket_CLKS", "CLOCKTICKS", "clocks"},
	{"llc_data_read_demand_plus_prefetch_miss_latency", "TOR_DRD_MISS_LATENCY_NS"},
	{"llc_demand_data_read_miss_latency", "TOR_DRD_MISS_LATENCY_NS"},
	{"Info_System_MEM_Read_Latency", "TOR_DRD_MISS_LATENCY_NS", "ns"},
	{"cpu_cstate_c0", "CORES_IN_C0", "cores"},
	{"cpu_cstate_c6", "CORES_IN_C6", "cores"},
	{"numa_reads_addressed_to_local_dram", "NUMA_LOCAL_READ_RATIO"},
	{"numa_reads_addressed_to_remote_dram", "NUMA_REMOTE_READ_RATIO"},
	{"Info_System_MEM_Parallel_Reads", "PARALLEL_READS", "ratio"},
	{"io_full_write_l3_miss", "PCIE_FULL_WRITE_MISS_RATIO"},
	{"io_partial_write_l3_miss", "PCIE_PARTIAL_WRITE_MISS_RATIO"},
	{"io_number_of_partial_pci_writes", "PCIE_PARTIAL_WRITES"},
	{"io_msi", "IIO_MSIS"},
	{"io_lost_fwd", "IRP_LOST_FORWARDS"},
	{"llc_miss_local_memory_bandwidth_read", "HOME_READ_LOCAL_BYTES", "MB/sec"},
	{"llc_miss_local_memory_bandwidth_write", "HOME_WRITE_LOCAL_BYTES", "MB/sec"},
	{"llc_miss_remote_memory_bandwidth_read", "HOME_READ_REMOTE_BYTES", "MB/sec"},
	{"llc_miss_remote_memory_bandwidth_write", "HOME_WRITE_REMOTE_BYTES", "MB/sec"},
	{"llc_data_read_demand_plus_prefetch_miss_latency_for_local_requests",
	 "TOR_DRD_MISS_LOCAL_LATENCY_NS"},
	{"llc_data_read_demand_plus_prefetch_miss_latency_for_remote_requests",
	 "TOR_DRD_MISS_REMOTE_LATENCY_NS"},
	{"llc_demand_data_read_miss_latency_for_local_requests", "TOR_DRD_MISS_LOCAL_LATENCY_NS"},
	{"llc_demand_data_read_miss_latency_for_remote_requests", "TOR_DRD_MISS_REMOTE_LATENCY_NS"},
	{"llc_demand_data_read_miss_to_dram_latency", "TOR_DRD_MISS_DDR_LATENCY_NS"},
	{"llc_demand_data_read_miss_to_pmem_latency", "TOR_DRD_MISS_PMEM_LATENCY_NS"},
	{"io_bandwidth_read_local", "PCIE_READ_LOCAL_BYTES"},
	{"io_bandwidth_read_remote", "PCIE_READ_REMOTE_BYTES"},
	{"io_bandwidth_write_local", "PCIE_WRITE_LOCAL_BYTES"},
	{"io_bandwidth_write_remote", "PCIE_WRITE_REMOTE_BYTES"},
	{"io_bandwidth_read_l3_miss", "PCIE_READ_MISS_BYTES"},
	{"io_bandwidth_write_l3_miss", "PCIE_WRITE_MISS_BYTES"},
	{"iio_bandwidth_read", "IIO_READ_BYTES", "MB/sec"},
	{"iio_bandwidth_write", "IIO_WRITE_BYTES", "MB/sec"},
	{"pmem_memory_bandwidth_read", "PMEM_READ_BYTES"},
	{"pmem_memory_bandwidth_write", "PMEM_WRITE_BYTES"},
	{"pmem_memory_bandwidth_total", "PMEM_BYTES"},
	{"memory_extra_write_bw_due_to_directory_updates", "DIRECTORY_UPDATE_BYTES"},
	// by instructions, which the cores count: the numerators
	{"llc_data_read_mpi_demand_plus_prefetch", "LLC_DATA_READ_MISSES"},
	{"llc_code_read_mpi_demand_plus_prefetch", "LLC_CODE_READ_MISSES"},
	// PCM
	{"memory_read", "MEM_READ_BYTES"},
	{"memory_write", "MEM_WRITE_BYTES"},
	{"mcdram_read", "MCDRAM_READ_BYTES"},
	{"mcdram_write", "MCDRAM_WRITE_BYTES"},
	{"pcie_read", "PCIE_READ_BYTES"},
	{"pcie_write", "PCIE_WRITE_BYTES"},
	{"link_utilisation", "LINK_UTILISATION"},
	{"cores_in_c0", "CORES_IN_C0"},
	{"cores_in_c3", "CORES_IN_C3"},
	{"cores_in_c6", "CORES_IN_C6"},
	{"ubox_frequency", "FREQUENCY"},
};

// Intel's metrics without a counterpart here: a part of the name, and the reason.
struct Missing {
	const char *part, *why;
};

const Missing kMissing[] = {
	{"io_read_l3_miss", "PCIE_READ_MISS_BYTES by PCIE_READ_BYTES"},
	{"MEM_DRAM_Read_Latency", "it has no time, as if one second was counted"},
};

/*
 * Two names for the same event: the name in published formulas, and the name here. `shown`
 * is the text by which a formula shows that it uses the event.
 */
struct Identity {
	const char *platforms, *event, *formula, *shown, *why;
};

const char *const kOneClock =
	"the U-Box counts the one clock of a package, which leaves the counters "
	"of the slices free";
const char *const kHitsAndMisses = "all are those that hit and those that miss";
const char *const kPorts = "one counter counts the four ports of a stack";
const char *const kTwoUmasks = "one event has the umasks of two";

const Identity kIdentities[] = {
	{"HSX BDX", "UBOX:0xff", "{UNC_C_CLOCKTICKS:one_unit}", "UNC_U_CLOCKTICKS", kOneClock},
	{"SKX CLX ICX SPR EMR", "UBOX:0xff", "{UNC_CHA_CLOCKTICKS:one_unit}", "UNC_U_CLOCKTICKS",
	 kOneClock},
	{"ICX", "UNC_CHA_TOR_INSERTS.IO_PCIRDCUR",
	 "{UNC_CHA_TOR_INSERTS.IO_HIT_PCIRDCUR} + {UNC_CHA_TOR_INSERTS.IO_MISS_PCIRDCUR}",
	 "IO_HIT_PCIRDCUR", kHitsAndMisses},
	{"ICX", "UNC_CHA_TOR_INSERTS.IO_ITOM",
	 "{UNC_CHA_TOR_INSERTS.IO_HIT_ITOM} + {UNC_CHA_TOR_INSERTS.IO_MISS_ITOM}", "IO_HIT_ITOM",
	 kHitsAndMisses},
	{"ICX", "UNC_CHA_TOR_INSERTS.IO_ITOMCACHENEAR",
	 "{UNC_CHA_TOR_INSERTS.IO_HIT_ITOMCACHENEAR} + {UNC_CHA_TOR_INSERTS.IO_MISS_ITOMCACHENEAR}",
	 "IO_HIT_ITOM", kHitsAndMisses},
	{"SKX CLX", "IIO:0x70f000000483",
	 "{IIO:0x701000000483} + {IIO:0x702000000483} + {IIO:0x704000000483} + "
	 "{IIO:0x708000000483}",
	 "MEM_READ_PART0:", kPorts},
	{"SKX CLX", "IIO:0x70f000000183",
	 "{IIO:0x701000000183} + {IIO:0x702000000183} + {IIO:0x704000000183} + "
	 "{IIO:0x708000000183}",
	 "MEM_WRITE_PART0:", kPorts},
	{"JKT IVT HSX BDX", "QPI LL:0x600", "{QPI LL:0x200} + {QPI LL:0x400}", "QPI LL:0x600",
	 kTwoUmasks},
};

/* Intended differences: what the formula here must be, in the unit of the metric. */
struct Difference {
	const char *platforms, *name, *expected, *why;
};

const Difference kDifferences[] = {
	{"JKT IVT", "pcie_read", "{CBO:0x135:opc=0x19e} * 64",
	 "PCM adds writes without snoops (0x1e5); a slice counts one opcode, and these are not reads"},
	{"JKT IVT", "pcie_write", "{CBO:0x135:opc=0x19c} * 64",
	 "PCM adds writes past the cache (0x194) and without snoops (0x1e5, 0x1e6); a slice counts one "
	 "opcode, that of writes into the cache"},
	{"HSX", "pcie_write", "{CBO:0x135:opc=0x1c8:tid=0x3e} * 64",
	 "PCM adds writes of parts of a line (RFO); a slice counts one opcode, and Intel's formula has "
	 "this one only"},
	{"HSX BDX", "Info_System_Socket_CLKS", "{SOCKET_COUNT} * {UNC_C_CLOCKTICKS:one_unit}",
	 "without pkg= the sum of the packages here, with Intel the clocks of one of them"},
	{"SKX CLX ICX SPR EMR GNR", "Info_System_Socket_CLKS",
	 "{SOCKET_COUNT} * {UNC_CHA_CLOCKTICKS:one_unit}",
	 "without pkg= the sum of the packages here, with Intel the clocks of one of them"},
	{"SPR EMR GNR", "llc_code_read_mpi_demand_plus_prefetch",
	 "{UNC_CHA_TOR_INSERTS.IA_MISS_CRD} + {UNC_CHA_TOR_INSERTS.IA_MISS_CRD_PREF} + "
	 "{UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFCODE}",
	 "higher here: Intel leaves out prefetches of code, into the L2 and into the last-level cache, "
	 "although its name has them"},
	{"ICX SRF CWF", "llc_code_read_mpi_demand_plus_prefetch",
	 "{UNC_CHA_TOR_INSERTS.IA_MISS_CRD} + {UNC_CHA_TOR_INSERTS.IA_MISS_CRD_PREF} + "
	 "{UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFCODE}",
	 "higher here: Intel leaves out prefetches of code into the last-level cache, although its name "
	 "has them"},
	{"SPR EMR", "cpu_cstate_c0", "{UNC_P_POWER_STATE_OCCUPANCY_CORES_C0} / {UNC_P_CLOCKTICKS}",
	 "mean of the packages here, with Intel their sum: higher by the number of packages"},
	{"SPR EMR", "cpu_cstate_c6", "{UNC_P_POWER_STATE_OCCUPANCY_CORES_C6} / {UNC_P_CLOCKTICKS}",
	 "mean of the packages here, with Intel their sum: higher by the number of packages"},
	{"GNR SRF CWF", "cpu_cstate_c0",
	 "{UNC_P_POWER_STATE_OCCUPANCY_CORES_C0} / {UNC_P_CLOCKTICKS}[0] / {SOCKET_COUNT}",
	 "mean of the packages here, with Intel their sum times the number of packages"},
	{"GNR SRF CWF", "cpu_cstate_c6",
	 "{UNC_P_POWER_STATE_OCCUPANCY_CORES_C6} / {UNC_P_CLOCKTICKS}[0] / {SOCKET_COUNT}",
	 "mean of the packages here, with Intel their sum times the number of packages"},
	{"SKX CLX", "Info_System_IO_Read_BW",
	 "4 * ({UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0} + {UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART1} + "
	 "{UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART2} + {UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART3})",
	 "the directions are reversed against Intel's own `io_bandwidth_read`"},
	{"SKX CLX", "Info_System_IO_Write_BW",
	 "4 * ({UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART0} + {UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART1} + "
	 "{UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART2} + {UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART3})",
	 "the directions are reversed against Intel's own `io_bandwidth_write`"},
	{"SKX ICX", "link_utilisation",
	 "({UNC_UPI_TxL_FLITS.ALL_DATA} + {UNC_UPI_TxL_FLITS.NON_DATA}) / "
	 "((3 * 5 / 6) * ({UNC_UPI_CLOCKTICKS} - {UNC_UPI_L1_POWER_CYCLES}))",
	 "here the time in L1, in which a link carries nothing, is not capacity; the slots are those of "
	 "PCM"},
	{"SPR EMR GNR SRF", "link_utilisation",
	 "({UNC_UPI_TxL_FLITS.ALL_DATA} + {UNC_UPI_TxL_FLITS.NON_DATA}) / "
	 "((24 * 8 / 64) * ({UNC_UPI_CLOCKTICKS} - {UNC_UPI_L1_POWER_CYCLES}))",
	 "UPI 2.0 has 24 lanes, which carry 3 slots in a cycle, and PCM has the 2.5 of 20 lanes "
	 "([how sure that is](../hardware/README.md#capacity-of-links)); time in L1 is not capacity"},
	{"GNR SRF", "ubox_frequency",
	 "{UNC_CHA_CLOCKTICKS} / {CHAS_PER_SOCKET} / DURATIONTIMEINSECONDS",
	 "PCM has the clock of the U-Box, which is on an I/O die; the slices have those of their dies, "
	 "as in Intel's formula"},
};

} // namespace support::pairs

#endif
