/* SPDX-License-Identifier: BSD-3-Clause */
// closed.h - a process that lacks standard descriptors while one of its threads prints all the
// time, and the accesses that a mounted machine's trace shows for it.
#ifndef SUPPORT_CLOSED_H
#define SUPPORT_CLOSED_H

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace support
{

// Bit i: descriptor i is closed. The others are redirected to /dev/null, so that printing is
// harmless.
void close_standard(unsigned closed);

// Prints to all three descriptors in lengths that a register accepts, and checks what they
// refer to.
class Printer
{
      public:
	explicit Printer(std::string root);
	~Printer();
	Printer(const Printer &) = delete;
	Printer &operator=(const Printer &) = delete;

	// Whether one of the descriptors ever referred to a register file.
	bool saw_register() const
	{
		return seen;
	}
	unsigned rounds() const
	{
		return n;
	}

      private:
	void print();

	const std::string root;
	std::atomic<bool> over{false}, seen{false};
	std::atomic<unsigned> n{0};
	std::thread thread;
};

// The writes in a trace from line *lines on, without times, processes and CPUs. *lines becomes
// the number of lines in the trace.
std::vector<std::string> writes_since(const std::string &trace, size_t *lines);

} // namespace support

#endif
