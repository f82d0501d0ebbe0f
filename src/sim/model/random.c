/* SPDX-License-Identifier: BSD-3-Clause */
/* random.c - numbers that depend on a seed only. */
#include "sim/model/model.h"

unsigned sim_random(uint64_t *random, unsigned below)
{
	uint64_t x = *random += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (unsigned)((x ^ x >> 31) % below);
}
