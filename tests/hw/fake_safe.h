/* SPDX-License-Identifier: BSD-3-Clause */
// fake_safe.h - msr-safe without its kernel module: replaces ioctl(), pread() and pwrite() of
// this program for the files dev/cpu/... below a tree, backed by a simulated machine. Written
// from the module's documentation, not from src/lib/hw.
//
// Defines these functions, so only one test file of a program may include it.
#ifndef TESTS_FAKE_SAFE_H
#define TESTS_FAKE_SAFE_H

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "support/tree.h"

struct sim;

namespace support
{

struct MsrBatchOp {
	uint16_t cpu, isrdmsr;
	int32_t err;
	uint32_t msr;
	uint64_t msrdata, wmask;
};
struct MsrBatchArray {
	uint32_t numops, version;
	MsrBatchOp *ops;
};
static_assert(sizeof(MsrBatchOp) == 32 && sizeof(MsrBatchArray) == 16, "the kernel's layout");

// Two packages of E5-2600 with eight cores each; CPU n is in package n / 8.
class SafeTree : public Tree
{
      public:
	static constexpr unsigned kCpus = 16, kCores = 8;

	// Any of "msr", "msr_safe" and "msr_batch".
	explicit SafeTree(const std::set<std::string> &files, bool pci = false);
	~SafeTree();
	SafeTree(const SafeTree &) = delete;
	SafeTree &operator=(const SafeTree &) = delete;

	static std::string file(unsigned cpu, const std::string &name);
	uint64_t reg(unsigned package, uint32_t msr);
	// The mask of a register; -1 if it is not in the list.
	int mask(uint32_t msr, uint64_t *bits) const;

	// ---- the module ----

	int access(const char *name, unsigned cpu, uint32_t msr, uint64_t *value, bool write);
	int batch(unsigned long request, MsrBatchArray *array);

	static std::atomic<SafeTree *> current;
	struct sim *sim = nullptr;
	std::map<uint32_t, uint64_t> list;
	uint64_t everything = UINT64_MAX; // mask for registers that are not in the list
	std::set<uint32_t> broken;        // registers whose accesses fault
	std::set<unsigned> offline;
	std::set<unsigned> vanish; // CPUs that go offline between the check and the accesses
	// Called for each batch; its errno, if any, is the answer.
	std::function<int(MsrBatchArray *)> on_batch;
	unsigned version = 1;
	unsigned ioctls = 0, reads = 0, writes = 0, most = 0;
	// writes of each package, in order
	std::map<unsigned, std::vector<std::pair<uint32_t, uint64_t>>> written;

      private:
	int carry_out(unsigned cpu, uint32_t msr, uint64_t *value, bool write, uint64_t bits);
	bool check(MsrBatchOp *op) const;
	void run(MsrBatchOp *op);

	std::mutex mutex;
};

// The CPU and name of the file of the current tree that fd refers to; false for any other file.
bool which_file(int fd, SafeTree **tree, unsigned *cpu, char name[16]);

ssize_t answer(int error, ssize_t good);

} // namespace support

#endif
