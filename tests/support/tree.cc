// SPDX-License-Identifier: BSD-3-Clause
#include "support/tree.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

namespace support
{

namespace
{

int remove_one(const char *name, const struct stat *, int, struct FTW *)
{
	return ::remove(name);
}

// Tests that are run as root become other users, who must be able to enter each directory above.
bool all_may_enter(const std::string &dir)
{
	for (size_t slash = 0; slash != dir.npos;) {
		struct stat st = {};

		slash = dir.find('/', slash + 1);
		if (stat(dir.substr(0, slash).c_str(), &st) != 0 || !(st.st_mode & S_IXOTH))
			return false;
	}
	return true;
}

// A few hundred files, created many times: in memory if possible.
std::string directory_of_trees()
{
	const char *chosen = getenv("TMPDIR");

	if (chosen && (geteuid() != 0 || all_may_enter(chosen)))
		return chosen;
	return access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
}

} // namespace

Tree::Tree()
{
	std::string name = directory_of_trees() + "/uncore-tree-XXXXXX";

	if (!mkdtemp(&name[0]))
		throw std::runtime_error("mkdtemp " + name);
	root = name;
}

Tree::~Tree()
{
	nftw(root.c_str(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

std::string Tree::path(const std::string &name) const
{
	return root + "/" + name;
}

void Tree::write(const std::string &name, const std::string &text)
{
	const std::string file = path(name);
	const bool exists = access(file.c_str(), F_OK) == 0;

	make_parents(name);
	std::ofstream(file, std::ios::binary) << text;
	if (!exists)
		chmod(file.c_str(), 0644);
}

void Tree::remove(const std::string &name)
{
	nftw(path(name).c_str(), remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void Tree::resize(const std::string &name, size_t bytes)
{
	if (truncate(path(name).c_str(), static_cast<off_t>(bytes)) != 0)
		throw std::runtime_error("truncate " + name);
}

void Tree::cpuinfo(const std::string &vendor, unsigned family, unsigned model,
		   const std::string &flags)
{
	write("proc/cpuinfo", "processor\t: 0\nvendor_id\t: " + vendor +
				      "\ncpu family\t: " + std::to_string(family) +
				      "\nmodel\t\t: " + std::to_string(model) +
				      "\nmodel name\t: some CPU\nstepping\t: 7\nflags\t\t: " +
				      flags + "\n\nprocessor\t: 1\n");
}

void Tree::online(const std::string &list)
{
	write("sys/devices/system/cpu/online", list + "\n");
}

void Tree::topology(unsigned cpu, unsigned package, unsigned core)
{
	const std::string dir = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";

	write(dir + "physical_package_id", std::to_string(package) + "\n");
	write(dir + "core_id", std::to_string(core) + "\n");
}

void Tree::cpuid_level(unsigned cpu, unsigned level, uint32_t logical, uint32_t kind)
{
	const std::string name = "dev/cpu/" + std::to_string(cpu) + "/cpuid";
	const size_t at = 0xb + (size_t{level} << 32);

	put(name, at + 4, logical, 4);
	put(name, at + 8, kind, 8);
}

void Tree::msr(unsigned cpu, unsigned package)
{
	const std::string name = msr_name(cpu);

	make_parents(name);
	if (first_msr.emplace(package, name).second)
		sparse(name, kMsrBytes);
	else if (link(path(first_msr[package]).c_str(), path(name).c_str()) != 0)
		throw std::runtime_error("link " + name);
}

void Tree::cpu(unsigned id, unsigned package, unsigned core)
{
	topology(id, package, core);
	msr(id, package);
}

void Tree::pci(unsigned segment, unsigned bus, unsigned device, unsigned function, unsigned id,
	       int node, unsigned vendor)
{
	const std::string dir = pci_dir(segment, bus, device, function);
	char text[64];

	snprintf(text, sizeof(text), "pci:v%08Xd%08Xsv00000000sd00000000bc08sc80i00\n", vendor, id);
	write(dir + "modalias", text);
	snprintf(text, sizeof(text), "0x%04x\n", vendor);
	write(dir + "vendor", text);
	snprintf(text, sizeof(text), "0x%04x\n", id);
	write(dir + "device", text);
	write(dir + "numa_node", std::to_string(node) + "\n");
	sparse(dir + "config", kConfigBytes);
}

void Tree::ubox(unsigned segment, unsigned bus, unsigned node_id, uint32_t map, int node)
{
	const std::string config = pci_dir(segment, bus, 11, 3) + "config";

	pci(segment, bus, 11, 3, kUbox, node);
	put(config, 0x40, node_id, 4);
	put(config, 0x54, map, 4);
}

const std::vector<Tree::Function> &Tree::functions_of_a_package()
{
	static const std::vector<Function> functions = {
		{11, 3, 0x3ce0}, {8, 2, 0x3c41},  {8, 6, 0x3c86},  {9, 2, 0x3c42},  {9, 6, 0x3c96},
		{14, 1, 0x3c46}, {16, 0, 0x3cb0}, {16, 1, 0x3cb1}, {16, 4, 0x3cb4}, {16, 5, 0x3cb5},
		{19, 1, 0x3c43}, {19, 5, 0x3c44}, {19, 6, 0x3c45}};

	return functions;
}

void Tree::uncore_devices(unsigned segment, unsigned bus, int node)
{
	for (const auto &f : functions_of_a_package())
		if (f.id != kUbox)
			pci(segment, bus, f.device, f.function, f.id, node);
}

void Tree::two_packages()
{
	cpuinfo();
	online("0-7");
	for (unsigned i = 0; i < 8; i++)
		cpu(i, i / 4, i % 4);
	for (unsigned p = 0; p < 2; p++) {
		ubox(0, 0x7f + 0x80 * p, p, 1 << 3);
		uncore_devices(0, 0x7f + 0x80 * p);
	}
}

void Tree::one_package()
{
	cpuinfo();
	online("0-3");
	for (unsigned i = 0; i < 4; i++)
		cpu(i, 0, i);
	ubox(0, 0x7f, 0, 0);
	uncore_devices(0, 0x7f);
}

std::string Tree::msr_name(unsigned cpu)
{
	return "dev/cpu/" + std::to_string(cpu) + "/msr";
}

std::string Tree::pci_dir(unsigned segment, unsigned bus, unsigned device, unsigned function)
{
	char text[64];

	snprintf(text, sizeof(text), "sys/bus/pci/devices/%04x:%02x:%02x.%x/", segment, bus, device,
		 function);
	return text;
}

std::string Tree::config_name(unsigned bus, unsigned device, unsigned function)
{
	return pci_dir(0, bus, device, function) + "config";
}

uint64_t Tree::get(const std::string &name, off_t offset, size_t bytes) const
{
	const int fd = open(path(name).c_str(), O_RDONLY | O_CLOEXEC);
	uint64_t value = 0;

	EXPECT_EQ(static_cast<ssize_t>(bytes), pread(fd, &value, bytes, offset)) << name;
	close(fd);
	return value;
}

void Tree::put(const std::string &name, off_t offset, uint64_t value, size_t bytes)
{
	const int fd = open(path(name).c_str(), O_WRONLY | O_CLOEXEC);

	EXPECT_EQ(static_cast<ssize_t>(bytes), pwrite(fd, &value, bytes, offset)) << name;
	close(fd);
}

std::string Tree::registers() const
{
	std::string all;

	for (const std::string &name : register_files) {
		std::ifstream file(path(name), std::ios::binary);
		std::ostringstream text;

		text << file.rdbuf();
		all += name + "\n" + text.str();
	}
	return all;
}

uncore_options Tree::options() const
{
	auto o = support::sized<uncore_options>();

	o.machine = "native";
	o.sysroot = root.c_str();
	return o;
}

void Tree::make_parents(const std::string &name)
{
	for (size_t slash = name.find('/'); slash != std::string::npos;
	     slash = name.find('/', slash + 1)) {
		const std::string dir = path(name.substr(0, slash));

		if (mkdir(dir.c_str(), 0755) == 0)
			chmod(dir.c_str(), 0755);
	}
}

void Tree::sparse(const std::string &name, size_t bytes)
{
	write(name, "");
	resize(name, bytes);
	register_files.push_back(name);
}

} // namespace support
