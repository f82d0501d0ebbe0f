// SPDX-License-Identifier: BSD-3-Clause
// page_test.cc - pages of counts that uncored writes: a reader uses complete ones only.
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <memory>

#include <sys/mman.h>
#include <unistd.h>

#include <gtest/gtest.h>

extern "C" {
#include "backend/daemon/page.h"
#include "backend/daemon/wire.h"
}

namespace
{

class Page : public testing::Test
{
      protected:
	Page()
	{
		is->size = sizeof(*is);
		is->n = 2;
		is->seq = 4;
		is->when = 1000;
		is->enabled = 700;
		is->counts[0] = 11;
		is->counts[1] = INT64_MAX;
	}
	int read()
	{
		return unc_page_read(reinterpret_cast<const unc_page *>(is.get()), counts, 2,
				     &time);
	}
	// Maps a file with the contents of the page, cut to `bytes`.
	int map(size_t bytes, size_t n)
	{
		const int file = memfd_create("page", MFD_CLOEXEC);
		unc_page *page = nullptr;

		EXPECT_EQ(static_cast<ssize_t>(bytes), write(file, is.get(), bytes));
		const int r = unc_page_map(&page, file, n);
		close(file);
		unc_page_unmap(page);
		return r;
	}

	std::unique_ptr<unc_wire_page> is = std::make_unique<unc_wire_page>();
	uint64_t counts[2] = {};
	unc_page_time time = {};
};

TEST_F(Page, HasTheCountsAndTheirTime)
{
	EXPECT_EQ(0, read());
	EXPECT_EQ(11u, counts[0]);
	EXPECT_EQ(static_cast<uint64_t>(INT64_MAX), counts[1]);
	EXPECT_EQ(1000, time.when);
	EXPECT_EQ(700, time.enabled);
}

TEST_F(Page, IsNotReadWhileItIsBeingWritten)
{
	for (const uint64_t seq : {uint64_t(1), uint64_t(5), UINT64_MAX}) {
		is->seq = seq;
		EXPECT_EQ(-EAGAIN, read()) << seq;
	}
}

TEST_F(Page, IsNotReadBeforeTheFirstCounts)
{
	is->when = 0;
	EXPECT_EQ(-EAGAIN, read());
}

TEST_F(Page, HasTheErrorOfTheLastRead)
{
	is->code = -5;
	EXPECT_EQ(-EIO, read());
	is->code = 1;
	EXPECT_EQ(0, read());
}

TEST_F(Page, IsMappedIfSizeAndEventsAgree)
{
	EXPECT_EQ(0, map(sizeof(*is), 2));
	EXPECT_EQ(-EPROTO, map(sizeof(*is) - 1, 2)) << "reading behind its end is fatal";
	EXPECT_EQ(-EPROTO, map(sizeof(*is), 1));
	EXPECT_EQ(-EPROTO, map(sizeof(*is), 3));
	is->size -= 8;
	EXPECT_EQ(-EPROTO, map(sizeof(*is), 2)) << "of another version";
}

// A page of counts in two pieces of memory: it changes when the second is accessed.
constexpr size_t kPiece = 4 * 4096;
char *second;
unc_wire_page *changing;

void change(int)
{
	if (mprotect(second, kPiece, PROT_READ | PROT_WRITE) != 0)
		_exit(1);
	changing->counts[0] = 21;
	changing->counts[1] = 22;
	changing->seq += 2;
}

TEST_F(Page, IsReadAgainIfItChangedMeanwhile)
{
	const size_t before = offsetof(unc_wire_page, counts) + sizeof(int64_t);
	struct sigaction action = {}, old;
	char *at = static_cast<char *>(mmap(nullptr, 2 * kPiece, PROT_READ | PROT_WRITE,
					    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

	ASSERT_NE(MAP_FAILED, static_cast<void *>(at));
	ASSERT_LE(sizeof(*is) - before, kPiece);
	second = at + kPiece;
	changing = reinterpret_cast<unc_wire_page *>(second - before);
	memcpy(changing, is.get(), sizeof(*is));
	ASSERT_EQ(0, mprotect(second, kPiece, PROT_NONE));
	action.sa_handler = change;
	ASSERT_EQ(0, sigaction(SIGSEGV, &action, &old));
	EXPECT_EQ(0, unc_page_read(reinterpret_cast<const unc_page *>(changing), counts, 2, &time));
	EXPECT_EQ(0, sigaction(SIGSEGV, &old, nullptr));
	EXPECT_EQ(21u, counts[0]);
	EXPECT_EQ(22u, counts[1]);
	munmap(at, 2 * kPiece);
}

} // namespace
