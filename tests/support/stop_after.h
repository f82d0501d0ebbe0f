/* SPDX-License-Identifier: BSD-3-Clause */
// stop_after.h - simulated machines and sets that stop automatically.
#ifndef SUPPORT_STOP_AFTER_H
#define SUPPORT_STOP_AFTER_H

#include <cerrno>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "set/inside.h"
#include "sim/sim.h"
#include "support/handle.h"
#include "support/interposer.h"
#include "support/plan.h"

namespace support::stop_after
{

constexpr uint64_t kSecond = 1000000000;

struct Machine : Handle {
	explicit Machine(const std::string &platform,
			 const std::string &more = "packages=2,time=virtual")
	    : Handle(options("sim:" + platform + ":" + more))
	{
		EXPECT_EQ(0, code) << message();
		sim = unc_hw_sim(unc_hw_of(u));
	}
	void pass(uint64_t ns) const
	{
		sim_advance(sim, ns);
	}
	uint64_t msr(uint32_t address, unsigned package = 0) const
	{
		uint64_t value = 0;

		EXPECT_EQ(0, sim_msr_read(sim, package, address, &value)) << std::hex << address;
		return value;
	}
	void set_msr(uint32_t address, uint64_t value, unsigned package = 0) const
	{
		EXPECT_EQ(0, sim_msr_write(sim, package, address, value)) << std::hex << address;
	}
	// The rate of an event per second.
	double rate(const std::string &event) const
	{
		Set set(*this, {event});

		EXPECT_EQ(0, set.start()) << message();
		pass(kSecond);
		EXPECT_EQ(0, set.stop());
		return static_cast<double>(set.count());
	}

	struct sim *sim;

      private:
	// Only used while the machine is opened.
	static uncore_options options(const std::string &spec)
	{
		auto o = support::sized<uncore_options>();

		o.machine = spec.c_str();
		return o;
	}
};

struct StopAfterSet : Set {
	using Set::Set;
	// Selects the event of the list that stops the set, and the cores that are interrupted.
	int stop_after(uint64_t n, unsigned event = 0, uint64_t cores = 0)
	{
		const uncore_stop_after one = {sizeof(one), event, n};

		return uncore_set_stop_after(set, &one, 1, cores);
	}
	int again()
	{
		return uncore_set_rearm(set);
	}
	int wait(int ms = 0)
	{
		return uncore_set_wait(set, ms);
	}
	uncore_stop_after_info info(unsigned i = 0) const
	{
		auto info = support::sized<uncore_stop_after_info>();

		EXPECT_EQ(1, uncore_set_stop_after_info(set, i, &info));
		return info;
	}
	// Finds the register of the counter that is preloaded.
	void find_counter()
	{
		const uncore_stop_after_info of = info();
		auto box = support::sized<uncore_box_info>();

		for (unsigned i = 0; uncore_box(handle.u, i, &box) == 1; i++)
			if (std::string(of.kind) == box.kind && of.box == box.index &&
			    of.package == box.package) {
				EXPECT_TRUE(register_op(handle.u, i, UNCORE_COUNTER, of.counter,
							&counter));
			}
	}
	std::vector<uncore_overflow_source> sources()
	{
		std::vector<uncore_overflow_source> all;
		auto source = support::sized<uncore_overflow_source>();

		while (uncore_set_overflow_source(set, static_cast<unsigned>(all.size()),
						  &source) == 1)
			all.push_back(source);
		return all;
	}

	unc_op counter = {};
};

// Records the value of each register before its first write.
class Ledger
{
      public:
	explicit Ledger(const Handle &handle) : hardware(handle)
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
	// All registers have these values again, except the counter, which is 0 if it was
	// preloaded.
	void expect_as_before(const StopAfterSet &set, const std::string &what)
	{
		for (const auto &[where, was] : known) {
			uint64_t value = 0;

			EXPECT_EQ(0, hardware.read(was.first, &value));
			EXPECT_EQ(is_counter(set, was.first) ? 0 : was.second, value)
				<< what << std::hex << ", register " << was.first.address;
		}
	}

	Interposer hardware;
	unsigned writes = 0, fail_at = UINT32_MAX;

      private:
	using Key = std::tuple<unsigned, unsigned, unsigned, uint64_t>;

	static Key key(const unc_op &op)
	{
		return {op.space, op.package, op.unit, op.address};
	}
	// Comparing addresses is enough: no other register with this address is written.
	static bool is_counter(const StopAfterSet &set, const unc_op &op)
	{
		return set.counter.space == op.space && set.counter.address == op.address &&
		       set.counter.package == op.package && set.counter.unit == op.unit;
	}
	std::map<Key, std::pair<unc_op, uint64_t>> known;
};

} // namespace support::stop_after

#endif
