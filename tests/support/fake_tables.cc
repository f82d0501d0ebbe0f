// SPDX-License-Identifier: BSD-3-Clause
#include "support/fake_tables.h"

#include <cerrno>
#include <cstdio>
#include <stdexcept>

namespace support
{

FakeUnit FakeUnit::msr(unsigned type, unsigned id, uint64_t address)
{
	return {type, id, 0, address, 4, 2, 8, 48};
}

FakeUnit FakeUnit::pci(unsigned type, unsigned id, unsigned bus, unsigned device, unsigned function,
		       unsigned offset)
{
	return {type, id, 2, bus << 20 | device << 15 | function << 12 | offset, 4, 0x30, 8, 48};
}

FakeMachine::FakeMachine(const unc_platform &platform, unsigned packages) : platform(platform)
{
	unc_err_init(&err);
	hw.base.ops = &ops;
	hw.base.topo = &machine.topo;
	hw.self = this;
	for (unsigned p = 0; p < packages; p++)
		cpus.push_back({p, p, 0});
}

FakeMachine::~FakeMachine()
{
	unc_names_free(names);
	unc_machine_free(&machine);
	unc_err_destroy(&err);
}

unsigned FakeMachine::device(uint16_t id, unsigned bus, unsigned slot, unsigned function, int near)
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

unsigned FakeMachine::table(const std::vector<FakeUnit> &units, int near, uint16_t id,
			    uint64_t global)
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

void FakeMachine::table_at(uint64_t base, const std::vector<FakeUnit> &units, uint64_t global,
			   unsigned access)
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

void FakeMachine::config(unsigned unit, uint32_t offset, uint32_t value)
{
	memcpy(&configs[unit][offset], &value, sizeof(value));
}

int FakeMachine::build()
{
	const int r = build_machine();

	return r < 0 ? r : unc_names_new(&names, &machine, nullptr, &err);
}

int FakeMachine::build_machine()
{
	return build_machine(&hw.base);
}

int FakeMachine::build_machine(unc_hw *through)
{
	machine.topo.n_cpus = cpus.size();
	machine.topo.cpus = copy(cpus);
	machine.topo.n_pci = pci.size();
	machine.topo.pci = copy(pci);
	return unc_machine_build(&machine, &platform, through, &err);
}

const unc_unit &FakeMachine::unit(size_t i) const
{
	if (i >= machine.discovered->units.n)
		throw std::runtime_error("no such record");
	return machine.discovered->units.unit[i];
}

std::string FakeMachine::why(size_t i) const
{
	return unit(i).why ? unit(i).why : "";
}

std::string FakeMachine::box(size_t i) const
{
	if (unit(i).box < 0)
		return why(i);
	const unc_box &b = machine.boxes[unit(i).box];

	return b.type->name + std::string(unc_gap(b.type)) + std::to_string(b.index) + " pkg " +
	       std::to_string(b.package);
}

const unc_box_type *FakeMachine::type(const std::string &name) const
{
	for (auto t = machine.types; *t; t++)
		if (name == (*t)->name)
			return *t;
	throw std::runtime_error("no box type " + name);
}

int FakeMachine::find(const std::string &name)
{
	unsigned id;

	return unc_names_find(names, name.c_str(), &id, nullptr);
}

FakeMachine &FakeMachine::self(unc_hw *hw)
{
	return *reinterpret_cast<Hw *>(hw)->self;
}

int FakeMachine::do_read(unc_hw *hw, const unc_op *op, uint64_t *value)
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
			       reinterpret_cast<const char *>(&word->second) + (op->address & 7),
			       op->width / 8);
	}
	return 0;
}

int FakeMachine::do_write(unc_hw *hw, const unc_op *, uint64_t)
{
	self(hw).writes++;
	return 0;
}

int FakeMachine::do_read_many(unc_hw *, const unc_op *const *, unsigned, uint64_t *)
{
	return -EIO;
}

int FakeMachine::do_ask(unc_hw *hw, const unc_question *q, uint64_t *answer)
{
	if (q->asked == UNC_ASKED_BAR) {
		self(hw).bars_asked.push_back(q->width);
		answer[0] = self(hw).bar_bytes;
	}
	if (q->asked != UNC_ASKED_CPUID)
		return 0;
	if (self(hw).cpuid.empty())
		return -ENOENT;
	const auto found = self(hw).cpuid.find({q->where, static_cast<uint32_t>(q->address >> 32),
						static_cast<uint32_t>(q->address)});
	return found == self(hw).cpuid.end() ? 0
					     : unc_answer_cpuid(0, found->second.data(), answer);
}

void FakeMachine::do_explain(unc_hw *hw, const unc_op *, int error, char *text, size_t len)
{
	snprintf(text, len, "%s: %s", self(hw).reason.c_str(), strerror(-error));
}

} // namespace support
