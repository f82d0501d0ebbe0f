// SPDX-License-Identifier: BSD-3-Clause
// journal_test.cc - the encoding of a journal: decoding returns what was written, and rejects
// damaged bytes.
#include "claim/journal.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/journal_file.h"

namespace
{

using Bytes = std::vector<unsigned char>;

// Two registers, three values, two names.
struct Example {
	Example()
	{
		journal.head.magic = UNC_JOURNAL_MAGIC;
		journal.head.format = UNC_JOURNAL_FORMAT;
		journal.head.pid = 4711;
		journal.head.uid = 1000;
		journal.head.since = 1700000000;
		strcpy(journal.head.name, "lulesh");
		strcpy(journal.head.boot, "7b7b5c6e-1d5a-4d5e-9a57-5a1b8f6f2c11");
		strcpy(journal.head.machine, "GenuineIntel 6-45-7");
		strcpy(journal.head.version, "0.3");
		saved[0].place = {0, 64, 1, 1, 0xd10};
		saved[0].bits = 0xff;
		saved[0].before = 0x12;
		saved[0].n_shown = 2;
		saved[1].place = {1, 32, 0, 0x7f80, 0xd8};
		saved[1].flags = UNC_SAVED_PACKAGE;
		saved[1].shown = 2;
		saved[1].n_shown = 1;
		shown[0] = {0xffff, 0x400000};
		shown[2] = {1, 1};
		journal.head.n_saved = 2;
		journal.head.n_shown = 3;
		journal.head.n_names = sizeof(names);
		journal.saved = saved;
		journal.shown = shown;
		journal.names = names;
	}
	Bytes encoded() const
	{
		return support::encoded(journal);
	}

	unc_saved saved[2] = {};
	unc_shown shown[3] = {};
	char names[9] = {'f', 'i', 'r', 's', 't', 0, '2', 'd', 0};
	unc_journal journal = {};
};

// Decodes from memory of exactly that size, so that a sanitizer detects reads beyond it.
class Decoded
{
      public:
	explicit Decoded(const Bytes &bytes)
	{
		const std::unique_ptr<unsigned char[]> exactly(new unsigned char[bytes.size()]);

		std::copy(bytes.begin(), bytes.end(), exactly.get());
		state = unc_journal_decode(exactly.get(), bytes.size(), &journal);
	}
	~Decoded()
	{
		unc_journal_free(&journal);
	}
	Decoded(const Decoded &) = delete;
	Decoded &operator=(const Decoded &) = delete;

	unc_journal journal = {};
	unc_journal_state state;
};

bool is_zero(const unc_journal_head &head)
{
	const unc_journal_head zero = {};

	return memcmp(&zero, &head, sizeof(head)) == 0;
}

TEST(Journal, IsReadAsItWasWritten)
{
	const Example example;
	const Decoded d(example.encoded());
	const char *name = nullptr;

	ASSERT_EQ(UNC_JOURNAL_GOOD, d.state);
	EXPECT_EQ(4711U, d.journal.head.pid);
	EXPECT_EQ(1000U, d.journal.head.uid);
	EXPECT_EQ(1700000000U, d.journal.head.since);
	EXPECT_STREQ("lulesh", d.journal.head.name);
	ASSERT_EQ(2U, d.journal.head.n_saved);
	EXPECT_EQ(0, memcmp(example.saved, d.journal.saved, sizeof(example.saved)));
	ASSERT_EQ(3U, d.journal.head.n_shown);
	EXPECT_EQ(0, memcmp(example.shown, d.journal.shown, sizeof(example.shown)));
	EXPECT_STREQ("first", name = unc_journal_name(&d.journal, name));
	EXPECT_STREQ("2d", name = unc_journal_name(&d.journal, name));
	EXPECT_EQ(nullptr, unc_journal_name(&d.journal, name));
}

TEST(Journal, MayBeEmpty)
{
	Example example;

	example.journal.head.n_saved = example.journal.head.n_shown = 0;
	example.journal.head.n_names = 0;
	const Decoded d(example.encoded());
	EXPECT_EQ(UNC_JOURNAL_GOOD, d.state);
	EXPECT_EQ(nullptr, unc_journal_name(&d.journal, nullptr));
	EXPECT_EQ(256U, example.encoded().size());
}

// The fields before the checksum are informative. The magic, the sizes and everything after the
// checksum must be correct.
TEST(Journal, DamagedAtAnyByte)
{
	const Bytes good = Example().encoded();

	for (size_t i = 0; i < good.size(); i++)
		for (const unsigned char flip : {0x01, 0x80, 0xff}) {
			Bytes bad = good;

			bad[i] ^= flip;
			const Decoded d(bad);
			const bool read_first = i >= 8 && i < offsetof(unc_journal_head, n_saved);
			const bool unused = i >= offsetof(unc_journal_head, unused) &&
					    i < offsetof(unc_journal_head, sum);
			const bool reserved = i >= offsetof(unc_journal_head, reserved) &&
					      i < sizeof(unc_journal_head);

			SCOPED_TRACE(i);
			if (i >= 8 && i < 12) {
				EXPECT_EQ(UNC_JOURNAL_OTHER, d.state);
			} else if (!read_first && !unused && !reserved) {
				EXPECT_EQ(UNC_JOURNAL_DAMAGED, d.state);
			}
			if (d.state == UNC_JOURNAL_DAMAGED) {
				EXPECT_TRUE(is_zero(d.journal.head));
				EXPECT_EQ(nullptr, d.journal.saved);
			}
		}
}

TEST(Journal, TruncatedAtAnyLength)
{
	const Bytes good = Example().encoded();

	for (size_t n = 0; n < good.size(); n++) {
		const Decoded d({good.begin(), good.begin() + static_cast<ptrdiff_t>(n)});

		EXPECT_EQ(UNC_JOURNAL_DAMAGED, d.state) << n;
		EXPECT_TRUE(is_zero(d.journal.head)) << n;
	}
}

// Such as one that was shortened in place, but not truncated yet.
TEST(Journal, MayBeFollowedByBytes)
{
	Bytes longer = Example().encoded();

	longer.push_back('x');
	const Decoded d(longer);
	EXPECT_EQ(UNC_JOURNAL_GOOD, d.state);
	EXPECT_EQ(2U, d.journal.head.n_saved);
	EXPECT_EQ(9U, d.journal.head.n_names);
}

TEST(Journal, TextsHaveAnEnd)
{
	for (const size_t at :
	     {offsetof(unc_journal_head, name), offsetof(unc_journal_head, boot),
	      offsetof(unc_journal_head, machine), offsetof(unc_journal_head, version)}) {
		Bytes bad = Example().encoded();

		const size_t length = at == offsetof(unc_journal_head, name)      ? 32
				      : at == offsetof(unc_journal_head, boot)    ? 40
				      : at == offsetof(unc_journal_head, machine) ? 72
										  : 16;
		std::fill_n(bad.begin() + static_cast<ptrdiff_t>(at), length, 'x');
		EXPECT_EQ(UNC_JOURNAL_DAMAGED, Decoded(bad).state) << at;
	}
	Example open_end;
	open_end.names[8] = 'x';
	EXPECT_EQ(UNC_JOURNAL_DAMAGED, Decoded(open_end.encoded()).state);
}

TEST(Journal, RegistersShowOnlyListedValues)
{
	const std::pair<uint32_t, uint32_t> wrong[] = {
		{4, 0}, {3, 1}, {0, 4}, {2, UINT32_MAX}, {UINT32_MAX, 2}, {UINT32_MAX, UINT32_MAX}};

	for (const auto &[first, n] : wrong) {
		Example example;

		example.saved[1].shown = first;
		example.saved[1].n_shown = n;
		EXPECT_EQ(UNC_JOURNAL_DAMAGED, Decoded(example.encoded()).state) << first << n;
	}
	Example last;
	last.saved[1].shown = 3;
	last.saved[1].n_shown = 0;
	EXPECT_EQ(UNC_JOURNAL_GOOD, Decoded(last.encoded()).state);
}

// Sizes whose sum exceeds the length of the journal.
TEST(Journal, NumbersOfAnySize)
{
	const size_t counts[] = {offsetof(unc_journal_head, n_saved),
				 offsetof(unc_journal_head, n_shown),
				 offsetof(unc_journal_head, n_names)};

	for (const uint32_t n : {4U, 0x1000U, 0x10000000U, 0x80000000U, UINT32_MAX})
		for (const size_t at : counts) {
			Bytes bad = Example().encoded();

			memcpy(&bad[at], &n, sizeof(n));
			EXPECT_EQ(UNC_JOURNAL_DAMAGED, Decoded(bad).state) << n;
		}
}

TEST(Journal, OfALaterFormatItsHeadIsRead)
{
	Bytes later = Example().encoded();
	const uint32_t format = UNC_JOURNAL_FORMAT + 1;

	memcpy(&later[offsetof(unc_journal_head, format)], &format, sizeof(format));
	later.resize(300, 0xaa);
	const Decoded d(later);
	EXPECT_EQ(UNC_JOURNAL_OTHER, d.state);
	EXPECT_STREQ("lulesh", d.journal.head.name);
	EXPECT_EQ(4711U, d.journal.head.pid);
	EXPECT_EQ(nullptr, unc_journal_name(&d.journal, nullptr));
}

TEST(Journal, NeedsNoMoreRoomThanALongerOneBefore)
{
	unc_journal journal = Example().journal;
	unc_journal_file file = {};

	ASSERT_TRUE(unc_journal_lay_out(&file, &journal));
	const unsigned char *bytes = file.bytes;
	const size_t n = file.n;

	journal.head.n_saved = 1;
	ASSERT_TRUE(unc_journal_lay_out(&file, &journal));
	EXPECT_EQ(bytes, file.bytes);
	EXPECT_EQ(n, file.room);
	EXPECT_EQ(n - sizeof(unc_saved), file.n);
	free(file.bytes);
}

TEST(Journal, HasALimit)
{
	Example example;
	unc_journal_file file = {};

	example.journal.head.n_saved = UNC_JOURNAL_MAX / sizeof(unc_saved) + 1;
	EXPECT_FALSE(unc_journal_lay_out(&file, &example.journal));
	EXPECT_EQ(nullptr, file.bytes);
	EXPECT_EQ(UNC_JOURNAL_DAMAGED, Decoded(Bytes(UNC_JOURNAL_MAX + 1)).state);
}

} // namespace
