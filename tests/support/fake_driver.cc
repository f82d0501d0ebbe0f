// SPDX-License-Identifier: BSD-3-Clause
#include "support/fake_driver.h"

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>

#include "backend/kernel/perf.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/handle.h"

namespace support
{

FakeDriver::FakeDriver(const std::string &platform, unsigned packages)
    : platform(platform),
      name("sim:" + platform + ":packages=" + std::to_string(packages) + ",cores=8,time=virtual"),
      machine(options(name)), sim(unc_hw_sim(unc_hw_of(machine.u)))
{
	current() = this;
}

FakeDriver::~FakeDriver()
{
	current() = nullptr;
}

FakeDriver *&FakeDriver::current()
{
	static FakeDriver *one = nullptr;

	return one;
}

void FakeDriver::pass(uint64_t ms) const
{
	sim_advance(sim, ms * 1000000);
}

int FakeDriver::add(int leader, const struct unc_perf_event &e)
{
	int fd;

	if (open_error && (open_error_in.empty() || open_error_in == e.pmu))
		return open_error;
	if ((lacks == e.pmu && e.cpu / 4 == lacks_in) || machine.refusal(event(e)) != 0)
		return -EINVAL;
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (leader < 0)
		groups[fd] = std::make_unique<Group>(
			Group{e.pmu, {}, {}, nullptr, 0, 0, false, !counts(e)});
	groups[leader < 0 ? fd : leader]->events.push_back(event(e));
	opened++;
	return fd;
}

bool FakeDriver::counts(const struct unc_perf_event &e) const
{
	return dead != e.pmu || e.cpu / 4 != dead_in;
}

int FakeDriver::enable(int leader, bool on)
{
	Group *g = group(leader);

	if (!g)
		return -EBADF;
	if (on)
		g->failed = busy == g->pmu;
	else
		g->failed = g->failed || (g->set && busy == g->pmu);
	if (on && !g->failed)
		begin(*g);
	else if (!on && g->set)
		end(*g);
	return 0;
}

int FakeDriver::read(int leader, unsigned n, struct unc_perf_group *out)
{
	Group *g = group(leader);

	pass(ms_of_a_read);
	if (!g)
		return -EBADF;
	if (g->failed || busy == g->pmu)
		return g->failed || g->set ? -EBUSY : zero(*g, n, out);
	zero(*g, n, out);
	if (g->set) {
		const std::vector<int64_t> counts = g->set->counts();

		out->enabled += sim_now(sim) - g->began;
		for (size_t i = 0; i < counts.size() && !g->dead; i++)
			out->counts[i] += static_cast<uint64_t>(counts[i]);
	}
	out->running = out->enabled;
	if (shared == g->pmu)
		out->running /= 2;
	return 0;
}

uncore_options FakeDriver::options(const std::string &machine)
{
	auto o = support::sized<uncore_options>();

	o.machine = machine.c_str();
	return o;
}

std::string FakeDriver::kind(const std::string &theirs) const
{
	if (platform.compare(1, 4, "hmex") == 0 || platform.compare(1, 4, "smex") == 0)
		return theirs;
	return theirs == "cbox" ? "cbo" : theirs == "ubox" ? "ubo" : theirs;
}

std::string FakeDriver::event(const struct unc_perf_event &e) const
{
	const std::string pmu = std::string(e.pmu).substr(strlen("uncore_"));
	const size_t last = pmu.rfind('_');
	const bool numbered = last != pmu.npos && isdigit(pmu[last + 1]);
	char text[256];

	snprintf(text, sizeof(text),
		 "%s_unc_%s::RAW:config=%#jx:config1=%#jx:config2=%#jx:box=%s:pkg=%u",
		 platform.c_str(), kind(pmu.substr(0, numbered ? last : pmu.npos)).c_str(),
		 static_cast<uintmax_t>(e.config[0]), static_cast<uintmax_t>(e.config[1]),
		 static_cast<uintmax_t>(e.config[2]), numbered ? pmu.substr(last + 1).c_str() : "0",
		 e.cpu / 4);
	return text;
}

FakeDriver::Group *FakeDriver::group(int leader)
{
	const auto at = groups.find(leader);

	return at == groups.end() || fcntl(leader, F_GETFD) < 0 ? nullptr : at->second.get();
}

void FakeDriver::begin(Group &g)
{
	g.set = std::make_unique<Set>(machine, g.events);
	g.failed = g.set->start() != 0;
	EXPECT_FALSE(g.failed) << machine.message();
	g.began = sim_now(sim);
}

void FakeDriver::end(Group &g)
{
	const std::vector<int64_t> counts = g.set->counts();

	g.enabled += sim_now(sim) - g.began;
	g.counts.resize(counts.size());
	for (size_t i = 0; i < counts.size() && !g.dead; i++)
		g.counts[i] += static_cast<uint64_t>(counts[i]);
	EXPECT_EQ(0, g.set->stop());
	g.set = nullptr;
}

int FakeDriver::zero(const Group &g, unsigned n, struct unc_perf_group *out)
{
	EXPECT_EQ(g.events.size(), n);
	*out = {};
	out->n = n;
	out->enabled = out->running = g.enabled;
	for (size_t i = 0; i < g.counts.size(); i++)
		out->counts[i] = g.counts[i];
	return 0;
}

} // namespace support

// The linker resolves calls to these before the library's functions, which are called
// __real_...
extern "C" {
int __real_unc_perf_group_add(int leader, const struct unc_perf_event *event);
int __real_unc_perf_group_enable(int leader, bool on);
int __real_unc_perf_group_read(int leader, unsigned n, struct unc_perf_group *group);

int __wrap_unc_perf_group_add(int leader, const struct unc_perf_event *event)
{
	support::FakeDriver *driver = support::FakeDriver::current();

	return driver ? driver->add(leader, *event) : __real_unc_perf_group_add(leader, event);
}

int __wrap_unc_perf_group_enable(int leader, bool on)
{
	support::FakeDriver *driver = support::FakeDriver::current();

	return driver ? driver->enable(leader, on) : __real_unc_perf_group_enable(leader, on);
}

int __wrap_unc_perf_group_read(int leader, unsigned n, struct unc_perf_group *group)
{
	support::FakeDriver *driver = support::FakeDriver::current();

	return driver ? driver->read(leader, n, group)
		      : __real_unc_perf_group_read(leader, n, group);
}
}
