/* SPDX-License-Identifier: BSD-3-Clause */
// fault_life.h - runs event sets while accesses fail. Compares the result of each call and each
// count with the truth of the simulated machine, and the registers with their previous values.
#ifndef SUPPORT_FAULT_LIFE_H
#define SUPPORT_FAULT_LIFE_H

#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "sim/sim.h"
#include "support/controls.h"
#include "support/faults.h"

namespace support::life
{

constexpr uint64_t kMillisecond = 1000000;

// An event of one box, and its truth: arguments of sim_rate(), or of sim_core_rate() for a CPU
// event.
struct Event {
	const char *name, *kind;
	uint64_t control, filter;
	unsigned box;

	std::string on(unsigned package) const
	{
		const std::string number = std::to_string(box);

		return std::string(name) +
		       (is_cpu() ? ":cpu=" + number
				 : ":box=" + number + ":pkg=" + std::to_string(package));
	}
	bool is_cpu() const
	{
		return std::string(kind) == "core";
	}
};

// Where the registers of a machine are.
struct Registers {
	std::set<Place> counters;
	std::vector<unc_op> controls;

	explicit Registers(struct uncore *u) : counters(counter_places(u)), controls(control_ops(u))
	{
	}
	// Cached, because such machines are opened thousands of times. Always read without
	// faults.
	static const Registers &of(const std::string &spec, struct uncore *u)
	{
		static std::map<std::string, Registers> all;

		return all.try_emplace(spec, u).first->second;
	}
};

// A machine whose accesses can fail, starting with the first access while it is opened.
class Machine
{
      public:
	explicit Machine(const std::string &spec, const std::vector<Fault> &while_opened = {})
	    : faults(hardware)
	{
		faults.plan(while_opened);
		faults.watched = true;
		handle = std::make_unique<Handle>(options(spec));
		faults.watched = false;
		if (hardware.behind())
			sim = unc_hw_sim(hardware.behind());
		if (handle->code == 0) {
			if (while_opened.empty())
				known = &Registers::of(spec, handle->u);
			faults.before_write = [this](const unc_op &op) { note(op); };
		}
	}
	// All writable registers except the counters.
	std::vector<uint64_t> all_registers()
	{
		std::vector<uint64_t> values;

		for (const unc_op &op : places().controls)
			values.push_back(value(op));
		return values;
	}
	// The registers that have been written so far.
	std::vector<uint64_t> registers()
	{
		std::vector<uint64_t> values;

		values.reserve(written.size());
		for (const auto &[op, before] : written)
			values.push_back(value(op));
		return values;
	}
	// Registers that were written later hold their previous values.
	void expect_same(const std::vector<uint64_t> &then)
	{
		const std::vector<uint64_t> now = registers();

		for (size_t i = 0; i < now.size(); i++) {
			const auto &[op, before] = written[i];

			EXPECT_EQ(i < then.size() ? then[i] : before, now[i])
				<< "space " << int(op.space) << " unit " << op.unit << " register "
				<< std::hex << op.address;
		}
	}
	double rate(const Event &e, unsigned package) const
	{
		return e.is_cpu() ? sim_core_rate(sim, e.box, e.control)
				  : sim_rate(sim, package, e.kind, e.box, e.control, e.filter);
	}
	uint64_t now() const
	{
		return sim_now(sim);
	}
	void pass(uint64_t ns = kMillisecond) const
	{
		sim_advance(sim, ns);
	}

	Interposer hardware;
	Faults faults;
	std::unique_ptr<Handle> handle;
	struct sim *sim = nullptr;

      private:
	static uncore_options options(const std::string &spec)
	{
		auto o = sized<uncore_options>();

		o.machine = spec.c_str();
		return o;
	}
	uint64_t value(const unc_op &op)
	{
		uint64_t value = 0;

		EXPECT_EQ(0, hardware.read(op, &value)) << std::hex << op.address;
		return value;
	}
	void note(const unc_op &op)
	{
		if (places().counters.count(place(op)) == 0 && noted.insert(place(op)).second)
			written.emplace_back(op, value(op));
	}
	// After an opening with faults, the registers are found at the first write.
	const Registers &places()
	{
		if (!known) {
			found = std::make_unique<Registers>(handle->u);
			known = found.get();
		}
		return *known;
	}
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
	     bool turns = false)
	    : set(*machine.handle), machine(machine), turns(turns)
	{
		std::vector<std::string> names;

		for (const Event &e : events) {
			names.push_back(e.on(package));
			rates.push_back(machine.rate(e, package));
			EXPECT_GT(rates.back(), 0) << names.back();
		}
		if (turns) {
			EXPECT_EQ(0, uncore_set_multiplex(set.set, UNCORE_MULTIPLEX_US));
		}
		EXPECT_EQ(0, set.assign(names)) << machine.handle->message();
	}
	// Faults that occur once need at most one more start than there are faults. After a
	// failed start the counts are those of the previous run.
	void start()
	{
		int code = -1;

		for (int tries = 0; tries < 3 && code < 0; tries++)
			code = call("start", [&] { return set.start(); });
		running = code == 0;
		if (running)
			base = good = machine.now();
	}
	void read()
	{
		std::vector<int64_t> values(rates.size());
		const int code =
			call("read", [&] { return uncore_set_read(set.set, values.data()); });

		if (code == 0 && running)
			good = machine.now();
		expect_counts(values, good);
	}
	// Counts since the last reading are then part of no interval.
	void reset()
	{
		const int code = call("reset", [&] { return set.reset(); });

		if (code == 0 && running)
			good = machine.now();
		base = good;
	}
	void check()
	{
		call("check", [&] { return uncore_set_check(set.set); });
	}
	void poll()
	{
		call("poll_wraps", [&] { return uncore_poll_wraps(machine.handle->u); });
	}
	void restore()
	{
		call("restore", [&] { return uncore_restore(machine.handle->u); });
	}
	// Switches a multiplexed set to its next events.
	void window()
	{
		call("window", [&] {
			unc_multiplex_next(set.set);
			return 0;
		});
	}
	void stop()
	{
		std::vector<int64_t> values(rates.size());
		const int code = call("stop", [&] { return set.stop(); });

		EXPECT_EQ(0, uncore_set_read(set.set, values.data()));
		// a window that failed is lost, but not those of other events
		if (running &&
		    (code == 0 || turns || values[0] >= gain(0, base, machine.now()) - kSlack))
			good = machine.now();
		running = false;
		expect_counts(values, good);
	}
	// Runs the set to its end without faults, and compares the counts.
	void again()
	{
		start();
		EXPECT_TRUE(running) << machine.handle->message();
		for (int i = 0; i < (turns ? 4 : 1); i++) {
			machine.pass();
			if (turns)
				window();
		}
		read();
		stop();
	}
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
	int64_t gain(size_t event, uint64_t since, uint64_t until) const
	{
		const auto at = [&](uint64_t ns) { return std::floor(rates[event] * ns / 1e9L); };

		return static_cast<int64_t>(at(until) - at(since));
	}

	Set set;
	bool watched = true;
	bool running = false;

      private:
	static constexpr int64_t kSlack = 4; // the simulated machine rounds rates

	// Estimates are never too high. They lack the counts of windows that were lost.
	void expect_counts(const std::vector<int64_t> &values, uint64_t until)
	{
		for (size_t i = 0; i < values.size(); i++) {
			const auto truth = static_cast<double>(gain(i, base, until));
			const auto count = static_cast<double>(values[i]);
			const double slack = kSlack + (turns ? truth / 100 : 0);

			EXPECT_LE(count, truth + slack) << "event " << i;
			if (!turns || machine.faults.hits.empty()) {
				EXPECT_GE(count, truth - slack) << "event " << i;
			}
		}
	}

	Machine &machine;
	const bool turns;
	std::vector<double> rates;
	uint64_t base = 0, good = 0;
};

} // namespace support::life

#endif
