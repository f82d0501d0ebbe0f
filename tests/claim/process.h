/* SPDX-License-Identifier: BSD-3-Clause */
// process.h - a process with a handle and event sets that executes commands: start, stop,
// recover and fork.
#ifndef TEST_CLAIM_PROCESS_H
#define TEST_CLAIM_PROCESS_H

#include <memory>
#include <string>
#include <vector>

#include <sys/prctl.h>

#include "support/node.h"

namespace ledger_guard
{

using support::Handle;
using support::Node;
using support::Set;

struct Answer {
	int code;
	char message[UNCORE_ERRMSG_MAX];
};

class Process
{
      public:
	Process(const Node &node, std::vector<std::vector<std::string>> sets)
	    : sets(std::move(sets))
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
	bool request(char what, unsigned set, Answer *answer)
	{
		const char order[2] = {what, static_cast<char>(set)};

		EXPECT_EQ(2, write(orders[1], order, 2));
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
		EXPECT_EQ(2, write(orders[1], by_exit ? "x" : "q", 2));
		EXPECT_EQ(0, support::status_of(pid));
		pid = -1;
	}

	pid_t pid = -1;

      private:
	// A child owns no counters: it cannot start a set, and its end changes nothing.
	static int fork_and_wait(Set &set)
	{
		return support::in_child_that_exits([&] {
			if (set.start() != UNCORE_EFORK)
				return 1;
			return set.stop() == 0 ? 0 : 2;
		});
	}
	static int act(const Handle &handle, Set &set, char what)
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
		char order[2];

		for (const auto &names : sets)
			all.push_back(std::make_unique<Set>(handle, names));
		while (!testing::Test::HasFailure() && read(orders[0], order, 2) == 2) {
			Answer a = {};

			if (order[0] == 'q')
				return;
			if (order[0] == 'x')
				exit(0);
			a.code = act(handle, *all.at(static_cast<size_t>(order[1])), order[0]);
			if (a.code < 0)
				snprintf(a.message, sizeof(a.message), "%s",
					 handle.message().c_str());
			if (write(answers[1], &a, sizeof(a)) != static_cast<ssize_t>(sizeof(a)))
				return;
		}
	}

	const std::vector<std::vector<std::string>> sets;
	int orders[2] = {-1, -1}, answers[2] = {-1, -1};
};

} // namespace ledger_guard

#endif
