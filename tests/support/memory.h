/* SPDX-License-Identifier: BSD-3-Clause */
// memory.h - bytes in memory that the library reads like a machine's memory.
#ifndef SUPPORT_MEMORY_H
#define SUPPORT_MEMORY_H

#include <vector>

struct unc_bytes;

namespace support
{

// Bytes that a test fills in. Reads outside of them fail as they would on a machine.
struct Memory {
	explicit Memory(size_t size);
	void put(size_t offset, uint64_t value, size_t width = 8);
	struct unc_bytes reader();
	static int read(void *of, uint64_t offset, unsigned bits, uint64_t *value);
	std::vector<unsigned char> bytes;
	unsigned reads = 0;
};

} // namespace support

#endif
