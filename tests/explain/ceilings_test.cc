// SPDX-License-Identifier: BSD-3-Clause
// ceilings_test.cc - what `uncore ceilings` measures of operations, on one CPU of this computer.
#include <cmath>
#include <gtest/gtest.h>
#include <json-c/json.h>
#include <sched.h>

#include "command/explain/ceilings_measure.h"
#include "command/load/compute.h"
#include "command/load/load.h"

namespace
{

const unsigned kBits[CEILING_WIDTHS] = {0, 128, 256, 512};

// The wrapper of load_run_together() adds up what compute_run() reports.
TEST(Ceilings, AMemberReportsItsOperations)
{
	char why[256] = "";
	load_member member = {};

	member.wanted.kind = LOAD_COMPUTE;
	member.wanted.cpu = sched_getcpu();
	member.wanted.memory_cpu = LOAD_ANYWHERE;
	member.wanted.bytes = LOAD_LINE;
	member.wanted.compute = {false, 128};
	if (!compute_can(&member.wanted.compute))
		GTEST_SKIP() << "this processor has no such vectors";
	ASSERT_TRUE(load_run_together(&member, 1, 0, why, sizeof(why))) << why;
	EXPECT_GT(member.moved.ns, 0u);
	EXPECT_EQ(0u, member.moved.reads + member.moved.writes);
	// whole rounds of twelve chains of two elements
	EXPECT_GT(member.moved.operations, 0u);
	EXPECT_EQ(0u, member.moved.operations % 24);
}

TEST(Ceilings, OperationsAreInTheFile)
{
	package_ceilings package = {};
	ceilings c = {1, &package, "now"};
	json_object *root, *list, *value;

	for (unsigned i = 0; i < CEILINGS; i++)
		package.of[i] = NAN;
	for (unsigned p = 0; p < CEILING_PRECISIONS; p++)
		for (unsigned w = 0; w < CEILING_WIDTHS; w++)
			package.of[ceiling_of_operations(p, w)] = 1 + p * 10 + w;
	root = ceilings_json(&c, "a machine");
	ASSERT_TRUE(json_object_object_get_ex(root, "packages", &list));
	for (unsigned p = 0; p < CEILING_PRECISIONS; p++)
		for (unsigned w = 0; w < CEILING_WIDTHS; w++) {
			const std::string name = std::string(p ? "single_" : "double_") +
						 (w ? std::to_string(kBits[w]) : "scalar");

			ASSERT_TRUE(json_object_object_get_ex(json_object_array_get_idx(list, 0),
							      name.c_str(), &value))
				<< name;
			EXPECT_EQ(1 + p * 10 + w, json_object_get_double(value)) << name;
		}
	json_object_put(root);
}

} // namespace
