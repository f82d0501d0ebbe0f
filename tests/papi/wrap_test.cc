// SPDX-License-Identifier: BSD-3-Clause
// wrap_test.cc - a PAPI program whose counters were not read for
// too long: no wrap poller, or a process that was stopped.
#include "papi/papi_calls.h"

#include <atomic>
#include <ctime>

#include <sys/syscall.h>
#include <unistd.h>

namespace
{

std::atomic<long> ahead; // seconds that the clock has jumped

} // namespace

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// The clock of the program, of libpapi and of the simulated machine in it.  Its meaning depends
// on the headers before it, so it says that libpapi can see it.
extern "C" __attribute__((visibility("default"))) int clock_gettime(clockid_t id,
								    timespec *t) noexcept
{
	const long r = syscall(SYS_clock_gettime, id, t);

	if (r == 0 && (id == CLOCK_MONOTONIC || id == CLOCK_MONOTONIC_COARSE))
		t->tv_sec += ahead;
	return static_cast<int>(r);
}
#endif

namespace
{

constexpr int kWrong = 1, kRight = 42;

struct Counting {
	Counting()
	{
		papi_init();
		ok = PAPI_create_eventset(&id) == PAPI_OK &&
		     PAPI_add_event(id, code_of("UNC_C_TOR_OCCUPANCY:ALL")) == PAPI_OK &&
		     PAPI_start(id) == PAPI_OK;
	}
	bool read()
	{
		return PAPI_read(id, &count) == PAPI_OK && count >= 0;
	}

	int id = PAPI_NULL;
	bool ok;
	long long count = -1;
};

int stopped_too_long()
{
	Counting c;

	ahead += 200; // 44 bits can wrap in 176 s
	const bool read = c.read();
	const int first = PAPI_stop(c.id, &c.count), second = PAPI_stop(c.id, &c.count);
	const bool again = PAPI_start(c.id) == PAPI_OK && PAPI_stop(c.id, &c.count) == PAPI_OK;

	return c.ok && read && first == PAPI_EMISC && second == PAPI_OK && again ? kRight : kWrong;
}
const Mode stopped_mode("stopped too long", stopped_too_long);

int stopped_and_reset()
{
	Counting c;

	ahead += 200;
	const bool read = c.read() && PAPI_reset(c.id) == PAPI_OK && c.read();

	return c.ok && read && PAPI_stop(c.id, &c.count) == PAPI_EMISC ? kRight : kWrong;
}
const Mode reset_mode("stopped and reset", stopped_and_reset);

int read_often()
{
	Counting c;
	bool read = true;

	for (int i = 0; i < 20; i++) {
		ahead += 170;
		read = read && c.read();
	}
	return c.ok && read && PAPI_stop(c.id, &c.count) == PAPI_OK ? kRight : kWrong;
}
const Mode often_mode("read often", read_often);

void reported(const char *mode)
{
	if (kSanitizer)
		GTEST_SKIP() << "the clock is the sanitizer's";
	EXPECT_EQ(kRight, run_mode(mode, {{"UNCORE_WRAP_POLLER", "0"}}).status);
}

TEST(Wrap, StoppedTooLongIsReportedByThePapiStop)
{
	reported("stopped too long");
}

TEST(Wrap, StoppedAndResetIsReportedByThePapiStop)
{
	reported("stopped and reset");
}

TEST(Wrap, ReadOftenIsReportedByThePapiStop)
{
	reported("read often");
}

} // namespace
