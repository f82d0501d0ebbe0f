/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count.cc - count.c in C++: count memory traffic for one second, without PAPI.  Requires C++98.
 *
 *	c++ count.cc $(pkg-config --cflags --libs uncore) -o count
 */
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include <uncore_inspect.h>

namespace
{

/* A machine; errors are thrown with the message, which includes cause and remedy. */
class Machine
{
      public:
	Machine()
	{
		try {
			check(uncore_open(&u_, NULL));
		} catch (...) {
			uncore_close(u_);
			throw;
		}
	}
	~Machine()
	{
		uncore_close(u_);
	}
	void check(int code) const
	{
		char text[UNCORE_ERRMSG_MAX];

		if (code < 0)
			throw std::runtime_error(u_ ? uncore_errmsg(u_, text, sizeof(text))
						    : uncore_strerror(code));
	}
	std::string title() const
	{
		struct uncore_machine_info info;

		UNCORE_INIT(info);
		check(uncore_machine(u_, &info));
		return (info.simulated ? "SIMULATED " : "") + std::string(info.title);
	}
	unsigned event(const std::string &name) const
	{
		unsigned id;

		check(uncore_event(u_, name.c_str(), &id));
		return id;
	}
	/* Count events while work() runs. */
	std::vector<int64_t> count(const std::vector<unsigned> &events, void (*work)()) const
	{
		std::vector<int64_t> counts(events.size());
		struct uncore_set *set;

		check(uncore_set_create(u_, &set)); /* freed with the machine if something throws */
		check(uncore_set_assign(set, &events[0], events.size()));
		check(uncore_set_start(set));
		work();
		check(uncore_set_stop(set));
		check(uncore_set_read(set, &counts[0]));
		uncore_set_destroy(set);
		return counts;
	}

      private:
	Machine(const Machine &);
	Machine &operator=(const Machine &);

	struct uncore *u_;
};

void sleep_a_second()
{
	sleep(1);
}

} // namespace

int main()
{
	const char *const names[] = {"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:WR"};

	try {
		const Machine machine;
		std::vector<unsigned> events;

		for (int i = 0; i < 2; i++)
			events.push_back(machine.event(names[i]));
		const std::vector<int64_t> counts = machine.count(events, sleep_a_second);
		std::cout << machine.title() << '\n';
		for (size_t i = 0; i < counts.size(); i++)
			std::cout << names[i] << ' ' << counts[i] << " lines of 64 bytes\n";
	} catch (const std::exception &why) {
		std::cerr << why.what() << '\n';
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
