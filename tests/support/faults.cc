// SPDX-License-Identifier: BSD-3-Clause
#include "support/faults.h"

#include <cstdio>

namespace support
{

Faults::Faults(Interposer &hardware) : hardware(hardware)
{
	hardware.on_read = [this](const unc_op &op, uint64_t *value) { return read(op, value); };
	hardware.on_write = [this](const unc_op &op, uint64_t) {
		if (before_write)
			before_write(op);
		return write(op);
	};
	hardware.on_open = [this] { return open(); };
}

Faults::~Faults()
{
	hardware.on_read = nullptr;
	hardware.on_write = nullptr;
	hardware.on_open = nullptr;
}

void Faults::plan(const std::vector<Fault> &list)
{
	faults.assign(list.begin(), list.end());
	accesses = 0;
	hits.clear();
}

void Faults::clear()
{
	plan({});
}

bool Faults::over() const
{
	for (const Fault &f : faults)
		if (f.at >= accesses)
			return false;
	return true;
}

bool Faults::named_in(const std::string &sentence) const
{
	for (const unc_op &op : hits) {
		const unsigned n = op.space == UNCORE_PCI && op.width == 64 ? 4 : 0;

		for (unsigned i = 0; i <= n; i++)
			if (sentence.find(hex(op.address - 8 * i)) != sentence.npos)
				return true;
	}
	return false;
}

bool Faults::has_code(int code) const
{
	for (const Fault &f : faults)
		if (f.way->code == code)
			return true;
	return false;
}

std::string Faults::what() const
{
	std::string text;
	char one[96];

	for (const Fault &f : faults) {
		snprintf(one, sizeof(one), "%s access %u %s%s", text.empty() ? "" : " and", f.at,
			 f.way->name, f.lasts ? " from then on" : "");
		text += one;
	}
	for (const unc_op &op : hits) {
		text += op.kind == UNCORE_READ ? ", read " : ", write ";
		text += hex(op.address);
	}
	return text;
}

std::string Faults::hex(uint64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%#llx", static_cast<unsigned long long>(number));
	return text;
}

bool Faults::same(const unc_op &a, const unc_op &b)
{
	return a.space == b.space && a.package == b.package && a.unit == b.unit &&
	       a.address == b.address;
}

bool Faults::same_device(const unc_op &a, const unc_op &b)
{
	return a.space == b.space && a.unit == b.unit &&
	       (a.space == UNCORE_PCI ||
		(a.space == UNCORE_MMIO && a.address >> 12 == b.address >> 12));
}

void Faults::hit(unc_op op, bool write)
{
	op.kind = write ? UNCORE_WRITE : UNCORE_READ;
	for (const unc_op &known : hits)
		if (same(known, op) && known.kind == op.kind)
			return;
	hits.push_back(op);
}

const Way *Faults::next(const unc_op *op, bool write)
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

int Faults::read(const unc_op &op, uint64_t *value)
{
	const Way *way = next(&op, false);

	if (!way)
		return hardware.read(op, value);
	*value = UINT64_MAX >> (64 - op.width);
	return -way->error;
}

int Faults::write(const unc_op &op)
{
	const Way *way = next(&op, true);

	return way ? -way->error : 0;
}

int Faults::open()
{
	const Way *way = next(nullptr, false);

	return way ? -way->error : 0;
}

Faults::Planned::Planned(const Fault &f) : Fault(f)
{
}

} // namespace support
