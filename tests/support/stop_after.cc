// SPDX-License-Identifier: BSD-3-Clause
#include "support/stop_after.h"

#include <cerrno>

#include "sim/sim.h"
#include "support/plan.h"

namespace support::stop_after
{

Machine::Machine(const std::string &platform, const std::string &more)
    : Handle(options("sim:" + platform + ":" + more))
{
	EXPECT_EQ(0, code) << message();
	sim = unc_hw_sim(unc_hw_of(u));
}

void Machine::pass(uint64_t ns) const
{
	sim_advance(sim, ns);
}

uint64_t Machine::msr(uint32_t address, unsigned package) const
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
	return value;
}

void Machine::set_msr(uint32_t address, uint64_t value, unsigned package) const
{
	EXPECT_EQ(0, sim_msr_write(sim, package, address, value)) << std::hex << address;
}

double Machine::rate(const std::string &event) const
{
	Set set(*this, {event});

	EXPECT_EQ(0, set.start()) << message();
	pass(kSecond);
	EXPECT_EQ(0, set.stop());
	return static_cast<double>(set.count());
}

uncore_options Machine::options(const std::string &spec)
{
	auto o = support::sized<uncore_options>();

	o.machine = spec.c_str();
	return o;
}

int StopAfterSet::stop_after(uint64_t n, unsigned event, uint64_t cores)
{
	const uncore_stop_after one = {sizeof(one), event, n};

	return uncore_set_stop_after(set, &one, 1, cores);
}

int StopAfterSet::again()
{
	return uncore_set_rearm(set);
}

int StopAfterSet::wait(int ms)
{
	return uncore_set_wait(set, ms);
}

uncore_stop_after_info StopAfterSet::info(unsigned i) const
{
	auto info = support::sized<uncore_stop_after_info>();

	EXPECT_EQ(1, uncore_set_stop_after_info(set, i, &info));
	return info;
}

void StopAfterSet::find_counter()
{
	const uncore_stop_after_info of = info();
	auto box = support::sized<uncore_box_info>();

	for (unsigned i = 0; uncore_box(handle.u, i, &box) == 1; i++)
		if (std::string(of.kind) == box.kind && of.box == box.index &&
		    of.package == box.package) {
			EXPECT_TRUE(register_op(handle.u, i, UNCORE_COUNTER, of.counter, &counter));
		}
}

std::vector<uncore_overflow_source> StopAfterSet::sources()
{
	std::vector<uncore_overflow_source> all;
	auto source = support::sized<uncore_overflow_source>();

	while (uncore_set_overflow_source(set, static_cast<unsigned>(all.size()), &source) == 1)
		all.push_back(source);
	return all;
}

Ledger::Ledger(const Handle &handle) : hardware(handle)
{
	hardware.on_write = [this](const unc_op &op, uint64_t) {
		unc_op read = op;
		uint64_t value = 0;

		read.kind = UNCORE_READ;
		if (fail_at == writes++)
			return -EIO;
		if (known.count(key(op)) == 0 && hardware.read(read, &value) == 0)
			known[key(op)] = {read, value};
		return 0;
	};
}

void Ledger::expect_as_before(const StopAfterSet &set, const std::string &what)
{
	for (const auto &[where, was] : known) {
		uint64_t value = 0;

		EXPECT_EQ(0, hardware.read(was.first, &value));
		EXPECT_EQ(is_counter(set, was.first) ? 0 : was.second, value)
			<< what << std::hex << ", register " << was.first.address;
	}
}

Ledger::Key Ledger::key(const unc_op &op)
{
	return {op.space, op.package, op.unit, op.address};
}

bool Ledger::is_counter(const StopAfterSet &set, const unc_op &op)
{
	return set.counter.space == op.space && set.counter.address == op.address &&
	       set.counter.package == op.package && set.counter.unit == op.unit;
}

} // namespace support::stop_after
