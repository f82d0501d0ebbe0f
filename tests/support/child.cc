// SPDX-License-Identifier: BSD-3-Clause
#include "support/child.h"

namespace support
{

pid_t fork_clean()
{
	fflush(nullptr);
	return fork();
}

int status_of(pid_t pid)
{
	int status = 0;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

} // namespace support
