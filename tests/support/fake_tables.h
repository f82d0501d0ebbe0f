/* SPDX-License-Identifier: BSD-3-Clause */
// fake_tables.h - a machine with discovery tables that a test writes word by word.
#ifndef SUPPORT_FAKE_TABLES_H
#define SUPPORT_FAKE_TABLES_H

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "event/event.h"
#include "hw/regs.h"
#include "machine/discovered.h"

namespace support
{

// A unit record; default: the memory channel of docs/hardware/discovery.md, "A worked example".
struct FakeUnit {
	unsigned type = 6, id = 0, access = 1;
	uint64_t address = 0xc8aa2800;
	unsigned counters = 4, control = 0x40, counter = 8, width = 48;

	static FakeUnit msr(unsigned type, unsigned id, uint64_t address)
	{
		return {type, id, 0, address, 4, 2, 8, 48};
	}
	static FakeUnit pci(unsigned type, unsigned id, unsigned bus, unsigned device,
			    unsigned function, unsigned offset = 0x438)
	{
		return {type, id,   2, bus << 20 | device << 15 | function << 12 | offset,
			4,    0x30, 8, 48};
	}
};

class FakeMachine
{
      public:
	explicit FakeMachine(const unc_platform &platform = unc_discovered, unsigned packages = 1)
	    : platform(platform)
	{
		unc_err_init(&err);
		hw.base.ops = &ops;
		hw.base.topo = &machine.topo;
		hw.self = this;
		for (unsigned p = 0; p < packages; p++)
			cpus.push_back({p, p, 0});
	}
	~FakeMachine()
	{
		unc_names_free(names);
		unc_machine_free(&machine);
		unc_err_destroy(&err);
	}
	FakeMachine(const FakeMachine &) = delete;
	FakeMachine &operator=(const FakeMachine &) = delete;

	// Adds a PCI device and returns its number. near: its package, or -1.
	unsigned device(uint16_t id, unsigned bus, unsigned slot, unsigned function, int near = 0)
	{
		unc_pci p = {};

		p.bus = static_cast<uint8_t>(bus);
		p.devfn = static_cast<uint8_t>(slot << 3 | function);
		p.device = id;
		p.near = near;
		p.package = -1;
		pci.push_back(p);
		configs.emplace_back(4096);
		return static_cast<unsigned>(pci.size() - 1);
	}
	// Adds a device with a table at an address of its own.
	unsigned table(const std::vector<FakeUnit> &units, int near = 0, uint16_t id = 0x09a7,
		       uint64_t global = 0x2ff0)
	{
		const unsigned unit = device(id, 0, 1 + n_tables, 0, near);
		const uint64_t base = UINT64_C(0x200000000) + 0x100000 * n_tables++;

		config(unit, 0x04, 0x00100006);
		config(unit, 0x10, static_cast<uint32_t>(base) | 4);
		config(unit, 0x14, static_cast<uint32_t>(base >> 32));
		config(unit, 0x100, 0x23);
		config(unit, 0x108, 1);
		table_at(base, units, global);
		return unit;
	}
	// The bytes of a table. access: of its global control.
	void table_at(uint64_t base, const std::vector<FakeUnit> &units, uint64_t global,
		      unsigned access = 0)
	{
		uint64_t at = base;

		memory[base] = 3 << 8 | units.size() << 16 | static_cast<uint64_t>(access) << 62;
		memory[base + 8] = global;
		for (const FakeUnit &u : units) {
			memory[at += 24] = u.counters | u.control << 8 | u.width << 16 |
					   static_cast<uint64_t>(u.counter) << 24 |
					   static_cast<uint64_t>(u.access) << 62;
			memory[at + 8] = u.address;
			memory[at + 16] = u.type | static_cast<uint64_t>(u.id) << 16;
		}
	}
	void config(unsigned unit, uint32_t offset, uint32_t value)
	{
		memcpy(&configs[unit][offset], &value, sizeof(value));
	}
	// Returns 0 or the error. On success the machine and its names are available.
	int build()
	{
		const int r = build_machine();

		return r < 0 ? r : unc_names_new(&names, &machine, nullptr, &err);
	}
	int build_machine()
	{
		return build_machine(&hw.base);
	}
	// With another backend between the library and the registers.
	int build_machine(unc_hw *through)
	{
		machine.topo.n_cpus = cpus.size();
		machine.topo.cpus = copy(cpus);
		machine.topo.n_pci = pci.size();
		machine.topo.pci = copy(pci);
		return unc_machine_build(&machine, &platform, through, &err);
	}
	const unc_unit &unit(size_t i) const
	{
		if (i >= machine.discovered->units.n)
			throw std::runtime_error("no such record");
		return machine.discovered->units.unit[i];
	}
	// Why the record is not a box; "" if it is one.
	std::string why(size_t i) const
	{
		return unit(i).why ? unit(i).why : "";
	}
	// "cha0 pkg 1" for a record that is a box, else why it is not one.
	std::string box(size_t i) const
	{
		if (unit(i).box < 0)
			return why(i);
		const unc_box &b = machine.boxes[unit(i).box];

		return b.type->name + std::string(unc_gap(b.type)) + std::to_string(b.index) +
		       " pkg " + std::to_string(b.package);
	}
	const unc_box_type *type(const std::string &name) const
	{
		for (auto t = machine.types; *t; t++)
			if (name == (*t)->name)
				return *t;
		throw std::runtime_error("no box type " + name);
	}
	int find(const std::string &name)
	{
		unsigned id;

		return unc_names_find(names, name.c_str(), &id);
	}

	unc_hw &hw_of()
	{
		return hw.base;
	}

	const unc_platform &platform;
	unc_machine machine = {};
	unc_err err = {};
	unc_names *names = nullptr;
	std::vector<unc_cpu> cpus;
	std::vector<unc_pci> pci;
	std::vector<std::vector<unsigned char>> configs;
	std::map<uint64_t, uint64_t> memory; // by address, qwords; others read as 0
	std::map<std::pair<unsigned, uint64_t>, uint64_t> msrs;
	// By CPU, leaf and subleaf. Others are 0; if the map is empty, CPUID is unavailable.
	std::map<std::tuple<unsigned, uint32_t, uint32_t>, std::array<uint32_t, 4>> cpuid;
	std::function<int(const unc_op &)> fails; // returns -errno for a read that fails, or 0
	std::string reason = "fake";              // begins the error message of such a read
	uint64_t bar_bytes = 0;
	std::vector<unsigned> bars_asked; // whose size was queried
	unsigned n_tables = 0, writes = 0;
	int code = 0; // of recording_of()

      private:
	struct Hw {
		unc_hw base;
		FakeMachine *self;
	} hw = {};

	template <class T> static T *copy(const std::vector<T> &from)
	{
		T *to = static_cast<T *>(calloc(from.size() + 1, sizeof(T)));

		if (!from.empty())
			memcpy(to, from.data(), from.size() * sizeof(T));
		return to;
	}
	static FakeMachine &self(unc_hw *hw)
	{
		return *reinterpret_cast<Hw *>(hw)->self;
	}
	static int do_read(unc_hw *hw, const unc_op *op, uint64_t *value)
	{
		FakeMachine &m = self(hw);

		*value = 0;
		if (m.fails && m.fails(*op) < 0)
			return m.fails(*op);
		if (op->space == UNCORE_MSR) {
			const auto msr = m.msrs.find({op->package, op->address});

			*value = msr == m.msrs.end() ? 0 : msr->second;
		} else if (op->space == UNCORE_PCI) {
			if (op->address + op->width / 8 > 4096)
				return -EINVAL;
			memcpy(value, &m.configs.at(op->unit)[op->address], op->width / 8);
		} else {
			const auto word = m.memory.find(op->address & ~UINT64_C(7));

			if (word != m.memory.end())
				memcpy(value,
				       reinterpret_cast<const char *>(&word->second) +
					       (op->address & 7),
				       op->width / 8);
		}
		return 0;
	}
	static int do_write(unc_hw *hw, const unc_op *, uint64_t)
	{
		self(hw).writes++;
		return 0;
	}
	static int do_read_many(unc_hw *, const unc_op *const *, unsigned, uint64_t *)
	{
		return -EIO;
	}
	static int do_open(unc_hw *, unsigned)
	{
		return 0;
	}
	static int do_map(unc_hw *, unsigned, uint64_t, size_t)
	{
		return 0;
	}
	static uint64_t do_bar_bytes(unc_hw *hw, unsigned, unsigned bar, uint64_t)
	{
		self(hw).bars_asked.push_back(bar);
		return self(hw).bar_bytes;
	}
	static int do_cpuid(unc_hw *hw, unsigned cpu, uint32_t leaf, uint32_t subleaf,
			    uint32_t *regs)
	{
		const auto found = self(hw).cpuid.find({cpu, leaf, subleaf});

		if (self(hw).cpuid.empty())
			return -ENOENT;
		for (unsigned i = 0; i < 4; i++)
			regs[i] = found == self(hw).cpuid.end() ? 0 : found->second[i];
		return 0;
	}
	static void do_explain(unc_hw *hw, const unc_op *, int error, char *text, size_t len)
	{
		snprintf(text, len, "%s: %s", self(hw).reason.c_str(), strerror(-error));
	}
	static void do_close(unc_hw *)
	{
	}
	static constexpr unc_hw_ops ops = {do_read,  do_write,   do_read_many, nullptr,
					   do_open,  do_open,    do_map,       do_bar_bytes,
					   do_cpuid, do_explain, do_close,     nullptr,
					   nullptr,  nullptr,    nullptr,      nullptr};
};

} // namespace support

#endif
