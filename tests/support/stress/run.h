/* SPDX-License-Identifier: BSD-3-Clause */
// run.h - a stress run, with its report: processes that count on one mounted machine and are
// killed.
#ifndef SUPPORT_STRESS_RUN_H
#define SUPPORT_STRESS_RUN_H

#include <map>

#include "support/stress/worker.h"

namespace support::stress
{

class Run
{
      public:
	explicit Run(const Plan &plan);
	~Run();
	Run(const Run &) = delete;
	Run &operator=(const Run &) = delete;

	// Returns true if nothing failed.
	bool run();
	bool failed() const;
	uint64_t get(Tally what) const
	{
		return shared.tally[what];
	}
	void print(FILE *out) const;

      private:
	static constexpr std::pair<Tally, const char *> kNames[] = {
		{kBegun, "sessions begun"},
		{kCounted, "counted, and right"},
		{kMultiplexed, "  of them multiplexed"},
		{kStoppedAfter, "  of them stopped after n"},
		{kConflict, "refused, naming a process that lives"},
		{kOwnConflict, "refused because of a set of the same handle"},
		{kLockTimeout, "refused because the lock was held for too long"},
		{kAmbiguous, "refused, message replaced by another thread's"},
		{kUnnamed, "refused without naming a process that lives"},
		{kOtherRefusal, "refused for another reason"},
		{kUndisturbed, "sessions without other processes in their boxes"},
		{kInnocent, "  of them refused"},
		{kKilled, "ended by SIGKILL"},
		{kTold, "told that their counts are wrong"},
		{kWrong, "silently wrong"},
		{kElsewhereSeen, "values that another process counted"},
		{kKills, "processes killed"},
		{kRecovered, "registers recovered by processes that were not killed"},
	};

	static std::string make_directory();
	int find_truth();

	// ---- processes ----

	void begin(unsigned process);
	bool has_work(unsigned process) const;
	// Before its process id can be reused.
	void note_death(pid_t pid);
	// Its boxes are free now; its sessions ended with it.
	void bury(unsigned process, pid_t pid);
	void ended(unsigned process, int status);
	void reap();
	void kill_one();

	// ---- time ----

	void tick();
	int64_t next_kill(int64_t now);
	void live();
	void give_up();

	// ---- UNCORE_SHARE=owner: one handle at a time counts an event ----

	using List = std::vector<const Record *>;

	static bool overlap(const Record &a, const Record &b);
	void judge_owners();
	void judge_owned(unsigned event, const List &owned);
	// A session whose value is 0 must have begun while another handle was counting.
	void judge_remote(unsigned event, const List &by_others, const List &owned);

	// ---- state of the machine at the end ----

	std::vector<uint64_t> registers() const;
	void compare(const std::vector<uint64_t> &before);
	// One explicit restore. No journal may be left.
	void restore();

	const Plan plan;
	const Memory memory;
	Shared &shared;
	std::mt19937 random;
	const Mounted files;
	const std::string directory;
	Gate gate;
	std::map<unsigned, pid_t> pids;
	double took = 0;
};

} // namespace support::stress

#endif
