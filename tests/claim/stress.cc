// SPDX-License-Identifier: BSD-3-Clause
// stress.cc - a stress run that is started manually (docs/testing.md). build/tests/stress -h
// lists the options.
#include <cstdlib>

#include <unistd.h>

#include "support/stress/run.h"

namespace
{

using support::stress::Mode;
using support::stress::Plan;

int usage(FILE *out)
{
	const Plan p;

	fprintf(out,
		"stress [OPTIONS]: processes that count on one mounted machine, and are killed\n"
		"  -m MACHINE    simulated machine (%s)\n"
		"  -w WAY        random: all boxes; disjoint: each process has some of its own;\n"
		"                owner: UNCORE_SHARE=owner (random)\n"
		"  -p N          processes (%u)\n"
		"  -t N          threads of each (%u)\n"
		"  -n N          sessions of each thread (%u)\n"
		"  -k MS         mean time between two kills, 0: none (%u)\n"
		"  -s SECONDS    begin no session after that (%u)\n"
		"  -r SEED       of what is random (%u)\n"
		"  -T FILE       trace of all register accesses\n"
		"BUILD, in the environment, is the build directory.\n",
		p.machine.c_str(), p.processes, p.threads, p.sessions, p.kill_ms, p.seconds,
		p.seed);
	return out == stdout ? 0 : 2;
}

unsigned number(const char *text)
{
	return static_cast<unsigned>(strtoul(text, nullptr, 10));
}

bool take_mode(Plan &plan, const std::string &way)
{
	plan.mode = way == "owner"      ? Mode::kOwner
		    : way == "disjoint" ? Mode::kDisjoint
					: Mode::kRandom;
	return way == "owner" || way == "disjoint" || way == "random";
}

} // namespace

int main(int argc, char **argv)
{
	Plan plan;
	int c;

	while ((c = getopt(argc, argv, "hm:w:p:t:n:k:s:r:T:")) != -1) {
		switch (c) {
		case 'h':
			return usage(stdout);
		case 'm':
			plan.machine = optarg;
			break;
		case 'w':
			if (!take_mode(plan, optarg))
				return usage(stderr);
			break;
		case 'p':
			plan.processes = number(optarg);
			break;
		case 't':
			plan.threads = number(optarg);
			break;
		case 'n':
			plan.sessions = number(optarg);
			break;
		case 'k':
			plan.kill_ms = number(optarg);
			break;
		case 's':
			plan.seconds = number(optarg);
			break;
		case 'r':
			plan.seed = number(optarg);
			break;
		case 'T':
			plan.trace = optarg;
			break;
		default:
			return usage(stderr);
		}
	}
	const std::string why = support::cannot_mount();
	if (!why.empty()) {
		printf("skipped: %s\n", why.c_str());
		return 77;
	}
	support::stress::Run run(plan);
	const bool good = run.run();
	run.print(stdout);
	return good ? 0 : 1;
}
