// SPDX-License-Identifier: BSD-3-Clause
#include "support/recorded_machine.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>

#include "event/event.h"
#include "hw/regs.h"
#include "machine/discovered.h"
#include "machine/record.h"
#include "support/fake_tables.h"
#include "support/golden.h"
#include "support/recorded.h"

namespace support
{

std::string recording_of(FakeMachine &m)
{
	unc_recording *recording = unc_recording_new("/");
	unc_hw *hw = unc_hw_recorded(&m.hw_of(), recording);
	char *text = nullptr;
	size_t n = 0;
	FILE *file = open_memstream(&text, &n);

	m.code = m.build_machine(hw);
	if (m.code < 0)
		unc_recording_failed(recording, m.code, m.err.text);
	if (unc_recording_write(recording, &m.machine.topo, file) < 0)
		throw std::runtime_error("a recording cannot be written");
	fclose(file);
	hw->ops->close(hw);
	unc_recording_free(recording);
	const std::string all(text, n);
	free(text);
	return all;
}

const ListedPlatform &listed_platform(const std::string &name)
{
	static const std::vector<ListedPlatform> all = {
		{"snbep", &unc_snbep, 45, 0x3ce0, 0x40, 0x54, false, 0x3ce8, 0x3ce8, 0, 0, 0},
		{"ivbep", &unc_ivbep, 62, 0x0e1e, 0x40, 0x54, false, 0x0ee0, 0x0eef, 0, 0, 0},
		{"hswep", &unc_hswep, 63, 0x2f1e, 0x40, 0x54, false, 0x2fe0, 0x2ff7, 0x2fc0, 0x94,
		 0},
		{"bdx", &unc_bdx, 79, 0x6f1e, 0x40, 0x54, false, 0x6fe0, 0x6ff7, 0x6fc0, 0x94, 0},
		{"skx", &unc_skx, 85, 0x2014, 0xc0, 0xd4, true, 0, 0, 0x2083, 0x9c, 0},
		{"icx", &unc_icx, 106, 0x3450, 0xc0, 0xd4, false, 0, 0, 0x345b, 0x9c, 0x3451},
	};

	for (const ListedPlatform &p : all)
		if (name == p.name)
			return p;
	throw std::runtime_error("no platform " + name);
}

const std::vector<Order> &orders()
{
	static const auto same = [](unsigned i, unsigned) { return i; };
	static const auto turned = [](unsigned i, unsigned n) { return n - 1 - i; };
	static const auto gaps = [](unsigned i, unsigned) { return 2 + 3 * i; };
	static const std::vector<Order> all = {
		{"as the buses", false, same, same, same},
		{"node ids turned round", true, turned, same, turned},
		{"packages turned round", true, same, turned, turned},
		{"ids with gaps", false, gaps, gaps, same},
	};

	return all;
}

Listing::Listing(const nlohmann::json &recorded)
    : recorded(recorded), platform(listed_platform(recorded["platform"])),
      devices(devices_of(recorded))
{
	std::sort(devices.begin(), devices.end(),
		  [](const Listed &a, const Listed &b) { return a.address() < b.address(); });
	for (const Listed &d : devices)
		if (d.id == platform.ubox)
			uboxes.push_back(d.bus);
	std::sort(uboxes.begin(), uboxes.end());
}

unsigned Listing::packages() const
{
	return recorded["packages"];
}

unsigned Listing::ubox_of(const Listed &d) const
{
	unsigned nth = 0;

	if (platform.ubox_first)
		while (nth + 1 < uboxes.size() && uboxes[nth + 1] <= d.bus)
			nth++;
	else
		while (nth + 1 < uboxes.size() && uboxes[nth] < d.bus)
			nth++;
	return nth;
}

bool Listing::has(unsigned id, unsigned nth) const
{
	for (const Listed &d : devices)
		if (d.id == id && ubox_of(d) == nth)
			return true;
	return false;
}

bool Listing::has(unsigned id) const
{
	return std::any_of(devices.begin(), devices.end(),
			   [id](const Listed &d) { return d.id == id; });
}

unsigned Listing::functions(unsigned nth) const
{
	unsigned n = 0;

	for (const Listed &d : devices)
		n += platform.first_slice && d.id >= platform.first_slice &&
		     d.id <= platform.last_slice && ubox_of(d) == nth;
	return n;
}

unsigned Listing::slices_by_l3() const
{
	return recorded.contains("l3")
		       ? static_cast<unsigned>(
				 std::ceil(std::stod(recorded["l3"].get<std::string>()) / 1.375))
		       : 0;
}

unsigned Listing::model() const
{
	if (platform.model == 79)
		return has(0x6f50) ? 86 : 79;
	if (platform.model == 106)
		return has(0x18d1) ? 108 : 106;
	return platform.model;
}

bool fuses_of(const Listing &l, const Listed &d, uint32_t *value)
{
	const std::string name = l.platform.name;
	const bool two_agents = l.has(name == "bdx" ? 0x6f38 : 0x2f38, l.ubox_of(d));

	*value = 0;
	if (name == "hswep" || name == "bdx") // dies with a second home agent have four S-Boxes
		*value = two_agents ? 0x80 : 0;
	else if (l.slices_by_l3())
		*value = (1u << l.slices_by_l3()) - 1;
	else
		return false;
	return true;
}

void add_listed_cpus(FakeMachine &m, const Listing &l)
{
	const bool known = l.recorded.contains("cores");
	const unsigned threads = known ? l.recorded["threads"].get<unsigned>() : 1;

	m.cpus.clear();
	for (unsigned t = 0; t < threads; t++)
		for (unsigned p = 0; p < l.packages(); p++) {
			// one core per visible slice, at least one
			const unsigned shown = std::max(1u, l.functions(p));
			const unsigned n = known ? l.recorded["cores"].get<unsigned>() : shown;

			for (unsigned c = 0; c < n; c++)
				m.cpus.push_back({static_cast<unsigned>(m.cpus.size()), p,
						  static_cast<int>(c)});
		}
}

bool is_cha(const std::string &platform, uint64_t msr)
{
	if (platform == "icx")
		return (msr >= 0xe00 && msr < 0xfea) || (msr >= 0xb60 && msr < 0xbb4);
	return (platform == "skx" && msr >= 0xe00 && msr < 0xfc0) ||
	       (platform == "knl" && msr >= 0xe00 && msr < 0xfc8);
}

void fill_listing(FakeMachine &m, const Listing &l, const Order &order)
{
	const unsigned n = l.packages();
	const std::string platform = l.platform.name;
	std::set<unsigned> closed; // devices whose registers are unknown
	bool chas = true;
	uint32_t map = 0, fuses;

	m.hw_of().where = UNC_RECORDED; // do not use the files of this computer
	snprintf(m.machine.topo.vendor, sizeof(m.machine.topo.vendor), "GenuineIntel");
	m.machine.topo.family = 6;
	m.machine.topo.model = l.model();
	add_listed_cpus(m, l);
	for (unsigned p = 0; p < n; p++)
		map |= order.node_of_package(p, n) << 3 * p;
	for (unsigned p = n; p < 8; p++)
		map |= 7u << 3 * p;
	for (const Listed &d : l.devices) {
		const unsigned unit =
			m.device(static_cast<uint16_t>(d.id), d.bus, d.slot, d.function, -1);

		m.pci[unit].segment = static_cast<uint16_t>(d.domain);
		if (d.id == l.platform.ubox) {
			m.config(unit, l.platform.node, order.node_of_ubox(l.ubox_of(d), n));
			m.config(unit, l.platform.map, map);
		} else if (d.id == l.platform.fuses && fuses_of(l, d, &fuses)) {
			m.config(unit, l.platform.fuses_at, fuses);
		} else if (d.id == l.platform.fuses || d.id == l.platform.address) {
			closed.insert(unit);
			chas = chas && d.id != l.platform.fuses;
		}
	}
	m.reason = "a PCI listing does not include this register";
	m.fails = [closed, platform, chas](const unc_op &op) {
		const bool pci = op.space == UNCORE_PCI && closed.count(op.unit);
		const bool msr = op.space == UNCORE_MSR && !chas && is_cha(platform, op.address);

		return pci || msr ? -EACCES : 0;
	};
}

Regs regs_of(const std::string &text)
{
	Regs r;

	if (sscanf(text.c_str(), "%x %x %x %x", &r[0], &r[1], &r[2], &r[3]) != 4)
		throw std::runtime_error(text);
	return r;
}

void add_leaves(FakeMachine &m, unsigned cpu, const nlohmann::json &leaves)
{
	for (const auto &leaf : leaves.items()) {
		unsigned number, subleaf;

		if (sscanf(leaf.key().c_str(), "%x.%x", &number, &subleaf) != 2)
			throw std::runtime_error(leaf.key());
		m.cpuid[{cpu, number, subleaf}] = regs_of(leaf.value());
	}
}

void add_dumped_cpus(FakeMachine &m, const nlohmann::json &recorded)
{
	const unsigned n = recorded["cpus"];

	m.cpus.clear();
	for (unsigned cpu = 0; cpu < n; cpu++) {
		add_leaves(m, cpu, recorded["cpu0"]);
		if (cpu > 0)
			add_leaves(m, cpu, recorded["others"].at(cpu - 1));
		const Regs thread = m.cpuid[{cpu, 0xb, 0}], core = m.cpuid[{cpu, 0xb, 1}];

		m.cpus.push_back(
			{cpu, thread[3] >> core[0], static_cast<int>(thread[3] >> thread[0])});
	}
}

void identify(unc_topology &topo, const nlohmann::json &recorded)
{
	const Regs names = regs_of(recorded["cpu0"]["0.0"]), id = regs_of(recorded["cpu0"]["1.0"]);
	const uint32_t vendor[] = {names[1], names[3], names[2]};

	memcpy(topo.vendor, vendor, sizeof(vendor));
	topo.family = id[0] >> 8 & 0xf;
	topo.model = (id[0] >> 4 & 0xf) | (id[0] >> 12 & 0xf0);
	topo.stepping = id[0] & 0xf;
	topo.hypervisor = id[2] >> 31;
	if (topo.family == 0xf)
		topo.family += id[0] >> 20 & 0xff;
}

const unc_platform &platform_of(const nlohmann::json &dump)
{
	const unc_platform *platform = nullptr;
	unc_topology topo = {};
	unc_err err = {};

	identify(topo, dump);
	unc_err_init(&err);
	unc_platform_find(&topo, &platform, &err);
	unc_err_destroy(&err);
	if (!platform)
		throw std::runtime_error("no platform of " + dump["source"].get<std::string>());
	return *platform;
}

unsigned slices_by_leaf_4(const nlohmann::json &dump)
{
	for (const auto &leaf : dump["cpu0"].items()) {
		const Regs cache = regs_of(leaf.value());

		if (leaf.key().compare(0, 2, "4.") == 0 && (cache[0] >> 5 & 7) == 3)
			return (cache[2] + 1) / 2048;
	}
	return 0;
}

unsigned cha_of(const std::string &platform, uint64_t msr)
{
	if (platform == "skx")
		return static_cast<unsigned>(msr - 0xe00) / 0x10;
	if (msr < 0xe00)
		return 34 + static_cast<unsigned>(msr - 0xb60) / 0xe;
	return msr < 0xf0a ? static_cast<unsigned>(msr - 0xe00) / 0xe
			   : 18 + static_cast<unsigned>(msr - 0xf0a) / 0xe;
}

void fill_dump(FakeMachine &m, const nlohmann::json &recorded)
{
	const std::string platform = m.platform.name;
	const unsigned slices = slices_by_leaf_4(recorded);

	m.hw_of().where = UNC_RECORDED;
	identify(m.machine.topo, recorded);
	m.machine.topo.unread = -EACCES;
	snprintf(m.machine.topo.unread_file, sizeof(m.machine.topo.unread_file),
		 "sys/bus/pci/devices");
	add_dumped_cpus(m, recorded);
	m.reason = "a CPUID dump does not include this register";
	// accesses to registers of missing slices fault
	m.fails = [platform, slices](const unc_op &op) {
		const bool knl = platform == "knl";

		if (op.space != UNCORE_MSR)
			return 0;
		if (knl && op.address == 0x702)
			return -EACCES;
		if (!is_cha(platform, op.address))
			return 0;
		return knl ? -EACCES : cha_of(platform, op.address) < slices ? 0 : -EIO;
	};
}

} // namespace support
