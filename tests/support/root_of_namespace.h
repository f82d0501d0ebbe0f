/* SPDX-License-Identifier: BSD-3-Clause */
// root_of_namespace.h - tests that become other users, give files away or mount: as root, or else
// as root of a user namespace.
#ifndef SUPPORT_ROOT_OF_NAMESPACE_H
#define SUPPORT_ROOT_OF_NAMESPACE_H

#include <string>

#include <unistd.h>

namespace support
{

// The users of a namespace: root only, or also those with the numbers 1 to 65534, which the
// caller must have in /etc/subuid and /etc/subgid. In both, root is the caller outside.
enum class Users { kRoot, kMany };

// Runs the current test again in a process that is root of a new user namespace and has its own
// mount namespace. Its failures are failures of the current test. Returns why it was not run,
// or why it was skipped; "" if it ended.
std::string rerun_as_root(Users users);

} // namespace support

// The rest of the test is only executed as root. Not in SetUp(), which cannot end the test.
#define NEEDS_ROOT(users)                                                      \
	do {                                                                   \
		if (geteuid() != 0) {                                          \
			const std::string why = support::rerun_as_root(users); \
			if (!why.empty())                                      \
				GTEST_SKIP() << why;                           \
			return;                                                \
		}                                                              \
	} while (0)
#define NEEDS_OTHER_USERS() NEEDS_ROOT(support::Users::kMany)
#define NEEDS_MOUNTS()      NEEDS_ROOT(support::Users::kRoot)

#endif
