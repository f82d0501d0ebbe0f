// SPDX-License-Identifier: BSD-3-Clause
// policy_fuzz.cc - policies of uncored of any kind: one that is refused has a reason and changes
// nothing, of another one each line has rights.
#include <cstdarg>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

extern "C" {
#include "daemon/policy.h"
#include "daemon/say.h"
}

namespace
{

using fuzz::demand;

unsigned messages;

// A file in memory that only its owner can write.
class File
{
      public:
	File()
	    : fd(memfd_create("policy", MFD_CLOEXEC)), path("/proc/self/fd/" + std::to_string(fd))
	{
		demand(fd >= 0 && fchmod(fd, 0600) == 0, "no file");
	}
	~File()
	{
		close(fd);
	}
	File(const File &) = delete;
	File &operator=(const File &) = delete;

	void write(const uint8_t *data, size_t size) const
	{
		demand(ftruncate(fd, 0) == 0 &&
			       pwrite(fd, data, size, 0) == static_cast<ssize_t>(size),
		       "not written");
	}

      private:
	int fd;

      public:
	const std::string path;
};

struct policy before_reload()
{
	struct policy p = {};

	p.owner = geteuid();
	p.listed = true;
	p.n = 1;
	p.rules[0] = {false, 70001, UNC_MAY_COUNT};
	return p;
}

} // namespace

extern "C" void daemon_say(enum daemon_level, const char *format, ...)
{
	char text[1 << 14];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	demand(fuzz::is_sentence(text), "no sentence", text);
	demand(strlen(text) < 500, "a long message", text);
	messages++;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const File file;
	static const struct policy before = before_reload();
	struct policy p = before;

	file.write(data, size);
	messages = 0;
	if (policy_reload(&p, file.path.c_str()) < 0) {
		demand(memcmp(&p, &before, sizeof(p)) == 0, "another policy");
		demand(messages >= 2, "no reason");
		return 0;
	}
	demand(p.listed && p.n > 0 && p.n <= POLICY_RULES, "rules");
	for (size_t i = 0; i < p.n; i++) {
		demand(p.rules[i].may && !(p.rules[i].may & ~UNC_MAY_ALL), "rights");
		demand(p.rules[i].id != UINT32_MAX, "a user that cannot be");
	}
	return 0;
}
