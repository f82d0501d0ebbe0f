// SPDX-License-Identifier: BSD-3-Clause
// kernel_test.cc - `uncore selftest` with the kernel driver, replaced by a fake one: it
// counts by the first counter of a box of the simulated machine, and writes the values requested
// get wrong.  The real driver is in the lab (tests/lab/cases/selftest.sh).
#include <climits>
#include <map>

#include <gtest/gtest.h>

#include "backend/kernel/perf.h"
#include "command/selftest/selftest.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/handle.h"
#include "support/plan.h"

namespace
{

using support::Handle;

class Driver;
Driver *driver = nullptr; // whose functions are called instead of the kernel's

class Driver
{
      public:
	explicit Driver(const std::string &machine)
	    : name("sim:" + machine + ":packages=1,cores=2,time=virtual"), handle(options(name)),
	      sim(unc_hw_sim(unc_hw_of(handle.u)))
	{
		driver = this;
	}
	~Driver()
	{
		driver = nullptr;
	}
	// "FAIL cbo: ...: what was seen", of the checks against the kernel.
	std::vector<std::string> checks()
	{
		static const char *const states[] = {"PASS", "WARN", "FAIL", "SKIP"};
		const selftest_time time = {pass, sim, nullptr, nullptr, nullptr};
		std::vector<std::string> lines;
		selftest_report report;

		selftest_run(&report, handle.u, &time, nullptr);
		for (size_t i = 0; i < report.n; i++)
			if (strstr(report.at[i].what, "kernel"))
				lines.push_back(std::string(states[report.at[i].state]) + " " +
						report.at[i].what + ": " + report.at[i].seen);
		selftest_free(&report);
		EXPECT_TRUE(open.empty()) << "a descriptor stays open";
		return lines;
	}
	std::vector<std::string> other_than(const std::string &state)
	{
		std::vector<std::string> lines;

		for (const std::string &line : checks())
			if (line.compare(0, 4, state) != 0)
				lines.push_back(line);
		return lines;
	}

	// ---- what the kernel would do ----

	int event(unsigned id, struct uncore_perf_info *info) const
	{
		struct uncore_plan *plan;
		auto a = support::sized<struct uncore_assignment_info>();

		EXPECT_EQ(0, uncore_plan(handle.u, &id, 1, nullptr, &plan));
		EXPECT_EQ(1, uncore_plan_assignment(plan, 0, &a));
		uncore_plan_free(plan);
		if (a.box >= boxes)
			return UNCORE_ENODEV;
		info->box = box_of(a);
		info->type = id;
		info->config = a.control;
		return 1;
	}
	int begin(unsigned id)
	{
		Counting c = {box(id), {}, 0, 0};
		const int fd = 1000 + static_cast<int>(open.size());

		if (open_error)
			return open_error;
		write_filters(id, c.box);
		EXPECT_TRUE(support::register_op(handle.u, c.box, UNCORE_CONTROL, counter(c.box),
						 &c.control));
		write(c.control, demanded(id, c.box) ^ wrong_control);
		c.began = value(c.box);
		c.then = sim_now(sim);
		open[fd] = c;
		return fd;
	}
	int read(int fd, struct unc_perf_count *count) const
	{
		const Counting &c = open.at(fd);

		count->count =
			static_cast<uint64_t>(static_cast<double>(value(c.box) - c.began) * factor);
		count->enabled = sim_now(sim) - c.then;
		count->running = count->enabled / (shared ? 2 : 1);
		return 0;
	}
	void end(int fd)
	{
		write(open.at(fd).control, 0);
		open.erase(fd);
	}

	// Faults.
	int open_error = 0;
	unsigned boxes = UINT_MAX; // of a kind that it knows
	bool takes_ours = false;
	uint64_t wrong_control = 0, wrong_filter = 0;
	double factor = 1;
	bool shared = false;

      private:
	struct Counting {
		unsigned box;
		unc_op control;
		uint64_t began, then;
	};
	static uncore_options options(const std::string &machine)
	{
		auto o = support::sized<uncore_options>();

		o.machine = machine.c_str();
		return o;
	}
	static void pass(void *sim, unsigned us)
	{
		sim_advance(static_cast<struct sim *>(sim), uint64_t{us} * 1000);
	}
	unsigned box_of(const struct uncore_assignment_info &a) const
	{
		for (unsigned i = 0; i < handle.machine().boxes; i++)
			if (std::string(a.kind) == handle.boxes()[i].kind &&
			    a.box == handle.boxes()[i].index)
				return i;
		ADD_FAILURE() << "no box " << a.kind << a.box;
		return 0;
	}
	unsigned counter(unsigned box) const
	{
		return takes_ours ? handle.boxes()[box].counters - 1 : 0;
	}
	unsigned box(unsigned id) const
	{
		auto info = support::sized<struct uncore_perf_info>();

		event(id, &info);
		return info.box;
	}
	void write(unc_op op, uint64_t value) const
	{
		op.kind = UNCORE_WRITE;
		op.value = value;
		EXPECT_EQ(0, unc_hw_of(handle.u)->ops->write(unc_hw_of(handle.u), &op, value));
	}
	uint64_t value(unsigned box) const
	{
		uint64_t value = 0;

		EXPECT_EQ(1, uncore_register_value(handle.u, box, UNCORE_COUNTER, counter(box),
						   &value));
		return value;
	}
	// The value of a register while the event is counted; 0: any value.
	uint64_t planned(unsigned id, enum uncore_phase phase, const unc_op &op) const
	{
		auto info = support::sized<struct uncore_op_info>();
		struct uncore_plan *plan;
		uint64_t value = 0;

		EXPECT_EQ(0, uncore_plan(handle.u, &id, 1, nullptr, &plan));
		for (unsigned i = 0; uncore_plan_op(plan, phase, i, &info) == 1; i++)
			if (info.address == op.address &&
			    (info.kind == UNCORE_WRITE || (info.kind == UNCORE_READ && info.mask)))
				value = info.value;
		uncore_plan_free(plan);
		return value;
	}
	uint64_t demanded(unsigned id, unsigned box) const
	{
		uint64_t value = 0;
		unc_op op;

		for (unsigned i = 0; support::register_op(handle.u, box, UNCORE_CONTROL, i, &op);
		     i++)
			if (planned(id, UNCORE_PHASE_STOP, op))
				value = planned(id, UNCORE_PHASE_STOP, op);
		return value;
	}
	void write_filters(unsigned id, unsigned box) const
	{
		unc_op op;

		for (unsigned i = 0; support::register_op(handle.u, box, UNCORE_FILTER, i, &op);
		     i++)
			if (planned(id, UNCORE_PHASE_STOP, op))
				write(op, planned(id, UNCORE_PHASE_SETUP, op) ^ wrong_filter);
	}

	const std::string name;
	Handle handle;
	struct sim *sim;
	std::map<int, Counting> open;
};

#define EXPECT_ONE(begin, words, lines)                                         \
	do {                                                                    \
		const std::vector<std::string> found = lines;                   \
		ASSERT_EQ(1U, found.size()) << testing::PrintToString(found);   \
		EXPECT_EQ(0U, found[0].find(begin)) << found[0];                \
		EXPECT_NE(std::string::npos, found[0].find(words)) << found[0]; \
	} while (0)

// A failure of this check of this kind.
bool has(const std::vector<std::string> &lines, const std::string &begin, const std::string &words)
{
	for (const std::string &line : lines)
		if (line.find(begin) == 0 && line.find(words) != line.npos)
			return true;
	return false;
}

TEST(SelftestKernel, ADriverThatDoesAsWeDoPasses)
{
	for (const char *machine : {"snbep", "hswep", "skx"}) {
		Driver kernel(machine);
		const std::vector<std::string> lines = kernel.checks();

		EXPECT_LE(8U, lines.size());
		for (const std::string &line : lines)
			EXPECT_EQ(0U, line.find("PASS ")) << line;
	}
	Driver kernel("snbep");
	// the clock, TOR inserts by opcode, lookups by state
	EXPECT_TRUE(has(kernel.checks(),
			"PASS cbo: counts of the kernel driver: ", "(3 events, 2 boxes)"));
}

TEST(SelftestKernel, AControlThatDiffersIsNamed)
{
	Driver kernel("snbep");

	kernel.wrong_control = 0x2;
	const std::vector<std::string> lines = kernel.checks();
	EXPECT_TRUE(has(lines, "FAIL cbo: registers of the kernel driver: ",
			"no control of cbo0 of package 0 to 0x400000: they hold 0x400002, "))
		<< testing::PrintToString(lines);
	EXPECT_FALSE(has(lines, "PASS", "registers"));
}

TEST(SelftestKernel, AFilterThatDiffersIsNamed)
{
	Driver kernel("snbep");

	kernel.wrong_filter = 0x1000000;
	// 0x182 in bits 31:23 is OPC_DRD
	EXPECT_ONE(
		"FAIL cbo: registers of the kernel driver: ",
		"filter 0 of cbo0 of package 0 to 0xc0000000 in bits 0xff800000, this library writes "
		"0xc1000000",
		kernel.other_than("PASS"));
}

TEST(SelftestKernel, CountsThatDifferAreAWarningOrAFailure)
{
	for (const auto &[factor, state] :
	     std::map<double, std::string>{{1.002, "WARN "}, {0.98, "FAIL "}}) {
		Driver kernel("snbep");

		kernel.factor = factor;
		const std::vector<std::string> lines = kernel.checks();
		EXPECT_TRUE(has(lines, state + "cbo: counts of the kernel driver: ",
				"of package 0: kernel "))
			<< testing::PrintToString(lines);
		EXPECT_TRUE(has(lines, "PASS cbo: registers of the kernel driver: ", "identical"));
		EXPECT_FALSE(has(lines, "PASS cbo: counts", ""));
	}
}

TEST(SelftestKernel, UndecidableChecksAreSkipped)
{
	Driver same("snbep"); // our counters are the highest
	same.takes_ours = true;
	EXPECT_TRUE(has(same.checks(), "SKIP pcu: counts", "would use the same counter"));
	Driver turns("snbep");
	turns.shared = true;
	EXPECT_TRUE(has(turns.checks(), "SKIP pcu: counts", "multiplexed the counter"));
}

// It has as many C-Boxes as cores, of which there may be fewer than slices.
TEST(SelftestKernel, BoxesThatTheDriverDoesNotKnowAreLeftOut)
{
	Driver kernel("snbep");

	kernel.boxes = 1;
	EXPECT_TRUE(has(kernel.checks(), "PASS cbo: counts", "(3 events, 1 box)"));
	EXPECT_TRUE(has(kernel.checks(), "PASS imc: registers", "(2 events, 1 box)"));
}

TEST(SelftestKernel, MissingRightsForPerfAreReportedOnce)
{
	Driver kernel("snbep");

	kernel.open_error = -EACCES;
	EXPECT_ONE("SKIP kernel driver: ", "perf_event_paranoid", kernel.checks());
}

} // namespace

// The linker puts these before those of the library, and calls of theirs go to __real_...
extern "C" {
int __real_uncore_perf_event(struct uncore *u, unsigned id, unsigned i,
			     struct uncore_perf_info *info);
int __real_unc_perf_open(uint32_t type, const uint64_t *config, unsigned cpu);
int __real_unc_perf_read(int fd, struct unc_perf_count *count);
void __real_unc_perf_close(int fd);

int __wrap_uncore_perf_event(struct uncore *u, unsigned id, unsigned i,
			     struct uncore_perf_info *info)
{
	return driver ? driver->event(id, info) : __real_uncore_perf_event(u, id, i, info);
}

int __wrap_unc_perf_open(uint32_t type, const uint64_t *config, unsigned cpu)
{
	return driver ? driver->begin(type) : __real_unc_perf_open(type, config, cpu);
}

int __wrap_unc_perf_read(int fd, struct unc_perf_count *count)
{
	return driver ? driver->read(fd, count) : __real_unc_perf_read(fd, count);
}

void __wrap_unc_perf_close(int fd)
{
	if (driver)
		driver->end(fd);
	else
		__real_unc_perf_close(fd);
}
}
