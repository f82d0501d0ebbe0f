/* SPDX-License-Identifier: BSD-3-Clause */
// file_limit.h - calls that may open fewer files than the process has.
#ifndef SUPPORT_FILE_LIMIT_H
#define SUPPORT_FILE_LIMIT_H

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace support
{

// The result of a call under a soft limit of open files; 0: it can open none.
template <typename Call> auto with_file_limit(rlim_t limit, const Call &call)
{
	rlimit before = {};

	EXPECT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
	const rlimit less = {limit, before.rlim_max};
	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &less));
	const auto result = call();
	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
	return result;
}

} // namespace support

#endif
