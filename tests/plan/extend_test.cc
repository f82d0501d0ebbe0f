// SPDX-License-Identifier: BSD-3-Clause
// extend_test.cc - a layout to which events are added one by one is that of the whole list.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/machines.h"
#include "support/simulated.h"

namespace
{

class Layout : public unc_layout
{
      public:
	Layout() : unc_layout{}
	{
	}
	~Layout()
	{
		unc_layout_free(this);
	}
	Layout(const Layout &) = delete;
	Layout &operator=(const Layout &) = delete;

	std::string text() const
	{
		std::string all;

		for (size_t i = 0; i < n; i++)
			all += entry(at[i]) + "\n";
		return all;
	}
	std::string refusal() const
	{
		std::string all = reason;

		for (unsigned i = 0; i < n_conflict; i++)
			all += " " + std::to_string(conflict[i]);
		return all;
	}

      private:
	static std::string entry(const struct unc_box_event &e)
	{
		const struct unc_assignment &a = e.assignment;
		std::string one = "event " + std::to_string(e.event) + " box " +
				  std::to_string(e.box) + " counter " + std::to_string(a.counter) +
				  " control " + std::to_string(a.control) +
				  (a.companion ? " companion" : "") + (e.shared ? " shared" : "");

		for (unsigned i = 0; i < a.n_bits; i++)
			one += " filter " + std::to_string(a.bits[i].filter) + " " +
			       std::to_string(a.bits[i].mask) + " " +
			       std::to_string(a.bits[i].value);
		return one;
	}
};

// A list of events, and its layout so far.
class Growing
{
      public:
	explicit Growing(Simulated &sim) : sim(sim)
	{
	}

	// Both ways agree; an event that is refused leaves the list.
	void add(const struct unc_event *event, const std::string &name)
	{
		Layout whole;
		const size_t first = events.size();
		const std::string before = grown.text();

		events.push_back(event);
		names.push_back(name);
		free(grown.conflict);
		grown.conflict = nullptr;
		grown.n_conflict = 0;
		grown.reason[0] = '\0';
		const int code = unc_layout_extend(&grown, &sim.machine, nullptr, events.data(),
						   texts().data(), first, events.size());
		ASSERT_EQ(code, unc_layout_make(&whole, &sim.machine, nullptr, events.data(),
						texts().data(), events.size()));
		EXPECT_EQ(whole.refusal(), grown.refusal());
		EXPECT_EQ(code == 0 ? whole.text() : before, grown.text());
		if (code < 0) {
			events.pop_back();
			names.pop_back();
			refused++;
		}
	}
	size_t size() const
	{
		return events.size();
	}

	unsigned refused = 0;

      private:
	std::vector<const char *> texts() const
	{
		std::vector<const char *> all;

		for (const std::string &name : names)
			all.push_back(name.c_str());
		return all;
	}

	Simulated &sim;
	Layout grown;
	std::vector<const struct unc_event *> events;
	std::vector<std::string> names;
};

class Extended : public testing::TestWithParam<const char *>
{
};

// Listed events, half of them in one package only.
TEST_P(Extended, OneByOneIsTheWholeList)
{
	Simulated sim(support::machine_with(GetParam(), "time=virtual").c_str());
	std::mt19937 random(1);
	Growing list(sim);
	std::vector<struct unc_event> pinned(60);

	for (struct unc_event &event : pinned) {
		const struct unc_event *listed = nullptr;
		unsigned id = 0;

		while (!listed) // metrics, and events that need a value
			listed = sim.event(id = random() % sim.listed());
		event = *listed;
		if (random() % 2)
			event.where.packages = unc_numbers_one(random() % 2);
		list.add(&event, "event " + std::to_string(id));
	}
	EXPECT_GT(list.size(), 5u);
	EXPECT_GT(list.refused, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, Extended, testing::ValuesIn(support::machines_with_events()),
			 [](const auto &one) { return support::machine_label(one.param); });

} // namespace
