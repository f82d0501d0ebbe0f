// SPDX-License-Identifier: BSD-3-Clause
#include "support/journal_file.h"

#include <cstdlib>

namespace support
{

std::vector<unsigned char> encoded(const unc_journal &journal)
{
	unc_journal_file file = {};
	unc_journal copy = {};
	std::vector<unsigned char> all;

	copy.head = journal.head;
	if (!unc_journal_lay_out(&file, &copy))
		throw std::length_error("the journal is too long");
	std::copy_n(journal.saved, copy.head.n_saved, copy.saved);
	std::copy_n(journal.shown, copy.head.n_shown, copy.shown);
	std::copy_n(journal.names, copy.head.n_names, copy.names);
	unc_journal_seal(&file, &copy.head);
	all.assign(file.bytes, file.bytes + file.n);
	free(file.bytes);
	return all;
}

} // namespace support
