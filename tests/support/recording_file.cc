// SPDX-License-Identifier: BSD-3-Clause
#include "support/recording_file.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace support
{

RecordingFile::RecordingFile()
{
	fd = mkstemp(path.data());
}

RecordingFile::RecordingFile(const std::string &text) : RecordingFile()
{
	set(text);
}

RecordingFile::~RecordingFile()
{
	close(fd);
	unlink(path.c_str());
}

std::string RecordingFile::text() const
{
	std::stringstream all;

	all << std::ifstream(path).rdbuf();
	return all.str();
}

void RecordingFile::set(const std::string &text) const
{
	std::ofstream(path) << text;
}

std::string RecordingFile::machine() const
{
	return "file:" + path;
}

uncore_options machine_named(const std::string &machine)
{
	auto options = sized<uncore_options>();

	options.machine = machine.c_str();
	return options;
}

Replayed::Replayed(const std::string &text)
    : file(text), name(file.machine()), machine(machine_named(name))
{
}

} // namespace support
