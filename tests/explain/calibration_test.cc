// SPDX-License-Identifier: BSD-3-Clause
// calibration_test.cc - the confidence of sentences about counted machines.  A quantity is planted
// in the traffic of a simulated machine, anywhere between 0 % and 100 % of its row in the table of
// docs/explain.md, and a run of random length, traffic and stalls is counted and judged.  A
// sentence is right if the planted quantity is beyond the middle.
#include <array>
#include <cmath>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explain/stepped_machine.h"
#include "support/seeds.h"

extern "C" {
#include "command/explain/diagnoses.h"
}

namespace
{

using explain_test::kFew;
using explain_test::kMany;
using explain_test::Machine;

// ---- causes ----

using Quantity = double (*)(const std::map<quantity, double> &rates);

double of_stores(const std::map<quantity, double> &rates)
{
	return 64 * rates.at(Q_STORE_MISSES) / rates.at(Q_READ);
}

double of_devices(const std::map<quantity, double> &rates)
{
	return (rates.at(Q_DEVICE_READ) + rates.at(Q_DEVICE_WRITE)) /
	       (rates.at(Q_READ) + rates.at(Q_WRITE));
}

// A row of the table, and the requests whose share of the traffic decides about it.
struct Cause {
	const char *machine, *id;
	double low, high; // 0 % and 100 %
	uint16_t opcode;
	std::vector<quantity> counted;
	Quantity of;
};

const std::vector<quantity> kStores = {Q_STORE_MISSES, Q_READ};
const std::vector<quantity> kDevices = {Q_DEVICE_READ, Q_DEVICE_WRITE, Q_READ, Q_WRITE};

const std::vector<Cause> kCauses = {
	{"hswep", "write-allocate", 0.25, 0.45, 0x180, kStores, of_stores},
	{"skx", "write-allocate", 0.25, 0.45, 0x200, kStores, of_stores},
	{"skx", "devices", 0.25, 0.55, 0x248 | SIM_OP_DEVICE, kDevices, of_devices},
	{"icx", "write-allocate", 0.25, 0.45, 0x100, kStores, of_stores},
	{"spr", "write-allocate", 0.25, 0.45, 0x100, kStores, of_stores},
	{"gnr", "write-allocate", 0.25, 0.45, 0x100, kStores, of_stores},
};

// A machine in which the quantity can be planted.
class Planted
{
      public:
	explicit Planted(const Cause &cause_) : cause(cause_), machine(cause_.machine)
	{
		struct sim_traffic *t = sim_traffic(machine.sim, 0);

		t->reads = 1e9; // a quiet time has more than is worth a word
		t->writes = 0.8e9;
		set_share(0);
		none = quantity_now();
		set_share(0.5);
		half = quantity_now();
		EXPECT_LT(none, cause.low) << cause.machine << " " << cause.id;
		EXPECT_LT(none, half) << cause.machine << " " << cause.id;
	}
	void plant(double is)
	{
		set_share(0.5 * (is - none) / (half - none));
	}

	const Cause &cause;
	Machine machine;

      private:
	void set_share(double share)
	{
		for (sim_opcode &o : sim_traffic(machine.sim, 0)->opcodes)
			if (o.opcode == cause.opcode)
				o.share = share;
	}
	// By events that are counted alone.
	double quantity_now()
	{
		std::map<quantity, double> rates;

		sim_traffic(machine.sim, 0)->pattern = {};
		for (quantity q : cause.counted)
			rates[q] = machine.rate_alone(machine.counted.names[q]);
		return cause.of(rates);
	}

	double none = 0, half = 0; // at these shares of the requests; it is linear
};

// ---- runs ----

class Runs
{
      public:
	explicit Runs(unsigned seed) : random(seed)
	{
		for (const Cause &cause : kCauses)
			machines.push_back(std::make_unique<Planted>(cause));
	}
	// The confidence of the planted cause, 0: not said; right: it is true.
	double run(unsigned i, bool *right)
	{
		Planted &p = *machines[i % machines.size()];
		const double is = between(p.cause.low, p.cause.high);

		p.plant(is);
		*right = is > (p.cause.low + p.cause.high) / 2;
		return confidence_of(p);
	}

      private:
	double between(double low, double high)
	{
		return std::uniform_real_distribution<double>(low, high)(random);
	}
	double log_between(double low, double high)
	{
		return std::exp(between(std::log(low), std::log(high)));
	}
	// A third steady, a third periodic, a third bursts.
	sim_pattern any_pattern()
	{
		const auto ns = (uint64_t)(1e9 * log_between(1e-3, 3));
		const unsigned kind = random() % 3;

		return kind == 0   ? sim_pattern{}
		       : kind == 1 ? sim_pattern{ns, 0.5, 0.3, false}
				   : sim_pattern{ns, 0.1, 0.05, true};
	}
	double confidence_of(Planted &p)
	{
		Machine &m = p.machine;
		const ceilings none = {0, nullptr, ""};
		double confidence = 0;
		findings list;
		facts all;

		sim_traffic(m.sim, 0)->pattern = any_pattern();
		m.stalls = std::array<unsigned, 3>{0, kFew, kMany}[random() % 3];
		m.random.seed((unsigned)random());
		m.advance((uint64_t)(1e9 * between(0, 3)));
		EXPECT_EQ(0, collection_start(&m.counted));
		EXPECT_EQ(0, collection_sample(&m.counted, 0));
		m.count(log_between(0.01, 1));
		EXPECT_EQ(0, collection_stop(&m.counted));
		const span whole = {0, m.counted.rows - 1};
		collection_facts(&m.counted, &whole, 1, &all);
		diagnose(&list, &all, &none);
		for (size_t i = 0; i < list.n; i++)
			if (std::string(list.at[i].diagnosis->id) == p.cause.id)
				confidence = list.at[i].confidence;
		findings_free(&list);
		facts_free(&all);
		return confidence;
	}

	std::mt19937 random;
	std::vector<std::unique_ptr<Planted>> machines;
};

struct Bin {
	unsigned said = 0, right = 0;
	double claimed = 0;
};

// UNCORE_EXPLAIN_SEED chooses other runs.
TEST(Calibration, SentencesAboutCountedMachinesAreRightAsOftenAsTheyClaim)
{
	const char *seed = getenv("UNCORE_EXPLAIN_SEED");
	const unsigned runs = support::all_seeds() ? 4000 : 200;
	Runs all(seed ? (unsigned)strtoul(seed, nullptr, 10) : 51);
	std::array<Bin, 3> bins;

	for (unsigned i = 0; i < runs; i++) {
		bool right = false;
		const double confidence = all.run(i, &right);
		Bin &bin = bins[confidence < 0.7 ? 0 : confidence < 0.9 ? 1 : 2];

		if (confidence < 0.5)
			continue;
		bin.said++;
		bin.claimed += confidence;
		bin.right += right;
	}
	for (const Bin &bin : bins) {
		const double part = bin.right / (double)bin.said, mean = bin.claimed / bin.said;

		std::cout << bin.said << " sentences, confidence " << mean << ", right " << part
			  << "\n";
		if (support::all_seeds())
			EXPECT_LE(100U, bin.said);
		EXPECT_NEAR(mean, part, 0.05 + 2 * std::sqrt(part * (1 - part) / bin.said));
	}
}

} // namespace
