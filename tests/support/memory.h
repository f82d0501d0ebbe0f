/* SPDX-License-Identifier: BSD-3-Clause */
// memory.h - bytes in memory that the library reads like a machine's memory.
#ifndef SUPPORT_MEMORY_H
#define SUPPORT_MEMORY_H

#include <cerrno>
#include <cstring>
#include <vector>

#include "machine/discovery.h"

namespace support
{

// Bytes that a test fills in. Reads outside of them fail as they would on a machine.
struct Memory {
	explicit Memory(size_t size) : bytes(size)
	{
	}
	void put(size_t offset, uint64_t value, size_t width = 8)
	{
		memcpy(&bytes.at(offset + width - 1) - (width - 1), &value, width);
	}
	struct unc_bytes reader()
	{
		return {read, this};
	}
	static int read(void *of, uint64_t offset, unsigned bits, uint64_t *value)
	{
		auto *memory = static_cast<Memory *>(of);

		memory->reads++;
		*value = 0;
		if (offset + bits / 8 > memory->bytes.size())
			return -ENODATA;
		memcpy(value, &memory->bytes[offset], bits / 8);
		return 0;
	}
	std::vector<unsigned char> bytes;
	unsigned reads = 0;
};

} // namespace support

#endif
