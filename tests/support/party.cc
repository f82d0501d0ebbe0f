// SPDX-License-Identifier: BSD-3-Clause
#include "support/party.h"

#include <csignal>
#include <cstdio>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/sim.h"
#include "support/child.h"
#include "support/handle.h"
#include "support/multiplexed.h"
#include "support/seeds.h"

namespace support
{

int Party::start()
{
	const Answer a = request('s');

	since = node.now();
	return done(a);
}

bool Party::window()
{
	return request('w').code == 1;
}

int Party::stop()
{
	const Answer a = request('e');

	until = node.now();
	return done(a);
}

void Party::expect_counts(double part)
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

Party::Party(const Node &node, const std::vector<Known> &events) : node(node), events(events)
{
}

int Party::done(const Answer &a)
{
	message = a.message;
	return a.code;
}

Party::Actor::Actor(const std::vector<Known> &events, bool turns, uncore_options options)
    : handle(options)
{
	EXPECT_EQ(0, handle.code) << handle.message();
	if (turns)
		set = std::make_unique<Multiplexed>(handle, names_of(events));
	else
		set = std::make_unique<Set>(handle, names_of(events));
}

Party::Answer Party::Actor::act(char what)
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
		snprintf(a.message, sizeof(a.message), "%s", handle.message().c_str());
	return a;
}

HandleParty::HandleParty(const Node &node, const std::vector<Known> &events, bool turns)
    : Party(node, events), actor(events, turns, node.files.options())
{
}

Party::Answer HandleParty::request(char what)
{
	return actor.act(what);
}

ProcessParty::ProcessParty(const Node &node, const std::vector<Known> &events, bool turns)
    : ProcessParty(node, events, turns, node.files.options())
{
}

ProcessParty::ProcessParty(const Node &node, const std::vector<Known> &events, bool turns,
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

ProcessParty::~ProcessParty()
{
	end();
	close(orders[1]);
	close(answers[0]);
}

Party::Answer ProcessParty::request(char what)
{
	Answer a = {};

	EXPECT_EQ(1, write(orders[1], &what, 1));
	EXPECT_EQ(static_cast<ssize_t>(sizeof(a)), read(answers[0], &a, sizeof(a)));
	return a;
}

void ProcessParty::kill()
{
	EXPECT_EQ(0, ::kill(pid, SIGKILL));
	EXPECT_EQ(1000 + SIGKILL, status_of(pid));
	pid = -1;
}

void ProcessParty::end()
{
	if (pid < 0)
		return;
	EXPECT_EQ(1, write(orders[1], "q", 1));
	EXPECT_EQ(0, status_of(pid));
	pid = -1;
}

void ProcessParty::serve(bool turns, uncore_options options)
{
	Actor actor(events, turns, options);
	char what;

	while (read(orders[0], &what, 1) == 1 && what != 'q') {
		const Answer a = actor.act(what);

		if (write(answers[1], &a, sizeof(a)) != static_cast<ssize_t>(sizeof(a)))
			return;
	}
}

} // namespace support
