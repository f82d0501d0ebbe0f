// SPDX-License-Identifier: BSD-3-Clause
#include "support/memory.h"

#include <cstring>

#include "machine/discovery.h"

namespace support
{

Memory::Memory(size_t size) : bytes(size)
{
}

void Memory::put(size_t offset, uint64_t value, size_t width)
{
	memcpy(&bytes.at(offset + width - 1) - (width - 1), &value, width);
}

struct unc_bytes Memory::reader()
{
	return {read, this};
}

int Memory::read(void *of, uint64_t offset, unsigned bits, uint64_t *value)
{
	auto *memory = static_cast<Memory *>(of);

	memory->reads++;
	*value = 0;
	if (offset + bits / 8 > memory->bytes.size())
		return -ENODATA;
	memcpy(value, &memory->bytes[offset], bits / 8);
	return 0;
}

} // namespace support
