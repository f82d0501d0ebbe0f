// SPDX-License-Identifier: BSD-3-Clause
// selftest.h - `uncore selftest` on a simulated machine, with faults injected between library
// and registers.
#ifndef SUPPORT_SELFTEST_H
#define SUPPORT_SELFTEST_H

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "command/selftest/selftest.h"
#include "support/interposer.h"

struct sim;

namespace support
{

inline const char *const kStates[] = {"PASS", "WARN", "FAIL", "SKIP", "BUSY"};

class Selftest
{
      public:
	explicit Selftest(const std::string &name);
	// "FAIL cbo: overflow: reason", one line for each check.
	std::vector<std::string> run();
	std::vector<std::string> failures();
	unc_op op(const char *kind, unsigned index, unsigned package, enum uncore_register which,
		  unsigned n) const;

	std::vector<unc_op> ops(const char *kind, unsigned index, unsigned package,
				enum uncore_register which) const;

	double (*noise)(void *) = nullptr; // of the computer that runs the test
	Handle handle;
	struct sim *sim;
	Interposer hardware;

      private:
	static uncore_options options(const std::string &name);
	static void pass(void *sim, unsigned us);
	static bool prepare(void *, selftest_load *)
	{
		return true;
	}
	// Simulates a kernel's work: 20 ms in which the machine counts the load.
	static bool move(void *sim, selftest_load *load);
	static void end(void *, selftest_load *)
	{
	}
};

bool same(const unc_op &a, const unc_op &b);

// Each line belongs to one of these checks, and each check has a line.
void expect_only(const std::vector<std::string> &checks, const std::vector<std::string> &lines);

} // namespace support

#define EXPECT_ONE(begin, words, lines)                                         \
	do {                                                                    \
		const std::vector<std::string> found = lines;                   \
		ASSERT_EQ(1U, found.size()) << testing::PrintToString(found);   \
		EXPECT_EQ(0U, found[0].find(begin)) << found[0];                \
		EXPECT_NE(std::string::npos, found[0].find(words)) << found[0]; \
	} while (0)

#endif
