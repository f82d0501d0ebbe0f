// SPDX-License-Identifier: BSD-3-Clause
// journal_file.h - the bytes of a journal's file. Does not use Google Test.
#ifndef SUPPORT_JOURNAL_FILE_H
#define SUPPORT_JOURNAL_FILE_H

#include <vector>

#include "claim/journal.h"

namespace support
{

std::vector<unsigned char> encoded(const unc_journal &journal);

} // namespace support

#endif
