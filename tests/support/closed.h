/* SPDX-License-Identifier: BSD-3-Clause */
// closed.h - a process that lacks standard descriptors while one of its threads prints all the
// time, and the accesses that a mounted machine's trace shows for it.
#ifndef SUPPORT_CLOSED_H
#define SUPPORT_CLOSED_H

#include <atomic>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace support
{

// Bit i: descriptor i is closed. The others are redirected to /dev/null, so that printing is
// harmless.
inline void close_standard(unsigned closed)
{
	for (int fd = 0; fd < 3; fd++) {
		const int null = open("/dev/null", O_RDWR | O_CLOEXEC);

		dup2(null, fd);
		if (null > 2)
			close(null);
	}
	for (int fd = 0; fd < 3; fd++)
		if (closed >> fd & 1)
			close(fd);
}

// Prints to all three descriptors in lengths that a register accepts, and checks what they
// refer to.
class Printer
{
      public:
	explicit Printer(std::string root)
	    : root(std::move(root)), thread([this] {
		      while (!over)
			      print();
	      })
	{
	}
	~Printer()
	{
		over = true;
		thread.join();
	}
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
	void print()
	{
		const char text[8] = {};
		char path[32], target[512];

		for (int fd = 0; fd < 3; fd++) {
			for (size_t length : {8, 4})
				if (write(fd, text, length) < 0)
					break;
			snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
			const ssize_t got = readlink(path, target, sizeof(target));
			const std::string file(target, got > 0 ? static_cast<size_t>(got) : 0);

			/* text files of the module msr have it in their path, too */
			const size_t at = file.rfind('/');
			const std::string last = at == std::string::npos ? "" : file.substr(at);

			if (file.find(root) == 0 &&
			    (last == "/msr" || last == "/config" || last == "/mem"))
				seen = true;
		}
		n++;
	}

	const std::string root;
	std::atomic<bool> over{false}, seen{false};
	std::atomic<unsigned> n{0};
	std::thread thread;
};

// The writes in a trace from line *lines on, without times, processes and CPUs. *lines becomes
// the number of lines in the trace.
inline std::vector<std::string> writes_since(const std::string &trace, size_t *lines)
{
	std::vector<std::string> writes;
	std::ifstream file(trace);
	std::string line, time, call, pid, operation, rest;
	size_t n = 0;

	while (std::getline(file, line)) {
		std::istringstream words(line);

		words >> time >> call >> pid >> operation;
		std::getline(words, rest);
		if (n++ < *lines || operation != "write")
			continue;
		const size_t cpu = rest.find("/cpu");

		if (cpu != std::string::npos)
			rest.erase(cpu, rest.find(' ', cpu) - cpu);
		writes.push_back(rest);
	}
	*lines = n;
	return writes;
}

} // namespace support

#endif
