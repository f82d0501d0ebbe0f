/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * papi_calls.h - the real PAPI with the component `uncore` in it, counting on a
 * simulated machine of two packages and eight cores each, in real time.
 *
 * All tests share the process's one PAPI; what needs a process of its own is a
 * "mode": a function that a second run of this program calls instead of tests.
 */
#ifndef TESTS_PAPI_CALLS_H
#define TESTS_PAPI_CALLS_H

#include <functional>
#include <string>
#include <vector>

#include <papi.h>

#include <gtest/gtest.h>

#include "support/sanitizer.h"

/* cmp_info.disabled before the first use; PAPI before 7.0 has no delayed components. */
#ifdef PAPI_EDELAY_INIT
constexpr int kDelayed = PAPI_EDELAY_INIT;
#else
constexpr int kDelayed = PAPI_OK;
#endif

/* ---- time: when something happened, to within the calls around it ---- */

struct Window {
	double first, last; /* seconds */
};

double now();
void wait_ms(double ms); /* sleeps */
void spin_ms(double ms); /* burns this thread's CPU time */
Window during(const std::function<void()> &call);

/* ---- events ---- */

/* Short names of events whose rates follow from the simulated machine's description. */
extern const char *const kMemClock, *const kCacheClock, *const kPowerClock;
extern const char *const kReads, *const kWrites;
/* Both need counter 0 of every C-Box. */
extern const char *const kOnlyCounter0, *const kOnlyCounter0Too;

/* Counts per second over all boxes and packages. */
double rate(const std::string &event);

/* Fails unless `count` is what `event` counts between two moments, or in all but `lost` seconds. */
void expect_count(const std::string &event, long long count, Window from, Window to,
		  double lost = 0);

/*
 * PAPI_read and PAPI_reset back to back: whether both succeed.  A caller that was preempted
 * in between may lose what was counted meanwhile: lost grows by that time, and only then.
 */
bool read_and_reset(int set, long long *counts, double *lost);

int component();                            /* index of "uncore" */
int code_of(const std::string &event);      /* without or with "uncore:::"; negative: error */
std::string name_of(int code);              /* "" on errors */
std::vector<int> listed_events();           /* PAPI_ENUM_FIRST, PAPI_ENUM_EVENTS */
std::vector<int> umasks_of(int event_code); /* PAPI_NTV_ENUM_UMASKS */

/* ---- event sets ---- */

class EventSet
{
      public:
	explicit EventSet(const std::vector<std::string> &events = {});
	~EventSet();
	EventSet(const EventSet &) = delete;
	EventSet &operator=(const EventSet &) = delete;

	int add(const std::string &event); /* PAPI's result */
	int remove(const std::string &event);
	void start();
	std::vector<long long> read();
	void reset();
	std::vector<long long> stop();
	void check(const std::vector<long long> &counts) const; /* all known rates */

	int id = PAPI_NULL;
	std::vector<std::string> events;
	Window from{0, 0}; /* counts since */
	Window to{0, 0};   /* last read or stop */
};

/* Runs the function in n threads that are registered with PAPI; waits for them. */
void in_threads(unsigned n, const std::function<void(unsigned)> &function);

/* ---- processes ---- */

struct Ended {
	int status;         /* exit code, or minus the signal */
	std::string output; /* standard output, of modes only */
};

/* Forks; the child's exit code is what the function returns. */
Ended in_child(const std::function<int()> &function);

/* Executes this program again: it calls the mode's function and exits with its result. */
Ended run_mode(const std::string &mode,
	       const std::vector<std::pair<std::string, std::string>> &environment = {});

struct Mode {
	Mode(const char *name, int (*function)());
};

/* ---- PAPI's life cycle ---- */

void papi_init(); /* library, threads */

/* For tests that initialise and shut down PAPI themselves, as a tool does. */
class WithoutPapi
{
      public:
	WithoutPapi();
	~WithoutPapi();
};

#endif
