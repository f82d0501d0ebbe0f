/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * texts.c - what events of libpfm4 count, where it does not say so, says it in a paragraph, or
 * says something else; for the events of all platforms that have these names.
 *
 * A row's words come before libpfm4's, a box type's alike rows before both.  Where no more is
 * known of an event than its name, the row says the name in words and nothing else.
 */
#include "types.h"

#define TEXT(event, text)              {event, NULL, text},
#define UMASK_TEXT(event, umask, text) {event, umask, text},
#define WORD(umask, text)              {"*", umask, text},
#define TEXTS_END                \
	{                        \
		NULL, NULL, NULL \
	}

const struct unc_text unc_texts[] = {
#include "texts/cache.def"
#include "texts/home.def"
#include "texts/io.def"
#include "texts/link.def"
#include "texts/memory.def"
#include "texts/power.def"
#include "texts/ring.def"
	TEXTS_END,
};

const struct unc_text unc_words[] = {
#include "texts/words.def"
	TEXTS_END,
};
