/* SPDX-License-Identifier: BSD-3-Clause */
// descheduled.h - a busy computer, on a simulated machine whose time is stepped: time passes
// before or after some accesses to registers.
#ifndef SUPPORT_DESCHEDULED_H
#define SUPPORT_DESCHEDULED_H

#include <random>

#include "support/interposer.h"
#include "support/stepped.h"

namespace support
{

// Before or after one of `every` writes, on average, one to six milliseconds pass.
void deschedule(Interposer &between, Stepped &machine, std::mt19937 &random, unsigned every);

// Before access `at` from now on, counted from 0, four milliseconds pass.
void deschedule_at(Interposer &between, Stepped &machine, unsigned at);

void schedule(Interposer &between);

} // namespace support

#endif
