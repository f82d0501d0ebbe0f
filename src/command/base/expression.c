/* SPDX-License-Identifier: BSD-3-Clause */
/* expression.c - see expression.h. */
#include "command/base/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/base/text.h"

#define DEPTH_MAX 64 /* nested brackets and signs, and pending operands */

struct expression_step {
	char what; /* an operator, 'n' a number, 'e' a name, 't' the time, '~' the other sign */
	double number;
	size_t name;
};

/* ---- words ---- */

#define BLANKS " \t"

static const char *without_blanks(const char *text)
{
	return text + strspn(text, BLANKS);
}

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

size_t expression_label(const char *text)
{
	size_t n = 0;

	if (!begins_name(*text))
		return 0;
	while (begins_name(text[n]) || isdigit((unsigned char)text[n]))
		n++;
	n += strspn(text + n, BLANKS);
	return text[n] == '=' ? n : 0;
}

static size_t name_length(const char *text)
{
	size_t n = 0;

	while (text[n] && (isalnum((unsigned char)text[n]) || strchr("_.:=", text[n])))
		n++;
	return n;
}

/* ---- reading ---- */

struct reader {
	struct expression *e;
	const char *text, *at;
	struct expression_error *error;
	unsigned depth;
};

static bool fail(const struct reader *r, const char *why)
{
	*r->error = (struct expression_error){(size_t)(r->at - r->text), why};
	return false;
}

/* Operands on the stack after this step. */
static int growth(char what)
{
	return what == '~' ? 0 : strchr("net", what) ? 1 : -1;
}

static bool add(const struct reader *r, struct expression_step step)
{
	struct expression *e = r->e;

	e->height = (unsigned)((int)e->height + growth(step.what));
	if (e->height > DEPTH_MAX)
		return fail(r, "expression is nested too deeply");
	e->steps = need_more(e->steps, e->n + 1, sizeof(*e->steps));
	e->steps[e->n++] = step;
	return true;
}

static size_t number_of_name(const struct reader *r, size_t len)
{
	struct expression *e = r->e;

	for (size_t i = 0; i < e->n_names; i++)
		if (strlen(e->names[i].text) == len && strncmp(e->names[i].text, r->at, len) == 0)
			return i;
	e->names = need_more(e->names, e->n_names + 1, sizeof(*e->names));
	e->names[e->n_names].text = text_of("%.*s", (int)len, r->at);
	e->names[e->n_names].at = (size_t)(r->at - r->text);
	return e->n_names++;
}

static bool read_name(struct reader *r)
{
	const size_t len = name_length(r->at);
	struct expression_step step = {.what = 't'};

	if (len != strlen("seconds") || strncmp(r->at, "seconds", len) != 0)
		step = (struct expression_step){.what = 'e', .name = number_of_name(r, len)};
	r->at += len;
	return add(r, step);
}

static bool read_number(struct reader *r)
{
	struct expression_step step = {.what = 'n'};
	char *end;

	step.number = strtod(r->at, &end);
	if (end == r->at || !isfinite(step.number) || name_length(end) > 0)
		return fail(r, "invalid number");
	r->at = end;
	return add(r, step);
}

static bool read_sum(struct reader *r);

static bool read_brackets(struct reader *r)
{
	r->at++;
	if (!read_sum(r))
		return false;
	if (*r->at != ')')
		return fail(r, "missing )");
	r->at++;
	return true;
}

static bool read_operand(struct reader *r);

static bool read_signed(struct reader *r)
{
	const bool minus = *r->at++ == '-';

	return read_operand(r) && (!minus || add(r, (struct expression_step){.what = '~'}));
}

static bool read_any(struct reader *r)
{
	if (begins_name(*r->at))
		return read_name(r);
	if (isdigit((unsigned char)*r->at) || *r->at == '.')
		return read_number(r);
	if (*r->at == '(')
		return read_brackets(r);
	if (*r->at == '-' || *r->at == '+')
		return read_signed(r);
	return fail(r, "expected a number, an event or (");
}

static bool read_operand(struct reader *r)
{
	bool is_read;

	r->at = without_blanks(r->at);
	if (++r->depth > DEPTH_MAX)
		return fail(r, "expression is nested too deeply");
	is_read = read_any(r);
	r->depth--;
	r->at = without_blanks(r->at);
	return is_read;
}

static bool read_product(struct reader *r)
{
	bool is_read = read_operand(r);

	while (is_read && (*r->at == '*' || *r->at == '/')) {
		const char what = *r->at++;

		is_read = read_operand(r) && add(r, (struct expression_step){.what = what});
	}
	return is_read;
}

static bool read_sum(struct reader *r)
{
	bool is_read = read_product(r);

	while (is_read && (*r->at == '+' || *r->at == '-')) {
		const char what = *r->at++;

		is_read = read_product(r) && add(r, (struct expression_step){.what = what});
	}
	return is_read;
}

bool expression_read(struct expression *e, const char *text, struct expression_error *error)
{
	struct reader r = {.e = e, .text = text, .at = text, .error = error};

	memset(e, 0, sizeof(*e));
	if (!read_sum(&r))
		return false;
	return !*r.at || fail(&r, "expected an operator: + - * /");
}

void expression_free(struct expression *e)
{
	for (size_t i = 0; i < e->n_names; i++)
		free(e->names[i].text);
	free(e->names);
	free(e->steps);
}

/* ---- reckoning ---- */

static double applied(char what, double a, double b)
{
	switch (what) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	default:
		return a / b;
	}
}

double expression_value(const struct expression *e, const double *values, double seconds)
{
	double waiting[DEPTH_MAX + 1] = {0};
	size_t n = 0;

	for (const struct expression_step *s = e->steps; s < e->steps + e->n; s++) {
		if (s->what == 'n')
			waiting[n++] = s->number;
		else if (s->what == 'e')
			waiting[n++] = values[s->name];
		else if (s->what == 't')
			waiting[n++] = seconds;
		else if (s->what == '~')
			waiting[n - 1] = -waiting[n - 1];
		else {
			n--;
			waiting[n - 1] = applied(s->what, waiting[n - 1], waiting[n]);
		}
	}
	return waiting[0];
}
