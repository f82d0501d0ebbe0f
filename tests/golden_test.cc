// golden_test.cc - the same events as recorded from the Linux driver: does the
// group fit, and which register gets which value?  Where we differ on purpose
// the tables here say so; they have to be exact in both directions.
#include <algorithm>
#include <fnmatch.h>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "support/golden.h"
#include "support/simulated.h"

namespace
{

using nlohmann::json;

constexpr uint64_t kEnable = 1u << 22;
constexpr int kFixed = -1;

enum Outcome { FITS, NO_ROOM, REFUSED }; // REFUSED: the event as such, whatever else counts

struct Difference {
	const char *cases; // glob
	bool driver_accepts;
	Outcome ours;
	const char *why;
};

const char *const kReserved =
	"The driver clears bits that a control does not have; we refuse them, for they are a "
	"mistake in the name.";
const char *const kPseudo =
	"The driver takes event 0xff without umask for its pseudo code of the fixed counter and "
	"refuses it where there is none; to the hardware it is an event code like any other.";
const char *const kStarved =
	"Event 0x03 counts on 0 and 1 only (Intel's tables); the driver lacks that row, so it "
	"finds a counter for a third event.";
const char *const kTimeShared =
	"Not one group: the driver lets its groups take turns, we do not multiplex.";

const char *const kInvert =
	"Ivy Bridge-EP has no invert bit: the driver drops it and counts something else.";
const char *const kCompanion =
	"COUNTER0_OCCUPANCY follows counter 0: libpfm4 has it on the other three, the driver on all.";
const char *const kPerPmu =
	"That a group stays within one PMU is a rule of perf; our sets span boxes.";
const char *const kAnyCpu =
	"perf has no uncore event without a CPU; a name without pkg= counts all packages.";

using Differences = std::vector<Difference>;

/* On every platform. */
const Differences kCommon = {
	{"reserved_bits/*", true, REFUSED, kReserved},
	{"reserved_bits32/*", true, REFUSED, kReserved},
	{"fixed/uncore_pcu", false, FITS, kPseudo},
};

/* Likewise, of several groups at a time. */
const Differences kGroups = {
	{"two_leaders_conflict_same_ctr0", true, NO_ROOM, kTimeShared},
	{"leaders_5", true, NO_ROOM, kTimeShared},
	{"cross_box_group", false, FITS, kPerPmu},
	{"cpu_minus1", false, FITS, kAnyCpu},
};

/* Of platforms with C-Boxes, all but the last. */
const Difference kCboxFixed = {"fixed/uncore_cbox_*", false, FITS, kPseudo};
const Difference kTwoFilters = {"two_leaders_conflict_filter", true, NO_ROOM, kTimeShared};

/* A case whose filter, in the layout of Linux's config1, is not the driver's. */
struct FilterDifference {
	const char *name; // case
	uint64_t driver, ours;
	const char *why;
};

const char *const kBandMask =
	"hswep_pcu_hw_config() cuts band n out of config1 with 0xff << n where byte n is meant: "
	"all bands but 0 get a wrong frequency (facts/hswep.md 7).";
const char *const kUnlisted =
	"Umask 0x43 is not in the driver's list, so it leaves the filter as it was; the event "
	"counts nothing without a state, and its bit 6 compares the node id.";

const std::vector<FilterDifference> kHsxFilters = {
	{"llc_nid", 0, UINT64_C(0x300020000), kUnlisted},
	{"pcu_band1", 0, 0x1400, kBandMask},
	{"pcu_band2", 0, 0x140000, kBandMask},
	{"pcu_band3", 0, 0x14000000, kBandMask},
	{"pcu_4bands", 0x10a, 0x0d0c0b0a, kBandMask},
	{"pcu_band_all", 0x11, 0x2211, kBandMask},
};

/* Register layout as in facts/<platform>.md 1, not as in events/. */
struct Registers {
	uint32_t ctl, ctl_step, ctr, ctr_step, stride, fixed_ctl, fixed_ctr;
	uint32_t (*distance)(unsigned box) = nullptr; // where the stride is irregular
};

/* A filter MSR of n boxes, and the bit of Linux's config1 that it begins with. */
struct Filter {
	uint32_t first, stride, n;
	unsigned shift;
};

struct Platform {
	std::string name;
	std::vector<const char *> files;
	unsigned cases, cores; // cores: in a package of the recorded machine
	std::map<std::string, Registers> registers;
	std::vector<Filter> filters;
	Differences own;
	std::vector<FilterDifference> filter_differences;
	bool groups = true; // several at a time were recorded, too
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

const Registers kPci = {0xd8, 4, 0xa0, 8, 0, 0, 0}, kChannel = {0xd8, 4, 0xa0, 8, 0, 0xf0, 0xd0};

const Platform kSnbep = {
	"snbep",
	{"snbep.jsonl", "snbep_pci.jsonl"},
	436,
	8,
	{
		{"cbo", {0xd10, 1, 0xd16, 1, 0x20, 0, 0}},
		{"ubo", {0xc10, 1, 0xc16, 1, 0, 0xc08, 0xc09}},
		{"pcu", {0xc30, 1, 0xc36, 1, 0, 0, 0}},
		{"imc", kChannel},
		{"ha", kPci},
		{"qpi", kPci},
		{"r2pcie", kPci},
		{"r3qpi", kPci},
	},
	{{0xd14, 0x20, 8, 0}, {0xc34, 1, 1, 0}},
	{
		kCboxFixed,
		kTwoFilters,
		{"allbits/*", true, REFUSED, kReserved},
		{"fixed/uncore_ha", false, FITS, kPseudo},
		{"fixed/uncore_qpi_*", false, FITS, kPseudo},
		{"fixed/uncore_r2pcie", false, FITS, kPseudo},
		{"fixed/uncore_r3qpi_*", false, FITS, kPseudo},
		{"fill3/uncore_cbox_*", true, NO_ROOM, kStarved},
	},
	{},
};

const Platform kIvbep = {
	"ivbep",
	{"ivbep.jsonl"},
	378,
	15,
	{
		{"cbo", {0xd10, 1, 0xd16, 1, 0x20, 0, 0}},
		{"ubo", {0xc10, 1, 0xc16, 1, 0, 0xc08, 0xc09}},
		{"pcu", {0xc30, 1, 0xc36, 1, 0, 0, 0}},
	},
	{{0xd14, 0x20, 15, 0}, {0xd1a, 0x20, 15, 32}, {0xc34, 1, 1, 0}},
	{
		kCboxFixed,
		kTwoFilters,
		{"attr/uncore_ubox/*inv=1*", true, REFUSED, kInvert},
		{"fill3/uncore_cbox_*", true, NO_ROOM, kStarved},
	},
	{},
};

/* Three banks of CHAs, facts/icx.md 1; the third lies below the others. */
uint32_t icx_cha(unsigned box)
{
	return box < 18   ? 0x2a0 + 0xe * box
	       : box < 34 ? 0x3aa + 0xe * (box - 18)
			  : 0xe * (box - 34);
}

uint32_t icx_stack(unsigned box)
{
	return box < 3 ? 0x20 * box : 0x90 + 0x20 * (box - 3);
}

/* Haswell-EP and Broadwell-EP have the same registers. */
const std::map<std::string, Registers> kHsxRegisters = {
	{"cbo", {0xe01, 1, 0xe08, 1, 0x10, 0, 0}},
	{"sbo", {0x721, 1, 0x726, 1, 0xa, 0, 0}},
	{"ubo", {0x705, 1, 0x709, 1, 0, 0x703, 0x704}},
	{"pcu", {0x711, 1, 0x717, 1, 0, 0, 0}},
};

const Difference kSboxFixed = {"fixed/uncore_sbox_*", false, FITS, kPseudo};

const Platform kHswep = {
	"hswep",
	{"hswep.jsonl"},
	478,
	18,
	kHsxRegisters,
	{{0xe05, 0x10, 18, 0}, {0xe06, 0x10, 18, 32}, {0x715, 1, 1, 0}, {0x707, 1, 1, 0}},
	{
		kCboxFixed,
		kTwoFilters,
		kSboxFixed,
		{"inf_occ0_x4", true, NO_ROOM, kCompanion},
	},
	kHsxFilters,
};

/* Its U-Box has no filter in the driver, and none here. */
const Platform kBdx = {
	"bdx",
	{"bdx.jsonl"},
	586,
	24,
	kHsxRegisters,
	{
		{0xe05, 0x10, 24, 0},
		{0xe06, 0x10, 24, 32},
		{0x715, 1, 1, 0},
	},
	{
		kCboxFixed,
		kTwoFilters,
		kSboxFixed,
	},
	kHsxFilters,
};

const char *const kUnlistedState =
	"Umask 0x43 is not in the driver's list, so it leaves the filter as it was; the event "
	"counts nothing without a state.";
const char *const kTidFields =
	"With tid_en the driver takes a mask for a field number (facts/skx.md 7), and does not count "
	"the thread id, which it writes, among the bits that belong to the event.";
const char *const kPcuThreshold =
	"The control has 5 bits of threshold and the occupancy bits above; the driver's format "
	"file offers 8 bits, and it drops what does not fit.";

const Platform kSkx = {
	"skx",
	{"skx.jsonl"},
	993,
	28,
	{
		{"cha", {0xe01, 1, 0xe08, 1, 0x10, 0, 0}},
		{"iio", {0xa48, 1, 0xa41, 1, 0x20, 0, 0}},
		{"irp", {0xa5b, 1, 0xa59, 1, 0x20, 0, 0}},
		{"ubo", {0x705, 1, 0x709, 1, 0, 0x703, 0x704}},
		{"pcu", {0x711, 1, 0x717, 1, 0, 0, 0}},
	},
	{{0xe05, 0x10, 28, 0}, {0xe06, 0x10, 28, 32}, {0x715, 1, 1, 0}},
	{
		{"fixed/uncore_cha_*", false, FITS, kPseudo},
		{"fixed/uncore_iio_*", false, FITS, kPseudo},
		{"fixed/uncore_irp_*", false, FITS, kPseudo},
		{"attr/uncore_pcu/thresh=255", true, REFUSED, kPcuThreshold},
	},
	{
		{"llc_nid", 0, 0x20000, kUnlistedState},
		{"tid", 0x3000000000000, 0x300000000001f, kTidFields},
		{"pcu_band1", 0, 0x1400, kBandMask},
		{"pcu_band2", 0, 0x140000, kBandMask},
		{"pcu_band3", 0, 0x14000000, kBandMask},
		{"pcu_4bands", 0x10a, 0x0d0c0b0a, kBandMask},
		{"pcu_band_all", 0x11, 0x2211, kBandMask},
	},
};

const char *const kThirdChannel =
	"The driver has three channels a controller without asking; the parts have two, and the "
	"simulated machine, too (facts/icx.md 9).";

const Platform kIcx = {
	"icx",
	{"icx.jsonl"},
	1620,
	40,
	{
		{"cha", {0xb61, 1, 0xb68, 1, 0, 0, 0, icx_cha}},
		{"iio", {0xa58, 1, 0xa51, 1, 0, 0, 0, icx_stack}},
		{"irp", {0xa4d, 1, 0xa4b, 1, 0, 0, 0, icx_stack}},
		{"m2pcie", {0xa46, 1, 0xa41, 1, 0, 0, 0, icx_stack}},
		{"ubo", {0x705, 1, 0x709, 1, 0, 0x703, 0x704}},
		{"pcu", {0x711, 1, 0x717, 1, 0, 0, 0}},
		{"imc", {0x40, 4, 0x8, 8, 0, 0x54, 0x38}}, // from the channel's base on
	},
	{{0xe05, 0xe, 18, 0}, {0xf0f, 0xe, 16, 0}, {0xb65, 0xe, 6, 0}, {0x715, 1, 1, 0}},
	{
		{"fixed/uncore_cha_*", false, FITS, kPseudo},
		{"fixed/uncore_iio_*", false, FITS, kPseudo},
		{"fixed/uncore_irp_*", false, FITS, kPseudo},
		{"fixed/uncore_m2pcie_*", false, FITS, kPseudo},
		{"@(single|attr)/uncore_imc_@(2|5|8|11)/*", true, REFUSED, kThirdChannel},
		{"@(single_ev0|fixed|fill[234])/uncore_imc_@(2|5|8|11)", true, REFUSED,
		 kThirdChannel},
		{"attr/uncore_pcu/thresh=255", true, REFUSED, kPcuThreshold},
	},
	{
		/* with what the case before left: the recording does not tell which bits are whose
		 */
		{"pcu_band1", 0x14, 0x1400, kBandMask},
		{"pcu_band2", 0x14, 0x140000, kBandMask},
		{"pcu_band3", 0x14, 0x14000000, kBandMask},
		{"pcu_4bands", 0x10a, 0x0d0c0b0a, kBandMask},
		{"pcu_band_all", 0x11, 0x2211, kBandMask},
	},
	false,
};

/* Where a register is: package for an MSR, "bus:device.function" for PCI. */
using Address = std::pair<std::string, uint32_t>;

std::string hex(uint64_t value)
{
	return golden_hex(value);
}

std::string raw_name(const std::string &platform, const json &event)
{
	const GoldenPmu pmu(event["pmu"]);
	std::string name = platform + "_unc_" + pmu.kind + "::RAW";

	for (const char *word : {"config", "config1", "config2"})
		if (event.contains(word))
			name += std::string(":") + word + "=" + event[word].get<std::string>();
	if (pmu.box >= 0)
		name += ":box=" + std::to_string(pmu.box);
	if (event["cpu"].get<int>() >= 0)
		name += ":cpu=" + std::to_string(event["cpu"].get<int>());
	return name;
}

/* What we make of a case, all boxes of it. */
struct Ours {
	Outcome outcome = FITS;
	std::vector<const struct unc_event *> events;
	std::vector<struct unc_setting> settings; // of each event, in its first box
	std::vector<Address> controls, counters;
	std::map<Address, uint64_t> written;
	std::set<Address> read;
	std::vector<Address> order;              // of the writes
	std::vector<std::vector<Address>> boxes; // the same, by box
};

class Golden : public testing::TestWithParam<Platform>
{
      protected:
	const Platform &platform = GetParam();
	const std::string spec =
		"sim:" + platform.name + ":packages=2,cores=" + std::to_string(platform.cores);
	Simulated sim{(spec + ",time=virtual").c_str()};

	std::vector<json> cases() const
	{
		std::vector<json> all;

		for (const char *file : platform.files)
			for (const json &c : golden_lines(file))
				all.push_back(c);
		return all;
	}
	std::string raw(const json &event) const
	{
		return raw_name(platform.name, event);
	}

	Address address(const struct uncore_op &op)
	{
		char text[32];

		if (op.space == UNCORE_MSR)
			return {"package " + std::to_string(op.package), op.address};
		if (op.space == UNCORE_MMIO)
			return {"memory of package " + std::to_string(op.package), op.address};
		const struct unc_pci &p = sim.machine.topo.pci[op.unit];
		EXPECT_EQ(p.devfn, op.devfn);
		snprintf(text, sizeof(text), "%02x:%02x.%x", p.bus, p.devfn >> 3, p.devfn & 7);
		return {text, op.address};
	}
	/* Of the counter's control or, with count, of its count. */
	Address expected(const struct unc_box &b, int counter, bool count)
	{
		const Registers &r = platform.registers.at(b.type->name);
		const uint32_t base = count ? r.ctr : r.ctl, step = count ? r.ctr_step : r.ctl_step;
		const uint32_t away = r.distance ? r.distance(b.index) : r.stride * b.index;
		const uint32_t reg = counter == kFixed ? (count ? r.fixed_ctr : r.fixed_ctl)
						       : base + step * counter + away;
		struct uncore_op op = unc_read_op(&sim.machine, &b, 0);

		op.address = reg + (op.space == UNCORE_MMIO ? b.offset : 0);
		return address(op);
	}
	void program(Ours &ours, const struct unc_box &b, const struct unc_setting *s, unsigned n)
	{
		const struct unc_use before = {}, after = together(before, s, n);
		const struct unc_job job = {&sim.machine, &b, &before, &after, s, n};
		Ops writes, read;

		unc_program_setup(&writes, &job);
		unc_program_start(&writes, &job);
		unc_program_read(&read, &job);
		note(ours.order, ours.written, writes.op, writes.n);
		ours.boxes.push_back({});
		note(ours.boxes.back(), ours.written, writes.op, writes.n);
		for (const auto &op : read)
			ours.read.insert(address(op));
	}
	void note(std::vector<Address> &order, std::map<Address, uint64_t> &written,
		  const struct uncore_op *op, size_t n)
	{
		for (size_t i = 0; i < n; i++) {
			if (op[i].kind != UNCORE_WRITE)
				continue;
			order.push_back(address(op[i]));
			written[address(op[i])] = op[i].value;
		}
	}
	void plan_box(Ours &ours, const struct unc_box &b)
	{
		std::vector<const struct unc_event *> here;
		std::vector<struct unc_setting> out(UNC_SLOTS + 8);
		std::vector<size_t> index;

		for (size_t i = 0; i < ours.events.size(); i++) {
			const struct unc_event *ev = ours.events[i];

			if (ev->type != b.type || (ev->box >= 0 && ev->box != b.index) ||
			    (ev->package >= 0 && ev->package != b.package))
				continue;
			here.push_back(ev);
			index.push_back(i);
		}
		if (here.empty() || ours.outcome != FITS)
			return;
		if (!unc_assign(b.type, nullptr, here.data(), here.size(), out.data())) {
			ours.outcome = NO_ROOM;
			return;
		}
		for (size_t k = 0; k < here.size(); k++) {
			const int counter =
				out[k].counter == b.type->n_counters ? kFixed : out[k].counter;

			ours.settings[index[k]] = out[k];
			ours.controls[index[k]] = expected(b, counter, false);
			ours.counters[index[k]] = expected(b, counter, true);
		}
		program(ours, b, out.data(), here.size());
	}
	Ours plan(const json &c)
	{
		const size_t n = c["events"].size();
		Ours ours;

		for (const auto &event : c["events"])
			ours.events.push_back(sim.event(raw(event)));
		if (std::count(ours.events.begin(), ours.events.end(), nullptr)) {
			ours.outcome = REFUSED;
			return ours;
		}
		ours.settings.resize(n);
		ours.controls.resize(n);
		ours.counters.resize(n);
		for (size_t i = 0; i < sim.machine.n_boxes; i++)
			plan_box(ours, sim.machine.boxes[i]);
		return ours;
	}
	std::vector<std::pair<Address, uint64_t>> writes_of_driver(const json &c)
	{
		std::vector<std::pair<Address, uint64_t>> list;

		for (const auto &w : c["writes"]) {
			const std::string where =
				w[0].is_string()
					? w[0].get<std::string>()
					: "package " + std::to_string(w[0].get<unsigned>() /
								      platform.cores);

			list.push_back({{where, static_cast<uint32_t>(golden_number(w[1]))},
					golden_number(w[2])});
		}
		return list;
	}
	/* The driver's accesses to memory left no trace: only its answers are known. */
	bool traced(const json &c) const
	{
		for (const auto &event : c["events"])
			if (sim.type(GoldenPmu(event["pmu"]).kind)->space == UNCORE_MMIO)
				return false;
		return true;
	}
	/* The filter MSR at this address, if it is one. */
	const Filter *filter(const Address &a) const
	{
		if (a.first.find("package") != 0)
			return nullptr;
		for (const Filter &f : platform.filters)
			if (a.second >= f.first && (a.second - f.first) % f.stride == 0 &&
			    (a.second - f.first) / f.stride < f.n)
				return &f;
		return nullptr;
	}
	bool is_filter(const Address &a) const
	{
		const bool pci = a.first.find("package") != 0;

		return pci ? a.second >= 0x228 && a.second < 0x240 : filter(a) != nullptr;
	}
	uint64_t owned(const json &c, const Address &a) const
	{
		const uint64_t bits = golden_number(c.value("filter_owned", "0xffffffffffffffff"));
		const Filter *f = filter(a);

		return bits >> (f ? f->shift : 0) & 0xffffffff;
	}
	/* Free-running counters have one code each: everybody refuses all others. */
	const Difference *listed(const std::string &name) const
	{
		if (name.find("_free_running_") != std::string::npos)
			return nullptr;
		for (const Differences *list : {&kCommon, &kGroups, &platform.own})
			for (const auto &d : *list)
				if (fnmatch(d.cases, name.c_str(), FNM_EXTMATCH) == 0)
					return &d;
		return nullptr;
	}
	const FilterDifference *listed_filter(const std::string &name) const
	{
		for (const auto &d : platform.filter_differences)
			if (name == d.name)
				return &d;
		return nullptr;
	}
	/* All filters of a case together. */
	uint64_t filters(const std::map<Address, uint64_t> &written) const
	{
		uint64_t all = 0;

		for (const auto &[where, value] : written)
			if (filter(where))
				all |= value << filter(where)->shift;
		return all;
	}
	void compare_events(const json &c, const Ours &ours);
	void compare_filters(const json &c, const Ours &ours);
};

/* Every event: the driver's control value on the driver's counter is ours on ours. */
void Golden::compare_events(const json &c, const Ours &ours)
{
	std::map<Address, uint64_t> last;

	for (const auto &[where, value] : writes_of_driver(c))
		last[where] = value;
	for (size_t i = 0; i < ours.events.size(); i++) {
		const struct unc_event *ev = ours.events[i];
		const json &counter = c["events"][i]["counter"];
		const struct unc_box &b =
			*sim.box(ev->type->name, std::max(ev->box, 0), std::max(ev->package, 0));
		const int theirs = counter.is_string() ? kFixed : counter.get<int>();
		const Address where = expected(b, theirs, false);

		SCOPED_TRACE("event " + std::to_string(i));
		ASSERT_TRUE(last.count(where)) << where.first << " " << hex(where.second);
		ASSERT_TRUE(ours.written.count(ours.controls[i])) << hex(ours.controls[i].second);
		EXPECT_EQ(hex(last[where]), hex(ours.written.at(ours.controls[i])));
		EXPECT_TRUE(ours.read.count(ours.counters[i])) << hex(ours.counters[i].second);
		EXPECT_EQ(theirs == kFixed, ev->fixed);
		EXPECT_TRUE(ev->fixed || (ev->counters >> ours.settings[i].counter & 1));
	}
}

void Golden::compare_filters(const json &c, const Ours &ours)
{
	const FilterDifference *d = listed_filter(c["case"]);
	std::map<Address, uint64_t> theirs;

	for (const auto &[where, value] : writes_of_driver(c))
		if (is_filter(where))
			theirs[where] = value & owned(c, where);
	if (d) {
		EXPECT_EQ(hex(d->driver), hex(filters(theirs))) << "not as listed any more";
		EXPECT_EQ(hex(d->ours), hex(filters(ours.written))) << d->why;
		return;
	}
	for (const auto &[where, value] : theirs) {
		const auto mine = ours.written.find(where);

		if (mine == ours.written.end())
			EXPECT_EQ(hex(0), hex(value)) << where.first << hex(where.second);
		else
			EXPECT_EQ(hex(value), hex(mine->second)) << hex(where.second);
	}
	for (const auto &[where, value] : ours.written)
		EXPECT_TRUE(!is_filter(where) || value == 0 || theirs.count(where))
			<< "only we write " << hex(where.second);
}

TEST_P(Golden, EveryCaseFitsAsInTheDriverOrIsListed)
{
	std::map<const Difference *, unsigned> seen;
	unsigned n = 0;

	for (const json &c : cases()) {
		const std::string name = c["case"];
		const Difference *d = listed(name);
		const bool accepts = c["ok"];
		const Ours ours = plan(c);

		n++;
		seen[d]++;
		EXPECT_EQ(d ? d->driver_accepts : accepts, accepts) << name;
		if (d)
			EXPECT_EQ(d->ours, ours.outcome) << name << ": " << d->why;
		else
			EXPECT_EQ(accepts, ours.outcome == FITS) << name << " " << sim.why();
	}
	EXPECT_EQ(platform.cases, n);
	for (const Differences *list : {&kCommon, &kGroups, &platform.own})
		for (const auto &d : *list)
			EXPECT_TRUE(seen[&d] || (list == &kGroups && !platform.groups))
				<< "not in the recordings any more: " << d.cases;
}

TEST_P(Golden, RegistersGetTheDriversValues)
{
	std::set<std::string> unseen;

	for (const auto &d : platform.filter_differences)
		unseen.insert(d.name);
	for (const json &c : cases()) {
		const Ours ours = plan(c);

		if (ours.outcome != FITS || !c["ok"] || !traced(c))
			continue;
		SCOPED_TRACE(c["case"].get<std::string>());
		compare_events(c, ours);
		compare_filters(c, ours);
		unseen.erase(c["case"].get<std::string>());
		if (HasFailure())
			return;
	}
	for (const auto &name : unseen)
		ADD_FAILURE() << "not in the recordings any more: " << name;
}

/* In every list of writes of one box, ours and the driver's. */
TEST_P(Golden, FiltersComeBeforeControlsAsInTheDriver)
{
	unsigned with_filter = 0;

	for (const json &c : cases()) {
		const Ours ours = plan(c);
		const auto is_control = [&ours](const Address &a) {
			return std::count(ours.controls.begin(), ours.controls.end(), a);
		};
		const auto a_filter = [this](const Address &a) { return is_filter(a); };
		std::vector<Address> theirs;

		if (ours.outcome != FITS || !c["ok"] || !traced(c))
			continue;
		SCOPED_TRACE(c["case"].get<std::string>());
		for (const auto &list : ours.boxes) {
			const auto control = std::find_if(list.begin(), list.end(), is_control);

			EXPECT_EQ(list.end(), std::find_if(control, list.end(), a_filter));
		}
		for (const auto &w : writes_of_driver(c))
			theirs.push_back(w.first);
		for (size_t i = 0; i < theirs.size(); i++)
			if (is_filter(theirs[i])) {
				EXPECT_LT(i + 1, theirs.size());
				with_filter++;
			}
	}
	EXPECT_GT(with_filter, 40u);
}

/* The box control aside (frozen and reset at once, where the driver reads and modifies). */
TEST_P(Golden, NoRegisterIsWrittenThatTheDriverLeavesAlone)
{
	for (const json &c : cases()) {
		const Ours ours = plan(c);
		std::set<Address> theirs;
		size_t controls = 0, others = 0;

		if (ours.outcome != FITS || !c["ok"] || !traced(c) ||
		    c["case"] == "leaders_no_group_4" || listed_filter(c["case"]))
			continue;
		SCOPED_TRACE(c["case"].get<std::string>());
		for (const auto &w : writes_of_driver(c))
			theirs.insert(w.first);
		for (const auto &w : ours.written) {
			const bool control =
				std::count(ours.controls.begin(), ours.controls.end(), w.first);

			controls += control;
			others += !control && !(is_filter(w.first) && w.second == 0);
			EXPECT_TRUE(control || (is_filter(w.first) && w.second == 0) ||
				    theirs.count(w.first))
				<< w.first.first << " " << hex(w.first.second);
		}
		EXPECT_EQ(ours.events.size(), controls);
		EXPECT_GE(theirs.size(), controls + others);
	}
}

/* The same answer through uncore.h, where equal events share a counter. */
TEST_P(Golden, ThePublicPlanIsTheSame)
{
	const struct uncore_options options = {spec.c_str(), nullptr, -1, 0, nullptr};
	struct uncore *u = nullptr;

	ASSERT_EQ(0, uncore_open(&u, &options));
	for (const json &c : cases()) {
		std::set<std::string> names;
		std::vector<unsigned> ids;
		struct uncore_plan *p = nullptr;
		const Ours ours = plan(c);

		SCOPED_TRACE(c["case"].get<std::string>());
		for (const auto &event : c["events"]) {
			unsigned id = 0;

			EXPECT_EQ(ours.outcome != REFUSED,
				  uncore_event(u, raw(event).c_str(), &id) == 0);
			names.insert(raw(event));
			ids.push_back(id);
		}
		if (ours.outcome == REFUSED || names.size() != ids.size())
			continue;
		ASSERT_EQ(0, uncore_plan(u, ids.data(), ids.size(), &p));
		EXPECT_EQ(ours.outcome == FITS, p->feasible) << p->reason;
		EXPECT_EQ(p->feasible, p->reason[0] == '\0');
		std::map<Address, uint64_t> written;
		std::vector<Address> order;
		note(order, written, p->setup, p->n_setup);
		note(order, written, p->start, p->n_start);
		if (p->feasible) {
			EXPECT_EQ(ours.written, written);
			EXPECT_EQ(ours.order.size(), order.size());
		}
		uncore_plan_free(p);
	}
	uncore_close(u);
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::Values(kSnbep, kIvbep, kHswep, kBdx, kSkx, kIcx),
			 testing::PrintToStringParamName());

} // namespace
