/* SPDX-License-Identifier: BSD-3-Clause */
// allocations.h - allocations of a thread that fail, in programs that contain allocation_test.cc.
#ifndef TEST_CLAIM_ALLOCATIONS_H
#define TEST_CLAIM_ALLOCATIONS_H

namespace support
{

// Allocations of this thread while they are watched.
struct Allocations {
	bool watched = false, lasts = false;
	unsigned at = 0, n = 0;

	bool fails()
	{
		const unsigned now = n;

		n += watched;
		return watched && (now == at || (lasts && now > at));
	}
	bool over() const
	{
		return n > at;
	}
};

extern thread_local Allocations allocations;

} // namespace support

#endif
