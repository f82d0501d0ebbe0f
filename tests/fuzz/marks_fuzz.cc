// SPDX-License-Identifier: BSD-3-Clause
// marks_fuzz.cc - the file with the times of regions after any change by the program that `uncore
// explain` runs: regions are read as far as the file is whole, and damage is reported.
//
// The first byte of an input chooses how the rest changes the file: 'a' it is appended, 'o' it
// is all of the file, 't' its first two bytes are a size in units of 256 bytes to
// which the file is truncated.
#include <cmath>

#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

extern "C" {
#include "base/marks.h"
#include "command/explain/marks.h"
}

namespace
{

using fuzz::demand;

constexpr double kEnd = 1e6;

struct marks open_once()
{
	struct marks m;

	marks_open(&m);
	demand(m.file >= 0, "no file");
	return m;
}

void change(int fd, uint8_t how, const uint8_t *data, size_t size)
{
	const auto whole = static_cast<ssize_t>(size);

	// the descriptor appends
	if (how == 't')
		demand(ftruncate(fd, size < 2 ? 0 : data[0] | data[1] << 8) == 0, "truncate");
	else if (how == 'o')
		demand(ftruncate(fd, 0) == 0, "truncate");
	demand(write(fd, data, size) == whole, "write");
}

void check(const struct marks &m)
{
	demand(m.n <= REGIONS_MOST, "regions");
	for (size_t i = 0; i < m.n; i++) {
		const marked_region &r = m.regions[i];

		demand(*r.name && !strchr(r.name, '\n'), "a name");
		demand(r.n <= r.calls, "times without calls");
		for (size_t k = 0; k < r.n; k++)
			demand(std::isfinite(r.times[k].begin) && std::isfinite(r.times[k].end) &&
				       r.times[k].end != -1.0,
			       "an open time");
		for (size_t k = 0; k < i; k++)
			demand(strcmp(r.name, m.regions[k].name) != 0, "a region twice");
	}
	demand((m.damaged || m.full) == (marks_problem(&m) != nullptr),
	       "damage without a sentence");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct marks opened = open_once();
	struct marks m = opened;

	if (size == 0)
		return 0;
	m.file = dup(opened.file);
	m.head = strdup(opened.head);
	demand(m.head && ftruncate(m.file, 0) == 0 &&
		       write(m.file, m.head, strlen(m.head)) ==
			       static_cast<ssize_t>(strlen(m.head)),
	       "no file");
	change(m.file, data[0], data + 1, size - 1);
	marks_read(&m, kEnd);
	check(m);
	if (data[0] == 'a' && !memchr(data, 0, size))
		demand(!m.damaged, "an appended line is no damage");
	marks_close(&m);
	return 0;
}
