/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * texts.c - descriptions of events that libpfm4 does not describe, describes in a paragraph, or
 * describes wrongly; for the events of all platforms that have these names.
 *
 * A row takes precedence over libpfm4's description, and a box type's `alike` rows over both.  If
 * only the name of an event is known, the row spells out the name.
 */
#include "types.h"

#define TEXT(event, text)              {event, "", text},
#define UMASK_TEXT(event, umask, text) {event, umask, text},
#define WORD(umask, text)              {"*", umask, text},
#define TEXTS_END          \
	{                  \
		"", "", "" \
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
