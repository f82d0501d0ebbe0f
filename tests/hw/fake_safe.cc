// SPDX-License-Identifier: BSD-3-Clause
// fake_safe.cc - in the unit test program only, since it replaces functions of the C library.
#include "hw/fake_safe.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <sys/syscall.h>

#include "sim/sim.h"

namespace support
{

std::atomic<SafeTree *> SafeTree::current;

SafeTree::SafeTree(const std::set<std::string> &files, bool pci)
{
	char why[256];

	cpuinfo();
	online("0-15");
	for (unsigned i = 0; i < kCpus; i++) {
		topology(i, i / kCores, i % kCores);
		for (const char *name : {"msr", "msr_safe"})
			if (files.count(name))
				write(file(i, name), "");
	}
	if (files.count("msr_batch"))
		write("dev/cpu/msr_batch", "");
	for (unsigned p = 0; p < 2; p++) {
		ubox(0, 0x7f + 0x80 * p, p, 1 << 3);
		if (pci)
			uncore_devices(0, 0x7f + 0x80 * p);
	}
	EXPECT_EQ(0, sim_open("snbep:packages=2,cores=8,time=virtual", &sim, why, sizeof(why)))
		<< why;
	current = this;
}

SafeTree::~SafeTree()
{
	current = nullptr;
	sim_close(sim);
}

std::string SafeTree::file(unsigned cpu, const std::string &name)
{
	return "dev/cpu/" + std::to_string(cpu) + "/" + name;
}

uint64_t SafeTree::reg(unsigned package, uint32_t msr)
{
	uint64_t value = 0;

	EXPECT_EQ(0, sim_msr_read(sim, package, msr, &value));
	return value;
}

int SafeTree::mask(uint32_t msr, uint64_t *bits) const
{
	const auto line = list.find(msr);

	*bits = line == list.end() ? everything : line->second;
	return line == list.end() && !everything ? -1 : 0;
}

int SafeTree::access(const char *name, unsigned cpu, uint32_t msr, uint64_t *value, bool write)
{
	const std::lock_guard<std::mutex> lock(mutex);
	const bool safe = strcmp(name, "msr_safe") == 0;
	uint64_t bits = UINT64_MAX;

	(write ? writes : reads)++;
	if (offline.count(cpu))
		return ENXIO;
	if (safe && (mask(msr, &bits) < 0 || (write && bits == 0)))
		return EACCES;
	return carry_out(cpu, msr, value, write, bits);
}

int SafeTree::batch(unsigned long request, MsrBatchArray *array)
{
	const std::lock_guard<std::mutex> lock(mutex);
	int error = 0;

	ioctls++;
	if (request != 0xc01063a2)
		return ENOTTY;
	if (array->numops == 0)
		return EINVAL;
	if (on_batch && (error = on_batch(array)) != 0)
		return error;
	if (version == 2 && array->version >> 16 != 2)
		return ENOPROTOOPT;
	most = array->numops > most ? array->numops : most;
	for (unsigned i = 0; i < array->numops; i++)
		error = check(&array->ops[i]) ? array->ops[i].err : error;
	// the module runs CPUs in parallel, so the order must not matter
	for (unsigned cpu = kCpus; error == 0 && cpu-- > 0;)
		for (unsigned i = 0; i < array->numops; i++)
			if (array->ops[i].cpu == cpu)
				run(&array->ops[i]);
	for (unsigned i = 0; error == 0 && i < array->numops; i++)
		error = array->ops[i].err;
	return -error;
}

int SafeTree::carry_out(unsigned cpu, uint32_t msr, uint64_t *value, bool write, uint64_t bits)
{
	const unsigned package = cpu / kCores;
	uint64_t old = 0;

	if (broken.count(msr) || sim_msr_read(sim, package, msr, &old) != 0)
		return EIO;
	if (!write) {
		*value = old;
		return 0;
	}
	old = (old & ~bits) | (*value & bits);
	written[package].push_back({msr, old});
	return sim_msr_write(sim, package, msr, old) == 0 ? 0 : EIO;
}

bool SafeTree::check(MsrBatchOp *op) const
{
	op->err = 0;
	if (op->cpu >= kCpus || offline.count(op->cpu))
		op->err = -ENXIO;
	else if (mask(op->msr, &op->wmask) < 0)
		op->err = -EACCES;
	else if (op->wmask == 0 && !op->isrdmsr)
		op->err = -EROFS;
	return op->err != 0;
}

void SafeTree::run(MsrBatchOp *op)
{
	if (vanish.count(op->cpu))
		return;
	op->err = -carry_out(op->cpu, op->msr, &op->msrdata, !op->isrdmsr, op->wmask);
}

bool which_file(int fd, SafeTree **tree, unsigned *cpu, char name[16])
{
	char link[32], path[256];
	const SafeTree *t = *tree = SafeTree::current;
	ssize_t n;

	if (!t)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= static_cast<ssize_t>(t->root.size()) ||
	    strncmp(path, t->root.c_str(), t->root.size()) != 0)
		return false;
	path[n] = 0;
	if (strcmp(path + t->root.size(), "/dev/cpu/msr_batch") == 0)
		return strcpy(name, "msr_batch") != nullptr;
	return sscanf(path + t->root.size(), "/dev/cpu/%u/%15s", cpu, name) == 2;
}

ssize_t answer(int error, ssize_t good)
{
	errno = error ? error : errno;
	return error ? -1 : good;
}

} // namespace support

extern "C" int ioctl(int fd, unsigned long request, ...) noexcept
{
	support::SafeTree *tree;
	unsigned cpu;
	char name[16];
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if (!support::which_file(fd, &tree, &cpu, name) || strcmp(name, "msr_batch") != 0)
		return static_cast<int>(syscall(SYS_ioctl, fd, request, argument));
	return static_cast<int>(support::answer(
		tree->batch(request, static_cast<support::MsrBatchArray *>(argument)), 0));
}

extern "C" ssize_t pread(int fd, void *to, size_t bytes, off_t offset)
{
	support::SafeTree *tree;
	unsigned cpu;
	char name[16];

	if (!support::which_file(fd, &tree, &cpu, name) || bytes != 8)
		return syscall(SYS_pread64, fd, to, bytes, offset);
	return support::answer(tree->access(name, cpu, static_cast<uint32_t>(offset),
					    static_cast<uint64_t *>(to), false),
			       8);
}

extern "C" ssize_t pwrite(int fd, const void *from, size_t bytes, off_t offset)
{
	support::SafeTree *tree;
	unsigned cpu;
	char name[16];
	uint64_t value;

	if (!support::which_file(fd, &tree, &cpu, name) || bytes != 8)
		return syscall(SYS_pwrite64, fd, from, bytes, offset);
	memcpy(&value, from, sizeof(value));
	return support::answer(tree->access(name, cpu, static_cast<uint32_t>(offset), &value, true),
			       8);
}
