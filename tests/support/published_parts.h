/* SPDX-License-Identifier: BSD-3-Clause */
// published_parts.h - cores and caches of the recorded machines' processors, as Intel publishes
// them.
#ifndef SUPPORT_PUBLISHED_PARTS_H
#define SUPPORT_PUBLISHED_PARTS_H

#include <string>
#include <vector>

namespace support
{

struct Sku {
	const char *name;
	unsigned cores, slices; // slices: size of the L3 divided by the size of a slice
};

// Slices have 2.5 MB, unless another size is given.
extern const std::vector<Sku> kSkus;

// "Intel Xeon E5-2620 v2 @ 2.10GHz"
const Sku &sku_of(const std::string &cpu);

// ---- CPUID dumps ----

struct Dump {
	const char *file;     // end of its source
	const char *platform; // "": not supported
	unsigned packages, cores, cpus;
	unsigned slices; // published size of the L3 / size of a slice; 0: no L3
};

extern const std::vector<Dump> kDumps;

const Dump &dump_of(const std::string &source);

} // namespace support

#endif
