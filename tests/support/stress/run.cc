// SPDX-License-Identifier: BSD-3-Clause
#include "support/stress/run.h"

#include <algorithm>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <dirent.h>
#include <sys/file.h>

#include "support/child.h"
#include "support/controls.h"
#include "support/stress/truth.h"

namespace support::stress
{

Run::Run(const Plan &plan)
    : plan(plan), shared(*memory.shared), random(plan.seed),
      files("sim:" + machine_of(plan), plan.trace), directory(make_directory()), gate(directory)
{
	if (plan.processes > kProcesses || plan.threads > kThreads || !files.mounted)
		throw std::runtime_error("no such run, or nothing is mounted");
}

Run::~Run()
{
	unlink((directory + "/queue").c_str());
	unlink((directory + "/gate").c_str());
	rmdir(directory.c_str());
}

bool Run::run()
{
	const std::vector<uint64_t> before = registers();
	const int64_t began = real_ns();

	if (in_child([&] { return find_truth(); }) != 0)
		shared.trouble("the truth was not found");
	if (shared.n_troubles == 0)
		live();
	took = double(real_ns() - began) / 1e9;
	if (plan.mode == Mode::kOwner)
		judge_owners();
	restore();
	compare(before);
	return !failed();
}

bool Run::failed() const
{
	return shared.n_troubles != 0 || get(kCounted) == 0;
}

void Run::print(FILE *out) const
{
	static const char *const modes[] = {"all boxes", "boxes of its own", "UNCORE_SHARE=owner"};

	fprintf(out, "%u processes x %u threads x %u sessions on %s, %s, %.0f s\n", plan.processes,
		plan.threads, plan.sessions, plan.machine.c_str(), modes[int(plan.mode)], took);
	fprintf(out, "%10.1f  counts at most from the truth: one process alone\n", shared.alone);
	for (const auto &[what, name] : kNames)
		fprintf(out, "%10" PRIu64 "  %s\n", get(what), name);
	for (unsigned i = 0; i < shared.n_troubles && i < kTroubles; i++)
		fprintf(out, "FAILED: %s\n", shared.troubles[i]);
	if (shared.n_troubles > kTroubles)
		fprintf(out, "FAILED: %u more\n", shared.n_troubles - kTroubles);
}

std::string Run::make_directory()
{
	char name[] = "/tmp/uncore-stress-XXXXXX";

	if (!mkdtemp(name))
		throw std::runtime_error("no directory");
	return name;
}

int Run::find_truth()
{
	try {
		Truth(plan, files, shared).find();
	} catch (const std::exception &e) {
		shared.trouble("%s", e.what());
	}
	shared.now = strtoull(files.text("sim/now").c_str(), nullptr, 10);
	return 0;
}

void Run::begin(unsigned process)
{
	const pid_t pid = fork_clean();

	if (pid == 0)
		_exit(run_process(plan, shared, files, process, directory));
	pids[process] = pid;
}

bool Run::has_work(unsigned process) const
{
	for (unsigned t = 0; t < plan.threads; t++)
		if (shared.slots[process * plan.threads + t].left > 0)
			return !shared.over;
	return false;
}

void Run::note_death(pid_t pid)
{
	const unsigned n = shared.n_deaths;

	shared.deaths[n % kDeaths] = {pid, real_ns()};
	shared.n_deaths = n + 1;
}

void Run::bury(unsigned process, pid_t pid)
{
	for (unsigned t = 0; t < plan.threads; t++)
		for (Past &p : shared.slots[process * plan.threads + t].past)
			if (p.began && !p.ended) {
				p.ended = real_ns();
				shared.add(kKilled);
			}
	for (unsigned i = 0; i < shared.n_records && i < kRecords; i++)
		if (shared.records[i].pid == pid && shared.records[i].to == UINT64_MAX)
			shared.records[i].to = uint64_t(shared.now);
}

void Run::ended(unsigned process, int status)
{
	const pid_t pid = pids[process];

	pids.erase(process);
	bury(process, pid);
	if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
		shared.trouble("process %d ended by signal %d", pid, WTERMSIG(status));
	if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
		shared.trouble("process %d ended with status %d", pid, WEXITSTATUS(status));
	else if (has_work(process))
		begin(process);
}

void Run::reap()
{
	for (unsigned p = 0; p < plan.processes; p++) {
		siginfo_t info = {};
		int status;

		if (!pids.count(p) ||
		    waitid(P_PID, id_t(pids[p]), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
		    info.si_pid != pids[p])
			continue;
		note_death(pids[p]);
		if (waitpid(pids[p], &status, 0) == pids[p])
			ended(p, status);
	}
}

void Run::kill_one()
{
	const unsigned p = unsigned(random() % plan.processes);
	int status;

	if (!pids.count(p))
		return;
	note_death(pids[p]);
	kill(pids[p], SIGKILL);
	shared.add(kKills);
	if (waitpid(pids[p], &status, 0) == pids[p])
		ended(p, status);
}

void Run::tick()
{
	const uint64_t ns = 300000 + random() % 2000000;

	gate.enter(LOCK_EX);
	files.advance(ns);
	shared.now += ns;
	shared.ticks++;
	gate.leave();
}

int64_t Run::next_kill(int64_t now)
{
	std::exponential_distribution<double> pause(1.0 / (plan.kill_ms ? plan.kill_ms : 1));

	return plan.kill_ms ? now + int64_t(1e6 * pause(random)) : INT64_MAX;
}

void Run::live()
{
	const int64_t end = real_ns() + int64_t(plan.seconds) * 1000000000;
	int64_t deadly = next_kill(real_ns());

	for (unsigned i = 0; i < plan.processes * plan.threads; i++)
		shared.slots[i].left = plan.sessions;
	for (unsigned p = 0; p < plan.processes; p++)
		begin(p);
	while (!pids.empty()) {
		tick();
		usleep(500);
		reap();
		if (real_ns() >= deadly) {
			kill_one();
			deadly = next_kill(real_ns());
		}
		if (real_ns() > end)
			shared.over = true;
		if (real_ns() > end + INT64_C(60000000000))
			give_up();
	}
}

void Run::give_up()
{
	for (const auto &[process, pid] : pids) {
		shared.trouble("process %d hangs", pid);
		kill(pid, SIGKILL);
		waitpid(pid, nullptr, 0);
	}
	pids.clear();
}

bool Run::overlap(const Record &a, const Record &b)
{
	return a.from < b.to && b.from < a.to;
}

void Run::judge_owners()
{
	std::map<unsigned, List> owned, by_others;

	for (unsigned i = 0; i < shared.n_records && i < kRecords; i++) {
		const Record &r = shared.records[i];

		if (r.part == kOwned || r.part == kStarting)
			owned[r.event].push_back(&r);
		else if (r.part == kElsewhere)
			by_others[r.event].push_back(&r);
	}
	for (auto &[event, list] : owned) {
		std::sort(list.begin(), list.end(),
			  [](const Record *a, const Record *b) { return a->from < b->from; });
		judge_owned(event, list);
		judge_remote(event, by_others[event], list);
	}
}

void Run::judge_owned(unsigned event, const List &owned)
{
	for (size_t i = 0; i < owned.size(); i++)
		for (size_t k = i + 1; k < owned.size() && owned[k]->from < owned[i]->to; k++)
			if (owned[i]->part == kOwned && owned[k]->part == kOwned &&
			    owned[i]->handle != owned[k]->handle && overlap(*owned[i], *owned[k]))
				shared.trouble("%s was counted twice from %" PRIu64,
					       shared.events[event].name, uint64_t(owned[k]->from));
}

void Run::judge_remote(unsigned event, const List &by_others, const List &owned)
{
	for (const Record *r : by_others) {
		const bool found = std::any_of(owned.begin(), owned.end(), [&](const Record *o) {
			return o->handle != r->handle && o->from <= r->from && r->from <= o->to;
		});

		if (!found)
			shared.trouble("%s was not counted by any process from %" PRIu64,
				       shared.events[event].name, uint64_t(r->from));
	}
}

std::vector<uint64_t> Run::registers() const
{
	const Handle h(files.options());

	if (h.code != 0)
		throw std::runtime_error(h.message());
	return Controls(h).values();
}

void Run::compare(const std::vector<uint64_t> &before)
{
	const Handle h(files.options());
	const Controls controls(h);
	const std::vector<uint64_t> after = controls.values();

	for (size_t i = 0; i < before.size(); i++)
		if (before[i] != after[i])
			shared.trouble("register %#" PRIx64 " (space %d, unit %u, package %u) "
				       "held %#" PRIx64 ", holds %#" PRIx64,
				       controls.op(i).address, int(controls.op(i).space),
				       unsigned(controls.op(i).unit),
				       unsigned(controls.op(i).package), before[i], after[i]);
}

void Run::restore()
{
	const std::string command = "UNCORE_SYSROOT=" + files.root + " " + getenv("BUILD") +
				    "/uncore restore >/dev/null";
	const int status = system(command.c_str());

	if (status != 0)
		shared.trouble("uncore restore: status %d", status);
	DIR *list = opendir(files.path("run/uncore").c_str());
	while (const dirent *e = list ? readdir(list) : nullptr)
		if (strchr(e->d_name, '-') && !strstr(e->d_name, ".lock"))
			shared.trouble("%s was left", e->d_name);
	if (list)
		closedir(list);
}

} // namespace support::stress
