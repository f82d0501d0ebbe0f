/* SPDX-License-Identifier: BSD-3-Clause */
// coverage.h - for tests of stated errors: load on the computer, and how often true values are
// outside of the errors.
#ifndef SUPPORT_COVERAGE_H
#define SUPPORT_COVERAGE_H

#include <array>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace support
{

// The number in a variable of the environment.
unsigned number_of(const char *variable, unsigned otherwise);

// Busy processes, and one that stops this process for a moment again and again.
class Load
{
      public:
	Load(unsigned busy, bool stutter);
	~Load();
	Load(const Load &) = delete;
	Load &operator=(const Load &) = delete;

      private:
	std::vector<pid_t> children;
};

// A run of a random length (log-uniform, s), on a random load.
struct Length {
	double seconds;
	unsigned busy;
	bool stutter;
};

struct Tally {
	unsigned values = 0, outside = 0, far = 0, withheld = 0;

	// far: beyond three times the error.  Without an error the value was withheld.
	void add(double apart, double error);
	void operator+=(const Tally &other);
};

// By what a value is, how long the run was, and the load: lines of a table of docs/accuracy.md.
class Outcomes
{
      public:
	void add(const std::string &what, const Length &run, double apart, double error);
	void print() const;
	Tally all, calm; // calm: from 0.5 s on, with up to 2 busy processes

      private:
	std::array<std::map<std::string, Tally>, 3> by;
};

const char *decade_of(double seconds);
const char *load_of(const Length &run);

} // namespace support

#endif
