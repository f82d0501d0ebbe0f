/* driver_trace.h - the kernel's trace of accesses to MSRs, with driver.cc's marks. */
#ifndef LAB_DRIVER_TRACE_H
#define LAB_DRIVER_TRACE_H

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace lab
{

using Address = std::pair<unsigned, uint32_t>; // package, MSR

struct Access {
	std::string phase;
	bool write;
	Address where;
	uint64_t value;
};

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
			note(line);
	}
	/* Of one side ("perf", "ours") in one case. */
	const Accesses &of(size_t number, const std::string &side)
	{
		return cases[{number, side}];
	}

      private:
	/* Each package of a guest has one CPU, of the same number. */
	void note(const std::string &line)
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
				 {static_cast<unsigned>(std::stoul(line.substr(cpu + 1))), reg},
				 value});
	}
	std::map<std::pair<size_t, std::string>, Accesses> cases;
	Accesses *now = nullptr;
	std::string phase;
};

} // namespace lab

#endif
