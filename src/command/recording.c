/* SPDX-License-Identifier: BSD-3-Clause */
/* recording.c - a recording of the machine with a result of the command as another member. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "command/base/encode.h"
#include "tools.h"

/* The recording of the machine; NULL after a message. */
static struct json_object *recording_of(struct uncore *u)
{
	FILE *file = tmpfile();
	struct json_object *o = NULL;
	int code;

	if (!file) {
		say("cannot create a temporary file for the recording: %s", strerror(errno));
		return NULL;
	}
	code = uncore_record(u, fileno(file), 0);
	if (code < 0)
		report(u, code);
	else if (lseek(fileno(file), 0, SEEK_SET) == 0)
		o = json_object_from_fd(fileno(file));
	if (code == 0 && !o)
		say("cannot read back the recording");
	fclose(file);
	return o;
}

/* The descriptor stays open. */
static bool write_json(int fd, struct json_object *o)
{
	const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");
	bool failed;

	if (!out) {
		if (copy >= 0)
			close(copy);
		return false;
	}
	put_json(out, json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY));
	failed = ferror(out);
	failed |= fclose(out) != 0;
	return !failed;
}

bool write_recording(struct uncore *u, const char *file, int fd, const char *name,
		     struct json_object *result)
{
	struct json_object *o = recording_of(u);
	bool written;

	if (!o) {
		json_object_put(result);
		return false;
	}
	json_object_object_add(o, name, result);
	written = write_json(fd, o);
	if (!written)
		say("%s: %s", file, strerror(errno));
	json_object_put(o);
	return written;
}
