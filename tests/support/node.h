/* SPDX-License-Identifier: BSD-3-Clause */
// node.h - a machine on which several processes count, its previous register values, and its
// truth.
#ifndef SUPPORT_NODE_H
#define SUPPORT_NODE_H

#include "support/controls.h"
#include "support/mounted.h"

struct sim;

namespace support
{

// KILLS=all in the environment: tests every point (tests/slow/kills_test.sh).
bool all_kills();

// An event of one box, and its truth as sim_rate() takes it.
struct Known {
	const char *name, *kind;
	uint64_t control, filter;
	unsigned box, package;

	std::string full() const;
};

std::vector<std::string> names_of(const std::vector<Known> &events);

class Node
{
      public:
	// spec: the part after "sim:". The machine's time is stepped.
	explicit Node(const std::string &spec, const std::string &trace = "",
		      const std::vector<std::string> &more = {});
	~Node();
	Node(const Node &) = delete;
	Node &operator=(const Node &) = delete;

	// Values that an earlier user left behind: all counters are disabled, but no register
	// is 0.
	void leave_traces();
	uint64_t now() const;
	void pass(uint64_t ns = 1000000) const;
	double rate(const Known &e) const;
	// The count of an event between two times of the machine.
	int64_t gain(const Known &e, uint64_t since, uint64_t until) const;
	void expect_counts(const std::vector<Known> &events, const std::vector<int64_t> &counts,
			   uint64_t since, uint64_t until) const;
	// A new set of this process counts correctly.
	void expect_counting(const std::vector<Known> &events);
	// Registers have their previous values, and no journal is left.
	void expect_clean() const;

	Mounted files;
	Handle handle; // of this process
	Controls controls;
	std::vector<uint64_t> before;
	struct sim *sim = nullptr;

      private:
	void leave_trace(unc_op op, uint64_t value) const;
};

} // namespace support

#endif
