// SPDX-License-Identifier: BSD-3-Clause
// groups_fuzz.cc - resctrl with monitoring groups of other users, and files of any kind: counts are
// numbers or an error, threads have numbers, and only groups of ended processes of this program are
// removed.
//
// Parts of an input follow each other after bytes 0xfe: info/L3_MON/mon_features, num_rmids, the
// name of a monitoring group, its tasks, mbm_total_bytes, mbm_local_bytes, llc_occupancy, and the
// name of another domain.
#include <cmath>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "support/sized.h"

extern "C" {
#include "command/who/proc.h"
#include "command/who/resctrl.h"
}

namespace
{

using fuzz::demand;

enum { FEATURES, RMIDS, NAME, TASKS, TOTAL, LOCAL, OCCUPANCY, DOMAIN_NAME, PARTS };

std::vector<std::string> parts_of(const uint8_t *data, size_t size)
{
	std::vector<std::string> parts(PARTS);
	size_t part = 0;

	for (size_t i = 0; i < size && part < parts.size(); i++)
		if (data[i] == 0xfe)
			part++;
		else
			parts[part] += static_cast<char>(data[i]);
	return parts;
}

class Tree
{
      public:
	Tree()
	{
		char name[] = "/dev/shm/uncore-fuzz-XXXXXX";

		demand(mkdtemp(name) != nullptr, "no directory");
		root = name;
		top = root + "/sys/fs/resctrl";
		for (const char *dir : {"/info/L3_MON", "/mon_data/mon_L3_00", "/mon_groups"})
			demand(system(("mkdir -p " + top + dir).c_str()) == 0, "no directory", dir);
	}
	~Tree()
	{
		demand(system(("rm -r " + root).c_str()) == 0, "not removed");
	}
	Tree(const Tree &) = delete;
	Tree &operator=(const Tree &) = delete;

	void write(const std::string &name, const std::string &text) const
	{
		FILE *f = fopen((top + name).c_str(), "w");

		demand(f && fwrite(text.data(), 1, text.size(), f) == text.size(), "not written");
		fclose(f);
	}
	bool make(const std::string &name) const
	{
		return mkdir((top + name).c_str(), 0755) == 0;
	}
	bool has(const std::string &name) const
	{
		return access((top + name).c_str(), F_OK) == 0;
	}
	void remove(const std::string &name) const
	{
		::remove((top + name).c_str());
	}

	std::string root, top;
};

struct Machine {
	Machine()
	{
		auto options = support::sized<uncore_options>();

		options.machine = "sim:skx:packages=1,cores=2,time=virtual";
		options.journal = "none";
		options.wrap_poller = -1;
		demand(uncore_open(&u, &options) == 0, "no machine");
	}
	~Machine()
	{
		uncore_close(u);
	}
	Machine(const Machine &) = delete;
	Machine &operator=(const Machine &) = delete;

	struct uncore *u = nullptr;
};

void check_groups(const resctrl &r)
{
	size_t n, tasks;
	char **groups = resctrl_groups(&r, &n);

	demand(n >= 1 && !*groups[0], "no default group");
	for (size_t i = 0; i < n; i++) {
		share_values values;
		pid_t *list = resctrl_tasks(&r, groups[i], &tasks);
		char *control = resctrl_control(groups[i]);

		for (size_t k = 0; k < tasks; k++)
			demand(list[k] != 0, "thread 0");
		if (resctrl_read(&r, groups[i], &values))
			for (unsigned p = 0; p < WHO_PACKAGES; p++)
				demand(std::isfinite(values.total[p]) &&
					       std::isfinite(values.local[p]) &&
					       std::isfinite(values.occupancy[p]),
				       "a count");
		free(control);
		free(list);
		free(groups[i]);
	}
	free(groups);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const Tree tree;
	static const Machine machine;
	std::vector<std::string> parts = parts_of(data, size);
	char why[UNCORE_ERRMSG_MAX] = "";
	resctrl r;

	for (const unsigned name : {NAME, DOMAIN_NAME})
		for (char &c : parts[name])
			c = c == '/' || !c ? '_' : c;
	const std::string group = "/mon_groups/" + parts[NAME],
			  other = "/mon_data/" + parts[DOMAIN_NAME];
	const bool made = tree.make(group), added = tree.make(other);

	tree.write("/info/L3_MON/mon_features", parts[FEATURES]);
	tree.write("/info/L3_MON/num_rmids", parts[RMIDS]);
	tree.write("/tasks", parts[TASKS]);
	tree.write("/mon_data/mon_L3_00/mbm_total_bytes", parts[TOTAL]);
	tree.write("/mon_data/mon_L3_00/mbm_local_bytes", parts[LOCAL]);
	tree.write("/mon_data/mon_L3_00/llc_occupancy", parts[OCCUPANCY]);
	if (resctrl_open(&r, tree.root.c_str(), machine.u, why, sizeof(why))) {
		check_groups(r);
		resctrl_recover(&r);
		demand(!made || tree.has(group) || parts[NAME].compare(0, 7, "uncore-") == 0,
		       "a group of others was removed");
	} else
		demand(fuzz::is_sentence(why), "no reason", why);
	resctrl_close(&r);
	if (made)
		tree.remove(group);
	if (added)
		tree.remove(other);
	return 0;
}
