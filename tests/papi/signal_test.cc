// SPDX-License-Identifier: BSD-3-Clause
// signal_test.cc - requirements R5 and R6: reading and resetting in signal handlers,
// and what they may need from the system.
#include "papi/papi_calls.h"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <thread>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// All of the program's memory comes from here, libpapi's included.
static std::atomic<unsigned> allocations;

extern "C" void *__libc_malloc(size_t size);
extern "C" void *__libc_calloc(size_t n, size_t size);

extern "C" __attribute__((visibility("default"))) void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

extern "C" __attribute__((visibility("default"))) void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}
#else
static unsigned allocations;
#endif

namespace
{

struct Interrupted {
	EventSet *set;
	volatile int handled, failed, negative;
	long long clock, reads;
	double lost;
	Window last;
} interrupted;

// As TAU's sampling handler.
void on_sample(int)
{
	long long counts[2] = {-1, -1};
	const double before = now();

	interrupted.failed = interrupted.failed +
			     !read_and_reset(interrupted.set->id, counts, &interrupted.lost);
	interrupted.last = {before, now()};
	interrupted.negative = interrupted.negative + (counts[0] < 0 || counts[1] < 0);
	interrupted.clock += counts[0];
	interrupted.reads += counts[1];
	interrupted.handled = interrupted.handled + 1;
}

// A timer signal every 300 microseconds for as long as an object lives.
class Timer
{
      public:
	explicit Timer(void (*handler)(int))
	{
		struct sigaction action = {};
		const itimerval interval = {{0, 300}, {0, 300}};

		action.sa_handler = handler;
		action.sa_flags = SA_RESTART;
		sigaction(SIGPROF, &action, &before);
		setitimer(ITIMER_PROF, &interval, nullptr);
	}
	~Timer()
	{
		const itimerval off = {};

		setitimer(ITIMER_PROF, &off, nullptr);
		wait_ms(1);
		sigaction(SIGPROF, &before, nullptr);
	}

      private:
	struct sigaction before;
};

TEST(Requirements, R5_AHandlerReadsAndResetsTheSetThatItInterruptsTheReadingOf)
{
	EventSet set({kMemClock, kReads});
	int backwards = 0;

	interrupted = {&set, 0, 0, 0, 0, 0, 0, {0, 0}};
	set.start();
	{
		const Timer timer(on_sample);

		for (const double end = now() + 5; interrupted.handled < 10 && now() < end;) {
			long long counts[2] = {-1, -1};

			if (PAPI_read(set.id, counts) != PAPI_OK || counts[0] < 0 || counts[1] < 0)
				backwards++;
		}
	}
	EXPECT_GE(interrupted.handled, 10);
	EXPECT_EQ(0, interrupted.failed);
	EXPECT_EQ(0, interrupted.negative);
	EXPECT_EQ(0, backwards);
	expect_count(kMemClock, interrupted.clock, set.from, interrupted.last, interrupted.lost);
	expect_count(kReads, interrupted.reads, set.from, interrupted.last, interrupted.lost);
}

void read_only(int)
{
	long long counts[2];

	interrupted.failed =
		interrupted.failed + (PAPI_read(interrupted.set->id, counts) != PAPI_OK);
	interrupted.handled = interrupted.handled + 1;
}

// The handler comes while this thread starts and stops another set: no lock
// that it holds may be the handler's undoing.
TEST(Requirements, R6_AHandlerReadsWhileItsThreadStartsAndStops)
{
	std::atomic<int> phase{0};
	EventSet set({kMemClock, kReads});

	// PAPI runs one set per thread: the handler's belongs to another one.
	std::thread owner([&] {
		EXPECT_EQ(PAPI_OK, PAPI_register_thread());
		{
			EventSet own({kMemClock, kReads});
			sigset_t all;

			sigfillset(&all);
			pthread_sigmask(SIG_SETMASK, &all, nullptr);
			own.start();
			interrupted = {&own, 0, 0, 0, 0, 0, 0, {0, 0}};
			phase = 1;
			while (phase == 1)
				wait_ms(1);
			own.check(own.stop());
		}
		EXPECT_EQ(PAPI_OK, PAPI_unregister_thread());
	});
	while (phase == 0)
		wait_ms(1);
	{
		const Timer timer(read_only);

		for (const double end = now() + 5; interrupted.handled < 10 && now() < end;) {
			set.start();
			set.check(set.stop());
		}
	}
	EXPECT_GE(interrupted.handled, 10);
	EXPECT_EQ(0, interrupted.failed);
	phase = 2;
	owner.join();
}

// From here on system calls kill this process: those of open(), stdio, memory from
// the system, locks that are waited for.  Not those of exiting, of looking at the
// clock, and of the simulated registers, which block signals.
bool forbid_system_calls()
{
	sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigprocmask, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

int sealed()
{
	long long counts[2] = {0, 0};
	int bad = 0;

	papi_init();
	auto *set = new EventSet({kMemClock, kReads});
	set->start();
	if (!forbid_system_calls())
		return 77;
	const unsigned before = allocations;
	for (int i = 0; i < 1000; i++)
		bad += PAPI_read(set->id, counts) != PAPI_OK || PAPI_reset(set->id) != PAPI_OK;
	return static_cast<int>(syscall(SYS_exit, bad ? 1 : allocations != before ? 2 : 42));
}
const Mode sealed_mode("sealed", sealed);

TEST(Requirements, R5_ReadAndResetNeedNoMemoryAndNothingFromTheSystem)
{
	if (kSanitizer)
		GTEST_SKIP() << "the sanitizer makes system calls";
	const Ended ended = run_mode("sealed", {{"UNCORE_WRAP_POLLER", "0"}});
	if (ended.status == 77)
		GTEST_SKIP() << "there are no seccomp filters here";
	EXPECT_EQ(42, ended.status);
}

} // namespace
