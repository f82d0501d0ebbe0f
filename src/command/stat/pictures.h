/* SPDX-License-Identifier: BSD-3-Clause */
/* pictures.h - the pictures of `uncore stat`. */
#ifndef UNC_TOOLS_PICTURES_H
#define UNC_TOOLS_PICTURES_H

#include "command/draw/record.h"
#include "counts.h"

#define PICTURE_INTERVAL_MS 100 /* default interval */

bool wants_pictures(const struct request *r);

/* Check that their files can be written; an exit status, after a message. */
int check_pictures(const struct request *r);

/* A series for each row. */
void begin_pictures(struct draw_record *record, const struct counts *c);
/* results: of each row in this interval. */
void note_interval(struct draw_record *record, const struct counts *c, const struct reading *r,
		   const struct result *results);
/* An exit status, after a message. */
int write_pictures(const struct request *r, const struct draw_record *record);

#endif
