// SPDX-License-Identifier: BSD-3-Clause
// recording_fuzz.cc - recordings of machines of any kind: a machine whose boxes and CPUs can be
// listed, or a sentence.
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "support/sized.h"

extern "C" {
#include "uncore_inspect.h"
}

namespace
{

using fuzz::demand;

class File
{
      public:
	File()
	    : fd(memfd_create("recording", MFD_CLOEXEC)),
	      machine("file:/proc/self/fd/" + std::to_string(fd))
	{
		demand(fd >= 0, "no file");
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
	const std::string machine;
};

void check(struct uncore *u)
{
	auto m = support::sized<uncore_machine_info>();
	auto box = support::sized<uncore_box_info>();
	auto cpu = support::sized<uncore_cpu_info>();

	demand(uncore_machine(u, &m) == 0 && m.packages > 0 && m.recorded, "no recorded machine");
	for (unsigned i = 0; uncore_box(u, i, &box) == 1; i++) {
		demand(*box.kind && *box.title, "a box without a name");
		demand(box.package < m.packages, "a box without a package", box.kind);
		demand(!box.absent || strchr(box.absent, ' '), "no sentence", box.absent);
	}
	for (unsigned i = 0; uncore_cpu(u, i, &cpu) == 1; i++)
		demand(cpu.package < m.packages, "a CPU without a package");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const File file;
	auto options = support::sized<uncore_options>();
	struct uncore *u = nullptr;
	char text[UNCORE_ERRMSG_MAX];

	file.write(data, size);
	options.machine = file.machine.c_str();
	options.journal = "none";
	options.wrap_poller = -1;
	if (uncore_open(&u, &options) == 0)
		check(u);
	else
		demand(fuzz::is_sentence(uncore_errmsg(u, text, sizeof(text))), "no sentence",
		       text);
	uncore_close(u);
	return 0;
}
