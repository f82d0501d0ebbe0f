// SPDX-License-Identifier: BSD-3-Clause
// say_test.cc - messages of uncored in the journal and in other files.
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" {
#include "daemon/say.h"
}

namespace
{

// Text written to standard error, which is a file; with JOURNAL_STREAM, or "%" for that of the
// file.
std::string said(const char *stream, enum daemon_level level)
{
	char name[] = "/tmp/uncore-say-XXXXXX";
	const int file = mkstemp(name), saved = dup(STDERR_FILENO);
	struct stat st;

	fstat(file, &st);
	const std::string own = std::to_string(st.st_dev) + ":" + std::to_string(st.st_ino);
	fflush(stderr);
	dup2(file, STDERR_FILENO);
	unsetenv("JOURNAL_STREAM");
	if (stream)
		setenv("JOURNAL_STREAM", *stream == '%' ? own.c_str() : stream, 1);
	daemon_say(level, "user %d: %s", 7, "it failed");
	unsetenv("JOURNAL_STREAM");
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(file);
	std::ifstream in(name);
	std::string text{std::istreambuf_iterator<char>(in), {}};
	unlink(name);
	return text;
}

TEST(Say, HasALevelInTheJournalOnly)
{
	EXPECT_EQ("<3>uncored: user 7: it failed\n", said("%", SAY_ERROR));
	EXPECT_EQ("<6>uncored: user 7: it failed\n", said("%", SAY_INFO));
	for (const char *stream : {static_cast<const char *>(nullptr), "", "1:2", "word", "1"})
		EXPECT_EQ("uncored: user 7: it failed\n", said(stream, SAY_ERROR))
			<< (stream ? stream : "not set");
}

} // namespace
