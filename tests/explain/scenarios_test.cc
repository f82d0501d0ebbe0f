// SPDX-License-Identifier: BSD-3-Clause
// scenarios_test.cc - the traffic of a simulated machine is counted and explained: each cause that
// is planted in it, and nothing of a healthy one.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <unistd.h>

#include "set/inside.h"
#include "support/handle.h"
#include "support/seeds.h"
#include "support/sim_machine.h"

extern "C" {
#include "command/explain/collect.h"
#include "command/explain/diagnoses.h"
}

namespace
{

using support::Handle;
using support::sized;

constexpr unsigned kCores = 8;

// A traffic of little load, in parts of the memory's peak.
struct Scenario {
	explicit Scenario(unsigned seed) : random(seed)
	{
	}
	double between(double low, double high)
	{
		return std::uniform_real_distribution<double>(low, high)(random);
	}

	void load(struct sim_traffic *t, double used, double written)
	{
		const double lines = used * 6 * 16 * t->dclk_hz / 64;

		t->reads = lines * (1 - written);
		t->writes = lines * written;
	}

	// The reads wait for little of the time: reads * time in the TOR / active cores.
	void in_flight(struct sim_traffic *t, double each)
	{
		t->local_ns = each * t->core_c0 * kCores / t->reads * 1e9;
	}

	void make_healthy(struct sim_traffic *t)
	{
		load(t, between(0.1, 0.3), between(0.1, 0.4));
		t->remote_reads = between(0, 0.05); // more would update the other's directory
		t->remote_writes = 0;
		t->page_miss = between(0, 0.35);
		t->qclk_hz = 5.2e9; // UPI at 10.4 GT/s
		t->uclk_hz = 2.3e9;
		t->core_c0 = between(0.5, 0.9);
		t->core_c3 = 0;
		t->core_c6 = 1 - t->core_c0;
		t->remote_ns = 0;
		in_flight(t, between(0.02, 0.25));
		t->remote_ns = t->local_ns;
	}

	// A kind of request of cores or devices: its share, and how much of it misses.
	static void set_requests(struct sim_traffic *t, uint16_t opcode, double share, double miss)
	{
		for (sim_opcode &o : t->opcodes)
			if (o.opcode == opcode) {
				o.share = share;
				o.miss = miss;
			}
	}

	// Results of `uncore ceilings`: NAN unless set.
	void measure()
	{
		for (package_ceilings &m : measured)
			for (double &value : m.of)
				value = NAN;
	}

	std::mt19937 random;
	std::array<package_ceilings, 2> measured = {};
	bool has_measured = false;
	std::function<void()> after_start; // other programs end
};

using Traffic = std::array<struct sim_traffic *, 2>;

constexpr double kShort = 0.2; // seconds

std::set<std::string> explained(const Handle &h, Scenario &scenario, double seconds = kShort)
{
	std::set<std::string> names;
	collection counted;
	const ceilings own = {scenario.has_measured ? 2U : 0U, scenario.measured.data(), "today"};
	findings list;
	facts all, earlier = {};
	size_t before = 0;

	collection_new(&counted, h.u, 0.05, nullptr, nullptr);
	counted.look_interval = 1; // it does not look between rows
	EXPECT_EQ(0, collection_start(&counted)) << (counted.missing ? counted.missing : "");
	EXPECT_EQ(0, collection_sample(&counted, 0));
	if (scenario.after_start) {
		usleep(50000);
		EXPECT_EQ(0, collection_sample(&counted, 0.05));
		scenario.after_start();
		before = 1;
	}
	usleep(static_cast<useconds_t>(1e6 * seconds));
	EXPECT_EQ(0, collection_sample(&counted, 0.05 + seconds));
	collection_stop(&counted);
	const span whole = {before, before + 1};
	collection_facts(&counted, &whole, 1, &all);
	if (before) {
		const span first = {0, before};
		collection_facts(&counted, &first, 1, &earlier);
		for (unsigned p = 0; p < all.packages; p++) {
			all.at[p].before = memory_traffic(&earlier.at[p]);
			all.at[p].before_error = memory_error(&earlier.at[p]);
		}
	}
	diagnose(&list, &all, &own);
	for (size_t i = 0; i < list.n; i++)
		names.insert(std::string(list.at[i].diagnosis->id) + "/" +
			     std::to_string(list.at[i].package));
	findings_free(&list);
	facts_free(&all);
	facts_free(&earlier);
	collection_free(&counted);
	return names;
}

std::set<std::string> explain(unsigned seed,
			      const std::function<void(Scenario &, const Traffic &)> &plant,
			      const char *machine = "sim:skx:packages=2,cores=8",
			      double seconds = kShort)
{
	const Handle h(support::sim_options(machine));
	Scenario scenario(seed);
	Traffic traffic;

	EXPECT_EQ(0, h.code) << h.message();
	for (unsigned p = 0; p < 2; p++) {
		traffic[p] = sim_traffic(unc_hw_sim(unc_hw_of(h.u)), p);
		scenario.make_healthy(traffic[p]);
	}
	scenario.measure();
	plant(scenario, traffic);
	return explained(h, scenario, seconds);
}

// On a busy computer an event may have no window in a short run, which says so; a longer one has.
bool is_found(const char *name, unsigned seed,
	      const std::function<void(Scenario &, const Traffic &)> &plant,
	      const char *machine = "sim:skx:packages=2,cores=8")
{
	for (const double seconds : {kShort, 0.5, 1.0, 2.0, 4.0, 8.0})
		if (explain(seed, plant, machine, seconds).count(name))
			return true;
	return false;
}

TEST(Scenarios, AHealthyMachineHasNone)
{
	for (unsigned seed = 0; seed < (support::all_seeds() ? 500 : 20); seed++)
		EXPECT_EQ((std::set<std::string>{"none/0"}),
			  explain(seed, [](Scenario &, const Traffic &) {}))
			<< seed;
}

// Counts are cumulative: without every second reading, the run has the same rates.
TEST(Scenarios, ALongRunKeepsSomeOfItsReadings)
{
	const Handle h(support::sim_options("sim:skx:packages=1,cores=8"));
	collection counted;
	facts all;
	collection_new(&counted, h.u, 0.01, nullptr, nullptr);
	counted.most = 10;
	ASSERT_EQ(0, collection_start(&counted));
	for (int i = 0; i < 40; i++) {
		usleep(5000);
		EXPECT_EQ(0, collection_sample(&counted, i));
		EXPECT_LE(counted.rows, 10u);
	}
	collection_stop(&counted);
	EXPECT_LT(1u, counted.thinned);
	EXPECT_EQ(0, counted.host[0]);
	EXPECT_EQ(1, counted.host[1]);
	EXPECT_EQ(39, counted.host[counted.rows - 1]);
	for (size_t i = 1; i < counted.rows; i++)
		EXPECT_LT(counted.at[i - 1], counted.at[i]);
	const span whole = {0, counted.rows - 1};
	collection_facts(&counted, &whole, 1, &all);
	EXPECT_NEAR(11.8e9, all.at[0].rate[Q_READ], 0.3e9);
	facts_free(&all);
	collection_free(&counted);
}

TEST(Scenarios, APlantedCauseIsFound)
{
	const std::map<std::string, std::function<void(Scenario &, const Traffic &)>> causes = {
		{"memory-bandwidth/1",
		 [](Scenario &s, const Traffic &t) {
			 for (struct sim_traffic *one : t) {
				 s.load(one, s.between(0.7, 0.9), 0.3);
				 one->remote_reads = 0;
			 }
		 }},
		{"memory-bandwidth-one-package/1",
		 [](Scenario &s, const Traffic &t) {
			 s.load(t[0], 0.05, 0.3);
			 s.load(t[1], s.between(0.75, 0.9), 0.3);
			 t[1]->remote_reads = 0;
		 }},
		{"memory-latency/1",
		 [](Scenario &s, const Traffic &t) {
			 s.in_flight(t[1], s.between(1.8, 4)); // 43 % are demand reads
			 t[1]->remote_ns = t[1]->local_ns;
		 }},
		{"remote-memory/1",
		 [](Scenario &s, const Traffic &t) { t[1]->remote_reads = s.between(0.5, 0.9); }},
		{"links/1",
		 [](Scenario &s, const Traffic &t) {
			 s.load(t[0], 0.3, 0.1);
			 t[0]->remote_reads = 0.8; // leave package 1
			 t[1]->qclk_hz = t[0]->qclk_hz = 0.9e9;
		 }},
		{"page-conflicts/1",
		 [](Scenario &s, const Traffic &t) {
			 s.load(t[1], 0.3, 0.3);
			 t[1]->page_miss = s.between(0.6, 0.8);
		 }},
		{"contradiction/1",
		 [](Scenario &s, const Traffic &t) { s.load(t[1], s.between(1.15, 1.5), 0.3); }},
		{"empty-channel/1",
		 [](Scenario &, const Traffic &t) { t[1]->channel_skew[2] = -1; }},
		{"unequal-channels/1",
		 [](Scenario &s, const Traffic &t) { t[1]->channel_skew[3] = s.between(0.9, 2); }},
		{"hot-slice/1",
		 [](Scenario &s, const Traffic &t) { t[1]->slice_skew[4] = s.between(3, 9); }},
		{"write-allocate/1",
		 [](Scenario &s, const Traffic &t) {
			 s.load(t[1], 0.3, 0.4);
			 s.set_requests(t[1], 0x200, s.between(0.4, 0.5), 0.41); // RFO
			 s.set_requests(t[1], 0x202, 0.1, 0.37);
		 }},
		{"cache-capacity/1",
		 [](Scenario &s, const Traffic &t) {
			 s.load(t[1], 0.35, 0.2);
			 for (sim_opcode &o : t[1]->opcodes)
				 o.miss = o.kind == SIM_OP_READ ? s.between(0.9, 1) : o.miss;
		 }},
		{"directory/1",
		 [](Scenario &s, const Traffic &t) {
			 s.load(t[1], 0.2, 0.1);
			 s.load(t[0], 0.35, 0.1);
			 t[0]->remote_reads = s.between(0.7, 0.9); // of package 1's memory
		 }},
		{"devices/1",
		 [](Scenario &s, const Traffic &t) {
			 s.load(t[1], 0.15, 0.4);
			 s.set_requests(t[1], 0x248 | SIM_OP_DEVICE, s.between(1.5, 2), 0.59);
		 }},
		{"uncore-frequency/1",
		 [](Scenario &s, const Traffic &t) {
			 t[1]->most_uclk_hz = 2.4e9;
			 t[1]->uclk_hz = s.between(1.2e9, 1.6e9);
		 }},
		{"heat/1",
		 [](Scenario &s, const Traffic &t) { t[1]->thermal = s.between(0.07, 0.5); }},
		{"other-programs/1",
		 [](Scenario &s, const Traffic &t) {
			 s.load(t[1], 0.25, 0.3);
			 s.after_start = [] {};
		 }},
		{"slow-memory/1",
		 [](Scenario &s, const Traffic &t) {
			 s.has_measured = true;
			 s.measured[1].of[CEILING_LATENCY] = 80;
			 s.load(t[1], 0.3, 0.2);
			 t[1]->remote_reads = 0;
			 t[1]->local_ns = s.between(220, 300);
		 }},
		{"remote-bandwidth/1",
		 [](Scenario &s, const Traffic &t) {
			 s.has_measured = true;
			 s.load(t[1], 0.3, 0.2);
			 t[1]->remote_reads = 0.6;
			 s.measured[1].of[CEILING_REMOTE] =
				 64 * 0.6 * 0.4331 * t[1]->reads * s.between(1.02, 1.2); // DRD
		 }},
		{"cache-bandwidth/1",
		 [](Scenario &s, const Traffic &t) {
			 s.has_measured = true;
			 s.load(t[1], 0.2, 0.2);
			 s.measured[1].of[CEILING_CACHE] = 64 * t[1]->reads * s.between(1, 1.4);
		 }},
	};

	unsigned found = 0, all = 0;

	for (const auto &[name, plant] : causes) {
		unsigned here = 0;

		for (unsigned seed = 100; seed < 104; seed++, all++)
			here += is_found(name.c_str(), seed, plant);
		EXPECT_LT(1U, here) << name;
		found += here;
	}
	EXPECT_LE(0.95 * all, found);
}

TEST(Scenarios, APlantedCauseIsFoundOnTheProcessorThatHasIt)
{
	const auto misses = [](Scenario &s, const Traffic &t) {
		s.load(t[1], 0.3, 0.4);
		s.set_requests(t[1], 0x188 | SIM_OP_DEVICE, 0.3, s.between(0.85, 1));
		s.set_requests(t[1], 0x1a8 | SIM_OP_DEVICE, 0.01, 0.9);
	};
	const auto pmem = [](Scenario &s, const Traffic &t) {
		t[1]->pmem_share = s.between(0.2, 0.6);
	};
	const auto healthy = [](Scenario &, const Traffic &) {};

	const auto cluster = [](Scenario &s, const Traffic &t) {
		s.load(t[1], s.between(0.9, 1.1), 0.3);     // 6 of 8 channels' peak
		for (const unsigned channel : {0, 1, 4, 5}) // node 2
			t[1]->channel_skew[channel] = -0.98;
	};

	for (unsigned seed = 200; seed < 203; seed++) {
		EXPECT_TRUE(is_found("full-cluster/1", seed, cluster,
				     "sim:spr:packages=2,cores=8,clusters=2"));
		EXPECT_TRUE(
			is_found("persistent-memory/1", seed, pmem, "sim:icx:packages=2,cores=8"));
		EXPECT_TRUE(
			is_found("device-misses/1", seed, misses, "sim:spr:packages=2,cores=8"));
		EXPECT_TRUE(is_found("high-bandwidth-memory/1", seed, healthy,
				     "sim:spr:packages=2,cores=8,hbm=yes"));
	}
}

// ---- what was not counted, and what was counted as 0 ----

struct Verdict {
	std::string first, missing; // id and sentence of the first finding
	std::vector<double> traffic;
};

Verdict verdict_of(const Handle &h)
{
	Verdict v;
	collection counted;
	findings list;
	facts all;

	collection_new(&counted, h.u, 0.05, nullptr, nullptr);
	counted.look_interval = 1; // it does not look between rows
	EXPECT_EQ(0, collection_start(&counted)) << (counted.missing ? counted.missing : "");
	EXPECT_EQ(0, collection_sample(&counted, 0));
	usleep(300000);
	EXPECT_EQ(0, collection_sample(&counted, 0.3));
	EXPECT_EQ(0, collection_stop(&counted));
	const span whole = {0, 1};
	collection_facts(&counted, &whole, 1, &all);
	const ceilings none = {0, nullptr, ""};
	diagnose(&list, &all, &none);
	for (unsigned p = 0; p < all.packages; p++)
		v.traffic.push_back(memory_traffic(&all.at[p]));
	if (list.n)
		v.first = std::string(list.at[0].diagnosis->id) + ": " + list.at[0].sentence;
	v.missing = counted.missing ? counted.missing : "";
	findings_free(&list);
	facts_free(&all);
	collection_free(&counted);
	return v;
}

// Where the process waited for a processor, questions are unanswered: such a run is repeated.
Verdict verdict_that(const Handle &h, const std::string &expected)
{
	Verdict v = verdict_of(h);

	for (int i = 0; i < 20 && v.first != expected; i++)
		v = verdict_of(h);
	EXPECT_EQ(expected, v.first);
	return v;
}

TEST(Scenarios, AnIdleMachineIsCountedAndNotLimited)
{
	const Handle h(support::sim_options("sim:skx:packages=2,cores=8"));
	ASSERT_EQ(0, h.code) << h.message();
	for (unsigned p = 0; p < 2; p++) {
		struct sim_traffic *t = sim_traffic(unc_hw_sim(unc_hw_of(h.u)), p);
		t->reads = t->writes = t->core_c0 = 0;
		t->core_c6 = 1;
	}
	const Verdict v = verdict_that(h, "none: nothing in the uncore limits it");

	EXPECT_EQ((std::vector<double>{0, 0}), v.traffic);
	EXPECT_EQ("", v.missing);
}

// Of a stack with four ports, and alone: the others have little traffic.
TEST(Scenarios, TheDeviceThatMovesTheBytesIsNamed)
{
	for (const char *name : {"mlx5_10", "sd17", "mlx5_26"}) {
		auto options = sized<uncore_options>();
		size_t n, i = 0;

		options.machine = "sim:skx:packages=2,cores=8,devices=1";
		const Handle h(options);
		ASSERT_EQ(0, h.code) << h.message();
		struct sim *sim = unc_hw_sim(unc_hw_of(h.u));
		const sim_endpoint *e = sim_endpoints(sim, &n);
		while (i < n && strcmp(e[i].name, name) != 0)
			i++;
		ASSERT_LT(i, n) << name;
		Scenario scenario(1);
		for (unsigned p = 0; p < 2; p++)
			scenario.make_healthy(sim_traffic(sim, p));
		ASSERT_EQ(0, sim_device_load(sim, i, 100));
		const std::string device = "; most of it by " + std::string(name) + " (stack iio" +
					   std::to_string(e[i].box) + ", part " +
					   std::to_string(e[i].part) + ")";
		const auto is_named = [&device](const std::string &first) {
			return first.rfind("devices: PCIe devices of package 1 move", 0) == 0 &&
			       first.find(device) != std::string::npos;
		};
		Verdict v = verdict_of(h);
		for (int again = 0; again < 20 && !is_named(v.first); again++)
			v = verdict_of(h);

		EXPECT_TRUE(is_named(v.first)) << v.first << ", not " << device;
	}
}

TEST(Scenarios, TheVerdictSaysWhatCouldNotBeSeen)
{
	const Handle h(support::sim_options("sim:skx:packages=2,cores=8,hide=2058"));
	ASSERT_EQ(0, h.code) << h.message();
	Scenario scenario(1);
	for (unsigned p = 0; p < 2; p++)
		scenario.make_healthy(sim_traffic(unc_hw_sim(unc_hw_of(h.u)), p));
	const Verdict v = verdict_that(
		h, "none: nothing was found that limits it, but this could not be seen: links");

	EXPECT_EQ(0U, v.missing.find("UNCORE_LINK_SLOTS: no upi of package 0")) << v.missing;
	EXPECT_NE(std::string::npos, v.missing.find("UNCORE_LINK_SLOTS_USED: no upi of package 0"));
	EXPECT_EQ(2, std::count(v.missing.begin(), v.missing.end(), '\n')) << v.missing;
}

// A recording has only what was counted while it was made: here the memory of package 1.
TEST(Scenarios, ARecordingOfOnePackageIsExplained)
{
	auto options = sized<uncore_options>();
	char path[] = "/tmp/scenarios.XXXXXX";
	const int fd = mkstemp(path);
	unsigned ids[3];

	options.machine = "sim:skx:packages=2,cores=8,time=virtual";
	options.record = 1;
	const Handle h(options);
	ASSERT_EQ(0, h.code) << h.message();
	struct sim *sim = unc_hw_sim(unc_hw_of(h.u));
	int64_t counts[3] = {};
	ASSERT_EQ(0, uncore_event(h.u, "UNCORE_MEM_READ_BYTES:pkg=1", &ids[0]));
	ASSERT_EQ(0, uncore_event(h.u, "UNCORE_MEM_WRITE_BYTES:pkg=1", &ids[1]));
	ASSERT_EQ(0, uncore_event(h.u, "UNC_M_CLOCKTICKS:pkg=1", &ids[2]));
	struct uncore_set *set = nullptr;
	ASSERT_EQ(0, uncore_set_create(h.u, &set));
	ASSERT_EQ(0, uncore_set_assign(set, ids, 3)) << h.message();
	ASSERT_EQ(0, uncore_set_start(set)) << h.message();
	for (int i = 0; i < 4; i++) {
		ASSERT_EQ(0, uncore_record_sample(h.u)) << h.message();
		sim_advance(sim, 10000000000);
	}
	ASSERT_EQ(0, uncore_set_read(set, counts));
	const double bytes = (double)(counts[0] + counts[1]) / 40;
	ASSERT_EQ(0, uncore_set_stop(set));
	uncore_set_destroy(set);
	ASSERT_EQ(0, uncore_record(h.u, fd, 0)) << h.message();

	const std::string machine = std::string("file:") + path + ":speed=20";
	auto replayed = sized<uncore_options>();
	replayed.machine = machine.c_str();
	const Handle recorded(replayed);
	EXPECT_EQ(0, recorded.code) << recorded.message();
	const Verdict v = verdict_of(recorded);
	close(fd);
	unlink(path);

	ASSERT_EQ(2U, v.traffic.size());
	EXPECT_TRUE(std::isnan(v.traffic[0]));
	EXPECT_NEAR(bytes, v.traffic[1], 0.01 * bytes);
	EXPECT_EQ(0U, v.first.find(
			      "none: nothing was found that limits it, but this could not be seen: "
			      "memory traffic, "))
		<< v.first;
	EXPECT_NE(std::string::npos, v.missing.find("UNCORE_MEM_READ_BYTES: ")) << v.missing;
}

// The simulated MCDRAM moves half of what DRAM moves, reads and writes alike: a third of both.
TEST(Scenarios, TheShareOfHighBandwidthMemoryIncludesWrites)
{
	const Handle h(support::sim_options("sim:knl"));
	collection counted;
	findings list;
	facts all;
	ASSERT_EQ(0, h.code) << h.message();
	struct sim_traffic *t = sim_traffic(unc_hw_sim(unc_hw_of(h.u)), 0);
	t->writes = 2 * t->reads;
	collection_new(&counted, h.u, 0.05, nullptr, nullptr);
	counted.look_interval = 1; // it does not look between rows
	ASSERT_EQ(0, collection_start(&counted));
	EXPECT_EQ(0, collection_sample(&counted, 0));
	usleep(200000);
	EXPECT_EQ(0, collection_sample(&counted, 0.2));
	collection_stop(&counted);
	const span whole = {0, 1};
	collection_facts(&counted, &whole, 1, &all);
	EXPECT_STREQ("UNCORE_MCDRAM_BYTES", all.at[0].name[Q_HBM]);
	EXPECT_NEAR(1 / 3.0,
		    all.at[0].rate[Q_HBM] / (all.at[0].rate[Q_HBM] + memory_traffic(&all.at[0])),
		    0.05); // reads alone: 0.14
	const ceilings none = {0, nullptr, ""};
	diagnose(&list, &all, &none);
	bool found = false;
	for (size_t i = 0; i < list.n; i++)
		found |= std::string(list.at[i].diagnosis->id) == "high-bandwidth-memory";
	EXPECT_TRUE(found);
	findings_free(&list);
	facts_free(&all);
	collection_free(&counted);
}

} // namespace
