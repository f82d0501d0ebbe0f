/* SPDX-License-Identifier: BSD-3-Clause */
/* restore.c - `uncore restore`: restore registers left by killed processes. */
#include <inttypes.h>
#include <stdlib.h>

#include <json-c/json.h>

#include "command/base/root.h"
#include "command/who/resctrl.h"
#include "tools.h"

static struct json_object *restored_object(const void *of)
{
	const struct uncore_restored_info *r = of;
	struct json_object *o = json_object_new_object();
	char place[UNCORE_NAME_MAX];

	place_of_operation(place, sizeof(place), &r->op);
	add_json_text(o, "owner", r->owner);
	add_json_text(o, "register", place);
	json_object_object_add(o, "held", json_object_new_uint64(r->held));
	json_object_object_add(o, "value", json_object_new_uint64(r->value));
	add_json_flag(o, "left", r->left);
	return o;
}

static void print_restored(const void *of, const struct screen *s)
{
	const struct uncore_restored_info *r = of;
	char place[UNCORE_NAME_MAX], *text;

	place_of_operation(place, sizeof(place), &r->op);
	if (r->left)
		text = text_of("%s holds %#" PRIx64
			       " and was not restored: it, or its box, was changed after %s ended",
			       place, r->held, r->owner);
	else
		text = text_of("%s: %#" PRIx64 " of %s restored to %#" PRIx64, place, r->held,
			       r->owner, r->value);
	print_item(s, text);
	free(text);
}

static const struct rows_class restored_rows = {.object = restored_object, .text = print_restored};

static void print_all(const struct screen *s, struct uncore *u, bool json)
{
	struct uncore_restored_info r = {.size = sizeof(r)};
	struct uncore_sharing_info sharing = {.size = sizeof(sharing)};
	unsigned left = 0, restored = 0, reported = 0;

	for (unsigned i = 0; uncore_restored(u, i, &r) == 1; i++) {
		const struct rows rows = {&restored_rows, &r};

		emit_json_or_text(json, s, &rows);
		*(r.left ? &left : &restored) += 1;
	}
	if (json)
		return;
	report_warnings(u, &reported);
	if (restored || left)
		print_paragraph(s, 0, "restored %u register%s, left %u that changed since",
				restored, plural(restored), left);
	else if (uncore_sharing(u, &sharing) == 0 && sharing.journal)
		print_paragraph(s, 0, "Nothing to restore: no entries of ended processes in %s.",
				sharing.journal);
	else
		print_paragraph(s, 0, "Cannot determine what to restore: %s.",
				sharing.missing ? sharing.missing : "no journal found");
}

/* Monitoring groups that `uncore who` and `stat --share` could not remove. */
static void remove_groups(const struct screen *s, struct uncore *u)
{
	struct resctrl resctrl;
	char why[UNCORE_ERRMSG_MAX];
	unsigned removed = 0;

	if (resctrl_open(&resctrl, files_root(), u, why, sizeof(why)))
		removed = resctrl_recover(&resctrl);
	resctrl_close(&resctrl);
	if (removed && s)
		print_paragraph(s, 0, "removed %u monitoring group%s of ended processes", removed,
				plural(removed));
}

struct restore_options {
	bool json;
};

static int run(int argc, char **argv, const char *machine)
{
	const struct screen screen = screen_of(stdout);
	struct restore_options how = {.json = false};
	struct uncore *u;
	int c, status;

	status = read_only_options(&restore_command, argc, argv, &how, &machine);
	if (status != TOOL_OK)
		return status;
	u = open_machine(machine, &restore_command);
	if (!u)
		return TOOL_FAILED;
	c = uncore_recover(u);
	if (c < 0)
		status = report(u, c);
	else
		print_all(&screen, u, how.json);
	remove_groups(how.json ? NULL : &screen, u);
	uncore_close(u);
	return status;
}

static const struct unc_option options[] = {
	{.names = "--json",
	 .help = "print one line of JSON per register",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct restore_options, json)},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command restore_command = {
	.name = "restore",
	.summary = "restore registers left behind by killed processes",
	.run = run,
	.help = "Restore registers that were left modified by processes that were killed. Only "
		"registers that still hold the value written by the ended process are restored; "
		"registers changed since then by another process are left unchanged and listed. "
		"Starting to count does the same automatically for the packages concerned; the "
		"epilog of a batch system can run this command after each job. Running processes "
		"are not affected. Monitoring groups (resctrl) that a killed `uncore who` left "
		"are removed.",
	.options = options,
	.example = "restore",
};
