/* SPDX-License-Identifier: BSD-3-Clause */
/* traffic.h - the traffic of `uncore selftest`: made by src/command/load, told to a simulated
 * machine. */
#ifndef UNC_TRAFFIC_H
#define UNC_TRAFFIC_H

#include "command/selftest/selftest.h"

struct traffic_maker {
	struct uncore *u;
	bool simulated;
};

/* Whoever makes it has to outlive it. */
struct selftest_traffic traffic_by(struct traffic_maker *maker);

#endif
