// SPDX-License-Identifier: BSD-3-Clause
#include "support/published_counts.h"

#include <sstream>
#include <stdexcept>

#include "support/machines.h"
#include "support/published.h"

namespace support::pairs
{

Counts::Counts(const Platform &platform)
    : platform_(platform), spec_(machine_with(platform.machine, "packages=1,cores=8,time=virtual")),
      sim_(spec_.c_str()), handle_(support::sim_options(spec_.c_str()))
{
	for (const support::IntelEvent &e :
	     support::intel_events(std::string(platform.list) + ".list"))
		list_[e.name] = e;
}

std::string Counts::printed(const std::string &metric)
{
	auto info = support::sized<struct uncore_event_info>();
	unsigned id;

	if (uncore_event(handle_.u, ("UNCORE_" + metric).c_str(), &id) < 0 ||
	    uncore_event_info(handle_.u, id, &info) < 0 || !fits(id))
		return "";
	return info.formula;
}

double Counts::ours(const std::string &formula)
{
	std::string first;
	const support::Lookup lookup = [&](const std::string &name, const std::string &brackets) {
		if (name == "seconds")
			return kSeconds;
		if (name == "ns")
			return kSeconds * 1e9;
		if (name == "boxes")
			return boxes(kind_of(first));
		if (first.empty())
			first = name;
		return brackets == "mean of boxes" ? counted(name) / boxes(kind_of(name))
						   : counted(name);
	};

	return Formula(formula, lookup).value();
}

double Counts::theirs(const std::string &formula)
{
	const support::Lookup lookup = [&](const std::string &name, const std::string &brackets) {
		const std::string one = ":one_unit";
		const bool is_one = ends_in(name, one) || brackets == "0";
		const std::string event =
			ends_in(name, one) ? name.substr(0, name.size() - one.size()) : name;

		if (name == "DURATIONTIMEINSECONDS")
			return kSeconds;
		if (name == "DURATIONTIMEINMILLISECONDS")
			return kSeconds * 1000;
		if (name == "CORES_PER_SOCKET" || name == "CHAS_PER_SOCKET")
			return boxes(slice());
		if (name == "SOCKET_COUNT")
			return static_cast<double>(packages);
		// of a metric by instructions, its numerator is compared
		if (name == "INST_RETIRED.ANY")
			return 1.0;
		const std::string key = key_of(raw(event));
		return is_one ? value(key) / boxes(key.substr(0, key.find(' ')))
			      : value(key) * packages;
	};

	return Formula(formula, lookup).value();
}

bool Counts::ends_in(const std::string &text, const std::string &end)
{
	return text.size() > end.size() &&
	       text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool Counts::fits(unsigned id)
{
	struct uncore_plan *plan = nullptr;
	auto info = support::sized<struct uncore_plan_info>();
	const bool planned = uncore_plan(handle_.u, &id, 1, nullptr, &plan) == 0 &&
			     uncore_plan_info(plan, &info) == 0;

	uncore_plan_free(plan);
	return planned && info.feasible;
}

double Counts::of_one_package(const std::string &formula)
{
	const unsigned all = packages;

	packages = 1;
	const double one = theirs(formula);
	packages = all;
	return one;
}

std::string Counts::slice() const
{
	return list_.count("UNC_CHA_CLOCKTICKS") ? "cha" : "cbo";
}

std::string Counts::key_of(const std::string &name)
{
	const struct unc_event *ev = sim_.event(name);
	std::map<unsigned, uint64_t> filters;
	std::ostringstream key;

	if (!ev)
		throw std::runtime_error(name + ": " + sim_.why());
	key << ev->type->name << ' ';
	if (ev->fixed)
		return key.str() + "fixed";
	for (unsigned i = 0; i < ev->n_bits; i++)
		filters[ev->bits[i].filter] |= ev->bits[i].value;
	key << std::hex << ev->control;
	for (const auto &[filter, bits] : filters)
		if (bits)
			key << " filter" << filter << '=' << bits;
	return key.str();
}

std::string Counts::kind_of(const std::string &name)
{
	const std::string key = key_of(name);

	return key.substr(0, key.find(' '));
}

std::mt19937_64 Counts::random(const std::string &of) const
{
	return std::mt19937_64(std::hash<std::string>()(of) + trial);
}

double Counts::boxes(const std::string &kind) const
{
	auto generator = random("boxes of " + kind);
	const bool one = kind == "ubo" || (kind == "pcu" && !platform_.dies);

	return one ? 1 : static_cast<double>(2 + generator() % 60);
}

double Counts::value(const std::string &key)
{
	auto generator = random(key);

	for (const Identity &i : kIdentities)
		if (applies(i.platforms, platform_.name) && key == key_of(raw(i.event)))
			return of_one_package(i.formula);
	return 1e6 + static_cast<double>(generator() % 1000000000);
}

double Counts::counted(const std::string &name)
{
	return value(key_of(name));
}

std::string Counts::pmu(const std::string &unit) const
{
	const auto known = kUnits.find(unit);

	if (known == kUnits.end())
		throw std::runtime_error("no kind of box is " + unit);
	return std::string(platform_.prefix) + "_unc_" + known->second;
}

std::string Counts::raw(const std::string &event) const
{
	std::istringstream parts(event);
	std::string name, part;
	uint64_t control = 0, filters = 0;

	std::getline(parts, name, ':');
	const auto listed = list_.find(name);
	std::string unit = listed == list_.end() ? name : listed->second.unit;
	if (listed == list_.end() && std::getline(parts, part, ':'))
		control = std::stoull(part, nullptr, 16);
	else if (listed != list_.end()) {
		control = listed->second.control;
		filters = own_filter(listed->second.filter);
	}
	while (std::getline(parts, part, ':'))
		qualify(part, &control, &filters);
	std::ostringstream text;
	text << pmu(unit) << "::RAW:config=0x" << std::hex << control;
	if (filters)
		text << ":config1=0x" << filters;
	return text.str();
}

uint64_t Counts::own_filter(const std::string &text)
{
	const std::string name = "Filter1=";

	return text.rfind(name, 0) == 0 ? std::stoull(text.substr(name.size()), nullptr, 16) << 32
					: 0;
}

void Counts::qualify(const std::string &part, uint64_t *control, uint64_t *filters) const
{
	const size_t is = part.find('=');
	const std::string name = part.substr(0, is);
	const uint64_t n =
		is == std::string::npos ? 0 : std::stoull(part.substr(is + 1), nullptr, 16);

	if (name == "opc")
		*filters |= n << (std::string(platform_.machine) == "snbep" ? 23 : 52);
	else if (name == "tid") {
		*filters |= n;
		*control |= 1 << 19;
	} else if (name == "filter1")
		*filters = n << 32;
	else if (name == "c1")
		*control |= 1 << 24;
	else
		throw std::runtime_error("unknown qualifier " + part);
}

} // namespace support::pairs
