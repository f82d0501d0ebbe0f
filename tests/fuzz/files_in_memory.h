/* SPDX-License-Identifier: BSD-3-Clause */
// files_in_memory.h - in place of src/lib/base/files.c: the files of a machine, none of which is on
// disk.
//
// A fuzz target that includes it opens some hundred files for each input without a system call.
// rules.mk links it with --wrap for what files.h leaves to libc.
#ifndef FILES_IN_MEMORY_H
#define FILES_IN_MEMORY_H

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>

#include "base/files.h"

namespace fuzz
{

using Bytes = std::shared_ptr<const std::string>;

struct File {
	Bytes bytes;   // empty: the file is missing
	int error = 0; // of a read
};

// By name below the root.
using Tree = std::map<std::string, File, std::less<>>;

// The only directory that is listed.
inline const std::string kDevices = "sys/bus/pci/devices/";

class Files
{
      public:
	static constexpr int kFirst = 1 << 20; // more than any real descriptor
	static constexpr const char *kRoot = "/fuzz";

	static Files &here()
	{
		static Files files;

		return files;
	}
	void clear(const Tree *of)
	{
		base = of;
		changed.clear();
		writes = 0;
	}
	// No file has a zero byte in its name.
	void change(const std::string &name, const File &file)
	{
		if (name.find('\0') == std::string::npos)
			changed[name] = file;
	}
	const File *find(const char *path) const
	{
		const size_t length = strlen(kRoot);

		if (strncmp(path, kRoot, length) != 0 || path[length] != '/')
			return nullptr;
		while (path[length] == '/' && path[length + 1] == '/')
			path++;
		const std::string_view name = path + length + 1;
		auto file = changed.find(name);
		if (file != changed.end())
			return &file->second;
		file = base->find(name);
		return file == base->end() ? nullptr : &file->second;
	}
	int open(const char *path)
	{
		const File *file = find(path);

		if (!file || (!file->bytes && !file->error)) {
			errno = ENOENT;
			return -1;
		}
		if (file->error && file->error % 2) { // odd ones fail when the file is opened
			errno = file->error;
			return -1;
		}
		size_t slot = 0;
		while (slot < opened.size() && opened[slot])
			slot++;
		if (slot == opened.size())
			opened.push_back(nullptr);
		opened[slot] = file;
		return kFirst + static_cast<int>(slot);
	}
	const File *of(int fd) const
	{
		const size_t slot = static_cast<size_t>(fd - kFirst);

		return fd >= kFirst && slot < opened.size() ? opened[slot] : nullptr;
	}
	bool close(int fd)
	{
		if (fd < kFirst)
			return false;
		if (of(fd))
			opened[static_cast<size_t>(fd - kFirst)] = nullptr;
		return true;
	}
	size_t left_open() const
	{
		return opened.size() -
		       static_cast<size_t>(std::count(opened.begin(), opened.end(), nullptr));
	}
	ssize_t read(int fd, void *buf, size_t bytes, off_t offset) const
	{
		const File *file = of(fd);

		if (!file || file->error || offset < 0) {
			errno = !file ? EBADF : file->error ? file->error : EINVAL;
			return -1;
		}
		const size_t size = file->bytes->size(), at = static_cast<size_t>(offset);
		const size_t n = at < size ? std::min(bytes, size - at) : 0;
		if (n)
			memcpy(buf, file->bytes->data() + at, n);
		return static_cast<ssize_t>(n);
	}
	// Names in kDevices; empty if it is not a directory.
	std::set<std::string> devices() const
	{
		std::set<std::string> names;

		for (const auto *files : {base, &changed})
			for (auto f = files->lower_bound(kDevices);
			     f != files->end() &&
			     f->first.compare(0, kDevices.size(), kDevices) == 0;
			     ++f) {
				const size_t from = kDevices.size(),
					     slash = f->first.find('/', from);

				if (slash != std::string::npos && slash > from &&
				    slash - from < sizeof(dirent::d_name))
					names.insert(f->first.substr(from, slash - from));
			}
		return names;
	}

	struct Listing {
		std::set<std::string> names;
		std::set<std::string>::const_iterator next;
		dirent entry;
	} listing;
	bool listed = false; // it is open
	unsigned writes = 0;

      private:
	const Tree *base = nullptr;
	Tree changed;
	std::vector<const File *> opened;
};

} // namespace fuzz

// ---- files.h ----

extern "C" {

int unc_open(const char *path, int)
{
	return fuzz::Files::here().open(path);
}

DIR *unc_opendir(const char *path)
{
	fuzz::Files &files = fuzz::Files::here();

	if (std::string(path) + "/" != std::string(files.kRoot) + "/" + fuzz::kDevices)
		return errno = ENOENT, nullptr;
	files.listing.names = files.devices();
	if (files.listing.names.empty())
		return errno = ENOENT, nullptr;
	files.listing.next = files.listing.names.begin();
	files.listed = true;
	return reinterpret_cast<DIR *>(&files.listing);
}

FILE *unc_fopen(const char *path)
{
	const fuzz::File *file = fuzz::Files::here().find(path);

	if (!file || file->error || !file->bytes || file->bytes->empty()) {
		errno = file && file->error ? file->error : ENOENT;
		return nullptr;
	}
	return fmemopen(const_cast<char *>(file->bytes->data()), file->bytes->size(), "r");
}

ssize_t unc_pread(int fd, void *buf, size_t bytes, off_t offset)
{
	return fuzz::Files::here().read(fd, buf, bytes, offset);
}

ssize_t unc_pwrite(int, const void *, size_t bytes, off_t)
{
	fuzz::Files::here().writes++;
	return static_cast<ssize_t>(bytes);
}

void unc_occupy_standard(void)
{
}

// ---- libc ----

int __real_close(int fd);
int __wrap_close(int fd)
{
	return fuzz::Files::here().close(fd) ? 0 : __real_close(fd);
}

int __real_fstat(int fd, struct stat *st);
int __wrap_fstat(int fd, struct stat *st)
{
	const fuzz::File *file = fuzz::Files::here().of(fd);

	if (!file)
		return __real_fstat(fd, st);
	memset(st, 0, sizeof(*st));
	st->st_mode = S_IFREG | 0644;
	st->st_size = file->bytes ? static_cast<off_t>(file->bytes->size()) : 0;
	return 0;
}

dirent *__real_readdir(DIR *dir);
dirent *__wrap_readdir(DIR *dir)
{
	auto &listing = fuzz::Files::here().listing;

	if (dir != reinterpret_cast<DIR *>(&listing))
		return __real_readdir(dir);
	if (listing.next == listing.names.end())
		return nullptr;
	snprintf(listing.entry.d_name, sizeof(listing.entry.d_name), "%s", listing.next->c_str());
	++listing.next;
	return &listing.entry;
}

int __real_closedir(DIR *dir);
int __wrap_closedir(DIR *dir)
{
	fuzz::Files &files = fuzz::Files::here();

	if (dir != reinterpret_cast<DIR *>(&files.listing))
		return __real_closedir(dir);
	files.listed = false;
	return 0;
}
}

#endif
