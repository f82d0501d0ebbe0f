// SPDX-License-Identifier: BSD-3-Clause
#include "support/root_of_namespace.h"

#include <cstdlib>
#include <sstream>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "support/child.h"

namespace support
{

namespace
{

using Words = std::vector<std::string>;

struct Ended {
	int status;
	std::string output;
};

[[noreturn]] void execute(Words words)
{
	std::vector<char *> list;

	// The new process must not take a share of the tests, or write the report of all of them.
	for (const char *name : {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX",
				 "GTEST_SHARD_STATUS_FILE", "GTEST_OUTPUT", "GTEST_REPEAT"})
		unsetenv(name);
	for (std::string &word : words)
		list.push_back(&word[0]);
	list.push_back(nullptr);
	execvp(list[0], list.data());
	perror(list[0]);
	_exit(127);
}

// With standard error in the output.
Ended run(const Words &words)
{
	Ended ended = {-1, ""};
	char some[4096];
	int ends[2];

	EXPECT_EQ(0, pipe2(ends, O_CLOEXEC));
	const pid_t pid = fork_clean();
	if (pid == 0) {
		dup2(ends[1], 1);
		dup2(ends[1], 2);
		execute(words);
	}
	close(ends[1]);
	for (ssize_t n; (n = read(ends[0], some, sizeof(some))) > 0;)
		ended.output.append(some, static_cast<size_t>(n));
	close(ends[0]);
	ended.status = status_of(pid);
	return ended;
}

Words in_namespace(Users users, const Words &command)
{
	Words words = {"unshare", "--user", "--mount", "--map-root-user"};

	if (users == Users::kMany)
		words.emplace_back("--map-auto");
	words.insert(words.end(), command.begin(), command.end());
	return words;
}

std::string this_program()
{
	char path[4096];
	const ssize_t n = readlink("/proc/self/exe", path, sizeof(path));

	EXPECT_LT(0, n);
	return {path, static_cast<size_t>(n > 0 ? n : 0)};
}

std::string this_test()
{
	const testing::TestInfo *test = testing::UnitTest::GetInstance()->current_test_info();

	return std::string(test->test_suite_name()) + "." + test->name();
}

// The last line with text before the first that begins with `mark`; without a mark, of all.
std::string line_before(const std::string &text, const std::string &mark = "\n")
{
	std::istringstream in(text);
	std::string last;

	for (std::string line; std::getline(in, line) && line.compare(0, mark.size(), mark) != 0;)
		if (!line.empty())
			last = line;
	return last;
}

// Googletest's result lines are counted by tests/runner, so these must not look like them.
std::string quoted(const std::string &text)
{
	std::istringstream in(text);
	std::string all;

	for (std::string line; std::getline(in, line);)
		all += "    " + line + "\n";
	return all;
}

} // namespace

std::string rerun_as_root(Users users)
{
	const Ended probe = run(in_namespace(users, {"true"}));

	if (probe.status != 0)
		return "requires root, or a user namespace: " + line_before(probe.output);
	const Ended test =
		run(in_namespace(users, {this_program(), "--gtest_filter=" + this_test()}));
	const bool skipped = test.output.find("\n[  SKIPPED ] ") != std::string::npos;

	if (skipped && test.status == 0)
		return line_before(test.output, "[  SKIPPED ] ");
	if (test.status != 0 || test.output.find("\n[  PASSED  ] 1 test.") == std::string::npos)
		ADD_FAILURE() << "as root of a user namespace: exit status " << test.status << "\n"
			      << quoted(test.output);
	return "";
}

} // namespace support
