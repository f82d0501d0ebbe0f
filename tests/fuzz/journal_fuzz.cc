// SPDX-License-Identifier: BSD-3-Clause
// journal_fuzz.cc - journals of any kind, as a process that has ended could have left them: they
// are read, and recovered on a simulated machine.  No register outside the map is written, and
// nothing is let count.
//
// The first byte of an input chooses the machine ('a' is the first), in the second one 'f' says
// that the rest is a file.  Otherwise it is registers of 29 bytes each: which one of the map (2),
// flags (1), which bits were changed (8), what they held (8), and a value that they may show (8),
// with a part of its mask (1); the last one how far off its address is (1).
#include <memory>

#include "fuzz/fuzz.h"
#include "support/recovery.h"

namespace
{

using support::Recovery;

constexpr const char *kMachines[] = {"snbep", "nhmex", "ivbep", "skx", "icx", "spr"};

class Input
{
      public:
	Input(const uint8_t *data, size_t size) : data(data), size(size)
	{
	}
	bool more() const
	{
		return at < size;
	}
	// Behind the end there are zeros.
	uint64_t take(size_t bytes)
	{
		uint64_t value = 0;

		for (size_t i = 0; i < bytes; i++, at++)
			value |= static_cast<uint64_t>(at < size ? data[at] : 0) << 8 * i;
		return value;
	}

      private:
	const uint8_t *data;
	size_t size, at = 0;
};

Recovery &machine(size_t which)
{
	static std::unique_ptr<Recovery> all[std::size(kMachines)];

	if (!all[which]) {
		all[which] = std::make_unique<Recovery>("sim:" + std::string(kMachines[which]) +
							":packages=2,cores=2,time=virtual");
		all[which]->wrong = [](const char *what, const unc_op &) {
			fuzz::demand(false, what, "a write");
		};
	}
	return *all[which];
}

void recover(Recovery &r, Input in)
{
	std::vector<unc_saved> saved;
	std::vector<unc_shown> shown;

	while (in.more() && saved.size() < 1000) {
		unc_saved k = {};
		unc_shown s = {};

		k.place = r.place(in.take(2));
		k.flags = static_cast<uint32_t>(in.take(1));
		k.bits = in.take(8);
		k.before = in.take(8);
		s.value = in.take(8);
		s.mask = in.take(1) * UINT64_C(0x0101010101010101);
		k.place.address += in.take(1);
		k.group = k.flags >> 3;
		k.shown = static_cast<uint32_t>(shown.size());
		k.n_shown = s.mask != 0;
		if (s.mask)
			shown.push_back(s);
		saved.push_back(k);
	}
	r.recover(saved, shown);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	Recovery &r = machine(static_cast<uint8_t>(data[0] - 'a') % std::size(kMachines));

	if (data[1] == 'f')
		r.recover(data + 2, size - 2);
	else
		recover(r, Input(data + 2, size - 2));
	fuzz::demand(r.stopped(), "something counts", "now");
	return 0;
}
