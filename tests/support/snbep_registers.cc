// SPDX-License-Identifier: BSD-3-Clause
#include "support/snbep_registers.h"

namespace support::snbep
{

Kind pci_kind(unsigned counters, uint32_t bits, std::vector<uint8_t> devfn)
{
	Kind k = {true,
		  counters,
		  0xf4,
		  {0xd8, 0xdc, 0xe0, 0xe4},
		  {0xa0, 0xa8, 0xb0, 0xb8},
		  {},
		  bits,
		  0,
		  0,
		  0,
		  devfn,
		  {}};

	k.ctl.resize(counters);
	k.ctr.resize(counters);
	return k;
}

const Kind &kind_of(const std::string &name)
{
	static const std::map<std::string, Kind> kinds = [] {
		std::map<std::string, Kind> k;

		k["cbo"] = {false,
			    4,
			    0xd04,
			    {0xd10, 0xd11, 0xd12, 0xd13},
			    {0xd16, 0xd17, 0xd18, 0xd19},
			    {{0xd14, 0xfffffc1f}},
			    0xff8cffff,
			    0,
			    0,
			    0x20,
			    {},
			    {}};
		k["ubo"] = {false,          2,  0,          {0xc10, 0xc11},
			    {0xc16, 0xc17}, {}, 0x1f84ffff, 0xc08,
			    0xc09,          0,  {},         {}};
		/* bit 21: docs/reference/differences.md, events with +x; the driver masks it off */
		k["pcu"] = {false,
			    4,
			    0xc24,
			    {0xc30, 0xc31, 0xc32, 0xc33},
			    {0xc36, 0xc37, 0xc38, 0xc39},
			    {{0xc34, 0xffffffff}},
			    0xdfa4c0ff,
			    0,
			    0,
			    0,
			    {},
			    {}};
		k["ha"] = pci_kind(4, 0xff84ffff, {at(14, 1)});
		k["ha"].filters = {{0x40, 0xffffffc0}, {0x44, 0x3fff}, {0x48, 0x3f}};
		k["imc"] = pci_kind(4, 0xff84ffff, {at(16, 0), at(16, 1), at(16, 4), at(16, 5)});
		k["imc"].fixed_ctl = 0xf0;
		k["imc"].fixed_ctr = 0xd0;
		k["qpi"] = pci_kind(4, 0xffa4ffff, {at(8, 2), at(9, 2)});
		k["qpi"].extra = {at(8, 6), at(9, 6)};
		k["qpi"].filters = {{0x228, 0xffffffff},
				    {0x22c, 0xffffffff},
				    {0x238, 0xffffffff},
				    {0x23c, 0xffffffff}};
		k["r2pcie"] = pci_kind(4, 0xff84ffff, {at(19, 1)});
		k["r3qpi"] = pci_kind(3, 0xff84ffff, {at(19, 5), at(19, 6)});
		return k;
	}();

	return kinds.at(name);
}

} // namespace support::snbep
