// SPDX-License-Identifier: BSD-3-Clause
#include "support/descheduled.h"

#include <memory>

namespace support
{

void deschedule(Interposer &between, Stepped &machine, std::mt19937 &random, unsigned every)
{
	const auto wait = [&machine, &random, every] {
		if (random() % (2 * every) == 0)
			machine.advance(kMillisecond + random() % (5 * kMillisecond));
	};

	between.on_write = [wait](const unc_op &, uint64_t) {
		wait();
		return 0;
	};
	between.after_write = wait;
}

void deschedule_at(Interposer &between, Stepped &machine, unsigned at)
{
	const auto wait = [&machine, access = std::make_shared<unsigned>(0), at] {
		if ((*access)++ == at)
			machine.advance(4 * kMillisecond);
	};

	between.on_read = [&between, wait](const unc_op &op, uint64_t *value) {
		wait();
		return between.read(op, value);
	};
	between.on_write = [wait](const unc_op &, uint64_t) {
		wait();
		return 0;
	};
}

void schedule(Interposer &between)
{
	between.on_read = nullptr;
	between.on_write = nullptr;
	between.after_write = nullptr;
}

} // namespace support
