/* SPDX-License-Identifier: BSD-3-Clause */
// perf_tree.h - the uncore PMUs of a kernel as files: names, numbers of boxes and format files
// as in Linux 6.1 (the names of Sapphire Rapids from 7.2).
#ifndef SUPPORT_PERF_TREE_H
#define SUPPORT_PERF_TREE_H

#include "support/tree.h"

namespace support
{

struct PerfPmu {
	std::string name;
	unsigned boxes; // 1: the PMU's name has no number
	std::string format;
};

// "name=bits name=word:bits ...". Without a word the bits are in config.
extern const std::map<std::string, std::string> kPerfFormats;

extern const std::map<std::string, std::vector<PerfPmu>> kPerfPmus;

const std::string kPerfDevices = "sys/bus/event_source/devices/";

// One PMU, with a type number like those of the kernel.
void write_pmu(Tree &tree, const std::string &pmu, unsigned type, const std::string &format,
	       const std::string &cpumask);

// All PMUs of a platform, with types from 10 on in the order above.
void write_pmus(Tree &tree, const std::string &platform, const std::string &cpumask);

} // namespace support

#endif
