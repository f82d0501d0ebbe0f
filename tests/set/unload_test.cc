// SPDX-License-Identifier: BSD-3-Clause
// unload_test.cc - a program loads the library with dlopen(), leaves its handles open, and
// unloads it: the library must not leave a descriptor, mapping or thread behind, and must
// restore the registers.
#include <fstream>
#include <set>

#include <dirent.h>
#include <dlfcn.h>

#include "support/child.h"
#include "support/tree.h"

namespace
{

using support::in_child;
using support::in_child_that_exits;
using support::Tree;

constexpr char kReads[] = "UNC_M_CAS_COUNT:RD", kClocks[] = "UNC_C_CLOCKTICKS";

size_t entries(const char *directory)
{
	DIR *dir = opendir(directory);
	size_t n = 0;

	while (const struct dirent *entry = readdir(dir))
		n += entry->d_name[0] != '.';
	closedir(dir);
	return n;
}

size_t descriptors()
{
	return entries("/proc/self/fd");
}

size_t threads()
{
	return entries("/proc/self/task");
}

// The kernel still lists a thread for a moment after it has been joined.
bool is_single_threaded()
{
	for (int i = 0; i < 10000 && threads() > 1; i++)
		usleep(1000);
	return threads() == 1;
}

// Names of mapped files, one for each mapping.
std::multiset<std::string> mapped_files()
{
	std::ifstream maps("/proc/self/maps");
	std::multiset<std::string> files;

	for (std::string line; std::getline(maps, line);)
		if (const auto slash = line.find('/'); slash != std::string::npos)
			files.insert(line.substr(slash));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
		else // a sanitizer maps more memory in each cycle
			files.insert("");
#endif
	return files;
}

// The functions of a loaded library.
struct Library {
	explicit Library(const std::string &name) : file(dlopen(name.c_str(), RTLD_NOW))
	{
		find(open, "uncore_open");
		find(close, "uncore_close");
		find(event, "uncore_event");
		find(create, "uncore_set_create");
		find(assign, "uncore_set_assign");
		find(multiplex, "uncore_set_multiplex");
		find(start, "uncore_set_start");
	}
	template <typename F> void find(F &function, const char *name)
	{
		function = file ? reinterpret_cast<F>(dlsym(file, name)) : nullptr;
	}
	bool unload() const
	{
		return dlclose(file) == 0;
	}
	// Starts a set. Returns nullptr if that fails.
	struct uncore_set *count(struct uncore *u, const char *name) const
	{
		struct uncore_set *set = nullptr;
		unsigned id;

		const bool counts = event(u, name, &id) == 0 && create(u, &set) == 0 &&
				    assign(set, &id, 1) == 0 && start(set) == 0;
		return counts ? set : nullptr;
	}

	void *file;
	decltype(&uncore_open) open;
	decltype(&uncore_close) close;
	decltype(&uncore_event) event;
	decltype(&uncore_set_create) create;
	decltype(&uncore_set_assign) assign;
	decltype(&uncore_set_multiplex) multiplex;
	decltype(&uncore_set_start) start;
};

class Unload : public testing::Test
{
      protected:
	void SetUp() override
	{
		if (!getenv("BUILD"))
			GTEST_SKIP() << "no library in the directory BUILD";
		name = std::string(getenv("BUILD")) + "/libuncore.so";
		tree.two_packages();
		idle = tree.registers();
	}
	// Exit statuses of children: 0, or the line of the failure.
	int one_cycle(bool close_one) const
	{
		const Library library(name);
		const uncore_options options = tree.options();
		struct uncore *one, *other;

		if (!library.file || library.open(&one, &options) != 0 ||
		    library.open(&other, &options) != 0)
			return __LINE__;
		if (!library.count(one, kReads) || !library.count(other, kClocks))
			return __LINE__;
		if (descriptors() < 20 || threads() < 2)
			return __LINE__;
		if (close_one)
			library.close(one);
		return library.unload() ? 0 : __LINE__;
	}

	Tree tree;
	std::string name, idle;
};

TEST_F(Unload, NothingOfTheLibraryIsLeft)
{
#if defined(__SANITIZE_THREAD__)
	GTEST_SKIP() << "the thread sanitizer runs its own thread";
#endif
	EXPECT_EQ(0, in_child([&] {
			     const size_t files = descriptors();

			     // the first cycle allocates what the C library keeps, such as
			     // stacks
			     int r = one_cycle(false);
			     const auto maps = mapped_files();
			     for (int i = 0; r == 0 && i < 5; i++)
				     r = one_cycle(i % 2 == 1);
			     if (r != 0)
				     return r;
			     if (descriptors() != files || !is_single_threaded())
				     return __LINE__;
			     for (const auto &file : mapped_files())
				     if (file.find("libuncore") != std::string::npos)
					     return __LINE__;
			     return mapped_files() == maps ? 0 : __LINE__;
		     }) % 256);
	EXPECT_EQ(idle, tree.registers());
}

TEST_F(Unload, AHandleThatCouldNotBeOpenedLeavesNoFileOpen)
{
	const std::string list = tree.path("damaged.json");

	tree.write("damaged.json", "{");
	EXPECT_EQ(0, in_child([&] {
			     const size_t files = descriptors();
			     const Library library(name);
			     uncore_options options = tree.options();
			     struct uncore *u;

			     options.event_files = list.c_str();
			     if (library.open(&u, &options) != UNCORE_EINVAL)
				     return __LINE__;
			     if (descriptors() == files)
				     return __LINE__; // no descriptor was open: nothing to test
			     library.unload();
			     return descriptors() == files ? 0 : __LINE__;
		     }) % 256);
}

TEST_F(Unload, AForkedChildUnloadsWithoutTouchingARegister)
{
	EXPECT_EQ(0, in_child([&] {
			     const size_t files = descriptors();
			     const Library library(name);
			     const uncore_options options = tree.options();
			     struct uncore *u;

			     if (library.open(&u, &options) != 0 || !library.count(u, kReads))
				     return __LINE__;
			     const std::string counting = tree.registers();
			     const int r = in_child([&] {
				     library.unload();
				     return descriptors() == files ? 0 : __LINE__ % 256;
			     });
			     if (r != 0)
				     return r;
			     return tree.registers() == counting ? 0 : __LINE__;
		     }) % 256);
}

// Exit handlers that were registered before a handle was opened run after the library's own,
// and may still use the handle.
struct uncore *late_handle;
decltype(&uncore_close) late_close;

TEST_F(Unload, AtExitAHandleIsStoppedAndStaysUsable)
{
	EXPECT_EQ(0, in_child_that_exits([&] {
			  const Library library(name);
			  const uncore_options options = tree.options();

			  atexit([] {
				  late_close(late_handle);
				  if (entries("/proc/self/fd") > 10)
					  _exit(99);
			  });
			  if (library.open(&late_handle, &options) != 0 ||
			      !library.count(late_handle, kReads))
				  return __LINE__ % 256;
			  late_close = library.close;
			  return 0;
		  }));
	EXPECT_EQ(idle, tree.registers());
}

TEST_F(Unload, AnExitHandlerMayUnloadTheLibrary)
{
	EXPECT_EQ(0, in_child_that_exits([&] {
			  const uncore_options options = tree.options();
			  static const Library *library;
			  struct uncore *u;

			  library = new Library(name);
			  if (library->open(&u, &options) != 0 || !library->count(u, kReads))
				  return __LINE__ % 256;
			  atexit([] {
				  library->unload();
				  if (entries("/proc/self/fd") > 10)
					  _exit(99);
			  });
			  return 0;
		  }));
	EXPECT_EQ(idle, tree.registers());
}

} // namespace
