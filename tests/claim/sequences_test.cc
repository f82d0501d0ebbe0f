// SPDX-License-Identifier: BSD-3-Clause
// sequences_test.cc - random sequences of start, stop, multiplexing, kill, recover, fork and close
// by several processes. After each step a model (model.h) gives the expected value and owner of
// each register. SEQUENCES_STEPS and SEQUENCES_SEED in the environment set the number of steps per
// platform and the seed (docs/testing.md, "Random sequences").
#include <deque>
#include <random>

#include "claim/model.h"
#include "claim/process.h"
#include "support/sanitizer.h"
#include "support/seeds.h"

namespace
{

using ledger_guard::Answer;
using ledger_guard::Box;
using ledger_guard::Claims;
using ledger_guard::kEnable;
using ledger_guard::Model;
using ledger_guard::Order;
using ledger_guard::Platform;
using ledger_guard::Process;
using ledger_guard::Registers;
using support::Node;

const ledger_guard::Box kAnyMsr = {"", 0, support::facts::Space::kMsr, 0, 0, 0, 0, 0, 0, 0, {}};
constexpr unsigned kPackages = 2, kCores = 2, kProcesses = 3, kSets = 3;

// In addition to controls and filters. No counter is enabled that events use, because a recovery
// never enables counters that were running before.
void leave_more_traces(const Platform &on, const Registers &registers)
{
	for (unsigned p = 0; on.clock && p < kPackages; p++)
		registers.write(kAnyMsr, p, on.clock_control, kEnable);
	for (unsigned p = 0; on.global && p < kPackages; p++)
		registers.write(on.boxes[0], p, on.global, 6 + 8 * p);
}

class Sequences : public testing::TestWithParam<Platform>
{
      protected:
	void SetUp() override
	{
		NEEDS_FUSE();
		node = std::make_unique<Node>(on.name + ":packages=" + std::to_string(kPackages) +
					      ",cores=" + std::to_string(kCores));
		node->leave_traces();
		registers = std::make_unique<Registers>(node->files.root, kPackages, kCores);
		leave_more_traces(on, *registers);
		node->before = node->controls.values();
		model = std::make_unique<Model>(on, *registers, kPackages);
	}
	void TearDown() override
	{
		for (Life &life : lives)
			life.process.reset();
		registers.reset();
	}
	void run(unsigned seed, unsigned steps)
	{
		random.seed(seed);
		for (unsigned i = 0; i < steps && !HasFailure(); i++) {
			const std::set<unsigned> packages = step(i / 20 % 3 == 2);
			const std::string wrong = model->check(i % 8 ? packages : kBoth);

			if (!wrong.empty() || HasFailure())
				ADD_FAILURE() << "seed " << seed << ", step " << i << '\n'
					      << wrong << "the last steps:\n"
					      << history();
		}
		if (!HasFailure())
			end_all();
	}

      private:
	struct Life {
		std::unique_ptr<Process> process;
		int number = 0; // in the model
		std::vector<Claims> sets;
		Claims rounds; // of the multiplexed set
		bool runs[kSets] = {};
	};

	unsigned below(unsigned n)
	{
		return static_cast<unsigned>(random() % n);
	}
	std::string history() const
	{
		std::string text;

		for (const std::string &line : log)
			text += line + '\n';
		return text;
	}
	void say(const Life &life, const std::string &what)
	{
		log.push_back("process " + std::to_string(life.number) + " " + what);
		if (log.size() > 40)
			log.pop_front();
	}

	// ---- processes ----

	Claims random_set()
	{
		Claims set;

		for (unsigned n = 1 + below(3); n > 0; n--) {
			Claims more = set;

			more.insert(
				{below(kPackages), below(static_cast<unsigned>(on.events.size()))});
			set = model->fits(more) ? more : set;
		}
		return set;
	}
	// Events that do not fit at once, of one box.
	Claims random_rounds()
	{
		const unsigned package = below(kPackages);
		const unsigned box = on.events[below(static_cast<unsigned>(on.events.size()))].box;
		Claims rounds;

		for (unsigned e = 0; e < on.events.size(); e++)
			if (on.events[e].box == box)
				rounds.insert({package, e});
		return rounds;
	}
	std::string name(const ledger_guard::Claim &c) const
	{
		return on.name + "_unc_" + on.name_of(on.events[c.event]) +
		       ":pkg=" + std::to_string(c.package);
	}
	void begin(Life &life)
	{
		std::vector<std::vector<std::string>> names(kSets);

		life = Life();
		life.number = ++number;
		for (unsigned s = 0; s < kSets; s++) {
			life.sets.push_back(random_set());
			for (const auto &c : life.sets[s])
				names[s].push_back(name(c));
		}
		life.rounds = random_rounds();
		std::vector<std::string> rounds;
		for (const auto &c : life.rounds)
			rounds.push_back(name(c));
		life.process = std::make_unique<Process>(*node, names, rounds);
		model->owners[life.number] = {};
		for (unsigned s = 0; s < kSets; s++)
			for (const std::string &n : names[s])
				say(life, "set " + std::to_string(s) + ": " + n);
	}
	static std::set<unsigned> packages_of(const Claims &set)
	{
		std::set<unsigned> all;

		for (const auto &c : set)
			all.insert(c.package);
		return all;
	}

	// ---- steps ----

	// Returns the packages whose registers may have changed. ebb: nothing starts, so that
	// packages become idle from time to time.
	std::set<unsigned> step(bool ebb)
	{
		Life &life = lives[below(kProcesses)];
		const unsigned what = below(1000), s = below(kSets);

		if (!life.process)
			begin(life);
		if (what < 60 && !ebb)
			return count_rounds(life, what < 6 ? kill_at() : 0);
		if (what < 780 && ebb && !life.runs[s])
			return order(life, random_order('r', 0), 0);
		if (what < 780)
			return order(life, random_order(life.runs[s] ? 'e' : 's', s), 0);
		if (what < 840)
			return order(life, random_order('r', 0), what < 786 ? kill_at() : 0);
		if (what < 870)
			return order(life, {'f', static_cast<unsigned char>(s), 0, false}, 0);
		if (what < 940)
			return order(life, random_order(life.runs[s] ? 'e' : 's', s), kill_at());
		if (what < 985)
			kill(life);
		else
			end(life, what % 2);
		return kBoth;
	}
	int kill_at()
	{
		const int at = 1 + static_cast<int>(below(12));

		return below(2) ? at : -at;
	}
	Order random_order(char what, unsigned set)
	{
		const unsigned lacks = below(6) ? 0 : 1 + below(30);

		return {what, static_cast<unsigned char>(set), static_cast<unsigned char>(lacks),
			below(2) == 0};
	}
	std::set<unsigned> order(Life &life, const Order &o, int kill_at)
	{
		const char what = o.what;
		const unsigned set = o.set;
		const Model::Answer expected =
			what == 's' ? model->start(life.number, life.sets[set]) : Model::kStarts;
		const std::string text =
			std::string(1, what) + std::to_string(set) +
			(kill_at ? " killed at " + std::to_string(kill_at) : "") +
			(o.lacks ? (o.lasts ? " without memory from " : " without ") +
					   std::to_string(o.lacks)
				 : "");
		Answer a = {};

		if (kill_at)
			node->files.kill_at(kill_at);
		const bool lives = life.process->request(o, &a);
		if (kill_at)
			node->files.kill_at(0);
		say(life,
		    text + (lives ? ": " + std::to_string(a.code) + " " + a.message : ": died"));
		if (!lives)
			died(life, what, set);
		else if (o.lacks && a.code == UNCORE_ENOMEM)
			lacked(life, what, set);
		else
			done(life, what, set, expected, a, o.lacks != 0);
		if (lives && o.lacks)
			model->lack(life.number, what == 'r' ? Claims() : life.sets[set],
				    touched(life, what, set));
		return touched(life, what, set);
	}
	// Afterwards nothing is counted that was not before; but whether the registers of dead
	// processes are restored depends on the point at which the start was refused.
	std::set<unsigned> count_rounds(Life &life, int kill_at)
	{
		const std::set<unsigned> packages = packages_of(life.rounds);
		// a stop allocates about ten times
		const unsigned lacks = below(3) ? 1 + below(10) : 0;
		const Order o = {'m', static_cast<unsigned char>(below(4)),
				 static_cast<unsigned char>(lacks), below(2) == 0};
		Answer a = {};

		if (kill_at)
			node->files.kill_at(kill_at);
		const bool lives = life.process->request(o, &a);
		if (kill_at)
			node->files.kill_at(0);
		say(life,
		    "multiplexes" + (o.lacks ? " without " + std::to_string(o.lacks) : "") +
			    (lives ? ": " + std::to_string(a.code) + " " + a.message : ": died"));
		if (!lives) {
			Owner &owner = model->owners[life.number];

			owner.alive = false;
			owner.torn = true;
			owner.counts[kSets] = life.rounds;
			life.process.reset();
		} else if (o.lacks) {
			model->lack(life.number, life.rounds, packages);
		}
		model->tear(packages);
		return packages;
	}
	std::set<unsigned> touched(const Life &life, char what, unsigned set) const
	{
		return what == 'r' ? kBoth : packages_of(life.sets[set]);
	}
	void died(Life &life, char what, unsigned set)
	{
		Owner &owner = model->owners[life.number];

		owner.alive = false;
		if (what == 's')
			owner.counts[set] = life.sets[set];
		owner.torn = what != 'r';
		model->tear(touched(life, what, set));
		life.process.reset();
	}
	// A set that could not start counts nothing, and one that was stopped has been stopped. Of
	// dead processes some registers may be restored.
	void lacked(Life &life, char what, unsigned set)
	{
		if (what == 'e')
			model->owners[life.number].counts.erase(set);
		life.runs[set] = what == 'r' && life.runs[set];
		model->tear(touched(life, what, set));
	}
	void done(Life &life, char what, unsigned set, Model::Answer expected, const Answer &a,
		  bool lacks)
	{
		Owner &owner = model->owners[life.number];

		if (what == 's')
			expect_answer(life, life.sets[set], expected, a);
		else
			EXPECT_EQ(0, a.code) << a.message;
		if (what == 's' && a.code == 0)
			owner.counts[set] = life.sets[set];
		if (what == 'e')
			owner.counts.erase(set);
		// a stop does not fail because it lacks memory to recover dead processes
		if (what == 'e' && lacks)
			model->tear(touched(life, what, set));
		else if (what != 'f' && a.code != UNCORE_ECONFLICT)
			model->recover(touched(life, what, set));
		if (what != 'f' && a.code == 0 && !lacks) {
			owner.listed.clear();
			for (unsigned p : touched(life, what, set))
				owner.late.erase(p);
		}
		for (unsigned p = 0; what == 'r' && a.code == 0 && on.clock && p < kPackages; p++)
			EXPECT_TRUE(model->is_used(p) || is_running(p))
				<< "package " << p << " is frozen";
		if (what == 's' || what == 'e')
			life.runs[set] = what == 's' && a.code == 0;
	}
	bool is_running(unsigned package) const
	{
		const uint64_t first = registers->read(kAnyMsr, package, on.clock);

		node->pass();
		return registers->read(kAnyMsr, package, on.clock) != first;
	}
	void expect_answer(const Life &life, const Claims &set, Model::Answer expected,
			   const Answer &a)
	{
		const int code = expected == Model::kConflict ? UNCORE_ECONFLICT
				 : expected == Model::kBusy   ? UNCORE_EBUSY
							      : 0;

		if (expected != Model::kAny) {
			EXPECT_EQ(code, a.code) << a.message;
		}
		if (a.code != UNCORE_EBUSY)
			return;
		// the message names a process that uses the counters
		std::string pids;
		bool named = false;
		for (const Life &other : lives)
			if (other.process && other.number != life.number &&
			    (meet(model->owners[other.number].all(), set) ||
			     meet(model->owners[other.number].listed, set))) {
				const std::string pid =
					"(pid " + std::to_string(other.process->pid);

				pids += pid + " ";
				named |= std::string(a.message).find(pid) != std::string::npos;
			}
		EXPECT_TRUE(named) << a.message << ": " << pids;
	}
	bool meet(const Claims &a, const Claims &b) const
	{
		for (const auto &c : a)
			for (const auto &d : b)
				if (c.package == d.package &&
				    on.events[c.event].box == on.events[d.event].box)
					return true;
		return false;
	}
	void kill(Life &life)
	{
		say(life, "is killed");
		life.process.reset();
		model->owners[life.number].alive = false;
		model->recover({}); // drop owners without counters
	}
	void end(Life &life, bool by_exit)
	{
		const Owner &owner = model->owners[life.number];
		const std::set<unsigned> packages = packages_of(owner.all());

		// then it settles all packages
		if (!owner.late.empty())
			model->tear(kBoth);
		say(life, by_exit ? "exits" : "closes");
		life.process->end(by_exit);
		life.process.reset();
		model->owners.erase(life.number);
		model->recover(packages);
	}
	// Afterwards the whole machine is as it was found.
	void end_all()
	{
		for (Life &life : lives)
			if (life.process)
				end(life, false);
		EXPECT_EQ(0, uncore_recover(node->handle.u)) << node->handle.message();
		model->recover(kBoth);
		EXPECT_EQ("", model->check(kBoth));
		node->expect_clean();
	}

	using Owner = ledger_guard::Owner;
	const std::set<unsigned> kBoth = {0, 1};
	const Platform &on = GetParam();
	std::unique_ptr<Node> node;
	std::unique_ptr<Registers> registers;
	std::unique_ptr<Model> model;
	std::mt19937 random;
	Life lives[kProcesses];
	int number = 0;
	std::deque<std::string> log;
};

unsigned from_environment(const char *name, unsigned otherwise)
{
	const char *value = getenv(name);

	return value ? static_cast<unsigned>(strtoul(value, nullptr, 10)) : otherwise;
}

TEST_P(Sequences, EachRegisterHoldsWhatItsOwnerWroteOrWhatItHeldBefore)
{
	const unsigned steps = support::all_seeds() ? 300 : kSanitizer ? 20 : 100;

	run(from_environment("SEQUENCES_SEED", 1), from_environment("SEQUENCES_STEPS", steps));
}

INSTANTIATE_TEST_SUITE_P(Platforms, Sequences, testing::ValuesIn(ledger_guard::platforms()),
			 [](const auto &info) { return info.param.name; });

} // namespace
