/* SPDX-License-Identifier: BSD-3-Clause */
// fault_life.h - runs event sets while accesses fail. Compares the result of each call and each
// count with the truth of the simulated machine, and the registers with their previous values.
#ifndef SUPPORT_FAULT_LIFE_H
#define SUPPORT_FAULT_LIFE_H

#include <memory>
#include <set>

#include "support/controls.h"
#include "support/faults.h"

struct sim;

namespace support::life
{

constexpr uint64_t kMillisecond = 1000000;

// An event of one box, and its truth: arguments of sim_rate(), or of sim_core_rate() for a CPU
// event.
struct Event {
	const char *name, *kind;
	uint64_t control, filter;
	unsigned box;

	std::string on(unsigned package) const;
	bool is_cpu() const;
};

// Where the registers of a machine are.
struct Registers {
	std::set<Place> counters;
	std::vector<unc_op> controls;

	explicit Registers(struct uncore *u);
	// Cached, because such machines are opened thousands of times. Always read without
	// faults.
	static const Registers &of(const std::string &spec, struct uncore *u);
};

// A machine whose accesses can fail, starting with the first access while it is opened.
class Machine
{
      public:
	explicit Machine(const std::string &spec, const std::vector<Fault> &while_opened = {});
	// All writable registers except the counters.
	std::vector<uint64_t> all_registers();
	// The registers that have been written so far.
	std::vector<uint64_t> registers();
	// Registers that were written later hold their previous values.
	void expect_same(const std::vector<uint64_t> &then);
	double rate(const Event &e, unsigned package) const;
	uint64_t now() const;
	void pass(uint64_t ns = kMillisecond) const;

	Interposer hardware;
	Faults faults;
	std::unique_ptr<Handle> handle;
	struct sim *sim = nullptr;

      private:
	static uncore_options options(const std::string &spec);
	uint64_t value(const unc_op &op);
	void note(const unc_op &op);
	// After an opening with faults, the registers are found at the first write.
	const Registers &places();
	const Registers *known = nullptr;
	std::unique_ptr<Registers> found;
	std::set<Place> noted;
	std::vector<std::pair<unc_op, uint64_t>> written;
};

// A set of a machine. Each call must succeed, or return the code and message of an access that
// failed during the call.
class Life
{
      public:
	// turns: multiplexes its events.
	Life(Machine &machine, const std::vector<Event> &events, unsigned package,
	     bool turns = false);
	// Faults that occur once need at most one more start than there are faults. After a
	// failed start the counts are those of the previous run.
	void start();
	void read();
	// Counts since the last reading are then part of no interval.
	void reset();
	void check();
	void poll();
	void restore();
	// Switches a multiplexed set to its next events.
	void window();
	void stop();
	// Runs the set to its end without faults, and compares the counts.
	void again();
	// Calls f while accesses are watched, and returns its code.
	template <typename F> int call(const char *what, F f)
	{
		int code;

		machine.faults.watched = watched;
		code = f();
		machine.faults.watched = false;
		if (code >= 0)
			return code;
		const std::string why = machine.handle->message();

		EXPECT_TRUE(code == UNCORE_EIO || machine.faults.has_code(code))
			<< what << ": " << code << ", " << why;
		EXPECT_TRUE(machine.faults.named_in(why)) << what << ": " << why;
		return code;
	}
	int64_t gain(size_t event, uint64_t since, uint64_t until) const;

	Set set;
	bool watched = true;
	bool running = false;

      private:
	static constexpr int64_t kSlack = 4; // the simulated machine rounds rates

	// Estimates are never too high. They lack the counts of windows that were lost.
	void expect_counts(const std::vector<int64_t> &values, uint64_t until);

	Machine &machine;
	const bool turns;
	std::vector<double> rates;
	uint64_t base = 0, good = 0;
};

} // namespace support::life

#endif
