// SPDX-License-Identifier: BSD-3-Clause
// readers_test.cc - uncore_options.readers: MSRs of each package by a thread of its own.
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

extern "C" {
#include "count/pace.h"
}
#include "support/interposer.h"
#include "support/sim_machine.h"

namespace
{

using support::kSecond;

// Enough MSRs in a package to be worth a thread, and other registers in addition.
const std::vector<std::string> kEvents = {"UNC_C_CLOCKTICKS", "UNC_C_TOR_INSERTS:MISS_ALL",
					  "UNC_M_CAS_COUNT:RD"};

struct Machine : support::Handle {
	explicit Machine(const char *name, bool readers)
	    : Handle(options(name, readers)), model(unc_hw_sim(unc_hw_of(u)))
	{
	}
	static uncore_options options(const char *name, bool readers)
	{
		auto o = support::sim_options(name);

		o.readers = readers;
		return o;
	}
	void advance() const
	{
		sim_advance(model, kSecond);
	}

	sim *model; // an interposer may come in between
};

TEST(Readers, CountTheSame)
{
	for (const char *name : {"sim:snbep:time=virtual", "sim:icx:time=virtual",
				 "sim:snbep:packages=1,time=virtual"}) {
		const Machine with(name, true), without(name, false);
		const std::vector<std::string> events =
			std::string(name).find("icx") == std::string::npos
				? kEvents
				: std::vector<std::string>{"UNC_CHA_CLOCKTICKS",
							   "UNC_M_CAS_COUNT:RD"};
		support::Set a(with, events), b(without, events);

		ASSERT_EQ(0, a.start()) << with.message();
		ASSERT_EQ(0, b.start());
		for (int i = 0; i < 3; i++) {
			with.advance();
			without.advance();
			EXPECT_EQ(b.counts(), a.counts()) << name;
			EXPECT_LT(0, a.counts()[0]);
		}
		EXPECT_EQ(0, a.stop());
		EXPECT_EQ(0, b.stop());
		EXPECT_EQ(b.counts(), a.counts());
	}
}

TEST(Readers, AreOneForEachPackage)
{
	const Machine m("sim:snbep:time=virtual", true);
	support::Interposer hardware(m);
	std::mutex lock;
	std::map<unsigned, std::set<std::thread::id>> threads; // of the MSRs of each package
	support::Set set(m, kEvents);

	ASSERT_EQ(0, set.start());
	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		const std::lock_guard<std::mutex> guard(lock);

		if (op.space == UNCORE_MSR)
			threads[op.package].insert(std::this_thread::get_id());
		return hardware.read(op, value);
	};
	for (int i = 0; i < 20; i++)
		set.counts();
	hardware.on_read = nullptr;
	ASSERT_EQ(2u, threads.size());
	std::set<std::thread::id> all;
	for (const auto &package : threads)
		all.insert(package.second.begin(), package.second.end());
	EXPECT_LE(2u, all.size()) << "the caller, or a thread of its own, and one more";
	EXPECT_EQ(0, set.stop());
}

unsigned threads_here()
{
	const std::filesystem::directory_iterator tasks("/proc/self/task");

	return static_cast<unsigned>(std::distance(begin(tasks), end(tasks)));
}

// A thread that has ended and been waited for is still listed for a moment.
bool are_fewer_than(unsigned n)
{
	for (int i = 0; i < 5000 && threads_here() >= n; i++)
		usleep(1000);
	return threads_here() < n;
}

// Accesses by threads take longer than those of the caller, so threads are never worthwhile.
TEST(Readers, AreThereWhileTheyPay)
{
	const Machine m("sim:snbep:time=virtual", true);
	support::Interposer hardware(m);
	const std::thread::id caller = std::this_thread::get_id();
	const unsigned before = threads_here();
	unsigned most = 0;
	support::Set set(m, kEvents);

	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		if (std::this_thread::get_id() != caller)
			usleep(1000);
		return hardware.read(op, value);
	};
	ASSERT_EQ(0, set.start());
	for (int i = 0; i < 4; i++) {
		set.counts();
		most = std::max(most, threads_here());
	}
	EXPECT_LE(before + 2, most);
	for (int i = 0; i < 100; i++)
		set.counts();
	EXPECT_TRUE(are_fewer_than(before + 2));
	EXPECT_EQ(0, set.stop());
}

// Reader threads end when the handle's reads no longer need them.
TEST(Readers, EndWhenOthersReadWithoutThem)
{
	const Machine m("sim:snbep:time=virtual", true);
	const unsigned before = threads_here();
	support::Set many(m, kEvents), few(m, {"UNC_M_CAS_COUNT:RD"});

	ASSERT_EQ(0, many.start());
	many.counts();
	EXPECT_LE(before + 2, threads_here());
	ASSERT_EQ(0, few.start());
	for (int i = 0; i < 100; i++)
		few.counts();
	EXPECT_TRUE(are_fewer_than(before + 2));
	EXPECT_EQ(0, many.stop());
	EXPECT_EQ(0, few.stop());
}

// No thread keeps waiting, and the error is that of the register.
TEST(Readers, ReportTheFailure)
{
	const Machine m("sim:snbep:time=virtual", true);
	support::Interposer hardware(m);
	std::mutex lock;
	support::Set set(m, kEvents);

	ASSERT_EQ(0, set.start());
	m.advance();
	const auto before = set.counts();
	for (unsigned package = 0; package < 2; package++) {
		hardware.on_read = [&](const unc_op &op, uint64_t *value) {
			const std::lock_guard<std::mutex> guard(lock);

			return op.space == UNCORE_MSR && op.package == package
				       ? -EIO
				       : hardware.read(op, value);
		};
		EXPECT_EQ(before, set.counts(UNCORE_EIO));
		EXPECT_NE(std::string::npos, m.message().find("0x")) << m.message();
	}
	hardware.on_read = nullptr;
	EXPECT_EQ(before, set.counts());
	EXPECT_EQ(0, set.stop());
}

TEST(Readers, ServeSeveralThreads)
{
	const Machine m("sim:snbep:time=virtual", true);
	support::Set one(m, kEvents), two(m, kEvents);
	std::vector<std::thread> threads;

	ASSERT_EQ(0, one.start());
	ASSERT_EQ(0, two.start());
	m.advance();
	for (support::Set *set : {&one, &two})
		threads.emplace_back([set] {
			for (int i = 0; i < 200; i++)
				EXPECT_LT(0, set->counts()[0]);
		});
	for (auto &thread : threads)
		thread.join();
	EXPECT_EQ(0, one.stop());
	EXPECT_EQ(0, two.stop());
}

// ---- the quicker of two ways is learned, whatever happens to single times ----

// How often each way is taken of n times, if they take so long.
struct Taken {
	unsigned n[2] = {};
};

Taken take(unc_pace &pace, unsigned n, int64_t first, int64_t second)
{
	Taken taken;

	for (unsigned i = 0; i < n; i++) {
		const unsigned way = unc_pace_method(&pace);

		taken.n[way]++;
		unc_pace_note(&pace, way, way ? second : first);
	}
	return taken;
}

TEST(Pace, TriesBothAndTakesTheQuicker)
{
	unc_pace first = {}, second = {};

	EXPECT_EQ(UNC_PACE_LEARN / 2u, take(first, UNC_PACE_LEARN, 30, 60).n[0]);
	EXPECT_EQ(500u, take(first, 500, 30, 60).n[0]);
	take(second, UNC_PACE_LEARN, 60, 30);
	EXPECT_EQ(500u, take(second, 500, 60, 30).n[1]);
}

TEST(Pace, TheSecondWayIsFirst)
{
	const unc_pace pace = {};

	EXPECT_EQ(1u, unc_pace_method(&pace));
}

TEST(Pace, OneTimeThatTookLongChangesNothing)
{
	unc_pace pace = {};

	unc_pace_note(&pace, unc_pace_method(&pace), 1000000); // threads that are new
	take(pace, UNC_PACE_LEARN - 1, 60, 30);
	EXPECT_EQ(1u, unc_pace_method(&pace));
	unc_pace_note(&pace, 1, 1000000);
	EXPECT_EQ(100u, take(pace, 100, 60, 30).n[1]);
}

// The machine got busy: the other way is tried again, and is quicker now.
TEST(Pace, LearnsAnew)
{
	unc_pace pace = {};

	take(pace, 100, 60, 30);
	EXPECT_GT(take(pace, 2000, 60, 300).n[0], 1900u);
	EXPECT_GT(take(pace, 20000, 60, 30).n[1], 10000u);
}

} // namespace
