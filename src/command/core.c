/* SPDX-License-Identifier: BSD-3-Clause */
/* core.c - `uncore show --core`: the global registers of the CPUs' own counters. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include <json-c/json.h>

#include "tools.h"

struct name {
	unsigned bit;
	const char *text;
};

/* ---- bits by name; SDM vol. 3B 18.2, docs/hardware/core.md ---- */

static const struct name status_names[] = {
	{48, "OvfMetrics"}, {55, "TraceToPAPMI"}, {58, "LBR_FRZ"},     {59, "CTR_FRZ"},
	{60, "ASCI"},       {61, "OvfUncore"},    {62, "OvfDSBuffer"}, {63, "CondChgd"},
};
static const struct name control_names[] = {{48, "Metrics"}};
static const struct name in_use_names[] = {{63, "PMI"}};
static const struct name debug_names[] = {
	{0, "LBR"},         {11, "Freeze_LBR_On_PMI"}, {12, "Freeze_Perfmon_On_PMI"},
	{13, "Uncore_PMI"}, {14, "Freeze_While_SMM"},
};
static const char *const fixed_names[] = {"OS", "USR", "Any", "PMI"};

#define N_OF(array) (sizeof(array) / sizeof(*(array)))

/* "  LABEL  0x81  NAME  NAME": names, which are freed, are " NAME NAME". */
static void print_value(const struct screen *s, const char *label, uint64_t value, char *names)
{
	char *text = text_of("%#" PRIx64 "%s", value, names);

	print_row(s, 2, label, 17, text);
	free(text);
	free(names);
}

static char *add_name(char *names, const char *format, ...) __attribute__((format(printf, 2, 3)));

static char *add_name(char *names, const char *format, ...)
{
	va_list args;
	char *name, *more;

	va_start(args, format);
	name = text_of_list(format, args);
	va_end(args);
	more = text_of("%s %s", names, name);
	free(name);
	free(names);
	return more;
}

/* A register: the bits of the counters, called prefix and number, and some more. */
static void print_register(const struct screen *s, const char *label, uint64_t value,
			   const char *prefix, const struct name *names, size_t n)
{
	char *text = text_of("%s", "");

	for (unsigned bit = 0; bit < 48 && prefix; bit++)
		if (value >> bit & 1)
			text = add_name(text, "%s%s%u", prefix, bit < 32 ? "PMC" : "FIXED_CTR",
					bit % 32);
	for (size_t i = 0; i < n; i++)
		if (value >> names[i].bit & 1)
			text = add_name(text, "%s", names[i].text);
	print_value(s, label, value, text);
}

static void print_fixed(const struct screen *s, uint64_t value)
{
	char *text = text_of("%s", "");

	for (unsigned bit = 0; bit < 32; bit++)
		if (value >> bit & 1)
			text = add_name(text, "FIXED_CTR%u:%s", bit / 4, fixed_names[bit % 4]);
	print_value(s, "FIXED_CTR_CTRL", value, text);
}

static void print_core(const void *of, const struct screen *s)
{
	const struct uncore_cpu_info *c = of;
	char *fixed = c->fixed ? text_of(", %d fixed counters of %u bits",
					 __builtin_popcount(c->fixed), c->fixed_width)
			       : text_of("%s", "");

	fputc('\n', s->out);
	print_paragraph(s, 0, "cpu %u (socket %u): version %u, %u counters of %u bits%s", c->cpu,
			c->package, c->version, c->counters, c->width, fixed);
	free(fixed);
	if (!c->has_global)
		return;
	print_register(s, "GLOBAL_CTRL", c->global_ctrl, "", control_names, N_OF(control_names));
	print_register(s, "GLOBAL_STATUS", c->global_status, "Ovf", status_names,
		       N_OF(status_names));
	print_fixed(s, c->fixed_ctrl);
	if (c->has_in_use)
		print_register(s, "GLOBAL_INUSE", c->in_use, "", in_use_names, N_OF(in_use_names));
	print_register(s, "DEBUGCTL", c->debugctl, NULL, debug_names, N_OF(debug_names));
}

/* ---- JSON ---- */

/* JSON numbers lose bits in many readers. */
static void add_value(struct json_object *o, const char *key, uint64_t value)
{
	char *text = text_of("%#" PRIx64, value);

	add_json_text(o, key, text);
	free(text);
}

static struct json_object *core_object(const void *of)
{
	const struct uncore_cpu_info *c = of;
	struct json_object *o = json_object_new_object();

	add_json_integer(o, "cpu", c->cpu);
	add_json_integer(o, "package", c->package);
	add_json_integer(o, "version", c->version);
	add_json_integer(o, "counters", c->counters);
	add_json_integer(o, "width", c->width);
	add_json_integer(o, "fixed_counters", __builtin_popcount(c->fixed));
	if (c->fixed)
		add_json_integer(o, "fixed_width", c->fixed_width);
	if (!c->has_global)
		return o;
	add_value(o, "global_ctrl", c->global_ctrl);
	add_value(o, "global_status", c->global_status);
	add_value(o, "fixed_ctr_ctrl", c->fixed_ctrl);
	if (c->has_in_use)
		add_value(o, "global_inuse", c->in_use);
	add_value(o, "debugctl", c->debugctl);
	return o;
}

static const struct rows_class core_rows = {.object = core_object, .text = print_core};

int print_cores(const struct screen *s, struct uncore *u, bool json)
{
	struct uncore_cpu_info core = {.size = sizeof(core)};
	const struct rows rows = {&core_rows, &core};
	int code;

	for (unsigned i = 0; (code = uncore_cpu(u, i, &core)) == 1; i++)
		emit_json_or_text(json, s, &rows);
	return code < 0 ? report(u, code) : TOOL_OK;
}
