// SPDX-License-Identifier: BSD-3-Clause
// metrics_test.cc - the simulated machine gets known traffic, and each metric of each
// platform must show it within 1 % (far closer, as time is virtual).
//
// The expected value is computed from the description of the traffic where possible, and from
// sim_rate() with codes written out here (Intel's event lists) where it depends on how the model
// spreads things over cycles and boxes.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "metrics/metrics.h"
#include "plan/complete.h"
#include "support/every_event.h"
#include "support/machines.h"
#include "support/plan.h"
#include "support/sized.h"

namespace
{

using support::kSecond;

constexpr unsigned kCores = 8;
constexpr uint16_t kDevice = SIM_OP_DEVICE;
constexpr double kPersistent = 0.0229; // share of the accesses that reach the iMC

/* Codes of one platform's model. */
struct Platform {
	const char *name;
	const char *slice;         // kind of the box that is a slice of the cache
	uint16_t drd;              // opcodes of the traffic
	std::vector<uint16_t> rfo; // ... that a filter cannot distinguish
	uint16_t device_read;
	std::vector<uint16_t> device_writes; // ... that PCIE_WRITE_BYTES counts
	uint64_t queue, queue_filter;        // DRd in the TOR
	uint64_t irq;                        // requests in the ingress queue
	uint64_t lookups, lookups_filter;    // of all kinds, in all states
	const char *link;
	std::vector<uint64_t> used; // what is sent, in slots or flits
	double per_cycle;           // of these: lanes * transfers per cycle / bits of one
	double ingress_ns = 150;    // fills the queues about half
	bool dies = false;          // have clocks of their own

	// Opcodes by Intel's lists: demand reads, prefetches into the L2, into the LLC.
	bool opcodes_in_control() const
	{
		return device_read == (0x11e | SIM_OP_DEVICE);
	}
	std::vector<uint16_t> homed_reads() const
	{
		return opcodes_in_control()
			       ? std::vector<uint16_t>{drd, static_cast<uint16_t>(drd | 0x10)}
			       : std::vector<uint16_t>{drd};
	}
	bool has_filters() const // of Skylake-X
	{
		return drd == 0x202;
	}
	std::vector<uint16_t> data_reads() const
	{
		std::vector<uint16_t> reads = homed_reads();

		reads.push_back(opcodes_in_control() ? 0x19a : has_filters() ? 0x25a : 0x192);
		return reads;
	}
	std::vector<uint16_t> code_reads() const
	{
		return opcodes_in_control() ? std::vector<uint16_t>{0x101, 0x111, 0x199}
		       : has_filters()      ? std::vector<uint16_t>{0x201, 0x259}
					    : std::vector<uint16_t>{0x181, 0x191};
	}
	// Of devices: whole lines, and parts of lines. Sandy Bridge and Ivy Bridge have no opcode
	// for parts that is only theirs.
	uint16_t whole_writes() const
	{
		return device_writes[0];
	}
	std::vector<uint16_t> partial_writes() const
	{
		return opcodes_in_control()
			       ? std::vector<uint16_t>{0x1a8 | kDevice, 0x100 | kDevice}
		       : has_filters() ? std::vector<uint16_t>{0x200 | kDevice}
				       : std::vector<uint16_t>{0x180 | kDevice};
	}
	// DRd in the TOR that missed
	uint64_t missed_queue() const
	{
		return opcodes_in_control() ? queue - (UINT64_C(1) << 32)
		       : has_filters()      ? 0x2136
					    : 0x0336;
	}
	uint64_t lost_forwards() const // LOST_FWD, without its umask
	{
		return opcodes_in_control() ? 0x1f : has_filters() ? 0x1d : 0x15;
	}
};

std::ostream &operator<<(std::ostream &out, const Platform &p)
{
	return out << p.name;
}

const std::vector<uint64_t> kQpi = {0x0200, 0x0400}, kUpi = {0x0f02, 0x9702};
const std::vector<uint16_t> kItom = {0x188 | kDevice, 0x1a8 | kDevice};
constexpr uint64_t kDrdMesh = UINT64_C(0x40433) << 32, kDrdRing = UINT64_C(0x182) << 52;
constexpr uint64_t kDrdWide = 0xc817ff00000136, kLookupWide = 0x1fff0000ff34;

// The rings of the Xeon E5: what an opcode is matched with moved, and so did the states.
Platform ring(const char *name, uint64_t drd, uint64_t lookups, uint64_t lookups_filter)
{
	return {name, "cbox", 0x182,   {0x180},        0x19e, {0x19c}, 0x0136,
		drd,  0x0111, lookups, lookups_filter, "qpi", kQpi,    2};
}

// Haswell-EP and Broadwell-EP: devices write with the opcodes of cores.
Platform haswell(const char *name, const std::vector<uint16_t> &device_writes)
{
	Platform p = ring(name, kDrdRing, 0x1134, 0xfe0000);

	p.rfo = {0x180, 0x180 | kDevice};
	p.device_read = 0x19e | kDevice;
	p.device_writes = device_writes;
	p.per_cycle = 20 * 4 / 80.0;
	return p;
}

// UPI: a slot has 64 bits.
constexpr double k20Lanes = 20 * 8 / 64.0, k24Lanes = 24 * 8 / 64.0;

// From Ice Lake on the control itself has the filters.
Platform wide(const char *name, double per_cycle = k24Lanes, double ingress_ns = 150)
{
	return {name,        "cha", 0x102, {0x100}, 0x11e | kDevice, kItom,     kDrdWide, 0, 0x0111,
		kLookupWide, 0,     "upi", kUpi,    per_cycle,       ingress_ns};
}

// Dies with clocks of their own.
Platform dies(const char *name, double ingress_ns = 150)
{
	Platform p = wide(name, k24Lanes, ingress_ns);

	p.dies = true;
	return p;
}

// Skylake-X has opcode and home in a filter.
Platform filtered(const char *name)
{
	return {name,   "cha",    0x202,  {0x200}, 0x21e | kDevice, {0x248 | kDevice},
		0x3136, kDrdMesh, 0x0111, 0x1134,  0x7fe0000,       "upi",
		kUpi,   k20Lanes};
}

// Cores that read data with DRd_Opt.
Platform small_cores(const char *name, double ingress_ns = 150)
{
	Platform p = dies(name, ingress_ns);

	p.drd = 0x104;
	p.queue = 0xc827ff00000136;
	return p;
}

// No opcodes and no links that are known.
Platform plain(const char *name, const char *slice, uint64_t irq, double ingress_ns)
{
	return {name, slice, 0, {}, 0, {}, 0, 0, irq, 0, 0, "", {}, 0, ingress_ns};
}

const Platform kPlatforms[] = {
	ring("snbep", UINT64_C(0x182) << 23, 0x1f34, 0x7c0000),
	ring("ivbep", kDrdRing, 0x1134, 0x7e0000),
	haswell("hswep", {0x1c8 | kDevice}),
	haswell("bdx", {0x1c8 | kDevice, 0x180 | kDevice}),
	filtered("skx"),
	filtered("skx:stepping=5"), // Cascade Lake-X
	wide("icx", k20Lanes),
	wide("spr"),
	wide("spr:hbm=yes"),
	wide("emr"),
	dies("gnr"),
	small_cores("srf"),
	small_cores("cwf", 40), // two slices for all
	plain("knl", "cha", 0x0111, 60),
	plain("nhmex", "cbox", 0x18, 500),
	plain("wsmex", "cbox", 0x18, 500),
};

// The activity of a package, as the sum or mean that metrics should show.
class Truth
{
      public:
	Truth(sim *machine, const Platform &on, unsigned which, unsigned packages, unsigned slices)
	    : machine(machine), on(on), package(which), slices(slices),
	      t(*sim_traffic(machine, which))
	{
		for (unsigned p = 0; p < packages; p++) {
			const struct sim_traffic *other = sim_traffic(machine, p);

			if (p == which)
				continue;
			reads_in += other->reads * other->remote_reads / (packages - 1);
			writes_in += other->writes * other->remote_writes / (packages - 1);
			noncoherent_in += other->noncoherent / (packages - 1);
		}
	}
	double rate(uint64_t control, uint64_t filter, const char *kind = nullptr) const
	{
		double sum = 0, one;

		for (unsigned b = 0;
		     !std::isnan(one = sim_rate(machine, package, kind ? kind : on.slice, b,
						control, filter));
		     b++)
			sum += one;
		return sum;
	}
	// Requests with one of these opcodes; of which only misses.
	double requests(const std::vector<uint16_t> &opcodes, bool missed = false) const
	{
		double sum = 0;

		for (const struct sim_opcode &o : t.opcodes) {
			const bool reads = o.kind == SIM_OP_READ || o.kind == SIM_OP_OTHER;
			double n = (reads ? t.reads : t.writes) * o.share;

			if (o.opcode == 0)
				break;
			if (o.kind == SIM_OP_READ)
				n /= o.miss;
			if (opcodes.empty() || std::count(opcodes.begin(), opcodes.end(), o.opcode))
				sum += missed ? n * o.miss : n;
		}
		return sum;
	}
	// That devices write: whole lines, and parts of lines.
	double device_bytes() const
	{
		const double parts = t.partial_opcode ? requests({t.partial_opcode}) : 0;

		return 64 * requests(on.device_writes) - (64 - t.partial_bytes) * parts;
	}
	// Of misses to each memory, whose mean is miss_ns().
	double dram_ns() const
	{
		return miss_ns() /
		       (dram_share() + t.pmem_share * t.pmem_slower + t.cxl_share * t.cxl_slower);
	}
	double dram_share() const
	{
		return 1 - t.pmem_share - t.cxl_share;
	}
	double pmem_ns() const
	{
		return dram_ns() * t.pmem_slower;
	}
	double miss_ratio(const std::vector<uint16_t> &opcodes) const
	{
		return requests(opcodes, true) / requests(opcodes);
	}
	double miss_ns() const
	{
		return (1 - t.remote_reads) * t.local_ns + t.remote_reads * t.remote_ns;
	}
	double reading_lookups() const
	{
		double sum = 0;

		for (const struct sim_opcode &o : t.opcodes)
			sum += o.kind == SIM_OP_READ ? t.reads * o.share / o.miss : 0;
		return sum;
	}
	double drd_ns() const
	{
		const double miss = miss_ratio({on.drd});

		return miss * miss_ns() + (1 - miss) * t.hit_ns;
	}
	// The mean clock of the slices, and that by what they are asked.
	double slice_hz() const
	{
		return on.dies ? rate(0x01, 0) / slices : t.uclk_hz;
	}
	double request_hz() const
	{
		double asked = 0, sum = 0;

		for (unsigned b = 0; on.dies && b < slices; b++) {
			const double n = sim_rate(machine, package, on.slice, b, 0x0113, 0);

			asked += n;
			sum += n * sim_rate(machine, package, on.slice, b, 0x01, 0);
		}
		return on.dies ? sum / asked : t.uclk_hz;
	}
	// Shares of the requests by the home of their lines.
	double local() const
	{
		return 1 - t.remote_reads;
	}
	double remote() const
	{
		return t.remote_reads;
	}
	// By HA and TOR of the slices, and ANY of the M2Ms: of SPR with both channels.
	double directory_updates() const
	{
		const bool spr = std::string(on.name).find("skx") && std::string(on.name) != "icx";

		return rate(0x0154, 0) + rate(0x0254, 0) +
		       rate(spr ? UINT64_C(0x300000121) : 0x012e, 0, "m2m");
	}
	double clocks(double ns) const
	{
		return ns * request_hz() * 1e-9;
	}
	// A time by the mean clock: exact, or nearly so where clocks differ.
	double by_mean_clock(double ns) const
	{
		const double seen = ns * request_hz() / slice_hz();

		EXPECT_NEAR(1, seen / ns, 0.02);
		return seen;
	}
	double threshold(uint64_t control, uint64_t filter, unsigned n) const
	{
		return rate(control | static_cast<uint64_t>(n) << 24, filter);
	}
	double at_least(unsigned n) const
	{
		return threshold(on.irq, 0, n) / slice_hz() / slices;
	}
	// The control itself has the filters, so a model tells data reads from others.
	bool by_control() const
	{
		return on.lookups == kLookupWide;
	}
	// Cycles in which something is the limit, in the mean of the power control units.
	double limited(uint64_t code) const
	{
		unsigned n = 0;

		while (!std::isnan(sim_rate(machine, package, "pcu", n, 0, 0)))
			n++;
		return rate(code, 0, "pcu") / n;
	}
	double hot() const
	{
		return limited(0x04);
	}
	// Cycles of the memory channels: all, in power-down, in self-refresh, throttled.
	double channel_cycles() const
	{
		if (std::string(on.name) == "icx") // a third of the model's channels do not exist
			return rate(0, 0, "imc") * 2 / 3;
		return rate(on.opcodes_in_control() ? 0x0101 : 0, 0, "imc");
	}
	double powered_down() const
	{
		return rate(on.dies ? 0x88 : 0x85, 0, "imc");
	}
	double refreshing() const
	{
		return rate(on.dies ? 0x0143 : 0x43, 0, "imc");
	}
	double throttled() const
	{
		return rate(on.opcodes_in_control() ? 0x0346 : 0xff41, 0, "imc");
	}
	// Cycles in which a slice has a demand read that missed, and those reads in all cycles.
	double waiting_cycles() const
	{
		return threshold(on.missed_queue(), on.queue_filter, 1);
	}
	double waiting_reads() const
	{
		return rate(on.missed_queue(), on.queue_filter);
	}
	double hits(uint16_t opcode) const
	{
		return requests({opcode}) - requests({opcode}, true);
	}
	// Lines of the package's memory that agents of any package read and write.
	double memory_reads() const
	{
		return t.reads * (1 - t.remote_reads) + reads_in;
	}
	double memory_writes() const
	{
		return t.writes * (1 - t.remote_writes) + writes_in;
	}
	double accesses() const
	{
		return memory_reads() + memory_writes();
	}
	// The slots available outside L1, and the used ones as a share of them.
	double slots() const
	{
		const bool qpi = on.link == std::string("qpi");

		return on.per_cycle *
		       (rate(qpi ? 0x14 : 0x01, 0, on.link) - (qpi ? 0 : rate(0x21, 0, on.link)));
	}
	double used() const
	{
		double sum = 0;

		for (uint64_t code : on.used)
			sum += rate(code, 0, on.link);
		return sum / slots();
	}

	sim *machine;
	const Platform &on;
	unsigned package, slices;
	const struct sim_traffic &t;
	double reads_in = 0, writes_in = 0, noncoherent_in = 0;
};

using Expected = std::function<double(const Truth &)>;

const std::map<std::string, Expected> kTruth = {
	{"MEM_READ_BYTES",
	 [](const Truth &x) { return 64 * x.memory_reads(); }},
	{"MEM_WRITE_BYTES",
	 [](const Truth &x) { return 64 * x.memory_writes(); }},
	{"MEM_BYTES", [](const Truth &x) { return 64 * x.accesses(); }},
	{"MCDRAM_READ_BYTES", [](const Truth &x) { return 64 * x.rate(0x0101, 0, "edc_eclk"); }},
	{"MCDRAM_WRITE_BYTES", [](const Truth &x) { return 64 * x.rate(0x0102, 0, "edc_eclk"); }},
	{"MCDRAM_BYTES",
	 [](const Truth &x) {
		 return 64 * (x.rate(0x0101, 0, "edc_eclk") + x.rate(0x0102, 0, "edc_eclk"));
	 }},
	{"HBM_READ_BYTES", [](const Truth &x) { return 64 * x.rate(0xcf05, 0, "hbm"); }},
	{"HBM_WRITE_BYTES", [](const Truth &x) { return 64 * x.rate(0xf005, 0, "hbm"); }},
	{"HBM_BYTES", [](const Truth &x) { return 64 * x.rate(0xff05, 0, "hbm"); }},
	{"LLC_LOOKUPS",
	 [](const Truth &x) {
		 return x.on.lookups ? x.rate(x.on.lookups, x.on.lookups_filter)
				     : x.rate(0x0714, 0) + x.rate(0x0f15, 0);
	 }},
	{"LLC_MISSES", [](const Truth &x) { return x.on.drd ? x.requests({}, true) : x.t.reads; }},
	{"SOCKET_OUT_BYTES",
	 [](const Truth &x) {
		 return 64 * (x.reads_in + x.t.writes * x.t.remote_writes + x.t.noncoherent);
	 }},
	{"SOCKET_IN_BYTES",
	 [](const Truth &x) {
		 return 64 * (x.t.reads * x.t.remote_reads + x.writes_in + x.noncoherent_in);
	 }},
	{"PCIE_READ_BYTES", [](const Truth &x) { return 64 * x.requests({x.on.device_read}); }},
	{"PCIE_WRITE_BYTES", [](const Truth &x) { return 64 * x.requests(x.on.device_writes); }},
	{"PCIE_READ_LOCAL_BYTES",
	 [](const Truth &x) { return 64 * x.local() * x.requests({x.on.device_read}); }},
	{"PCIE_READ_REMOTE_BYTES",
	 [](const Truth &x) { return 64 * x.remote() * x.requests({x.on.device_read}); }},
	{"PCIE_WRITE_LOCAL_BYTES",
	 [](const Truth &x) { return 64 * x.local() * x.requests(x.on.device_writes); }},
	{"PCIE_WRITE_REMOTE_BYTES",
	 [](const Truth &x) { return 64 * x.remote() * x.requests(x.on.device_writes); }},
	{"PCIE_READ_MISS_BYTES",
	 [](const Truth &x) { return 64 * x.requests({x.on.device_read}, true); }},
	{"PCIE_WRITE_MISS_BYTES",
	 [](const Truth &x) { return 64 * x.requests(x.on.device_writes, true); }},
	{"IIO_READ_BYTES", [](const Truth &x) { return 64 * x.requests({x.on.device_read}); }},
	{"IIO_WRITE_BYTES", [](const Truth &x) { return x.device_bytes(); }},
	{"PCIE_FULL_WRITES",
	 [](const Truth &x) { return x.requests({x.on.whole_writes()}); }},
	{"PCIE_FULL_WRITE_MISSES",
	 [](const Truth &x) { return x.requests({x.on.whole_writes()}, true); }},
	{"PCIE_FULL_WRITE_MISS_RATIO",
	 [](const Truth &x) { return x.miss_ratio({x.on.whole_writes()}); }},
	{"PCIE_PARTIAL_WRITES", [](const Truth &x) { return x.requests(x.on.partial_writes()); }},
	{"PCIE_PARTIAL_WRITE_MISSES",
	 [](const Truth &x) { return x.requests(x.on.partial_writes(), true); }},
	{"PCIE_PARTIAL_WRITE_MISS_RATIO",
	 [](const Truth &x) { return x.miss_ratio(x.on.partial_writes()); }},
	{"IIO_MSIS", [](const Truth &x) { return x.rate(0x10ff00000048e, 0, "iio"); }},
	{"IRP_LOST_FORWARDS",
	 [](const Truth &x) {
		 return x.rate(0x1000 | x.on.lost_forwards(), 0, "irp") +
			x.rate(0x2000 | x.on.lost_forwards(), 0, "irp");
	 }},
	{"PARALLEL_READS",
	 [](const Truth &x) { return x.waiting_reads() / x.waiting_cycles(); }},
	{"TOR_DRD_MISS_NOT_EMPTY_CYCLES", [](const Truth &x) { return x.waiting_cycles(); }},
	{"DRAM_CYCLES", [](const Truth &x) { return x.channel_cycles(); }},
	{"DRAM_POWER_DOWN_CYCLES", [](const Truth &x) { return x.powered_down(); }},
	{"DRAM_SELF_REFRESH_CYCLES", [](const Truth &x) { return x.refreshing(); }},
	{"DRAM_THROTTLE_CYCLES", [](const Truth &x) { return x.throttled(); }},
	{"DRAM_POWER_DOWN_RATIO",
	 [](const Truth &x) { return x.powered_down() / x.channel_cycles(); }},
	{"DRAM_SELF_REFRESH_RATIO",
	 [](const Truth &x) { return x.refreshing() / x.channel_cycles(); }},
	{"DRAM_THROTTLE_RATIO", [](const Truth &x) { return x.throttled() / x.channel_cycles(); }},
	{"POWER_LIMIT_CYCLES", [](const Truth &x) { return x.limited(0x05); }},
	{"POWER_LIMIT_RATIO", [](const Truth &x) { return x.limited(0x05) / x.t.pclk_hz; }},
	{"OS_LIMIT_CYCLES", [](const Truth &x) { return x.limited(0x06); }},
	{"OS_LIMIT_RATIO", [](const Truth &x) { return x.limited(0x06) / x.t.pclk_hz; }},
	{"CURRENT_LIMIT_CYCLES", [](const Truth &x) { return x.limited(0x07); }},
	{"CURRENT_LIMIT_RATIO", [](const Truth &x) { return x.limited(0x07) / x.t.pclk_hz; }},
	{"HOME_READ_LOCAL_BYTES", [](const Truth &x) { return 64 * x.local() * x.t.reads; }},
	{"HOME_READ_REMOTE_BYTES", [](const Truth &x) { return 64 * x.reads_in; }},
	{"HOME_WRITE_LOCAL_BYTES",
	 [](const Truth &x) { return 64 * (1 - x.t.remote_writes) * x.t.writes; }},
	{"HOME_WRITE_REMOTE_BYTES", [](const Truth &x) { return 64 * x.writes_in; }},
	{"LLC_DATA_READ_MISSES",
	 [](const Truth &x) { return x.requests(x.on.data_reads(), true); }},
	{"LLC_CODE_READ_MISSES",
	 [](const Truth &x) { return x.requests(x.on.code_reads(), true); }},
	{"NUMA_LOCAL_READ_RATIO", [](const Truth &x) { return x.local(); }},
	{"NUMA_REMOTE_READ_RATIO", [](const Truth &x) { return x.remote(); }},
	{"NUMA_LOCAL_READS",
	 [](const Truth &x) { return x.local() * x.requests(x.on.homed_reads(), true); }},
	{"NUMA_REMOTE_READS",
	 [](const Truth &x) { return x.remote() * x.requests(x.on.homed_reads(), true); }},
	{"NUMA_READS", [](const Truth &x) { return x.requests(x.on.homed_reads(), true); }},
	{"TOR_DRD_MISS_LOCAL_LATENCY_NS",
	 [](const Truth &x) { return x.by_mean_clock(x.t.local_ns); }},
	{"TOR_DRD_MISS_LOCAL_REQUESTS",
	 [](const Truth &x) { return x.local() * x.requests({x.on.drd}, true); }},
	{"TOR_DRD_MISS_LOCAL_OCCUPANCY",
	 [](const Truth &x) {
		 return x.local() * x.requests({x.on.drd}, true) * x.clocks(x.t.local_ns);
	 }},
	{"TOR_DRD_MISS_REMOTE_LATENCY_NS",
	 [](const Truth &x) { return x.by_mean_clock(x.t.remote_ns); }},
	{"TOR_DRD_MISS_REMOTE_REQUESTS",
	 [](const Truth &x) { return x.remote() * x.requests({x.on.drd}, true); }},
	{"TOR_DRD_MISS_REMOTE_OCCUPANCY",
	 [](const Truth &x) {
		 return x.remote() * x.requests({x.on.drd}, true) * x.clocks(x.t.remote_ns);
	 }},
	{"TOR_DRD_MISS_DDR_LATENCY_NS",
	 [](const Truth &x) { return x.by_mean_clock(x.dram_ns()); }},
	{"TOR_DRD_MISS_DDR_REQUESTS",
	 [](const Truth &x) { return x.dram_share() * x.requests({x.on.drd}, true); }},
	{"TOR_DRD_MISS_DDR_OCCUPANCY",
	 [](const Truth &x) {
		 return x.dram_share() * x.requests({x.on.drd}, true) * x.clocks(x.dram_ns());
	 }},
	{"TOR_DRD_MISS_PMEM_LATENCY_NS",
	 [](const Truth &x) { return x.by_mean_clock(x.pmem_ns()); }},
	{"TOR_DRD_MISS_PMEM_REQUESTS",
	 [](const Truth &x) { return x.t.pmem_share * x.requests({x.on.drd}, true); }},
	{"TOR_DRD_MISS_PMEM_OCCUPANCY",
	 [](const Truth &x) {
		 return x.t.pmem_share * x.requests({x.on.drd}, true) * x.clocks(x.pmem_ns());
	 }},
	{"TOR_DRD_MISS_CXL_LATENCY_NS",
	 [](const Truth &x) { return x.by_mean_clock(x.dram_ns() * x.t.cxl_slower); }},
	{"TOR_DRD_MISS_CXL_REQUESTS",
	 [](const Truth &x) { return x.t.cxl_share * x.requests({x.on.drd}, true); }},
	{"TOR_DRD_MISS_CXL_OCCUPANCY",
	 [](const Truth &x) {
		 return x.t.cxl_share * x.requests({x.on.drd}, true) *
			x.clocks(x.dram_ns() * x.t.cxl_slower);
	 }},
	{"PMEM_READ_BYTES", [](const Truth &x) { return 64 * kPersistent * x.memory_reads(); }},
	{"PMEM_WRITE_BYTES", [](const Truth &x) { return 64 * kPersistent * x.memory_writes(); }},
	{"PMEM_BYTES", [](const Truth &x) { return 64 * kPersistent * x.accesses(); }},
	{"DIRECTORY_UPDATE_BYTES", [](const Truth &x) { return 64 * x.directory_updates(); }},
	{"DRAM_READ_QUEUE_LATENCY_NS", [](const Truth &x) { return x.t.rpq_ns; }},
	{"DRAM_READ_QUEUE_REQUESTS",
	 [](const Truth &x) { return x.memory_reads(); }},
	{"DRAM_READ_QUEUE_OCCUPANCY",
	 [](const Truth &x) {
		 return x.memory_reads() * x.t.rpq_ns * 1e-9 * x.t.dclk_hz;
	 }},
	{"CLOCKTICKS", [](const Truth &x) { return x.slice_hz(); }},
	{"ENERGY_PACKAGE_UJ",
	 [](const Truth &x) { return 1e6 * sim_power(x.machine, x.package, false); }},
	{"ENERGY_DRAM_UJ",
	 [](const Truth &x) { return 1e6 * sim_power(x.machine, x.package, true); }},
	{"POWER_PACKAGE_WATTS",
	 [](const Truth &x) { return sim_power(x.machine, x.package, false); }},
	{"POWER_DRAM_WATTS", [](const Truth &x) { return sim_power(x.machine, x.package, true); }},
	{"FREQUENCY_MIN_MHZ", [](const Truth &) { return 800; }},
	{"FREQUENCY_MAX_MHZ",
	 [](const Truth &x) { return 100 * (std::floor(x.t.uclk_hz / 1e8) + 2); }},
	{"FREQUENCY_CURRENT_MHZ",
	 [](const Truth &x) { return 100 * std::floor(x.t.uclk_hz / 1e8); }},
	{"FREQUENCY", [](const Truth &x) { return x.slice_hz(); }},
	{"LLC_MISS_RATIO",
	 [](const Truth &x) {
		 return x.on.drd ? x.rate(0x1fc100000134, 0) / x.rate(0x1fc10000ff34, 0)
				 : x.t.reads / (x.rate(0x0714, 0) + x.rate(0x0f15, 0));
	 }},
	{"LLC_DRD_MISS_RATIO", [](const Truth &x) { return x.miss_ratio({x.on.drd}); }},
	{"LLC_RFO_MISS_RATIO", [](const Truth &x) { return x.miss_ratio(x.on.rfo); }},
	{"TOR_DRD_LATENCY_CLOCKS", [](const Truth &x) { return x.clocks(x.drd_ns()); }},
	{"TOR_DRD_LATENCY_NS", [](const Truth &x) { return x.by_mean_clock(x.drd_ns()); }},
	{"TOR_DRD_MISS_LATENCY_CLOCKS", [](const Truth &x) { return x.clocks(x.miss_ns()); }},
	{"TOR_DRD_MISS_LATENCY_NS", [](const Truth &x) { return x.by_mean_clock(x.miss_ns()); }},
	{"TOR_DRD_HIT_LATENCY_CLOCKS", [](const Truth &x) { return x.clocks(x.t.hit_ns); }},
	{"TOR_DRD_OCCUPANCY_AVG",
	 [](const Truth &x) {
		 return x.requests({x.on.drd}) * x.by_mean_clock(x.drd_ns()) * 1e-9 / x.slices;
	 }},
	{"TOR_DRD_OCCUPANCY_NOT_EMPTY",
	 [](const Truth &x) {
		 return x.rate(x.on.queue, x.on.queue_filter) /
			x.threshold(x.on.queue, x.on.queue_filter, 1);
	 }},
	{"INGRESS_LATENCY_CLOCKS", [](const Truth &x) { return x.clocks(x.t.ingress_ns); }},
	{"INGRESS_LATENCY_NS", [](const Truth &x) { return x.by_mean_clock(x.t.ingress_ns); }},
	{"INGRESS_OCCUPANCY_AVG",
	 [](const Truth &x) { return x.rate(x.on.irq, 0) / x.slice_hz() / x.slices; }},
	{"INGRESS_OCCUPANCY_NOT_EMPTY",
	 [](const Truth &x) { return x.rate(x.on.irq, 0) / x.threshold(x.on.irq, 0, 1); }},
	{"INGRESS_GE1_RATIO", [](const Truth &x) { return x.at_least(1); }},
	{"INGRESS_GE7_RATIO", [](const Truth &x) { return x.at_least(7); }},
	{"INGRESS_GE14_RATIO", [](const Truth &x) { return x.at_least(14); }},
	{"INGRESS_GE18_RATIO", [](const Truth &x) { return x.at_least(18); }},
	{"DRAM_PAGE_HIT_RATIO", [](const Truth &x) { return 1 - x.t.page_miss - x.t.page_empty; }},
	{"DRAM_PAGE_EMPTY_RATIO", [](const Truth &x) { return x.t.page_empty; }},
	{"DRAM_PAGE_MISS_RATIO", [](const Truth &x) { return x.t.page_miss; }},
	{"LINK_UTILISATION", [](const Truth &x) { return x.used(); }},
	{"CORES_IN_C0", [](const Truth &x) { return kCores * x.t.core_c0; }},
	{"CORES_IN_C3", [](const Truth &x) { return kCores * x.t.core_c3; }},
	{"CORES_IN_C6", [](const Truth &x) { return kCores * x.t.core_c6; }},
	{"THERMAL_LIMIT_RATIO", [](const Truth &x) { return x.hot() / x.t.pclk_hz; }},
	// what is above and below the lines
	{"LLC_READ_LOOKUPS",
	 [](const Truth &x) {
		 return x.by_control() ? x.rate(0x1fc10000ff34, 0)
			: x.on.drd     ? x.reading_lookups()
				       : x.rate(0x0714, 0) + x.rate(0x0f15, 0);
	 }},
	{"LLC_READ_MISSES",
	 [](const Truth &x) { return x.by_control() ? x.rate(0x1fc100000134, 0) : x.t.reads; }},
	{"TOR_DRD_REQUESTS", [](const Truth &x) { return x.requests({x.on.drd}); }},
	{"TOR_DRD_MISS_REQUESTS", [](const Truth &x) { return x.requests({x.on.drd}, true); }},
	{"TOR_DRD_HIT_REQUESTS", [](const Truth &x) { return x.hits(x.on.drd); }},
	{"TOR_RFO_REQUESTS", [](const Truth &x) { return x.requests(x.on.rfo); }},
	{"TOR_RFO_MISS_REQUESTS", [](const Truth &x) { return x.requests(x.on.rfo, true); }},
	{"TOR_DRD_OCCUPANCY",
	 [](const Truth &x) { return x.requests({x.on.drd}) * x.clocks(x.drd_ns()); }},
	{"TOR_DRD_MISS_OCCUPANCY",
	 [](const Truth &x) { return x.requests({x.on.drd}, true) * x.clocks(x.miss_ns()); }},
	{"TOR_DRD_HIT_OCCUPANCY",
	 [](const Truth &x) { return x.hits(x.on.drd) * x.clocks(x.t.hit_ns); }},
	{"TOR_DRD_NOT_EMPTY_CYCLES",
	 [](const Truth &x) { return x.threshold(x.on.queue, x.on.queue_filter, 1); }},
	{"SLICE_CYCLES", [](const Truth &x) { return x.slice_hz() * x.slices; }},
	{"INGRESS_REQUESTS",
	 [](const Truth &x) { return x.rate(x.on.irq, 0) / x.clocks(x.t.ingress_ns); }},
	{"INGRESS_OCCUPANCY", [](const Truth &x) { return x.rate(x.on.irq, 0); }},
	{"INGRESS_GE1_CYCLES", [](const Truth &x) { return x.threshold(x.on.irq, 0, 1); }},
	{"INGRESS_GE7_CYCLES", [](const Truth &x) { return x.threshold(x.on.irq, 0, 7); }},
	{"INGRESS_GE14_CYCLES", [](const Truth &x) { return x.threshold(x.on.irq, 0, 14); }},
	{"INGRESS_GE18_CYCLES", [](const Truth &x) { return x.threshold(x.on.irq, 0, 18); }},
	{"INGRESS_CYCLES", [](const Truth &x) { return x.slice_hz() * x.slices; }},
	{"DRAM_ACCESSES", [](const Truth &x) { return x.accesses(); }},
	{"DRAM_PAGE_HITS",
	 [](const Truth &x) { return x.accesses() * (1 - x.t.page_miss - x.t.page_empty); }},
	{"DRAM_PAGE_EMPTIES", [](const Truth &x) { return x.accesses() * x.t.page_empty; }},
	{"DRAM_PAGE_MISSES", [](const Truth &x) { return x.accesses() * x.t.page_miss; }},
	{"LINK_SLOTS", [](const Truth &x) { return x.slots(); }},
	{"LINK_SLOTS_USED", [](const Truth &x) { return x.used() * x.slots(); }},
	{"PCU_CYCLES", [](const Truth &x) { return x.t.pclk_hz; }},
	{"CORES_IN_C0_CYCLES", [](const Truth &x) { return kCores * x.t.core_c0 * x.t.pclk_hz; }},
	{"CORES_IN_C3_CYCLES", [](const Truth &x) { return kCores * x.t.core_c3 * x.t.pclk_hz; }},
	{"CORES_IN_C6_CYCLES", [](const Truth &x) { return kCores * x.t.core_c6 * x.t.pclk_hz; }},
	{"THERMAL_LIMIT_CYCLES", [](const Truth &x) { return x.hot(); }},
};

constexpr const char *kPrefix = "UNCORE_";

class Metrics : public testing::TestWithParam<Platform>
{
      protected:
	static std::string spec(const std::string &name)
	{
		const bool one = name == "knl";

		return support::machine_with(name, "time=virtual,cores=8" +
							   std::string(one ? "" : ",packages=2"));
	}
	// Traffic that no two packages, and no two quantities, have in common.
	void disturb(sim *machine, unsigned package)
	{
		struct sim_traffic *t = sim_traffic(machine, package);

		t->uclk_hz *= 1 + 0.173 * package;
		t->hit_ns += 1.9 * package;
		t->local_ns += 17.3 * package;
		t->ingress_ns = on.ingress_ns - 20 * package;
		t->page_miss += 0.031 * package;
		t->remote_reads += 0.057 * package;
		t->reads *= 1 + 0.29 * package;
	}

	const Platform &on = GetParam();
	const std::string name = spec(on.name);
	support::Handle machine{support::sim_options(name.c_str())};
	sim *sim_ = unc_hw_sim(unc_hw_of(machine.u));
	const unsigned packages = machine.machine().packages;

	void SetUp() override
	{
		for (unsigned p = 0; p < packages; p++)
			disturb(sim_, p);
	}
	double measure(const std::string &event)
	{
		const unsigned id = machine.event(event);
		auto info = support::sized<struct uncore_event_info>();
		support::Set set(machine);
		int64_t value;

		EXPECT_EQ(0, uncore_event_info(machine.u, id, &info));
		EXPECT_EQ(0, uncore_set_assign(set.set, &id, 1)) << machine.message();
		EXPECT_EQ(0, set.start()) << machine.message();
		sim_advance(sim_, kSecond / 2);
		value = set.count();
		EXPECT_EQ(0, set.stop());
		return info.real ? uncore_real(value) : 2.0 * static_cast<double>(value);
	}
	// The model and the library call them differently.
	unsigned slice_count()
	{
		return (machine.present(on.slice) + machine.present("cbo")) / packages;
	}
	std::vector<std::string> listed()
	{
		std::vector<std::string> names;
		auto info = support::sized<struct uncore_event_info>();

		for (unsigned id : support::listed(machine))
			if (uncore_event_info(machine.u, id, &info) == 0 && *info.formula)
				names.emplace_back(info.name);
		return names;
	}
};

bool is_split(const std::string &name)
{
	return name.find("_SPLIT") != std::string::npos;
}

TEST(MetricsOfEachMachine, AreCompared)
{
	for (const char *machine : support::machines_with_events())
		EXPECT_EQ(1, std::count_if(std::begin(kPlatforms), std::end(kPlatforms),
					   [machine](const Platform &p) {
						   return machine == std::string(p.name);
					   }))
			<< "nothing compares the metrics of sim:" << machine
			<< " with what it does: add a row to kPlatforms of this test";
}

TEST_P(Metrics, ShowTheModelsTraffic)
{
	const unsigned slices = slice_count();
	const std::vector<std::string> names = listed();

	double worst = 0; // what docs/accuracy.md tells

	EXPECT_LT(8u, names.size());
	for (const std::string &name : names) {
		const auto truth = kTruth.find(name.substr(strlen(kPrefix)));

		if (is_split(name))
			continue;
		ASSERT_NE(kTruth.end(), truth) << name;
		for (unsigned p = 0; p < packages; p++) {
			const double expected = truth->second(Truth(sim_, on, p, packages, slices));

			const double error =
				measure(name + ":pkg=" + std::to_string(p)) / expected - 1;

			EXPECT_LT(0, expected) << name;
			EXPECT_NEAR(0, error, 0.0001)
				<< name << " of package " << p << ": " << expected;
			worst = std::max(worst, std::abs(error));
		}
	}
	RecordProperty("worst", std::to_string(1e9 * worst) + " ppb");
}

// Metrics for tools that subtract.
TEST_P(Metrics, EachMeanIsTheQuotientOfTwoCountsOfOneWindow)
{
	const std::vector<std::string> names = listed();
	const std::set<std::string> all(names.begin(), names.end());

	for (const unc_metric *m = unc_metrics; *m->name; m++) {
		const std::string place = ":pkg=" + std::to_string(packages - 1);
		const unc_metric *above = unc_metric_above(m), *below = unc_metric_below(m);
		const bool two = below && *below->name;
		const std::string clock = strstr(m->name, "DRAM_READ_QUEUE")
						  ? "UNC_M_CLOCKTICKS:box=0"
						  : "UNCORE_CLOCKTICKS";

		if (!all.count(m->name) || m->kind == UNC_TOTAL || m->kind == UNC_LEVEL)
			continue;
		SCOPED_TRACE(m->name);
		ASSERT_TRUE(above && all.count(above->name));
		ASSERT_TRUE(!two || all.count(below->name));
		ASSERT_TRUE(two || m->kind == UNC_RATE || m->kind == UNC_POWER);
		std::vector<std::string> together = {m->name + place, above->name + place,
						     (two ? below : above)->name + place};
		if (m->kind == UNC_TIME)
			together.push_back(clock + place);
		support::Set set(machine, together);
		ASSERT_EQ(0, set.start()) << machine.message();
		sim_advance(sim_, kSecond / 2);
		const std::vector<int64_t> n = set.counts();
		const double seconds = 0.5, counted = static_cast<double>(n[1]);
		double quotient = counted / (two ? static_cast<double>(n[2]) : seconds);

		if (m->kind == UNC_TIME)
			quotient *= seconds * 1e9 / static_cast<double>(n[3]);
		if (m->kind == UNC_POWER)
			quotient *= 1e-6; // microjoules
		EXPECT_NEAR(1, quotient / uncore_real(n[0]), 1e-6);
		EXPECT_EQ(0, set.stop());
	}
}

// It is the first number that is asked for, and the sum of the two others to the byte.
TEST_P(Metrics, MemoryBytesAreReadBytesPlusWriteBytes)
{
	const std::string split = machine.present("mbox") ? "_SPLIT" : "";

	for (const std::string &place : {std::string(), std::string(":pkg=0")}) {
		support::Set set(machine, {"UNCORE_MEM_BYTES" + split + place,
					   "UNCORE_MEM_READ_BYTES" + split + place,
					   "UNCORE_MEM_WRITE_BYTES" + split + place});
		ASSERT_EQ(0, set.start()) << machine.message();
		sim_advance(sim_, kSecond / 2);
		const std::vector<int64_t> n = set.counts();
		EXPECT_LT(0, n[0]);
		EXPECT_EQ(n[0], n[1] + n[2]) << place;
		EXPECT_EQ(0, set.stop());
	}
}

// A device's write of a part of a line is a line to the slices, and its own number of bytes to the
// stack.
TEST_P(Metrics, BytesOfTheStacksAreExactWhereLinesAreWrittenInPart)
{
	const Truth x(sim_, on, 0, packages, slice_count());
	unsigned id;

	if (!x.t.partial_opcode) {
		EXPECT_FALSE(on.opcodes_in_control()) << "devices write parts of lines there";
		return;
	}
	ASSERT_EQ(0, uncore_event(machine.u, "UNCORE_IIO_WRITE_BYTES:pkg=0", &id));
	const double lines = x.requests({0x188 | kDevice}), parts = x.requests({0x1a8 | kDevice});
	const double written = 64 * lines + x.t.partial_bytes * parts;

	ASSERT_LT(0.2, parts / (lines + parts));
	EXPECT_NEAR(1, measure("UNCORE_IIO_WRITE_BYTES:pkg=0") / written, 1e-4);
	EXPECT_NEAR(64 * (lines + parts) / written,
		    measure("UNCORE_PCIE_WRITE_BYTES:pkg=0") / written, 1e-4);
	EXPECT_LT(1.2, measure("UNCORE_PCIE_WRITE_BYTES:pkg=0") / written);
}

// Requests by kind of memory add up to those of all memory.
TEST_P(Metrics, MissesOfAllTiersAreTheMisses)
{
	const std::string metric = "UNCORE_TOR_DRD_MISS_";
	double sum = 0;
	unsigned id, tiers = 0;

	for (const char *tier : {"DDR", "PMEM", "CXL"})
		if (uncore_event(machine.u, (metric + tier + "_REQUESTS").c_str(), &id) == 0) {
			sum += measure(metric + tier + "_REQUESTS:pkg=0");
			tiers++;
		}
	if (tiers)
		EXPECT_NEAR(1, sum / measure(metric + "REQUESTS:pkg=0"), 0.01);
	else
		EXPECT_TRUE(uncore_event(machine.u, (metric + "DDR_REQUESTS").c_str(), &id) != 0);
}

// The latency of persistent memory is its own, and some three times that of DRAM.
TEST_P(Metrics, LatencyOfPersistentMemoryIsItsOwn)
{
	const Truth x(sim_, on, 0, packages, slice_count());
	const std::string metric = "UNCORE_TOR_DRD_MISS_";
	unsigned id;

	const std::string of = on.name;

	if (uncore_event(machine.u, (metric + "PMEM_LATENCY_NS").c_str(), &id) != 0) {
		EXPECT_TRUE(of != "icx" && of != "spr") << "Optane DIMMs fit there";
		return;
	}
	const double pmem = measure(metric + "PMEM_LATENCY_NS:pkg=0"),
		     dram = measure(metric + "DDR_LATENCY_NS:pkg=0"),
		     all = measure(metric + "LATENCY_NS:pkg=0");

	EXPECT_NEAR(x.t.pmem_slower, pmem / dram, 1e-3);
	EXPECT_LT(2.5, pmem / all);
	EXPECT_NEAR(all,
		    x.t.pmem_share * pmem + x.dram_share() * dram +
			    x.t.cxl_share * x.t.cxl_slower * dram,
		    1e-3 * all);
}

// Half of the boxes stand for all: on the simulated machine, whose boxes have unequal
// shares, that costs a few per cent.
TEST_P(Metrics, ApproximationsAreNear)
{
	const unsigned slices = slice_count();

	for (const std::string &name : listed()) {
		const std::string whole =
			name.substr(strlen(kPrefix), name.find("_SPLIT") - strlen(kPrefix));
		double expected = 0;

		if (!is_split(name))
			continue;
		const Truth first(sim_, on, 0, packages, slices);
		if (whole == "LLC_MISS_RATIO")
			expected = first.t.reads / first.reading_lookups();
		else
			expected = kTruth.at(whole)(first);
		const double error = measure(name + ":pkg=0") / expected - 1;
		EXPECT_NEAR(0, error, 0.1) << name;
		RecordProperty(name, std::to_string(100 * error));
	}
}

// Each declared collision is one, and says which terms and what to do.
TEST_P(Metrics, ConflictsAreRefusedWithTheTermsThatCollide)
{
	for (const char *name : {"LLC_MISS_RATIO", "TOR_DRD_HIT_LATENCY_CLOCKS", "PCIE_WRITE_BYTES",
				 "LLC_DATA_READ_MISSES", "LLC_CODE_READ_MISSES"}) {
		support::Set set(machine);
		struct uncore_plan *plan = nullptr;
		unsigned id;

		if (uncore_event(machine.u, (kPrefix + std::string(name)).c_str(), &id) < 0) {
			EXPECT_NE(std::string::npos,
				  machine.message().find("is not supported on this"))
				<< machine.message();
			continue;
		}
		ASSERT_EQ(0, uncore_plan(machine.u, &id, 1, nullptr, &plan));
		if (!plan->feasible) {
			const std::string why = plan->layout.reason;

			EXPECT_EQ(1u, plan->layout.n_conflict);
			EXPECT_EQ(UNCORE_ECONFLICT, uncore_set_assign(set.set, &id, 1));
			EXPECT_EQ(why, machine.message());
			EXPECT_EQ(0u, why.find(kPrefix + std::string(name) +
					       " cannot be measured in one window: UNC_C_"))
				<< why;
			EXPECT_NE(std::string::npos, why.find(" and ")) << why;
			EXPECT_EQ(name != std::string("TOR_DRD_HIT_LATENCY_CLOCKS"),
				  why.find("_SPLIT counts them in different boxes") !=
					  std::string::npos)
				<< why;
		}
		const std::vector<std::string> names = listed();
		EXPECT_EQ(plan->feasible,
			  std::count(names.begin(), names.end(), kPrefix + std::string(name)) == 1);
		uncore_plan_free(plan);
	}
}

INSTANTIATE_TEST_SUITE_P(All, Metrics, testing::ValuesIn(kPlatforms),
			 [](const auto &info) { return support::machine_label(info.param.name); });

} // namespace
