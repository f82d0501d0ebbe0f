/* SPDX-License-Identifier: BSD-3-Clause */
// faults.h - makes accesses of an open machine fail: the n-th one once, or all later ones to
// its register as well.
#ifndef SUPPORT_FAULTS_H
#define SUPPORT_FAULTS_H

#include <array>
#include <cerrno>
#include <cstdio>
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
	explicit Faults(Interposer &hardware) : hardware(hardware)
	{
		hardware.on_read = [this](const unc_op &op, uint64_t *value) {
			return read(op, value);
		};
		hardware.on_write = [this](const unc_op &op, uint64_t) {
			if (before_write)
				before_write(op);
			return write(op);
		};
		hardware.on_open = [this] { return open(); };
	}
	~Faults()
	{
		hardware.on_read = nullptr;
		hardware.on_write = nullptr;
		hardware.on_open = nullptr;
	}
	Faults(const Faults &) = delete;
	Faults &operator=(const Faults &) = delete;

	// Counts accesses from here on, but only while the machine is watched.
	void plan(const std::vector<Fault> &list)
	{
		faults.assign(list.begin(), list.end());
		accesses = 0;
		hits.clear();
	}
	void clear()
	{
		plan({});
	}
	// Whether all faults have occurred.
	bool over() const
	{
		for (const Fault &f : faults)
			if (f.at >= accesses)
				return false;
		return true;
	}
	// Whether the message names one of the registers. Adjacent registers in config space
	// are read by one access, so any of them matches.
	bool named_in(const std::string &sentence) const
	{
		for (const unc_op &op : hits) {
			const unsigned n = op.space == UNCORE_PCI && op.width == 64 ? 4 : 0;

			for (unsigned i = 0; i <= n; i++)
				if (sentence.find(hex(op.address - 8 * i)) != sentence.npos)
					return true;
		}
		return false;
	}
	// Whether one of the faults causes this code.
	bool has_code(int code) const
	{
		for (const Fault &f : faults)
			if (f.way->code == code)
				return true;
		return false;
	}
	std::string what() const
	{
		std::string text;
		char one[96];

		for (const Fault &f : faults) {
			snprintf(one, sizeof(one), "%s access %u %s%s", text.empty() ? "" : " and",
				 f.at, f.way->name, f.lasts ? " from then on" : "");
			text += one;
		}
		for (const unc_op &op : hits) {
			text += op.kind == UNCORE_READ ? ", read " : ", write ";
			text += hex(op.address);
		}
		return text;
	}

	std::function<void(const unc_op &op)> before_write;
	bool watched = false;
	unsigned accesses = 0;
	std::vector<unc_op> hits; // each register once

      private:
	static std::string hex(uint64_t number)
	{
		char text[32];

		snprintf(text, sizeof(text), "%#llx", static_cast<unsigned long long>(number));
		return text;
	}
	static bool same(const unc_op &a, const unc_op &b)
	{
		return a.space == b.space && a.package == b.package && a.unit == b.unit &&
		       a.address == b.address;
	}
	// Memory-mapped registers have a page for each box.
	static bool same_device(const unc_op &a, const unc_op &b)
	{
		return a.space == b.space && a.unit == b.unit &&
		       (a.space == UNCORE_PCI ||
			(a.space == UNCORE_MMIO && a.address >> 12 == b.address >> 12));
	}
	void hit(unc_op op, bool write)
	{
		op.kind = write ? UNCORE_WRITE : UNCORE_READ;
		for (const unc_op &known : hits)
			if (same(known, op) && known.kind == op.kind)
				return;
		hits.push_back(op);
	}
	// How this access fails; NULL if it succeeds.
	const Way *next(const unc_op *op, bool write)
	{
		const unsigned now = accesses;
		const Way *way = nullptr;

		if (!watched)
			return nullptr;
		accesses++;
		for (Planned &f : faults) {
			const bool mine = f.at == now;

			if (mine && op)
				f.op = *op;
			if (mine || (f.lasts && f.at < now && op &&
				     (f.way->error ? same(f.op, *op) : same_device(f.op, *op))))
				way = f.way;
		}
		if (way && op)
			hit(*op, write);
		return way;
	}
	int read(const unc_op &op, uint64_t *value)
	{
		const Way *way = next(&op, false);

		if (!way)
			return hardware.read(op, value);
		*value = UINT64_MAX >> (64 - op.width);
		return -way->error;
	}
	int write(const unc_op &op)
	{
		const Way *way = next(&op, true);

		return way ? -way->error : 0;
	}
	int open()
	{
		const Way *way = next(nullptr, false);

		return way ? -way->error : 0;
	}

	struct Planned : Fault {
		Planned(const Fault &f) : Fault(f)
		{
		}
		unc_op op = {};
	};
	Interposer &hardware;
	std::vector<Planned> faults;
};

} // namespace support

#endif
