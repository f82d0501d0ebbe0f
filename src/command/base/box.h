/* SPDX-License-Identifier: BSD-3-Clause */
/* box.h - how all parts of the command speak of boxes. */
#ifndef COMMAND_BOX_H
#define COMMAND_BOX_H

#include <stdbool.h>

#include "uncore_inspect.h"

#define BOX_NAME 64

/* "cbo3"; kinds that end in a digit are kept apart from the number: "type_40_3". */
const char *box_name(char name[BOX_NAME], const char *kind, unsigned index);

/* Two boxes are missing for the same reason: behind its first colon follow file and register. */
bool is_same_absence(const struct uncore_box_info *a, const struct uncore_box_info *b);

#endif
