// SPDX-License-Identifier: BSD-3-Clause
// daemon_test.cc - sets counted by uncored behave like sets counted by the process itself.
#include <sys/wait.h>

#include <fstream>

#include "daemon/served.h"
#include "support/file_limit.h"
#include "support/tree.h"

namespace
{

using support::kSecond;

constexpr char kReads[] = "UNC_M_CAS_COUNT:RD";

TEST(Daemon, CountsWhatTheMachineCounts)
{
	Served uncored;
	support::Handle client(uncored.options());
	ASSERT_EQ(0, client.code) << client.message();
	support::Set far(client, {kReads, "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=2:pkg=1"});

	ASSERT_EQ(0, far.start()) << client.message();
	sim_advance(uncored.model(), kSecond);
	// the same simulated machine in this process has the same counts
	support::SimMachine here;
	support::Set near(here, {kReads, "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:box=2:pkg=1"});
	ASSERT_EQ(0, near.start());
	here.advance();
	EXPECT_EQ(near.counts(), far.counts());
	EXPECT_LT(0, far.counts()[1]);
	EXPECT_EQ(0, far.reset());
	EXPECT_EQ((std::vector<int64_t>{0, 0}), far.counts());
	sim_advance(uncored.model(), kSecond);
	ASSERT_EQ(0, far.stop()) << client.message();
	const auto last = far.counts();
	sim_advance(uncored.model(), kSecond);
	EXPECT_EQ(last, far.counts());
	EXPECT_LT(0, last[0]);
}

// The daemon uses the CPUs that were online when it started, here 0 to 15.
TEST(Daemon, WarnsItsClientsOfCpusThatCameLater)
{
	Served uncored;
	support::Tree tree;
	auto options = uncored.options();
	const std::string root = tree.path("");
	const char *warning = nullptr;

	options.sysroot = root.c_str();
	for (const char *same : {"0-15", "3", "0-2,9"}) {
		tree.online(same);
		support::Handle client(options);

		ASSERT_EQ(0, client.code) << client.message();
		EXPECT_EQ(0, uncore_warning(client.u, 0, &warning)) << same << ": " << warning;
	}
	tree.online("0-3,14-17,20,22-23");
	tree.topology(16, 1, 0);
	support::Handle client(options);
	ASSERT_EQ(0, client.code) << client.message();
	EXPECT_FALSE(client.machine().partial);
	ASSERT_EQ(1, uncore_warning(client.u, 0, &warning));
	EXPECT_EQ(0u, std::string(warning).find("CPUs 16-17,20,22-23 came online after uncored "
						"started"))
		<< warning;
	tree.online("0-15,100");
	tree.topology(100, 2, 0);
	support::Handle other(options);
	ASSERT_EQ(1, uncore_warning(other.u, 0, &warning));
	EXPECT_EQ(0u, std::string(warning).find("CPU 100 came online after uncored started: sums "
						"do not include their package"))
		<< warning;
	EXPECT_TRUE(other.machine().partial);
}

TEST(Daemon, MetricsAndTimesAreThoseOfItsMachine)
{
	Served uncored;
	support::Handle client(uncored.options());
	support::Set set(client, {"UNCORE_MEM_READ_BYTES", "UNCORE_FREQUENCY", kReads});
	auto times = std::vector<uncore_times>(3);

	ASSERT_EQ(0, set.start()) << client.message();
	sim_advance(uncored.model(), 2 * kSecond);
	auto n = set.counts();
	EXPECT_EQ(64 * n[2], n[0]);
	EXPECT_NEAR(2.4e9, uncore_real(n[1]), 1e9);
	EXPECT_EQ(0, set.reset());
	sim_advance(uncored.model(), kSecond);
	EXPECT_NEAR(uncore_real(n[1]), uncore_real(set.counts()[1]), 1e4);
	times[0].size = sizeof(times[0]);
	ASSERT_EQ(0, uncore_set_times(set.set, times.data()));
	EXPECT_EQ(3 * static_cast<int64_t>(kSecond), times[2].enabled_ns);
	EXPECT_EQ(times[2].enabled_ns, times[2].running_ns);
	EXPECT_EQ(0, uncore_set_check(set.set));
	EXPECT_EQ(0, set.stop());
}

// Counts continue from the previous run, register values do not.
TEST(Daemon, EachRunBeginsAtZero)
{
	Served uncored("sim:gnr:time=virtual");
	support::Handle client(uncored.options());
	support::Set set(client,
			 {"UNC_M_CLOCKTICKS", "UNCORE_FREQUENCY_MAX_MHZ", "UNCORE_FREQUENCY"});
	std::vector<int64_t> first;

	for (int run = 0; run < 3; run++) {
		ASSERT_EQ(0, set.start()) << client.message();
		EXPECT_EQ(0, set.counts()[0]);
		sim_advance(uncored.model(), kSecond);
		ASSERT_EQ(0, set.stop()) << client.message();
		const auto n = set.counts();
		if (run == 0)
			first = n;
		EXPECT_NEAR(static_cast<double>(first[0]), static_cast<double>(n[0]), 1e3);
		EXPECT_EQ(first[1], n[1]);
		EXPECT_NEAR(uncore_real(first[2]), uncore_real(n[2]), 1e4);
	}
	EXPECT_LT(0, first[0]);
	EXPECT_LT(0, uncore_real(first[1]));
}

TEST(Daemon, LendsItsMachineToLookAt)
{
	Served uncored("sim:icx:time=virtual");
	support::Handle client(uncored.options());
	auto info = support::sized<uncore_machine_info>();
	unsigned id;

	ASSERT_EQ(0, uncore_machine(client.u, &info));
	EXPECT_STREQ("icx", info.platform);
	EXPECT_TRUE(info.daemon);
	EXPECT_TRUE(info.simulated) << "simulated counts must be marked";
	EXPECT_FALSE(info.recorded);
	EXPECT_EQ(0, uncore_event(client.u, "UNC_CHA_CLOCKTICKS", &id));
	EXPECT_EQ(UNCORE_ENOEVENT, uncore_event(client.u, "UNC_CHA_CLOCKTICKZ", &id));
	EXPECT_EQ(0u, sim_writes(uncored.model()));
}

TEST(Daemon, LetsClientsShareCounters)
{
	Served uncored;
	std::vector<std::unique_ptr<support::Handle>> clients;
	std::vector<std::unique_ptr<support::Set>> sets;

	for (unsigned i = 0; i < 20; i++) {
		clients.push_back(std::make_unique<support::Handle>(uncored.options()));
		sets.push_back(std::make_unique<support::Set>(
			*clients.back(), std::vector<std::string>{kReads, "UNC_M_CAS_COUNT:WR"}));
		ASSERT_EQ(0, sets.back()->start()) << clients.back()->message();
		sim_advance(uncored.model(), kSecond / 10);
	}
	for (unsigned i = 1; i < 20; i++)
		EXPECT_GT(sets[i - 1]->counts()[0], sets[i]->counts()[0]);
	for (auto &set : sets)
		EXPECT_EQ(0, set->stop());
}

TEST(Daemon, ReportsWhyItRefuses)
{
	Served uncored;
	support::Handle one(uncored.options()), two(uncored.options());
	support::Set first(one, {"UNC_C_RXR_OCCUPANCY:IRQ"});
	support::Set second(two, {"UNC_C_TOR_OCCUPANCY:ALL"});

	ASSERT_EQ(0, first.start()) << one.message();
	EXPECT_EQ(UNCORE_ECONFLICT, second.start());
	EXPECT_NE(std::string::npos, two.message().find("UNC_C_TOR_OCCUPANCY")) << two.message();
	EXPECT_EQ(0, first.stop());
	EXPECT_EQ(0, second.start()) << two.message();
	EXPECT_EQ(0, second.stop());
}

// UNCORE_SHARE=owner: the sum over the processes of a job is correct.
TEST(Daemon, CountsForTheFirstOfAJobAlone)
{
	Served uncored;
	auto options = uncored.options();
	int pipes[2][2];

	options.share = "owner";
	for (auto &ends : pipes)
		ASSERT_EQ(0, pipe(ends));
	const pid_t other = uncored.fork();
	if (other == 0) {
		support::Handle client(options);
		support::Set set(client, {kReads});
		char end = static_cast<char>(set.start());

		_exit(write(pipes[0][1], &end, 1) == 1 && read(pipes[1][0], &end, 1) == 1 ? 0 : 1);
	}
	char code = 1;
	ASSERT_EQ(1, read(pipes[0][0], &code, 1));
	ASSERT_EQ(0, code);
	support::Handle client(options);
	support::Set set(client, {kReads, "UNC_M_CAS_COUNT:WR", "UNCORE_MEM_READ_BYTES"});
	ASSERT_EQ(0, set.start()) << client.message();
	sim_advance(uncored.model(), kSecond);
	auto n = set.counts();
	EXPECT_EQ(0, n[0]) << "counted by the other process";
	EXPECT_LT(0, n[1]);
	EXPECT_LT(0, n[2]) << "a different name, which no other process counts";
	EXPECT_EQ(0, set.stop());
	ASSERT_EQ(1, write(pipes[1][1], &code, 1));
	waitpid(other, nullptr, 0);
	do { // until the daemon has seen its end
		ASSERT_EQ(0, set.start());
		sim_advance(uncored.model(), kSecond);
		n = set.counts();
		EXPECT_EQ(0, set.stop());
	} while (n[0] == 0);
	support::Set mean(client, {"UNCORE_FREQUENCY"});
	EXPECT_EQ(UNCORE_ECOMBO, mean.start());
	for (auto &ends : pipes)
		for (const int fd : ends)
			close(fd);
}

// ---- events known to only one side ----

TEST(Daemon, CountsEventsOfTheClientsOwnLists)
{
	Served uncored;
	auto options = uncored.options();
	const std::string list = testing::TempDir() + "own-" + std::to_string(getpid()) + ".json";
	std::ofstream(list) << R"({"Header": {"Info": "x"}, "Events": [
		{"Unit": "CBO", "EventName": "UNC_C_MY_DRD", "EventCode": "0x35", "UMask": "0x01",
		 "Counter": "0,1", "Filter": "CBoFilter", "FILTER_VALUE": "0xc1000000",
		 "BriefDescription": "x", "PublicDescription": "x"}]})";
	options.event_files = list.c_str();
	options.event_files_force = 1;
	const support::Handle client(options);
	unlink(list.c_str());
	ASSERT_EQ(0, client.code) << client.message();
	support::Set set(client, {"UNC_C_MY_DRD:pkg=1", "UNC_M_CAS_COUNT:WR"});
	ASSERT_EQ(0, set.start()) << client.message();
	sim_advance(uncored.model(), kSecond);
	support::SimMachine here;
	support::Set near(here, {"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD:pkg=1", "UNC_M_CAS_COUNT:WR"});
	ASSERT_EQ(0, near.start());
	here.advance();
	EXPECT_EQ(near.counts(), set.counts());
	EXPECT_LT(0, set.counts()[0]);
	EXPECT_EQ(0, set.stop());
}

// ---- clients and daemons that end ----

TEST(Daemon, ForgetsAProcessThatIsKilledAlsoIfItsChildLivesOn)
{
	Served uncored;
	int ready[2];

	ASSERT_EQ(0, pipe(ready));
	const pid_t killed = uncored.fork();
	if (killed == 0) {
		support::Handle client(uncored.options());
		support::Set set(client, {"UNC_C_RXR_OCCUPANCY:IRQ"});
		const bool good = set.start() == 0;
		const pid_t child = fork();

		if (child == 0)
			for (;;)
				pause();
		_exit(write(ready[1], &child, sizeof(child)) == sizeof(child) && good && pause() < 0
			      ? 0
			      : 1);
	}
	pid_t child = 0;
	ASSERT_EQ(static_cast<ssize_t>(sizeof(child)), read(ready[0], &child, sizeof(child)));
	support::Handle client(uncored.options());
	support::Set set(client, {"UNC_C_TOR_OCCUPANCY:ALL"}); // needs the same counter
	EXPECT_EQ(UNCORE_ECONFLICT, set.start());
	kill(killed, SIGKILL);
	waitpid(killed, nullptr, 0);
	EXPECT_EQ(0, start_when_free(set)) << client.message();
	EXPECT_EQ(0, set.stop());
	kill(child, SIGKILL);
	close(ready[0]);
	close(ready[1]);
}

TEST(Daemon, EndingIsReported)
{
	Served uncored;
	support::Handle client(uncored.options());
	support::Set set(client, {kReads});

	ASSERT_EQ(0, set.start());
	sim_advance(uncored.model(), kSecond);
	const int64_t before = set.count();
	uncored.end();
	int64_t n = 0;
	EXPECT_EQ(UNCORE_EIO, uncore_set_read(set.set, &n));
	EXPECT_EQ(before, n) << "the last value must be kept";
	EXPECT_EQ(UNCORE_EIO, set.stop());
	EXPECT_NE(std::string::npos, client.message().find("lost the connection to uncored"))
		<< client.message();
	EXPECT_EQ(before, set.count());
	EXPECT_EQ(UNCORE_ENODEV, set.start());
	EXPECT_NE(std::string::npos, client.message().find("no uncored is listening"));
	uncored.begin();
	EXPECT_EQ(0, set.start()) << client.message();
	sim_advance(uncored.model(), kSecond);
	EXPECT_NEAR(1, static_cast<double>(set.count()) / static_cast<double>(before), 0.01);
	EXPECT_EQ(0, set.stop());
}

// ---- choice of backend ----

TEST(Access, WithoutADaemonIsRefusedOnlyIfThereMustBeOne)
{
	auto options = support::sized<uncore_options>();

	options.daemon = "/nowhere/socket";
	options.access = "daemon";
	const support::Handle must(options);
	EXPECT_EQ(UNCORE_ENODEV, must.code);
	EXPECT_NE(std::string::npos,
		  must.message().find("no uncored is listening at /nowhere/socket"));
	options.access = "auto";
	const support::Handle may(options);
	EXPECT_NE(UNCORE_ENODEV, may.code);
	options.access = "telepathy";
	const support::Handle wrong(options);
	EXPECT_EQ(UNCORE_EINVAL, wrong.code);
	EXPECT_NE(std::string::npos, wrong.message().find("invalid UNCORE_ACCESS"));
}

TEST(Access, UsesADaemonIfItRunsAndIsRequested)
{
	Served uncored;
	auto options = uncored.options();
	auto info = support::sized<uncore_machine_info>();

	options.access = "auto";
	const support::Handle client(options);
	ASSERT_EQ(0, uncore_machine(client.u, &info));
	EXPECT_TRUE(info.daemon);
	options.machine = "sim:skx";
	const support::Handle simulated(options);
	ASSERT_EQ(0, uncore_machine(simulated.u, &info));
	EXPECT_FALSE(info.daemon);
}

// poll() takes no more entries than a process may have files.
TEST(Daemon, FailsWithTheReasonIfItCannotWait)
{
	Served uncored;

	uncored.end();
	EXPECT_EQ(1, support::in_child([&] {
			  struct server *s = uncored.server.get();

			  s->signals = eventfd(0, EFD_CLOEXEC);
			  for (s->n_places = 0; s->n_places < MAX_CLIENTS; s->n_places++) {
				  s->clients[s->n_places].fd = s->signals;
				  s->clients[s->n_places].user = users_find(&s->users, 0);
			  }
			  testing::internal::CaptureStderr();
			  const int r = support::with_file_limit(MAX_CLIENTS,
								 [&] { return daemon_serve(s); });
			  const std::string text = testing::internal::GetCapturedStderr();
			  const auto at = text.find("cannot wait for events: Invalid argument");

			  return at != std::string::npos ? r : 2;
		  }));
}

} // namespace
