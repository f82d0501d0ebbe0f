// SPDX-License-Identifier: BSD-3-Clause
// cancelled_test.cc - a thread that is cancelled while counting must not leave a lock behind.
#include <atomic>
#include <thread>

#include <pthread.h>
#include <sys/resource.h>

#include "support/child.h"
#include "support/interposer.h"
#include "support/sim_machine.h"

namespace
{

using support::Set;
using support::SimMachine;

struct Reader {
	struct uncore_set *set;
	std::atomic<int> reads{0};
};

void *read_for_ever(void *arg)
{
	auto *reader = static_cast<Reader *>(arg);
	int64_t value;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
	for (;;) {
		uncore_set_read(reader->set, &value);
		reader->reads++;
	}
}

// Cancels at any instruction. In a child: waiting for a lock that is never released blocks
// signals, until the kernel kills the child for its CPU time.
TEST(Cancelled, AReaderOfASimulatedMachineLeavesNoLockBehind)
{
#if defined(__SANITIZE_THREAD__) || (defined(__SANITIZE_ADDRESS__) && defined(__clang__))
	GTEST_SKIP() << "the sanitizer's own code must not be cancelled";
#endif
	EXPECT_EQ(0, support::in_child([] {
			  SimMachine machine;
			  Set set(machine, {"UNC_M_CAS_COUNT:RD"});

			  const struct rlimit seconds = {30, 30};

			  setrlimit(RLIMIT_CPU, &seconds);
			  if (set.start() != 0)
				  return 1;
			  for (int i = 0; i < 300; i++) {
				  Reader reader{set.set};
				  pthread_t thread;

				  if (pthread_create(&thread, nullptr, read_for_ever, &reader) != 0)
					  return 2;
				  while (reader.reads < 1 + i % 5)
					  ;
				  pthread_cancel(thread);
				  pthread_join(thread, nullptr);
				  set.count();
			  }
			  return set.stop() == 0 ? 0 : 3;
		  }));
}

struct User {
	struct uncore_set *set;
	std::atomic<int> rounds{0};
};

void *count_for_ever(void *arg)
{
	auto *user = static_cast<User *>(arg);
	int64_t values[2];

	for (;;) {
		uncore_set_start(user->set);
		uncore_set_read(user->set, values);
		uncore_set_reset(user->set);
		uncore_set_stop(user->set);
		user->rounds++;
	}
}

// Waiting for a lock that is never released would not end.
void end_if_it_hangs()
{
	std::thread([] {
		sleep(100);
		_exit(99);
	}).detach();
}

int cancel_at(SimMachine &machine, Set &set, int i)
{
	User user{set.set};
	std::atomic<int> spin{0};
	pthread_t thread;

	if (pthread_create(&thread, nullptr, count_for_ever, &user) != 0)
		return 1;
	while (user.rounds < 1)
		usleep(100);
	while (spin < i * 7919 % 50000)
		spin++;
	pthread_cancel(thread); // it ends at an access, unless cancellation is disabled
	pthread_join(thread, nullptr);
	machine.event("UNC_M_CAS_COUNT:RD:box=" + std::to_string(i % 4));
	return set.stop() == 0 ? 0 : 2;
}

TEST(Cancelled, AThreadThatStartsReadsResetsAndStopsLeavesNoLockAndNoRegister)
{
	EXPECT_EQ(0, support::in_child([] {
			  SimMachine machine("packages=1,cores=2");
			  support::Interposer hardware{machine};
			  Set set(machine, {"UNC_M_CAS_COUNT:RD", "UNC_C_CLOCKTICKS"});
			  // like the system calls that access a register
			  hardware.on_read = [&hardware](const unc_op &op, uint64_t *value) {
				  pthread_testcancel();
				  return hardware.read(op, value);
			  };
			  hardware.on_write = [](const unc_op &, uint64_t) {
				  pthread_testcancel();
				  return 0;
			  };

			  end_if_it_hangs();
			  if (set.start() != 0 || set.stop() != 0)
				  return 3;
			  const auto idle = machine.registers();
			  for (int i = 0; i < 100; i++) {
				  const int r = cancel_at(machine, set, i);

				  if (r != 0)
					  return r;
				  if (machine.registers() != idle)
					  return 4;
			  }
			  return set.start() == 0 && set.stop() == 0 ? 0 : 5;
		  }));
}

} // namespace
