// SPDX-License-Identifier: BSD-3-Clause
// mount_test.cc - the simulated machine mounted as files, with the native code on them.
#include <functional>

#include <fcntl.h>

#include "set/inside.h"
#include "support/child.h"
#include "support/every_event.h"
#include "support/machines.h"
#include "support/mounted.h"
#include "support/multiplexed.h"
#include "support/sized.h"

namespace
{

using support::Handle;
using support::kSecond;
using support::Mounted;
using support::Set;

constexpr uint32_t kBoxControl = 0xd04; // SNB-EP: of C-Box 0

// Clocks of all kinds of boxes, as many as fit together, and what has no name.
std::vector<std::string> events_of(const Handle &h)
{
	std::vector<std::string> names, candidates = support::listed_names(h);

	for (const char *pmu : {"gnr_unc_", "srf_unc_", "cwf_unc_", "dmr_unc_"})
		for (const char *rest : {"cha::RAW:config=0x1", "cbo::RAW:config=0x1",
					 "imc::RAW:config=0x101", "pcie6::RAW:config=0x1"})
			if (h.refusal(std::string(pmu) + rest) == 0)
				candidates.push_back(std::string(pmu) + rest);
	for (const std::string &name : candidates) {
		if (name.find("CLOCKTICKS") == std::string::npos &&
		    name.find("RAW") == std::string::npos)
			continue;
		names.push_back(name);
		if (Set(h).assign(names) != 0)
			names.pop_back();
	}
	return names;
}

class EachMachine : public testing::TestWithParam<const char *>
{
};

TEST_P(EachMachine, CountsAsInProcess)
{
	NEEDS_FUSE();
	const std::string machine = GetParam();
	const std::string spec = support::machine_with(machine, "cores=4,time=virtual");
	const Mounted files(spec);
	auto in_process = support::sized<uncore_options>();

	in_process.machine = spec.c_str();
	const Handle here(in_process), mounted(files.options());
	ASSERT_EQ(0, here.code) << here.message();
	ASSERT_EQ(0, mounted.code) << mounted.message();
	const std::vector<std::string> names = events_of(here);
	EXPECT_EQ(names, events_of(mounted));
	EXPECT_EQ(here.present(""), mounted.present(""));
	EXPECT_TRUE(mounted.machine().simulated);

	Set one(here, names), other(mounted, names);
	ASSERT_EQ(0, one.start()) << here.message();
	ASSERT_EQ(0, other.start()) << mounted.message();
	sim_advance(unc_hw_sim(unc_hw_of(here.u)), kSecond);
	files.advance(kSecond);
	EXPECT_EQ(0, one.stop());
	EXPECT_EQ(0, other.stop());
	const std::vector<int64_t> counts = one.counts();
	EXPECT_EQ(counts, other.counts());
	EXPECT_LE(2U, names.size());
	for (size_t i = 0; i < counts.size(); i++)
		EXPECT_LT(1000, counts[i]) << names[i];
}

INSTANTIATE_TEST_SUITE_P(Mount, EachMachine, testing::ValuesIn(support::machines_and_variants()),
			 [](const auto &info) { return support::machine_label(info.param); });
INSTANTIATE_TEST_SUITE_P(MountOfDies, EachMachine, testing::Values("skx:packages=2,dies=2"),
			 [](const auto &info) {
				 std::string name = info.param;

				 for (char &c : name)
					 c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
				 return name;
			 });

// Three events for counter 0 of the C-Boxes, which are multiplexed by the machine's clock.
std::vector<int64_t> counts_in_windows(const Handle &h,
				       const std::function<void(uint64_t)> &advance)
{
	support::Multiplexed set(h, {"UNC_C_TOR_OCCUPANCY:ALL", "UNC_C_TOR_OCCUPANCY:MISS_ALL",
				     "UNC_C_RXR_OCCUPANCY:IRQ"});

	EXPECT_EQ(0, set.start()) << h.message();
	for (uint64_t turn = 1; turn < 8; turn++) {
		advance(turn * 1000000);
		EXPECT_TRUE(set.window());
	}
	EXPECT_EQ(0, set.stop());
	return set.counts();
}

TEST(Mount, EventsAreMultiplexedByTheMachinesClock)
{
	NEEDS_FUSE();
	const Mounted files("sim:snbep:time=virtual");
	auto options = support::sized<uncore_options>();

	options.machine = "sim:snbep:time=virtual";
	const Handle here(options), mounted(files.options());
	EXPECT_EQ(
		counts_in_windows(
			here, [&](uint64_t ns) { sim_advance(unc_hw_sim(unc_hw_of(here.u)), ns); }),
		counts_in_windows(mounted, [&](uint64_t ns) { files.advance(ns); }));
}

// The clocks of one C-Box and one memory channel.
std::vector<std::string> clocks_of(unsigned box)
{
	const std::string number = ":box=" + std::to_string(box);

	return {"UNC_C_CLOCKTICKS" + number, "UNC_M_CLOCKTICKS" + number};
}

// Reports that it counts, waits for the request to stop; returns its exit status.
int count_in_child(const Mounted &files, unsigned box, int started, int go,
		   const std::vector<int64_t> &expected)
{
	const Handle h(files.options());
	Set set(h, clocks_of(box));
	char c = 0;

	if (set.start() != 0 || write(started, &c, 1) != 1 || read(go, &c, 1) != 0)
		return 1;
	return set.stop() != 0 ? 2 : set.counts() != expected ? 3 : 0;
}

std::vector<int64_t> counts_in_process(unsigned box)
{
	auto options = support::sized<uncore_options>();

	options.machine = "sim:snbep:time=virtual";
	const Handle h(options);
	Set set(h, clocks_of(box));
	EXPECT_EQ(0, set.start());
	sim_advance(unc_hw_sim(unc_hw_of(h.u)), kSecond);
	EXPECT_EQ(0, set.stop());
	return set.counts();
}

TEST(Mount, SeveralProcessesCountAtOnce)
{
	NEEDS_FUSE();
	const Mounted files("sim:snbep:time=virtual");
	std::vector<pid_t> children;
	int started[2], go[2];
	char c;

	ASSERT_EQ(0, pipe(started));
	ASSERT_EQ(0, pipe(go));
	for (unsigned box = 0; box < 4; box++) {
		const std::vector<int64_t> expected = counts_in_process(box);
		const pid_t pid = support::fork_clean();

		if (pid == 0) {
			close(go[1]);
			_exit(count_in_child(files, box, started[1], go[0], expected));
		}
		children.push_back(pid);
	}
	close(started[1]);
	for (unsigned i = 0; i < 4; i++)
		EXPECT_EQ(1, read(started[0], &c, 1));
	files.advance(kSecond);
	close(go[1]); // tells all of them
	for (pid_t pid : children)
		EXPECT_EQ(0, support::status_of(pid));
	close(started[0]);
	close(go[0]);
}

TEST(Mount, FilesThatStayOpenEndWithTheServer)
{
	NEEDS_FUSE();
	Mounted files("sim:snbep");
	const int fd = open(files.path("dev/cpu/0/msr").c_str(), O_RDWR | O_CLOEXEC);
	uint64_t value;

	EXPECT_EQ(8, pread(fd, &value, 8, kBoxControl));
	EXPECT_EQ(0, files.end());
	EXPECT_EQ(-1, pread(fd, &value, 8, kBoxControl));
	EXPECT_EQ(ENOTCONN, errno);
	close(fd);
	EXPECT_NE(0, access(files.path("dev/cpu/0/msr").c_str(), F_OK));
}

TEST(Mount, RegistersThatVanishAreAnErrorOfTheCount)
{
	NEEDS_FUSE();
	Mounted files("sim:snbep");
	const Handle h(files.options());
	Set set(h, {"UNC_M_CAS_COUNT:RD"});

	EXPECT_EQ(0, set.start());
	set.counts();
	EXPECT_EQ(0, files.end());
	std::vector<int64_t> values(1);
	EXPECT_GT(0, uncore_set_read(set.set, values.data()));
	EXPECT_NE(0, set.stop());
}

} // namespace
