// SPDX-License-Identifier: BSD-3-Clause
#include "support/stress/truth.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "machine/machine.h"
#include "set/inside.h"
#include "support/every_event.h"

namespace support::stress
{

Truth::Truth(const Plan &plan, const Mounted &files, Shared &shared)
    : plan(plan), files(files), shared(shared), handle(files.options()), random(plan.seed)
{
	if (handle.code != 0)
		throw std::runtime_error(handle.message());
	boxes = handle.boxes();
}

void Truth::find()
{
	if (plan.mode == Mode::kDisjoint)
		choose_disjoint();
	else
		choose_from_all();
	if (shared.n_events == 0)
		shared.trouble("there is nothing to count");
}

unsigned Truth::number_of(const uncore_assignment_info &a) const
{
	unsigned b = 0;

	while (b < boxes.size() && (strcmp(boxes[b].kind, a.kind) != 0 || boxes[b].index != a.box ||
				    boxes[b].package != a.package))
		b++;
	return b;
}

void Truth::add_box(Boxes &to, unsigned b) const
{
	const unc_box *all = unc_machine_of(handle.u)->boxes;

	to.add(b);
	to.add(unsigned(unc_other_unit(&all[b]) - all));
}

void Truth::add_package(Boxes &to, unsigned package) const
{
	for (unsigned b = 0; b < boxes.size(); b++)
		if (boxes[b].package == package)
			to.add(b);
}

bool Truth::leaves_status(const char *kind) const
{
	return plan.machine.compare(0, 3, "spr") == 0 &&
	       (strcmp(kind, "upi") == 0 || strcmp(kind, "m3upi") == 0);
}

bool Truth::find_boxes(unsigned id, Counted &c) const
{
	auto a = sized<uncore_assignment_info>();
	auto op = sized<uncore_op_info>();
	struct uncore_plan *p = nullptr;
	bool exact = true;

	if (uncore_plan(handle.u, &id, 1, nullptr, &p) != 0)
		return false;
	for (unsigned i = 0; uncore_plan_assignment(p, i, &a) == 1; i++) {
		add_box(c.boxes, number_of(a));
		add_package(c.packages, a.package);
		c.counters++;
		exact = exact && !leaves_status(a.kind);
	}
	c.stands = exact && uncore_plan_op(p, UNCORE_PHASE_START, 0, &op) == 1;
	uncore_plan_free(p);
	return c.counters > 0;
}

double Truth::count_for(const std::string &name, uint64_t ns)
{
	Set set(handle);

	if (set.assign({name}) != 0 || set.start() != 0)
		return -1;
	files.advance(ns);
	return set.stop() == 0 ? double(set.count()) : -1;
}

bool Truth::measure(Counted &c)
{
	const double count = count_for(c.name, kLong), again = count_for(c.name, 3 * kLong);

	c.rate = again / (3.0 * kLong);
	if (count < 1e5 || std::abs(again - 3 * count) > 4.0 * c.counters)
		return false;
	// rounding of each counter
	c.tolerance = c.counters + 1;
	for (int i = 0; i < 5; i++) {
		const uint64_t ns = 500000 + random() % 20000000;
		const double off = std::abs(count_for(c.name, ns) - c.rate * double(ns));

		if (off > c.tolerance)
			shared.trouble("%s: one process alone is wrong by %g", c.name, off);
		shared.alone = std::max(shared.alone, off);
	}
	return true;
}

bool Truth::add(const std::string &name, unsigned group)
{
	unsigned id;

	if (shared.n_events >= kEvents || uncore_event(handle.u, name.c_str(), &id) != 0)
		return false;
	Counted c = {};
	snprintf(c.name, sizeof(c.name), "%s", uncore_event_name(handle.u, id));
	for (unsigned i = 0; i < shared.n_events; i++)
		if (strcmp(shared.events[i].name, c.name) == 0)
			return false;
	c.group = group;
	if (!find_boxes(id, c) || !measure(c))
		return false;
	shared.events[shared.n_events++] = c;
	return true;
}

std::string Truth::somewhere(const std::string &name, const char *kind)
{
	const std::vector<uncore_box_info> all = handle.boxes(kind);
	const uncore_box_info &box = all[random() % all.size()];
	const std::string package = ":pkg=" + std::to_string(box.package);

	switch (random() % 4) {
	case 0:
		return name;
	case 1:
		return name + package;
	default:
		return name + ":box=" + std::to_string(box.index) + package;
	}
}

void Truth::compare(const Known &known)
{
	struct sim *sim = nullptr;
	char why[256];
	double truth = 0;
	const std::string spec = machine_of(plan);

	if (sim_open(spec.c_str(), &sim, why, sizeof(why)) != 0)
		throw std::runtime_error(why);
	truth = sim_rate(sim, 0, known.kind, 0, known.control, known.filter);
	sim_close(sim);
	const double rate =
		count_for(std::string(known.name) + ":box=0:pkg=0", kLong) / double(kLong);
	if (!(std::abs(rate * 1e9 - truth) < 1 + 1e-6 * truth))
		shared.trouble("%s: %.9g a second, the model has %.9g", known.name, rate * 1e9,
			       truth);
}

void Truth::choose_from_all()
{
	std::vector<std::string> names;
	const unsigned most = plan.sessions > 100 ? 120 : 32;

	for (const Known &known : kKnown) {
		if (plan.machine.compare(0, 5, "snbep") != 0)
			break;
		compare(known);
		names.insert(names.end(), 3, known.name);
	}
	for (const std::string &name : listed_names(handle))
		if (name.compare(0, 7, "UNCORE_") != 0 && name.find("::") == name.npos &&
		    name != kNeedsCounter0)
			names.push_back(name);
	std::shuffle(names.begin(), names.end(), random);
	for (const std::string &name : names) {
		auto info = sized<struct uncore_event_info>();

		if (shared.n_events >= most)
			return;
		uncore_event_info(handle.u, handle.event(name), &info);
		if (!info.real)
			add(somewhere(name, info.kind), 0);
	}
}

std::vector<std::string> Truth::next_to_each_other(const char *kind, size_t most) const
{
	std::vector<std::string> names;
	auto info = sized<struct uncore_event_info>();

	for (const std::string &name : listed_names(handle)) {
		uncore_event_info(handle.u, handle.event(name), &info);
		if (strcmp(info.kind, kind) != 0 || info.real || names.size() == most ||
		    name.find("OCCUPANCY") != name.npos)
			continue;
		names.insert(names.begin(), name);
		if (Set(handle).assign(names) != 0)
			names.erase(names.begin());
	}
	return names;
}

void Truth::choose_disjoint()
{
	unsigned box = 0;

	for (const char *kind : {"cbo", "cbox", "cha", "imc"}) {
		const std::vector<std::string> names = next_to_each_other(kind, 4);

		for (const uncore_box_info &b : handle.boxes(kind)) {
			const unsigned group = box++ % plan.processes;

			if (b.absent || box > 3 * plan.processes)
				continue;
			for (const std::string &name : names)
				add(name + ":box=" + std::to_string(b.index) +
					    ":pkg=" + std::to_string(b.package),
				    group);
		}
	}
}

} // namespace support::stress
