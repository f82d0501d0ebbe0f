/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c - rows as text for people, which each command arranges. */
#include "command/emit/emit.h"

static void emit_text(const struct emission *to, const struct rows *rows)
{
	rows->type->text(rows->of, to->screen);
}

const struct emitter text_emitter = {"text", NULL, emit_text};
