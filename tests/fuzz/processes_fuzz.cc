// SPDX-License-Identifier: BSD-3-Clause
// processes_fuzz.cc - processes and cgroups with any names and files: each process has an owner of
// each kind, jobs are of batch systems, and every kind of output shows the names without controls.
//
// Parts of an input follow each other after bytes 0xfe: /proc/PID/stat, status and cgroup.
#include <cmath>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

extern "C" {
#include "command/base/encode.h"
#include "command/who/job.h"
#include "command/who/owner.h"
#include "command/who/proc.h"
}

namespace
{

using fuzz::demand;

// ---- files ----

class Tree
{
      public:
	Tree()
	{
		char name[] = "/dev/shm/uncore-fuzz-XXXXXX";

		demand(mkdtemp(name) != nullptr, "no directory");
		root = name;
		for (const char *dir : {"", "/7", "/7/task", "/7/task/7"})
			demand(mkdir((root + "/proc" + dir).c_str(), 0755) == 0, "no directory",
			       dir);
	}
	~Tree()
	{
		demand(system(("rm -r " + root).c_str()) == 0, "not removed");
	}
	Tree(const Tree &) = delete;
	Tree &operator=(const Tree &) = delete;

	void write(const char *name, const std::string &text) const
	{
		const std::string path = root + "/proc/7/" + name;
		FILE *f = fopen(path.c_str(), "w");

		demand(f && fwrite(text.data(), 1, text.size(), f) == text.size(), "not written");
		fclose(f);
	}

	std::string root;
};

std::vector<std::string> parts_of(const uint8_t *data, size_t size)
{
	std::vector<std::string> parts(3);
	size_t part = 0;

	for (size_t i = 0; i < size && part < parts.size(); i++)
		if (data[i] == 0xfe)
			part++;
		else
			parts[part] += static_cast<char>(data[i]);
	return parts;
}

// ---- names in each kind of output ----

bool is_plain(const std::string &text, const char *allowed = "")
{
	for (size_t i = 0; i < text.size(); i++) {
		const auto c = static_cast<unsigned char>(text[i]);
		const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);

		if ((iscntrl(c) && !strchr(allowed, c)) || (c == 0xc2 && next < 0xa0) || c > 0xf4)
			return false;
	}
	return true;
}

template <class Put> std::string put(Put by)
{
	char *text = nullptr;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	by(out);
	fclose(out);
	const std::string made(text, length);
	free(text);
	return made;
}

void show(const char *name)
{
	char *cells = terminal_cells(name), *shown = terminal_text(name);

	for (const char *c = cells; *c; c++)
		demand(*c >= ' ' && *c <= '~', "a cell", cells);
	demand(is_plain(shown), "a terminal", shown);
	demand(terminal_columns(shown) <= 2 * strlen(shown), "columns", shown);
	free(cells);
	free(shown);
	demand(is_plain(put([&](FILE *f) { put_json(f, name); }), "\n"), "JSON");
	const std::string label = put([&](FILE *f) { put_openmetrics(f, name, true); });
	demand(is_plain(label), "OpenMetrics");
	for (size_t i = 0; i < label.size(); i++) {
		demand(label[i] != '"', "the end of a label");
		i += label[i] == '\\';
		demand(i < label.size(), "an escape without a character");
	}
	const std::string tag = put([&](FILE *f) { put_influx(f, name); });
	demand(is_plain(tag) && !tag.empty() && tag.back() != '\\', "Influx");
	const std::string page = put([&](FILE *f) { put_xml(f, name); });
	demand(is_plain(page, "\n\t") && page.find_first_of("<>\"'") == std::string::npos, "XML");
	demand(is_plain(put([&](FILE *f) { put_csv(f, name, ","); })), "CSV");
}

// ---- owners ----

bool is_job(const std::string &cgroup, const std::string &job)
{
	for (const char *before :
	     {"/slurmstepd.scope/job_", "_slurmstepd.scope/job_", "/jobid/", "/job.", "/job_"})
		if (cgroup.find(before + job) != std::string::npos)
			return true;
	return false;
}

void check(const proc &p, const std::string &cgroup)
{
	demand(p.pid == 7 && p.name && p.cgroup, "a process");
	demand(p.n <= 1, "threads that are not in its files");
	for (unsigned by = 0; by < WHO_BYS; by++) {
		if (by == BY_USER)
			continue; // from the system's list of users, which takes long
		char *owner = owner_of(&p, static_cast<enum who_by>(by));

		demand(owner != nullptr, "no owner");
		show(owner);
		free(owner);
	}
	if (!p.job)
		return;
	demand(isdigit(static_cast<unsigned char>(*p.job)) && !strchr(p.job, '/'), "a job", p.job);
	demand(is_job(cgroup.c_str(), p.job), "a job of no path", p.job);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const Tree tree;
	const std::vector<std::string> parts = parts_of(data, size);
	procs all = {};

	tree.write("stat", parts[0]);
	tree.write("task/7/stat", parts[0]);
	tree.write("status", parts[1]);
	tree.write("cgroup", parts[2]);
	demand(procs_read(&all, tree.root.c_str()) == 0 && all.n <= 1, "processes");
	if (all.n)
		check(all.list[0], parts[2]);
	procs_free(&all);
	show(std::string(reinterpret_cast<const char *>(data), size).c_str());
	return 0;
}
