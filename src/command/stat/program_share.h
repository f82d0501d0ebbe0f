/* SPDX-License-Identifier: BSD-3-Clause */
/* program_share.h - `uncore stat --share`: the part of the memory traffic that the command caused.
 */
#ifndef UNC_PROGRAM_SHARE_H
#define UNC_PROGRAM_SHARE_H

#include "command/who/memory.h"
#include "command/who/own.h"
#include "counts.h"

struct program_share {
	struct own own;
	struct memory memory;
	bool up, has_total;
	double bytes, local, joules; /* of the command; joules: NAN if unknown */
	double total, written;       /* of the memory controllers; NAN: not counted */
	double error; /* relative, of bytes; NAN: unknown, as what the memory controllers counted */
};

/* Call it after the events were started, which have priority; an exit status. */
int begin_share(struct program_share *p, struct uncore *u);
/* The command is spawned in between. */
int enter_share(struct program_share *p);
void leave_share(struct program_share *p);
/* Take the counts, and remove the group; an exit status. */
int end_share(struct program_share *p);
/* After a failure, too. */
void forget_share(struct program_share *p);

void print_share_of(const struct counts *c, const struct program_share *p);
void add_share_json(struct json_object *o, const struct program_share *p);

#endif
