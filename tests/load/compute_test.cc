// SPDX-License-Identifier: BSD-3-Clause
// compute_test.cc - the loops of floating-point operations do the number that they report.
#include <gtest/gtest.h>

#include "command/load/compute.h"

namespace
{

const compute kinds[] = {{false, 0}, {false, 128}, {false, 256}, {false, 512},
			 {true, 0},  {true, 128},  {true, 256},  {true, 512}};

// Twelve chains; an element of 64 or 32 bits; two operations for a fused multiply-add.
double operations_of_round(const compute &kind)
{
	const unsigned lanes = kind.bits ? kind.bits / (kind.single ? 32 : 64) : 1;

	return 12.0 * lanes * (compute_is_fused(&kind) ? 2 : 1);
}

TEST(Compute, ReportsTheOperationsOfItsRounds)
{
	for (const compute &kind : kinds) {
		double value = 0;

		if (!compute_can(&kind))
			continue;
		EXPECT_EQ(1000 * operations_of_round(kind), compute_run(&kind, 1, 1000, &value))
			<< kind.single << " " << kind.bits;
		EXPECT_EQ(0, compute_run(&kind, 1, 0, &value));
	}
}

// element = factor * element + 1 from 1 on; without fused multiply-adds element = factor * element.
TEST(Compute, DoesEachRound)
{
	for (const compute &kind : kinds) {
		double value = 0, expected = 1;

		if (!compute_can(&kind))
			continue;
		for (int round = 0; round < 20; round++)
			expected = 2 * expected + (compute_is_fused(&kind) ? 1 : 0);
		compute_run(&kind, 2, 20, &value);
		EXPECT_EQ(expected, value) << kind.single << " " << kind.bits;
	}
}

TEST(Compute, KnowsItsVectors)
{
	for (const compute &kind : kinds)
		if (kind.bits == 0 || kind.bits == 128)
			EXPECT_EQ(bool(__x86_64__), compute_can(&kind));
}

} // namespace
