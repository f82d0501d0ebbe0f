/* SPDX-License-Identifier: BSD-3-Clause */
// recorded_tree.h - makes recordings from the file trees in tests/machines.
#ifndef SUPPORT_RECORDED_TREE_H
#define SUPPORT_RECORDED_TREE_H

#include "support/recorded.h"
#include "support/tree.h"

namespace support
{

// The files as recorded. MSRs and config spaces are zero.
void write_tree(Tree &tree, const nlohmann::json &recorded);

// The U-Boxes of an E5-2600 number their packages in bus order.
void number_uboxes(Tree &tree, const nlohmann::json &recorded);

std::string recording_of_tree(const nlohmann::json &recorded);

} // namespace support

#endif
