// SPDX-License-Identifier: BSD-3-Clause
// nearest_test.cc - the name that a refusal proposes.
#include <algorithm>
#include <cctype>
#include <random>

#include "support/sim_machine.h"

namespace
{

using support::SimMachine;

// Wagner and Fischer's table, row by row.
unsigned distance(const std::string &a, const std::string &b)
{
	std::vector<std::vector<unsigned>> d(a.size() + 1, std::vector<unsigned>(b.size() + 1));

	for (unsigned i = 0; i <= a.size(); i++)
		for (unsigned j = 0; j <= b.size(); j++) {
			if (i == 0 || j == 0) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = std::min(
				{d[i - 1][j] + 1, d[i][j - 1] + 1,
				 d[i - 1][j - 1] + (toupper(a[i - 1]) != toupper(b[j - 1]))});
		}
	return d[a.size()][b.size()];
}

std::vector<std::string> events_of_the_uncore(const SimMachine &machine)
{
	std::vector<std::string> names;
	unsigned id;

	for (unsigned i = 0; uncore_listed_event(machine.u, i, &id) == 1; i++) {
		const std::string name = uncore_event_name(machine.u, id);

		if (name.find(':') == std::string::npos)
			names.push_back(name);
	}
	return names;
}

std::string proposal(const std::string &message)
{
	const std::string mark = "; did you mean ";
	const size_t at = message.find(mark), from = at + mark.size();

	return at == std::string::npos ? "" : message.substr(from, message.find('?', from) - from);
}

std::string misspelt(std::string name, unsigned errors, std::mt19937 &random)
{
	for (unsigned i = 0; i < errors; i++) {
		const size_t at = random() % name.size();
		const char letter = static_cast<char>((random() % 2 ? 'A' : 'a') + random() % 26);

		if (random() % 3 == 0)
			name.insert(at, 1, letter);
		else if (random() % 2)
			name[at] = letter;
		else if (name.size() > 1)
			name.erase(at, 1);
	}
	return name;
}

// Events that are not listed may be nearer.
TEST(Nearest, NoListedEventIsNearerThanTheOneProposed)
{
	SimMachine machine("packages=2,cores=8");
	const auto names = events_of_the_uncore(machine);
	std::mt19937 random(13);
	unsigned proposed = 0;

	ASSERT_LT(100u, names.size());
	for (unsigned n = 0; n < 150; n++) {
		const std::string wrong =
			misspelt(names[random() % names.size()], 1 + n % 12, random);
		unsigned least = UINT32_MAX;

		for (const std::string &name : names)
			least = std::min(least, distance(wrong, name));
		if (least == 0)
			continue;
		SCOPED_TRACE(wrong);
		ASSERT_EQ(UNCORE_ENOEVENT, machine.refusal(wrong));
		// For a box that no source describes, the reason is reported instead.
		if (machine.message().find("is an event of the IRP") != std::string::npos)
			continue;
		const std::string best = proposal(machine.message());
		if (best.empty()) {
			EXPECT_LT(1 + wrong.size() / 3, least);
		} else {
			EXPECT_GE(least, distance(wrong, best)) << best;
			EXPECT_GE(1 + wrong.size() / 3, distance(wrong, best)) << best;
		}
		proposed += !best.empty();
	}
	EXPECT_LT(75u, proposed);
}

// As long as a name can be: 100 letters.
TEST(Nearest, LongNamesAreCompared)
{
	SimMachine machine("packages=2,cores=8");
	const std::string event = "UNC_M_CAS_COUNT";

	for (size_t length : {31, 32, 33, 63, 64, 65, 99, 100}) {
		std::string name = event + std::string(length - event.size(), 'Z');

		EXPECT_EQ(UNCORE_ENOEVENT, machine.refusal(name));
		EXPECT_EQ("", proposal(machine.message())) << name;
	}
	EXPECT_EQ(UNCORE_ENOEVENT, machine.refusal(event + "ZZZZZZZ"));
	EXPECT_EQ(event, proposal(machine.message()));
}

} // namespace
