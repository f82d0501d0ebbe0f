/* SPDX-License-Identifier: BSD-3-Clause */
// party.h - one of several users that count on a machine at the same time: a handle of this
// process, or another process that executes commands.
#ifndef SUPPORT_PARTY_H
#define SUPPORT_PARTY_H

#include <memory>

#include <sys/prctl.h>

#include "support/multiplexed.h"
#include "support/node.h"

namespace support
{

class Party
{
      public:
	struct Answer {
		int code;
		char message[UNCORE_ERRMSG_MAX];
		int64_t counts[16];
	};

	virtual ~Party() = default;
	virtual Answer request(char what) = 0;

	int start()
	{
		const Answer a = request('s');

		since = node.now();
		return done(a);
	}
	// Returns false if the set is not multiplexed.
	bool window()
	{
		return request('w').code == 1;
	}
	int stop()
	{
		const Answer a = request('e');

		until = node.now();
		return done(a);
	}
	// Counts are correct from start to stop, or up to now. Estimates may differ by the
	// fraction `part`.
	void expect_counts(double part = 0)
	{
		const Answer a = request('r');
		const uint64_t end = until > since ? until : node.now();

		EXPECT_EQ(0, a.code) << a.message;
		for (size_t i = 0; i < events.size(); i++) {
			const auto truth = static_cast<double>(node.gain(events[i], since, end));

			EXPECT_NEAR(truth, static_cast<double>(a.counts[i]), 4 + part * truth)
				<< events[i].full();
		}
	}

	std::string message;

      protected:
	Party(const Node &node, const std::vector<Known> &events) : node(node), events(events)
	{
	}
	int done(const Answer &a)
	{
		message = a.message;
		return a.code;
	}
	// Executes the commands, in whichever process has the handle.
	class Actor
	{
	      public:
		Actor(const std::vector<Known> &events, bool turns, uncore_options options)
		    : handle(options)
		{
			EXPECT_EQ(0, handle.code) << handle.message();
			if (turns)
				set = std::make_unique<Multiplexed>(handle, names_of(events));
			else
				set = std::make_unique<Set>(handle, names_of(events));
		}
		Answer act(char what)
		{
			Answer a = {};

			if (what == 's')
				a.code = set->start();
			else if (what == 'e')
				a.code = set->stop();
			else if (what == 'w')
				a.code = unc_multiplex_next(set->set);
			else
				a.code = uncore_set_read(set->set, a.counts);
			if (a.code < 0)
				snprintf(a.message, sizeof(a.message), "%s",
					 handle.message().c_str());
			return a;
		}

	      private:
		Handle handle;
		std::shared_ptr<Set> set;
	};

	const Node &node;
	const std::vector<Known> events;
	uint64_t since = 0, until = 0;
};

class HandleParty : public Party
{
      public:
	HandleParty(const Node &node, const std::vector<Known> &events, bool turns)
	    : Party(node, events), actor(events, turns, node.files.options())
	{
	}
	Answer request(char what) override
	{
		return actor.act(what);
	}

      private:
	Actor actor;
};

class ProcessParty : public Party
{
      public:
	ProcessParty(const Node &node, const std::vector<Known> &events, bool turns)
	    : ProcessParty(node, events, turns, node.files.options())
	{
	}
	ProcessParty(const Node &node, const std::vector<Known> &events, bool turns,
		     uncore_options options)
	    : Party(node, events)
	{
		EXPECT_EQ(0, pipe2(orders, O_CLOEXEC));
		EXPECT_EQ(0, pipe2(answers, O_CLOEXEC));
		pid = fork_clean();
		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			serve(turns, options);
			_exit(0);
		}
		close(orders[0]);
		close(answers[1]);
	}
	~ProcessParty() override
	{
		end();
		close(orders[1]);
		close(answers[0]);
	}
	Answer request(char what) override
	{
		Answer a = {};

		EXPECT_EQ(1, write(orders[1], &what, 1));
		EXPECT_EQ(static_cast<ssize_t>(sizeof(a)), read(answers[0], &a, sizeof(a)));
		return a;
	}
	void kill()
	{
		EXPECT_EQ(0, ::kill(pid, SIGKILL));
		EXPECT_EQ(1000 + SIGKILL, status_of(pid));
		pid = -1;
	}
	// Closes the handle.
	void end()
	{
		if (pid < 0)
			return;
		EXPECT_EQ(1, write(orders[1], "q", 1));
		EXPECT_EQ(0, status_of(pid));
		pid = -1;
	}

	pid_t pid = -1;

      private:
	void serve(bool turns, uncore_options options)
	{
		Actor actor(events, turns, options);
		char what;

		while (read(orders[0], &what, 1) == 1 && what != 'q') {
			const Answer a = actor.act(what);

			if (write(answers[1], &a, sizeof(a)) != static_cast<ssize_t>(sizeof(a)))
				return;
		}
	}

	int orders[2] = {-1, -1}, answers[2] = {-1, -1};
};

} // namespace support

#endif
