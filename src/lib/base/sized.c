/* SPDX-License-Identifier: BSD-3-Clause */
/* sized.c - structs that begin with their size, for callers compiled against other versions. */
#include "sized.h"

#include <stdbool.h>
#include <string.h>

static size_t size_of(const void *given)
{
	size_t size;

	memcpy(&size, given, sizeof(size));
	return size;
}

static size_t shared(size_t size, const struct unc_sized *as)
{
	return size < as->now ? size : as->now;
}

int unc_size_check(struct unc_err *err, const void *given, const struct unc_sized *as)
{
	const size_t size = size_of(given);

	if (size >= as->first && size <= UNC_SIZE_MAX)
		return 0;
	return unc_fail(err, UNCORE_EINVAL,
			"invalid size of struct %s: %zu bytes; initialize it with UNCORE_INIT()",
			as->name, size);
}

int unc_take_element(struct unc_err *err, void *to, const void *array, size_t i,
		     const struct unc_sized *as)
{
	const size_t size = size_of(array);
	const unsigned char *bytes = (const unsigned char *)array + i * size;
	const int r = unc_size_check(err, array, as);

	if (r < 0)
		return r;
	for (size_t k = as->now; k < size; k++)
		if (bytes[k])
			return unc_fail(err, UNCORE_EINVAL,
					"struct %s sets a member unknown to libuncore %s at byte "
					"%zu: use a newer library, or leave it 0",
					as->name, uncore_version(), k);
	memset(to, 0, as->now);
	memcpy(to, bytes, shared(size, as));
	return 0;
}

int unc_take(struct unc_err *err, void *to, const void *given, const struct unc_sized *as)
{
	return unc_take_element(err, to, given, 0, as);
}

int unc_give(struct unc_err *err, void *asked, const void *from, const struct unc_sized *as,
	     int code)
{
	const int r = unc_size_check(err, asked, as);
	const size_t size = size_of(asked), n = shared(size, as);

	if (r < 0)
		return r;
	memcpy(asked, from, n);
	memset((char *)asked + n, 0, size - n);
	memcpy(asked, &size, sizeof(size));
	return code;
}
