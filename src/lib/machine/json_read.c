/* SPDX-License-Identifier: BSD-3-Clause */
/* json_read.c - read a recording from JSON. The file is not trusted. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files.h"
#include "machine/json_members.h"
#include "machine/recording.h"
#include "machine/replay.h"

#define MAX_BYTES (16u << 20)
#define MAX_CPUS  65536u
#define MAX_PCI   65535u

struct reader {
	const char *path;
	struct unc_topology *topo;
	struct unc_recording *recording;
	struct unc_err *err;
	int code;
};

static int refuse(struct reader *r, const char *what)
{
	if (r->code == 0)
		r->code = unc_fail(r->err, UNCORE_EINVAL, "%s is not a recording of a machine: %s",
				   r->path, what);
	return r->code;
}

static int no_memory(struct reader *r)
{
	r->code = unc_fail(r->err, UNCORE_ENOMEM, "%s: out of memory", r->path);
	return r->code;
}

/* ---- the machine ---- */

static int read_cpu(struct reader *r, struct json_object *root)
{
	struct json_object *cpu = unc_json_member(root, "cpu", json_type_object);
	const char *vendor = cpu ? unc_json_text(cpu, "vendor") : NULL;
	struct json_object *hypervisor =
		cpu ? unc_json_member(cpu, "hypervisor", json_type_boolean) : NULL;
	int64_t family, model, stepping;

	if (!vendor || !unc_json_number(cpu, "family", 0, 0xffff, &family) ||
	    !unc_json_number(cpu, "model", 0, 0xffff, &model) ||
	    !unc_json_number(cpu, "stepping", 0, 0xffff, &stepping))
		return refuse(r, "it has no CPU");
	snprintf(r->topo->vendor, sizeof(r->topo->vendor), "%s", vendor);
	r->topo->family = (unsigned)family;
	r->topo->model = (unsigned)model;
	r->topo->stepping = (unsigned)stepping;
	r->topo->hypervisor = hypervisor && json_object_get_boolean(hypervisor);
	return 0;
}

static int read_cpus(struct reader *r, struct json_object *root)
{
	struct json_object *list = unc_json_member(root, "cpus", json_type_array);
	const size_t n = list ? json_object_array_length(list) : 0;
	struct unc_topology *t = r->topo;

	if (n == 0 || n > MAX_CPUS)
		return refuse(r, "it has no list of CPUs");
	t->cpus = calloc(n, sizeof(*t->cpus));
	if (!t->cpus)
		return no_memory(r);
	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		int64_t id, package, die, core;

		if (!unc_json_number(o, "cpu", 0, MAX_CPUS, &id) ||
		    !unc_json_number(o, "package", 0, 0xffff, &package) ||
		    !unc_json_number(o, "die", 0, 0x7fff, &die) ||
		    (i && (unsigned)id <= t->cpus[i - 1].id))
			return refuse(r, "a CPU is damaged, or out of order");
		t->cpus[i] = (struct unc_cpu){(unsigned)id, (unsigned)(package | die << 16),
					      UNC_NOT_ASKED};
		if (unc_json_number(o, "core", INT16_MIN, INT32_MAX, &core))
			t->cpus[i].core = (int)core;
		t->n_cpus = i + 1;
	}
	return 0;
}

/* false: the device is missing, or its name is invalid. */
static bool device_of(struct json_object *o, struct unc_pci *pci)
{
	const char *name = unc_json_text(o, "device");

	return name && unc_pci_parse(name, pci);
}

static int read_pci(struct reader *r, struct json_object *root)
{
	struct json_object *list = unc_json_member(root, "pci", json_type_array);
	const size_t n = list ? json_object_array_length(list) : 0;
	struct unc_topology *t = r->topo;

	if (!list || n > MAX_PCI)
		return refuse(r, "it has no list of PCI devices");
	t->pci = calloc(n + 1, sizeof(*t->pci));
	if (!t->pci)
		return no_memory(r);
	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		struct unc_pci *p = &t->pci[i];
		int64_t near;
		uint64_t id;

		if (!device_of(o, p) || !unc_json_hex(o, "id", 0xffff, &id))
			return refuse(r, "a PCI device is damaged");
		p->device = (uint16_t)id;
		if (unc_json_number(o, "near", UNC_OFFLINE, INT32_MAX, &near))
			p->near = (int)near;
		t->n_pci = i + 1;
	}
	return 0;
}

/* Recordings of older versions lack the number. */
static void read_offline(struct reader *r, struct json_object *root)
{
	int64_t n;

	if (unc_json_number(root, "cpus_offline", 0, MAX_CPUS, &n))
		r->topo->n_offline = (unsigned)n;
}

static void read_unread(struct reader *r, struct json_object *root)
{
	const char *file = unc_json_text(root, "pci_unread_file");
	int64_t error;

	if (!unc_json_number(root, "pci_unread", -4095, -1, &error))
		return;
	r->topo->unread = (int)error;
	snprintf(r->topo->unread_file, sizeof(r->topo->unread_file), "%s", file ? file : "");
}

/* ---- answers ---- */

static int find_word(const char *text, const char *const *words, int n)
{
	for (int i = 0; text && i < n; i++)
		if (strcmp(text, words[i]) == 0)
			return i;
	return -1;
}

static bool read_where(const struct reader *r, struct json_object *o, struct unc_question *q)
{
	struct unc_pci pci;
	int64_t number;

	if (unc_json_text(o, "device"))
		number = device_of(o, &pci) ? unc_pci_find(r->topo, unc_pci_address(&pci)) : -1;
	else if (!unc_json_number(o, "package", 0, 0xffff, &number) &&
		 !unc_json_number(o, "cpu", 0, MAX_CPUS, &number))
		number = -1;
	q->where = (uint32_t)number;
	return number >= 0;
}

static bool read_cpuid(struct json_object *o, struct unc_question *q, uint64_t value[2])
{
	uint64_t leaf = 0, subleaf = 0, a, b, c, d;
	const bool asked = unc_json_hex(o, "leaf", UINT32_MAX, &leaf) &&
			   unc_json_hex(o, "subleaf", UINT32_MAX, &subleaf);

	q->address = leaf << 32 | subleaf;
	if (asked && unc_json_hex(o, "eax", UINT32_MAX, &a) &&
	    unc_json_hex(o, "ebx", UINT32_MAX, &b) && unc_json_hex(o, "ecx", UINT32_MAX, &c) &&
	    unc_json_hex(o, "edx", UINT32_MAX, &d)) {
		value[0] = a | b << 32;
		value[1] = c | d << 32;
	}
	return asked;
}

static bool read_question(const struct reader *r, struct json_object *o, struct unc_question *q,
			  uint64_t value[2])
{
	const int asked = find_word(unc_json_text(o, "asked"), unc_asked_words, UNC_ASKED_KINDS);
	const int space = asked == UNC_ASKED_REGISTER ? find_word(unc_json_text(o, "space"),
								  unc_space_words, UNC_SPACES)
						      : 0;
	int64_t width = 0;

	if (asked < 0 || space < 0 || !read_where(r, o, q))
		return false;
	q->asked = (uint8_t)asked;
	q->space = (uint8_t)space;
	if (asked == UNC_ASKED_CPUID)
		return read_cpuid(o, q, value);
	unc_json_hex(o, "address", UINT64_MAX, &q->address);
	if (unc_json_number(o, "width", 0, UINT32_MAX, &width))
		q->width = (uint32_t)width;
	unc_json_hex(o, "value", UINT64_MAX, &value[0]);
	return true;
}

static int read_answer(struct reader *r, struct json_object *o)
{
	struct unc_question q = {.asked = 0};
	uint64_t value[2] = {0, 0};
	struct unc_answer *a;
	const char *why;
	int64_t error;

	if (!json_object_is_type(o, json_type_object) || !read_question(r, o, &q, value))
		return refuse(r, "an answer is damaged");
	a = unc_answers_add(&r->recording->answers, &q);
	if (!a)
		return r->recording->answers.failed ? no_memory(r) : 0;
	a->value[0] = value[0];
	a->value[1] = value[1];
	if (unc_json_number(o, "error", -4095, -1, &error))
		a->error = (int)error;
	why = unc_json_text(o, "why");
	a->why = why ? strdup(why) : NULL;
	return 0;
}

static int read_answers(struct reader *r, struct json_object *root)
{
	struct json_object *list = unc_json_member(root, "answers", json_type_array);
	const size_t n = list ? json_object_array_length(list) : 0;
	int code = list ? 0 : refuse(r, "it has no answers");

	for (size_t i = 0; code == 0 && i < n; i++)
		code = read_answer(r, json_object_array_get_idx(list, i));
	return code;
}

static void read_failure(struct reader *r, struct json_object *root)
{
	struct json_object *refused = unc_json_member(root, "refused", json_type_object);
	const char *why = refused ? unc_json_text(refused, "why") : NULL;
	int64_t code;

	if (why && unc_json_number(refused, "code", -100, -1, &code))
		unc_recording_failed(r->recording, (int)code, why);
}

static int read_samples(struct reader *r, struct json_object *root)
{
	struct json_object *samples = unc_json_member(root, "samples", json_type_object);
	const char *why = samples ? unc_timeline_read(&r->recording->timeline, samples) : NULL;

	if (why)
		return refuse(r, why);
	if (samples)
		r->code = unc_replay_part_check(&r->recording->timeline, r->err);
	return r->code;
}

static int read_machine(struct reader *r, struct json_object *root)
{
	int64_t format;
	int code;

	if (!json_object_is_type(root, json_type_object) ||
	    !unc_json_number(root, "uncore_recording", 1, INT32_MAX, &format))
		return refuse(r, "it does not begin with uncore_recording");
	if (format > UNC_RECORDING_FORMAT)
		return refuse(r, "it was written by a newer version of this library");
	code = read_cpu(r, root);
	if (code == 0)
		code = read_cpus(r, root);
	if (code == 0)
		code = read_pci(r, root);
	if (code < 0)
		return code;
	read_offline(r, root);
	read_unread(r, root);
	read_failure(r, root);
	code = read_answers(r, root);
	return code < 0 ? code : read_samples(r, root);
}

/* ---- the file ---- */

static char *read_file(struct reader *r, size_t *n)
{
	FILE *file = unc_fopen(r->path);
	char *text = file ? malloc(MAX_BYTES + 1) : NULL;

	if (!file || !text) {
		r->code = unc_fail(r->err, file ? UNCORE_ENOMEM : UNCORE_EINVAL,
				   "the recording %s cannot be read: %s", r->path, strerror(errno));
	} else {
		*n = fread(text, 1, MAX_BYTES, file);
		text[*n] = 0;
		if (ferror(file) || *n == MAX_BYTES)
			refuse(r, *n == MAX_BYTES ? "it is larger than 16 MB" : strerror(errno));
	}
	if (file)
		fclose(file);
	return text;
}

static int read_all(struct reader *r)
{
	size_t n = 0;
	char *text = read_file(r, &n);
	struct json_tokener *tok = r->code == 0 ? json_tokener_new() : NULL;
	struct json_object *root = tok ? json_tokener_parse_ex(tok, text, (int)n) : NULL;

	if (r->code == 0 && !tok)
		no_memory(r);
	else if (r->code == 0 && !root)
		refuse(r, json_tokener_get_error(tok) == json_tokener_continue
				  ? "it ends too early"
				  : json_tokener_error_desc(json_tokener_get_error(tok)));
	else if (r->code == 0)
		read_machine(r, root);
	json_object_put(root);
	if (tok)
		json_tokener_free(tok);
	free(text);
	return r->code;
}

struct unc_hw *unc_hw_replayed(const char *spec, struct unc_topology *topo, struct unc_err *err,
			       int *code)
{
	struct unc_replayed *replayed = unc_replayed_new(topo);
	char path[PATH_MAX];
	struct reader r = {.path = path, .topo = topo, .err = err};

	*code = UNCORE_ENOMEM;
	if (!replayed)
		return NULL;
	r.recording = replayed->recording;
	*code = unc_replay_options(spec, path, &replayed->recording->timeline.part, err);
	if (*code == 0)
		*code = read_all(&r);
	if (*code == 0)
		return &replayed->hw;
	replayed->hw.ops->close(&replayed->hw);
	return NULL;
}

/* ---- json_members.h ---- */

struct json_object *unc_json_member(struct json_object *o, const char *name, enum json_type type)
{
	struct json_object *value;

	return json_object_object_get_ex(o, name, &value) && json_object_is_type(value, type)
		       ? value
		       : NULL;
}

const char *unc_json_text(struct json_object *o, const char *name)
{
	struct json_object *value = unc_json_member(o, name, json_type_string);

	return value ? json_object_get_string(value) : NULL;
}

bool unc_json_number(struct json_object *o, const char *name, int64_t low, int64_t high,
		     int64_t *number)
{
	struct json_object *value = unc_json_member(o, name, json_type_int);

	*number = value ? json_object_get_int64(value) : 0;
	return value && *number >= low && *number <= high;
}

bool unc_json_hex_value(struct json_object *value, uint64_t high, uint64_t *number)
{
	const char *text =
		json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
	char *end = NULL;

	*number = text && strncmp(text, "0", 1) == 0 ? strtoull(text, &end, 16) : 0;
	return end && *end == 0 && *number <= high;
}

bool unc_json_hex(struct json_object *o, const char *name, uint64_t high, uint64_t *number)
{
	return unc_json_hex_value(unc_json_member(o, name, json_type_string), high, number);
}
