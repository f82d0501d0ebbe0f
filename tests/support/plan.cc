// SPDX-License-Identifier: BSD-3-Clause
#include "support/plan.h"

#include <stdexcept>

#include "plan/plan.h"
#include "support/sized.h"

namespace support
{

int plan_stop_after(struct uncore *u, const unsigned *ids, size_t n,
		    const uncore_stop_after *stop_after, uint64_t cores, struct uncore_plan **plan)
{
	auto options = sized<uncore_plan_options>();

	options.stop_after = stop_after;
	options.n_stop_after = 1;
	options.cores = cores;
	return uncore_plan(u, ids, n, &options, plan);
}

uncore_assignment_info assignment(const struct uncore_plan *plan, size_t i)
{
	auto info = sized<uncore_assignment_info>();

	if (uncore_plan_assignment(plan, static_cast<unsigned>(i), &info) != 1)
		throw std::out_of_range("no such assignment");
	return info;
}

bool register_op(const struct uncore *u, unsigned i, enum uncore_register which, unsigned n,
		 unc_op *op)
{
	const unc_machine *m = unc_machine_of(u);

	return unc_register_op(m, &m->boxes[i], which, n, op);
}

} // namespace support
