// SPDX-License-Identifier: BSD-3-Clause
// carry_out_test.cc - lists of operations on a backend that answers with all ones, refuses
// batches or fails: values that are believed, and operations that are begun.
#include <cerrno>
#include <functional>

#include "hw/pmon.h"
#include "machine/machine.h"
#include "set/inside.h"
#include "support/controls.h"
#include "support/stepped.h"

namespace
{

using support::Handle;

constexpr uint64_t kOnes = UINT64_MAX;

// The registers of a simulated machine behind functions of the test.
class Backend
{
      public:
	explicit Backend(const char *spec)
	    : handle(support::sim_options(spec)), inner(unc_hw_of(handle.u)), ops(*inner->ops)
	{
		hw.base = *inner;
		hw.base.ops = &ops;
		hw.self = this;
		ops.read = [](unc_hw *from, const unc_op *op, uint64_t *value) {
			Backend *b = self(from);

			b->n_reads++;
			return b->read ? b->read(*op, value)
				       : b->inner->ops->read(b->inner, op, value);
		};
		ops.write = [](unc_hw *to, const unc_op *op, uint64_t value) {
			Backend *b = self(to);

			b->n_writes++;
			return b->write_error ? b->write_error
					      : b->inner->ops->write(b->inner, op, value);
		};
		ops.run_many = [](unc_hw *to, const unc_op *, unsigned n, unc_result *results) {
			Backend *b = self(to);

			for (unsigned i = 0; i < n; i++)
				results[i] = {kOnes, 0};
			return b->batch_error;
		};
	}
	// The controls of a C-Box.
	std::vector<unc_op> controls(uncore_op_kind kind) const
	{
		std::vector<unc_op> all;
		unc_op op = {};

		for (unsigned i = 0; support::register_op(handle.u, 0, UNCORE_CONTROL, i, &op);
		     i++) {
			op.kind = kind;
			all.push_back(op);
		}
		return all;
	}

	// Their results, as one batch or, if that fails, one by one.
	std::vector<unc_result> run(const std::vector<unc_op> &list)
	{
		std::vector<unc_result> results(list.size());

		hw.base.batch = UNC_BATCH_MAX;
		results.resize(unc_run_some(&hw.base, list.data(), list.size(), results.data()));
		return results;
	}

	Handle handle;
	unc_hw *inner;
	unc_hw_ops ops;
	struct {
		unc_hw base;
		Backend *self;
	} hw = {};
	std::function<int(const unc_op &op, uint64_t *value)> read;
	int write_error = 0, batch_error = 0;
	unsigned n_reads = 0, n_writes = 0;

      private:
	static Backend *self(unc_hw *hw)
	{
		return reinterpret_cast<decltype(Backend::hw) *>(hw)->self;
	}
};

// A match or a mask may be all ones; a device that has gone answers nothing else.
TEST(CarryOut, AllOnesAreAValueOfARegisterWithoutReservedBits)
{
	Backend b("sim:snbep");
	const unc_machine *m = unc_machine_of(b.handle.u);
	bool present = true;
	unsigned n = 0;

	b.read = [&](const unc_op &op, uint64_t *value) {
		*value = kOnes >> (64 - op.width);
		return op.address == 0 && present ? b.inner->ops->read(b.inner, &op, value) : 0;
	};
	for (unsigned box = 0; box < m->n_boxes; box++) {
		unc_op op = {};

		for (unsigned i = 0; support::register_op(b.handle.u, box, UNCORE_FILTER, i, &op);
		     i++) {
			const unc_pmon_register *reg = unc_pmon_find(b.hw.base.pmon, &op);
			uint64_t value = 0;

			op.kind = UNCORE_READ;
			if (op.space != UNCORE_PCI || !reg || reg->bits != kOnes >> (64 - op.width))
				continue;
			present = true;
			EXPECT_EQ(0, unc_run_op(&b.hw.base, &op, &value)) << box;
			EXPECT_EQ(reg->bits, value);
			present = false;
			EXPECT_EQ(-ENODEV, unc_run_op(&b.hw.base, &op, &value)) << box;
			n++;
		}
	}
	EXPECT_LT(0u, n);
}

TEST(CarryOut, AllOnesAreADeadDeviceWhereARegisterHasReservedBits)
{
	Backend b("sim:snbep");
	const unc_op op = b.controls(UNCORE_READ).at(0);
	uint64_t value;

	b.read = [](const unc_op &, uint64_t *ones) {
		*ones = kOnes;
		return 0;
	};
	EXPECT_EQ(-ENODEV, unc_run_op(&b.hw.base, &op, &value));
	EXPECT_EQ(2u, b.n_reads);
}

TEST(CarryOut, AllOnesOfABatchAreReadAgain)
{
	Backend b("sim:snbep");
	const std::vector<unc_op> ops = b.controls(UNCORE_READ);

	b.read = [&](const unc_op &op, uint64_t *value) {
		*value = op.address == ops[1].address ? kOnes : 5;
		return 0;
	};
	const std::vector<unc_result> results = b.run(ops);
	ASSERT_EQ(ops.size(), results.size());
	for (size_t i = 0; i < ops.size(); i++) {
		EXPECT_EQ(i == 1 ? -ENODEV : 0, results[i].error) << i;
		EXPECT_EQ(i == 1 ? kOnes : 5, results[i].value) << i;
	}
}

TEST(CarryOut, NothingIsBegunAfterAFailure)
{
	Backend b("sim:snbep");

	b.batch_error = -EIO;
	b.write_error = -EPERM;
	const std::vector<unc_result> results = b.run(b.controls(UNCORE_WRITE));
	ASSERT_EQ(1u, results.size());
	EXPECT_EQ(-EPERM, results[0].error);
	EXPECT_EQ(1u, b.n_writes);
}

TEST(CarryOut, WhatABatchDidNotDoIsDoneOneByOne)
{
	Backend b("sim:snbep");
	const std::vector<unc_op> ops = b.controls(UNCORE_WRITE);

	b.batch_error = -EIO;
	EXPECT_EQ(ops.size(), b.run(ops).size());
	EXPECT_EQ(ops.size(), b.n_writes);
}

} // namespace
