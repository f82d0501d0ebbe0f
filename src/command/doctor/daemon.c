/* SPDX-License-Identifier: BSD-3-Clause */
/* daemon.c - uncored: whether it is running, and what this user may do with it. */
#include <string.h>

#include "backend/daemon/clients.h"
#include "base/documents.h"
#include "base/environment.h"
#include "base/error.h"
#include "command/doctor/patient.h"

static void report_rights(struct patient *p, const char *path, unsigned may)
{
	if (may & UNC_MAY_COUNT)
		found_fine(p, "uncored", "listening at %s, this user may count%s%s%s%s", path,
			   may & UNC_MAY_ENERGY ? ", count energy" : "",
			   may & UNC_MAY_SEE ? ", see others" : "",
			   may & UNC_MAY_STOP ? ", stop others" : "",
			   may & UNC_MAY_TRAFFIC ? ", have monitoring groups" : "");
	else
		found_problem(p, "uncored",
			      text_of("listening at %s, but its policy does not allow this user to "
				      "count",
				      path),
			      text_of("ask the administrator to add `allow user NAME count` to the "
				      "policy (" UNC_DOC_DAEMON "), or set UNCORE_ACCESS=direct"));
}

/* Without uncored the process counts directly, unless UNCORE_ACCESS requires uncored. */
static void report_failure(struct patient *p, int code, const char *why)
{
	const char *access = unc_variable("UNCORE_ACCESS");
	const bool wanted = access && strcmp(access, "daemon") == 0;

	if (code == UNCORE_ENODEV && !wanted)
		found_fine(p, "uncored",
			   "not running: this process must access the registers "
			   "itself");
	else
		(wanted ? found_problem : found_note)(
			p, "uncored", text_of("%s", why),
			text_of(code == UNCORE_ENOSUPP ? "install the library and uncored in the "
							 "same version"
						       : "see " UNC_DOC_DAEMON
							 ", \"Starting uncored\""));
}

void check_daemon(struct patient *p)
{
	const char *path = unc_remote_path();
	struct unc_remote *r;
	struct unc_err err;
	int code;

	unc_err_init(&err);
	code = unc_remote_visit(&r, path, &err);
	if (code < 0) {
		report_failure(p, code, err.text);
	} else {
		report_rights(p, path, unc_remote_rights(r));
		unc_remote_close(r);
	}
	unc_err_destroy(&err);
}
