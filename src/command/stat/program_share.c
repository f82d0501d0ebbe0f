/* SPDX-License-Identifier: BSD-3-Clause */
/* program_share.c - see program_share.h. */
#include "program_share.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "command/base/root.h"
#include "command/emit/emit.h"
#include "command/who/report.h"

static pid_t this_thread(void)
{
	return (pid_t)syscall(SYS_gettid);
}

int begin_share(struct program_share *p, struct uncore *u)
{
	char why[UNCORE_ERRMSG_MAX];

	if (!own_open(&p->own, files_root(), u, this_thread(), why, sizeof(why))) {
		say("cannot count the command's share: %s", why);
		return TOOL_FAILED;
	}
	p->up = true;
	p->has_total = memory_open(&p->memory, u, false) == 0;
	if (p->has_total)
		p->has_total = memory_read(&p->memory) == 0;
	return TOOL_OK;
}

int enter_share(struct program_share *p)
{
	const int error = own_enter(&p->own, this_thread());

	if (!error)
		return TOOL_OK;
	say("cannot count the command's share: %s: %s", p->own.group, strerror(error));
	return TOOL_FAILED;
}

void leave_share(struct program_share *p)
{
	const int error = own_leave(&p->own, this_thread());

	if (error)
		say("warning: the command's share includes this program: %s", strerror(error));
}

static void take_total(struct program_share *p)
{
	p->total = p->written = (double)NAN;
	if (!p->has_total || memory_read(&p->memory) != 0)
		return;
	p->written = sum_of_packages(p->memory.used[MEMORY_WRITE]);
	p->total = sum_of_packages(p->memory.used[MEMORY_READ]) + p->written;
}

static bool is_gone(int error)
{
	return error == ENOENT || error == ENODEV;
}

int end_share(struct program_share *p)
{
	const bool uncorrected = p->own.resctrl.uncorrected, energy = p->own.resctrl.energy;
	struct share_values values;

	take_total(p);
	if (!own_read(&p->own, &values)) {
		say("cannot count the command's share: %s: %s", p->own.group,
		    is_gone(errno) ? "removed by another program" : strerror(errno));
		return TOOL_FAILED;
	}
	p->bytes = sum_of_packages(values.total);
	p->local = sum_of_packages(values.local);
	p->joules = energy ? sum_of_packages(values.joules) : (double)NAN;
	p->error = isnan(p->total)
			   ? (double)NAN
			   : report_monitoring_error(p->bytes, p->total, p->written, uncorrected);
	return TOOL_OK;
}

void forget_share(struct program_share *p)
{
	if (!p->up)
		return;
	own_close(&p->own);
	memory_close(&p->memory);
	p->up = false;
}

/* ---- output ---- */

static char *size_text(double bytes)
{
	return bytes >= 1e9 ? text_of("%.2f GB", 1e-9 * bytes) : text_of("%.2f MB", 1e-6 * bytes);
}

/* As a size if it is larger than the value. */
static char *share_error(const struct program_share *p)
{
	char *size, *text;

	if (isnan(p->error))
		return text_of("error unknown");
	if (p->error <= 1)
		return text_of("+-%.0f %%", 100 * p->error);
	size = size_text(p->error * p->bytes);
	text = text_of("+-%s", size);
	free(size);
	return text;
}

void print_share_of(const struct counts *c, const struct program_share *p)
{
	char *own = size_text(p->bytes), *local = size_text(p->local);
	char *remote = size_text(fmax(p->bytes - p->local, 0)), *total = size_text(p->total);
	char *error = share_error(p);

	fputc('\n', c->screen.out);
	if (isnan(p->total))
		print_paragraph(&c->screen, 0,
				"The command moved %s (%s), %s of local and %s of remote memory.",
				own, error, local, remote);
	else
		print_paragraph(
			&c->screen, 0,
			"The command moved %s (%s) of the %s that the memory controllers counted, "
			"%.1f %%: %s of local and %s of remote memory.",
			own, error, total, 100 * p->bytes / p->total, local, remote);
	if (!isnan(p->joules))
		print_paragraph(&c->screen, 0, "Its cores used %.1f J.", p->joules);
	free(error);
	free(own);
	free(local);
	free(remote);
	free(total);
}

void add_share_json(struct json_object *o, const struct program_share *p)
{
	struct json_object *share = json_object_new_object();

	add_json_number(share, "bytes", p->bytes);
	add_json_number(share, "local_bytes", p->local);
	add_json_number(share, "error", p->error);
	if (!isnan(p->total))
		add_json_number(share, "memory_bytes", p->total);
	if (!isnan(p->joules))
		add_json_number(share, "joules", p->joules);
	json_object_object_add(o, "share", share);
}
