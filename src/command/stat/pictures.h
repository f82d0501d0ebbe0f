/* SPDX-License-Identifier: BSD-3-Clause */
/* pictures.h - the pictures of `uncore stat`. */
#ifndef UNC_TOOLS_PICTURES_H
#define UNC_TOOLS_PICTURES_H

#include "command/draw/record.h"
#include "counts.h"

#define PICTURE_INTERVAL_MS 100 /* default interval */

bool wants_pictures(const struct request *r);
#define LEAST_MM 40 /* of --size */
#define MOST_MM  500

/* The width of --size; false: invalid. */
bool read_size(struct pictures *p, const char *text);
/* Whether an option was given that only pictures use. */
bool has_look(const struct pictures *p);

/* Check that their files can be written; an exit status, after a message. */
int check_pictures(const struct request *r);

/* A series for each row. */
void begin_pictures(struct draw_record *record, const struct request *r, const struct counts *c);
/* results: of each row in this interval. */
void note_interval(struct draw_record *record, const struct counts *c, const struct reading *r,
		   const struct result *results);
/* An exit status, after a message. */
int write_pictures(const struct request *r, const struct draw_record *record,
		   const struct roofline *roofline);

#endif
