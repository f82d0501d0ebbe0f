// SPDX-License-Identifier: BSD-3-Clause
// place_test.cc - where a register is, in terms that other processes understand.
#include <gtest/gtest.h>

#include "plan/place.h"

namespace
{

// Its number by the kernel, which differs from that of this handle if a package is offline.
TEST(Place, OfAnMsrNamesThePhysicalPackage)
{
	unsigned ids[] = {3, 7};
	unc_topology t = {};
	unc_op op = {};

	t.n_packages = 2;
	t.package_ids = ids;
	op.space = UNCORE_MSR;
	op.width = 64;
	op.package = 1;
	op.address = 0xd10;
	EXPECT_EQ(7u, unc_place_of(&t, &op).where);
	op.package = 0;
	EXPECT_EQ(3u, unc_place_of(&t, &op).where);
	op.space = UNCORE_CPU;
	op.unit = 12;
	EXPECT_EQ(12u, unc_place_of(&t, &op).where);
}

} // namespace
