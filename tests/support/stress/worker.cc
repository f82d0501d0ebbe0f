// SPDX-License-Identifier: BSD-3-Clause
#include "support/stress/worker.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <thread>

#include "set/inside.h"
#include "sim/sim.h"

namespace support::stress
{

Opened::Opened(const uncore_options &options, const Shared &shared)
{
	if (uncore_open(&u, &options) != 0)
		return;
	ids.resize(shared.n_events);
	for (unsigned i = 0; i < shared.n_events; i++)
		if (uncore_event(u, shared.events[i].name, &ids[i]) != 0)
			return;
	good = true;
}

Opened::~Opened()
{
	uncore_close(u);
}

std::string Opened::message() const
{
	char text[UNCORE_ERRMSG_MAX];

	return u ? uncore_errmsg(u, text, sizeof(text)) : "out of memory";
}

Session::Session(const Plan &plan, Shared &shared, Opened &opened, Slot &slot, Gate &gate,
		 std::mt19937 &random)
    : plan(plan), shared(shared), opened(opened), slot(slot), gate(gate), random(random)
{
	uncore_set_create(opened.u, &set);
}

Session::~Session()
{
	uncore_set_destroy(set);
}

void Session::live(unsigned group)
{
	kind = choose_kind();
	if (!choose(group))
		return;
	enter_past();
	if (start()) {
		count();
		stop();
	}
	past->ended = real_ns();
}

unsigned Session::below(unsigned n)
{
	return unsigned(random() % n);
}

Kind Session::choose_kind()
{
	const unsigned i = plan.mode == Mode::kRandom ? below(100) : 99;

	return i < 12 ? Kind::kMultiplexed : i < 20 ? Kind::kStopAfter : Kind::kPlain;
}

const Counted &Session::event(size_t i) const
{
	return shared.events[chosen[i]];
}

bool Session::choose_events(unsigned group)
{
	std::set<unsigned> some;
	const unsigned n = 1 + below(3);

	for (unsigned tries = 0; some.size() < n && tries < 50 * n; tries++) {
		const unsigned e = below(shared.n_events);

		if (shared.events[e].group == group)
			some.insert(e);
	}
	chosen.assign(some.begin(), some.end());
	std::shuffle(chosen.begin(), chosen.end(), random);
	return !chosen.empty();
}

int Session::assign()
{
	std::vector<unsigned> ids;

	for (unsigned e : chosen)
		ids.push_back(opened.ids[e]);
	const int r = uncore_set_assign(set, ids.data(), ids.size());
	return r == 0 && kind == Kind::kStopAfter ? stop_after() : r;
}

int Session::stop_after()
{
	auto after = sized<uncore_stop_after>();

	for (unsigned e : chosen)
		if (event(0).counters != 1 || !shared.events[e].stands)
			return UNCORE_ECOMBO;
	after.count = n_after = uint64_t(event(0).rate * (1e6 + below(5000000))) + 1;
	return uncore_set_stop_after(set, &after, 1, 0);
}

bool Session::choose(unsigned group)
{
	if (kind == Kind::kMultiplexed)
		uncore_set_multiplex(set, UNCORE_MULTIPLEX_US);
	for (int tries = 0; tries < 10; tries++)
		if (choose_events(group)) {
			if (assign() == 0)
				return true;
			opened.failures++;
		}
	return false;
}

void Session::enter_past()
{
	past = &slot.past[slot.n++ % kPast];
	past->ended = 0;
	past->boxes = {};
	for (size_t i = 0; i < chosen.size(); i++)
		past->boxes.add(kind == Kind::kStopAfter ? event(i).packages : event(i).boxes);
	past->began = real_ns();
}

bool Session::is_other(const Slot &other) const
{
	const unsigned share = plan.mode == Mode::kDisjoint ? plan.threads : 1;

	return (&other - shared.slots) / share != (&slot - shared.slots) / share;
}

bool Session::was_disturbed(int64_t since) const
{
	for (unsigned i = 0; i < plan.processes * plan.threads; i++) {
		const Slot &other = shared.slots[i];

		for (const Past &p : other.past) {
			const int64_t ended = p.ended;

			if (is_other(other) && p.began && (!ended || ended >= since) &&
			    p.boxes.meets(past->boxes))
				return true;
		}
	}
	return false;
}

void Session::record_starting()
{
	const unsigned n = plan.mode == Mode::kOwner ? unsigned(chosen.size()) : 0;

	records = shared.n_records.fetch_add(n);
	n_records = records + n <= kRecords ? n : 0;
	for (unsigned i = 0; i < n_records; i++) {
		Record &r = shared.records[records + i];

		r.event = chosen[i];
		r.handle = opened.number;
		r.pid = getpid();
		r.from = began;
		r.to = UINT64_MAX;
		r.part = kStarting;
	}
}

bool Session::start()
{
	const int64_t since = real_ns();
	const Inside inside(gate);
	const unsigned failures = opened.failures;

	began = shared.now;
	ticks = shared.ticks;
	record_starting();
	shared.add(kBegun);
	const int r = uncore_set_start(set);
	const bool disturbed = was_disturbed(since);
	if (!disturbed)
		shared.add(kUndisturbed);
	if (r == 0)
		return true;
	opened.failures++;
	const Refused refused = {r, opened.message(), opened.failures != failures + 1};
	judge(refused, disturbed);
	for (unsigned i = 0; i < n_records; i++)
		shared.records[records + i].part = kNone;
	return false;
}

void Session::judge(const Refused &refused, bool disturbed)
{
	const Tally why = reason(refused);

	shared.add(why);
	if (!disturbed && why != kLockTimeout) {
		shared.add(kInnocent);
		shared.trouble("no process had the boxes of %s: %s", event(0).name,
			       refused.message.c_str());
	}
	if (why == kUnnamed || why == kOtherRefusal)
		shared.trouble("refused with %d: %s", refused.code, refused.message.c_str());
}

Tally Session::reason(const Refused &refused) const
{
	const char *const pid = strstr(refused.message.c_str(), "(pid ");

	if (refused.code == UNCORE_ECONFLICT && plan.threads > 1)
		return kOwnConflict;
	if (refused.code != UNCORE_EBUSY)
		return kOtherRefusal;
	if (!pid || !shared.lives(pid_t(strtol(pid + 5, nullptr, 10))))
		return refused.ambiguous ? kAmbiguous : kUnnamed;
	return strstr(refused.message.c_str(), "UNCORE_LOCK_TIMEOUT") ? kLockTimeout : kConflict;
}

void Session::sleep_a_bit()
{
	usleep(300);
}

void Session::wait_until(uint64_t time) const
{
	while (shared.now < time && !shared.over)
		sleep_a_bit();
}

void Session::count()
{
	const unsigned steps = kind == Kind::kPlain ? below(4) : 1 + below(5);

	base = began;
	if (kind == Kind::kStopAfter)
		wait_for_stop();
	else
		for (unsigned i = 0; i < steps; i++)
			step();
	wait_until(base + 1 + below(4000000));
	while (shared.ticks == ticks)
		sleep_a_bit();
}

void Session::step()
{
	wait_until(shared.now + 1 + below(2000000));
	const Inside inside(gate);

	if (kind == Kind::kMultiplexed) {
		unc_multiplex_next(set);
	} else if (below(3) == 0 && shared.now > base) {
		note(uncore_set_reset(set), "reset");
		base = shared.now;
		ticks = shared.ticks;
	} else {
		std::vector<int64_t> values(chosen.size());

		note(uncore_set_read(set, values.data()), "read");
		expect(values, "while it counts", shared.now);
	}
}

void Session::wait_for_stop()
{
	const uint64_t until = began + 100000000;
	int r = 0;

	while (r == 0 && shared.now < until && !shared.over) {
		sleep_a_bit();
		const Inside inside(gate);
		r = uncore_set_wait(set, 0);
		looked = shared.now;
	}
	if (r < 0)
		note(r, "wait");
	stopped = r == 1;
}

void Session::stop()
{
	std::vector<int64_t> values(chosen.size());
	const Inside inside(gate);

	note(uncore_set_stop(set), "stop");
	if (reported)
		return;
	note(uncore_set_read(set, values.data()), "read behind the stop");
	if (kind == Kind::kMultiplexed)
		expect_estimates();
	else if (kind == Kind::kStopAfter)
		expect_stopped(values);
	else
		expect(values, "at its end", shared.now);
	if (reported || wrong)
		return;
	shared.add(kCounted);
	if (kind != Kind::kPlain)
		shared.add(kind == Kind::kMultiplexed ? kMultiplexed : kStoppedAfter);
	finish_records(values);
}

void Session::finish_records(const std::vector<int64_t> &values)
{
	for (unsigned i = 0; i < n_records; i++) {
		Record &r = shared.records[records + i];

		r.to = uint64_t(shared.now);
		r.part = values[i] ? kOwned : kElsewhere;
		if (!values[i])
			shared.add(kElsewhereSeen);
	}
}

void Session::note(int code, const char *what)
{
	if (code == 0)
		return;
	reported = true;
	shared.add(kTold);
	shared.trouble("%s of %s: %d, %s", what, event(0).name, code, opened.message().c_str());
}

void Session::check(size_t i, double count, double truth, double tolerance, const char *when)
{
	if (std::abs(count - truth) <= tolerance || wrong)
		return;
	wrong = true;
	shared.add(kWrong);
	shared.trouble("%s, %s, process %d, event %zu of %zu: %.0f, should be %.1f to within "
		       "%.1f; from %" PRIu64 " to %" PRIu64,
		       event(i).name, when, int(getpid()), i, chosen.size(), count, truth,
		       tolerance, base, uint64_t(shared.now));
}

unsigned Session::counted_by_others() const
{
	auto info = sized<struct uncore_set_info>();

	::uncore_set_info(set, &info);
	return info.elsewhere;
}

void Session::expect(const std::vector<int64_t> &values, const char *when, uint64_t now)
{
	const double ns = double(now - base);
	unsigned zeros = 0;

	for (size_t i = 0; i < chosen.size(); i++) {
		const bool zero = plan.mode == Mode::kOwner && values[i] == 0;

		zeros += zero;
		if (!zero)
			check(i, double(values[i]), event(i).rate * ns, event(i).tolerance, when);
	}
	if (shared.ticks != ticks)
		check(0, zeros, counted_by_others(), 0, "values that another process counts");
}

void Session::expect_estimates()
{
	auto times = sized<uncore_times>(chosen.size());
	const double windows = double(shared.ticks - ticks) + 2;

	note(uncore_set_times(set, times.data()), "times");
	for (size_t i = 0; i < chosen.size(); i++) {
		check(i, double(times[i].count), event(i).rate * double(times[i].running_ns),
		      event(i).tolerance * windows, "multiplexed");
		check(i, double(times[i].enabled_ns), double(shared.now - began), 0,
		      "enabled time");
	}
}

void Session::expect_stopped(const std::vector<int64_t> &values)
{
	auto info = sized<struct uncore_stop_after_info>();
	const double ns = double(n_after) / event(0).rate;

	uncore_set_stop_after_info(set, 0, &info);
	if (!stopped || info.polled) {
		expect(values, "stopped by polling", stopped ? looked : uint64_t(shared.now));
		return;
	}
	check(0, double(values[0]), double(n_after), event(0).tolerance + slack(0),
	      "that stops the set");
	for (size_t i = 1; i < chosen.size(); i++)
		if (event(i).counters == 1 &&
		    !memcmp(&event(i).packages, &event(0).packages, sizeof(Boxes)))
			check(i, double(values[i]), event(i).rate * ns,
			      event(i).tolerance + slack(i), "stopped");
}

double Session::slack(size_t i) const
{
	return 1 + event(i).rate * SIM_STOP_OTHERS_NS + event(i).rate / event(0).rate;
}

void run_thread(const Plan &plan, Shared &shared, Opened &opened, unsigned process, unsigned thread,
		const std::string &directory)
{
	Slot &slot = shared.slots[process * plan.threads + thread];
	Gate gate(directory);
	std::mt19937 random(plan.seed + unsigned(getpid()) * 16 + thread);

	slot.pid = getpid();
	while (!shared.over && slot.left > 0) {
		const uint64_t pause =
			shared.now + random() % (500000 * plan.processes * plan.threads);

		slot.left--;
		while (shared.now < pause && !shared.over)
			usleep(300);
		Session(plan, shared, opened, slot, gate, random)
			.live(plan.mode == Mode::kDisjoint ? process : 0);
	}
}

unsigned registers_given_back(const Opened &opened)
{
	auto info = sized<uncore_restored_info>();
	unsigned n = 0;

	while (uncore_restored(opened.u, n, &info) == 1)
		n++;
	return n;
}

int run_process(const Plan &plan, Shared &shared, const Mounted &files, unsigned process,
		const std::string &directory)
{
	std::vector<std::unique_ptr<Opened>> opened;
	std::vector<std::thread> threads;
	uncore_options options = files.options();

	if (plan.mode == Mode::kOwner)
		options.share = "owner";
	options.wrap_poller = process % 2 ? 1 : -1;
	for (unsigned i = 0; i < (plan.mode == Mode::kDisjoint ? 1 : 2); i++) {
		opened.push_back(std::make_unique<Opened>(options, shared));
		opened[i]->number = unsigned(getpid()) * 2 + i;
		if (!opened[i]->good) {
			shared.trouble("the machine cannot be opened: %s",
				       opened[i]->message().c_str());
			return 1;
		}
	}
	for (unsigned t = 0; t < plan.threads; t++)
		threads.emplace_back([&, t] {
			run_thread(plan, shared, *opened[t % opened.size()], process, t, directory);
		});
	for (std::thread &thread : threads)
		thread.join();
	for (const auto &o : opened)
		shared.add(kRecovered, registers_given_back(*o));
	return 0;
}

} // namespace support::stress
