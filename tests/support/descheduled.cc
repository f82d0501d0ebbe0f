// SPDX-License-Identifier: BSD-3-Clause
#include "support/descheduled.h"

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

void schedule(Interposer &between)
{
	between.on_write = nullptr;
	between.after_write = nullptr;
}

} // namespace support
