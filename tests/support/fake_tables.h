/* SPDX-License-Identifier: BSD-3-Clause */
// fake_tables.h - a machine with discovery tables that a test writes word by word.
#ifndef SUPPORT_FAKE_TABLES_H
#define SUPPORT_FAKE_TABLES_H

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
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

	static FakeUnit msr(unsigned type, unsigned id, uint64_t address);
	static FakeUnit pci(unsigned type, unsigned id, unsigned bus, unsigned device,
			    unsigned function, unsigned offset = 0x438);
};

class FakeMachine
{
      public:
	explicit FakeMachine(const unc_platform &platform = unc_discovered, unsigned packages = 1);
	~FakeMachine();
	FakeMachine(const FakeMachine &) = delete;
	FakeMachine &operator=(const FakeMachine &) = delete;

	// Adds a PCI device and returns its number. near: its package, or -1.
	unsigned device(uint16_t id, unsigned bus, unsigned slot, unsigned function, int near = 0);
	// Adds a device with a table at an address of its own.
	unsigned table(const std::vector<FakeUnit> &units, int near = 0, uint16_t id = 0x09a7,
		       uint64_t global = 0x2ff0);
	// The bytes of a table. access: of its global control.
	void table_at(uint64_t base, const std::vector<FakeUnit> &units, uint64_t global,
		      unsigned access = 0);
	void config(unsigned unit, uint32_t offset, uint32_t value);
	// Returns 0 or the error. On success the machine and its names are available.
	int build();
	int build_machine();
	// With another backend between the library and the registers.
	int build_machine(unc_hw *through);
	const unc_unit &unit(size_t i) const;
	// Why the record is not a box; "" if it is one.
	std::string why(size_t i) const;
	// "cha0 pkg 1" for a record that is a box, else why it is not one.
	std::string box(size_t i) const;
	const unc_box_type *type(const std::string &name) const;
	int find(const std::string &name);

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
	static FakeMachine &self(unc_hw *hw);
	static int do_read(unc_hw *hw, const unc_op *op, uint64_t *value);
	static int do_write(unc_hw *hw, const unc_op *, uint64_t);
	static int do_read_many(unc_hw *, const unc_op *const *, unsigned, uint64_t *);
	static int do_ask(unc_hw *hw, const unc_question *q, uint64_t *answer);
	static void do_explain(unc_hw *hw, const unc_op *, int error, char *text, size_t len);
	static void do_close(unc_hw *)
	{
	}
	static constexpr unc_hw_ops ops = {do_read,    do_write, do_read_many, nullptr, do_ask,
					   do_explain, do_close, nullptr,      nullptr};
};

} // namespace support

#endif
