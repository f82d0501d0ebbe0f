// SPDX-License-Identifier: BSD-3-Clause
// tree_fuzz.cc - /proc and /sys of any kind, and register files: no crash, no write, no file that
// stays open, and a machine that fits together or a sentence.
//
// The first byte chooses a tree: that of a simulated machine, or an empty one.  The rest
// changes it, file by file:
//
//	@path       a file with the lines that follow
//	@-path      the file is missing; with / at the end: the directory
//	@!13 path   opening it (odd numbers) or reading it fails with that errno
//
// In a path % is sys/bus/pci/devices/ and & is sys/devices/system/cpu/.
#include "base/sysfs.h"
#include "fuzz/files_in_memory.h"
#include "fuzz/machine_checks.h"
#include "sim/sim.h"

namespace
{

using fuzz::demand;
using fuzz::File;
using fuzz::Files;
using fuzz::Tree;

constexpr const char *kSpecs[] = {
	"",
	"nhmex:cores=2",
	"wsmex:cores=2",
	"snbep:cores=4",
	"ivbep:cores=3",
	"hswep:cores=4",
	"bdx:cores=3",
	"skx:cores=2,dies=2",
	"knl:cores=4",
	"icx:cores=2",
	"spr:cores=2",
	"gnr:cores=2",
	"srf:cores=2,packages=1",
};

const std::string kCpus = "sys/devices/system/cpu/";

File file(const std::string &text)
{
	return {std::make_shared<std::string>(text), 0};
}

std::string hex(const char *format, unsigned a, unsigned b = 0, unsigned c = 0, unsigned d = 0)
{
	char text[64];

	snprintf(text, sizeof(text), format, a, b, c, d);
	return text;
}

// ---- the trees ----

std::string config_of(sim *sim, const sim_pci &p)
{
	std::string bytes(4096, '\0');

	for (uint32_t at = 0; at < 0x200; at += 4) {
		uint64_t value = 0;

		sim_pci_read(sim, p.segment, p.bus, p.devfn, at, 32, &value);
		memcpy(&bytes[at], &value, 4);
	}
	return bytes;
}

void add_devices(Tree &tree, sim *sim)
{
	size_t n;
	const sim_pci *pci = sim_pci_devices(sim, &n);
	std::string list;

	for (size_t i = 0; i < n; i++) {
		const sim_pci &p = pci[i];
		const std::string dir = fuzz::kDevices + hex("%04x:%02x:%02x.%x/", p.segment, p.bus,
							     p.devfn >> 3, p.devfn & 7u);

		list += hex("%02x%02x\t%04x%04x\t0\n", p.bus, p.devfn, p.vendor, p.device);
		tree[dir + "modalias"] = file(hex("pci:v%08Xd%08Xsv", p.vendor, p.device));
		tree[dir + "numa_node"] = file(std::to_string(p.numa_node) + "\n");
		tree[dir + "config"] = file(config_of(sim, p));
	}
	tree["proc/bus/pci/devices"] = file(list);
}

void add_cpus(Tree &tree, sim *sim)
{
	static const File msrs = file(std::string(0x4000, '\0'));
	size_t n;
	const sim_cpu *cpus = sim_cpus(sim, &n);
	std::map<unsigned, std::string> lists;

	for (size_t i = 0; i < n; i++)
		lists[cpus[i].package << 16 | cpus[i].die] += std::to_string(cpus[i].id) + ",";
	for (size_t i = 0; i < n; i++) {
		const std::string id = std::to_string(cpus[i].id);
		const std::string dir = kCpus + "cpu" + id + "/topology/";
		const std::string &list = lists[cpus[i].package << 16 | cpus[i].die];

		tree[dir + "physical_package_id"] = file(std::to_string(cpus[i].package));
		tree[dir + "die_id"] = file(std::to_string(cpus[i].die));
		tree[dir + "die_cpus_list"] = file(list.substr(0, list.size() - 1) + "\n");
		tree[dir + "core_id"] = file(std::to_string(cpus[i].core));
		tree["dev/cpu/" + id + "/msr"] = msrs;
	}
	for (const auto &list : lists)
		tree["sys/devices/system/node/node" + std::to_string(list.first >> 16) +
		     "/cpulist"] = file(list.second);
	tree[kCpus + "online"] = file("0-" + std::to_string(n - 1) + "\n");
}

Tree tree_of(const char *spec)
{
	Tree tree;
	sim *sim = nullptr;
	char why[256];

	if (!*spec)
		return tree;
	demand(sim_open(spec, &sim, why, sizeof(why)) == 0, "no machine", spec);
	const struct sim_id id = sim_id(sim);
	tree["proc/cpuinfo"] = file("processor\t: 0\nvendor_id\t: " + std::string(id.vendor) +
				    "\ncpu family\t: " + std::to_string(id.family) +
				    "\nmodel\t\t: " + std::to_string(id.model) +
				    "\nstepping\t: 7\nflags\t\t: fpu msr\n\n");
	add_cpus(tree, sim);
	add_devices(tree, sim);
	sim_close(sim);
	return tree;
}

// ---- the changes ----

std::string path_of(std::string text)
{
	if (!text.empty() && text[0] == '%')
		return fuzz::kDevices + text.substr(1);
	if (!text.empty() && text[0] == '&')
		return kCpus + text.substr(1);
	return text;
}

void remove(const Tree &tree, const std::string &path)
{
	Files::here().change(path, {});
	if (path.empty() || path.back() != '/')
		return;
	for (auto f = tree.lower_bound(path);
	     f != tree.end() && f->first.compare(0, path.size(), path) == 0; ++f)
		Files::here().change(f->first, {});
}

void change(const Tree &tree, const std::string &record)
{
	const size_t line = std::min(record.find('\n'), record.size());
	const std::string head = record.substr(0, line);
	int error = 0, end = 0;

	if (head[0] == '-')
		remove(tree, path_of(head.substr(1)));
	else if (sscanf(head.c_str(), "!%3d %n", &error, &end) == 1 && end > 0)
		Files::here().change(path_of(head.substr(static_cast<size_t>(end))),
				     {nullptr, error});
	else
		Files::here().change(path_of(head),
				     file(record.substr(std::min(line + 1, record.size()))));
}

void change_all(const Tree &tree, const std::string &text)
{
	for (size_t at = text.find('@'); at != std::string::npos;) {
		const size_t next = text.find("\n@", at);
		const std::string record =
			text.substr(at + 1, next == std::string::npos ? next : next - at);

		change(tree, record);
		at = next == std::string::npos ? next : next + 1;
	}
}

// ---- what is opened ----

void check_devices(const unc_topology &t)
{
	const std::set<std::string> names = Files::here().devices();
	char name[UNC_PCI_NAME];

	for (size_t i = 0; i < t.n_pci; i++)
		demand(names.count(unc_pci_name(name, &t.pci[i])) == 1, "no such device", name);
}

void check_places(const unc_topology &t)
{
	unc_numa numa = {};

	for (size_t i = 0; i < t.n_pci; i++)
		demand(unc_near(&t, Files::kRoot, i, &numa) >= UNC_OFFLINE, "near");
	for (size_t i = 0; i < t.n_cpus && i < 64; i++)
		demand(unc_topology_core(Files::kRoot, t.cpus[i].id) >= -4095, "core");
}

void build(unc_machine &m, const unc_platform *platform, unc_err &err)
{
	unc_hw *hw = unc_hw_native(Files::kRoot, &m.topo);
	int r;

	demand(hw != nullptr, "no memory");
	hw->writable = unc_writable_bits;
	hw->machine = &m;
	r = unc_machine_build(&m, platform, hw, &err);
	fuzz::check_machine(m, r, err);
	if (r == 0)
		fuzz::check_map(m);
	hw->ops->close(hw);
}

// As set/open.c does.
int open_machine(unc_machine &m, unc_err &err)
{
	const unc_platform *platform = nullptr;
	int r = unc_topology_model(&m.topo, Files::kRoot, &err);

	if (r == 0)
		r = unc_platform_find(&m.topo, &platform, &err);
	if (r == 0 && unc_platform_named(platform))
		r = unc_hw_native_allowed(Files::kRoot, &err);
	else if (r == 0 && !unc_discovery_likely(Files::kRoot))
		r = unc_platform_unknown(&m.topo, &err);
	if (r == 0)
		r = unc_topology_devices(&m.topo, Files::kRoot, &err);
	if (r < 0)
		return r;
	fuzz::check_topology(m.topo);
	check_devices(m.topo);
	check_places(m.topo);
	build(m, platform, err);
	return 0;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Tree trees[std::size(kSpecs)];
	const std::string text(reinterpret_cast<const char *>(data), size);
	const size_t which = fuzz::choice(data, size, std::size(kSpecs));
	Tree &tree = trees[which];
	unc_machine m = {};
	unc_err err = {};

	if (tree.empty())
		tree = tree_of(kSpecs[which]);
	Files::here().clear(&tree);
	change_all(tree, text);
	unc_err_init(&err);
	if (open_machine(m, err) < 0)
		demand(fuzz::is_sentence(err.text), "no sentence", err.text);
	demand(strlen(err.text) < sizeof(err.text) - 1, "a sentence without end");
	unc_machine_free(&m);
	unc_err_destroy(&err);
	demand(Files::here().left_open() == 0 && !Files::here().listed, "a file is left open");
	demand(Files::here().writes == 0, "a register was written");
	return 0;
}
