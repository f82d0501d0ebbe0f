/* SPDX-License-Identifier: BSD-3-Clause */
// worker.h - a process of a stress run: its threads count in sessions and check each session.
#ifndef SUPPORT_STRESS_WORKER_H
#define SUPPORT_STRESS_WORKER_H

#include <random>
#include <vector>

#include "support/mounted.h"
#include "support/stress/shared.h"

namespace support::stress
{

// An open machine, and the number of failed calls on it. The message belongs to the last failed
// call.
struct Opened {
	Opened(const uncore_options &options, const Shared &shared);
	~Opened();
	Opened(const Opened &) = delete;
	Opened &operator=(const Opened &) = delete;

	std::string message() const;

	struct uncore *u = nullptr;
	std::vector<unsigned> ids; // event ids, in order
	std::atomic<unsigned> failures{0};
	bool good = false;
	unsigned number = 0; // unique for each handle
};

struct Refused {
	int code;
	std::string message;
	bool ambiguous;
};

enum class Kind { kPlain, kMultiplexed, kStopAfter };

// A set from creation to destruction.
class Session
{
      public:
	Session(const Plan &plan, Shared &shared, Opened &opened, Slot &slot, Gate &gate,
		std::mt19937 &random);
	~Session();
	Session(const Session &) = delete;
	Session &operator=(const Session &) = delete;

	void live(unsigned group);

      private:
	// ---- choice of events ----

	unsigned below(unsigned n);
	Kind choose_kind();
	const Counted &event(size_t i) const;
	bool choose_events(unsigned group);
	int assign();
	// Stops after a count of the first event, which must use one counter; all others must
	// stop with it.
	int stop_after();
	// Chooses events that can be counted together with the other sets of this handle.
	bool choose(unsigned group);

	// ---- boxes in use ----

	void enter_past();
	// Threads of a process share the process's own boxes.
	bool is_other(const Slot &other) const;
	// Whether another session has used one of these boxes since then.
	bool was_disturbed(int64_t since) const;

	// ---- start ----

	void record_starting();
	bool start();
	void judge(const Refused &refused, bool disturbed);
	Tally reason(const Refused &refused) const;

	// ---- count ----

	static void sleep_a_bit();
	void wait_until(uint64_t time) const;
	// At least one tick, so that each event has a count.
	void count();
	void step();
	void wait_for_stop();

	// ---- stop ----

	void stop();
	void finish_records(const std::vector<int64_t> &values);

	// ---- checks ----

	// A call that reported an error.
	void note(int code, const char *what);
	void check(size_t i, double count, double truth, double tolerance, const char *when);
	unsigned counted_by_others() const;
	void expect(const std::vector<int64_t> &values, const char *when, uint64_t now);
	// Exact for the time in which each event was counted, up to rounding for each window.
	void expect_estimates();
	// With a hardware stop all boxes stop immediately, with polling when the set was
	// checked.
	void expect_stopped(const std::vector<int64_t> &values);
	double slack(size_t i) const;

	const Plan &plan;
	Shared &shared;
	Opened &opened;
	Slot &slot;
	Gate &gate;
	std::mt19937 &random;
	struct uncore_set *set = nullptr;
	Kind kind = Kind::kPlain;
	std::vector<unsigned> chosen;
	Past *past = nullptr;
	unsigned records = 0, n_records = 0;
	uint64_t began = 0, base = 0, ticks = 0, n_after = 0, looked = 0;
	bool reported = false, wrong = false, stopped = false;
};

// ---- a process ----

void run_thread(const Plan &plan, Shared &shared, Opened &opened, unsigned process, unsigned thread,
		const std::string &directory);

unsigned registers_given_back(const Opened &opened);

// Uses two handles, like a program with both the component and the library. A process with its
// own boxes uses one. Returns the exit status.
int run_process(const Plan &plan, Shared &shared, const Mounted &files, unsigned process,
		const std::string &directory);

} // namespace support::stress

#endif
