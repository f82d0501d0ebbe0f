// SPDX-License-Identifier: BSD-3-Clause
// coverage.cc - see coverage.h.
#include "support/coverage.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <iostream>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace support
{

unsigned number_of(const char *variable, unsigned otherwise)
{
	const char *value = getenv(variable);

	return value ? (unsigned)strtoul(value, nullptr, 10) : otherwise;
}

// ---- load ----

static pid_t start(const std::function<void()> &body)
{
	const pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		body();
	}
	return child;
}

static void spin()
{
	for (;;)
		;
}

static void stop_again_and_again(pid_t process)
{
	for (useconds_t i = 0;; i = (i + 7) % 50) {
		usleep(100000 + 3000 * i);
		kill(process, SIGSTOP);
		usleep(5000 + 1000 * i);
		kill(process, SIGCONT);
	}
}

Load::Load(unsigned busy, bool stutter)
{
	for (unsigned i = 0; i < busy; i++)
		children.push_back(start(spin));
	if (stutter)
		children.push_back(start([parent = getpid()] { stop_again_and_again(parent); }));
}

Load::~Load()
{
	for (pid_t child : children) {
		kill(child, SIGKILL);
		waitpid(child, nullptr, 0);
	}
	kill(getpid(), SIGCONT);
}

// ---- tables ----

void Tally::add(double apart, double error)
{
	if (std::isinf(error) || std::isnan(error)) {
		withheld++;
		return;
	}
	values++;
	outside += apart > error;
	far += apart > 3 * error;
}

void Tally::operator+=(const Tally &other)
{
	values += other.values;
	outside += other.outside;
	far += other.far;
	withheld += other.withheld;
}

const char *decade_of(double seconds)
{
	static const std::array<const char *, 4> names = {"1 to 10 ms", "10 to 100 ms",
							  "0.1 to 1 s", "1 to 10 s"};
	const double decade = std::floor(std::log10(seconds) + 3);

	return names[(size_t)std::clamp(decade, 0.0, 3.0)];
}

const char *load_of(const Length &run)
{
	return run.stutter     ? "stopped again and again"
	       : run.busy <= 2 ? "0 to 2 busy processes"
			       : "3 to 8 busy processes";
}

void Outcomes::add(const std::string &what, const Length &run, double apart, double error)
{
	by[0][what].add(apart, error);
	by[1][decade_of(run.seconds)].add(apart, error);
	by[2][load_of(run)].add(apart, error);
	all.add(apart, error);
	if (run.seconds >= 0.5 && run.busy <= 2 && !run.stutter)
		calm.add(apart, error);
}

void Outcomes::print() const
{
	for (const auto &part : by)
		for (const auto &[what, t] : part)
			if (t.values)
				std::cout << "| " << what << " | " << t.values << " | "
					  << 100.0 * t.outside / t.values << " % | "
					  << 100.0 * t.far / t.values << " % | " << t.withheld
					  << " |" << std::endl;
}

} // namespace support
