/* SPDX-License-Identifier: BSD-3-Clause */
// stop_after.h - simulated machines and sets that stop automatically.
#ifndef SUPPORT_STOP_AFTER_H
#define SUPPORT_STOP_AFTER_H

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "support/interposer.h"

struct sim;

namespace support::stop_after
{

constexpr uint64_t kSecond = 1000000000;

struct Machine : Handle {
	explicit Machine(const std::string &platform,
			 const std::string &more = "packages=2,time=virtual");
	void pass(uint64_t ns) const;
	uint64_t msr(uint32_t address, unsigned package = 0) const;
	void set_msr(uint32_t address, uint64_t value, unsigned package = 0) const;
	// The rate of an event per second.
	double rate(const std::string &event) const;

	struct sim *sim;

      private:
	// Only used while the machine is opened.
	static uncore_options options(const std::string &spec);
};

struct StopAfterSet : Set {
	using Set::Set;
	// Selects the event of the list that stops the set, and the cores that are interrupted.
	int stop_after(uint64_t n, unsigned event = 0, uint64_t cores = 0);
	int again();
	int wait(int ms = 0);
	uncore_stop_after_info info(unsigned i = 0) const;
	// Finds the register of the counter that is preloaded.
	void find_counter();
	std::vector<uncore_overflow_source> sources();

	unc_op counter = {};
};

// Records the value of each register before its first write.
class Ledger
{
      public:
	explicit Ledger(const Handle &handle);
	// All registers have these values again, except the counter, which is 0 if it was
	// preloaded.
	void expect_as_before(const StopAfterSet &set, const std::string &what);

	Interposer hardware;
	unsigned writes = 0, fail_at = UINT32_MAX;

      private:
	using Key = std::tuple<unsigned, unsigned, unsigned, uint64_t>;

	static Key key(const unc_op &op);
	// Comparing addresses is enough: no other register with this address is written.
	static bool is_counter(const StopAfterSet &set, const unc_op &op);
	std::map<Key, std::pair<unc_op, uint64_t>> known;
};

} // namespace support::stop_after

#endif
