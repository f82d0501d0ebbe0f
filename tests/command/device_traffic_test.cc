// SPDX-License-Identifier: BSD-3-Clause
// device_traffic_test.cc - the box and part of a device by its traffic, on simulated machines whose
// stacks the library does not know or only knows in part; and measurements that are disturbed.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "command/base/device_traffic.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/endpoints.h"
#include "support/handle.h"
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::sim_options;

constexpr uint64_t kSecond = 1000000000;
// How many times the traffic of its stack a device moves.
constexpr double kMuch = 25;

struct Machine : Handle {
	explicit Machine(const std::string &spec)
	    : Handle(sim_options(spec.c_str())), sim(code == 0 ? unc_hw_sim(unc_hw_of(u)) : nullptr)
	{
		size_t n = 0;
		const sim_endpoint *first = sim ? sim_endpoints(sim, &n) : nullptr;

		devices.assign(first, first + n);
	}

	// moves: called in each run, with its number from 0.
	int measure(const std::function<int(unsigned run)> &moves)
	{
		struct Source {
			Machine *m;
			const std::function<int(unsigned)> *moves;
			unsigned runs;
		} source = {this, &moves, 0};

		return find_device_traffic(
			u,
			[](void *arg, bool idle) {
				Source *s = static_cast<Source *>(arg);
				const int status = idle ? 0 : (*s->moves)(s->runs++);

				sim_advance(s->m->sim, (idle ? 1 : 2) * kSecond);
				for (size_t i = 0; i < s->m->devices.size(); i++)
					EXPECT_EQ(0, sim_device_load(s->m->sim, i, 0));
				return status;
			},
			&source, &place, why, sizeof(why));
	}
	int move(size_t device, double times = kMuch) const
	{
		return sim_device_load(sim, device, times);
	}
	// The bytes of a port in two seconds, by the model.
	double bytes(const sim_endpoint &e, bool write) const
	{
		const unsigned classes = machine().platform == std::string("skx") ? 44 : 48;
		const uint64_t control = (write ? 0x183 : 0x483) | UINT64_C(1) << (36 + e.part) |
					 UINT64_C(7) << classes;

		return 2 * 4 * sim_rate(sim, e.package, "iio", e.box, control, 0);
	}
	// A device in another box.
	size_t other_than(size_t device) const
	{
		for (size_t i = 0; i < devices.size(); i++)
			if (devices[i].box != devices[device].box ||
			    devices[i].package != devices[device].package)
				return i;
		return device;
	}

	struct sim *sim;
	std::vector<sim_endpoint> devices;
	traffic_place place = {};
	char why[UNCORE_ERRMSG_MAX];
};

void expect_found(Machine &m, size_t i)
{
	const sim_endpoint &e = m.devices[i];
	const double before = m.bytes(e, false), written = m.bytes(e, true);

	ASSERT_EQ(0, m.measure([&](unsigned) { return m.move(i); })) << m.why;
	EXPECT_EQ(e.package, m.place.package) << e.address;
	EXPECT_EQ(e.box, m.place.box) << e.address;
	EXPECT_EQ(e.part, m.place.part) << e.address;
	EXPECT_EQ(0, m.move(i));
	const double bytes =
		m.place.write ? m.bytes(e, true) - written : m.bytes(e, false) - before;
	EXPECT_NEAR(bytes, m.place.bytes, 1e-6 * bytes) << e.address;
	EXPECT_EQ(0, m.move(i, 0));
}

TEST(DeviceTraffic, FindsEveryDeviceOfMachinesWithoutAMap)
{
	size_t n = 0;

	for (const char *platform : {"emr", "spr", "icx"})
		for (const char *seed : {"4", "5"}) {
			Machine m(std::string("sim:") + platform +
				  ":time=virtual,packages=2,devices=" + seed);

			ASSERT_EQ(0, m.code) << m.message();
			for (size_t i = 0; i < m.devices.size(); i++, n++)
				expect_found(m, i);
		}
	EXPECT_LT(60u, n);
}

// The medium die of Sapphire Rapids, PE4 and PE5 with both settings of the firmware, and DMA
// engines.
TEST(DeviceTraffic, FindsTheBoxesThatNoTableHas)
{
	const std::vector<std::pair<std::string, std::set<unsigned>>> machines = {
		{"spr:cores=32,devices=", {0, 3, 4}},
		{"gnr:devices=", {11, 12}},
		{"gnr:devices=", {10, 13}},
		{"srf:devices=", {11, 12}},
		{"srf:devices=", {10, 13}},
		{"skx:devices=", {0}},
		{"icx:devices=", {5}}};
	unsigned seed = 2;

	for (const auto &[spec, boxes] : machines) {
		std::set<unsigned> found;
		Machine m("sim:" + spec + std::to_string(seed++) + ",time=virtual,packages=1");

		ASSERT_EQ(0, m.code) << m.message();
		for (size_t i = 0; i < m.devices.size(); i++) {
			// the eight functions of a DMA engine are in the same place
			if (!support::is_unmapped(m.machine().platform, m.devices[i]) ||
			    (!*m.devices[i].name && !found.empty()))
				continue;
			expect_found(m, i);
			found.insert(m.devices[i].box);
		}
		EXPECT_EQ(boxes, found) << spec;
	}
}

TEST(DeviceTraffic, NothingIsConcludedWithoutTraffic)
{
	Machine m("sim:emr:time=virtual,devices=4");

	EXPECT_EQ(1, m.measure([](unsigned) { return 0; }));
	EXPECT_NE(nullptr, strstr(m.why, "no stack counted 1 MB more")) << m.why;
}

TEST(DeviceTraffic, ADisturbedMeasurementIsRefused)
{
	Machine m("sim:emr:time=virtual,devices=4");

	// in all runs; in the first one only; while parts are counted, by another part; in the last
	// one
	EXPECT_EQ(1, m.measure([&](unsigned) {
		return m.move(0) | m.move(m.other_than(0), kMuch / 10);
	}));
	EXPECT_NE(nullptr, strstr(m.why, "two stacks counted more")) << m.why;
	EXPECT_EQ(1, m.measure([&](unsigned run) { return m.move(run ? 0 : m.other_than(0)); }));
	EXPECT_NE(nullptr, strstr(m.why, "no part counted")) << m.why;
	EXPECT_EQ(1,
		  m.measure([&](unsigned run) { return m.move(run < 5 ? 0 : m.other_than(0)); }));
	EXPECT_NE(nullptr, strstr(m.why, "two measurements found different stacks")) << m.why;
}

TEST(DeviceTraffic, ASecondPortOfTheStackIsNotedToo)
{
	for (unsigned seed = 1; seed < 20; seed++) {
		Machine m("sim:emr:time=virtual,devices=" + std::to_string(seed));

		for (size_t i = 1; i < m.devices.size(); i++) {
			const sim_endpoint &a = m.devices[i - 1], &b = m.devices[i];

			if (a.box != b.box || a.package != b.package || a.part == b.part)
				continue;
			EXPECT_EQ(1,
				  m.measure([&](unsigned) { return m.move(i - 1) | m.move(i); }));
			EXPECT_NE(nullptr, strstr(m.why, "two parts counted more")) << m.why;
			return;
		}
	}
	FAIL() << "no stack has two ports with devices";
}

TEST(DeviceTraffic, AFailedSourceEndsIt)
{
	Machine m("sim:emr:time=virtual,devices=4");
	unsigned runs = 0;

	EXPECT_EQ(7, m.measure([&](unsigned run) {
		runs = run + 1;
		return run == 2 ? 7 : m.move(0);
	}));
	EXPECT_EQ(3u, runs);
	EXPECT_STREQ("", m.why);
}

} // namespace
