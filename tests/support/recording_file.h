/* SPDX-License-Identifier: BSD-3-Clause */
// recording_file.h - a file to which a machine is recorded and from which it is opened.
#ifndef SUPPORT_RECORDING_FILE_H
#define SUPPORT_RECORDING_FILE_H

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

#include "support/handle.h"

namespace support
{

class RecordingFile
{
      public:
	RecordingFile()
	{
		fd = mkstemp(path.data());
	}
	explicit RecordingFile(const std::string &text) : RecordingFile()
	{
		set(text);
	}
	~RecordingFile()
	{
		close(fd);
		unlink(path.c_str());
	}
	RecordingFile(const RecordingFile &) = delete;
	RecordingFile &operator=(const RecordingFile &) = delete;

	std::string text() const
	{
		std::stringstream all;

		all << std::ifstream(path).rdbuf();
		return all.str();
	}
	void set(const std::string &text) const
	{
		std::ofstream(path) << text;
	}
	std::string machine() const
	{
		return "file:" + path;
	}

	std::string path = "/tmp/uncore-recording-XXXXXX";
	int fd;
};

inline uncore_options machine_named(const std::string &machine)
{
	auto options = sized<uncore_options>();

	options.machine = machine.c_str();
	return options;
}

// A machine opened from a recording.
class Replayed
{
      public:
	explicit Replayed(const std::string &text)
	    : file(text), name(file.machine()), machine(machine_named(name))
	{
	}
	const RecordingFile file;
	const std::string name;
	const Handle machine;
};

} // namespace support

#endif
