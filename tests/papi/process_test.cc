// SPDX-License-Identifier: BSD-3-Clause
// process_test.cc - requirements R8 to R10: ends without a stop, forks, shutdown.
#include "papi/papi_calls.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <thread>

#include <unistd.h>

namespace
{

// ---- R8: programs that end without stopping ----

EventSet *left_running;

// Runs after the component's own exit handler, which was registered later.
void look_whether_it_counts()
{
	const auto first = left_running->read();

	wait_ms(5);
	std::printf("%s\n", first == left_running->read() && first[0] > 0 ? "stopped" : "counts");
	std::fflush(stdout);
}

int exit_without_stop()
{
	std::atexit(look_whether_it_counts);
	papi_init();
	left_running = new EventSet({kMemClock, kReads});
	left_running->start();
	wait_ms(2);
	return 0;
}
const Mode exit_without_stop_mode("exit without stop", exit_without_stop);

TEST(Requirements, R8_ExitWithoutStopStopsTheCounters)
{
	const Ended ended = run_mode("exit without stop");

	EXPECT_EQ(0, ended.status);
	EXPECT_NE(std::string::npos, ended.output.find("stopped\n")) << ended.output;
}

// The other threads still read and start and stop when the process ends.
int exit_under_threads()
{
	static std::atomic<bool> counting{false};

	papi_init();
	for (int i = 0; i < 3; i++)
		std::thread([i] {
			PAPI_register_thread();
			EventSet set({kMemClock});

			for (;;) {
				set.start();
				for (int k = 0; k < 20; k++)
					set.read();
				counting = true;
				if (i > 0)
					set.stop();
				else
					for (;;)
						set.read();
			}
		}).detach();
	while (!counting)
		wait_ms(1);
	wait_ms(5);
	return 0;
}
const Mode exit_under_threads_mode("exit under threads", exit_under_threads);

TEST(Requirements, R8_ExitWhileThreadsCountEndsTheProcess)
{
	// Its threads are not to be taken for leaks.
	EXPECT_EQ(0, run_mode("exit under threads", {{"LSAN_OPTIONS", "detect_leaks=0"}}).status);
}

int leave_at_once()
{
	papi_init();
	left_running = new EventSet({kMemClock});
	left_running->start();
	_exit(3);
}
const Mode leave_at_once_mode("leave at once", leave_at_once);

TEST(Requirements, R8_LeavingAtOnceIsPossible)
{
	EXPECT_EQ(3, run_mode("leave at once").status);
}

// ---- R9: forks ----

// Redirects standard error into a file until text() or the end.
class StandardError
{
      public:
	StandardError() : saved(dup(STDERR_FILENO)), file(std::tmpfile())
	{
		dup2(fileno(file), STDERR_FILENO);
	}
	~StandardError()
	{
		restore();
		std::fclose(file);
	}
	StandardError(const StandardError &) = delete;
	StandardError &operator=(const StandardError &) = delete;
	std::string text()
	{
		std::string all;
		char some[256];

		restore();
		std::rewind(file);
		while (std::fgets(some, sizeof(some), file))
			all += some;
		return all;
	}

      private:
	void restore()
	{
		if (saved >= 0) {
			std::fflush(stderr);
			dup2(saved, STDERR_FILENO);
			close(saved);
		}
		saved = -1;
	}

	int saved;
	std::FILE *file;
};

// Its counts would be those of the parent, or 0.
int read_and_stop_in_child(EventSet &set)
{
	StandardError output;
	long long counts[2] = {-1, -1};

	for (int i = 0; i < 5; i++)
		if (PAPI_read(set.id, counts) != PAPI_ENOINIT || counts[0] != -1)
			return 1;
	if (PAPI_accum(set.id, counts) != PAPI_ENOINIT)
		return 2;
	if (PAPI_stop(set.id, counts) != PAPI_ENOINIT || counts[0] != -1)
		return 3;
	if (PAPI_read(set.id, counts) != PAPI_ENOINIT)
		return 4;
	if (PAPI_stop(set.id, counts) != PAPI_OK)
		return 5;
	if (PAPI_cleanup_eventset(set.id) != PAPI_OK || PAPI_destroy_eventset(&set.id) != PAPI_OK)
		return 6;
	const std::string text = output.text();
	if (std::count(text.begin(), text.end(), '\n') != 1 ||
	    text.find("forked child") == text.npos || text.find("PAPI_library_init") == text.npos)
		return 7;
	PAPI_shutdown();
	return 0;
}

TEST(Requirements, R9_AForkedChildCannotReadAndStopsTheSetTheSecondTime)
{
	EventSet set({kMemClock, kReads});

	set.start();
	wait_ms(2);
	set.read();
	EXPECT_EQ(0, in_child([&] { return read_and_stop_in_child(set); }).status);
	set.check(set.read());
	wait_ms(2);
	set.check(set.stop());
}

// The set has not been read before the fork.
int fork_with_a_strict_set()
{
	papi_init();
	EventSet set({kMemClock, kReads});

	set.start();
	const int status = in_child([&] { return read_and_stop_in_child(set); }).status;
	set.check(set.stop());
	return status == 0 && testing::Test::HasFailure() ? 100 : status;
}
const Mode fork_with_a_strict_set_mode("fork with a strict set", fork_with_a_strict_set);

TEST(Requirements, R9_AForkedChildCannotReadWithUncoreStrict)
{
	EXPECT_EQ(0, run_mode("fork with a strict set", {{"UNCORE_STRICT", "1"}}).status);
}

TEST(Requirements, R9_AForkedChildThatStopsFirstStopsTheSecondTime)
{
	EventSet set({kMemClock});

	set.start();
	EXPECT_EQ(0, in_child([&] {
			     if (PAPI_reset(set.id) != PAPI_OK ||
				 PAPI_stop(set.id, nullptr) != PAPI_ENOINIT)
				     return 1;
			     return PAPI_stop(set.id, nullptr) == PAPI_OK ? 0 : 2;
		     }).status);
	set.check(set.stop());
}

TEST(Requirements, R9_AForkedChildMustInitialisePapi)
{
	EventSet set({kMemClock});

	EXPECT_EQ(0, in_child([&] { return PAPI_start(set.id) == PAPI_ENOINIT ? 0 : 1; }).status);
	set.start();
	wait_ms(2);
	set.check(set.stop());
}

TEST(Requirements, R9_AForkedChildThatInitialisesPapiCountsOnItsOwn)
{
	EventSet set({kMemClock, kReads});

	set.start();
	EXPECT_EQ(0, in_child([] {
			     if (kThreadSanitizer)
				     setenv("UNCORE_WRAP_POLLER", "0", 1);
			     papi_init();
			     {
				     EventSet own({kReads, kMemClock});

				     own.start();
				     wait_ms(3);
				     own.check(own.read());
				     wait_ms(3);
				     own.check(own.stop());
			     }
			     PAPI_shutdown();
			     return testing::Test::HasFailure() ? 1 : 0;
		     }).status);
	set.check(set.stop());
}

TEST(Requirements, R9_AChildThatIsForkedWhileThreadsStartAndReadIsNotStuck)
{
	std::atomic<bool> stop{false};
	std::thread busy([&] {
		in_threads(2, [&](unsigned) {
			EventSet set({kMemClock});

			while (!stop) {
				set.start();
				set.read();
				set.check(set.stop());
			}
		});
	});

	EventSet set({kReads});
	set.start();
	for (int i = 0; i < 10; i++)
		EXPECT_EQ(0, in_child([&] {
				     long long count = -1;

				     return PAPI_read(set.id, &count) == PAPI_ENOINIT &&
							    PAPI_reset(set.id) == PAPI_OK &&
							    PAPI_stop(set.id, &count) ==
								    PAPI_ENOINIT &&
							    PAPI_stop(set.id, &count) == PAPI_OK
						    ? 0
						    : 1;
			     }).status);
	set.check(set.stop());
	stop = true;
	busy.join();
}

// The component's lock of names may be held by a thread that the child lacks.
TEST(Requirements, R9_AChildThatIsForkedWhileAThreadAsksForNamesInitialisesPapi)
{
	if (kSanitizer)
		GTEST_SKIP() << "the sanitizer's allocator may stay locked in the child";
	std::atomic<bool> stop{false};
	std::thread busy([&] {
		PAPI_event_info_t info;

		EXPECT_EQ(PAPI_OK, PAPI_register_thread());
		while (!stop)
			PAPI_get_event_info(code_of(kReads), &info);
		PAPI_unregister_thread();
	});

	for (int i = 0; i < 20 && !HasFailure(); i++)
		EXPECT_EQ(0, in_child([] {
				     papi_init();
				     return code_of(kReads) < 0 || testing::Test::HasFailure();
			     }).status);
	stop = true;
	busy.join();
}

// ---- R10: shutdown ----

TEST(Requirements, R10_AfterShutdownPapiCanBeInitialisedAgain)
{
	for (int i = 0; i < 3; i++) {
		{
			const WithoutPapi gone;
		}
		EventSet set({kMemClock, kReads});

		ASSERT_FALSE(HasFailure());
		set.start();
		wait_ms(2);
		set.check(set.stop());
	}
}

TEST(Requirements, R10_ShutdownWithARunningSetStopsIt)
{
	for (int i = 0; i < 2; i++) {
		EventSet set({kMemClock, kReads});

		set.start();
		wait_ms(1);
		const WithoutPapi gone;
	}
}

size_t threads_of_this_process()
{
	const std::filesystem::directory_iterator tasks("/proc/self/task");

	return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

// PAPI leaves threads that outlive a shutdown with dangling pointers, so that the
// thread may only end.  The counters of its set are free afterwards.
TEST(Requirements, R10_ShutdownWhileAnotherThreadCountsGivesItsCountersBack)
{
	const size_t threads_before = threads_of_this_process();
	std::atomic<bool> counts{false}, end{false};
	std::thread other([&] {
		EXPECT_EQ(PAPI_OK, PAPI_register_thread());
		EventSet set({kOnlyCounter0, kMemClock});

		set.start();
		counts = true;
		while (!end)
			wait_ms(1);
	});

	while (!counts)
		wait_ms(1);
	{
		const WithoutPapi gone;

		// Nor does the library's own thread outlive it.
		EXPECT_EQ(threads_before + 1, threads_of_this_process());
	}
	in_threads(2, [](unsigned) {
		EventSet set({kOnlyCounter0Too, kMemClock});

		set.start();
		wait_ms(3);
		set.check(set.stop());
	});
	end = true;
	other.join();
}

} // namespace
