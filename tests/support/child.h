/* SPDX-License-Identifier: BSD-3-Clause */
// child.h - run something in a forked process.
#ifndef SUPPORT_CHILD_H
#define SUPPORT_CHILD_H

#include <cstdlib>

namespace support
{

// Flushes the streams first: both processes would write what is still buffered.
pid_t fork_clean();

int status_of(pid_t pid);

// The exit status of a child that runs f and leaves without cleaning up.
template <typename F> int in_child(F f)
{
	const pid_t pid = fork_clean();

	if (pid == 0)
		_exit(f());
	return status_of(pid);
}

// The same, but the child leaves through exit().
template <typename F> int in_child_that_exits(F f)
{
	const pid_t pid = fork_clean();

	if (pid == 0)
		exit(f());
	return status_of(pid);
}

} // namespace support

#endif
