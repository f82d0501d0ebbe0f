/* SPDX-License-Identifier: BSD-3-Clause */
// faults.h - makes accesses of an open machine fail: the n-th one once, or all later ones to
// its register as well.
#ifndef SUPPORT_FAULTS_H
#define SUPPORT_FAULTS_H

#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include "support/interposer.h"

namespace support
{

// The result of a failed access: an error of a file or of the kernel, fewer bytes than the
// register has (ENODATA from the regs backend), or all ones from a device that has disappeared.
struct Way {
	const char *name;
	int error; // 0: a read returns all ones
	int code;  // the library's error code
};

constexpr std::array<Way, 7> kWays = {{
	{"EIO", EIO, UNCORE_EIO},
	{"EPERM", EPERM, UNCORE_EACCESS},
	{"ENODEV", ENODEV, UNCORE_ENODEV},
	{"ENXIO", ENXIO, UNCORE_ENODEV},
	{"EINTR", EINTR, UNCORE_EIO},
	{"short read", ENODATA, UNCORE_EACCESS},
	{"all ones", 0, UNCORE_ENODEV},
}};

struct Fault {
	unsigned at; // number of the access
	const Way *way;
	// All later accesses to its register fail, too; for all ones, all later accesses to its
	// device.
	bool lasts = false;
};

class Faults
{
      public:
	explicit Faults(Interposer &hardware);
	~Faults();
	Faults(const Faults &) = delete;
	Faults &operator=(const Faults &) = delete;

	// Counts accesses from here on, but only while the machine is watched.
	void plan(const std::vector<Fault> &list);
	void clear();
	// Whether all faults have occurred.
	bool over() const;
	// Whether the message names one of the registers. Adjacent registers in config space
	// are read by one access, so any of them matches.
	bool named_in(const std::string &sentence) const;
	// Whether one of the faults causes this code.
	bool has_code(int code) const;
	std::string what() const;

	std::function<void(const unc_op &op)> before_write;
	bool watched = false;
	unsigned accesses = 0;
	std::vector<unc_op> hits; // each register once

      private:
	static std::string hex(uint64_t number);
	static bool same(const unc_op &a, const unc_op &b);
	// Memory-mapped registers have a page for each box.
	static bool same_device(const unc_op &a, const unc_op &b);
	void hit(unc_op op, bool write);
	// How this access fails; NULL if it succeeds.
	const Way *next(const unc_op *op, bool write);
	int read(const unc_op &op, uint64_t *value);
	int write(const unc_op &op);
	int open();

	struct Planned : Fault {
		Planned(const Fault &f);
		unc_op op = {};
	};
	Interposer &hardware;
	std::vector<Planned> faults;
};

} // namespace support

#endif
