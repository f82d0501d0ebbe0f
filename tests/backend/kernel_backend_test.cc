// SPDX-License-Identifier: BSD-3-Clause
// kernel_way_test.cc - UNCORE_ACCESS=kernel: the same names, sums and metrics through the
// kernel's driver, which is replaced by a fake driver (support/fake_driver.h).
#include <fcntl.h>
#include <sys/wait.h>

#include "command/doctor/doctor.h"
#include "support/fake_driver.h"

namespace
{

using support::FakeDriver;
using support::Handle;
using support::Set;
using support::Tree;

const std::map<std::string, std::pair<unsigned, unsigned>> kModels = {
	{"snbep", {6, 45}}, {"nhmex", {6, 46}}, {"skx", {6, 85}},
	{"icx", {6, 106}},  {"spr", {6, 143}},
};

// A machine on which an unprivileged user can only read text files.
class Closed : public Tree
{
      public:
	explicit Closed(const std::string &platform)
	{
		const auto [family, model] = kModels.at(platform);

		cpuinfo("GenuineIntel", family, model);
		online("0-7");
		for (unsigned i = 0; i < 8; i++)
			topology(i, i / 4, i % 4);
		if (platform == "snbep")
			for (unsigned p = 0; p < 2; p++)
				uncore_devices(0, 0x7f + 0x80 * p);
		support::write_pmus(*this, platform, "0,4");
		write("proc/sys/kernel/perf_event_paranoid", "0\n");
	}
	uncore_options options(const char *access = "kernel") const
	{
		uncore_options o = Tree::options();

		o.access = access;
		return o;
	}
};

struct Same {
	const char *platform;
	std::vector<std::string> events;
};

std::ostream &operator<<(std::ostream &out, const Same &s)
{
	return out << s.platform;
}

class KernelBackend : public testing::TestWithParam<Same>
{
};

TEST_P(KernelBackend, CountsWhatRegistersDo)
{
	const Same &same = GetParam();
	const Closed tree(same.platform);
	FakeDriver driver(same.platform);
	const Handle kernel(tree.options());

	ASSERT_EQ(0, kernel.code) << kernel.message();
	EXPECT_TRUE(kernel.machine().kernel);
	EXPECT_FALSE(kernel.machine().daemon);
	EXPECT_FALSE(kernel.machine().simulated);
	EXPECT_EQ(2U, kernel.machine().packages);
	for (const std::string &event : same.events) {
		Set theirs(kernel, {event}), ours(driver.machine, {event});
		std::vector<int64_t> before;

		driver.pass(3);
		ASSERT_EQ(0, theirs.start()) << event << ": " << kernel.message();
		ASSERT_EQ(0, ours.start()) << event << ": " << driver.machine.message();
		driver.pass(20);
		EXPECT_EQ(ours.counts(), theirs.counts()) << event;
		EXPECT_LT(0, theirs.count()) << event;
		EXPECT_EQ(0, uncore_set_check(theirs.set)) << kernel.message();
		EXPECT_EQ(0, theirs.reset());
		EXPECT_EQ(0, ours.reset());
		driver.pass(10);
		EXPECT_EQ(0, theirs.stop()) << kernel.message();
		EXPECT_EQ(0, ours.stop());
		EXPECT_EQ(ours.counts(), theirs.counts()) << event;
		before = theirs.counts();
		driver.pass(5);
		EXPECT_EQ(before, theirs.counts()) << event << " counted after stop";
		// start again with the same descriptors
		ASSERT_EQ(0, theirs.start()) << kernel.message();
		ASSERT_EQ(0, ours.start());
		EXPECT_EQ(ours.counts(), theirs.counts()) << event;
		driver.pass(7);
		EXPECT_EQ(ours.counts(), theirs.counts()) << event;
		EXPECT_EQ(0, theirs.stop());
		EXPECT_EQ(0, ours.stop());
	}
}

INSTANTIATE_TEST_SUITE_P(
	Platforms, KernelBackend,
	testing::Values(Same{"snbep",
			     {"UNC_C_CLOCKTICKS", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
			      "UNC_M_CAS_COUNT:RD:pkg=1", "UNC_M_CLOCKTICKS",
			      "UNC_Q_TXL_FLITS_G0:DATA", "UNC_U_CLOCKTICKS",
			      "UNCORE_MEM_READ_BYTES", "UNCORE_TOR_DRD_LATENCY_CLOCKS"}},
			Same{"nhmex", {"UNC_C_LLC_MISSES:box=3", "UNC_B_TF_ALL", "UNC_M_DRAM_CMD"}},
			Same{"skx", {"UNC_C_CLOCKTICKS", "UNC_C_LLC_LOOKUP", "UNC_P_CLOCKTICKS"}},
			Same{"icx", {"UNC_CHA_CLOCKTICKS:box=2", "UNC_M_CAS_COUNT:RD"}},
			Same{"spr",
			     {"UNC_CHA_CLOCKTICKS", "UNC_CHA_TOR_INSERTS:IA_MISS:box=1",
			      "UNC_M_CAS_COUNT:RD"}}),
	[](const testing::TestParamInfo<Same> &info) { return std::string(info.param.platform); });

class KernelDriver : public testing::Test
{
      protected:
	KernelDriver() : tree("snbep"), driver("snbep"), kernel(tree.options())
	{
		EXPECT_EQ(0, kernel.code) << kernel.message();
	}
	bool says(const std::string &words) const
	{
		return kernel.message().find(words) != std::string::npos;
	}
	static std::string descriptors()
	{
		std::string list;

		for (int fd = 0; fd < 256; fd++)
			if (fcntl(fd, F_GETFD) >= 0)
				list += std::to_string(fd) + " ";
		return list;
	}

	Closed tree;
	FakeDriver driver;
	Handle kernel;
};

TEST_F(KernelDriver, BoxesAreThoseThatHavePmus)
{
	for (const uncore_box_info &box : kernel.boxes()) {
		const std::string kind = box.kind;
		const bool known =
			kind != "r2pcie" && kind != "ha" && kind != "ubo" && kind != "pcu";

		if (known && !box.absent) {
			EXPECT_EQ(0, std::string(box.location).find("uncore_")) << box.location;
		}
	}
	EXPECT_EQ(16U, kernel.present("cbo"));
	EXPECT_EQ(8U, kernel.present("imc"));
	EXPECT_EQ(2U, kernel.present("pcu"));
	EXPECT_STREQ("the PMUs of the kernel's driver", kernel.boxes("cbo")[0].basis);
	EXPECT_STREQ("uncore_cbox_3", kernel.boxes("cbo")[3].location);
	EXPECT_STREQ("uncore_pcu", kernel.boxes("pcu")[1].location);
}

TEST_F(KernelDriver, EqualEventsTakeOneCounterOfABox)
{
	const unsigned before = driver.opened;
	Set set(kernel,
		{"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:RD:box=0:pkg=0", "UNCORE_MEM_READ_BYTES"});
	std::vector<int64_t> counts;

	ASSERT_EQ(0, set.start()) << kernel.message();
	EXPECT_EQ(8U, driver.opened - before);
	driver.pass(10);
	counts = set.counts();
	EXPECT_EQ(counts[0] * 64, counts[2]);
	EXPECT_LT(counts[1], counts[0]);
}

TEST_F(KernelDriver, SetsCoexist)
{
	Set one(kernel, {"UNC_M_CAS_COUNT:RD"}), two(kernel, {"UNC_M_CAS_COUNT:WR"});

	ASSERT_EQ(0, one.start());
	driver.pass(10);
	ASSERT_EQ(0, two.start()) << kernel.message();
	driver.pass(10);
	EXPECT_LT(0, two.count());
	EXPECT_EQ(0, one.stop());
	EXPECT_EQ(0, two.stop());
}

// The region's time ends at the stop, not at the last read.
TEST_F(KernelDriver, AStopEndsTheRegionsThatAreOpen)
{
	Set set(kernel, {"UNC_M_CAS_COUNT:RD"});
	auto info = support::sized<struct uncore_region_info>();
	int64_t value = 0;
	unsigned id;

	ASSERT_EQ(0, set.start());
	ASSERT_EQ(0, uncore_region(set.set, "region", &id));
	ASSERT_EQ(0, uncore_region_begin(set.set, id));
	driver.pass(10);
	usleep(2000);
	ASSERT_EQ(0, set.stop());
	ASSERT_EQ(0, uncore_region_end(set.set, id));
	ASSERT_EQ(1, uncore_region_info(set.set, id, &info, &value));
	EXPECT_EQ(set.count(), value);
	EXPECT_LE(2000000, info.ns);
}

TEST_F(KernelDriver, ABoxWithoutAFreeCounterIsNamedAtTheStart)
{
	Set set(kernel, {"UNC_C_CLOCKTICKS"});

	driver.busy = "uncore_cbox_3";
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	EXPECT_TRUE(says("cbo3 of package 0: the kernel's driver has no free counter"))
		<< kernel.message();
	EXPECT_FALSE(set.info().running);
	driver.busy = "";
	ASSERT_EQ(0, set.start()) << kernel.message();
	driver.pass(10);
	EXPECT_LT(0, set.count());
	EXPECT_EQ(0, set.stop());
	// the same for a set that was running before
	driver.busy = "uncore_cbox_3";
	EXPECT_EQ(UNCORE_EBUSY, set.start());
	driver.busy = "";
	EXPECT_EQ(0, set.start()) << kernel.message();
	EXPECT_EQ(0, set.stop());
}

// openvelinux#149: the driver keeps the PMU of a box that it cannot initialize.
TEST_F(KernelDriver, ABoxInWhichTheDriverCountsNothingIsNamed)
{
	Set set(kernel, {"UNC_M_CAS_COUNT:RD"}), other(kernel, {"UNC_M_CAS_COUNT:RD:box=1:pkg=1"});

	for (unsigned i = 0; i < 4; i++)
		tree.write("sys/bus/event_source/devices/uncore_imc_" + std::to_string(i) +
				   "/events/clockticks",
			   "event=0xff,umask=0x00\n");
	driver.dead = "uncore_imc_2";
	driver.dead_in = 1;
	ASSERT_EQ(0, set.start()) << kernel.message();
	EXPECT_EQ(0, uncore_set_check(set.set)) << "too early to say: " << kernel.message();
	driver.pass(10);
	driver.ms_of_a_read = 1;
	EXPECT_EQ(UNCORE_EIO, uncore_set_check(set.set));
	EXPECT_TRUE(says("imc2 of package 1: the kernel's driver counts nothing in this box"))
		<< kernel.message();
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_TRUE(says("sums over these boxes would be too low")) << kernel.message();
	ASSERT_EQ(0, other.start()) << kernel.message();
	driver.pass(10);
	EXPECT_EQ(0, other.stop()) << kernel.message();
	EXPECT_LT(0, other.count());
	driver.dead = "";
	ASSERT_EQ(0, set.start()) << kernel.message();
	driver.pass(10);
	EXPECT_EQ(0, set.stop()) << kernel.message();
	EXPECT_LT(0, set.count());
}

// An event that does not occur proves nothing.
TEST_F(KernelDriver, ABoxWhoseEventDoesNotOccurIsNotSilent)
{
	Set set(kernel, {"UNC_M_PRE_COUNT:PAGE_MISS:t=30"});

	for (unsigned i = 0; i < 4; i++)
		tree.write("sys/bus/event_source/devices/uncore_imc_" + std::to_string(i) +
				   "/events/clockticks",
			   "event=0xff,umask=0x00\n");
	ASSERT_EQ(0, set.start()) << kernel.message();
	driver.pass(10);
	driver.ms_of_a_read = 1;
	EXPECT_EQ(0, uncore_set_check(set.set)) << kernel.message();
	EXPECT_EQ(0, set.stop()) << kernel.message();
	EXPECT_EQ(0, set.count());
}

TEST_F(KernelDriver, CountsOfAPartOfTheTimeAreVoid)
{
	Set set(kernel, {"UNC_C_CLOCKTICKS"});
	int64_t before;

	ASSERT_EQ(0, set.start());
	driver.pass(10);
	before = set.count();
	driver.pass(10);
	driver.shared = "uncore_cbox_5";
	EXPECT_EQ(UNCORE_ESTOLEN, uncore_set_check(set.set));
	EXPECT_TRUE(says("cbo5 of package 0")) << kernel.message();
	EXPECT_EQ(before, set.count(UNCORE_EIO));
	EXPECT_TRUE(says("cbo5 of package 0 for the whole run: the counts of this run are invalid"))
		<< kernel.message();
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
	EXPECT_TRUE(says("invalid")) << kernel.message();
	EXPECT_EQ(before, set.count()) << "the last correct count";
	driver.shared = "";
	EXPECT_EQ(0, set.start()) << kernel.message();
	driver.pass(10);
	EXPECT_NEAR(before, set.count(), 100) << "the count of the new run";
	EXPECT_EQ(0, set.stop());
}

// A pinned group in the error state.
TEST_F(KernelDriver, AGroupThatLosesItsCountersIsVoid)
{
	Set set(kernel, {"UNC_M_CAS_COUNT:RD"});

	ASSERT_EQ(0, set.start());
	driver.pass(10);
	driver.busy = "uncore_imc_2";
	set.counts(UNCORE_EIO);
	EXPECT_TRUE(says("imc2")) << kernel.message();
	EXPECT_EQ(UNCORE_ESTOLEN, uncore_set_check(set.set));
	EXPECT_EQ(UNCORE_ESTOLEN, set.stop());
}

TEST_F(KernelDriver, AClosedDescriptorIsAnError)
{
	const std::string before = descriptors();
	Set set(kernel, {"UNC_P_CLOCKTICKS:pkg=0"});
	int mine = -1;

	ASSERT_EQ(0, set.start());
	for (int fd = 3; fd < 256 && mine < 0; fd++)
		if (fcntl(fd, F_GETFD) >= 0 &&
		    (" " + before).find(" " + std::to_string(fd) + " ") == before.npos)
			mine = fd;
	ASSERT_LE(3, mine);
	close(mine);
	set.counts(UNCORE_EIO);
	EXPECT_TRUE(says("pcu0 of package 0: Bad file descriptor")) << kernel.message();
	EXPECT_EQ(UNCORE_EIO, uncore_set_check(set.set));
	EXPECT_TRUE(says("was closed")) << kernel.message();
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_EQ(0, set.start()) << "with new ones: " << kernel.message();
	EXPECT_EQ(0, set.stop());
}

TEST_F(KernelDriver, DescriptorsEndWithTheSetsEvents)
{
	const std::string before = descriptors();
	{
		Set set(kernel, {"UNC_C_CLOCKTICKS"});

		EXPECT_EQ(before, descriptors()) << "no descriptor before the start";
		ASSERT_EQ(0, set.start());
		EXPECT_EQ(0, set.stop());
		EXPECT_NE(before, descriptors());
		EXPECT_EQ(0, set.assign({"UNC_P_CLOCKTICKS"}));
		EXPECT_EQ(before, descriptors());
		ASSERT_EQ(0, set.start());
	}
	EXPECT_EQ(before, descriptors());
}

TEST_F(KernelDriver, ErrorsOfTheKernelHaveAMessage)
{
	static const struct {
		int error, code;
		const char *says;
	} cases[] = {
		{-EACCES, UNCORE_EACCESS, "perf_event_paranoid is 2"},
		{-ENODEV, UNCORE_ENODEV,
		 "cbo0 of package 0: the kernel no longer provides this PMU"},
		{-EMFILE, UNCORE_ENOMEM, "ulimit -n"},
		{-EINVAL, UNCORE_ECONFLICT, "cannot count these events together"},
		{-ENOSPC, UNCORE_EIO, "No space left"},
		{-ENOMEM, UNCORE_ENOMEM, "out of memory"},
	};
	const std::string before = descriptors();
	Set set(kernel, {"UNC_C_CLOCKTICKS"});

	tree.write("proc/sys/kernel/perf_event_paranoid", "2\n");
	for (const auto &one : cases) {
		driver.open_error = one.error;
		EXPECT_EQ(one.code, set.start());
		EXPECT_TRUE(says(one.says)) << kernel.message();
		EXPECT_EQ(before, descriptors()) << one.says;
	}
	driver.open_error = 0;
	EXPECT_EQ(0, set.start());
	EXPECT_EQ(0, set.stop());
}

TEST_F(KernelDriver, UnsupportedEventsAreRefused)
{
	auto after = support::sized<uncore_stop_after>();
	Set turns(kernel), until(kernel, {"UNC_C_CLOCKTICKS:box=0:pkg=0"});
	auto op = support::sized<uncore_op_info>();
	uint64_t value;

	EXPECT_EQ(0, uncore_set_multiplex(turns.set, 10000));
	ASSERT_EQ(0, turns.assign({"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
				   "UNC_C_TOR_INSERTS:OPCODE:OPC_RFO"}))
		<< kernel.message();
	EXPECT_EQ(UNCORE_ENOSUPP, turns.start());
	EXPECT_TRUE(says("must be multiplexed")) << kernel.message();
	after.count = 1000;
	ASSERT_EQ(0, uncore_set_stop_after(until.set, &after, 1, 0)) << kernel.message();
	EXPECT_EQ(UNCORE_ENOSUPP, until.start());
	EXPECT_TRUE(says("has a stop condition")) << kernel.message();
	EXPECT_EQ(UNCORE_ENOSUPP, uncore_register(kernel.u, 0, UNCORE_CONTROL, 0, &op));
	EXPECT_EQ(UNCORE_ENOSUPP, uncore_register_value(kernel.u, 0, UNCORE_CONTROL, 0, &value));
	EXPECT_TRUE(says("UNCORE_ACCESS=direct")) << kernel.message();
	// conflicts are detected without the kernel
	EXPECT_EQ(UNCORE_ECONFLICT, Set(kernel).assign({"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD",
							"UNC_C_TOR_INSERTS:OPCODE:OPC_RFO"}));
}

TEST_F(KernelDriver, EventsItMayMisplaceAreRefused)
{
	Set set(kernel, {"UNC_C_CLOCKTICKS", "snbep_unc_cbo::RAW:config=0x14:box=1"});

	EXPECT_EQ(UNCORE_ENOSUPP, set.start());
	EXPECT_TRUE(says("cbo1 of package 0: the kernel's driver may put this event on a counter"))
		<< kernel.message();
}

TEST_F(KernelDriver, TheDoctorNamesTheAccessMethod)
{
	const std::string path = tree.root;
	doctor_report report;
	std::string all;

	setenv("UNCORE_SYSROOT", path.c_str(), 1);
	setenv("UNCORE_ACCESS", "kernel", 1);
	doctor_examine(&report, "native");
	unsetenv("UNCORE_ACCESS");
	unsetenv("UNCORE_SYSROOT");
	for (size_t i = 0; i < report.n; i++)
		if (strcmp(report.at[i].check, "papi") != 0 && report.at[i].state == DOCTOR_PROBLEM)
			ADD_FAILURE() << report.at[i].check << ": " << report.at[i].found;
		else
			all += std::string(report.at[i].check) + ": " + report.at[i].found + "\n";
	doctor_free(&report);
	EXPECT_NE(std::string::npos, all.find("access: through the kernel driver")) << all;
	EXPECT_NE(std::string::npos, all.find("may count through the kernel driver")) << all;
	EXPECT_EQ(std::string::npos, all.find("msr files")) << all;
}

TEST_F(KernelDriver, APlanHasCountersAndNoOperations)
{
	const unsigned id = kernel.event("UNC_M_CAS_COUNT:RD");
	auto a = support::sized<uncore_assignment_info>();
	auto op = support::sized<uncore_op_info>();
	struct uncore_plan *plan;

	ASSERT_EQ(0, uncore_plan(kernel.u, &id, 1, nullptr, &plan)) << kernel.message();
	EXPECT_EQ(1, uncore_plan_assignment(plan, 7, &a));
	EXPECT_STREQ("imc", a.kind);
	for (int phase = UNCORE_PHASE_SETUP; phase <= UNCORE_PHASE_RESTORE; phase++)
		EXPECT_EQ(0, uncore_plan_op(plan, static_cast<enum uncore_phase>(phase), 0, &op));
	uncore_plan_free(plan);
}

// A child inherits the descriptors of its parent, and must not stop the parent's events.
TEST_F(KernelDriver, AForkedChildLeavesItAlone)
{
	Set set(kernel, {"UNC_P_CLOCKTICKS"});
	int64_t before;
	int status = 0;

	ASSERT_EQ(0, set.start());
	driver.pass(10);
	before = set.count();
	const pid_t child = fork();
	if (child == 0) {
		int64_t value = -1;
		const bool right = uncore_set_read(set.set, &value) == 0 && value == before &&
				   uncore_set_start(set.set) == UNCORE_EFORK &&
				   uncore_set_stop(set.set) == 0;

		uncore_close(kernel.u);
		_exit(right ? 0 : 1);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	driver.pass(10);
	EXPECT_EQ(2 * before, set.count());
	EXPECT_EQ(0, set.stop());
}

TEST_F(KernelDriver, SumsThatWouldLackABoxAreRefused)
{
	Tree &files = tree;

	// the kernel reports as many C-Boxes as it supports, and device 3cb4 is a memory
	// channel
	files.remove(support::kPerfDevices + "uncore_imc_3");
	files.remove(support::kPerfDevices + "uncore_imc_2");
	const Handle fewer(tree.options());
	ASSERT_EQ(0, fewer.code) << fewer.message();
	EXPECT_EQ(UNCORE_ENODEV, fewer.refusal("UNC_M_CAS_COUNT:RD"));
	EXPECT_NE(std::string::npos, fewer.message().find("imc2 of package 0")) << fewer.message();
	EXPECT_EQ(0, fewer.refusal("UNC_M_CAS_COUNT:RD:box=1"));
	uncore_options o = tree.options();
	o.partial = 1;
	const Handle partial(o);
	EXPECT_EQ(0, partial.refusal("UNC_M_CAS_COUNT:RD")) << partial.message();
	EXPECT_TRUE(partial.machine().partial);
}

TEST_F(KernelDriver, ABoxThatOnePackageLacksIsAbsentThere)
{
	driver.lacks = "uncore_cbox_7";
	driver.lacks_in = 1;
	const Handle fewer(tree.options());

	EXPECT_EQ(15U, fewer.present("cbo"));
	Set set(fewer, {"UNC_C_CLOCKTICKS"});
	EXPECT_EQ(0, set.start()) << fewer.message();
	EXPECT_EQ(0, set.stop());
}

// ---- opening ----

std::string refused(const uncore_options &options, int code)
{
	const Handle handle(options);

	EXPECT_EQ(code, handle.code) << handle.message();
	return handle.message();
}

TEST(KernelOpen, SaysWhyItCannot)
{
	Closed tree("snbep");
	FakeDriver driver("snbep");
	uncore_options o = tree.options("perf");

	EXPECT_NE(std::string::npos, refused(o, UNCORE_EINVAL).find("invalid UNCORE_ACCESS"));
	o = tree.options();
	o.share = "owner";
	EXPECT_NE(std::string::npos, refused(o, UNCORE_ENOSUPP).find("UNCORE_SHARE=owner"));
	driver.open_error = -EACCES;
	tree.write("proc/sys/kernel/perf_event_paranoid", "2\n");
	EXPECT_NE(std::string::npos,
		  refused(tree.options(), UNCORE_EACCESS).find("perf_event_paranoid is 2"));
	tree.write("proc/sys/kernel/perf_event_paranoid", "-1\n");
	EXPECT_NE(std::string::npos,
		  refused(tree.options(), UNCORE_EACCESS).find("a sandbox or container"));
	driver.open_error = 0;
	tree.remove(support::kPerfDevices);
	EXPECT_NE(std::string::npos,
		  refused(tree.options(), UNCORE_ENODEV).find("modprobe intel_uncore"));
	tree.cpuinfo("GenuineIntel", 6, 1);
	EXPECT_NE(std::string::npos, refused(tree.options(), UNCORE_ENOSUPP).find("no uncore"));
}

TEST(KernelOpen, PmusOfAnotherCpuAreIgnored)
{
	Closed tree("snbep");
	FakeDriver driver("snbep");

	tree.remove(support::kPerfDevices);
	support::write_pmu(tree, "uncore_upi_0", 10, "event=0-7", "0,4");
	refused(tree.options(), UNCORE_ENODEV);
}

// With another root directory the kernel is used only on request.
TEST(KernelOpen, AutoDoesNotAskTheKernelAboutOtherRoots)
{
	Closed tree("snbep");
	FakeDriver driver("snbep");

	refused(tree.options("auto"), UNCORE_EACCESS);
	refused(tree.options("direct"), UNCORE_EACCESS);
	EXPECT_EQ(0U, driver.opened);
}

} // namespace
