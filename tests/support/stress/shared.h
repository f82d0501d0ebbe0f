/* SPDX-License-Identifier: BSD-3-Clause */
// shared.h - data shared by the processes of a stress run: its plan, the machine's time, the
// boxes in use, and the results.
#ifndef SUPPORT_STRESS_SHARED_H
#define SUPPORT_STRESS_SHARED_H

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

namespace support::stress
{

constexpr unsigned kProcesses = 32, kThreads = 8, kSlots = kProcesses * kThreads;
constexpr unsigned kEvents = 512, kPast = 32, kDeaths = 1 << 16, kRecords = 1 << 20;
constexpr unsigned kTroubles = 64;

enum class Mode {
	kRandom,   // all boxes, all kinds of sets: conflicts are expected
	kDisjoint, // each process has its own boxes in the same packages
	kOwner,    // UNCORE_SHARE=owner
};

struct Plan {
	std::string machine = "snbep";
	Mode mode = Mode::kRandom;
	unsigned processes = 4, threads = 2, sessions = 25; // sessions of each thread
	unsigned kill_ms = 50;                              // mean time between two kills; 0: none
	unsigned seconds = 60;                              // no session begins later
	unsigned seed = 1;
	std::string trace; // file, "": none
};

std::string machine_of(const Plan &plan);

int64_t real_ns();

// A set of boxes, by their numbers.
struct Boxes {
	void add(unsigned box);
	void add(const Boxes &more);
	bool meets(const Boxes &other) const;
	uint64_t words[16];
};

// The counted events, and the expected counts.
struct Counted {
	char name[128];
	Boxes boxes, packages; // all boxes of the packages in which it counts
	double rate;           // per ns
	double tolerance;      // in counts: error of a single process
	unsigned group;        // of the process that may count it
	unsigned counters;
	bool stands; // stops with its set: it is not free-running
};

// The time in which a thread used a set of boxes.
struct Past {
	std::atomic<int64_t> began, ended; // in real time; 0: never, or not yet
	Boxes boxes;
};

// A thread of a process, or of its replacement.
struct Slot {
	std::atomic<unsigned> left; // sessions
	std::atomic<unsigned> n;    // of past
	std::atomic<pid_t> pid;
	Past past[kPast];
};

struct Death {
	pid_t pid;
	int64_t when;
};

// The state of an event in a session, for UNCORE_SHARE=owner.
enum Part { kNone, kStarting, kOwned, kElsewhere };
struct Record {
	std::atomic<int> part;
	unsigned event;
	unsigned handle;
	std::atomic<uint64_t> from, to; // time of the machine; to: UINT64_MAX while counting
	pid_t pid;
};

enum Tally {
	kBegun,
	kCounted,
	kConflict,      // refused, and the message names the process
	kOwnConflict,   // refused because of another set of the same handle
	kLockTimeout,   // refused, lock timeout
	kAmbiguous,     // refused, but the message may be another thread's
	kUnnamed,       // refused, but the named process does not exist: a failure
	kOtherRefusal,  // refused for another reason: a failure
	kInnocent,      // refused although the boxes were free
	kUndisturbed,   // sessions whose boxes were free, with any result
	kWrong,         // wrong count without an error: a failure
	kTold,          // read or stop reported wrong counts: a failure
	kKilled,        // sessions that ended with their process
	kMultiplexed,   // of those that counted
	kStoppedAfter,  // of those that counted
	kElsewhereSeen, // values that another process counted
	kKills,
	kRecovered, // registers restored after a process died
	kTallies
};

struct Shared {
	std::atomic<uint64_t> now;   // the machine's clock, in ns
	std::atomic<uint64_t> ticks; // number of steps
	std::atomic<bool> over;
	std::atomic<uint64_t> tally[kTallies];
	std::atomic<unsigned> n_deaths, n_records, n_troubles;
	double alone; // largest error of a single process
	Slot slots[kSlots];
	Death deaths[kDeaths];
	char troubles[kTroubles][1024];
	unsigned n_events;
	Counted events[kEvents];
	Record records[kRecords];

	void add(Tally what, uint64_t n = 1);
	// Reports a failure, or details about one.
	__attribute__((format(printf, 2, 3))) void trouble(const char *format, ...);
	// Is running now, or was within the last second.
	bool lives(pid_t pid) const;
};

// Zeroed memory that all processes share.
class Memory
{
      public:
	Memory();
	~Memory();
	Memory(const Memory &) = delete;
	Memory &operator=(const Memory &) = delete;

	Shared *shared;
};

/*
 * While any process is inside, the machine's time is stopped, so that all boxes of a set
 * start and stop at the same time and there is exactly one correct count. A process that
 * dies leaves the gate. The clock needs the first place in the queue, or it would never
 * advance.
 */
class Gate
{
      public:
	explicit Gate(const std::string &directory);
	~Gate();
	Gate(const Gate &) = delete;
	Gate &operator=(const Gate &) = delete;

	void enter(int how);
	void leave();

      private:
	static int place(const std::string &path);
	static void take(int fd, int how);
	const int queue, gate;
};

class Inside
{
      public:
	explicit Inside(Gate &gate);
	~Inside();
	Inside(const Inside &) = delete;
	Inside &operator=(const Inside &) = delete;

      private:
	Gate &gate;
};

} // namespace support::stress

#endif
