// SPDX-License-Identifier: BSD-3-Clause
#include "support/patience.h"

#include <ctime>

namespace support
{

namespace
{

double seconds_of(clockid_t clock)
{
	timespec t = {};

	clock_gettime(clock, &t);
	return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

} // namespace

double cpu_seconds()
{
	return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

Patience::Patience(double s)
    : seconds(s), began(seconds_of(CLOCK_MONOTONIC)), cpu_began(cpu_seconds())
{
}

bool Patience::is_over() const
{
	return seconds_of(CLOCK_MONOTONIC) - began >= seconds &&
	       cpu_seconds() - cpu_began >= seconds;
}

} // namespace support
