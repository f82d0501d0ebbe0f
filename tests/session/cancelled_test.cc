// SPDX-License-Identifier: BSD-3-Clause
// cancelled_test.cc - a thread that is cancelled while it reads leaves no lock behind.
#include <atomic>

#include <pthread.h>
#include <sys/resource.h>

#include "support/child.h"
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

// At any instruction.  In a child: a lock that is never released is waited for with signals
// blocked, until the kernel kills the child for its CPU time.
TEST(Cancelled, AReaderOfASimulatedMachineLeavesNoLockBehind)
{
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

} // namespace
