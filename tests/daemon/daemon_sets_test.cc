// SPDX-License-Identifier: BSD-3-Clause
// daemon_sets_test.cc - multiplexed sets, and sets that stop automatically, behave the same in
// uncored as in the process.
#include <atomic>

#include "command/selftest/selftest.h"
#include "daemon/served.h"
#include "support/interposer.h"
#include "support/multiplexed.h"
#include "support/stop_after.h"

namespace
{

using support::kMillisecond;
using support::kSecond;

// Three events that need counter 0 of the C-Boxes and are multiplexed, and two without
// conflicts.
const std::vector<std::string> kEvents = {
	"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_TOR_OCCUPANCY:MISS_ALL", "UNC_C_RXR_OCCUPANCY:IRQ",
	"UNC_C_CLOCKTICKS",        "UNC_M_CAS_COUNT:RD",
};

// The first set of the first client with a set.
uncore_set *set_of(const Served &uncored)
{
	for (const auto &client : uncored.server->clients)
		for (const auto &set : client.sets)
			if (client.fd >= 0 && set.number)
				return set.set;
	return nullptr;
}

std::vector<uncore_times> times_of(const support::Set &set, int expected = 0)
{
	auto all = support::sized<uncore_times>(set.info().events);

	EXPECT_EQ(expected, uncore_set_times(set.set, all.data()));
	return all;
}

void expect_equal(const std::vector<uncore_times> &a, const std::vector<uncore_times> &b)
{
	for (size_t e = 0; e < a.size(); e++) {
		EXPECT_EQ(a[e].count, b[e].count) << e;
		EXPECT_EQ(a[e].enabled_ns, b[e].enabled_ns) << e;
		EXPECT_EQ(a[e].running_ns, b[e].running_ns) << e;
	}
}

// ---- multiplexing ----

TEST(DaemonRounds, EqualThoseOfASetOfThisProcess)
{
	Served uncored;
	support::SimMachine here;
	support::Handle client(uncored.options());
	support::Multiplexed near(here, kEvents);
	support::Set far(client);

	ASSERT_EQ(0, uncore_set_multiplex(far.set, UNCORE_MULTIPLEX_US));
	ASSERT_EQ(0, far.assign(kEvents)) << client.message();
	EXPECT_EQ(3u, far.info().rounds);
	for (int run = 0; run < 2; run++) {
		ASSERT_EQ(0, near.start());
		ASSERT_EQ(0, far.start()) << client.message();
		EXPECT_EQ(3u, far.info().rounds);
		for (int i = 0; i < 10; i++) {
			sim_advance(uncored.model(), 7 * kMillisecond);
			unc_multiplex_next(set_of(uncored));
			near.windows(1, 7 * kMillisecond);
			EXPECT_EQ(near.counts(), far.counts());
			expect_equal(near.times(), times_of(far));
			if (i == 4) {
				EXPECT_EQ(near.reset(), far.reset());
			}
		}
		ASSERT_EQ(0, near.stop());
		ASSERT_EQ(0, far.stop()) << client.message();
		EXPECT_EQ(near.counts(), far.counts());
		expect_equal(near.times(), times_of(far));
		EXPECT_LT(0, far.counts()[0]);
	}
}

TEST(DaemonRounds, KeepTheEventsOfAMetricTogether)
{
	Served uncored("sim:snbep:packages=1,cores=8,time=virtual");
	support::Handle client(uncored.options());
	const std::vector<std::string> names = {
		"UNCORE_PCIE_READ_BYTES", "UNCORE_PCIE_WRITE_BYTES", "UNCORE_INGRESS_LATENCY_NS",
		"UNCORE_TOR_DRD_LATENCY_CLOCKS", "UNCORE_FREQUENCY"};
	support::Set set(client);

	ASSERT_EQ(0, uncore_set_multiplex(set.set, 1000));
	ASSERT_EQ(0, set.assign(names)) << client.message();
	ASSERT_EQ(0, set.start()) << client.message();
	for (unsigned i = 0; i < 60; i++) {
		sim_advance(uncored.model(), kSecond / 60);
		ASSERT_TRUE(unc_multiplex_next(set_of(uncored)));
	}
	ASSERT_EQ(0, set.stop()) << client.message();
	const auto counts = set.counts();
	const auto times = times_of(set);
	for (size_t i = 0; i < names.size(); i++) {
		support::Set alone(client, {names[i]});

		ASSERT_EQ(0, alone.start()) << client.message();
		sim_advance(uncored.model(), kSecond);
		ASSERT_EQ(0, alone.stop());
		const double truth =
			i < 2 ? static_cast<double>(alone.count()) : uncore_real(alone.count());
		EXPECT_NEAR(1,
			    (i < 2 ? static_cast<double>(counts[i]) : uncore_real(counts[i])) /
				    truth,
			    0.01)
			<< names[i];
	}
	EXPECT_LT(0, times[0].running_ns);
	EXPECT_LT(times[0].running_ns, times[0].enabled_ns);
}

// Another client's events conflict here, which the plan could not take into account.
TEST(DaemonRounds, AreSupported)
{
	Served uncored;
	support::Handle one(uncored.options()), two(uncored.options());
	support::Set first(one, {"UNC_C_RXR_OCCUPANCY:IRQ:box=0:pkg=0"});
	support::Set second(two);

	ASSERT_EQ(0, first.start());
	ASSERT_EQ(0, uncore_set_multiplex(second.set, UNCORE_MULTIPLEX_US));
	ASSERT_EQ(0, second.assign({"UNC_C_TOR_INSERTS:EVICTION:box=0:pkg=0",
				    "UNC_C_TOR_INSERTS:WB:box=0:pkg=0"}))
		<< two.message();
	EXPECT_EQ(1u, second.info().rounds);
	ASSERT_EQ(0, second.start()) << two.message();
	EXPECT_EQ(2u, second.info().rounds);
	EXPECT_EQ(0, second.stop());
	EXPECT_EQ(0, first.stop());
}

TEST(DaemonRounds, OfADaemonThatEndsAreReported)
{
	Served uncored;
	support::Handle client(uncored.options());
	support::Set set(client);

	ASSERT_EQ(0, uncore_set_multiplex(set.set, UNCORE_MULTIPLEX_US));
	ASSERT_EQ(0, set.assign(kEvents));
	ASSERT_EQ(0, set.start());
	sim_advance(uncored.model(), kSecond);
	const auto before = set.counts();
	uncored.end();
	EXPECT_EQ(before, set.counts(UNCORE_EIO));
	times_of(set, UNCORE_EIO);
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_EQ(before, set.counts());
}

// ---- stop after ----

TEST(DaemonStopAfter, StopsAsASetOfThisProcess)
{
	Served uncored("sim:snbep:packages=2,time=virtual");
	const support::stop_after::Machine here("snbep");
	const support::Handle client(uncored.options());
	const std::vector<std::string> names = {"UNC_C_CLOCKTICKS:box=3:pkg=1",
						"UNC_C_TOR_INSERTS:MISS_ALL:pkg=1"};
	support::stop_after::StopAfterSet near(here, names), far(client, names);

	for (auto *set : {&near, &far})
		ASSERT_EQ(0, set->stop_after(1000000)) << client.message();
	for (int run = 0; run < 2; run++) {
		ASSERT_EQ(0, near.start());
		ASSERT_EQ(0, far.start()) << client.message();
		EXPECT_EQ(near.info().counter, far.info().counter);
		EXPECT_EQ(near.info().preload, far.info().preload);
		for (int again = 0; again < 2; again++) {
			EXPECT_EQ(0, far.wait());
			here.pass(kSecond);
			sim_advance(uncored.model(), kSecond);
			EXPECT_EQ(1, near.wait());
			EXPECT_EQ(1, far.wait(1000));
			EXPECT_EQ(near.counts(), far.counts());
			ASSERT_EQ(1u, far.sources().size());
			EXPECT_EQ(0, far.sources()[0].event);
			EXPECT_STREQ("cbo", far.sources()[0].kind);
			EXPECT_EQ(near.sources()[0].counter, far.sources()[0].counter);
			EXPECT_EQ(near.sources()[0].reported_by, far.sources()[0].reported_by);
			EXPECT_EQ(near.info().polled == nullptr, far.info().polled == nullptr);
			ASSERT_EQ(0, near.again());
			ASSERT_EQ(0, far.again()) << client.message();
		}
		ASSERT_EQ(0, near.stop());
		ASSERT_EQ(0, far.stop()) << client.message();
		EXPECT_EQ(near.counts(), far.counts());
	}
	EXPECT_EQ(UNCORE_ESTATE, far.wait());
	EXPECT_EQ(UNCORE_ESTATE, far.again());
}

TEST(DaemonStopAfter, NamesWhatStoppedItIfNobodyWaited)
{
	Served uncored("sim:snbep:packages=2,time=virtual");
	const support::stop_after::Machine here("snbep");
	const support::Handle client(uncored.options());
	const std::vector<std::string> names = {"UNC_C_CLOCKTICKS:box=3:pkg=1"};
	support::stop_after::StopAfterSet near(here, names), far(client, names);

	for (auto *set : {&near, &far}) {
		ASSERT_EQ(0, set->stop_after(1000000)) << client.message();
		ASSERT_EQ(0, set->start()) << client.message();
	}
	here.pass(kSecond);
	sim_advance(uncored.model(), kSecond);
	ASSERT_EQ(0, near.stop());
	ASSERT_EQ(0, far.stop()) << client.message();
	ASSERT_EQ(1u, near.sources().size());
	ASSERT_EQ(1u, far.sources().size());
	EXPECT_EQ(near.sources()[0].package, far.sources()[0].package);
	EXPECT_EQ(near.sources()[0].box, far.sources()[0].box);
	EXPECT_EQ(near.sources()[0].counter, far.sources()[0].counter);
}

TEST(DaemonStopAfter, ByPollingSaysWhy)
{
	Served uncored;
	const support::Handle client(uncored.options());
	support::stop_after::StopAfterSet set(client, {"UNC_H_CLOCKTICKS:box=0:pkg=0"});

	ASSERT_EQ(0, set.stop_after(1000000)) << client.message();
	ASSERT_EQ(0, set.start()) << client.message();
	ASSERT_NE(nullptr, set.info().polled);
	EXPECT_NE(std::string::npos,
		  std::string(set.info().polled)
			  .find("stopping all counters on overflow is not supported"));
	sim_advance(uncored.model(), kSecond);
	EXPECT_EQ(1, set.wait()) << client.message();
	EXPECT_EQ(0, set.stop());
}

TEST(DaemonStopAfter, HasThePackageForItself)
{
	Served uncored;
	const support::Handle one(uncored.options()), two(uncored.options());
	support::stop_after::StopAfterSet set(one, {"UNC_C_CLOCKTICKS:box=3:pkg=1"});
	support::Set other(two, {"UNC_M_CAS_COUNT:RD"});

	ASSERT_EQ(0, set.stop_after(1000000));
	ASSERT_EQ(0, other.start());
	EXPECT_EQ(UNCORE_ECONFLICT, set.start());
	EXPECT_NE(std::string::npos, one.message().find("stops all boxes")) << one.message();
	EXPECT_EQ(0, other.stop());
	EXPECT_EQ(0, set.start()) << one.message();
	EXPECT_EQ(UNCORE_ECONFLICT, other.start());
	EXPECT_EQ(0, set.stop());
}

// ---- wraps ----

TEST(DaemonWraps, ThatMayBeMissingAreReported)
{
	Served uncored("sim:snbep:packages=1,time=virtual");
	support::Handle client(uncored.options());
	support::Set set(client, {"UNC_M_CAS_COUNT:RD", "UNC_C_CLOCKTICKS"});
	auto missed = support::sized<uncore_missed_wrap>();
	constexpr uint64_t kDay = 86400 * kSecond;

	ASSERT_EQ(0, set.start()) << client.message();
	sim_advance(uncored.model(), kSecond);
	set.counts();
	EXPECT_EQ(0, uncore_set_missed_wrap(set.set, &missed));
	sim_advance(uncored.model(), 3 * kDay);
	set.counts();
	EXPECT_EQ(1, uncore_set_missed_wrap(set.set, &missed));
	EXPECT_EQ(1u, missed.event);
	EXPECT_NEAR(3 * 86400e3, static_cast<double>(missed.unseen_ms), 1e4);
	missed = support::sized<uncore_missed_wrap>();
	ASSERT_EQ(0, set.stop());
	EXPECT_EQ(1, uncore_set_missed_wrap(set.set, &missed));
	EXPECT_EQ(1u, missed.event);
	ASSERT_EQ(0, set.start());
	EXPECT_EQ(0, set.stop());
	EXPECT_EQ(0, uncore_set_missed_wrap(set.set, &missed));
}

// Waits until the daemon has read a register twice more: one read may have been in progress.
bool await_looks(const std::atomic<unsigned> &looks)
{
	const unsigned before = looks;

	for (int i = 0; i < 10000 && looks - before < 2; i++)
		usleep(500);
	return looks - before >= 2;
}

// A 44-bit counter of clocks wraps within two hours, and one of events that occur several times
// per clock could wrap within three minutes. No client reads it.
TEST(DaemonWraps, AreSeenWithoutAThread)
{
	constexpr uint64_t kStep = 120 * kSecond;
	constexpr int kSteps = 64;
	std::atomic<unsigned> looks{0};
	Served uncored("sim:snbep:packages=1,time=virtual");
	sim *model = uncored.model();

	uncored.end();
	support::Interposer hardware(uncored.server->u);
	hardware.on_read = [&](const unc_op &op, uint64_t *value) {
		looks += op.space == UNCORE_MSR;
		return hardware.read(op, value);
	};
	uncored.server->wrap_interval = 1000000;
	uncored.begin();
	{
		const support::Handle client(uncored.options());
		support::Set set(client, {"UNC_C_CLOCKTICKS:box=0"});
		auto missed = support::sized<uncore_missed_wrap>();
		int64_t first = 0;

		ASSERT_EQ(0, set.start()) << client.message();
		for (int i = 0; i < kSteps; i++) {
			sim_advance(model, kStep);
			ASSERT_TRUE(await_looks(looks)) << "the daemon does not check for wraps";
			first = first ? first : set.count();
		}
		EXPECT_LT(int64_t{1} << 44, kSteps * first);
		EXPECT_NEAR(1.0 * kSteps * static_cast<double>(first),
			    static_cast<double>(set.count()), 1e-3 * static_cast<double>(first));
		EXPECT_EQ(0, uncore_set_missed_wrap(set.set, &missed));
		EXPECT_EQ(0, set.stop());
	}
	uncored.end();
}

// ---- pages ----

// Waits until the page shows this count, by the daemon's clock.
int64_t peek_until(const support::Set &set, int64_t count)
{
	int64_t value = -1, age = -1;

	for (int i = 0; i < 5000 && value != count; i++) {
		usleep(1000);
		if (uncore_set_peek(set.set, &value, &age) == 0) {
			EXPECT_LE(0, age);
		}
	}
	return value;
}

// Waits until the page shows a count, which is not one that this process has read.
int64_t peek_beyond_zero(const support::Set &set)
{
	int64_t value = 0;

	for (int i = 0; i < 5000 && value <= 0; i++) {
		usleep(1000);
		EXPECT_EQ(0, uncore_set_peek(set.set, &value, nullptr));
	}
	return value;
}

TEST(DaemonPage, ShowsWhatTheDaemonHasRead)
{
	Served uncored;
	const support::Handle client(uncored.options());
	support::Set set(client, {"UNC_M_CAS_COUNT:RD"});
	int64_t value = 0;

	ASSERT_EQ(0, uncore_set_refresh(set.set, UNCORE_REFRESH_MIN_US));
	EXPECT_EQ(UNCORE_ESTATE, uncore_set_peek(set.set, &value, nullptr));
	for (int run = 0; run < 2; run++) {
		ASSERT_EQ(0, set.start()) << client.message();
		sim_advance(uncored.model(), kSecond);
		const int64_t first = set.count();
		EXPECT_LT(0, first);
		EXPECT_EQ(first, peek_until(set, first));
		EXPECT_EQ(0, set.reset());
		EXPECT_EQ(0, peek_until(set, 0));
		sim_advance(uncored.model(), kSecond);
		const int64_t shown = peek_beyond_zero(set);
		EXPECT_LT(0, shown);
		EXPECT_EQ(set.count(), shown);
		EXPECT_EQ(UNCORE_ESTATE, uncore_set_refresh(set.set, 0));
		ASSERT_EQ(0, set.stop());
		EXPECT_EQ(UNCORE_ESTATE, uncore_set_peek(set.set, &value, nullptr));
	}
}

TEST(DaemonPage, HasMetricsAndMultiplexedEvents)
{
	Served uncored;
	const support::Handle client(uncored.options());
	support::Set metric(client, {"UNCORE_MEM_READ_BYTES"}), turns(client);
	std::vector<int64_t> values(kEvents.size());

	ASSERT_EQ(0, uncore_set_multiplex(turns.set, UNCORE_MULTIPLEX_US));
	ASSERT_EQ(0, turns.assign(kEvents));
	for (support::Set *set : {&metric, &turns}) {
		ASSERT_EQ(0, uncore_set_refresh(set->set, UNCORE_REFRESH_MIN_US));
		ASSERT_EQ(0, set->start()) << client.message();
	}
	sim_advance(uncored.model(), kSecond);
	EXPECT_EQ(metric.count(), peek_until(metric, metric.count()));
	for (int i = 0; i < 5000 && values != turns.counts(); i++) {
		usleep(1000);
		uncore_set_peek(turns.set, values.data(), nullptr);
	}
	EXPECT_EQ(turns.counts(), values);
}

TEST(DaemonPage, OfADaemonThatHasEndedGrowsOld)
{
	Served uncored;
	const support::Handle client(uncored.options());
	support::Set set(client, {"UNC_M_CAS_COUNT:RD"});
	int64_t value = 0, first, age, later;

	ASSERT_EQ(0, uncore_set_refresh(set.set, UNCORE_REFRESH_MIN_US));
	ASSERT_EQ(0, set.start());
	sim_advance(uncored.model(), kSecond);
	first = peek_until(set, set.count());
	uncored.end();
	ASSERT_EQ(0, uncore_set_peek(set.set, &value, &age));
	usleep(1000);
	ASSERT_EQ(0, uncore_set_peek(set.set, &value, &later));
	EXPECT_EQ(first, value);
	EXPECT_LE(age + 1000000, later);
	EXPECT_EQ(UNCORE_EIO, set.stop());
}

TEST(DaemonPage, IsRefusedWithTheReason)
{
	Served uncored;
	const support::Handle client(uncored.options());
	const support::SimMachine here;
	support::Set far(client), near(here, {"UNC_M_CAS_COUNT:RD"});
	int64_t value = -1, age = -1;

	EXPECT_EQ(UNCORE_EINVAL, uncore_set_refresh(far.set, 9999));
	EXPECT_NE(std::string::npos, client.message().find("the minimum is 10000 us"));
	EXPECT_EQ(UNCORE_ENOSUPP, uncore_set_refresh(near.set, 10000));
	ASSERT_EQ(0, near.start());
	EXPECT_EQ(0, uncore_set_peek(near.set, &value, &age));
	EXPECT_EQ(0, value);
	near.count();
	EXPECT_EQ(0, uncore_set_peek(near.set, &value, &age)) << "the last read of this process";
	EXPECT_EQ(0, near.stop());
}

// ---- the self-test ----

TEST(DaemonSelftest, FindsNothingWrong)
{
	for (const char *platform : {"snbep", "skx", "spr"}) {
		Served uncored(std::string("sim:") + platform + ":time=virtual");
		support::Handle client(uncored.options());
		const selftest_time time = {[](void *arg, unsigned us) {
						    sim_advance(static_cast<sim *>(arg),
								us * UINT64_C(1000));
					    },
					    uncored.model(), nullptr, nullptr, nullptr};
		selftest_report report;
		unsigned passed = 0;

		selftest_run(&report, client.u, &time, nullptr);
		for (size_t i = 0; i < report.n; i++) {
			EXPECT_NE(SELFTEST_FAIL, report.at[i].state)
				<< report.at[i].what << ": " << report.at[i].seen;
			passed += report.at[i].state == SELFTEST_PASS;
		}
		EXPECT_LT(15u, passed);
		selftest_free(&report);
	}
}

// A daemon does not show registers to its clients.
TEST(DaemonRegisters, AreNotShown)
{
	Served uncored;
	const support::Handle client(uncored.options());
	auto cpu = support::sized<uncore_cpu_info>();
	uint64_t value = 0;

	EXPECT_EQ(UNCORE_ENOSUPP, uncore_register_value(client.u, 0, UNCORE_CONTROL, 0, &value));
	EXPECT_NE(std::string::npos, client.message().find("UNCORE_ACCESS=direct"));
	ASSERT_EQ(1, uncore_cpu(client.u, 0, &cpu));
	EXPECT_LT(0u, cpu.counters);
	EXPECT_FALSE(cpu.has_global);
}

} // namespace
