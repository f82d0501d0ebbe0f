/* SPDX-License-Identifier: BSD-3-Clause */
// party.h - one of several users that count on a machine at the same time: a handle of this
// process, or another process that executes commands.
#ifndef SUPPORT_PARTY_H
#define SUPPORT_PARTY_H

#include <memory>

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

	int start();
	// Returns false if the set is not multiplexed.
	bool window();
	int stop();
	// Counts are correct from start to stop, or up to now. Estimates may differ by the
	// fraction `part`.
	void expect_counts(double part = 0);

	std::string message;

      protected:
	Party(const Node &node, const std::vector<Known> &events);
	int done(const Answer &a);
	// Executes the commands, in whichever process has the handle.
	class Actor
	{
	      public:
		Actor(const std::vector<Known> &events, bool turns, uncore_options options);
		Answer act(char what);

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
	HandleParty(const Node &node, const std::vector<Known> &events, bool turns);
	Answer request(char what) override;

      private:
	Actor actor;
};

class ProcessParty : public Party
{
      public:
	ProcessParty(const Node &node, const std::vector<Known> &events, bool turns);
	ProcessParty(const Node &node, const std::vector<Known> &events, bool turns,
		     uncore_options options);
	~ProcessParty() override;
	Answer request(char what) override;
	void kill();
	// Closes the handle.
	void end();

	pid_t pid = -1;

      private:
	void serve(bool turns, uncore_options options);

	int orders[2] = {-1, -1}, answers[2] = {-1, -1};
};

} // namespace support

#endif
