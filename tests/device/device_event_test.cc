// SPDX-License-Identifier: BSD-3-Clause
// device_event_test.cc - dev= in names: what it becomes, what it counts on simulated machines with
// devices at random, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "hw/regs.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/endpoints.h"
#include "support/handle.h"
#include "support/seeds.h"

namespace
{

using support::Handle;
using support::Set;

constexpr uint64_t kSecond = 1000000000;

struct Machine : Handle {
	explicit Machine(const std::string &spec)
	    : Handle(options(spec.c_str())), sim(code == 0 ? unc_hw_sim(unc_hw_of(u)) : nullptr)
	{
		const sim_endpoint *first = sim ? sim_endpoints(sim, &n) : nullptr;

		for (size_t i = 0; i < n; i++)
			if (!support::is_unmapped(machine().platform, first[i]))
				devices.push_back(first[i]);
	}

	static uncore_options options(const char *spec)
	{
		uncore_options o = support::sized<uncore_options>();

		o.machine = spec;
		return o;
	}

	// Populated parts of the stack of a device.
	std::set<unsigned> parts(const sim_endpoint &e) const
	{
		std::set<unsigned> all;

		for (const sim_endpoint &other : devices)
			if (other.package == e.package && other.stack == e.stack)
				all.insert(other.part);
		return all;
	}

	// The sources agree on the part.
	bool is_certain(const sim_endpoint &e) const
	{
		return !support::is_disputed(machine().platform, e);
	}

	// Bytes per second of a port, by the model: reads of memory have umask 4, writes 1.
	double rate(const sim_endpoint &e, bool write) const
	{
		const unsigned classes = machine().platform == std::string("skx") ? 44 : 48;
		const uint64_t control = (write ? 0x183 : 0x483) | UINT64_C(1) << (36 + e.part) |
					 UINT64_C(7) << classes;

		return 4 * sim_rate(sim, e.package, "iio", e.box, control, 0);
	}

	struct sim *sim;
	size_t n = 0;
	std::vector<sim_endpoint> devices;
};

std::string number(unsigned n)
{
	return std::to_string(n);
}

std::string places(const sim_endpoint &e)
{
	return ":box=" + number(e.box) + ":pkg=" + number(e.package);
}

std::string request(const Machine &m)
{
	return m.machine().platform == std::string("skx") ? "UNC_IO_DATA_REQ_OF_CPU"
							  : "UNC_IIO_DATA_REQ_OF_CPU";
}

// ---- names ----

TEST(DeviceNames, TheCanonicalNameHasPackageBoxAndPart)
{
	const Machine m("sim:skx:devices=1");

	ASSERT_EQ(0, m.code) << m.message();
	ASSERT_LT(4u, m.devices.size());
	for (const sim_endpoint &e : m.devices) {
		const std::string part = number(e.part);

		for (const std::string name : {e.name, e.address}) {
			EXPECT_EQ("UNC_IO_DATA_REQ_OF_CPU:MEM_READ_PART" + part + places(e),
				  m.canonical("uncore:::UNC_IIO_DATA_REQ_OF_CPU:MEM_READ:dev=" +
					      name));
			EXPECT_EQ("UNC_IIO_BANDWIDTH_IN:PART" + part + "_FREERUN" + places(e),
				  m.canonical("UNC_IIO_BANDWIDTH_IN:dev=" + name));
			EXPECT_EQ("UNCORE_IIO_READ_BYTES:part=" + part + places(e),
				  m.canonical("UNCORE_PCIE_READ_BYTES:dev=" + name));
		}
	}
}

TEST(DeviceNames, TheQualifierMayBeAnywhereAndInAnyCase)
{
	const Machine m("sim:icx:devices=3");
	const sim_endpoint &e = m.devices.at(0);
	const std::string name =
		"UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_PART" + number(e.part) + places(e);
	const std::string dev = std::string(":dev=") + e.address;

	for (const std::string &given :
	     {"UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE" + dev,
	      "UNC_IIO_DATA_REQ_OF_CPU" + dev + ":MEM_WRITE",
	      "unc_iio_data_req_of_cpu.mem_write:DEV=" + std::string(e.name),
	      "UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_ALL_PARTS" + dev,
	      "UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_PART" + number(e.part) + dev,
	      "UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE" + dev + places(e)})
		EXPECT_EQ(name, m.canonical(given)) << given;
}

TEST(DeviceNames, TheChannelMaskOfRaw)
{
	const Machine m("sim:icx:devices=3");
	const sim_endpoint &e = m.devices.at(0);
	const std::string dev = ":dev=" + std::string(e.name);
	char all[80];

	snprintf(all, sizeof(all), "icx_unc_iio::RAW:config=%#llx",
		 0x7000000000483ULL | 1ULL << (36 + e.part));
	EXPECT_EQ(all + places(e), m.canonical("icx_unc_iio::RAW:config=0x7000000000483" + dev));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("icx_unc_iio::RAW:config=0x70ff000000483" + dev));
}

TEST(DeviceNames, WhatIsRefused)
{
	const Machine m("sim:skx:devices=1");
	const sim_endpoint &e = m.devices.at(0);
	const std::string dev = ":dev=" + std::string(e.name),
			  other = number(e.part == 3 ? 0 : e.part + 1);

	EXPECT_EQ(UNCORE_ENODEV, m.refusal("UNC_IIO_DATA_REQ_OF_CPU:MEM_READ:dev=nothing0"));
	EXPECT_EQ(UNCORE_EINVAL, m.refusal("UNC_IIO_DATA_REQ_OF_CPU:MEM_READ:dev="));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNC_IIO_DATA_REQ_OF_CPU:MEM_READ" + dev + dev));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_PART" + other + dev));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNC_IIO_CLOCKTICKS" + dev));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNC_M_CAS_COUNT:RD" + dev));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNCORE_MEM_READ_BYTES" + dev));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNCORE_MEM_READ_BYTES:part=0"));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNCORE_IIO_READ_BYTES:part=16"));
	EXPECT_EQ(UNCORE_EATTR, m.refusal("UNC_IIO_DATA_REQ_OF_CPU:MEM_READ" + dev +
					  ":box=" + number(e.box + 1)));
}

TEST(DeviceNames, MachinesWithoutDevicesOrSource)
{
	const Machine none("sim:skx"), ring("sim:bdx"), unknown("sim:emr");

	EXPECT_EQ(UNCORE_ENODEV, none.refusal("UNCORE_IIO_READ_BYTES:dev=eth0"));
	for (const Machine *m : {&ring, &unknown})
		EXPECT_GT(0, m->refusal("UNCORE_PCIE_READ_BYTES:dev=eth0"));
}

// Names with a part are ordinary names, which other processes and recordings understand.
TEST(DeviceNames, TheCanonicalNameIsFoundWithoutTheDevice)
{
	const Machine with("sim:icx:devices=3"), without("sim:icx");

	for (const sim_endpoint &e : with.devices) {
		const std::string name =
			with.canonical("UNCORE_IIO_READ_BYTES:dev=" + std::string(e.name));

		EXPECT_EQ(name, without.canonical(name));
	}
}

// Free-running counters count by port in a known unit: both directions of skx, writes of icx.
TEST(DeviceNames, MetricsUseTheFreeRunningCountersOfPorts)
{
	const std::map<std::string, std::pair<const char *, const char *>> events = {
		{"sim:skx:devices=1", {"UNC_IIO_BANDWIDTH_OUT:PART", "UNC_IIO_BANDWIDTH_IN:PART"}},
		{"sim:icx:devices=3",
		 {"UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_PART", "UNC_IIO_BANDWIDTH_IN:PART"}},
		{"sim:gnr:devices=2",
		 {"UNC_IIO_DATA_REQ_OF_CPU:MEM_READ_PART",
		  "UNC_IIO_DATA_REQ_OF_CPU:MEM_WRITE_PART"}}};

	for (const auto &[spec, counted] : events) {
		const Machine m(spec);
		struct uncore_event_info info = support::sized<struct uncore_event_info>();

		ASSERT_EQ(0, m.code) << m.message();
		for (const bool write : {false, true}) {
			const sim_endpoint &e = m.devices.at(0);
			const char *event = write ? counted.second : counted.first;
			unsigned id = 0;

			ASSERT_EQ(0,
				  uncore_event(m.u,
					       (std::string("UNCORE_PCIE_") +
						(write ? "WRITE" : "READ") + "_BYTES:dev=" + e.name)
						       .c_str(),
					       &id))
				<< m.message();
			ASSERT_EQ(0, uncore_event_info(m.u, id, &info));
			EXPECT_NE(nullptr, strstr(info.formula, (event + number(e.part)).c_str()))
				<< info.formula;
		}
	}
}

// ---- counts ----

// The bytes of each port, by events and by metrics; returns how many devices were counted.
size_t expect_bytes(const std::string &spec)
{
	const Machine m(spec);
	std::vector<std::string> names;
	std::vector<double> rates;
	size_t n = 0;

	EXPECT_EQ(0, m.code) << m.message();
	for (const sim_endpoint &e : m.devices) {
		if (!m.is_certain(e) && m.parts(e).size() > 1)
			continue;
		const std::string dev = ":dev=" + std::string(e.name);
		for (const bool write : {false, true}) {
			const char *word = write ? "WRITE" : "READ";
			Set set(m, {request(m) + ":MEM_" + word +
					    (m.is_certain(e) ? "" : "_ALL_PARTS") + dev,
				    std::string("UNCORE_PCIE_") + word + "_BYTES" + dev});
			const double bytes = 2 * m.rate(e, write);

			EXPECT_EQ(0, set.start()) << m.message();
			sim_advance(m.sim, 2 * kSecond);
			EXPECT_EQ(0, set.stop());
			const std::vector<int64_t> counts = set.counts();
			EXPECT_LT(0, bytes) << spec << dev;
			EXPECT_NEAR(bytes, 4.0 * static_cast<double>(counts.at(0)), 8)
				<< spec << dev;
			EXPECT_NEAR(bytes, static_cast<double>(counts.at(1)), 64) << spec << dev;
		}
		n++;
	}
	return n;
}

TEST(DeviceCounts, AreTheBytesOfThePort)
{
	size_t n = 0;

	for (unsigned seed = 100; seed < 100 + support::part_of(40); seed++)
		for (const char *platform : {"skx", "icx", "spr", "spr:cores=32", "gnr"}) {
			const std::string name = platform;
			const char *separator = name.find(':') == name.npos ? ":" : ",";

			n += expect_bytes("sim:" + name + separator +
					  "time=virtual,devices=" + number(seed));
		}
	EXPECT_LT(support::part_of(1000), n);
}

} // namespace
