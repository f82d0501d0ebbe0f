/* SPDX-License-Identifier: BSD-3-Clause */
// recording_file.h - a file to which a machine is recorded and from which it is opened.
#ifndef SUPPORT_RECORDING_FILE_H
#define SUPPORT_RECORDING_FILE_H

#include <string>

#include "support/handle.h"

namespace support
{

class RecordingFile
{
      public:
	RecordingFile();
	explicit RecordingFile(const std::string &text);
	~RecordingFile();
	RecordingFile(const RecordingFile &) = delete;
	RecordingFile &operator=(const RecordingFile &) = delete;

	std::string text() const;
	void set(const std::string &text) const;
	std::string machine() const;

	std::string path = "/tmp/uncore-recording-XXXXXX";
	int fd;
};

uncore_options machine_named(const std::string &machine);

// A machine opened from a recording.
class Replayed
{
      public:
	explicit Replayed(const std::string &text);
	const RecordingFile file;
	const std::string name;
	const Handle machine;
};

} // namespace support

#endif
