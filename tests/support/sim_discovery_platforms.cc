// SPDX-License-Identifier: BSD-3-Clause
#include "support/sim_discovery_platforms.h"

namespace support::discovery
{

std::ostream &operator<<(std::ostream &out, const Platform &platform)
{
	return out << platform.name;
}

Platform spr()
{
	return {"spr",
		143,
		60,
		1,
		64,
		0,
		{{"cha", 0, 56, 0x01},
		 {"iio", 1, 12, 0x01},
		 {"irp", 2, 12, 0x01},
		 {"m2pcie", 3, 12, 0x01},
		 {"pcu", 4, 1, 0x01},
		 {"ubox", 5, 1, 0x0442},
		 {"imc", 6, 8, 0x0101},
		 {"m2m", 7, 4, 0x01},
		 {"mdf", 11, 10, 0x0147},
		 {"cxlcm", 12, 4, 0x0201},
		 {"cxldp", 13, 4, 0x0101},
		 {"type40", 40, 2, 0x01}},
		{0x2ff0},
		false};
}

Platform emr()
{
	Platform p = spr();

	p.name = "emr";
	p.model = 207;
	p.max_cores = 64;
	p.stride = 24;
	p.bar = 1;
	p.kinds[0].n = 64;
	p.kinds.back() = {"upi", 8, 4, 0x01};
	p.kinds.push_back({"m3upi", 9, 4, 0x01});
	return p;
}

Platform gnr()
{
	return {"gnr",
		173,
		128,
		2,
		32,
		2,
		{{"cha", 0, 120, 0x01},
		 {"iio", 1, 16, 0x01},
		 {"irp", 2, 16, 0x01},
		 {"pcu", 4, 5, 0x01},
		 {"ubox", 5, 1, 0x0442},
		 {"imc", 6, 12, 0x0101},
		 {"upi", 8, 6, 0x01},
		 {"cxlcm", 12, 4, 0x1041, 0xf0},
		 {"cxldp", 13, 4, 0x0102},
		 {"b2hot", 15, 4, 0x0101},
		 {"b2cmi", 16, 12, 0x01},
		 {"b2cxl", 17, 4, 0x01},
		 {"b2upi", 18, 6, 0x01},
		 {"type19", 19, 2, 0x0233},
		 {"mdf_sbo", 20, 40, 0x01},
		 {"pciex16", 21, 4, 0x01},
		 {"pciex8", 22, 2, 0x01}},
		{0x3fc0, 0x3fd0},
		true};
}

Platform srf()
{
	Platform p = gnr();

	p.name = "srf";
	p.model = 175;
	p.max_cores = 144;
	p.stride = 40;
	p.bar = 4;
	p.kinds[0].n = 144;
	p.kinds[3].n = 3; // pcu
	p.kinds[5].n = p.kinds[10].n = 8;
	return p;
}

Platform cwf()
{
	Platform p = gnr();

	p.name = "cwf";
	p.model = 221;
	p.max_cores = 288;
	p.cores_a_cha = 4;
	p.kinds[0].n = 72;
	p.kinds[9].n = 20;  // b2hot
	p.kinds[11].n = 16; // b2cxl
	p.kinds[14].n = 80; // mdf_sbo
	p.kinds[16].n = 1;  // pciex8
	return p;
}

} // namespace support::discovery
