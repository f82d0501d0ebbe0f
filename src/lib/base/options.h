/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options.h - the options of a program as a table, with a row for each: getopt's arrays, the stored
 * values, help, synopsis and completion are made of it.
 */
#ifndef UNC_OPTIONS_H
#define UNC_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/shared.h"

#ifdef __cplusplus
extern "C" {
#endif

enum unc_option_kind {
	UNC_OPTION_FLAG,    /* sets a bool */
	UNC_OPTION_TEXT,    /* stores the text */
	UNC_OPTION_CHOICE,  /* stores `value` in an int, or an enum */
	UNC_OPTION_CALL,    /* calls take() */
	UNC_OPTION_IGNORED, /* of another program */
	UNC_OPTION_PROGRAM, /* handled by the program */
};

struct unc_option {
	const char *names; /* "-i, -I, --interval", as help shows them; NULL ends the table */
	const char *arg;   /* name of its value in help; "[=MS]": may be left out; NULL: none */
	const char *help;  /* NULL: not shown; may have lines of its own, "NAME\ttext" */
	enum unc_option_kind kind;
	size_t at; /* offset of the member that is set */
	int value; /* UNC_OPTION_CHOICE */
	/* text: NULL without a value.  0, or what unc_option_store() returns. */
	int (*take)(void *into, const char *text);
	const char *shown;  /* its names in help, if not `names` */
	const char *usage;  /* in the synopsis; NULL: "[-i TIME]"; "": left out */
	const char *values; /* for completion: words; NULL: what `arg` names */
	bool optional;      /* the value may be left out, though `arg` does not say so */
	/* A number that is given without a unit is shown back: "every 10 ms"; NULL: it has none. */
	const char *before, *unit;
};

#define UNC_OPTIONS_MOST 64
#define UNC_OPTION_NAME  32

/* getopt's arrays. */
struct unc_options {
	char letters[2 * UNC_OPTIONS_MOST + 2];
	const struct unc_option *of_letter[128];
	char names[UNC_OPTIONS_MOST][UNC_OPTION_NAME];
	struct option list[UNC_OPTIONS_MOST + 1];
	const struct unc_option *of_name[UNC_OPTIONS_MOST];
	int n;
};

/* ordered: the first argument that is no option ends them, as the name of a program does. */
UNC_SHARED void unc_options_make(struct unc_options *o, const struct unc_option *rows,
				 bool ordered);

/* The next option, with its value in optarg; NULL at the end, or if it is invalid, which getopt has
 * printed. */
UNC_SHARED const struct unc_option *unc_options_next(const struct unc_options *o, int argc,
						     char **argv, bool *invalid);

/* Store a value in a struct; 0, or what take() returns. */
UNC_SHARED int unc_option_store(const struct unc_option *row, void *into, const char *text);

/* Name number i of a row, "-i" or "--interval", with its length; NULL after the last one. */
UNC_SHARED const char *unc_option_name(const struct unc_option *row, unsigned i, size_t *len);

#ifdef __cplusplus
}
#endif
#endif
