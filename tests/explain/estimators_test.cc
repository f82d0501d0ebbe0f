// SPDX-License-Identifier: BSD-3-Clause
// estimators_test.cc - the estimators alone, in 10,000 runs of made-up counts: rates and their
// errors, the program's share after the traffic before it, and the account of `uncore who`.  Time
// is a number here: reads take some of it, and stalls come between them.  The truth is the integral
// of the traffic that this test invents.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iostream>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "support/sanitizer.h"

extern "C" {
#include "command/base/rate.h"
#include "command/explain/background.h"
#include "command/explain/collect.h"
#include "command/who/shares.h"
}

namespace
{

using Random = std::mt19937;

// A sanitizer has seen all of the code after fewer.
constexpr unsigned kRuns = kSanitizer ? 1000 : 10000;

double unit(Random &random)
{
	return std::uniform_real_distribution<double>(0, 1)(random);
}

// ---- traffic ----

enum kind { kSteady, kPeriodic, kBursts, kKinds };
const std::array<const char *, kKinds> kNames = {"steady", "periodic", "bursts"};

// A tenth of each period in bursts, at any place; or half of it.
struct Traffic {
	Traffic(Random &random, kind of)
	    : is(of), period(1e-3 * std::pow(3e3, unit(random))), phase(period * unit(random)),
	      salt((unsigned)random())
	{
	}
	double busy() const
	{
		return is == kPeriodic ? 0.5 : 0.1;
	}
	double quiet() const
	{
		return is == kPeriodic ? 0.3 : 0.05;
	}
	// Seconds of full traffic until t, which is not negative.
	double until(double t) const
	{
		if (is == kSteady)
			return t;
		const double n = std::floor((t + phase) / period), into = t + phase - n * period;
		const double start = is == kBursts ? start_of((unsigned)n) : 0;
		const double passed =
			n * busy() * period + std::clamp(into - start, 0.0, busy() * period);

		return passed + (t + phase - passed) * quiet();
	}
	double between(double from, double to) const
	{
		return until(to) - until(from);
	}

      public:
	double start_of(unsigned n) const
	{
		std::minstd_rand place(salt + n);

		place.discard(3);
		return (1 - busy()) * period * std::uniform_real_distribution<double>(0, 1)(place);
	}

	kind is;
	double period, phase;
	unsigned salt;
};

struct Tally {
	unsigned values = 0, outside = 0, far = 0, withheld = 0;
	std::vector<double> errors; // relative

	void add(double is, double error, double truth)
	{
		const double apart = std::fabs(is - truth), noise = 1e-9 * truth;

		values++;
		outside += apart > error + noise;
		far += apart > 3 * error + noise;
		errors.push_back(error / truth);
	}
	double median()
	{
		std::sort(errors.begin(), errors.end());
		return errors.empty() ? NAN : errors[errors.size() / 2];
	}
	void print(const char *what) const
	{
		std::cout << what << ": " << values << " values, " << outside << " outside, " << far
			  << " beyond three times their error\n";
	}
	void expect(const char *what) const
	{
		print(what);
		EXPECT_LT(100U, values) << what;
		EXPECT_LE(outside, 0.05 * values) << what;
		EXPECT_LE(far, 0.001 * values) << what;
		EXPECT_EQ(0U, withheld) << what;
	}
};

// ---- reads ----

// A read that may wait for a processor.
struct Read {
	Read(Random &random, double at, double takes, double stalls)
	    : begin(at), delay(unit(random) < stalls ? 1e-3 * (1 + 5 * unit(random)) : 0),
	      waits(unit(random) * takes), end(begin + takes + delay)
	{
	}
	double middle() const
	{
		return (begin + end) / 2;
	}
	// When the register at such a part of an undelayed read was read.
	double at(double part) const
	{
		const double offset = part * (end - begin - delay);

		return begin + offset + (offset > waits ? delay : 0);
	}
	double begin, delay, waits, end;
};

// As basket_read_closely(): again until it was not delayed.
struct CloseRead {
	CloseRead(Random &random, double at, double takes, double stalls)
	    : before(random, at, takes, stalls), last(random, before.end, takes, stalls)
	{
		for (int i = 2; i < 10 && last.delay > 0; i++) {
			before = last;
			last = Read(random, before.end, takes, stalls);
		}
	}
	Read before, last;
};

// ---- windows of multiplexing ----

// In units of full traffic: an event counts its rate times that.
struct Estimate {
	double done = 0, last = 0, waited = 0, counted = 0, n = 0, sum = 0, squares = 0;

	void window(double count, double length, double known)
	{
		last = count / known;
		done += count + (n == 0 ? last * waited : 0);
		counted += length;
		n++;
		sum += last;
		squares += last * last;
	}
	void gap(double length)
	{
		done += last * length;
		waited += n == 0 ? length : 0;
	}
	// As struct uncore_times describes it; relative.
	double error(double running, double enabled) const
	{
		const double mean = sum / n, spread = squares - n * mean * mean;

		if (n < 2)
			return n < 1 ? UNCORE_ERROR_NO_WINDOW : UNCORE_ERROR_UNKNOWN;
		return std::sqrt(std::max(spread, 0.0) / (n - 1) / n * (1 - running / enabled)) /
		       mean;
	}
};

// The switches between windows, one of fifty of which is delayed: its window is not used.
class Multiplexing
{
      public:
	Multiplexing(Random &random_, const Traffic &traffic_, unsigned rounds)
	    : random(random_), traffic(traffic_), turns(rounds), active(random_() % rounds)
	{
		next();
	}
	void until(double t)
	{
		for (; end <= t; next()) {
			finish();
			active = (active + 1) % turns.size();
		}
		at = t;
	}
	// Of a round at the time of until(), with the window that is open.
	Estimate of(unsigned round) const
	{
		Estimate now = turns[round];

		if (round == active && known) {
			now.done += traffic.between(begin, at);
			now.counted += at - begin;
		} else {
			now.gap(at - begin);
		}
		return now;
	}

      public:
	void next()
	{
		begin = end;
		end = begin + kWindow * (0.5 + unit(random));
		known = random() % 50 != 0;
	}
	// The end of a window: its length is known to 0.5 %.
	void finish()
	{
		const double length = end - begin;

		for (size_t i = 0; i < turns.size(); i++) {
			if (i == active && known)
				turns[i].window(traffic.between(begin, end), length,
						length * (0.995 + 0.01 * unit(random)));
			else
				turns[i].gap(length);
		}
	}

	static constexpr double kWindow = 0.01;
	Random &random;
	const Traffic &traffic;
	std::vector<Estimate> turns;
	size_t active;
	double begin = 0, end = 0, at = 0;
	bool known = true;
};

// ---- a collection ----

constexpr double kRow = 0.1, kBytes = 20e9;

// Memory traffic that is always counted, and a multiplexed event.
class Counted
{
      public:
	explicit Counted(Random &random_, double look_each = 0.005)
	    : random(random_), takes(50e-6 + 200e-6 * unit(random_)),
	      stalls(std::array<double, 3>{0, 0.01, 0.3}[random_() % 3])
	{
		c.packages = 1;
		c.lacking = lacking.data();
		c.events = events.data();
		c.basket.events = in_basket.data();
		c.basket.n_events = events.size();
		c.basket.parts = parts.data();
		c.paces = &pace;
		for (size_t i = 0; i < events.size(); i++) {
			const std::array<quantity, 3> of = {Q_READ, Q_WRITE, Q_MISSES};

			events[i].quantity = of[i];
			events[i].box = -1;
			events[i].shortest_ns = (int64_t)(1e9 * takes);
			c.names[of[i]] = "EVENT";
			place[i] = unit(random);
		}
		parts[0].up = true;
		pace_begin(&pace, look_each);
	}
	~Counted()
	{
		pace_free(&pace);
	}
	Counted(const Counted &) = delete;
	Counted &operator=(const Counted &) = delete;

	// Rows until a time, of counts that are a function of the time.
	void count(const std::vector<double> &rows, const std::function<double(double)> &until,
		   Multiplexing *windows, unsigned rounds)
	{
		for (double at : rows) {
			look(at, until);
			const CloseRead read(random, std::max(at, time), takes, stalls);
			time = read.last.end;
			add_row(read, until, windows, rounds);
		}
		c.samples = samples.data();
		c.at = at_row.data();
		c.rows = at_row.size();
	}
	facts all() const
	{
		const span whole = {0, c.rows - 1};
		facts result;

		collection_facts(&c, &whole, 1, &result);
		return result;
	}
	collection c = {};
	std::array<double, 2> middle = {}; // of the first and the last read

      private:
	void look(double to, const std::function<double(double)> &until)
	{
		for (double t = time + pace.interval; !at_row.empty() && t < to; t += pace.interval)
			pace_add(&pace, t, 0, kBytes * until(t));
	}
	void add_row(const CloseRead &read, const std::function<double(double)> &until,
		     Multiplexing *windows, unsigned rounds)
	{
		const double now = read.last.middle(), apart = now - read.before.middle();

		if (at_row.empty())
			middle[0] = now;
		middle[1] = now;
		at_row.push_back(now);
		pace_add(&pace, now, 0, kBytes * until(now));
		for (size_t i = 0; i < events.size(); i++) {
			const double bytes = until(read.last.at(place[i]));
			const double gained = bytes - until(read.before.at(place[i]));

			samples.push_back({kBytes * bytes, now, now, 0, 0, kBytes * gained / apart,
					   (int64_t)(1e9 * (read.last.end - read.last.begin))});
		}
		if (!windows)
			return;
		windows->until(now);
		events[2].windows = {0.01, rounds};
		const Estimate e = windows->of(0);
		const double error = e.error(e.counted, now);
		samples.back() = {kBytes * e.done,
				  now,
				  e.counted,
				  error < 0 ? error : error * kBytes * e.done,
				  0,
				  0,
				  samples.back().took_ns};
	}

	Random &random;
	double takes, stalls, time = 0;
	std::array<collected, 3> events = {};
	std::array<basket_event, 3> in_basket = {};
	std::array<basket_part, 1> parts = {};
	std::array<bool, QUANTITIES> lacking = {};
	std::array<double, 3> place = {};
	struct pace pace = {};
	std::vector<sample> samples;
	std::vector<double> at_row;
};

std::vector<double> rows_of(double seconds, double interval)
{
	std::vector<double> rows;

	for (double t = 0; t < seconds; t += interval)
		rows.push_back(t);
	rows.push_back(seconds);
	return rows;
}

double any_length(Random &random)
{
	return 1e-3 * std::pow(1e4, unit(random));
}

// ---- rates ----

TEST(Estimators, RatesAreWithinTheirErrors)
{
	const unsigned runs = kRuns;
	std::array<Tally, kKinds> read, multiplexed;
	Tally second, ten;
	Random random(4);

	for (unsigned i = 0; i < runs; i++) {
		const auto of = (kind)(i % kKinds);
		const double seconds = any_length(random);
		const unsigned rounds = 2 + random() % 4;
		const Traffic traffic(random, of);
		Counted counted(random);
		Multiplexing windows(random, traffic, rounds);

		counted.count(
			rows_of(seconds, kRow),
			[&traffic](double t) { return traffic.between(0, std::max(t, 0.0)); },
			&windows, rounds);
		const double truth = kBytes *
				     traffic.between(counted.middle[0], counted.middle[1]) /
				     (counted.middle[1] - counted.middle[0]);
		// multiplexed events count from the start on, unless the first window lasts
		const double whole =
			kBytes * traffic.between(0, counted.middle[1]) / counted.middle[1];
		facts all = counted.all();
		const package_facts &f = all.at[0];
		read[of].add(f.rate[Q_READ], f.error[Q_READ], truth);
		read[of].add(f.rate[Q_WRITE], f.error[Q_WRITE], truth);
		multiplexed[of].withheld += std::isnan(f.rate[Q_MISSES]) && seconds >= 0.5;
		if (!std::isnan(f.rate[Q_MISSES])) {
			multiplexed[of].add(f.rate[Q_MISSES], f.error[Q_MISSES],
					    f.window[Q_MISSES] ? whole : truth);
			if (of == kSteady && seconds > 0.7 && seconds < 1.4)
				second.errors.push_back(f.error[Q_MISSES] / truth);
			if (of == kSteady && seconds > 7)
				ten.errors.push_back(f.error[Q_MISSES] / truth);
		}
		facts_free(&all);
	}
	for (unsigned k = 0; k < kKinds; k++) {
		read[k].expect(kNames[k]);
		if (k != kBursts) // a burst may fall into no window
			multiplexed[k].expect((std::string(kNames[k]) + ", multiplexed").c_str());
	}
	multiplexed[kBursts].print("bursts, multiplexed");
	EXPECT_EQ(0U, multiplexed[kBursts].withheld);
	EXPECT_LE(second.median(), 0.02);
	EXPECT_LE(ten.median(), 0.005);
}

// A run of steady traffic, of which Q_MISSES is multiplexed.
struct SteadyRun {
	SteadyRun(unsigned seed, double seconds)
	    : random(seed), traffic(random, kSteady), counted(random), windows(random, traffic, 3)
	{
		counted.count(
			rows_of(seconds, 0.02), [this](double t) { return traffic.between(0, t); },
			&windows, 3);
	}

	Random random;
	const Traffic traffic;
	Counted counted;
	Multiplexing windows;
};

double error_of(const Counted &counted, const span &part)
{
	facts result;

	collection_facts(&counted.c, &part, 1, &result);
	const double error = result.at[0].error[Q_MISSES];
	facts_free(&result);
	return error;
}

// As the window of the first read, which began later than it seemed.
TEST(Estimators, AWrongFirstReadOfAMultiplexedEventDoesNotMatter)
{
	SteadyRun run(55, 0.1);
	Counted &counted = run.counted;
	struct sample &first = counted.c.samples[2];
	first = {0, 0.02, 0.01, 0, 0, 0, first.took_ns};
	facts all = counted.all();
	EXPECT_NEAR(kBytes, all.at[0].rate[Q_MISSES], 0.01 * kBytes);
	facts_free(&all);
}

// A read while it is not known when the windows began: as much may be of another part of the run.
TEST(Estimators, AReadThatMayBeAheadIsInTheErrorOfAPartOfTheRun)
{
	SteadyRun run(56, 1);
	Counted &counted = run.counted;
	const span part = {5, 15}, rest = {15, counted.c.rows - 1};
	const double exact = error_of(counted, part), all = counted.c.at[15] - counted.c.at[5];

	counted.c.samples[5 * 3 + 2].shift = 0.05;
	EXPECT_NEAR(1, error_of(counted, part) / std::hypot(exact, kBytes * 0.05 / all), 0.01);
	counted.c.samples[15 * 3 + 2].shift = 0.02;
	EXPECT_NEAR(1, error_of(counted, part) / std::hypot(exact, kBytes * 0.07 / all), 0.01);
	EXPECT_LT(kBytes * 0.02, error_of(counted, rest));
}

// ---- the program's share ----

// Others' traffic, which does not change more slowly than it is counted before the run.
TEST(Estimators, TheProgramsTrafficIsWithinItsError)
{
	constexpr double kBefore = 0.3, kPause = 0.05;
	const unsigned runs = kRuns;
	std::array<Tally, kKinds> tallies;
	Random random(261130);

	for (unsigned i = 0; i < runs; i++) {
		const auto of = (kind)(i % kKinds);
		Traffic others(random, i % 2 ? kSteady : kPeriodic);
		const Traffic program(random, of);
		const double seconds = any_length(random), part = 0.1 + 2 * unit(random);
		const double begin = kBefore + kPause;
		Counted earlier(random, 0.001), counted(random);
		facts before;

		others.period = std::min(others.period, kBefore / 10);
		earlier.count(
			rows_of(kBefore, kBefore / 5),
			[&](double t) { return others.between(0, std::max(t, 0.0)); }, nullptr, 1);
		counted.count(
			rows_of(seconds, kRow),
			[&](double t) {
				return others.between(begin, begin + std::max(t, 0.0)) +
				       part * program.between(0, std::max(t, 0.0));
			},
			nullptr, 1);
		facts all = counted.all();
		background_facts(&earlier.c, &before);
		background_add(&all, &before);
		double error;
		const double is = program_traffic(&all.at[0], &error);
		tallies[of].add(is, error,
				2 * kBytes * part *
					program.between(counted.middle[0], counted.middle[1]) /
					(counted.middle[1] - counted.middle[0]));
		facts_free(&before);
		facts_free(&all);
	}
	for (unsigned k = 0; k < kKinds; k++)
		tallies[k].expect(kNames[k]);
}

// Windows without a known length, as on a busy computer.
TEST(Estimators, OthersAreCountedUntilTheirTrafficIsKnown)
{
	Random random(54);
	Counted counted(random);

	counted.count(
		rows_of(2, 0.06), [](double t) { return t; }, nullptr, 1);
	counted.c.rows = 5;
	EXPECT_TRUE(background_needs_row(&counted.c));
	counted.c.rows = 6;
	EXPECT_FALSE(background_needs_row(&counted.c));
	for (size_t row = 0; row < 26; row++) {
		sample &read = counted.c.samples[row * counted.c.basket.n_events];

		read.counted = read.seconds / 10;
		read.error = UNCORE_ERROR_NO_WINDOW;
	}
	EXPECT_TRUE(background_needs_row(&counted.c));
	counted.c.rows = 25;
	EXPECT_TRUE(background_needs_row(&counted.c));
	counted.c.rows = 26;
	EXPECT_FALSE(background_needs_row(&counted.c));
}

// ---- who ----

// An owner's counter is read at an unknown moment between two looks at the clock.
TEST(Estimators, AnOwnersRateIsWithinItsDoubt)
{
	const unsigned runs = kRuns;
	std::array<Tally, kKinds> tallies;
	Random random(261131);

	for (unsigned i = 0; i < runs; i++) {
		const auto of = (kind)(i % kKinds);
		const Traffic traffic(random, of);
		const double seconds = any_length(random), takes = 1e-3 * unit(random);
		const Read first(random, 0, takes, 0.1);
		const Read last(random, first.end + seconds, takes, 0.1);
		const double place = unit(random);
		const double bytes = kBytes * traffic.between(first.at(place), last.at(place));
		share owner = {};
		share_rate(&owner, 0, bytes, bytes,
			   time_between({first.begin, first.end}, {last.begin, last.end}));
		if (std::isinf(owner.doubt[0])) {
			tallies[of].withheld += seconds >= 0.5;
			continue;
		}
		tallies[of].add(owner.rate[0], owner.doubt[0],
				kBytes * traffic.between(first.middle(), last.middle()) /
					(last.middle() - first.middle()));
	}
	for (unsigned k = 0; k < kKinds; k++)
		tallies[k].expect(kNames[k]);
}

} // namespace
