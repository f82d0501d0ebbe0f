/* SPDX-License-Identifier: BSD-3-Clause */
/* clients.c - `uncore clients`: the processes that count with uncored. */
#include <inttypes.h>
#include <json-c/json.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend/daemon/clients.h"
#include "tools.h"

static char *user_name(uint32_t user)
{
	const struct passwd *p = getpwuid(user);

	return p ? text_of("%s", p->pw_name) : text_of("%" PRIu32, user);
}

static struct json_object *client_object(const void *of)
{
	const struct unc_wire_client *c = of;
	struct json_object *o = json_object_new_object();
	char *user = user_name(c->user);

	add_json_text(o, "program", c->program);
	add_json_integer(o, "pid", (int)c->pid);
	add_json_text(o, "user", user);
	add_json_integer(o, "uid", c->user);
	add_json_integer(o, "since", (int64_t)c->since);
	add_json_integer(o, "events", c->events);
	add_json_integer(o, "sets", c->sets);
	add_json_text(o, "names", c->names);
	free(user);
	return o;
}

static void client_text(const void *of, const struct screen *s)
{
	const struct unc_wire_client *c = of;
	char when[TIME_TEXT], *user = user_name(c->user), *text;

	text = text_of(
		"%s (pid %d, user %s), connected since %s, counts %u event%s in %u set%s%s%s",
		c->program, (int)c->pid, user, text_of_time(when, c->since), c->events,
		plural(c->events), c->sets, plural(c->sets), *c->names ? ": " : "", c->names);
	print_item(s, text);
	free(text);
	free(user);
}

static void print_client(const struct screen *s, const struct unc_wire_client *c, bool json)
{
	static const struct rows_class clients = {.object = client_object, .text = client_text};
	const struct rows rows = {&clients, c};

	emit_json_or_text(json, s, &rows);
}

static struct unc_remote *connect_to(struct unc_err *err)
{
	struct unc_remote *r;

	unc_remote_visit(&r, unc_remote_path(), err);
	return r;
}

unsigned print_served(const struct screen *s)
{
	struct unc_wire_client c;
	struct unc_remote *r;
	struct unc_err err;
	uint32_t place = 0;
	unsigned n = 0;

	unc_err_init(&err);
	r = connect_to(&err);
	while (r && unc_remote_client(r, &place, &c, &err) == 1)
		if (c.sets && c.pid != getpid()) {
			print_client(s, &c, false);
			n++;
		}
	if (r && !(unc_remote_rights(r) & UNC_MAY_SEE))
		print_paragraph(s, 2,
				"the policy of uncored does not allow this user to see other "
				"clients");
	unc_remote_close(r);
	unc_err_destroy(&err);
	return n;
}

/* 0, or an error. */
static int list(struct unc_remote *r, bool json, struct unc_err *err)
{
	const struct screen s = screen_of(stdout);
	struct unc_wire_client c;
	uint32_t place = 0;
	unsigned n = 0;
	int code;

	for (; (code = unc_remote_client(r, &place, &c, err)) == 1; n++)
		if (c.pid != getpid())
			print_client(&s, &c, json);
	if (json)
		return code;
	if (code == 0 && n <= 1)
		print_paragraph(&s, 0, "No other process is connected to uncored.");
	if (code == 0 && !(unc_remote_rights(r) & UNC_MAY_SEE))
		print_paragraph(&s, 0,
				"Processes of other users are not shown: the policy of uncored "
				"does not allow this user to see them.");
	return code;
}

static int stop(struct unc_remote *r, const char *pid, struct unc_err *err)
{
	const struct screen s = screen_of(stdout);
	const int n = unc_remote_stop_client(r, (uint32_t)strtoul(pid, NULL, 10), err);

	if (n >= 0)
		print_paragraph(&s, 0,
				"stopped %d event set%s of process %s; %s counts until now "
				"remain readable",
				n, n == 1 ? " was" : "s were", pid, n == 1 ? "its" : "their");
	return n < 0 ? n : 0;
}

static bool is_pid(const char *text)
{
	char *end;
	const unsigned long n = strtoul(text, &end, 10);

	return *text >= '0' && *text <= '9' && *end == '\0' && n > 0 && n <= INT32_MAX;
}

struct clients_options {
	const char *stop; /* the process; NULL: list all */
	bool json;
};

static int ask(const struct clients_options *how)
{
	struct unc_remote *r;
	struct unc_err err;
	bool good;

	unc_err_init(&err);
	r = connect_to(&err);
	good = r && (how->stop ? stop(r, how->stop, &err) : list(r, how->json, &err)) == 0;
	if (!good)
		say("%s", err.text);
	unc_remote_close(r);
	unc_err_destroy(&err);
	return good ? TOOL_OK : TOOL_FAILED;
}

static int run(int argc, char **argv, const char *machine)
{
	struct clients_options how = {.stop = NULL};
	const int status = read_only_options(&clients_command, argc, argv, &how, &machine);

	if (status != TOOL_OK)
		return status;
	if (how.stop && !is_pid(how.stop))
		return wrong_usage(&clients_command,
				   "invalid --stop \"%s\": expected a process "
				   "ID",
				   how.stop);
	return ask(&how);
}

static const struct unc_option options[] = {
	{.names = "--stop",
	 .arg = "PID",
	 .help = "stop all event sets of this process; their counts until now remain readable, "
		 "and further calls of the process report the stop. Stopping processes of other "
		 "users requires root or `stop` in the policy",
	 .kind = UNC_OPTION_TEXT,
	 .at = offsetof(struct clients_options, stop)},
	{.names = "--json",
	 .help = "print a JSON object for each process, one per line",
	 .kind = UNC_OPTION_FLAG,
	 .at = offsetof(struct clients_options, json)},
	COMMON_OPTIONS(NULL),
};

const struct command clients_command = {
	.name = "clients",
	.summary = "list or stop programs that count through uncored",
	.as_caller = true,
	.run = run,
	.help = "List the processes that count through uncored (UNCORE_DAEMON names its socket): "
		"program, process ID, user, start time, and events. Processes of other users are "
		"shown to root and to users whom the policy of uncored allows `see`.",
	.options = options,
	.example = NULL,
};
