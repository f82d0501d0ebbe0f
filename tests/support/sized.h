/* SPDX-License-Identifier: BSD-3-Clause */
// sized.h - structs of the public headers, zero but for their size.
#ifndef SUPPORT_SIZED_H
#define SUPPORT_SIZED_H

#include <vector>

#include "uncore_inspect.h"

namespace support
{

template <class T> T sized()
{
	T x;

	UNCORE_INIT(x);
	return x;
}

template <class T> std::vector<T> sized(size_t n)
{
	return std::vector<T>(n, sized<T>());
}

} // namespace support

#endif
