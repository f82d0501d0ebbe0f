// SPDX-License-Identifier: BSD-3-Clause
// references_test.cc - documents and comments refer to existing files and headings
// of this repository, and nothing that a clone does not have.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "support/source.h"

namespace
{

namespace fs = std::filesystem;

const fs::path kRoot = fs::path(support::source_path(""));

std::string read(const fs::path &path)
{
	std::ifstream in(path);
	std::stringstream text;

	text << in.rdbuf();
	return text.str();
}

// The texts of the repository: its own folders, without what is built or recorded.
std::vector<fs::path> texts(const std::set<std::string> &endings)
{
	std::vector<fs::path> all;

	for (const auto &entry : fs::directory_iterator(kRoot))
		if (entry.is_regular_file() && endings.count(entry.path().extension()))
			all.push_back(entry.path());
	for (const char *folder : {"components", "docs", "events", "examples", "src", "tests"})
		for (const auto &entry : fs::recursive_directory_iterator(kRoot / folder))
			if (entry.is_regular_file() && endings.count(entry.path().extension()))
				all.push_back(entry.path());
	return all;
}

std::string in_repository(const fs::path &path)
{
	return path.lexically_relative(kRoot).string();
}

// A heading's anchor, as the sites make it that show such documents.
std::string anchor(const std::string &heading)
{
	std::string text;

	for (const char c : heading)
		if (isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
			text += static_cast<char>(tolower(static_cast<unsigned char>(c)));
		else if (c == ' ')
			text += '-';
	return text;
}

std::set<std::string> headings(const fs::path &path)
{
	std::istringstream in(read(path));
	std::set<std::string> all;

	for (std::string line; std::getline(in, line);)
		if (line[0] == '#')
			all.insert(line.substr(line.find_first_not_of("# ")));
	return all;
}

bool has_anchor(const fs::path &path, const std::string &wanted)
{
	for (const std::string &heading : headings(path))
		if (anchor(heading) == wanted)
			return true;
	return false;
}

std::vector<std::smatch> matches(const std::string &text, const std::regex &pattern)
{
	std::vector<std::smatch> all;

	for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
		all.push_back(*i);
	return all;
}

// ---- documents ----

TEST(References, LinksOfDocumentsLeadSomewhere)
{
	const std::regex link(R"(\]\(([^)\s]+)\))");
	unsigned n = 0;

	for (const fs::path &path : texts({".md"})) {
		const std::string text = read(path);

		for (const std::smatch &m : matches(text, link)) {
			const std::string target = m[1];
			const size_t hash = target.find('#');
			const fs::path file =
				hash == 0 ? path : path.parent_path() / target.substr(0, hash);

			if (target.find("://") != std::string::npos)
				continue;
			n++;
			ASSERT_TRUE(fs::exists(file)) << in_repository(path) << ": " << target;
			if (hash != std::string::npos) {
				EXPECT_TRUE(has_anchor(file, target.substr(hash + 1)))
					<< in_repository(path) << ": " << target;
			}
		}
	}
	EXPECT_LT(100u, n);
}

// The pages of docs/ and docs/reference, without the first one.
std::vector<fs::path> documents()
{
	std::vector<fs::path> all;

	for (const char *folder : {"docs", "docs/reference"})
		for (const auto &entry : fs::directory_iterator(kRoot / folder))
			if (entry.path().extension() == ".md" &&
			    entry.path().filename() != "README.md")
				all.push_back(entry.path());
	return all;
}

TEST(References, TheFirstPageLeadsToEachDocument)
{
	const std::string page = read(kRoot / "docs" / "README.md");

	for (const fs::path &path : documents())
		EXPECT_NE(page.npos,
			  page.find("(" + path.lexically_relative(kRoot / "docs").string()))
			<< "docs/README.md does not say who should read " << path.filename();
}

// Longer ones than two screens: links to the sections stand before the first of them.
TEST(References, LongDocumentsListTheirSections)
{
	for (const fs::path &path : documents()) {
		const std::string text = read(path);
		const std::string begin = text.substr(0, text.find("\n## "));
		std::istringstream in(text);

		if (std::count(text.begin(), text.end(), '\n') <= 80)
			continue;
		for (std::string line; std::getline(in, line);)
			if (line.compare(0, 3, "## ") == 0) {
				EXPECT_NE(begin.npos,
					  begin.find("(#" + anchor(line.substr(3)) + ")"))
					<< in_repository(path) << " does not list its section \""
					<< line.substr(3) << "\" at its begin";
			}
	}
}

// ---- everything ----

// A sentence that continues in the next line of a comment is one.
std::string joined(const std::string &text)
{
	std::istringstream in(text);
	std::string all;

	for (std::string line; std::getline(in, line);) {
		const size_t first = line.find_first_not_of(" \t*/#");

		all += first == std::string::npos ? "" : line.substr(first);
		all += ' ';
	}
	return all;
}

// Made by `make papi-patch`.
const std::set<std::string> kMade = {"pull_request.md"};

// A document is named from the root, from docs/, from where the text is or where it is installed.
fs::path document(const fs::path &from, std::string name)
{
	const std::string installed = "share/doc/uncore/";

	if (name.find(installed) != name.npos)
		name = name.substr(name.find(installed) + installed.size());
	for (const fs::path &place :
	     {kRoot, kRoot / "docs", kRoot / "docs" / "hardware", kRoot / "docs" / "reference",
	      from.parent_path(), from.parent_path().parent_path()})
		if (fs::exists(place / name))
			return place / name;
	return {};
}

const std::set<std::string> kSources = {".c",   ".h",  ".cc", ".def", ".sh", ".mk",
					".map", ".py", ".md", ".1",   ""};

// A heading that is named after the document must exist, too, in comments and in messages
// (escaped quotes): docs/lab.md, "How it works".
TEST(References, DocumentsThatAreNamedExist)
{
	const std::regex name(R"re(([A-Za-z0-9_][A-Za-z0-9_./-]*\.md)\b(, \\?"([^"\\]+)\\?")?)re");
	unsigned n = 0;

	for (const fs::path &path : texts(kSources)) {
		const std::string lines = read(path);
		// most files name none, and expressions are slow
		const std::string text = lines.find(".md") == lines.npos ? "" : joined(lines);

		for (const std::smatch &m : matches(text, name)) {
			const std::string word = m[1], before = m.prefix();
			// $SRC/README.md of a script
			const bool variable = !before.empty() && before.back() == '$';
			const fs::path found =
				document(path, variable ? word.substr(word.find('/') + 1) : word);

			n++;
			EXPECT_TRUE(!found.empty() || kMade.count(fs::path(word).filename()))
				<< in_repository(path) << " names " << m[1];
			if (m[3].matched && !found.empty()) {
				EXPECT_TRUE(headings(found).count(m[3]))
					<< in_repository(path) << ": " << m[1] << " has no \""
					<< m[3] << "\"";
			}
		}
	}
	EXPECT_LT(200u, n);
}

// Tests go by their names: they may move, but not disappear.
TEST(References, TestsThatDocumentsNameExist)
{
	const std::regex name(R"(\b([a-z0-9_]+_(test|fuzz)\.(cc|c|sh))\b)");
	std::set<std::string> tests;

	for (const fs::path &path : texts({".c", ".cc", ".sh"}))
		tests.insert(path.filename());
	for (const fs::path &path : texts({".md"})) {
		const std::string text = read(path);

		for (const std::smatch &m : matches(text, name))
			EXPECT_TRUE(tests.count(m[1])) << in_repository(path) << " names " << m[1];
	}
}

// Notes that the sources were once written from; they are not published.
TEST(References, NothingRefersToUnpublishedNotes)
{
	static const char *const notes[] = {"facts/", "../shared", "facts csv", "(facts "};

	for (const fs::path &path : texts(kSources)) {
		std::istringstream in(read(path));
		unsigned line = 0;

		if (path.filename() == "references_test.cc")
			continue;
		for (std::string text; std::getline(in, text);) {
			line++;
			for (const char *note : notes)
				EXPECT_EQ(text.npos, text.find(note))
					<< in_repository(path) << ":" << line << ": " << text;
		}
	}
}

} // namespace
