/* SPDX-License-Identifier: BSD-3-Clause */
/* allowlist.c - `uncore allowlist`: the registers that msr-safe must allow. */
#include <inttypes.h>
#include <json-c/json.h>
#include <string.h>

#include "config.h"
#include "tools.h"

/* Without permissions counting fails, but the machine is identified. */
static struct uncore *open_any(const char *machine)
{
	const struct uncore_options options = {.size = sizeof(options), .machine = machine};
	struct uncore_msr_info info = {.size = sizeof(info)};
	struct uncore *u;
	int code;

	give_up_rights_unless_native(machine);
	code = uncore_open(&u, &options);
	if (code == 0 || (code == UNCORE_EACCESS && uncore_msr(u, 0, &info) == 1))
		return u;
	report_machine(u, code, &allowlist_command);
	uncore_close(u);
	return NULL;
}

static void print_head(struct uncore *u)
{
	struct uncore_machine_info m = {.size = sizeof(m)};

	uncore_machine(u, &m);
	printf("# msr-safe allow-list for uncore %s on\n"
	       "# %s\n",
	       UNCORE_VERSION, m.title);
	if (m.simulated)
		printf("# Generated on a simulated machine:\n"
		       "# a real one may have more or fewer boxes.\n");
	printf("# MSR      Write mask           Register\n");
}

struct allowlist_options {
	bool core, until, json;
};

struct allowed {
	const struct uncore_msr_info *msr;
	uint64_t writable;
};

static struct json_object *allowed_object(const void *of)
{
	const struct allowed *a = of;
	struct json_object *o = json_object_new_object();
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx32, a->msr->msr);
	add_json_text(o, "msr", text);
	snprintf(text, sizeof(text), "0x%" PRIx64, a->writable);
	add_json_text(o, "writable", text);
	add_json_text(o, "register", a->msr->what);
	return o;
}

static void allowed_text(const void *of, const struct screen *s)
{
	const struct allowed *a = of;

	fprintf(s->out, "0x%08" PRIX32 " 0x%016" PRIX64 " # %s\n", a->msr->msr, a->writable,
		a->msr->what);
}

static void print_line(const struct screen *s, const struct uncore_msr_info *msr,
		       const struct allowlist_options *how)
{
	static const struct rows_class list = {.object = allowed_object, .text = allowed_text};
	const struct allowed allowed = {msr, msr->writable | (how->until ? msr->stop_after : 0)};
	const struct rows rows = {&list, &allowed};

	emit_json_or_text(how->json, s, &rows);
}

static int print_list(struct uncore *u, const struct allowlist_options *how)
{
	const struct screen screen = screen_of(stdout);
	struct uncore_msr_info info = {.size = sizeof(info)};
	unsigned lines = 0;

	if (!how->json)
		print_head(u);
	for (unsigned i = 0; uncore_msr(u, i, &info) == 1; i++) {
		if ((!how->core && strcmp(info.kind, "core") == 0) ||
		    (!how->until && info.stop_after_only))
			continue;
		print_line(&screen, &info, how);
		lines++;
	}
	if (lines)
		return TOOL_OK;
	say("no box with MSR registers found: run as root if this machine describes its boxes in "
	    "discovery tables");
	return TOOL_FAILED;
}

static int run(int argc, char **argv, const char *machine)
{
	struct allowlist_options how = {.core = false};
	int status = read_only_options(&allowlist_command, argc, argv, &how, &machine);
	struct uncore *u;

	if (status != TOOL_OK)
		return status;
	u = open_any(machine);
	if (!u)
		return TOOL_FAILED;
	status = print_list(u, &how);
	uncore_close(u);
	return status;
}

static const struct unc_option options[] = {
	{.names = "--core",
	 .help = "add the core counters (ix86arch:: events)",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct allowlist_options, core)},
	{.names = "--until",
	 .help = "add the registers that uncore stat --until writes",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct allowlist_options, until)},
	{.names = "--json",
	 .help = "print a JSON object for each register, one per line",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct allowlist_options, json)},
	COMMON_OPTIONS("native or sim:NAME"),
};

const struct command allowlist_command = {
	.name = "allowlist",
	.summary = "print the allow-list of msr-safe",
	.run = run,
	.help = "Print the lines that the allow-list of msr-safe (/dev/cpu/msr_allowlist) must "
		"contain to count on this machine without root: each MSR, its writable bits, and "
		"a description. Counters are only read. Requires no privileges, except on "
		"machines that describe their boxes in discovery tables (Sapphire Rapids and "
		"later), where it requires root.",
	.options = options,
	.example = "allowlist",
};
