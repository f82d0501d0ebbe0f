// SPDX-License-Identifier: BSD-3-Clause
// driver.cc - the same events by the kernel's uncore driver and by us, with marks in the
// kernel's trace, so that the accesses of both can be compared (driver_judge.cc).  In the guest.
//
//	driver groups PLATFORM FILE SEED N      N random groups of the events of FILE, in its format
//	driver perf FILE                        answers of perf_event_open, one JSON object per line
//	driver ours PLATFORM FILE               answers of the library
//
// FILE has cases as in tests/golden.  A mark is "lab CASE SIDE PHASE", or with LAB_MARK=msr a
// write to an MSR that does not exist, for simpci's trace (driver_trace.h).
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <random>
#include <set>

#include <dirent.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lab/driver_trace.h"
#include "support/golden_ex.h"
#include "support/golden_names.h"
#include "support/sized.h"
#include "uncore_inspect.h"

using nlohmann::json;

namespace
{

class Trace
{
      public:
	explicit Trace(const char *name) : side(name)
	{
	}
	~Trace()
	{
		if (msr >= 0)
			close(msr);
	}
	void mark(size_t number, const std::string &phase)
	{
		const uint64_t value = number << 16 | static_cast<uint64_t>(side == "ours") << 12 |
				       lab::phase_number(phase);

		if (msr < 0)
			file << "lab " << number << " " << side << " " << phase << std::endl;
		else if (pwrite(msr, &value, sizeof(value), lab::kMark) >= 0)
			throw std::runtime_error("the MSR of the marks exists");
	}

      private:
	const std::string side;
	std::ofstream file{"/sys/kernel/tracing/trace_marker"};
	const int msr = getenv("LAB_MARK") ? open("/dev/cpu/0/msr", O_WRONLY | O_CLOEXEC) : -1;
};

std::vector<json> read_cases(const char *path)
{
	std::vector<json> all;
	std::ifstream file(path);

	for (std::string line; std::getline(file, line);)
		all.push_back(json::parse(line));
	return all;
}

uint64_t word(const json &event, const char *name)
{
	return event.contains(name) ? golden_number(event[name]) : 0;
}

// ---- random groups ----

// "uncore_cbox_3" and "uncore_cbox_7" have the same events.
std::string without_number(const std::string &pmu)
{
	return pmu.substr(0, pmu.find_last_not_of("_0123456789") + 1);
}

// Not for groups: events in which we differ from the driver anyway; with a filter that
// that is not compared, so that two events of a group could be one; or that fit no group; or packet
// matches, whose registers QEMU does not show.
bool is_odd(const std::string &platform, const std::string &name)
{
	const golden::Platform *p = golden::find_platform(platform);

	return (p ? golden::listed(*p, name) != nullptr : golden_ex::listed(name) != nullptr) ||
	       name.find("filter_ignored") == 0 || name.find("qpi_m") == 0 ||
	       name.find("free_running") != std::string::npos;
}

const std::string kPmus = "/sys/bus/event_source/devices";

std::vector<std::string> files_of(const std::string &directory)
{
	std::set<std::string> names;
	DIR *dir = opendir(directory.c_str());

	while (const dirent *entry = dir ? readdir(dir) : nullptr)
		if (entry->d_name[0] != '.')
			names.insert(entry->d_name);
	if (dir)
		closedir(dir);
	return {names.begin(), names.end()};
}

// The bits of config that a box has: "config:0-7,21" in each of its format files.  Ivy
// Bridge-EP's driver offers an invert bit that it drops.
uint64_t bits_of(const std::string &platform, const std::string &pmu)
{
	const std::string formats = kPmus + "/" + pmu + "/format";
	const uint64_t dropped = platform == "ivbep" ? UINT64_C(1) << 23 : 0;
	uint64_t bits = 0;

	for (const std::string &name : files_of(formats)) {
		std::ifstream file(formats + "/" + name);
		std::string field, range;

		std::getline(file, field, ':');
		while (field == "config" && std::getline(file, range, ',')) {
			const unsigned low = std::stoul(range);
			const size_t dash = range.find('-');
			const unsigned high = dash == std::string::npos
						      ? low
						      : std::stoul(range.substr(dash + 1));

			bits |= (high < 63 ? UINT64_C(2) << high : 0) - (UINT64_C(1) << low);
		}
	}
	return bits & ~dropped;
}

// Boxes by kind.
std::map<std::string, std::vector<std::string>> boxes_by_kind()
{
	std::map<std::string, std::vector<std::string>> kinds;

	for (const std::string &pmu : files_of(kPmus))
		kinds[without_number(pmu)].push_back(pmu);
	return kinds;
}

// Alone in its case, an event owns what the recording says; that of ICX does not, and its
// filters have nothing but what config1 asks for.  Not where we differ from the driver.
json owned_alone(const std::string &platform, const json &c)
{
	const golden::Platform *p = golden::find_platform(platform);
	const json &event = c["events"][0];

	if (!p || c["events"].size() > 1 || golden::listed_filter(*p, c["case"]))
		return nullptr;
	if (platform == "icx")
		return event.value("config1", "0x0");
	return c.value("filter_owned", json());
}

// Different events that the driver takes, by kind of box; as far as this machine has them.
// Events that are alone in a case come first: their filter bits are known.
std::map<std::string, std::vector<json>> valid_events(const std::string &platform,
						      std::vector<json> cases)
{
	std::map<std::string, std::vector<json>> kinds;
	std::set<std::string> seen;
	const auto boxes = boxes_by_kind();

	std::stable_partition(cases.begin(), cases.end(),
			      [](const json &c) { return c["events"].size() == 1; });

	for (const json &c : cases) {
		if (!c["ok"] || is_odd(platform, c["case"]))
			continue;
		for (json event : c["events"]) {
			const std::string kind = without_number(event["pmu"]);

			event.erase("counter");
			event["owned"] = owned_alone(platform, c);
			event["pmu"] = kind + "_0";
			if (!boxes.count(kind))
				continue;
			event["config"] = golden_hex(word(event, "config") &
						     bits_of(platform, boxes.at(kind)[0]));
			if (seen.insert(golden_name(platform, "", event)).second)
				kinds[kind].push_back(event);
		}
	}
	return kinds;
}

// All boxes of these kinds.
std::vector<std::string> places(const std::map<std::string, std::vector<json>> &kinds)
{
	std::vector<std::string> pmus = files_of(kPmus);

	pmus.erase(std::remove_if(pmus.begin(), pmus.end(),
				  [&](const std::string &pmu) {
					  return !kinds.count(without_number(pmu));
				  }),
		   pmus.end());
	return pmus;
}

// The registers that a group owns, if known for each of its events.
void own_together(json &group)
{
	uint64_t all = 0;
	bool known = true;

	for (json &event : group["events"]) {
		known = known && event["owned"].is_string();
		all |= known ? word(event, "owned") : 0;
		event.erase("owned");
	}
	if (known)
		group["filter_owned"] = golden_hex(all);
}

void print_groups(const std::string &platform, const std::vector<json> &cases, unsigned seed,
		  unsigned n)
{
	auto kinds = valid_events(platform, cases);
	const auto pmus = places(kinds);
	std::mt19937 random(seed);

	for (unsigned i = 0; i < n; i++) {
		const std::string pmu = pmus[random() % pmus.size()];
		auto &events = kinds[without_number(pmu)];
		json group = {{"case", "random/" + std::to_string(i)}, {"events", json::array()}};
		const size_t size = std::min<size_t>(1 + random() % 5, events.size());

		for (size_t k = 0; k < size; k++) {
			std::swap(events[k], events[k + random() % (events.size() - k)]);
			group["events"].push_back(events[k]);
			group["events"].back()["pmu"] = pmu;
			group["events"].back()["cpu"] = 0;
		}
		own_together(group);
		std::cout << group << "\n";
	}
}

// ---- the driver ----

// These are several groups at once; all others are one.
bool leads_itself(const std::string &name)
{
	for (const char *start : {"allboxes_", "two_packages_", "two_leaders_", "leaders_"})
		if (name.find(start) == 0)
			return true;
	return false;
}

int open_event(const json &event, unsigned cores, int leader)
{
	const std::string pmu = event["pmu"];
	std::ifstream file(kPmus + "/" + pmu + "/type");
	struct perf_event_attr attr = {};
	const int cpu = event["cpu"];

	if (!(file >> attr.type)) {
		errno = ENODEV;
		return -1;
	}
	attr.size = sizeof(attr);
	attr.config = word(event, "config");
	attr.config1 = word(event, "config1");
	attr.config2 = word(event, "config2");
	attr.disabled = leader < 0;
	return static_cast<int>(syscall(SYS_perf_event_open, &attr, -1,
					cpu < 0 ? -1 : cpu / static_cast<int>(cores), leader, 0));
}

class Perf
{
      public:
	Perf(size_t number, const json &c, unsigned cores, Trace &trace)
	    : number(number), trace(trace)
	{
		trace.mark(number, "open");
		for (const json &event : c["events"]) {
			const bool leads = leads_itself(c["case"]) || fds.empty();
			const int fd = open_event(event, cores, leads ? -1 : fds[0]);

			answers.push_back(fd < 0 ? errno : 0);
			if (fd < 0)
				return;
			fds.push_back(fd);
			if (leads)
				leaders.push_back(fd);
		}
		count();
	}
	~Perf()
	{
		trace.mark(number, "close");
		for (int fd : fds)
			close(fd);
	}
	std::vector<int> answers; // errno of each event, up to the first that is refused

      private:
	void count()
	{
		trace.mark(number, "enable");
		for (int fd : leaders)
			ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		for (size_t i = 0; i < fds.size(); i++) {
			uint64_t value;

			trace.mark(number, "read" + std::to_string(i));
			if (read(fds[i], &value, sizeof(value)) < 0)
				answers[i] = errno;
		}
		trace.mark(number, "disable");
		for (int fd : leaders)
			ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	}
	size_t number;
	Trace &trace;
	std::vector<int> fds, leaders;
};

void print_perf(const std::vector<json> &cases, unsigned cores)
{
	Trace trace("perf");

	for (size_t i = 0; i < cases.size(); i++) {
		const Perf perf(i, cases[i], cores, trace);
		const bool ok = perf.answers.size() == cases[i]["events"].size() &&
				perf.answers.back() == 0;

		std::cout << json{{"ok", ok}, {"errno", perf.answers}} << "\n";
	}
}

// ---- we ----

std::string message(struct uncore *u)
{
	char text[UNCORE_ERRMSG_MAX];

	return uncore_errmsg(u, text, sizeof(text));
}

int count(struct uncore_set *set, size_t number, Trace &trace)
{
	auto info = support::sized<struct uncore_set_info>();
	int code;

	uncore_set_info(set, &info);
	std::vector<int64_t> values(info.events);
	trace.mark(number, "enable");
	code = uncore_set_start(set);
	if (code < 0)
		return code;
	trace.mark(number, "read");
	code = uncore_set_read(set, values.data());
	trace.mark(number, "disable");
	return uncore_set_stop(set) < 0 ? UNCORE_EIO : code;
}

json answer(struct uncore *u, const std::vector<std::string> &names, size_t number, Trace &trace)
{
	std::vector<unsigned> ids(names.size());
	struct uncore_set *set;

	trace.mark(number, "open");
	for (size_t i = 0; i < names.size(); i++)
		if (uncore_event(u, names[i].c_str(), &ids[i]) < 0)
			return {{"outcome", "refused"}, {"why", message(u)}};
	if (uncore_set_create(u, &set) < 0)
		return {{"outcome", "failed"}, {"why", message(u)}};
	json result = {{"outcome", "fits"}};
	int code = uncore_set_assign(set, ids.data(), ids.size());
	if (code < 0) {
		result = {{"outcome", code == UNCORE_ECONFLICT ? "no room" : "failed"},
			  {"why", message(u)}};
	} else if ((code = count(set, number, trace)) < 0) {
		result = {{"outcome", "failed"}, {"why", message(u)}};
	}
	trace.mark(number, "close");
	uncore_set_destroy(set);
	return result;
}

int print_ours(const std::vector<json> &cases, const std::string &platform, unsigned cores)
{
	auto options = support::sized<uncore_options>();
	struct uncore *u = nullptr;
	Trace trace("ours");

	options.machine = "native";
	options.wrap_poller = -1;
	if (uncore_open(&u, &options) < 0) {
		std::cerr << message(u) << "\n";
		return 1;
	}
	for (size_t i = 0; i < cases.size(); i++) {
		std::vector<std::string> names;

		for (const json &event : cases[i]["events"]) {
			const int cpu = event["cpu"];

			names.push_back(golden_name(platform, cases[i]["case"], event));
			if (cpu >= 0)
				names.back() +=
					":pkg=" + std::to_string(cpu / static_cast<int>(cores));
		}
		std::cout << answer(u, names, i, trace) << "\n";
	}
	uncore_close(u);
	return 0;
}

} // namespace

int main(int argc, char **argv)
{
	const std::string what = argc > 2 ? argv[1] : "";
	const char *lab_cores = getenv("LAB_CORES");
	const unsigned cores = lab_cores ? std::stoul(lab_cores) : 8;

	if (what == "groups" && argc == 6)
		print_groups(argv[2], read_cases(argv[3]), std::stoul(argv[4]),
			     std::stoul(argv[5]));
	else if (what == "perf" && argc == 3)
		print_perf(read_cases(argv[2]), cores);
	else if (what == "ours" && argc == 4)
		return print_ours(read_cases(argv[3]), argv[2], cores);
	else
		return std::cerr << "usage: driver groups|perf|ours ...\n", 2;
	return 0;
}
