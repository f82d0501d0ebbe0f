/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * encode.h - write names and texts that other users choose (processes, cgroups, containers,
 * regions, files), one function for each kind of output.
 *
 * All kinds write valid UTF-8 unchanged, apart from characters that control a terminal or the order
 * of the text: control characters (C0, DEL, C1), bidirectional marks, line separators and
 * noncharacters.  These, and bytes that are not UTF-8, become visible: \x1b for a byte, \u202e for
 * a character.  Writing such a text again does not change it.
 */
#ifndef COMMAND_ENCODE_H
#define COMMAND_ENCODE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For a terminal, on one line; to be freed. */
char *terminal_text(const char *text);
/* The same for text of several lines: line ends and tabs are kept. */
char *terminal_lines(const char *text);
/* For a terminal of one byte a column: only ASCII, all other characters become visible. */
char *terminal_cells(const char *text);
/* The same as terminal_text(), written. */
void put_terminal(FILE *out, const char *text);
/* Columns of such a text on a terminal. */
unsigned terminal_columns(const char *text);

/* A JSON text, as a library made it: characters become \u202e, other bytes U+FFFD. */
void put_json(FILE *out, const char *json);

/* The value of a label, between quotation marks; quotes false: a help text of the older format. */
void put_openmetrics(FILE *out, const char *text, bool quotes);

/* A measurement or the value of a tag of the line protocol; "_" if it is empty. */
void put_influx(FILE *out, const char *text);

/* The text of an element or an attribute, of HTML and SVG.  Line ends and tabs are kept. */
void put_xml(FILE *out, const char *text);

/* A field, between quotation marks if it contains the separator or one (RFC 4180). */
void put_csv(FILE *out, const char *text, const char *separator);

#ifdef __cplusplus
}
#endif
#endif
