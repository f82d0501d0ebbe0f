/* SPDX-License-Identifier: BSD-3-Clause */
// process.h - a process with a handle and event sets that executes commands: start, stop,
// recover, fork, and count multiplexed events.
#ifndef TEST_CLAIM_PROCESS_H
#define TEST_CLAIM_PROCESS_H

#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>

#include "claim/allocations.h"
#include "support/child.h"
#include "support/multiplexed.h"
#include "support/node.h"

namespace ledger_guard
{

using support::Handle;
using support::Node;
using support::Set;

// A start, a stop or a recovery may lack memory.
struct Order {
	char what;
	unsigned char set;   // of the multiplexed one: the number of switches
	unsigned char lacks; // the number of the allocation that fails; 0: none
	bool lasts;          // and all later ones
};

struct Answer {
	int code;
	char message[UNCORE_ERRMSG_MAX];
};

class Process
{
      public:
	// rounds: the events of a multiplexed set, in addition.
	Process(const Node &node, std::vector<std::vector<std::string>> sets,
		std::vector<std::string> rounds = {})
	    : sets(std::move(sets)), rounds(std::move(rounds))
	{
		EXPECT_EQ(0, pipe2(orders, O_CLOEXEC));
		EXPECT_EQ(0, pipe2(answers, O_CLOEXEC));
		pid = support::fork_clean();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			serve(node);
			_exit(0);
		}
		close(orders[0]);
		close(answers[1]);
	}
	~Process()
	{
		if (pid > 0)
			kill();
		close(orders[1]);
		close(answers[0]);
	}
	Process(const Process &) = delete;
	Process &operator=(const Process &) = delete;

	// Returns false if the process was killed before it could answer.
	bool request(const Order &order, Answer *answer)
	{
		send(order);
		if (read(answers[0], answer, sizeof(*answer)) == sizeof(*answer))
			return true;
		EXPECT_EQ(1000 + SIGKILL, support::status_of(pid));
		pid = -1;
		return false;
	}
	void kill()
	{
		EXPECT_EQ(0, ::kill(pid, SIGKILL));
		EXPECT_EQ(1000 + SIGKILL, support::status_of(pid));
		pid = -1;
	}
	// Ends the process, which closes its handle or leaves that to exit().
	void end(bool by_exit)
	{
		send({by_exit ? 'x' : 'q', 0, 0, false});
		EXPECT_EQ(0, support::status_of(pid));
		pid = -1;
	}

	pid_t pid = -1;

      private:
	void send(const Order &order)
	{
		EXPECT_EQ(static_cast<ssize_t>(sizeof(order)),
			  write(orders[1], &order, sizeof(order)));
	}
	// A child owns no counters: it cannot start a set, and its end changes nothing.
	static int fork_and_wait(Set &set)
	{
		return support::in_child_that_exits([&] {
			if (set.start() != UNCORE_EFORK)
				return 1;
			return set.stop() == 0 ? 0 : 2;
		});
	}
	template <typename F> static int without(const Order &order, F f)
	{
		support::allocations = {order.lacks > 0, order.lasts, order.lacks - 1U, 0};
		const int code = f();
		support::allocations = {};
		return code;
	}
	static int act(const Handle &handle, Set &set, const Order &order)
	{
		return without(order, [&] { return carry_out(handle, set, order.what); });
	}
	// Starts the multiplexed set, switches its windows, and stops it; memory is short at the
	// stop.
	static int count_rounds(support::Multiplexed &set, const Order &order)
	{
		const int code = set.start();

		for (unsigned i = 0; code == 0 && i < order.set; i++)
			set.window();
		return code < 0 ? code : without(order, [&] { return set.stop(); });
	}
	static int carry_out(const Handle &handle, Set &set, char what)
	{
		switch (what) {
		case 's':
			return set.start();
		case 'e':
			return set.stop();
		case 'r':
			return uncore_recover(handle.u);
		default:
			return fork_and_wait(set);
		}
	}
	void serve(const Node &node)
	{
		Handle handle(node.files.options());
		std::vector<std::unique_ptr<Set>> all;
		std::unique_ptr<support::Multiplexed> turns;
		Order order;

		for (const auto &names : sets)
			all.push_back(std::make_unique<Set>(handle, names));
		if (!rounds.empty())
			turns = std::make_unique<support::Multiplexed>(handle, rounds);
		while (!testing::Test::HasFailure() &&
		       read(orders[0], &order, sizeof(order)) ==
			       static_cast<ssize_t>(sizeof(order))) {
			Answer a = {};

			if (order.what == 'q')
				return;
			if (order.what == 'x')
				exit(0);
			a.code = order.what == 'm' ? count_rounds(*turns, order)
						   : act(handle, *all.at(order.set), order);
			if (a.code < 0)
				snprintf(a.message, sizeof(a.message), "%s",
					 handle.message().c_str());
			if (write(answers[1], &a, sizeof(a)) != static_cast<ssize_t>(sizeof(a)))
				return;
		}
	}

	const std::vector<std::vector<std::string>> sets;
	const std::vector<std::string> rounds;
	int orders[2] = {-1, -1}, answers[2] = {-1, -1};
};

} // namespace ledger_guard

#endif
