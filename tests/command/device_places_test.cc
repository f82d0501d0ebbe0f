// SPDX-License-Identifier: BSD-3-Clause
// device_places_test.cc - the bytes of devices port by port, on simulated machines: each port has
// the devices that the simulator put there, and the bytes that its model moves.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "command/base/device_places.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/endpoints.h"
#include "support/handle.h"
#include "support/sim_machine.h"

namespace
{

using support::Handle;
using support::Set;
using support::sim_options;

using Place = std::tuple<unsigned, unsigned, int>; // package, box, part or -1
using Names = std::set<std::string>;

struct Machine : Handle {
	explicit Machine(const std::string &spec) : Handle(sim_options(spec.c_str()))
	{
		if (code != 0)
			return;
		sim = unc_hw_sim(unc_hw_of(u));
		read_device_labels(u, &labels);
		find_device_places(u, &labels, false, &places);
	}
	~Machine()
	{
		free_device_places(&places);
		free_device_labels(&labels);
	}
	Machine(const Machine &) = delete;
	Machine &operator=(const Machine &) = delete;

	bool is_whole(const sim_endpoint &e) const
	{
		size_t n;
		const sim_endpoint *all = sim_endpoints(sim, &n);

		for (size_t i = 0; i < n; i++)
			if (all[i].package == e.package && all[i].box == e.box &&
			    support::is_disputed(machine().platform, all[i]))
				return true;
		return false;
	}
	// By the simulator.  Nothing is known of devices without a map.
	std::map<Place, Names> expected() const
	{
		std::map<Place, Names> all;
		size_t n;
		const sim_endpoint *e = sim_endpoints(sim, &n);

		for (size_t i = 0; i < n; i++)
			if (!support::is_unmapped(machine().platform, e[i]))
				all[{e[i].package, e[i].box,
				     is_whole(e[i]) ? -1 : static_cast<int>(e[i].part)}]
					.insert(e[i].name);
		return all;
	}
	// Bytes in two seconds, by the model: reads of memory have umask 4, writes 1.
	double bytes(const device_place &p, bool write) const
	{
		const unsigned classes = machine().platform == std::string("skx") ? 44 : 48;
		const uint64_t parts = p.part < 0 ? 0xff : UINT64_C(1) << p.part;
		const uint64_t control =
			(write ? 0x183 : 0x483) | parts << 36 | UINT64_C(7) << classes;

		return 2 * 4 * sim_rate(sim, p.package, "iio", p.box, control, 0);
	}

	struct sim *sim = nullptr;
	device_labels labels = {};
	device_places places = {};
};

Names words(const char *text)
{
	std::istringstream in(text ? text : "");
	Names all;

	for (std::string word; in >> word;)
		all.insert(word.back() == ',' ? word.substr(0, word.size() - 1) : word);
	return all;
}

// Returns how many are single ports.
size_t expect_places(const Machine &m)
{
	std::map<Place, Names> found;
	size_t ports = 0;

	for (size_t i = 0; i < m.places.n; i++) {
		const device_place &p = m.places.list[i];

		found[{p.package, p.box, p.part}] = words(p.devices);
		ports += p.part >= 0;
	}
	EXPECT_EQ(m.expected(), found);
	return ports;
}

void expect_bytes(const Machine &m, const device_place &p)
{
	SCOPED_TRACE(std::string(m.machine().platform) + " " + p.devices);
	for (const bool write : {false, true}) {
		Set set(m, {uncore_event_name(m.u, p.ids[write])});

		ASSERT_EQ(0, set.start()) << m.message();
		sim_advance(m.sim, 2000000000);
		ASSERT_EQ(0, set.stop());
		EXPECT_LT(0, m.bytes(p, write));
		EXPECT_NEAR(m.bytes(p, write), static_cast<double>(set.counts().at(0)), 64);
	}
}

TEST(DevicePlaces, ArePortsWithTheirDevicesAndBytes)
{
	size_t ports = 0;

	for (const char *spec :
	     {"skx:", "icx:", "spr:", "spr:cores=32,", "gnr:", "srf:packages=1,"})
		for (const char *seed : {"4", "7"}) {
			const Machine m(std::string("sim:") + spec +
					"time=virtual,devices=" + seed);

			ASSERT_EQ(0, m.code) << m.message();
			ports += expect_places(m);
			for (size_t i = 0; i < m.places.n; i += 3)
				expect_bytes(m, m.places.list[i]);
		}
	EXPECT_LT(100u, ports);
}

// Boxes are numbered per package, whose second die has the higher numbers.
TEST(DevicePlaces, OfAllDiesOfAPackage)
{
	const Machine m("sim:skx:dies=2,devices=4");
	Names devices, found;
	size_t n = 0;
	const sim_endpoint *e = sim_endpoints(m.sim, &n);

	ASSERT_EQ(0, m.code) << m.message();
	for (size_t i = 0; i < n && *e[i].name; i++)
		devices.insert(e[i].name);
	for (size_t i = 0; i < m.places.n; i++) {
		const Names here = words(m.places.list[i].devices);
		char *label = label_of_event(&m.labels, m.u, m.places.list[i].ids[0]);

		EXPECT_EQ(here, words(label));
		found.insert(here.begin(), here.end());
		free(label);
	}
	EXPECT_EQ(devices, found);
}

// A device's bytes are apart from those of its neighbour on another port of the stack.
TEST(DevicePlaces, TheTrafficOfANeighbourIsApart)
{
	const Machine m("sim:skx:time=virtual,devices=1");
	size_t n = 0;
	const sim_endpoint *e = sim_endpoints(m.sim, &n);
	const auto is_first_of = [&](size_t i, const device_place &p) {
		return e[i].package == p.package && e[i].box == p.box &&
		       static_cast<int>(e[i].part) == p.part;
	};

	ASSERT_EQ(0, m.code) << m.message();
	for (size_t i = 0; i < n && *e[i].name; i++) {
		std::map<Place, double> before;

		for (size_t k = 0; k < m.places.n; k++) {
			const device_place &p = m.places.list[k];
			before[{p.package, p.box, p.part}] = m.bytes(p, true);
		}
		ASSERT_EQ(0, sim_device_load(m.sim, i, 10));
		for (size_t k = 0; k < m.places.n; k++) {
			const device_place &p = m.places.list[k];
			const double idle = before[{p.package, p.box, p.part}];

			if (e[i].package != p.package || e[i].box != p.box)
				continue;
			EXPECT_EQ(is_first_of(i, p), m.bytes(p, true) > 5 * idle) << e[i].name;
			expect_bytes(m, p);
		}
		ASSERT_EQ(0, sim_device_load(m.sim, i, 0));
	}
}

// Where sources disagree on the part of a device, the stack is counted as a whole; a port whose
// part is certain is not said to have the others.
TEST(DevicePlaces, DevicesInDoubtAreNotOfAKnownPort)
{
	const Machine m("sim:spr:devices=2");
	bool any = false;

	ASSERT_EQ(0, m.code) << m.message();
	for (size_t i = 0; i < m.labels.n; i++) {
		const device_label &d = m.labels.list[i];
		uncore_box_info box = {};

		box.kind = DEVICES_OF;
		box.package = d.package;
		box.index = d.box;
		if (d.parts != 1)
			continue;
		char *text = label_of_parts(&m.labels, &box, 1);
		char *other = label_of_parts(&m.labels, &box, 0x10);
		EXPECT_EQ(nullptr, strchr(text, '?')) << text;
		any |= other && strchr(other, '?');
		free(text);
		free(other);
	}
	EXPECT_TRUE(any);
}

} // namespace
