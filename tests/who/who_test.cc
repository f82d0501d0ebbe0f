// SPDX-License-Identifier: BSD-3-Clause
// who_test.cc - the traffic of random mixes of jobs on mounted machines, divided among them, and
// what can go wrong meanwhile.  The bytes of each job are computed here from the description alone.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <tuple>

#include <json-c/json.h>
#include <unistd.h>

#include "command/who/own.h"
#include "command/who/report.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/handle.h"
#include "support/jobs.h"
#include "support/sanitizer.h"
#include "support/seeds.h"
#include "support/sized.h"

namespace
{

using support::Handle;
using support::Jobs;

constexpr uint64_t kSecond = 1000000000;
const char kSkx[] = "sim:skx:packages=2,cores=8,time=virtual";

// A source that is read, with its report.
class Who
{
      public:
	explicit Who(const Jobs &jobs_, enum who_by by = BY_JOB,
		     enum source_kind kind = SOURCE_BEST)
	    : jobs(jobs_), h(jobs.options())
	{
		open = source_open(&source, kind, jobs.root.c_str(), h.u, by, why, sizeof(why));
		if (open) {
			EXPECT_EQ(0, source_look(&source));
			EXPECT_EQ(0, source_read(&source));
		}
	}
	~Who()
	{
		forget();
		if (open)
			source_close(&source);
	}
	Who(const Who &) = delete;
	Who &operator=(const Who &) = delete;

	void forget()
	{
		if (known)
			report_free(&report);
		known = false;
	}
	// An interval of some steps; threads are looked for after each.
	const struct report &wait(double seconds = 1, unsigned steps = 1)
	{
		for (unsigned i = 0; i < steps; i++) {
			jobs.advance(static_cast<uint64_t>(seconds / steps * kSecond));
			EXPECT_EQ(0, source_look(&source));
		}
		return read();
	}
	// Until no reading was delayed, which a busy computer does: then all rates are shown.
	void wait_for_rates()
	{
		wait();
		for (int i = 0; i < 50 && has_note("Rates are not shown"); i++)
			wait();
	}
	const struct report &read()
	{
		EXPECT_EQ(0, source_read(&source));
		forget();
		report_new(&report, &source);
		known = true;
		return report;
	}
	const report_row *row(const std::string &name) const
	{
		for (size_t i = 0; i < report.n; i++)
			if (name == report.rows[i].name)
				return &report.rows[i];
		return nullptr;
	}
	double bytes(const std::string &name) const
	{
		const report_row *found = row(name);

		return found ? found->bytes : 0;
	}
	double sum() const
	{
		double all = report.unexplained;

		for (size_t i = 0; i < report.n; i++)
			all += report.rows[i].bytes;
		all += std::isnan(report.devices) ? 0 : report.devices;
		return all + (std::isnan(report.undivided) ? 0 : report.undivided);
	}
	bool has_note(const std::string &words) const
	{
		char *note;
		bool found = false;

		for (unsigned i = 0; (note = report_note(&report, i)) != nullptr; i++) {
			found |= std::string(note).find(words) != std::string::npos;
			free(note);
		}
		return found;
	}

	const Jobs &jobs;
	Handle h;
	struct source source = {};
	struct report report = {};
	bool open = false, known = false;
	char why[1024] = "";
};

// ---- random mixes ----

struct Mix {
	std::string text;
	std::map<std::string, double> moved; // bytes in the measured second by job
	double remote = 0, writes = 0;
};

// 2 to 12 jobs of 1 to 3 processes, some of which begin, end or migrate in the measured second.
Mix mix_of(unsigned seed, unsigned cpus)
{
	std::mt19937 random(seed);
	const auto pick = [&](unsigned least, unsigned most) {
		return std::uniform_int_distribution<unsigned>(least, most)(random);
	};
	const unsigned jobs = pick(2, 12);
	Mix mix;
	unsigned pid = 1000;

	mix.text = "background " + std::to_string(0.001 * pick(0, 50)) + "\n";
	for (unsigned job = 1; job <= jobs; job++)
		for (unsigned n = pick(1, 3); n > 0; n--, pid += 10) {
			const double read = 1e6 * pick(50, 2000), write = 1e6 * pick(0, 1000);
			const unsigned life = pick(0, 9);
			double seconds = 1;

			mix.text += "process " + std::to_string(pid) + " cgroup=/slurm/uid_1/job_" +
				    std::to_string(job) +
				    "/step_0 threads=" + std::to_string(pick(1, 4)) +
				    " cpu=" + std::to_string(pick(0, cpus - 1)) +
				    " read=" + std::to_string(read) +
				    " write=" + std::to_string(write) +
				    " remote=" + std::to_string(0.25 * pick(0, 2));
			if (life == 0) {
				mix.text += " until=1.5";
				seconds = 0.5;
			} else if (life == 1)
				mix.text += " move=1.5:" + std::to_string(pick(0, cpus - 1));
			mix.text += "\n";
			mix.moved[std::to_string(job)] += seconds * (read + write);
		}
	return mix;
}

class Mixes : public testing::TestWithParam<const char *>
{
};

TEST_P(Mixes, AreDividedAmongTheJobs)
{
	NEEDS_FUSE();
	for (unsigned seed = 0; seed < (support::all_seeds() ? 250 : kSanitizer ? 2 : 6); seed++) {
		const Mix mix = mix_of(seed, 16);
		const Jobs jobs(std::string("sim:") + GetParam() +
					":packages=2,cores=8,time=virtual",
				mix.text);
		Who who(jobs);
		double all = 0;

		SCOPED_TRACE(mix.text);
		ASSERT_TRUE(who.open) << who.why;
		EXPECT_EQ(SOURCE_RESCTRL, who.source.kind);
		who.wait();
		const struct report &r = who.wait();
		const double total = r.read + r.write;
		for (const auto &[job, bytes] : mix.moved) {
			EXPECT_NEAR(bytes, who.bytes(job), 0.05 * bytes) << "job " << job;
			all += bytes;
		}
		// The rest is the machine's own traffic, and named.
		EXPECT_NEAR(total, who.sum(), 1) << "rows and total";
		EXPECT_NEAR(total - all, r.unexplained + r.devices + who.bytes(OWNER_OTHERS),
			    0.05 * total);
	}
}

INSTANTIATE_TEST_SUITE_P(Who, Mixes, testing::Values("bdx", "skx", "icx", "spr"),
			 [](const auto &info) { return std::string(info.param); });

// ---- what can be seen of a job ----

const char kPair[] =
	"background 0\n"
	"process 100 name=one cgroup=/slurm/uid_1/job_7 cpu=0 threads=2 read=2G write=1G "
	"llc=4M\n"
	"process 200 name=two cgroup=/slurm/uid_2/job_8 uid=1 cpu=8 read=1G remote=0.25 "
	"llc=8M\n";

TEST(Who, SeesLocalAndRemoteMemoryAndTheCache)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, kPair);
	Who who(jobs);

	ASSERT_TRUE(who.open) << who.why;
	who.wait();
	const report_row *one = who.row("7"), *two = who.row("8");
	ASSERT_TRUE(one && two);
	EXPECT_NEAR(3e9, one->local, 1e6);
	EXPECT_NEAR(0, one->remote, 1e6);
	EXPECT_NEAR(4e6, one->cache, 1);
	EXPECT_NEAR(0.75e9, two->local, 1e6);
	EXPECT_NEAR(0.25e9, two->remote, 1e6);
	EXPECT_TRUE(std::isnan(one->joules));
	EXPECT_NEAR(0, who.report.unexplained, 0.01 * (who.report.read + who.report.write));
	EXPECT_EQ(one, &who.report.rows[0]) << "the largest comes first";
}

TEST(Who, SeesEnergyWhereTheKernelHasIt)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, std::string(kPair) + "resctrl energy=yes\n");
	Who who(jobs);

	ASSERT_TRUE(who.open) << who.why;
	who.wait();
	EXPECT_NEAR(6, who.row("7")->joules, 0.1);
	EXPECT_NEAR(3, who.row("8")->joules, 0.1);
}

TEST(Who, DividesBySocketByTheCoresThatCauseTheTraffic)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, kPair);
	Who who(jobs, BY_SOCKET);

	ASSERT_TRUE(who.open) << who.why;
	who.wait();
	EXPECT_EQ(2U, who.report.n);
	EXPECT_NEAR(3e9, who.bytes("package 0"), 3e6);
	EXPECT_NEAR(1e9, who.bytes("package 1"), 3e6);
	EXPECT_NEAR(0.25e9, who.row("package 1")->remote, 3e6);
}

TEST(Who, SeesThePcieStacksThatMoveBytes)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, std::string("background 1\n") + strchr(kPair, '\n'));
	Who who(jobs);
	double stacks = 0;

	ASSERT_TRUE(who.open) << who.why;
	who.wait();
	EXPECT_EQ(12U, who.report.n_stacks);
	for (size_t i = 0; i < who.report.n_stacks; i++) {
		EXPECT_LT(0, who.report.stacks[i].write);
		EXPECT_EQ(nullptr, who.report.stacks[i].names);
		stacks += who.report.stacks[i].read + who.report.stacks[i].write;
	}
	// on this processor the row of devices has the same source
	EXPECT_NEAR(who.report.devices, stacks, 0.01 * stacks);
}

// By the native code on the mounted machine's files; the devices are those of the simulator.
TEST(Who, NamesTheDevicesOfPciePorts)
{
	NEEDS_FUSE();
	const std::string spec = std::string(kSkx) + ",devices=1";
	const Jobs jobs(spec, std::string("background 1\n") + strchr(kPair, '\n'));
	uncore_options options = support::sized<uncore_options>();
	std::map<std::tuple<unsigned, unsigned, int>, std::set<std::string>> devices;
	size_t n = 0;

	options.machine = spec.c_str();
	const Handle simulated(options);
	ASSERT_EQ(0, simulated.code) << simulated.message();
	const sim_endpoint *e = sim_endpoints(unc_hw_sim(unc_hw_of(simulated.u)), &n);
	for (size_t i = 0; i < n && *e[i].name; i++)
		devices[{e[i].package, e[i].box, static_cast<int>(e[i].part)}].insert(e[i].name);
	Who who(jobs);
	ASSERT_TRUE(who.open) << who.why;
	who.wait();
	EXPECT_EQ(devices.size(), who.report.n_stacks);
	for (size_t i = 0; i < who.report.n_stacks; i++) {
		const report::report_stack &stack = who.report.stacks[i];
		std::set<std::string> named;

		ASSERT_NE(nullptr, stack.names) << stack.box;
		std::istringstream names(stack.names);
		for (std::string name; names >> name;)
			named.insert(name.back() == ',' ? name.substr(0, name.size() - 1) : name);
		EXPECT_EQ((devices[{stack.package, stack.box, stack.part}]), named) << stack.box;
		EXPECT_FALSE(stack.estimate); // the free-running counters of ports
	}
}

// The ports of an interval in which the errors of all ports are known and small.  On a busy
// computer the lengths of most windows are unknown.
std::vector<report::report_stack> known_ports(Who &who)
{
	std::vector<report::report_stack> ports;

	for (int i = 0; i < 100; i++) {
		usleep(400000);
		who.read();
		ports.clear();
		std::copy_if(who.report.stacks, who.report.stacks + who.report.n_stacks,
			     std::back_inserter(ports),
			     [](const report::report_stack &port) { return port.part >= 0; });
		if (std::all_of(ports.begin(), ports.end(), [](const report::report_stack &port) {
			    return port.read_error < 0.1 * port.read;
		    }))
			break;
	}
	return ports;
}

// Three ports of a stack have counters for one: the shares of the stack are those of the model.
TEST(Who, EstimatesPortsThatAreCountedOneAfterAnother)
{
	NEEDS_FUSE();
	const std::string spec = "sim:gnr:packages=1,cores=4,devices=2";
	const Jobs jobs(spec, "background 1\nprocess 100 name=one cgroup=/slurm/uid_1/job_7 cpu=0 "
			      "read=1G llc=4M\n");
	uncore_options options = support::sized<uncore_options>();

	options.machine = spec.c_str();
	const Handle simulated(options);
	ASSERT_EQ(0, simulated.code) << simulated.message();
	const auto rate = [&](const report::report_stack &port) {
		const uint64_t control =
			0x483 | UINT64_C(1) << (36 + port.part) | UINT64_C(7) << 48;

		return sim_rate(unc_hw_sim(unc_hw_of(simulated.u)), 0, "iio", port.box, control, 0);
	};
	Who who(jobs);
	ASSERT_TRUE(who.open) << who.why;
	const std::vector<report::report_stack> ports = known_ports(who);
	std::map<unsigned, std::array<double, 3>> stacks; // counted, its error, by the model
	for (const report::report_stack &port : ports) {
		EXPECT_TRUE(port.estimate);
		stacks[port.box][0] += port.read;
		stacks[port.box][1] += port.read_error;
		stacks[port.box][2] += rate(port);
	}
	EXPECT_LT(10u, ports.size());
	EXPECT_LT(stacks.size(), ports.size());
	for (const report::report_stack &port : ports) {
		const auto &[counted, error, model] = stacks[port.box];

		EXPECT_NEAR(rate(port) / model, port.read / counted,
			    std::min(0.1, 2 * (port.read_error + error) / counted))
			<< port.box << " part " << port.part;
		EXPECT_LT(port.read_error, 0.2 * counted) << port.box << " part " << port.part;
	}
}

TEST(Who, LeavesNoGroupBehind)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, kPair);
	{
		Who who(jobs);

		ASSERT_TRUE(who.open);
		EXPECT_EQ(2,
			  system(("exit $(ls " + jobs.group("mon_groups") + " | wc -l)").c_str()) >>
				  8);
	}
	EXPECT_EQ(0, system(("exit $(ls " + jobs.group("mon_groups") + " | wc -l)").c_str()));
}

TEST(Who, FreesTheGroupOfAJobThatEnded)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, "background 0\n"
			      "process 100 cgroup=/slurm/uid_1/job_7 read=1G until=1.5\n"
			      "process 200 cgroup=/slurm/uid_2/job_8 cpu=1 read=1G\n");
	const std::string count = "exit $(ls " + jobs.group("mon_groups") + " | wc -l)";
	Who who(jobs);

	ASSERT_TRUE(who.open) << who.why;
	who.wait();
	EXPECT_NEAR(1e9, who.bytes("7"), 1e6);
	who.wait(1, 4); // ends in this interval
	EXPECT_NEAR(0.5e9, who.bytes("7"), 1e6);
	who.wait();
	EXPECT_EQ(nullptr, who.row("7"));
	EXPECT_EQ(1, system(count.c_str()) >> 8);
	EXPECT_NEAR(1e9, who.bytes("8"), 1e6);
}

// ---- what goes wrong meanwhile ----

TEST(Who, PutsOwnersWithoutAMonitoringIdIntoOneRow)
{
	NEEDS_FUSE();
	std::string text = "background 0\nresctrl rmids=4\n";

	for (unsigned job = 1; job <= 6; job++)
		text += "process " + std::to_string(100 * job) + " cgroup=/slurm/uid_1/job_" +
			std::to_string(job) + " cpu=" + std::to_string(job) +
			" read=" + std::to_string(job) + "00M threads=" + std::to_string(job) +
			"\n";
	const Jobs jobs(kSkx, text);
	Who who(jobs);
	double all = 0;

	ASSERT_TRUE(who.open) << who.why;
	who.wait();
	const struct report &r = who.wait();
	EXPECT_LE(3U, r.ungrouped);
	EXPECT_TRUE(who.has_note("(others): all monitoring IDs are used"));
	EXPECT_LT(0, who.bytes(OWNER_OTHERS));
	for (size_t i = 0; i < r.n; i++)
		all += r.rows[i].bytes;
	EXPECT_NEAR(2.1e9, all, 0.01e9);
}

TEST(Who, NamesTheTrafficOfAGroupThatWasRemoved)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, kPair);
	Who who(jobs);
	std::string path;

	ASSERT_TRUE(who.open) << who.why;
	for (size_t i = 0; i < 2; i++) {
		char **groups;
		size_t n;

		groups = resctrl_groups(&who.source.monitor.resctrl, &n);
		for (size_t k = 0; k < n; k++) {
			if (resctrl_is_ours(groups[k]))
				path = groups[k];
			free(groups[k]);
		}
		free(groups);
	}
	who.jobs.advance(kSecond / 2);
	ASSERT_EQ(0, jobs.remove(path));
	who.jobs.advance(kSecond / 2);
	ASSERT_EQ(0, source_read(&who.source));
	report_new(&who.report, &who.source);
	who.known = true;
	EXPECT_EQ(1U, who.report.lost);
	EXPECT_TRUE(who.has_note("removed by another program"));
	EXPECT_NEAR(who.report.read + who.report.write, who.sum(), 1);
	EXPECT_LT(0.1e9, who.report.unexplained + who.bytes(OWNER_OTHERS));
	EXPECT_EQ(0, source_look(&who.source));
	who.wait();
	EXPECT_NEAR(3e9, who.bytes("7"), 0.01e9);
	EXPECT_NEAR(1e9, who.bytes("8"), 0.01e9);
}

// ---- groups that the kernel cannot read for some time ----

// A directory in the place of resctrl: a control group with a monitoring group of another program.
class Groups
{
      public:
	Groups()
	{
		for (const std::string group : {"", "/mon_groups/site"})
			std::filesystem::create_directories(top + group + "/mon_data/mon_L3_00");
		std::filesystem::create_directories(top + "/info/L3_MON");
		write("/info/L3_MON/mon_features", "mbm_total_bytes\nmbm_local_bytes\n");
		write("/info/L3_MON/num_rmids", "8");
	}
	~Groups()
	{
		std::filesystem::remove_all(root);
	}
	Groups(const Groups &) = delete;
	Groups &operator=(const Groups &) = delete;

	void write(const std::string &file, const std::string &text) const
	{
		std::ofstream(top + file) << text;
	}
	void counted(const std::string &group, const std::string &bytes) const
	{
		write(group + "/mon_data/mon_L3_00/mbm_total_bytes", bytes);
		write(group + "/mon_data/mon_L3_00/mbm_local_bytes", bytes);
		write(group + "/tasks", "");
	}
	const std::string root = testing::TempDir() + "resctrl" + std::to_string(getpid());
	const std::string top = root + "/sys/fs/resctrl";
};

// All bytes that owners moved since the last time.
double moved(monitor *m)
{
	double all = 0;

	monitor_read(m);
	for (size_t i = 0; i < m->shares.n; i++)
		all += sum_of_packages(m->shares.list[i].values.total);
	return all;
}

TEST(Who, ChargesNobodyWithAllBytesOfAGroupThatCannotBeRead)
{
	const Groups groups;
	auto options = support::sized<uncore_options>();
	const procs none = {};
	struct monitor m;
	char why[256] = "";

	options.machine = kSkx;
	const Handle h(options);
	groups.counted("", "9000");
	groups.counted("/mon_groups/site", "5000");
	ASSERT_TRUE(monitor_open(&m, groups.root.c_str(), h.u, BY_JOB, why, sizeof(why))) << why;
	monitor_assign(&m, &none);
	EXPECT_EQ(0, moved(&m));
	groups.counted("", "9100");
	EXPECT_EQ(100, moved(&m));
	EXPECT_EQ(0U, m.unread);
	groups.counted("", "9200");
	groups.counted("/mon_groups/site", "Unavailable");
	EXPECT_EQ(0, moved(&m));
	EXPECT_EQ(2U, m.unread);
	groups.counted("/mon_groups/site", "5000");
	EXPECT_EQ(0, moved(&m));
	groups.counted("", "9250");
	EXPECT_EQ(50, moved(&m));
	monitor_close(&m);
}

TEST(Who, GoesOnWhileCpusAreOffline)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, std::string(kPair) + "offline 1 1.5 2.5\n");
	Who who(jobs);

	ASSERT_TRUE(who.open) << who.why;
	who.wait();
	EXPECT_NEAR(1e9, who.bytes("8"), 1e6);
	who.wait(0.5);
	who.wait(0.5); // its last half second is unknown: the kernel has dropped it
	EXPECT_NEAR(1.5e9, who.bytes("7"), 1e6);
	EXPECT_NEAR(0, who.bytes("8"), 1e6);
	EXPECT_EQ(0U, who.report.lost + who.report.unread);
	who.wait(0.5);
	who.wait(1);
	EXPECT_NEAR(3e9, who.bytes("7"), 1e6);
	EXPECT_NEAR(1e9, who.bytes("8"), 1e6);
}

TEST(Who, LeavesGroupsOfOthersAlone)
{
	NEEDS_FUSE();
	const Jobs jobs(
		kSkx,
		std::string(kPair) +
			"process 300 name=three cgroup=/slurm/uid_3/job_9 cpu=12 read=500M\n");

	// one group of a single job, one of two, and a control group
	ASSERT_EQ(0, jobs.make("mon_groups/site"));
	ASSERT_EQ(0, jobs.assign("mon_groups/site", "100"));
	ASSERT_EQ(0, jobs.assign("mon_groups/site", "101"));
	ASSERT_EQ(0, jobs.make("control"));
	ASSERT_EQ(0, jobs.assign("control", "200"));
	{
		Who who(jobs);

		ASSERT_TRUE(who.open) << who.why;
		who.wait();
		EXPECT_NEAR(3e9, who.bytes("7"), 0.01e9);
		EXPECT_NEAR(1e9, who.bytes("8"), 0.01e9);
		EXPECT_NEAR(0.5e9, who.bytes("9"), 0.01e9);
		EXPECT_EQ("100\n101\n", jobs.text("sys/fs/resctrl/mon_groups/site/tasks"));
		EXPECT_EQ("200\n", jobs.text("sys/fs/resctrl/control/tasks"));
		// jobs that share a group cannot be divided
		ASSERT_EQ(0, jobs.assign("mon_groups/site", "300"));
		who.wait();
		who.wait();
		// only root sees the name of such a group
		EXPECT_NEAR(3.5e9,
			    who.bytes(geteuid() == 0 ? "group mon_groups/site" : OWNER_OTHERS),
			    0.01e9);
	}
	EXPECT_EQ("100\n101\n300\n", jobs.text("sys/fs/resctrl/mon_groups/site/tasks"));
	EXPECT_EQ("200\n", jobs.text("sys/fs/resctrl/control/tasks"));
}

TEST(Who, RemovesTheGroupsOfAProcessThatWasKilled)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, kPair);
	struct stat space;
	ASSERT_EQ(0, stat("/proc/self/ns/pid", &space));
	const std::string process = "-" + std::to_string(getpid()) + "-1-0";
	const std::string left = "mon_groups/uncore-" + std::to_string(space.st_ino) + process;
	const std::string far = "mon_groups/uncore-" + std::to_string(space.st_ino + 1) + process;

	ASSERT_EQ(0, jobs.make(left)); // the start of another process with this PID
	ASSERT_EQ(0, jobs.make(far));  // of another PID namespace, whose processes are not known
	ASSERT_EQ(0, jobs.make("mon_groups/uncore-site"));
	{
		Who who(jobs);

		EXPECT_TRUE(who.open);
		EXPECT_EQ(ENOENT, jobs.remove(left));
	}
	EXPECT_EQ(0, jobs.remove(far));
	EXPECT_EQ(0, jobs.remove("mon_groups/uncore-site"));
}

TEST(Who, NamesTheErrorOfOldKernels)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, std::string(kPair) + "kernel 5.10.0-8-amd64\n");
	const Jobs newer(kSkx, std::string(kPair) + "kernel 5.11.0\n");
	Who who(jobs), corrected(newer);

	who.wait();
	corrected.wait();
	EXPECT_TRUE(who.has_note("SKX99"));
	EXPECT_FALSE(corrected.has_note("SKX99"));
	EXPECT_NEAR(corrected.row("7")->error + 0.45, who.row("7")->error, 0.01);
}

// All writes of one job are charged to the other.
TEST(Who, NamesWriteBacksThatCountForAnother)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, "background 0\n"
			      "process 100 cgroup=/slurm/uid_1/job_7 cpu=0 read=1G write=1G "
			      "evicted_by=200\n"
			      "process 200 cgroup=/slurm/uid_2/job_8 cpu=1 read=2G\n");
	Who who(jobs);

	who.wait();
	EXPECT_NEAR(1e9, who.bytes("7"), 0.01e9);
	EXPECT_NEAR(3e9, who.bytes("8"), 0.01e9);
	EXPECT_TRUE(who.has_note("counts for the owner whose miss evicts it"));
	EXPECT_NEAR(2e9, who.bytes("7"), who.row("7")->error * who.bytes("7"));
	EXPECT_NEAR(2e9, who.bytes("8"), who.row("8")->error * who.bytes("8"));
}

// Of what is shown for one, a third is what the other wrote.
TEST(Who, HasErrorsThatIncludeAllWritesOfAnother)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, "background 0\n"
			      "process 100 cgroup=/slurm/uid_1/job_7 cpu=0 read=8G\n"
			      "process 200 cgroup=/slurm/uid_2/job_8 cpu=1 read=0.5G write=4G "
			      "evicted_by=100\n");
	Who who(jobs);

	who.wait();
	EXPECT_NEAR(8e9, who.bytes("7"), who.row("7")->error * who.bytes("7"));
	EXPECT_NEAR(4.5e9, who.bytes("8"), who.row("8")->error * who.bytes("8"));
}

// In real time, so on a busy computer groups and boxes are read at very different times.
TEST(Who, HasRatesWithinTheirErrors)
{
	NEEDS_FUSE();
	const Jobs jobs("sim:skx:packages=2,cores=8", kPair);
	Who who(jobs);

	ASSERT_TRUE(who.open) << who.why;
	for (int i = 0; i < 10; i++) {
		usleep(30000);
		ASSERT_EQ(0, source_look(&who.source));
		const struct report &r = who.read();
		const auto near = [](double truth, double rate, double error) {
			EXPECT_LE(fabs(truth - rate), error + 0.005 * truth) << rate;
		};

		near(4e9, r.total_rate.rate, r.total_rate.doubt);
		near(3e9, who.row("7")->rate,
		     (who.row("7")->error + who.row("7")->doubt) * who.row("7")->rate);
		near(1e9, who.row("8")->rate,
		     (who.row("8")->error + who.row("8")->doubt) * who.row("8")->rate);
		near(0, r.unexplained_rate.rate, r.unexplained_rate.doubt + 0.02 * 4e9);
	}
}

// As if the counters had been read at times that differ by this, bytes a second.
void doubt_everything(Who *who, double doubt)
{
	who->forget();
	for (size_t i = 0; i < who->source.monitor.shares.n; i++)
		who->source.monitor.shares.list[i].doubt[0] = doubt;
	for (struct memory_rate &rate : who->source.memory.rates)
		rate.doubt = std::isinf(doubt) ? doubt : 0;
	report_new(&who->report, &who->source);
	who->known = true;
}

TEST(Who, HasNoErrorBeyondWhatTheMemoryControllersCount)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, kPair); // 3 and 1 GB/s
	Who who(jobs);

	ASSERT_TRUE(who.open) << who.why;
	who.wait_for_rates();
	doubt_everything(&who, 1e12);
	const double all = who.report.total_rate.rate;
	for (const char *job : {"7", "8"}) {
		const report_row *row = who.row(job);
		ASSERT_TRUE(row);
		EXPECT_NEAR(std::max({row->rate, all - row->rate, row->error * row->rate}),
			    (row->error + row->doubt) * row->rate, 1e-6 * all)
			<< job;
	}
	EXPECT_FALSE(who.has_note("Rates are not shown"));
}

TEST(Who, WithholdsRatesOfAnUnknownTime)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, kPair);
	Who who(jobs);

	ASSERT_TRUE(who.open) << who.why;
	who.wait();
	doubt_everything(&who, INFINITY);
	EXPECT_TRUE(who.has_note("choose a longer interval with -I"));
	struct json_object *json = report_json(&who.report);
	const std::string text = json_object_to_json_string(json);
	json_object_put(json);
	EXPECT_EQ(std::string::npos, text.find("bytes_per_second\"")) << text;
	EXPECT_NE(std::string::npos, text.find("\"memory_read_bytes\""));
}

// Between 1.25 and 0.75 s it may be any rate, above a quarter none is shown.
TEST(Who, KnowsARateIfThreeQuartersOfItsTimeAreKnown)
{
	EXPECT_EQ(0, rate_doubt(1e9, {1, 0}));
	EXPECT_GE(rate_doubt(1e9, {1, 0.2}), 1e9 / 0.8 - 1e9);
	EXPECT_LE(rate_doubt(1e9, {1, 0.2}), 1e9);
	EXPECT_TRUE(std::isinf(rate_doubt(1e9, {1, 0.25})));
	EXPECT_TRUE(std::isinf(rate_doubt(1e9, {1, 2})));
	EXPECT_TRUE(std::isinf(rate_doubt(1e9, {0, 0})));
}

// ---- the share of a program that is started ----

TEST(Own, IsTheTrafficOfThreadsWhileTheyAreInTheGroup)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, kPair);
	const Handle h(jobs.options());
	share_values values;
	char why[256] = "";
	own own;

	ASSERT_EQ(0, jobs.make("control"));
	ASSERT_EQ(0, jobs.assign("control", "100"));
	ASSERT_TRUE(own_open(&own, jobs.root.c_str(), h.u, 100, why, sizeof(why))) << why;
	ASSERT_EQ(0, own_enter(&own, 100));
	jobs.advance(kSecond);
	EXPECT_EQ(0, own_leave(&own, 100));
	jobs.advance(kSecond);
	ASSERT_TRUE(own_read(&own, &values));
	EXPECT_NEAR(1.5e9, sum_of_packages(values.total), 1e6);
	EXPECT_NEAR(1.5e9, sum_of_packages(values.local), 1e6);
	EXPECT_EQ("100\n", jobs.text("sys/fs/resctrl/control/tasks"));
	EXPECT_EQ(ESRCH, own_enter(&own, 7));
	own_close(&own);
	EXPECT_EQ(0,
		  system(("exit $(ls " + jobs.group("control/mon_groups") + " | wc -l)").c_str()));
}

TEST(Own, IsRefusedWithTheReason)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, std::string(kPair) + "resctrl rmids=2\n");
	const Handle h(jobs.options());
	char why[256] = "";
	own own;

	EXPECT_FALSE(own_open(&own, jobs.root.c_str(), h.u, 7, why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "lists no group of this process")) << why;
	ASSERT_EQ(0, jobs.make("mon_groups/site"));
	EXPECT_FALSE(own_open(&own, jobs.root.c_str(), h.u, 100, why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "all monitoring IDs are used")) << why;
	ASSERT_EQ(0, jobs.assign("mon_groups/site", "100"));
	EXPECT_FALSE(own_open(&own, jobs.root.c_str(), h.u, 100, why, sizeof(why)));
	EXPECT_STREQ("another program monitors this one in its group mon_groups/site", why);
}

// The kernel makes the files of a group; a directory has none.
TEST(Own, SaysWhyItsGroupCannotBeRead)
{
	const Groups groups;
	auto options = support::sized<uncore_options>();
	char why[256] = "";
	own own;

	options.machine = kSkx;
	const Handle h(options);
	groups.counted("", "9000");
	groups.write("/tasks", "100\n");
	EXPECT_FALSE(own_open(&own, groups.root.c_str(), h.u, 100, why, sizeof(why)));
	EXPECT_NE(nullptr, strstr(why, "cannot read the monitoring group mon_groups/")) << why;
	EXPECT_NE(nullptr, strstr(why, ": No such file or directory")) << why;
}

// ---- without resctrl ----

class WithoutResctrl : public testing::TestWithParam<const char *>
{
};

TEST_P(WithoutResctrl, ReadsAreDividedByTheFiltersOfTheCBoxes)
{
	NEEDS_FUSE();
	const Jobs jobs(std::string("sim:") + GetParam() + ":packages=2,cores=8,time=virtual",
			std::string(kPair) + "resctrl unavailable=yes\n");
	Who who(jobs);

	ASSERT_TRUE(who.open) << who.why;
	EXPECT_EQ(SOURCE_CORES, who.source.kind);
	who.wait(1, 10);
	who.wait(1, 10);
	EXPECT_NEAR(2e9, who.bytes("7"), CORES_ERROR * 2e9);
	EXPECT_NEAR(1e9, who.bytes("8"), CORES_ERROR * 1e9);
	EXPECT_NEAR(CORES_ERROR, who.row("7")->error, 1e-9);
	EXPECT_TRUE(std::isnan(who.row("7")->remote));
	EXPECT_NEAR(1e9, who.report.undivided, 0.02e9);
	EXPECT_NEAR(who.report.read + who.report.write, who.sum(), 1);
}

// CPU time does not tell whose the reads are.
TEST(Who, HasErrorsThatIncludeTheReadsOfACpuThatOwnersShare)
{
	NEEDS_FUSE();
	const Jobs jobs("sim:bdx:packages=2,cores=8,time=virtual",
			"background 0\n"
			"process 100 cgroup=/slurm/uid_1/job_7 cpu=0 read=3G\n"
			"process 200 cgroup=/slurm/uid_2/job_8 cpu=0 read=1G\n"
			"process 300 cgroup=/slurm/uid_3/job_9 cpu=4 read=1G\n"
			"resctrl unavailable=yes\n");
	Who who(jobs);

	ASSERT_TRUE(who.open) << who.why;
	who.wait(1, 10);
	who.wait(1, 10);
	EXPECT_NEAR(3e9, who.bytes("7"), who.row("7")->error * who.bytes("7"));
	EXPECT_NEAR(1e9, who.bytes("8"), who.row("8")->error * who.bytes("8"));
	EXPECT_NEAR(CORES_ERROR, who.row("9")->error, 1e-9) << "it has a CPU of its own";
}

INSTANTIATE_TEST_SUITE_P(Who, WithoutResctrl, testing::Values("snbep", "ivbep", "hswep", "bdx"),
			 [](const auto &info) { return std::string(info.param); });

TEST(Who, SaysWhyItCannotDivide)
{
	NEEDS_FUSE();
	const Jobs jobs(kSkx, std::string(kPair) + "resctrl unavailable=yes\n");
	const Jobs older("sim:hswep:packages=1,cores=2,time=virtual", kPair);
	Who best(jobs), one(jobs, BY_JOB, SOURCE_RESCTRL), other(jobs, BY_JOB, SOURCE_CORES),
		occupancy(older, BY_JOB, SOURCE_RESCTRL);

	EXPECT_FALSE(best.open || one.open || other.open || occupancy.open);
	EXPECT_STREQ("this kernel and processor have no resctrl; the cache slices of this "
		     "processor do not filter by core; perf counts threads of this computer only",
		     best.why);
	EXPECT_STREQ("this kernel and processor have no resctrl", one.why);
	EXPECT_STREQ("the cache slices of this processor do not filter by core", other.why);
	EXPECT_STREQ("the processor monitors no memory bandwidth of processes", occupancy.why);
}

TEST(Who, HasAnErrorThatGrowsWithTheWritesOfTheOthers)
{
	EXPECT_DOUBLE_EQ(0.02, report_monitoring_error(5, 10, 0, false)); // no writes
	// none of the writes that count for it may be its own, and all that count for others
	EXPECT_DOUBLE_EQ(0.02 + 0.5, report_monitoring_error(10, 10, 5, false));
	EXPECT_DOUBLE_EQ(0.02 + 1, report_monitoring_error(5, 10, 5, false));
	EXPECT_DOUBLE_EQ(0.02 + 1, report_monitoring_error(5, 10, 8, false));
	EXPECT_DOUBLE_EQ(0.02 + 4, report_monitoring_error(1, 10, 4, false));
	EXPECT_DOUBLE_EQ(0.47, report_monitoring_error(10, 10, 0, true));
	EXPECT_DOUBLE_EQ(0.02, report_monitoring_error(0, 0, 0, false));
}

} // namespace
