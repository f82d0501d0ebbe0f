/* SPDX-License-Identifier: BSD-3-Clause */
// sized.h - structs of the public headers, with their size set and all other members zero.
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
