// SPDX-License-Identifier: BSD-3-Clause
// recorded_machines.cc - the recordings of this directory as files that "file:FILE" opens
// (docs/recordings.md): lists them, or prints one.
#include <cstdio>
#include <cstdlib>

#include <nlohmann/json.hpp>

#include "support/data.h"
#include "support/recorded_machine.h"
#include "support/recorded_tree.h"

namespace
{

using nlohmann::json;

constexpr char kUsage[] =
	"Usage: recorded_machines [NAME]\n"
	"List the recordings of tests/machines, or print one for --machine file:FILE\n";

struct Kind {
	const char *name, *file;
	std::string (*convert)(const json &);
	std::string (*describe)(const json &);
};

std::string of_listing(const json &recorded)
{
	const support::Listing listing(recorded);
	support::FakeMachine m(*listing.platform.platform, 0);

	fill_listing(m, listing);
	return recording_of(m);
}

std::string of_dump(const json &recorded)
{
	support::FakeMachine m(support::platform_of(recorded), 0);

	fill_dump(m, recorded);
	return recording_of(m);
}

std::string about_listing(const json &r)
{
	return r["platform"].get<std::string>() + ", " + r["packages"].dump() +
	       (r["packages"] == 1 ? " package, " : " packages, ") +
	       r.value("cpu", std::string("CPU unknown")) + ": " + r["source"].get<std::string>();
}

std::string about_dump(const json &r)
{
	return r["cpus"].dump() + " CPUs: " + r["source"].get<std::string>();
}

std::string about_tree(const json &r)
{
	return r["name"];
}

const Kind kKinds[] = {
	{"pci", "pci.jsonl.gz", of_listing, about_listing},
	{"cpuid", "cpuid.jsonl.gz", of_dump, about_dump},
	{"tree", "trees.jsonl.gz", support::recording_of_tree, about_tree},
};

// "pci-17" is the 17th line of pci.jsonl.gz.
int run(const std::string &wanted)
{
	for (const Kind &kind : kKinds) {
		unsigned n = 0;

		if (wanted.compare(0, strlen(kind.name), kind.name) != 0 && !wanted.empty())
			continue;
		for (const json &recorded :
		     support::data_lines(std::string("machines/") + kind.file)) {
			const std::string name = std::string(kind.name) + "-" + std::to_string(++n);

			if (wanted.empty())
				printf("%-9s %s\n", name.c_str(), kind.describe(recorded).c_str());
			else if (wanted == name)
				return fputs(kind.convert(recorded).c_str(), stdout) < 0;
		}
	}
	if (!wanted.empty())
		fprintf(stderr, "recorded_machines: there is no %s\n%s", wanted.c_str(), kUsage);
	return !wanted.empty();
}

} // namespace

int main(int argc, char **argv)
{
	const std::string wanted = argc > 1 ? argv[1] : "";

	if (argc > 2 || wanted[0] == '-') {
		fputs(kUsage, stderr);
		return 2;
	}
	try {
		return run(wanted);
	} catch (const std::exception &e) {
		fprintf(stderr, "recorded_machines: %s\n", e.what());
		return 1;
	}
}
