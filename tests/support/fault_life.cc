// SPDX-License-Identifier: BSD-3-Clause
#include "support/fault_life.h"

#include <cmath>
#include <map>

#include "sim/sim.h"

namespace support::life
{

std::string Event::on(unsigned package) const
{
	const std::string number = std::to_string(box);

	return std::string(name) +
	       (is_cpu() ? ":cpu=" + number : ":box=" + number + ":pkg=" + std::to_string(package));
}

bool Event::is_cpu() const
{
	return std::string(kind) == "core";
}

Registers::Registers(struct uncore *u) : counters(counter_places(u)), controls(control_ops(u))
{
}

const Registers &Registers::of(const std::string &spec, struct uncore *u)
{
	static std::map<std::string, Registers> all;

	return all.try_emplace(spec, u).first->second;
}

Machine::Machine(const std::string &spec, const std::vector<Fault> &while_opened) : faults(hardware)
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

std::vector<uint64_t> Machine::all_registers()
{
	std::vector<uint64_t> values;

	for (const unc_op &op : places().controls)
		values.push_back(value(op));
	return values;
}

std::vector<uint64_t> Machine::registers()
{
	std::vector<uint64_t> values;

	values.reserve(written.size());
	for (const auto &[op, before] : written)
		values.push_back(value(op));
	return values;
}

void Machine::expect_same(const std::vector<uint64_t> &then)
{
	const std::vector<uint64_t> now = registers();

	for (size_t i = 0; i < now.size(); i++) {
		const auto &[op, before] = written[i];

		EXPECT_EQ(i < then.size() ? then[i] : before, now[i])
			<< "space " << int(op.space) << " unit " << op.unit << " register "
			<< std::hex << op.address;
	}
}

double Machine::rate(const Event &e, unsigned package) const
{
	return e.is_cpu() ? sim_core_rate(sim, e.box, e.control)
			  : sim_rate(sim, package, e.kind, e.box, e.control, e.filter);
}

uint64_t Machine::now() const
{
	return sim_now(sim);
}

void Machine::pass(uint64_t ns) const
{
	sim_advance(sim, ns);
}

uncore_options Machine::options(const std::string &spec)
{
	auto o = sized<uncore_options>();

	o.machine = spec.c_str();
	return o;
}

uint64_t Machine::value(const unc_op &op)
{
	uint64_t value = 0;

	EXPECT_EQ(0, hardware.read(op, &value)) << std::hex << op.address;
	return value;
}

void Machine::note(const unc_op &op)
{
	if (noted.insert(place(op)).second && places().counters.count(place(op)) == 0)
		written.emplace_back(op, value(op));
}

const Registers &Machine::places()
{
	if (!known) {
		found = std::make_unique<Registers>(handle->u);
		known = found.get();
	}
	return *known;
}

Life::Life(Machine &machine, const std::vector<Event> &events, unsigned package, bool turns)
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

void Life::start()
{
	int code = -1;

	for (int tries = 0; tries < 3 && code < 0; tries++)
		code = call("start", [&] { return set.start(); });
	running = code == 0;
	if (running)
		base = good = machine.now();
}

void Life::read()
{
	std::vector<int64_t> values(rates.size());
	const int code = call("read", [&] { return uncore_set_read(set.set, values.data()); });

	if (code == 0 && running)
		good = machine.now();
	expect_counts(values, good);
}

void Life::reset()
{
	const int code = call("reset", [&] { return set.reset(); });

	if (code == 0 && running)
		good = machine.now();
	base = good;
}

void Life::check()
{
	call("check", [&] { return uncore_set_check(set.set); });
}

void Life::poll()
{
	call("poll_wraps", [&] { return uncore_poll_wraps(machine.handle->u); });
}

void Life::restore()
{
	call("restore", [&] { return uncore_restore(machine.handle->u); });
}

void Life::window()
{
	call("window", [&] {
		unc_multiplex_next(set.set);
		return 0;
	});
}

void Life::stop()
{
	std::vector<int64_t> values(rates.size());
	const int code = call("stop", [&] { return set.stop(); });

	EXPECT_EQ(0, uncore_set_read(set.set, values.data()));
	// a window that failed is lost, but not those of other events
	if (running && (code == 0 || turns || values[0] >= gain(0, base, machine.now()) - kSlack))
		good = machine.now();
	running = false;
	expect_counts(values, good);
}

void Life::again()
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

int64_t Life::gain(size_t event, uint64_t since, uint64_t until) const
{
	const auto at = [&](uint64_t ns) { return std::floor(rates[event] * ns / 1e9L); };

	return static_cast<int64_t>(at(until) - at(since));
}

void Life::expect_counts(const std::vector<int64_t> &values, uint64_t until)
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

} // namespace support::life
