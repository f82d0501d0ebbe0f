// SPDX-License-Identifier: BSD-3-Clause
// papi_calls.cc - functions shared by the tests of the PAPI component.
#include "papi/papi_calls.h"

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <thread>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const kMemClock = "UNC_M_CLOCKTICKS";
const char *const kCacheClock = "UNC_C_CLOCKTICKS";
const char *const kPowerClock = "UNC_P_CLOCKTICKS";
const char *const kReads = "UNC_M_CAS_COUNT:RD";
const char *const kWrites = "UNC_M_CAS_COUNT:WR";
const char *const kOnlyCounter0 = "UNC_C_TOR_OCCUPANCY:MISS_ALL";
const char *const kOnlyCounter0Too = "UNC_C_RXR_OCCUPANCY:IRQ";

// ---- time ----

static double clock_seconds(clockid_t clock)
{
	timespec t;

	clock_gettime(clock, &t);
	return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

double now()
{
	return clock_seconds(CLOCK_MONOTONIC);
}

void wait_ms(double ms)
{
	const double end = now() + ms / 1000;

	// A signal ends a sleep.
	for (double left = ms / 1000; left > 0; left = end - now()) {
		timespec t = {static_cast<time_t>(left),
			      static_cast<long>(std::fmod(left, 1) * 1e9)};

		nanosleep(&t, nullptr);
	}
}

void spin_ms(double ms)
{
	const double end = clock_seconds(CLOCK_THREAD_CPUTIME_ID) + ms / 1000;

	while (clock_seconds(CLOCK_THREAD_CPUTIME_ID) < end)
		;
}

Window during(const std::function<void()> &call)
{
	Window w{now(), 0};

	call();
	w.last = now();
	return w;
}

// ---- events ----

// sim.h and snbep_traffic.c describe the machine: eight cores per package, in
// package 1 less traffic and slightly faster clocks.
double rate(const std::string &event)
{
	constexpr double cores = 8 * (1 + (1 - 0.0713));
	static const std::map<std::string, double> rates = {
		{kMemClock, 4 * (2 * 799871233.0 + 677)},
		{kCacheClock, 8 * (2 * 2293718341.0 + 1709)},
		{kPowerClock, 2 * 800031127.0},
		{kReads, 23471193 * cores},
		{kWrites, 9318457 * cores},
		{"UNC_H_REQUESTS:READS", 23471193 * cores},
	};
	const auto found = rates.find(event);

	return found == rates.end() ? 0 : found->second;
}

void expect_count(const std::string &event, long long count, Window from, Window to, double lost)
{
	const double least = rate(event) * (to.first - from.last - lost);
	const double most = rate(event) * (to.last - from.first);

	EXPECT_GE(static_cast<double>(count), least * 0.99 - 1000) << event;
	EXPECT_LE(static_cast<double>(count), most * 1.01 + 1000) << event;
}

bool read_and_reset(int set, long long *counts, double *lost)
{
	const double before = now();
	const bool good = PAPI_read(set, counts) == PAPI_OK && PAPI_reset(set) == PAPI_OK;
	const double took = now() - before;

	*lost += took < 20e-6 ? 0 : took;
	return good;
}

int component()
{
	return PAPI_get_component_index("uncore");
}

static std::string full(const std::string &event)
{
	return event.find(":::") == std::string::npos ? "uncore:::" + event : event;
}

int code_of(const std::string &event)
{
	int code = 0;
	const int ret = PAPI_event_name_to_code(full(event).c_str(), &code);

	if (ret != PAPI_OK)
		return ret;
	return code;
}

std::string name_of(int code)
{
	char name[PAPI_MAX_STR_LEN] = "";

	return PAPI_event_code_to_name(code, name) == PAPI_OK ? name : "";
}

std::vector<int> listed_events()
{
	std::vector<int> codes;
	int code = PAPI_NATIVE_MASK;

	for (int ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component()); ret == PAPI_OK;
	     ret = PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component()))
		codes.push_back(code);
	return codes;
}

std::vector<int> umasks_of(int code)
{
	std::vector<int> codes;

	while (PAPI_enum_cmp_event(&code, PAPI_NTV_ENUM_UMASKS, component()) == PAPI_OK)
		codes.push_back(code);
	return codes;
}

// ---- event sets ----

EventSet::EventSet(const std::vector<std::string> &list)
{
	EXPECT_EQ(PAPI_OK, PAPI_create_eventset(&id));
	for (const auto &event : list)
		EXPECT_EQ(PAPI_OK, add(event)) << event;
}

EventSet::~EventSet()
{
	int state = 0;

	if (PAPI_state(id, &state) != PAPI_OK)
		return; // PAPI was shut down meanwhile
	if (state & PAPI_RUNNING) {
		EXPECT_EQ(PAPI_OK, PAPI_stop(id, nullptr));
	}
	EXPECT_EQ(PAPI_OK, PAPI_cleanup_eventset(id));
	EXPECT_EQ(PAPI_OK, PAPI_destroy_eventset(&id));
}

int EventSet::add(const std::string &event)
{
	const int ret = PAPI_add_named_event(id, full(event).c_str());

	if (ret == PAPI_OK)
		events.push_back(event);
	return ret;
}

int EventSet::remove(const std::string &event)
{
	const int ret = PAPI_remove_named_event(id, full(event).c_str());

	for (auto i = events.begin(); ret == PAPI_OK && i != events.end(); ++i)
		if (*i == event) {
			events.erase(i);
			break;
		}
	return ret;
}

void EventSet::start()
{
	from = during([this] { EXPECT_EQ(PAPI_OK, PAPI_start(id)); });
}

// A value that PAPI does not write shows.
std::vector<long long> EventSet::read()
{
	std::vector<long long> counts(events.size(), -1);

	to = during([&] { EXPECT_EQ(PAPI_OK, PAPI_read(id, counts.data())); });
	return counts;
}

// The last read is the new zero if it ended less than 20 us ago, or else this moment.
void EventSet::reset()
{
	const Window w = during([this] { EXPECT_EQ(PAPI_OK, PAPI_reset(id)); });

	from = {w.first - to.last < 20e-6 ? to.first : w.first, w.last};
}

std::vector<long long> EventSet::stop()
{
	std::vector<long long> counts(events.size(), -1);

	to = during([&] { EXPECT_EQ(PAPI_OK, PAPI_stop(id, counts.data())); });
	return counts;
}

void EventSet::check(const std::vector<long long> &counts) const
{
	ASSERT_EQ(events.size(), counts.size());
	for (size_t i = 0; i < events.size(); i++) {
		EXPECT_GE(counts[i], 0) << events[i];
		if (rate(events[i]) > 0)
			expect_count(events[i], counts[i], from, to);
	}
}

void in_threads(unsigned n, const std::function<void(unsigned)> &function)
{
	std::vector<std::thread> threads;

	for (unsigned i = 0; i < n; i++)
		threads.emplace_back([&function, i] {
			EXPECT_EQ(PAPI_OK, PAPI_register_thread());
			function(i);
			EXPECT_EQ(PAPI_OK, PAPI_unregister_thread());
		});
	for (auto &thread : threads)
		thread.join();
}

// ---- processes ----

static int status_of(pid_t pid)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid)
		return -1000;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

Ended in_child(const std::function<int()> &function)
{
	// A thread that is just starting may hold the lock of a sanitizer's allocator.
	if (kSanitizer)
		wait_ms(5);

	const pid_t pid = fork();
	if (pid == 0) {
		alarm(20);
		_exit(function());
	}
	return {status_of(pid), ""};
}

Ended run_mode(const std::string &mode,
	       const std::vector<std::pair<std::string, std::string>> &environment)
{
	int ends[2];
	char buffer[4096];
	Ended ended{-1000, ""};

	if (pipe(ends) != 0)
		return ended;
	const pid_t pid = fork();
	if (pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		close(ends[0]);
		close(ends[1]);
		setenv("PAPI_CALLS_MODE", mode.c_str(), 1);
		for (const auto &[name, value] : environment)
			setenv(name.c_str(), value.c_str(), 1);
		alarm(60);
		execl("/proc/self/exe", "papi_calls", static_cast<char *>(nullptr));
		_exit(127);
	}
	close(ends[1]);
	for (ssize_t n; (n = ::read(ends[0], buffer, sizeof(buffer))) > 0;)
		ended.output.append(buffer, static_cast<size_t>(n));
	close(ends[0]);
	ended.status = status_of(pid);
	return ended;
}

static std::map<std::string, int (*)()> &modes()
{
	static std::map<std::string, int (*)()> all;

	return all;
}

Mode::Mode(const char *name, int (*function)())
{
	modes()[name] = function;
}

// ---- PAPI's life cycle ----

void papi_init()
{
	ASSERT_EQ(PAPI_VER_CURRENT, PAPI_library_init(PAPI_VER_CURRENT));
	ASSERT_EQ(PAPI_OK, PAPI_thread_init(pthread_self));
}

WithoutPapi::WithoutPapi()
{
	PAPI_shutdown();
}

WithoutPapi::~WithoutPapi()
{
	if (PAPI_is_initialized() != PAPI_NOT_INITED)
		PAPI_shutdown();
	papi_init();
}

namespace
{

class Papi : public testing::Environment
{
      public:
	void SetUp() override
	{
		const char *mode = getenv("PAPI_CALLS_MODE");

		// The environment of a mode is what its test gave it.
		for (const char *name : {"UNCORE_SYSROOT", "UNCORE_FORCE", "UNCORE_VERBOSE"})
			if (!mode)
				unsetenv(name);
		// tests/daemon/tools_test.sh: such a machine is uncored's then.
		const char *access = getenv("UNCORE_ACCESS");
		if (!access || std::string(access) != "daemon")
			setenv("UNCORE_MACHINE", "sim:snbep:packages=2,cores=8", 1);
		if (mode)
			std::exit(modes().at(mode)());
		papi_init();
		ASSERT_GE(component(), 0) << "libpapi has no component uncore";
		EXPECT_EQ(kDelayed, PAPI_get_component_info(component())->disabled);
		int code = PAPI_NATIVE_MASK;
		PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component());
		ASSERT_EQ(0, PAPI_get_component_info(component())->disabled)
			<< PAPI_get_component_info(component())->disabled_reason;
	}
	void TearDown() override
	{
		PAPI_shutdown();
	}
};

const testing::Environment *const papi = testing::AddGlobalTestEnvironment(new Papi);

} // namespace
