// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_platforms.h"

namespace support::platforms
{

Place at(uint32_t device, unsigned dev, unsigned function)
{
	return {device, dev << 3 | function};
}

namespace
{

// A "cbox" of the simulator is a "cbo" of the documents.
const facts::Kind &registers_of(const Platform &of, const std::string &called)
{
	const bool box = called.size() == 4 && called.substr(1) == "box";

	return facts::kind(of.name, box ? called.substr(0, 2) + "o" : called);
}

Kind msr(const Platform &of, const char *called, unsigned width, unsigned clock = 0, unsigned n = 1)
{
	return {registers_of(of, called), called, n, width, clock, {}, {}};
}

Kind pci(const Platform &of, const char *called, unsigned width, unsigned clock,
	 const std::vector<Place> &places)
{
	const auto n = static_cast<unsigned>(places.size());

	return {registers_of(of, called), called, n, width, clock, places, {}};
}

std::vector<Place> row(uint32_t device, unsigned first, unsigned n, unsigned function)
{
	std::vector<Place> places;

	for (unsigned i = 0; i < n; i++)
		places.push_back(at(device, first + i, function));
	return places;
}

} // namespace

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

Platform ivbep()
{
	Platform p = {"ivbep",  62,     15,   0x30000, 0xc00, 0xc01, 1u << 31,
		      1u << 29, 0x0e1e, 0x40, 0x54,    true,  {}};

	p.kinds = {
		msr(p, "ubox", 44),
		msr(p, "cbox", 44, 0, 10),
		msr(p, "pcu", 48),
		pci(p, "ha", 48, 0, {at(0x0e30, 14, 1), at(0x0e38, 28, 1)}),
		pci(p, "imc", 48, 0,
		    {at(0x0eb4, 16, 4), at(0x0eb5, 16, 5), at(0x0eb0, 16, 0), at(0x0eb1, 16, 1),
		     at(0x0ef4, 30, 4), at(0x0ef5, 30, 5), at(0x0ef0, 30, 0), at(0x0ef1, 30, 1)}),
		pci(p, "irp", 48, 0, {at(0x0e39, 5, 6)}),
		pci(p, "qpi", 48, 0x14, {at(0x0e32, 8, 2), at(0x0e33, 9, 2), at(0x0e3a, 24, 2)}),
		pci(p, "r2pcie", 44, 1, {at(0x0e34, 19, 1)}),
		pci(p, "r3qpi", 44, 1, {at(0x0e36, 19, 5), at(0x0e37, 19, 6), at(0x0e3e, 18, 5)}),
	};
	p.kinds[5].list = {0xa0, 0xb0, 0xb8, 0xc0};
	return p;
}

Platform ring(const std::string &name, unsigned model, unsigned cores, unsigned max_cores,
	      uint32_t id, unsigned narrow)
{
	Platform p = {name,     model,    max_cores,
		      0x30000,  0x700,    0x701,
		      1u << 31, 1u << 29, static_cast<uint16_t>(id | 0x1e),
		      0x40,     0x54,     true,
		      {}};

	p.kinds = {
		msr(p, "ubox", narrow),
		msr(p, "cbox", 48, 0, cores),
		msr(p, "sbox", narrow, 0, 4),
		msr(p, "pcu", 48),
		pci(p, "ha", 48, 0, {at(id | 0x30, 18, 1), at(id | 0x38, 18, 5)}),
		pci(p, "imc", 48, 0,
		    {at(id | 0xb0, 20, 0), at(id | 0xb1, 20, 1), at(id | 0xb4, 21, 0),
		     at(id | 0xb5, 21, 1), at(id | 0xd0, 23, 0), at(id | 0xd1, 23, 1),
		     at(id | 0xd4, 24, 0), at(id | 0xd5, 24, 1)}),
		pci(p, "irp", 48, 0, {at(id | 0x39, 5, 6)}),
		pci(p, "qpi", 48, 0x14,
		    {at(id | 0x32, 8, 2), at(id | 0x33, 9, 2), at(id | 0x3a, 10, 2)}),
		pci(p, "r2pcie", 48, 1, {at(id | 0x34, 16, 1)}),
		pci(p, "r3qpi", narrow, 1,
		    {at(id | 0x36, 11, 1), at(id | 0x37, 11, 2), at(id | 0x3e, 11, 5)}),
	};
	return p;
}

Platform skx()
{
	Platform p = {
		"skx",  85,   28,   0x30000, 0x700, 0x701, UINT64_C(1) << 63, UINT64_C(1) << 61,
		0x2014, 0xc0, 0xd4, false,   {}};

	p.kinds = {
		msr(p, "ubox", 48),
		msr(p, "cha", 48, 0, 20),
		msr(p, "iio", 48, 1, 6),
		msr(p, "irp", 48, 1, 6),
		msr(p, "pcu", 48),
		pci(p, "imc", 48, 0,
		    {at(0x2042, 10, 2), at(0x2046, 10, 6), at(0x204a, 11, 2), at(0x2042, 12, 2),
		     at(0x2046, 12, 6), at(0x204a, 13, 2)}),
		pci(p, "m2m", 48, 0, {at(0x2066, 8, 0), at(0x2066, 9, 0)}),
		pci(p, "upi", 48, 1, {at(0x2058, 14, 0), at(0x2058, 15, 0), at(0x2058, 16, 0)}),
		pci(p, "m2pcie", 48, 1,
		    {at(0x2088, 21, 1), at(0x2088, 22, 1), at(0x2088, 23, 1), at(0x2088, 22, 5)}),
		pci(p, "m3upi", 48, 1, {at(0x204d, 18, 1), at(0x204e, 18, 2), at(0x204d, 18, 5)}),
	};
	return p;
}

Platform knl()
{
	Platform p = {"knl", 87, 72, 0,    0x700, 0x701, UINT64_C(1) << 63, UINT64_C(1) << 61,
		      0,     0,  0,  true, {}};

	p.kinds = {
		msr(p, "ubox", 48),
		msr(p, "cha", 48, 0, 38),
		msr(p, "pcu", 48),
		pci(p, "imc_uclk", 48, 0, row(0x7841, 10, 2, 0)),
		pci(p, "imc", 48, 0,
		    {at(0x7843, 8, 2), at(0x7843, 8, 3), at(0x7843, 8, 4), at(0x7843, 9, 2),
		     at(0x7843, 9, 3), at(0x7843, 9, 4)}),
		pci(p, "edc_uclk", 48, 0, row(0x7833, 15, 8, 0)),
		pci(p, "edc_eclk", 48, 0, row(0x7835, 24, 8, 2)),
		pci(p, "m2pcie", 48, 1, {at(0x7817, 12, 1)}),
		pci(p, "irp", 48, 0, {at(0x7814, 5, 6)}),
	};
	return p;
}

Platform icx()
{
	Platform p = {
		"icx",  106,  40,   0x30000, 0x700, 0x70e, UINT64_C(1) << 63, UINT64_C(1) << 61,
		0x3450, 0xc0, 0xd4, true,    {}};

	p.kinds = {
		msr(p, "ubox", 48),
		msr(p, "cha", 48, 0, 32),
		msr(p, "iio", 48, 1, 6),
		msr(p, "irp", 48, 1, 6),
		msr(p, "m2pcie", 48, 1, 6),
		msr(p, "pcu", 48),
		pci(p, "m2m", 48, 0, row(0x344a, 12, 4, 0)),
		pci(p, "upi", 48, 1, row(0x3441, 2, 3, 1)),
		pci(p, "m3upi", 48, 1, row(0x3446, 5, 3, 1)),
		msr(p, "imc", 48, 0, 12),
	};
	return p;
}

} // namespace support::platforms
