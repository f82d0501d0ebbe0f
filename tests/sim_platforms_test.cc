// sim_platforms_test.cc - the simulated Xeons after SNB-EP: their register maps as
// literal numbers, and what all of them must do alike.
#include <cerrno>
#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/sim.h"

namespace
{

constexpr uint64_t kSecond = 1000000000;
constexpr uint64_t kEnable = 1u << 22, kOverflow = 1u << 20;
constexpr uint64_t kFreeze = 0x100;

enum class By { kMsr, kPci, kMmio };

struct Place {
	uint32_t device = 0; // PCI
	unsigned devfn = 0;
};

Place at(uint32_t device, unsigned dev, unsigned function)
{
	return {device, dev << 3 | function};
}

// A kind of box: registers of box 0, where the others are, and a clock event.
struct Kind {
	const char *name;
	unsigned n, counters, width;
	uint32_t box_ctl, control, control_step, counter, counter_step;
	unsigned clock;
	std::vector<uint32_t> offsets; // MSR
	std::vector<Place> places;     // PCI
	std::vector<uint32_t> list;    // where the counters are, if irregular
	By by = By::kMsr;
};

std::vector<uint32_t> stride(unsigned n, uint32_t step)
{
	std::vector<uint32_t> offsets;

	for (unsigned i = 0; i < n; i++)
		offsets.push_back(i * step);
	return offsets;
}

Kind msr(const char *name, unsigned counters, unsigned width, uint32_t box_ctl, uint32_t control,
	 uint32_t counter, unsigned clock, std::vector<uint32_t> offsets = {0})
{
	unsigned n = static_cast<unsigned>(offsets.size());

	return {name, n, counters, width, box_ctl, control, 1, counter, 1, clock, offsets, {}, {}};
}

Kind pci(const char *name, unsigned counters, unsigned width, unsigned clock,
	 std::vector<Place> places, std::vector<uint32_t> where = {0xf4, 0xd8, 4, 0xa0})
{
	unsigned n = static_cast<unsigned>(places.size());

	return {name,     n, counters, width, where[0], where[1], where[2],
		where[3], 8, clock,    {},    places,   {},       By::kPci};
}

struct Platform {
	std::string name;
	unsigned model, max_cores;
	uint64_t run;
	uint32_t global, status;
	uint64_t freeze_all, unfreeze_all;
	uint16_t node_device;
	uint32_t node_id, node_map;
	bool higher; // buses without UBox belong to the next higher one that has it
	std::vector<Kind> kinds;
};

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

Platform ivbep()
{
	Platform p = {"ivbep",  62,     15,   0x30000, 0xc00, 0xc01, 1u << 31,
		      1u << 29, 0x0e1e, 0x40, 0x54,    true,  {}};

	p.kinds = {
		msr("ubox", 2, 44, 0, 0xc10, 0xc16, 0),
		msr("cbox", 4, 44, 0xd04, 0xd10, 0xd16, 0, stride(10, 0x20)),
		msr("pcu", 4, 48, 0xc24, 0xc30, 0xc36, 0),
		pci("ha", 4, 48, 0, {at(0x0e30, 14, 1), at(0x0e38, 28, 1)}),
		pci("imc", 4, 48, 0,
		    {at(0x0eb4, 16, 4), at(0x0eb5, 16, 5), at(0x0eb0, 16, 0), at(0x0eb1, 16, 1),
		     at(0x0ef4, 30, 4), at(0x0ef5, 30, 5), at(0x0ef0, 30, 0), at(0x0ef1, 30, 1)}),
		pci("irp", 4, 48, 0, {at(0x0e39, 5, 6)}),
		pci("qpi", 4, 48, 0x14, {at(0x0e32, 8, 2), at(0x0e33, 9, 2), at(0x0e3a, 24, 2)}),
		pci("r2pcie", 4, 44, 1, {at(0x0e34, 19, 1)}),
		pci("r3qpi", 3, 44, 1, {at(0x0e36, 19, 5), at(0x0e37, 19, 6), at(0x0e3e, 18, 5)}),
	};
	p.kinds[5].list = {0xa0, 0xb0, 0xb8, 0xc0};
	return p;
}

Platform ring(const std::string &name, unsigned model, unsigned cores, unsigned max_cores,
	      uint32_t id, unsigned narrow)
{
	Platform p = {name,     model,    max_cores,
		      0x30000,  0x700,    0x701,
		      1u << 31, 1u << 29, static_cast<uint16_t>(id | 0x1e),
		      0x40,     0x54,     true,
		      {}};

	p.kinds = {
		msr("ubox", 2, narrow, 0, 0x705, 0x709, 0),
		msr("cbox", 4, 48, 0xe00, 0xe01, 0xe08, 0, stride(cores, 0x10)),
		msr("sbox", 4, narrow, 0x720, 0x721, 0x726, 0, stride(4, 0xa)),
		msr("pcu", 4, 48, 0x710, 0x711, 0x717, 0),
		pci("ha", 4, 48, 0, {at(id | 0x30, 18, 1), at(id | 0x38, 18, 5)}),
		pci("imc", 4, 48, 0,
		    {at(id | 0xb0, 20, 0), at(id | 0xb1, 20, 1), at(id | 0xb4, 21, 0),
		     at(id | 0xb5, 21, 1), at(id | 0xd0, 23, 0), at(id | 0xd1, 23, 1),
		     at(id | 0xd4, 24, 0), at(id | 0xd5, 24, 1)}),
		pci("irp", 4, 48, 0, {at(id | 0x39, 5, 6)}),
		pci("qpi", 4, 48, 0x14,
		    {at(id | 0x32, 8, 2), at(id | 0x33, 9, 2), at(id | 0x3a, 10, 2)}),
		pci("r2pcie", 4, 48, 1, {at(id | 0x34, 16, 1)}),
		pci("r3qpi", 3, narrow, 1,
		    {at(id | 0x36, 11, 1), at(id | 0x37, 11, 2), at(id | 0x3e, 11, 5)}),
	};
	return p;
}

Platform skx()
{
	Platform p = {
		"skx",  85,   28,   0x30000, 0x700, 0x701, UINT64_C(1) << 63, UINT64_C(1) << 61,
		0x2014, 0xc0, 0xd4, false,   {}};

	p.kinds = {
		msr("ubox", 2, 48, 0, 0x705, 0x709, 0),
		msr("cha", 4, 48, 0xe00, 0xe01, 0xe08, 0, stride(20, 0x10)),
		msr("iio", 4, 48, 0xa40, 0xa48, 0xa41, 1, stride(6, 0x20)),
		msr("irp", 2, 48, 0xa58, 0xa5b, 0xa59, 1, stride(6, 0x20)),
		msr("pcu", 4, 48, 0x710, 0x711, 0x717, 0),
		pci("imc", 4, 48, 0,
		    {at(0x2042, 10, 2), at(0x2046, 10, 6), at(0x204a, 11, 2), at(0x2042, 12, 2),
		     at(0x2046, 12, 6), at(0x204a, 13, 2)}),
		pci("m2m", 4, 48, 0, {at(0x2066, 8, 0), at(0x2066, 9, 0)},
		    {0x258, 0x228, 8, 0x200}),
		pci("upi", 4, 48, 1, {at(0x2058, 14, 0), at(0x2058, 15, 0), at(0x2058, 16, 0)},
		    {0x378, 0x350, 8, 0x318}),
		pci("m2pcie", 4, 48, 1,
		    {at(0x2088, 21, 1), at(0x2088, 22, 1), at(0x2088, 23, 1), at(0x2088, 21, 5)}),
		pci("m3upi", 3, 48, 1, {at(0x204d, 18, 1), at(0x204e, 18, 2), at(0x204d, 18, 5)}),
	};
	return p;
}

std::vector<Place> row(uint32_t device, unsigned first, unsigned n, unsigned function)
{
	std::vector<Place> places;

	for (unsigned i = 0; i < n; i++)
		places.push_back(at(device, first + i, function));
	return places;
}

Platform knl()
{
	Platform p = {"knl", 87, 72, 0,    0x700, 0x701, UINT64_C(1) << 63, UINT64_C(1) << 61,
		      0,     0,  0,  true, {}};

	p.kinds = {
		msr("ubox", 2, 48, 0, 0x705, 0x709, 0),
		msr("cha", 4, 48, 0xe00, 0xe01, 0xe08, 0, stride(38, 0xc)),
		msr("pcu", 4, 48, 0x710, 0x711, 0x717, 0),
		pci("imc_uclk", 4, 48, 0, row(0x7841, 10, 2, 0), {0x430, 0x420, 4, 0x400}),
		pci("imc", 4, 48, 0,
		    {at(0x7843, 8, 2), at(0x7843, 8, 3), at(0x7843, 8, 4), at(0x7843, 9, 2),
		     at(0x7843, 9, 3), at(0x7843, 9, 4)},
		    {0xb30, 0xb20, 4, 0xb00}),
		pci("edc_uclk", 4, 48, 0, row(0x7833, 15, 8, 0), {0x430, 0x420, 4, 0x400}),
		pci("edc_eclk", 4, 48, 0, row(0x7835, 24, 8, 2), {0xa30, 0xa20, 4, 0xa00}),
		pci("m2pcie", 4, 48, 1, {at(0x7817, 12, 1)}),
		pci("irp", 2, 48, 0, {at(0x7814, 5, 6)}, {0xf0, 0xd8, 4, 0xa0}),
	};
	return p;
}

Platform icx()
{
	Platform p = {
		"icx",  106,  40,   0x30000, 0x700, 0x70e, UINT64_C(1) << 63, UINT64_C(1) << 61,
		0x3450, 0xc0, 0xd4, true,    {}};
	const std::vector<uint32_t> stacks = {0, 0x20, 0x40, 0x90, 0xb0, 0xd0};
	std::vector<uint32_t> chas;
	Kind imc = {"imc", 12, 4, 48, 0, 0x40, 4, 8, 8, 0, {}, {}, {}, By::kMmio};

	for (unsigned i = 0; i < 32; i++)
		chas.push_back((i < 18 ? 0x2a0 : 0x3aa - 18 * 0xe) + i * 0xe);
	p.kinds = {
		msr("ubox", 2, 48, 0, 0x705, 0x709, 0),
		msr("cha", 4, 48, 0xb60, 0xb61, 0xb68, 0, chas),
		msr("iio", 4, 48, 0xa50, 0xa58, 0xa51, 1, stacks),
		msr("irp", 2, 48, 0xa4a, 0xa4d, 0xa4b, 1, stacks),
		msr("m2pcie", 4, 48, 0xa40, 0xa46, 0xa41, 1, stacks),
		msr("pcu", 4, 48, 0x710, 0x711, 0x717, 0),
		pci("m2m", 4, 48, 0, row(0x344a, 12, 4, 0), {0x438, 0x468, 8, 0x440}),
		pci("upi", 4, 48, 1, row(0x3441, 2, 3, 1), {0x318, 0x350, 8, 0x320}),
		pci("m3upi", 4, 48, 1, row(0x3446, 5, 3, 1), {0xa0, 0xd8, 4, 0xa8}),
		imc,
	};
	return p;
}

class Machine
{
      public:
	explicit Machine(const std::string &spec)
	{
		char err[300] = "";

		if (sim_open(spec.c_str(), &sim, err, sizeof(err)) != 0)
			throw std::runtime_error(err);
	}
	~Machine()
	{
		sim_close(sim);
	}
	Machine(const Machine &) = delete;
	Machine &operator=(const Machine &) = delete;

	uint64_t get(uint32_t address, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
		return value;
	}
	void set(uint32_t address, uint64_t value, unsigned package = 0)
	{
		EXPECT_EQ(0, sim_msr_write(sim, package, address, value))
			<< std::hex << address << " = " << value;
	}
	int try_set(uint32_t address, uint64_t value)
	{
		return sim_msr_write(sim, 0, address, value);
	}
	const sim_pci &function(uint32_t device, unsigned devfn, unsigned package = 0)
	{
		size_t n;
		const sim_pci *all = sim_pci_devices(sim, &n);

		for (size_t i = 0; i < n; i++)
			if (all[i].device == device && all[i].devfn == devfn &&
			    all[i].numa_node == static_cast<int>(package))
				return all[i];
		throw std::runtime_error("no such function");
	}
	uint64_t config(const sim_pci &pci, uint32_t offset, unsigned width = 32)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_pci_read(sim, 0, pci.bus, pci.devfn, offset, width, &value));
		return value;
	}
	void set_config(const sim_pci &pci, uint32_t offset, uint64_t value, unsigned width = 32)
	{
		EXPECT_EQ(0, sim_pci_write(sim, 0, pci.bus, pci.devfn, offset, width, value));
	}
	// ICX: where channel `i` of a package is, worked out from config space.
	uint64_t channel(unsigned i, unsigned package, uint32_t from_base = 0x22800)
	{
		const sim_pci &pci = function(0x3451, at(0, 0, 1).devfn, package);
		uint64_t base = (config(pci, 0xd0) & 0x1fffffff) << 23;

		base += (config(pci, 0xd8 + 4 * (i / 3)) & 0x7ff) << 12;
		return base + from_base + 0x4000 * (i % 3);
	}
	uint64_t mmio(uint64_t address, unsigned width = 64, unsigned package = 0)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_mmio_read(sim, package, address, width, &value));
		return value;
	}
	double rate(const char *kind, unsigned box, uint64_t control, uint64_t filter = 0,
		    unsigned package = 0)
	{
		return sim_rate(sim, package, kind, box, control, filter);
	}

	struct sim *sim = nullptr;
};

void expect_near(double expected, uint64_t actual)
{
	EXPECT_NEAR(expected, static_cast<double>(actual), 1.5 + 1e-9 * std::fabs(expected));
}

// One box of a machine, whichever way its registers are reached.
class Box
{
      public:
	Box(Machine &on, const Kind &of, unsigned index, unsigned in = 0)
	    : machine(on), kind(of), box(index), package(in)
	{
	}
	uint64_t get(uint32_t offset, unsigned width = 32)
	{
		if (kind.by == By::kMsr)
			return machine.get(offset + kind.offsets[box], package);
		if (kind.by == By::kMmio)
			return machine.mmio(machine.channel(box, package) + offset, width, package);
		return machine.config(pci(), offset, width);
	}
	void set(uint32_t offset, uint64_t value, unsigned width = 32)
	{
		if (kind.by == By::kMsr)
			machine.set(offset + kind.offsets[box], value, package);
		else if (kind.by == By::kMmio)
			EXPECT_EQ(0, sim_mmio_write(machine.sim, package,
						    machine.channel(box, package) + offset, width,
						    value));
		else
			machine.set_config(pci(), offset, value, width);
	}
	void control(unsigned counter, uint64_t value)
	{
		bool wide = kind.by == By::kPci && kind.control_step == 8;

		set(kind.control + kind.control_step * counter, value, wide ? 64 : 32);
	}
	uint32_t counter_at(unsigned counter)
	{
		return kind.list.empty() ? kind.counter + kind.counter_step * counter
					 : kind.list[counter];
	}
	uint64_t counter(unsigned counter)
	{
		return get(counter_at(counter), 64);
	}
	void set_counter(unsigned counter, uint64_t value)
	{
		set(counter_at(counter), value, 64);
	}
	void state(uint64_t value)
	{
		if (kind.box_ctl != 0 || kind.by == By::kMmio)
			set(kind.box_ctl, value);
	}
	// The SBo takes one bit at a time.
	void init(uint64_t run)
	{
		uint64_t frozen = kFreeze | (run & 0x10000);

		state(frozen);
		state(frozen | 1);
		state(frozen | 3);
		state(frozen);
	}
	// Whether there is anything: the third channel of a controller is not.
	bool present() const
	{
		return kind.by != By::kMmio || box % 3 < 2;
	}
	uint64_t count(unsigned counter_index, uint64_t event, uint64_t run)
	{
		init(run);
		control(counter_index, event | kEnable);
		set_counter(counter_index, 0);
		state(run);
		sim_advance(machine.sim, kSecond);
		state(run | kFreeze);
		return counter(counter_index);
	}

      private:
	const sim_pci &pci()
	{
		return machine.function(kind.places[box].device, kind.places[box].devfn, package);
	}
	Machine &machine;
	const Kind &kind;
	unsigned box, package;
};

class SimPlatform : public testing::TestWithParam<Platform>
{
      protected:
	void each_box(const std::function<void(const Kind &, unsigned, Box &)> &what)
	{
		for (const Kind &kind : GetParam().kinds)
			for (unsigned i = 0; i < kind.n; i++) {
				SCOPED_TRACE(std::string(kind.name) + std::to_string(i));
				Box box(machine, kind, i);
				if (box.present())
					what(kind, i, box);
			}
	}
	const Kind &kind(const std::string &name)
	{
		for (const Kind &k : GetParam().kinds)
			if (name == k.name)
				return k;
		throw std::runtime_error("no such kind");
	}
	Machine machine{GetParam().name + ":time=virtual"};
};

INSTANTIATE_TEST_SUITE_P(All, SimPlatform,
			 testing::Values(ivbep(), ring("hswep", 63, 12, 18, 0x2f00, 44),
					 ring("bdx", 79, 14, 24, 0x6f00, 48), skx(), knl(), icx()),
			 [](const auto &info) { return info.param.name; });

TEST_P(SimPlatform, HasItsModelAndItsMostCores)
{
	const Platform &p = GetParam();
	struct sim *most, *more;
	char err[300];

	EXPECT_EQ(p.model, sim_id(machine.sim).model);
	EXPECT_EQ(0, sim_open((p.name + ":cores=" + std::to_string(p.max_cores)).c_str(), &most,
			      err, sizeof(err)));
	sim_close(most);
	EXPECT_EQ(-EINVAL, sim_open((p.name + ":cores=" + std::to_string(p.max_cores + 1)).c_str(),
				    &more, err, sizeof(err)));
}

TEST_P(SimPlatform, HasAsManyBoxesAsTheFactsSay)
{
	for (const Kind &kind : GetParam().kinds) {
		EXPECT_FALSE(std::isnan(machine.rate(kind.name, kind.n - 1, kind.clock)))
			<< kind.name;
		EXPECT_TRUE(std::isnan(machine.rate(kind.name, kind.n, kind.clock))) << kind.name;
	}
}

TEST_P(SimPlatform, CountersHaveTheirWidth)
{
	each_box([](const Kind &kind, unsigned, Box &box) {
		for (unsigned i = 0; i < kind.counters; i++) {
			box.set_counter(i, ~UINT64_C(0));
			EXPECT_EQ((UINT64_C(1) << kind.width) - 1, box.counter(i));
		}
	});
}

TEST_P(SimPlatform, BoxesShareNoRegister)
{
	uint64_t n = 0;

	each_box([&n](const Kind &kind, unsigned, Box &box) {
		for (unsigned i = 0; i < kind.counters; i++)
			box.set_counter(i, ++n);
	});
	n = 0;
	each_box([&n](const Kind &kind, unsigned, Box &box) {
		for (unsigned i = 0; i < kind.counters; i++)
			EXPECT_EQ(++n, box.counter(i));
	});
}

TEST_P(SimPlatform, EveryCounterOfEveryBoxCountsTheClock)
{
	const uint64_t run = GetParam().run;

	each_box([this, run](const Kind &kind, unsigned i, Box &box) {
		const bool narrow = GetParam().name == "hswep" && std::string("r3qpi") == kind.name;

		for (unsigned c = 0; c < kind.counters; c++) {
			uint64_t counted = box.count(c, kind.clock, run);

			if (narrow && c == 2)
				EXPECT_EQ(0u, counted);
			else
				expect_near(machine.rate(kind.name, i, kind.clock), counted);
		}
	});
}

TEST_P(SimPlatform, FreezeHoldsAndResetClears)
{
	const uint64_t run = GetParam().run;

	each_box([this, run](const Kind &kind, unsigned, Box &box) {
		uint64_t counted = box.count(0, kind.clock, run);

		if (kind.box_ctl == 0 && kind.by == By::kMsr)
			return;
		sim_advance(machine.sim, kSecond);
		EXPECT_EQ(counted, box.counter(0));
		box.state(run | kFreeze | 2);
		EXPECT_EQ(0u, box.counter(0));
		EXPECT_EQ(kind.clock | kEnable, box.get(kind.control) & 0xffffffff);
		box.state(run | kFreeze);
		box.state(run | kFreeze | 1);
		EXPECT_EQ(0u, box.get(kind.control));
	});
}

TEST_P(SimPlatform, GlobalFreezeStopsAPackageAndNoOther)
{
	const Platform &p = GetParam();

	each_box([this, &p](const Kind &kind, unsigned i, Box &box) {
		box.control(0, kind.clock | kEnable);
		if (p.name == "knl")
			return;
		Box twin(machine, kind, i, 1);
		twin.control(0, kind.clock | kEnable);
	});
	machine.set(p.global, p.freeze_all);
	EXPECT_EQ(0u, machine.get(p.global));
	each_box([](const Kind &, unsigned, Box &box) { box.set_counter(0, 0); });
	sim_advance(machine.sim, kSecond);
	each_box([this, &p](const Kind &kind, unsigned i, Box &box) {
		EXPECT_EQ(0u, box.counter(0));
		if (p.name == "knl")
			return;
		Box twin(machine, kind, i, 1);
		EXPECT_GT(twin.counter(0), 0u);
	});
	machine.set(p.global, p.unfreeze_all);
	sim_advance(machine.sim, kSecond);
	each_box([this](const Kind &kind, unsigned i, Box &box) {
		expect_near(machine.rate(kind.name, i, kind.clock), box.counter(0));
	});
}

TEST_P(SimPlatform, UnknownMsrsFail)
{
	const bool old = GetParam().name == "ivbep";
	uint64_t value;

	for (uint32_t address : old ? std::vector<uint32_t>{0x700, 0x705, 0xe00, 0xc02, 0xc12}
				    : std::vector<uint32_t>{0xc00, 0xc10, 0xd04, 0x707 + 0x99}) {
		EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 0, address, &value))
			<< std::hex << address;
		EXPECT_EQ(-EIO, machine.try_set(address, 0)) << std::hex << address;
	}
	EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 8, GetParam().global, &value));
	EXPECT_EQ(-EIO, machine.try_set(GetParam().global, UINT64_C(1) << 60));
}

TEST_P(SimPlatform, ReservedControlBitsFaultOrAreDropped)
{
	each_box([this](const Kind &kind, unsigned i, Box &box) {
		if (kind.by == By::kMsr) {
			EXPECT_EQ(-EIO, machine.try_set(kind.control + kind.offsets[i],
							UINT64_C(1) << 63));
			EXPECT_EQ(0u, box.get(kind.control));
			return;
		}
		box.set(kind.control, 1u << 21 | 0x55);
		EXPECT_EQ(std::string("qpi") == kind.name ? 1u << 21 | 0x55 : 0x55,
			  box.get(kind.control));
	});
}

TEST_P(SimPlatform, BusesLeadToPackages)
{
	const Platform &p = GetParam();
	std::vector<int> owner(256, -1);
	size_t n;

	if (p.node_device == 0)
		return;
	Machine four(p.name + ":packages=4");
	const sim_pci *all = sim_pci_devices(four.sim, &n);
	for (size_t i = 0; i < n; i++) {
		if (all[i].device != p.node_device)
			continue;
		uint64_t node = four.config(all[i], p.node_id) & 7;
		uint64_t map = four.config(all[i], p.node_map);
		int package = 0;

		while (package < 8 && (map >> 3 * package & 7) != node)
			package++;
		owner[all[i].bus] = package;
	}
	for (size_t i = 0; i < n; i++) {
		int bus = all[i].bus;

		if (all[i].vendor != 0x8086 || all[i].device == 0x3c00 || all[i].device == 0x1521)
			continue;
		while (bus >= 0 && bus < 256 && owner[bus] < 0)
			bus += p.higher ? 1 : -1;
		ASSERT_TRUE(bus >= 0 && bus < 256);
		EXPECT_EQ(all[i].numa_node, owner[bus]) << std::hex << all[i].device;
	}
}

TEST_P(SimPlatform, EventsDifferByCodeUmaskBoxAndPackage)
{
	const bool single = GetParam().name == "knl";
	// HA and CHA: codes without a meaning in the traffic.
	const std::string name = kind("ubox").n == 1 && GetParam().model < 80 ? "ha" : "cha";
	const unsigned n = GetParam().model < 80 ? 2 : 20;
	std::set<double> seen;

	for (unsigned umask : {1u, 2u, 3u, 4u, 0x80u})
		for (unsigned code : {0x21u, 0x42u, 0x43u, 0x55u})
			for (unsigned box : {0u, n - 1})
				for (unsigned package = 0; package < (single ? 1 : 2); package++) {
					double rate = machine.rate(name.c_str(), box,
								   code | umask << 8, 0, package);

					// Not every platform has all of them.
					EXPECT_TRUE(rate == 0 || seen.insert(rate).second);
				}
	EXPECT_GT(seen.size(), single ? 9u : 19u);
}

TEST_P(SimPlatform, MemoryReadsAgreeAllAlongTheWay)
{
	const Platform &p = GetParam();
	const struct sim_traffic &own = *sim_traffic(machine.sim, 0);
	const unsigned reads = p.name == "icx" ? 0x0f04 : p.name == "knl" ? 0x0103 : 0x0304;
	const unsigned packages = p.name == "knl" ? 1 : 2;
	double expected = own.reads * (1 - own.remote_reads), sum = 0, asked = 0;

	if (packages > 1) {
		const struct sim_traffic &other = *sim_traffic(machine.sim, 1);
		expected += other.reads * other.remote_reads;
	}
	for (unsigned i = 0; i < kind("imc").n; i++)
		sum += machine.rate("imc", i, reads);
	EXPECT_NEAR(expected, sum, 2);
	if (p.name == "knl")
		return;
	if (p.model < 80)
		for (unsigned i = 0; i < 2; i++)
			asked += machine.rate("ha", i, 0x0301);
	else
		for (unsigned i = 0; i < kind("cha").n; i++)
			asked += machine.rate("cha", i, 0x0350);
	EXPECT_NEAR(expected, asked, 2);
}

TEST_P(SimPlatform, OverflowSetsTheStatusUntilItIsCleared)
{
	const Platform &p = GetParam();
	const bool old = p.name == "ivbep";
	// PCU counter 2; not every box status is in the global one.
	const uint32_t control = (old ? 0xc30 : 0x711) + 2, counter = (old ? 0xc36 : 0x717) + 2;
	const uint32_t status = old ? 0xc35 : 0x716;

	machine.set(counter, (UINT64_C(1) << 48) - 100);
	machine.set(control, kEnable | (p.name == "knl" ? 0 : kOverflow));
	EXPECT_EQ(0u, machine.get(status));
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(4u, machine.get(status));
	EXPECT_EQ(p.name == "knl" || p.name == "icx" ? 0u : 4u, machine.get(p.status));
	machine.set(status, 0xb);
	EXPECT_EQ(4u, machine.get(status));
	machine.set(status, 4);
	EXPECT_EQ(0u, machine.get(status));
	machine.set(p.status, 4);
	EXPECT_EQ(0u, machine.get(p.status));
}

// ---- restrictions, filters and what only some platforms have ----

struct Restriction {
	const char *kind;
	unsigned event, allowed;
};

void check_restrictions(const Platform &platform, const std::vector<Restriction> &cases)
{
	Machine machine(platform.name + ":time=virtual");

	for (const Restriction &c : cases)
		for (const Kind &kind : platform.kinds)
			for (unsigned i = 0; std::string(c.kind) == kind.name && i < kind.counters;
			     i++)
				EXPECT_EQ((c.allowed >> i & 1) != 0,
					  Box(machine, kind, 0).count(i, c.event, platform.run) > 0)
					<< platform.name << " " << c.kind << " " << std::hex
					<< c.event << " on " << i;
}

TEST(SimRestrictions, EventsCountOnlyWhereTheyCan)
{
	check_restrictions(ivbep(), {{"cbox", 0x0836, 0x1},
				     {"cbox", 0x0113, 0x3},
				     {"cbox", 0x011b, 0xc},
				     {"cbox", 0x0835, 0x3},
				     {"r2pcie", 0x0813, 0x1},
				     {"r3qpi", 0x0813, 0x1},
				     {"imc", 0x0304, 0xf}});
	check_restrictions(ring("hswep", 63, 12, 18, 0x2f00, 44), {{"cbox", 0x0836, 0x1},
								   {"cbox", 0x0835, 0xf},
								   {"cbox", 0x0109, 0x1},
								   {"ha", 0x0161, 0x7},
								   {"r3qpi", 0x0811, 0x3},
								   {"r3qpi", 0x012a, 0x1}});
	check_restrictions(ring("bdx", 79, 14, 24, 0x6f00, 48),
			   {{"cbox", 0x0109, 0x3}, {"pcu", 0x4080, 0xe}, {"r2pcie", 0x012a, 0x1}});
	check_restrictions(skx(), {{"iio", 0x0fff, 0x0},
				   {"m3upi", 0x011d, 0x1},
				   {"m2pcie", 0x0123, 0x3},
				   {"cha", 0x0111, 0x1}});
	check_restrictions(knl(), {{"cha", 0x0111, 0x1}, {"m2pcie", 0x0123, 0x3}});
	check_restrictions(icx(), {{"cha", 0x0111, 0x1},
				   {"m3upi", 0x011e, 0x1},
				   {"m3upi", 0x0140, 0x7},
				   {"iio", 0x0188, 0xc},
				   {"imc", 0x00fe, 0x0}});
}

TEST(SimRestrictions, WhatAnIioMovesIsSelectedByPort)
{
	const uint64_t low = 0x0183, all = UINT64_C(0x70f0) << 32;
	Machine skylake("skx"), icelake("icx");

	EXPECT_EQ(0, skylake.rate("iio", 0, low));
	EXPECT_EQ(0, skylake.rate("iio", 0, low | UINT64_C(0x00f0) << 32));
	EXPECT_NEAR(skylake.rate("iio", 0, low | all),
		    skylake.rate("iio", 0, low | UINT64_C(0x7010) << 32) +
			    skylake.rate("iio", 0, low | UINT64_C(0x70e0) << 32),
		    1);
	EXPECT_EQ(0, icelake.rate("iio", 0, low | all));
	EXPECT_GT(icelake.rate("iio", 0, low | UINT64_C(0x70010) << 32), 0);
	EXPECT_EQ(0, icelake.rate("iio", 0, low | UINT64_C(0x71000) << 32));
}

TEST(SimFilters, CboOpcodeAndNodeAreInTheUpperRegister)
{
	for (const char *name : {"ivbep", "hswep", "bdx"}) {
		Machine machine(std::string(name) + ":time=virtual");
		const bool old = std::string(name) == "ivbep";
		const uint64_t drd = UINT64_C(0x18200000) << 32;
		const uint32_t low = old ? 0xd14 : 0xe05, high = old ? 0xd1a : 0xe06;
		const uint32_t control = old ? 0xd10 : 0xe01, counter = old ? 0xd16 : 0xe08;
		double all = machine.rate("cbox", 0, 0x0335, drd);

		EXPECT_EQ(0, machine.rate("cbox", 0, 0x0335, 0x18200000));
		EXPECT_NEAR(all,
			    machine.rate("cbox", 0, 0x4335, drd | UINT64_C(1) << 32) +
				    machine.rate("cbox", 0, 0x4335, drd | UINT64_C(2) << 32),
			    1);
		EXPECT_NEAR(all,
			    machine.rate("cbox", 0, 0x2335, drd) +
				    machine.rate("cbox", 0, 0x8335, drd),
			    1);
		machine.set(high, drd >> 32);
		EXPECT_EQ(0u, machine.get(low));
		machine.set(control, 0x0335 | kEnable);
		sim_advance(machine.sim, kSecond);
		expect_near(all, machine.get(counter));
		EXPECT_EQ(-EIO, machine.try_set(high, 1u << 19));
		EXPECT_EQ(-EIO, machine.try_set(low, 1u << 16));
	}
}

TEST(SimFilters, LookupsNeedAState)
{
	const struct {
		const char *name, *kind;
		uint64_t none, miss, any;
	} cases[] = {{"ivbep", "cbox", 1u << 22, 1u << 17, 0x3f << 17},
		     {"hswep", "cbox", 1u << 22, 1u << 17, 0x7f << 17},
		     {"skx", "cha", 1u << 18, 1u << 17, 0x3ff << 17}};

	for (const auto &c : cases) {
		Machine machine(c.name);

		EXPECT_EQ(0, machine.rate(c.kind, 1, 0x0334, 0)) << c.name;
		EXPECT_EQ(0, machine.rate(c.kind, 1, 0x0334, c.none)) << c.name;
		EXPECT_GT(machine.rate(c.kind, 1, 0x0334, c.miss), 0) << c.name;
		EXPECT_GT(machine.rate(c.kind, 1, 0x0334, c.any),
			  machine.rate(c.kind, 1, 0x0334, c.miss))
			<< c.name;
	}
}

TEST(SimFilters, SkxTorTakesTwoOpcodesAndAHome)
{
	Machine machine("skx");
	const uint64_t both = UINT64_C(0x33) << 32; // LOC, REM, NM, NOT_NM
	const uint64_t drd = UINT64_C(0x40400) << 32, rfo = UINT64_C(0x10000000) << 32;
	double reads = machine.rate("cha", 0, 0x2135, both | drd);
	double owns = machine.rate("cha", 0, 0x2135, both | rfo);

	EXPECT_EQ(0, machine.rate("cha", 0, 0x2135, drd));
	EXPECT_GT(reads, 0);
	EXPECT_NEAR(reads + owns, machine.rate("cha", 0, 0x2135, both | drd | rfo), 1);
	EXPECT_NEAR(reads,
		    machine.rate("cha", 0, 0x2135, UINT64_C(0x31) << 32 | drd) +
			    machine.rate("cha", 0, 0x2135, UINT64_C(0x32) << 32 | drd),
		    1);
	EXPECT_LT(reads, machine.rate("cha", 0, 0x2135, both | UINT64_C(8) << 32));
	// Devices are another source.
	EXPECT_EQ(0, machine.rate("cha", 0, 0x2435, both | drd));
	EXPECT_GT(machine.rate("cha", 0, 0x2435, both | UINT64_C(0x43c00) << 32), 0);
}

TEST(SimFilters, IcxTorIsAllInTheUmask)
{
	Machine machine("icx:time=virtual");
	const auto ia = [](uint64_t extension) { return extension << 32 | 0x0135; };
	double misses = machine.rate("cha", 0, ia(0xc817fe));

	EXPECT_GT(misses, 0);
	EXPECT_NEAR(machine.rate("cha", 0, ia(0xc817ff)),
		    misses + machine.rate("cha", 0, ia(0xc817fd)), 1);
	EXPECT_NEAR(misses,
		    machine.rate("cha", 0, ia(0xc816fe)) + machine.rate("cha", 0, ia(0xc8177e)), 1);
	EXPECT_NEAR(misses, machine.rate("cha", 0, ia(0xc81786)), 1); // DDR
	EXPECT_EQ(0, machine.rate("cha", 0, ia(0xc8178a)));           // PMM
	EXPECT_GT(machine.rate("cha", 0, UINT64_C(0xc8f3ff) << 32 | 0x0435), 0);
	// All of the 64-bit control gets there.
	machine.set(0xe01, ia(0xc817fe) | kEnable);
	sim_advance(machine.sim, kSecond);
	expect_near(misses, machine.get(0xe08));
	EXPECT_EQ(-EIO, machine.try_set(0xe01, UINT64_C(1) << 58));
}

TEST(SimFilters, BandsAreBytesOfThePcuFilter)
{
	for (const char *name : {"ivbep", "hswep", "bdx", "skx", "icx"}) {
		Machine machine(name);
		double clock = machine.rate("pcu", 0, 0x00);

		for (unsigned band = 0; band < 4; band++) {
			uint64_t filter = UINT64_C(28) << 8 * band;

			EXPECT_NEAR(clock, machine.rate("pcu", 0, 0x0b + band, 12u << 8 * band), 1);
			EXPECT_GT(machine.rate("pcu", 0, 0x0b + band, filter), 0);
			EXPECT_LT(machine.rate("pcu", 0, 0x0b + band, filter), clock / 2);
		}
	}
}

TEST(SimFilters, MatchRegistersOfEachQpiPort)
{
	const uint64_t drs = UINT64_C(0x1e00) << 32 | 0x1c00; // mask, match: message class
	const struct {
		const char *name;
		uint32_t filter;
		unsigned dev, port;
		uint32_t device;
	} cases[] = {{"ivbep", 0x0e96, 9, 1, 0x0e33}, {"bdx", 0x6f46, 10, 2, 0x6f3a}};

	for (const auto &c : cases) {
		Machine machine(std::string(c.name) + ":time=virtual");
		const sim_pci &match = machine.function(c.filter, at(0, c.dev, 6).devfn);
		const sim_pci &port = machine.function(c.device, at(0, c.dev, 2).devfn);

		machine.set_config(match, 0x228, drs & 0xffffffff);
		machine.set_config(match, 0x238, drs >> 32);
		machine.set_config(port, 0xd8, 0x38 | 1u << 21 | kEnable);
		sim_advance(machine.sim, kSecond);
		expect_near(machine.rate("qpi", c.port, 0x38 | 1u << 21, drs),
			    machine.config(port, 0xa0, 64));
		EXPECT_LT(machine.rate("qpi", c.port, 0x38 | 1u << 21, drs),
			  machine.rate("qpi", c.port, 0x38 | 1u << 21));
	}
}

TEST(SimHaswell, SboxTakesOneBitAtATime)
{
	for (const char *name : {"hswep", "bdx"}) {
		Machine machine(name);

		EXPECT_EQ(-EIO, machine.try_set(0x720, 0x3));
		EXPECT_EQ(-EIO, machine.try_set(0x720, 0x10003));
		EXPECT_EQ(0, machine.try_set(0x720, 0x1));
		EXPECT_EQ(0, machine.try_set(0x720, 0x3));
		EXPECT_EQ(0, machine.try_set(0x720, 0x10003));
		EXPECT_EQ(0x10000u, machine.get(0x720));
		EXPECT_EQ(0, machine.try_set(0x720, 0x10100));
		EXPECT_EQ(0, machine.try_set(0xe00, 0x10003));
	}
}

TEST(SimHaswell, SboxCountIsInCapid4)
{
	const struct {
		const char *spec;
		uint32_t device;
		unsigned n;
	} cases[] = {{"hswep:cores=8", 0x2fc0, 2},
		     {"hswep:cores=9", 0x2fc0, 4},
		     {"bdx:cores=8", 0x6fc0, 0},
		     {"bdx:cores=24", 0x6fc0, 4}};
	uint64_t value;

	for (const auto &c : cases) {
		Machine machine(c.spec);
		const sim_pci &pci = machine.function(c.device, at(0, 30, 3).devfn);

		EXPECT_EQ(c.n == 4, (machine.config(pci, 0x94) >> 6 & 3) != 0) << c.spec;
		for (unsigned i = 0; i < 5; i++)
			EXPECT_EQ(i < c.n ? 0 : -EIO,
				  sim_msr_read(machine.sim, 0, 0x721 + 0xa * i, &value));
	}
}

TEST(SimHaswell, UboxHasAFilter)
{
	Machine machine("hswep");

	machine.set(0x707, 0x3f);
	EXPECT_EQ(0x3fu, machine.get(0x707));
	EXPECT_EQ(-EIO, machine.try_set(0x707, 0x40));
}

TEST(SimIrp, SecondHalfIsAnotherUnit)
{
	const struct {
		const char *name;
		uint32_t device, third;
		unsigned event;
	} cases[] = {{"ivbep", 0x0e39, 0xb8, 0x0215}, {"bdx", 0x6f39, 0xb0, 0x0216}};

	for (const auto &c : cases) {
		Machine machine(std::string(c.name) + ":time=virtual");
		const sim_pci &pci = machine.function(c.device, at(0, 5, 6).devfn);
		double both = machine.rate("irp", 0, c.event);

		machine.set_config(pci, 0xd8, c.event | kEnable);
		machine.set_config(pci, 0xe0, c.event | kEnable);
		sim_advance(machine.sim, kSecond);
		expect_near(both * 9 / 16, machine.config(pci, 0xa0, 64));
		expect_near(both * 7 / 16, machine.config(pci, c.third, 64));
	}
}

TEST(SimFixed, CountersCountTheClock)
{
	Machine machine("knl:time=virtual");
	const sim_pci &edc = machine.function(0x7835, at(0, 31, 2).devfn);
	const sim_pci &mc = machine.function(0x7841, at(0, 11, 0).devfn);

	machine.set_config(edc, 0xa44, kEnable); // not the bit here
	machine.set_config(mc, 0x454, 1);
	machine.set(0x703, kEnable);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(0u, machine.config(edc, 0xa3c, 64));
	expect_near(machine.rate("imc_uclk", 1, 0), machine.config(mc, 0x44c, 64));
	expect_near(machine.rate("ubox", 0, 0), machine.get(0x704));
	machine.set_config(mc, 0x430, 0x10100);
	uint64_t frozen = machine.config(mc, 0x44c, 64);
	sim_advance(machine.sim, kSecond);
	EXPECT_EQ(frozen, machine.config(mc, 0x44c, 64));
	machine.set_config(mc, 0x430, 0);
	sim_advance(machine.sim, kSecond);
	EXPECT_GT(machine.config(mc, 0x44c, 64), frozen);
}

TEST(SimCha, CountIsInTheCapabilities)
{
	const auto ones = [](uint64_t value) { return __builtin_popcountll(value); };
	uint64_t value;

	for (int cores : {4, 20, 28}) {
		Machine machine("skx:cores=" + std::to_string(cores));
		const sim_pci &pci = machine.function(0x2083, at(0, 30, 3).devfn);

		EXPECT_EQ(cores, ones(machine.config(pci, 0x9c) & 0xfffffff));
		EXPECT_EQ(cores, static_cast<int>(machine.get(0x702) & 0x3f));
		EXPECT_EQ(-EIO, sim_msr_read(machine.sim, 0,
					     0xe01 + 0x10 * static_cast<uint32_t>(cores), &value));
	}
	for (int cores : {8, 32, 38, 40}) {
		Machine machine("icx:cores=" + std::to_string(cores));
		const sim_pci &pci = machine.function(0x345b, at(0, 30, 3).devfn);

		EXPECT_EQ(cores, ones(machine.config(pci, 0x9c) | machine.config(pci, 0xa0) << 32));
		EXPECT_EQ(cores > 34 ? 0 : -EIO, sim_msr_read(machine.sim, 0, 0xb60, &value));
	}
	EXPECT_EQ(34u, Machine("knl:cores=68").get(0x702) & 0x3f);
	EXPECT_EQ(38u, Machine("knl:cores=72").get(0x702) & 0x3f);
	EXPECT_EQ(0, Machine("knl:cores=68").rate("cha", 34, 0x0335, UINT64_C(0x2b) << 32));
}

TEST(SimUpi, ControlIsTwoDwords)
{
	for (const char *name : {"skx", "icx"}) {
		Machine machine(std::string(name) + ":time=virtual");
		const bool old = std::string(name) == "skx";
		const sim_pci &pci = old ? machine.function(0x2058, at(0, 15, 0).devfn)
					 : machine.function(0x3441, at(0, 3, 1).devfn);
		const uint64_t control = UINT64_C(0x10) << 32 | 0x0105;

		machine.set_config(pci, 0x354, 0xffffffff);
		EXPECT_EQ(old ? 0xffefffu : 0xffffffu, machine.config(pci, 0x354));
		machine.set_config(pci, 0x354, control >> 32);
		machine.set_config(pci, 0x350, (control & 0xffffffff) | kEnable);
		sim_advance(machine.sim, kSecond);
		expect_near(machine.rate("upi", 1, control),
			    machine.config(pci, old ? 0x318 : 0x320, 64));
		EXPECT_NE(machine.rate("upi", 1, control), machine.rate("upi", 1, 0x0105));
	}
}

TEST(SimUpi, NineSlotsPerLineThatCrosses)
{
	Machine machine("skx");
	const struct sim_traffic &own = *sim_traffic(machine.sim, 0);
	const struct sim_traffic &other = *sim_traffic(machine.sim, 1);
	double sent = 0, received = 0;

	for (unsigned port = 0; port < 3; port++) {
		sent += machine.rate("upi", port, 0x0f02, 0, 1);
		received += machine.rate("upi", port, 0x0f03);
	}
	EXPECT_NEAR(sent, received, 1);
	EXPECT_NEAR(9 * (own.reads * own.remote_reads + other.writes * other.remote_writes +
			 other.noncoherent),
		    received, 1);
}

TEST(SimFree, CountersRunAlwaysAndCannotBeWritten)
{
	Machine machine("skx:time=virtual");

	machine.set(0x700, UINT64_C(1) << 63);
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 2, 1), machine.get(0xa45 + 0x40));
	EXPECT_EQ(-EIO, machine.try_set(0xa45, 0));
	EXPECT_EQ(-EIO, machine.try_set(0xb00, 0));
	// In dwords, as DATA_REQ_OF_CPU.MEM_WRITE on the same port.
	expect_near(machine.rate("iio", 3, UINT64_C(0x7020) << 32 | 0x0183),
		    machine.get(0xb01 + 0x30));
	expect_near(machine.rate("iio", 3, UINT64_C(0x7010) << 32 | 0x0483),
		    machine.get(0xb04 + 0x30));
	EXPECT_GT(machine.get(0xb0f + 0x50), 0u);
	sim_advance(machine.sim, 40 * kSecond);
	EXPECT_LT(machine.get(0xa45), UINT64_C(1) << 36);
}

TEST(SimFree, IcxHasThemForPortsAndControllers)
{
	Machine machine("icx:time=virtual");
	double reads = 0, writes = 0;

	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("iio", 4, 1), machine.get(0xa55 + 0xb0));
	// 32 bytes against 4.
	EXPECT_NEAR(machine.rate("iio", 5, UINT64_C(0x70800) << 32 | 0x0183) / 8,
		    static_cast<double>(machine.get(0xaa7 + 0xb0)), 2);
	for (unsigned i : {3u, 4u}) {
		reads += machine.rate("imc", i, 0x0f04);
		writes += machine.rate("imc", i, 0x3004);
	}
	expect_near(reads, machine.mmio(machine.channel(3, 0, 0x2290)));
	expect_near(writes, machine.mmio(machine.channel(3, 0, 0x2298)));
	expect_near(machine.rate("imc", 0, 0), machine.mmio(machine.channel(3, 0, 0x22b0)));
	EXPECT_EQ(0u, machine.mmio(machine.channel(3, 0, 0x22a0)));
}

TEST(SimMmio, ReachesOnlyTheControllersOfItsPackage)
{
	Machine machine("icx:time=virtual"), older("skx");
	uint64_t value, here = machine.channel(0, 0), there = machine.channel(0, 1);

	ASSERT_NE(here, there);
	EXPECT_EQ(-ENODEV, sim_mmio_read(older.sim, 0, here, 32, &value));
	EXPECT_EQ(-ENODEV, sim_mmio_read(machine.sim, 2, here, 32, &value));
	EXPECT_EQ(-ENXIO, sim_mmio_read(machine.sim, 0, there, 32, &value));
	EXPECT_EQ(-ENXIO, sim_mmio_write(machine.sim, 0, 0x1000, 32, 0));
	EXPECT_EQ(-EINVAL, sim_mmio_read(machine.sim, 0, here, 16, &value));
	EXPECT_EQ(-EINVAL, sim_mmio_read(machine.sim, 0, here + 4, 64, &value));
	EXPECT_EQ(0u, machine.mmio(here + 0x60, 32));
}

TEST(SimMmio, FixedCounterAndEmptyChannel)
{
	Machine machine("icx:time=virtual");
	uint64_t channel = machine.channel(7, 1), empty = machine.channel(8, 1);

	EXPECT_EQ(0, sim_mmio_write(machine.sim, 1, channel + 0x54, 32, kEnable));
	EXPECT_EQ(0, sim_mmio_write(machine.sim, 1, empty + 0x54, 32, kEnable));
	sim_advance(machine.sim, kSecond);
	expect_near(machine.rate("imc", 7, 0, 0, 1), machine.mmio(channel + 0x38, 64, 1));
	EXPECT_EQ(0u, machine.mmio(empty + 0x38, 64, 1));
	EXPECT_EQ(0u, machine.mmio(empty + 0x54, 32, 1));
}

} // namespace
