// SPDX-License-Identifier: BSD-3-Clause
#include "support/facts.h"

#include <stdexcept>

namespace support::facts
{

namespace
{

// Three banks of CHAs, docs/hardware/icx.md, "Registers"; the third lies below the others.
uint32_t icx_cha(unsigned box)
{
	return box < 18   ? 0x2a0 + 0xe * box
	       : box < 34 ? 0x3aa + 0xe * (box - 18)
			  : 0xe * (box - 34);
}

uint32_t icx_stack(unsigned box)
{
	return box < 3 ? 0x20 * box : 0x90 + 0x20 * (box - 3);
}

// docs/hardware/nhmex.md, "Registers": the number's bits reversed, and two late ones.
uint32_t ex_cbox(unsigned box)
{
	const uint32_t late[] = {0x240, 0x2c0};

	return box < 8 ? (box & 1) << 7 | (box & 2) << 5 | (box & 4) << 3 : late[box - 8];
}

constexpr Space kMsr = Space::kMsr, kPci = Space::kPci, kMemory = Space::kMemory;

const Kind kKinds[] = {
	{"snbep ivbep", "cbo", kMsr, 4, 0xd04, 0xd10, 1, 0xd16, 1, 0x20},
	{"snbep ivbep", "ubo", kMsr, 2, 0, 0xc10, 1, 0xc16, 1, 0, 0xc08, 0xc09},
	{"snbep ivbep", "pcu", kMsr, 4, 0xc24, 0xc30, 1, 0xc36, 1},
	{"snbep ivbep hswep bdx skx", "imc", kPci, 4, 0xf4, 0xd8, 4, 0xa0, 8, 0, 0xf0, 0xd0},
	{"snbep ivbep hswep bdx", "ha qpi r2pcie", kPci, 4, 0xf4, 0xd8, 4, 0xa0, 8},
	{"snbep ivbep hswep bdx", "r3qpi", kPci, 3, 0xf4, 0xd8, 4, 0xa0, 8},
	// counters of Ivy Bridge-EP's are irregular
	{"ivbep hswep bdx", "irp", kPci, 4, 0xf4, 0xd8, 4, 0xa0, 8},

	{"hswep bdx", "cbo", kMsr, 4, 0xe00, 0xe01, 1, 0xe08, 1, 0x10},
	{"hswep bdx", "sbo", kMsr, 4, 0x720, 0x721, 1, 0x726, 1, 0xa},
	{"hswep bdx skx knl icx", "ubo", kMsr, 2, 0, 0x705, 1, 0x709, 1, 0, 0x703, 0x704},
	{"hswep bdx skx knl icx", "pcu", kMsr, 4, 0x710, 0x711, 1, 0x717, 1},

	{"skx", "cha", kMsr, 4, 0xe00, 0xe01, 1, 0xe08, 1, 0x10},
	{"skx", "iio", kMsr, 4, 0xa40, 0xa48, 1, 0xa41, 1, 0x20},
	{"skx", "irp", kMsr, 2, 0xa58, 0xa5b, 1, 0xa59, 1, 0x20},
	{"skx", "m2m", kPci, 4, 0x258, 0x228, 8, 0x200, 8},
	{"skx", "upi", kPci, 4, 0x378, 0x350, 8, 0x318, 8},
	{"skx knl", "m2pcie", kPci, 4, 0xf4, 0xd8, 4, 0xa0, 8},
	{"skx", "m3upi", kPci, 3, 0xf4, 0xd8, 4, 0xa0, 8},

	{"knl", "cha", kMsr, 4, 0xe00, 0xe01, 1, 0xe08, 1, 0xc},
	{"knl", "imc_uclk edc_uclk", kPci, 4, 0x430, 0x420, 4, 0x400, 8},
	{"knl", "imc", kPci, 4, 0xb30, 0xb20, 4, 0xb00, 8},
	{"knl", "edc_eclk", kPci, 4, 0xa30, 0xa20, 4, 0xa00, 8},
	{"knl", "irp", kPci, 2, 0xf0, 0xd8, 4, 0xa0, 8},

	{"icx", "cha", kMsr, 4, 0xb60, 0xb61, 1, 0xb68, 1, 0, 0, 0, icx_cha},
	{"icx", "iio", kMsr, 4, 0xa50, 0xa58, 1, 0xa51, 1, 0, 0, 0, icx_stack},
	{"icx", "irp", kMsr, 2, 0xa4a, 0xa4d, 1, 0xa4b, 1, 0, 0, 0, icx_stack},
	{"icx", "m2pcie", kMsr, 4, 0xa40, 0xa46, 1, 0xa41, 1, 0, 0, 0, icx_stack},
	{"icx", "m2m", kPci, 4, 0x438, 0x468, 8, 0x440, 8},
	{"icx", "upi", kPci, 4, 0x318, 0x350, 8, 0x320, 8},
	{"icx", "m3upi", kPci, 4, 0xa0, 0xd8, 4, 0xa8, 8},
	// from the channel's base on
	{"icx", "imc", kMemory, 4, 0, 0x40, 4, 0x8, 8, 0, 0x54, 0x38},

	{"nhmex wsmex", "ubox", kMsr, 1, 0xc00, 0xc10, 2, 0xc11, 2},
	{"nhmex wsmex", "cbox", kMsr, 6, 0xd00, 0xd10, 2, 0xd11, 2, 0, 0, 0, ex_cbox},
	{"nhmex wsmex", "bbox", kMsr, 4, 0xc20, 0xc30, 2, 0xc31, 2, 0x40},
	{"nhmex wsmex", "sbox", kMsr, 4, 0xc40, 0xc50, 2, 0xc51, 2, 0x80},
	{"nhmex wsmex", "mbox", kMsr, 6, 0xca0, 0xcb0, 2, 0xcb1, 2, 0x40},
	{"nhmex wsmex", "rbox", kMsr, 8, 0xe00, 0xe10, 2, 0xe11, 2, 0x20},
	{"nhmex wsmex", "wbox", kMsr, 4, 0xc80, 0xc90, 2, 0xc91, 2, 0, 0x395, 0x394},
};

bool has_word(const std::string &words, const std::string &word)
{
	return (" " + words + " ").find(" " + word + " ") != std::string::npos;
}

} // namespace

uint32_t Kind::away(unsigned box) const
{
	return distance ? distance(box) : stride * box;
}

uint32_t Kind::control_of(unsigned i) const
{
	return control + control_step * i;
}

uint32_t Kind::counter_of(unsigned i) const
{
	return counter + counter_step * i;
}

const Kind &kind(const std::string &platform, const std::string &name)
{
	for (const Kind &k : kKinds)
		if (has_word(k.platforms, platform) && has_word(k.names, name))
			return k;
	throw std::runtime_error("no facts about " + platform + "'s " + name);
}

} // namespace support::facts
