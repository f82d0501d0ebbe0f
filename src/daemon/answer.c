/* SPDX-License-Identifier: BSD-3-Clause */
/* answer.c - names in requests, errors in answers. */
#include "daemon/answer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void answer_say(struct answer *a, int code, const char *format, ...)
{
	va_list list;

	a->head.code = code;
	va_start(list, format);
	vsnprintf(a->text, sizeof(a->text), format, list);
	va_end(list);
}

void answer_say_why(const struct server *s, struct answer *a, int code)
{
	a->head.code = code;
	uncore_errmsg(s->u, a->text, sizeof(a->text));
}

/* Including its NUL; NULL: no more names. */
const char *reader_name(struct reader *from)
{
	const char *name = from->m->body + from->at;

	if (from->at >= from->m->got)
		return NULL;
	from->at += strlen(name) + 1;
	return name;
}
