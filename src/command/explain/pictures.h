/* SPDX-License-Identifier: BSD-3-Clause */
/* pictures.h - the pictures in the page of `uncore explain`. */
#ifndef EXPLAIN_PICTURES_H
#define EXPLAIN_PICTURES_H

#include "command/explain/explanation.h"

void print_pictures(FILE *out, const struct explanation *e);

/* roof.c: memory traffic and its limit by the share of reads; nothing if both are unknown. */
void draw_roof(FILE *out, const struct explanation *e);

#endif
