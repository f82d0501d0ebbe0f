// SPDX-License-Identifier: BSD-3-Clause
// limits_test.cc - limits on the request rate, with the test's clock; which users can see and
// stop whose sets; and the number of stored names.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "daemon/served.h"

extern "C" {
#include "backend/daemon/clients.h"
#include "daemon/limits.h"
}

namespace
{

constexpr int64_t kSecond = 1000000000;

TEST(Limits, ABucketHoldsTheRequestsOfOneSecond)
{
	const limits all = {10};
	bucket own = {}, starts = {};

	const int64_t before = limits_now();
	for (int i = 0; i < 10; i++)
		limits_take(&all, &own, &starts, UNC_WIRE_READ);
	EXPECT_EQ(0, limits_wait(&own, &starts, limits_now()));
	limits_take(&all, &own, &starts, UNC_WIRE_READ);
	limits_take(&all, &own, &starts, UNC_WIRE_READ);
	EXPECT_LT(0, limits_wait(&own, &starts, before));
	EXPECT_EQ(0, limits_wait(&own, &starts, limits_now() + kSecond));
}

TEST(Limits, StartsAreTheUsersWhateverTheClient)
{
	const limits all = {};
	bucket one = {}, other = {}, starts = {}, anothers = {};
	const int64_t before = limits_now();

	for (int i = 0; i < STARTS_PER_SECOND + 2; i++)
		limits_take(&all, &one, &starts, UNC_WIRE_START);
	EXPECT_LT(0, limits_wait(&one, &starts, before));
	EXPECT_LT(0, limits_wait(&other, &starts, before));
	EXPECT_EQ(0, limits_wait(&other, &anothers, before));
	EXPECT_EQ(0, limits_wait(&one, &starts, limits_now() + 2 * kSecond));
}

TEST(Limits, OnlyStartsTakeFromTheUsersBucket)
{
	const limits all = {};
	bucket own = {}, starts = {};

	for (unsigned kind = 0; kind <= UNC_WIRE_STOP_CLIENT; kind++)
		if (kind != UNC_WIRE_START)
			limits_take(&all, &own, &starts, kind);
	EXPECT_EQ(0, starts.full_at);
}

TEST(Limits, AClientAboveTheLimitWaitsAndIsAnswered)
{
	Served served;
	served.end();
	served.server->limits.requests = 200;
	served.begin();
	const int fd = served.dial();
	unc_wire_request q = {};
	std::vector<char> answer(1 << 16);

	q.version = UNC_WIRE_VERSION;
	q.kind = UNC_WIRE_CHECK;
	for (int i = 0; i < 300; i++) {
		ASSERT_EQ(static_cast<ssize_t>(sizeof(q)), send(fd, &q, sizeof(q), 0));
		ASSERT_LT(0, recv(fd, answer.data(), answer.size(), 0)) << i;
	}
	close(fd);
}

struct Remote {
	explicit Remote(const Served &served)
	{
		int file;

		unc_err_init(&err);
		EXPECT_EQ(0, unc_remote_open(&r, served.path.c_str(), &file, &err)) << err.text;
		close(file);
	}
	~Remote()
	{
		unc_remote_close(r);
		unc_err_destroy(&err);
	}
	Remote(const Remote &) = delete;
	Remote &operator=(const Remote &) = delete;

	unc_remote *r = nullptr;
	unc_err err = {};
};

TEST(Clients, AreSeenWithTheirEventsAndStopped)
{
	Served served;
	support::Handle machine(served.options());
	support::Set set(machine, {"UNC_M_CAS_COUNT:RD"});
	Remote remote(served);
	unc_wire_client client = {};
	uint32_t place = 0;
	bool seen = false;

	ASSERT_EQ(0, set.start());
	while (unc_remote_client(remote.r, &place, &client, &remote.err) == 1)
		seen |= strcmp(client.names, "UNC_M_CAS_COUNT:RD") == 0 && client.sets == 1 &&
			client.pid == getpid() && client.user == getuid();
	EXPECT_TRUE(seen);
	EXPECT_EQ(1,
		  unc_remote_stop_client(remote.r, static_cast<uint32_t>(getpid()), &remote.err));
	EXPECT_EQ(0,
		  unc_remote_stop_client(remote.r, static_cast<uint32_t>(getpid()), &remote.err));
	EXPECT_EQ(UNCORE_ESTATE, set.stop());
	EXPECT_EQ(0, set.start()) << "it may start again";
	EXPECT_EQ(0, set.stop());
}

/* The name of one event begins that of another. */
TEST(Clients, AreSeenWithEachEventOnce)
{
	Served served;
	support::Handle machine(served.options());
	support::Set first(machine, {"UNC_M_CAS_COUNT:RD_REG"}),
		second(machine, {"UNC_M_CAS_COUNT:RD"}),
		third(machine, {"UNC_M_CAS_COUNT:RD", "UNC_M_CAS_COUNT:RD_REG"});
	Remote remote(served);
	unc_wire_client client = {};
	uint32_t place = 0;
	std::string names;

	ASSERT_EQ(0, first.start());
	ASSERT_EQ(0, second.start());
	ASSERT_EQ(0, third.start());
	while (unc_remote_client(remote.r, &place, &client, &remote.err) == 1)
		if (client.sets)
			names += client.names + std::string(";") + std::to_string(client.events);
	EXPECT_EQ("UNC_M_CAS_COUNT:RD_REG UNC_M_CAS_COUNT:RD;4", names);
}

TEST(NameLimits, AreRefusedAboveALimitAndOthersAreNot)
{
	const auto options = support::sim_options("sim:snbep");
	struct uncore *u = nullptr;
	unsigned id;
	char text[UNCORE_ERRMSG_MAX];

	ASSERT_EQ(0, uncore_open(&u, &options));
	EXPECT_EQ(0u, uncore_limit_names(u, 2));
	EXPECT_EQ(0, uncore_event(u, "UNC_C_CLOCKTICKS:box=0", &id));
	EXPECT_EQ(0, uncore_event(u, "UNC_C_CLOCKTICKS:box=1", &id));
	EXPECT_EQ(UNCORE_ENOMEM, uncore_event(u, "UNC_C_CLOCKTICKS:box=2", &id));
	EXPECT_NE(nullptr, strstr(uncore_errmsg(u, text, sizeof(text)), "names is reached"));
	EXPECT_EQ(0, uncore_event(u, "UNC_C_CLOCKTICKS:box=1", &id));
	EXPECT_EQ(0, uncore_event(u, "UNC_C_CLOCKTICKS", &id));
	EXPECT_EQ(2u, uncore_limit_names(u, 0));
	EXPECT_EQ(0, uncore_event(u, "UNC_C_CLOCKTICKS:box=2", &id));
	uncore_close(u);
}

} // namespace
