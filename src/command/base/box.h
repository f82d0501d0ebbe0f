/* SPDX-License-Identifier: BSD-3-Clause */
/* box.h - names of boxes, for all parts of the command. */
#ifndef COMMAND_BOX_H
#define COMMAND_BOX_H

#include <stdbool.h>

#include "uncore_inspect.h"

#define BOX_NAME 64

/* "cbo3"; a kind that ends in a digit is separated from the number: "type_40_3". */
const char *box_name(char name[BOX_NAME], const char *kind, unsigned index);

/*
 * The common name of boxes of a kind: "channel" (of a memory controller), "HBM channel", "MCDRAM
 * channel", "link"; NULL: no name.  Tables and pictures use it, and call packages sockets.
 */
const char *place_of_kind(const char *kind);
/*
 * A text in which "imc0-3 of package 1" is "channels 0-3 of socket 1": for people, where JSON and
 * --verbose have the names of boxes.  To be freed.
 */
char *text_with_places(const char *text);

/* The kind of box that counts an event, the first one of a sum: "imc". */
const char *box_kind_of(struct uncore *u, unsigned id);

/* Compare reasons up to the first colon, which precedes the file and register. */
bool is_same_absence(const struct uncore_box_info *a, const struct uncore_box_info *b);

#endif
