// SPDX-License-Identifier: BSD-3-Clause
#include "support/selftest.h"

#include <cstring>

#include "sim/sim.h"
#include "support/controls.h"
#include "support/machines.h"

namespace support
{

Selftest::Selftest(const std::string &name)
    : handle(options(name)), sim(unc_hw_sim(unc_hw_of(handle.u))), hardware(handle)
{
}

std::vector<std::string> Selftest::run()
{
	const selftest_traffic traffic = {prepare, move, end, sim};
	const selftest_time time = {pass, sim, &traffic, noise, nullptr};
	std::vector<std::string> lines;
	selftest_report report;

	selftest_run(&report, handle.u, &time, nullptr);
	EXPECT_LT(0U, report.n);
	for (size_t i = 0; i < report.n; i++)
		lines.push_back(std::string(kStates[report.at[i].state]) + " " + report.at[i].what +
				": " + report.at[i].seen);
	selftest_free(&report);
	return lines;
}

std::vector<std::string> Selftest::failures()
{
	std::vector<std::string> some;

	for (const std::string &line : run())
		if (line.compare(0, 4, "FAIL") == 0 || line.compare(0, 4, "WARN") == 0)
			some.push_back(line);
	return some;
}

unc_op Selftest::op(const char *kind, unsigned index, unsigned package, enum uncore_register which,
		    unsigned n) const
{
	unc_op op = {};

	for (unsigned b = 0; b < handle.machine().boxes; b++) {
		const uncore_box_info box = handle.boxes()[b];

		if (strcmp(box.kind, kind) == 0 && box.index == index && box.package == package) {
			EXPECT_TRUE(support::register_op(handle.u, b, which, n, &op));
			return op;
		}
	}
	ADD_FAILURE() << "no " << kind << index;
	return op;
}

std::vector<unc_op> Selftest::ops(const char *kind, unsigned index, unsigned package,
				  enum uncore_register which) const
{
	return {op(kind, index, package, which, 0), op(kind, index, package, which, 1),
		op(kind, index, package, which, 2), op(kind, index, package, which, 3)};
}

uncore_options Selftest::options(const std::string &name)
{
	static std::string machine;
	auto o = support::sized<uncore_options>();

	machine = machine_with(name, std::string("packages=") + (name == "knl" ? "1" : "2") +
					     ",cores=4,time=virtual");
	o.machine = machine.c_str();
	return o;
}

void Selftest::pass(void *sim, unsigned us)
{
	sim_advance(static_cast<struct sim *>(sim), uint64_t{us} * 1000);
}

bool Selftest::move(void *sim, selftest_load *load)
{
	const uint64_t lines = load->kernel == SELFTEST_CHASE ? 200000 : 1000000;
	struct sim_load request = {load->cpu, load->memory_cpu, 0, 0, 20000000, 0, 0, 0, 0};

	request.reads = load->kernel == SELFTEST_WRITE ? 0 : lines;
	request.writes =
		load->kernel == SELFTEST_WRITE || load->kernel == SELFTEST_COPY ? lines : 0;
	if (load->kernel == SELFTEST_CHASE)
		request.stay_ns = static_cast<double>(request.ns) / static_cast<double>(lines);
	load->reads = request.reads;
	load->writes = request.writes;
	load->ns = request.ns;
	pass(sim, 20000);
	return sim_load(static_cast<struct sim *>(sim), &request) == 0;
}

bool same(const unc_op &a, const unc_op &b)
{
	return a.space == b.space && a.package == b.package && a.unit == b.unit &&
	       a.address == b.address;
}

void expect_only(const std::vector<std::string> &checks, const std::vector<std::string> &lines)
{
	for (const std::string &line : lines) {
		bool known = false;

		for (const std::string &check : checks)
			known |= line.find(check) == 5;
		EXPECT_TRUE(known) << line;
	}
	for (const std::string &check : checks) {
		bool request = false;

		for (const std::string &line : lines)
			request |= line.find(check) == 5;
		EXPECT_TRUE(request) << "no line about " << check;
	}
}

} // namespace support
