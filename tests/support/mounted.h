/* SPDX-License-Identifier: BSD-3-Clause */
// mounted.h - mounts the command's simulated machine as files, with a server for each mount.
#ifndef SUPPORT_MOUNTED_H
#define SUPPORT_MOUNTED_H

#include <string>
#include <vector>

#include "support/handle.h"

namespace support
{

// Root can lack the right to mount, for example in a container. Asks the kernel directly.
bool can_mount(int fuse);

// Why mounting is not possible; "" if it is.
std::string cannot_mount();

class Mounted
{
      public:
	explicit Mounted(const std::string &machine, const std::string &trace = "",
			 const std::vector<std::string> &more = {});
	~Mounted();
	Mounted(const Mounted &) = delete;
	Mounted &operator=(const Mounted &) = delete;

	// The server's exit status.
	int end();
	std::string path(const std::string &name) const;
	// The names of the journals, without lock files.
	std::vector<std::string> journals() const;
	void advance(uint64_t ns) const;
	// The writes-th write to a register from now on kills its process. If negative, that
	// write is not performed.
	void kill_at(int64_t writes) const;
	std::string text(const std::string &name) const;
	uncore_options options() const;

	std::string root;
	bool mounted = false;

      private:
	// In the child: executes the server.
	void serve(const std::string &machine, const std::string &trace,
		   const std::vector<std::string> &more) const;
	void order(const std::string &name, const std::string &what) const;

	pid_t pid = -1;
};

} // namespace support

#define NEEDS_FUSE()                                             \
	do {                                                     \
		const std::string why = support::cannot_mount(); \
		if (!why.empty())                                \
			GTEST_SKIP() << why;                     \
	} while (0)

#endif
