// SPDX-License-Identifier: BSD-3-Clause
#include "support/ex.h"

#include <cmath>
#include <ostream>
#include <stdexcept>

#include "set/inside.h"

namespace support::ex
{

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

Machine::Machine(const Platform &on, const std::string &options)
    : Handle(support::sim_options(
	      ("sim:" + on.name + ":time=virtual,cores=" + std::to_string(on.cores) + options)
		      .c_str()))
{
	if (code != 0)
		throw std::runtime_error(message());
	sim = unc_hw_sim(unc_hw_of(u));
}

uint64_t Machine::get(uint32_t msr, unsigned package)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_msr_read(sim, package, msr, &value)) << std::hex << msr;
	return value;
}

void Machine::put(uint32_t msr, uint64_t value, unsigned package)
{
	EXPECT_EQ(0, sim_msr_write(sim, package, msr, value)) << std::hex << msr;
}

Registers Machine::registers()
{
	Registers all;
	uint64_t value = 0;

	for (unsigned p = 0; p < machine().packages; p++)
		for (uint32_t a = 0xc00; a < 0x1000; a++)
			if (!is_counter(a) && sim_msr_read(sim, p, a, &value) == 0)
				all[{p, a}] = value;
	all[{0, 0x395}] = get(0x395);
	return all;
}

double Machine::rate(const Truth &t, unsigned box, unsigned package)
{
	return sim_rate(sim, package, t.kind, box, t.control, t.filter);
}

double Machine::total(const Known &k, int box)
{
	double sum = 0;

	for (unsigned p = 0; p < machine().packages; p++)
		for (unsigned b = 0; !std::isnan(rate(k.truth, b, p)); b++)
			if ((k.box < 0 || k.box == static_cast<int>(b)) &&
			    (box < 0 || box == static_cast<int>(b)))
				sum += rate(k.truth, b, p);
	return sum;
}

int64_t Machine::count(const std::string &event)
{
	support::Set set(*this, {event});

	EXPECT_EQ(0, set.start()) << event << ": " << message();
	sim_advance(sim, kSecond);
	EXPECT_EQ(0, set.stop()) << event << ": " << message();
	return set.count();
}

bool Machine::is_counter(uint32_t msr)
{
	static const struct {
		uint32_t first, n;
	} controls[] = {
		{0xc10, 1}, {0xc30, 4}, {0xc70, 4}, {0xc50, 4}, {0xcd0, 4}, {0xc90, 4}, {0xcb0, 6},
		{0xcf0, 6}, {0xe10, 8}, {0xe30, 8}, {0xd10, 6}, {0xd30, 6}, {0xd50, 6}, {0xd70, 6},
		{0xd90, 6}, {0xdb0, 6}, {0xdd0, 6}, {0xdf0, 6}, {0xf50, 6}, {0xfd0, 6},
	};

	for (const auto &c : controls)
		if (msr >= c.first && msr < c.first + 2 * c.n)
			return (msr - c.first) % 2 == 1;
	return false;
}

void expect_near(double expected, int64_t actual)
{
	EXPECT_NEAR(expected, static_cast<double>(actual), 100 + 1e-9 * expected);
}

uint64_t Ex::fvc(unsigned slot, unsigned event, unsigned command) const
{
	return static_cast<uint64_t>(event) << (platform.fvc_event + 3 * slot) |
	       static_cast<uint64_t>(command) << platform.fvc_command;
}

} // namespace support::ex
