// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_platforms.h"

namespace support::platforms
{

Place at(uint32_t device, unsigned dev, unsigned function)
{
	return {device, dev << 3 | function};
}

std::vector<uint32_t> stride(unsigned n, uint32_t step)
{
	std::vector<uint32_t> offsets;

	for (unsigned i = 0; i < n; i++)
		offsets.push_back(i * step);
	return offsets;
}

Kind msr(const char *name, unsigned counters, unsigned width, uint32_t box_ctl, uint32_t control,
	 uint32_t counter, unsigned clock, std::vector<uint32_t> offsets)
{
	unsigned n = static_cast<unsigned>(offsets.size());

	return {name, n, counters, width, box_ctl, control, 1, counter, 1, clock, offsets, {}, {}};
}

Kind pci(const char *name, unsigned counters, unsigned width, unsigned clock,
	 std::vector<Place> places, std::vector<uint32_t> where)
{
	unsigned n = static_cast<unsigned>(places.size());

	return {name,     n, counters, width, where[0], where[1], where[2],
		where[3], 8, clock,    {},    places,   {},       By::kPci};
}

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

Platform ivbep()
{
	Platform p = {"ivbep",  62,     15,   0x30000, 0xc00, 0xc01, 1u << 31,
		      1u << 29, 0x0e1e, 0x40, 0x54,    true,  {}};

	p.kinds = {
		msr("ubox", 2, 44, 0, 0xc10, 0xc16, 0),
		msr("cbox", 4, 44, 0xd04, 0xd10, 0xd16, 0, stride(10, 0x20)),
		msr("pcu", 4, 48, 0xc24, 0xc30, 0xc36, 0),
		pci("ha", 4, 48, 0, {at(0x0e30, 14, 1), at(0x0e38, 28, 1)}),
		pci("imc", 4, 48, 0,
		    {at(0x0eb4, 16, 4), at(0x0eb5, 16, 5), at(0x0eb0, 16, 0), at(0x0eb1, 16, 1),
		     at(0x0ef4, 30, 4), at(0x0ef5, 30, 5), at(0x0ef0, 30, 0), at(0x0ef1, 30, 1)}),
		pci("irp", 4, 48, 0, {at(0x0e39, 5, 6)}),
		pci("qpi", 4, 48, 0x14, {at(0x0e32, 8, 2), at(0x0e33, 9, 2), at(0x0e3a, 24, 2)}),
		pci("r2pcie", 4, 44, 1, {at(0x0e34, 19, 1)}),
		pci("r3qpi", 3, 44, 1, {at(0x0e36, 19, 5), at(0x0e37, 19, 6), at(0x0e3e, 18, 5)}),
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
		msr("ubox", 2, narrow, 0, 0x705, 0x709, 0),
		msr("cbox", 4, 48, 0xe00, 0xe01, 0xe08, 0, stride(cores, 0x10)),
		msr("sbox", 4, narrow, 0x720, 0x721, 0x726, 0, stride(4, 0xa)),
		msr("pcu", 4, 48, 0x710, 0x711, 0x717, 0),
		pci("ha", 4, 48, 0, {at(id | 0x30, 18, 1), at(id | 0x38, 18, 5)}),
		pci("imc", 4, 48, 0,
		    {at(id | 0xb0, 20, 0), at(id | 0xb1, 20, 1), at(id | 0xb4, 21, 0),
		     at(id | 0xb5, 21, 1), at(id | 0xd0, 23, 0), at(id | 0xd1, 23, 1),
		     at(id | 0xd4, 24, 0), at(id | 0xd5, 24, 1)}),
		pci("irp", 4, 48, 0, {at(id | 0x39, 5, 6)}),
		pci("qpi", 4, 48, 0x14,
		    {at(id | 0x32, 8, 2), at(id | 0x33, 9, 2), at(id | 0x3a, 10, 2)}),
		pci("r2pcie", 4, 48, 1, {at(id | 0x34, 16, 1)}),
		pci("r3qpi", 3, narrow, 1,
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
		msr("ubox", 2, 48, 0, 0x705, 0x709, 0),
		msr("cha", 4, 48, 0xe00, 0xe01, 0xe08, 0, stride(20, 0x10)),
		msr("iio", 4, 48, 0xa40, 0xa48, 0xa41, 1, stride(6, 0x20)),
		msr("irp", 2, 48, 0xa58, 0xa5b, 0xa59, 1, stride(6, 0x20)),
		msr("pcu", 4, 48, 0x710, 0x711, 0x717, 0),
		pci("imc", 4, 48, 0,
		    {at(0x2042, 10, 2), at(0x2046, 10, 6), at(0x204a, 11, 2), at(0x2042, 12, 2),
		     at(0x2046, 12, 6), at(0x204a, 13, 2)}),
		pci("m2m", 4, 48, 0, {at(0x2066, 8, 0), at(0x2066, 9, 0)},
		    {0x258, 0x228, 8, 0x200}),
		pci("upi", 4, 48, 1, {at(0x2058, 14, 0), at(0x2058, 15, 0), at(0x2058, 16, 0)},
		    {0x378, 0x350, 8, 0x318}),
		pci("m2pcie", 4, 48, 1,
		    {at(0x2088, 21, 1), at(0x2088, 22, 1), at(0x2088, 23, 1), at(0x2088, 22, 5)}),
		pci("m3upi", 3, 48, 1, {at(0x204d, 18, 1), at(0x204e, 18, 2), at(0x204d, 18, 5)}),
	};
	return p;
}

std::vector<Place> row(uint32_t device, unsigned first, unsigned n, unsigned function)
{
	std::vector<Place> places;

	for (unsigned i = 0; i < n; i++)
		places.push_back(at(device, first + i, function));
	return places;
}

Platform knl()
{
	Platform p = {"knl", 87, 72, 0,    0x700, 0x701, UINT64_C(1) << 63, UINT64_C(1) << 61,
		      0,     0,  0,  true, {}};

	p.kinds = {
		msr("ubox", 2, 48, 0, 0x705, 0x709, 0),
		msr("cha", 4, 48, 0xe00, 0xe01, 0xe08, 0, stride(38, 0xc)),
		msr("pcu", 4, 48, 0x710, 0x711, 0x717, 0),
		pci("imc_uclk", 4, 48, 0, row(0x7841, 10, 2, 0), {0x430, 0x420, 4, 0x400}),
		pci("imc", 4, 48, 0,
		    {at(0x7843, 8, 2), at(0x7843, 8, 3), at(0x7843, 8, 4), at(0x7843, 9, 2),
		     at(0x7843, 9, 3), at(0x7843, 9, 4)},
		    {0xb30, 0xb20, 4, 0xb00}),
		pci("edc_uclk", 4, 48, 0, row(0x7833, 15, 8, 0), {0x430, 0x420, 4, 0x400}),
		pci("edc_eclk", 4, 48, 0, row(0x7835, 24, 8, 2), {0xa30, 0xa20, 4, 0xa00}),
		pci("m2pcie", 4, 48, 1, {at(0x7817, 12, 1)}),
		pci("irp", 2, 48, 0, {at(0x7814, 5, 6)}, {0xf0, 0xd8, 4, 0xa0}),
	};
	return p;
}

Platform icx()
{
	Platform p = {
		"icx",  106,  40,   0x30000, 0x700, 0x70e, UINT64_C(1) << 63, UINT64_C(1) << 61,
		0x3450, 0xc0, 0xd4, true,    {}};
	const std::vector<uint32_t> stacks = {0, 0x20, 0x40, 0x90, 0xb0, 0xd0};
	std::vector<uint32_t> chas;
	Kind imc = {"imc", 12, 4, 48, 0, 0x40, 4, 8, 8, 0, {}, {}, {}, By::kMmio};

	for (unsigned i = 0; i < 32; i++)
		chas.push_back((i < 18 ? 0x2a0 : 0x3aa - 18 * 0xe) + i * 0xe);
	p.kinds = {
		msr("ubox", 2, 48, 0, 0x705, 0x709, 0),
		msr("cha", 4, 48, 0xb60, 0xb61, 0xb68, 0, chas),
		msr("iio", 4, 48, 0xa50, 0xa58, 0xa51, 1, stacks),
		msr("irp", 2, 48, 0xa4a, 0xa4d, 0xa4b, 1, stacks),
		msr("m2pcie", 4, 48, 0xa40, 0xa46, 0xa41, 1, stacks),
		msr("pcu", 4, 48, 0x710, 0x711, 0x717, 0),
		pci("m2m", 4, 48, 0, row(0x344a, 12, 4, 0), {0x438, 0x468, 8, 0x440}),
		pci("upi", 4, 48, 1, row(0x3441, 2, 3, 1), {0x318, 0x350, 8, 0x320}),
		pci("m3upi", 4, 48, 1, row(0x3446, 5, 3, 1), {0xa0, 0xd8, 4, 0xa8}),
		imc,
	};
	return p;
}

} // namespace support::platforms
