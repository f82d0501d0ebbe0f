/* SPDX-License-Identifier: BSD-3-Clause */
// handle.h - C++ wrappers for handles and event sets; unexpected errors are test failures.
#ifndef SUPPORT_HANDLE_H
#define SUPPORT_HANDLE_H

#include <cstdint>
#include <string>
#include <vector>

#include "support/sized.h"

namespace support
{

// An open machine. The wrap poller is disabled unless a test enables it.
class Handle
{
      public:
	explicit Handle(uncore_options options);
	~Handle();
	Handle(const Handle &) = delete;
	Handle &operator=(const Handle &) = delete;

	void close();
	std::string message() const;
	unsigned event(const std::string &name) const;
	std::vector<unsigned> events(const std::vector<std::string> &names) const;
	// The error code for a name that must be refused.
	int refusal(const std::string &name) const;
	std::string canonical(const std::string &name) const;
	uncore_machine_info machine() const;
	std::vector<uncore_box_info> boxes(const std::string &kind = "") const;
	// NULL if there is no warning with this number.
	const char *warning(unsigned i) const;
	std::vector<uncore_qualifier_info> qualifiers(unsigned event) const;
	unsigned present(const std::string &kind) const;

	struct uncore *u = nullptr;
	int code = 0;
};

// An event set.
class Set
{
      public:
	explicit Set(const Handle &handle, const std::vector<std::string> &names = {});
	~Set();
	Set(const Set &) = delete;
	Set &operator=(const Set &) = delete;

	int assign(const std::vector<std::string> &names);
	int start();
	int stop();
	int reset();
	std::vector<int64_t> counts(int expected = UNCORE_OK);
	struct uncore_set_info info() const;
	int64_t count(int expected = UNCORE_OK);

	const Handle &handle;
	struct uncore_set *set = nullptr;
};

} // namespace support

#endif
