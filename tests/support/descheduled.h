/* SPDX-License-Identifier: BSD-3-Clause */
// descheduled.h - a busy computer, on a simulated machine whose time is stepped: time passes
// before or after some writes to registers.
#ifndef SUPPORT_DESCHEDULED_H
#define SUPPORT_DESCHEDULED_H

#include <random>

#include "support/interposer.h"
#include "support/stepped.h"

namespace support
{

// Before or after one of `every` writes, on average, one to six milliseconds pass.
inline void deschedule(Interposer &between, Stepped &machine, std::mt19937 &random, unsigned every)
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

inline void schedule(Interposer &between)
{
	between.on_write = nullptr;
	between.after_write = nullptr;
}

} // namespace support

#endif
