/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * driver_trace.h - traces of register accesses with driver.cc's marks: the kernel's of MSRs,
 * or simpci's of MSRs and config space.
 */
#ifndef LAB_DRIVER_TRACE_H
#define LAB_DRIVER_TRACE_H

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace lab
{

using Address = std::pair<std::string, uint32_t>; // "package0" or "bus:device.function"

struct Access {
	std::string phase;
	bool write;
	Address where;
	uint64_t value;
};

/* A mark in simpci's trace: number of the case, bit 12 for our side, and the phase. */
constexpr uint32_t kMark = 0xfff;
constexpr unsigned kRead = 0x100; // + number of the event

inline unsigned phase_number(const std::string &name)
{
	const char *const names[] = {"open", "enable", "read", "disable", "close"};

	for (unsigned i = 0; i < 5; i++)
		if (name == names[i])
			return i;
	return kRead + static_cast<unsigned>(std::stoul(name.substr(strlen("read"))));
}

inline std::string phase_name(unsigned number)
{
	const char *const names[] = {"open", "enable", "read", "disable", "close"};

	return number < 5 ? names[number] : "read" + std::to_string(number - kRead);
}

using Accesses = std::vector<Access>;

inline std::vector<nlohmann::json> read_lines(const std::string &path)
{
	std::vector<nlohmann::json> all;
	std::ifstream file(path);

	if (!file)
		throw std::runtime_error("no file " + path);
	for (std::string line; std::getline(file, line);)
		all.push_back(nlohmann::json::parse(line));
	return all;
}

class Trace
{
      public:
	explicit Trace(const std::string &path)
	{
		std::ifstream file(path);

		for (std::string line; std::getline(file, line);)
			if (line.find("[") != std::string::npos)
				note_of_kernel(line);
			else
				note_of_simpci(line);
	}
	/* Of one side ("perf", "ours") in one case. */
	const Accesses &of(size_t number, const std::string &side)
	{
		return cases[{number, side}];
	}

      private:
	/* Each package of a guest has one CPU, of the same number. */
	void note_of_kernel(const std::string &line)
	{
		const size_t cpu = line.find('['), text = line.find(": ");
		unsigned reg;
		unsigned long long value;
		char side[16], phase_text[16];
		size_t number;

		if (cpu == std::string::npos || text == std::string::npos)
			return;
		const char *rest = line.c_str() + text + 2;
		if (sscanf(rest, "tracing_mark_write: lab %zu %15s %15s", &number, side,
			   phase_text) == 3) {
			now = &cases[{number, side}];
			phase = phase_text;
			return;
		}
		const bool write = line.compare(text + 2, 6, "write_") == 0;
		if (now != nullptr && sscanf(rest, "%*[a-z_]: %x, value %llx", &reg, &value) == 2 &&
		    reg < 0x10000)
			now->push_back(
				{phase,
				 write,
				 {"package" + std::to_string(std::stoul(line.substr(cpu + 1))),
				  reg},
				 value});
	}
	/* TIME r|w[!] WHERE REGISTER VALUE; the mark is a write to a missing MSR. */
	void note_of_simpci(const std::string &line)
	{
		char how[8], where[16];
		unsigned reg;
		unsigned long long value;

		if (sscanf(line.c_str(), "%*u %7s %15s %x %llx", how, where, &reg, &value) != 4)
			return;
		if (reg == kMark && strcmp(how, "w!") == 0) {
			now = &cases[{value >> 16, value >> 12 & 1 ? "ours" : "perf"}];
			phase = phase_name(value & 0xfff);
		} else if (now != nullptr) {
			now->push_back({phase, how[0] == 'w', {where, reg}, value});
		}
	}
	std::map<std::pair<size_t, std::string>, Accesses> cases;
	Accesses *now = nullptr;
	std::string phase;
};

} // namespace lab

#endif
