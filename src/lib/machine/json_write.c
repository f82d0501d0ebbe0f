/* SPDX-License-Identifier: BSD-3-Clause */
/* json_write.c - a recording as JSON, one answer per line; docs/recordings.md. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "base/sysfs.h"
#include "machine/recording.h"

struct writer {
	FILE *file;
	const struct unc_topology *topo;
	const struct unc_recording *recording;
	bool failed;
};

/* ---- JSON ---- */

static void add_text(struct json_object *o, const char *name, const char *text)
{
	json_object_object_add(o, name, json_object_new_string(text));
}

static void add_number(struct json_object *o, const char *name, int64_t value)
{
	json_object_object_add(o, name, json_object_new_int64(value));
}

static void add_hex(struct json_object *o, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%#" PRIx64, value);
	add_text(o, name, text);
}

static void print(struct writer *w, const char *before, struct json_object *o)
{
	w->failed |= !o || fprintf(w->file, "%s%s", before,
				   json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN)) < 0;
	json_object_put(o);
}

static void begin(struct writer *w, const char *name, const char *bracket)
{
	fprintf(w->file, ",\n\"%s\": %s", name, bracket);
}

/* ---- members ---- */

static void print_cpu(struct writer *w)
{
	const struct unc_topology *t = w->topo;
	struct json_object *o = json_object_new_object();

	add_text(o, "vendor", t->vendor);
	add_number(o, "family", t->family);
	add_number(o, "model", t->model);
	add_number(o, "stepping", t->stepping);
	json_object_object_add(o, "hypervisor", json_object_new_boolean(t->hypervisor));
	begin(w, "cpu", "");
	print(w, "", o);
}

static void print_cpus(struct writer *w)
{
	begin(w, "cpus", "[");
	for (size_t i = 0; i < w->topo->n_cpus; i++) {
		struct json_object *o = json_object_new_object();

		add_number(o, "cpu", w->topo->cpus[i].id);
		add_number(o, "package", w->topo->cpus[i].package & 0xffff);
		add_number(o, "die", w->topo->cpus[i].package >> 16);
		if (w->topo->cpus[i].core != UNC_NOT_ASKED)
			add_number(o, "core", w->topo->cpus[i].core);
		print(w, i ? ",\n" : "\n", o);
	}
	fputs("]", w->file);
	if (!w->topo->n_offline)
		return;
	begin(w, "cpus_offline", "");
	print(w, "", json_object_new_int64(w->topo->n_offline));
}

static void print_devices(struct writer *w)
{
	begin(w, "pci", "[");
	for (size_t i = 0; i < w->topo->n_pci; i++) {
		struct json_object *o = json_object_new_object();
		char name[UNC_PCI_NAME];

		add_text(o, "device", unc_pci_name(name, &w->topo->pci[i]));
		add_hex(o, "id", w->topo->pci[i].device);
		if (w->topo->pci[i].near != UNC_NOT_ASKED)
			add_number(o, "near", w->topo->pci[i].near);
		print(w, i ? ",\n" : "\n", o);
	}
	fputs("]", w->file);
	if (!w->topo->unread)
		return;
	begin(w, "pci_unread", "");
	print(w, "", json_object_new_int(w->topo->unread));
	begin(w, "pci_unread_file", "");
	print(w, "", json_object_new_string(w->topo->unread_file));
}

#define CACHE "sys/devices/system/cpu/cpu%u/cache/index%u/"

static bool read_l3(const char *root, unsigned cpu, char *size, char *cpus, size_t len)
{
	char level[8];

	for (unsigned i = 0; unc_read_word(level, sizeof(level), root, CACHE "level", cpu, i); i++)
		if (strcmp(level, "3") == 0)
			return unc_read_word(size, len, root, CACHE "size", cpu, i) &&
			       unc_read_word(cpus, len, root, CACHE "shared_cpu_list", cpu, i);
	return false;
}

/* Remaining CPUs with the same value. */
static void print_cpus_of(struct writer *w, unsigned *printed, struct json_object *o,
			  const char *cpus)
{
	add_text(o, "cpus", cpus);
	print(w, (*printed)++ ? ",\n" : "\n", o);
}

/* Each list once, at its first CPU: the one that the list begins with. */
static void print_caches(struct writer *w)
{
	char size[1024], cpus[1024];
	unsigned printed = 0;

	begin(w, "l3", "[");
	for (size_t i = 0; i < w->topo->n_cpus; i++) {
		const unsigned cpu = w->topo->cpus[i].id;
		struct json_object *o;

		if (!read_l3(w->recording->root, cpu, size, cpus, sizeof(cpus)) ||
		    strtoul(cpus, NULL, 10) != cpu)
			continue;
		o = json_object_new_object();
		add_text(o, "size", size);
		print_cpus_of(w, &printed, o, cpus);
	}
	fputs("]", w->file);
}

static void print_nodes(struct writer *w)
{
	unsigned printed = 0;
	char cpus[1024];

	begin(w, "nodes", "[");
	for (unsigned n = 0; n < UNC_MAX_NODES; n++) {
		struct json_object *o;

		if (!unc_read_word(cpus, sizeof(cpus), w->recording->root,
				   "sys/devices/system/node/node%u/cpulist", n))
			continue;
		o = json_object_new_object();
		add_number(o, "node", n);
		print_cpus_of(w, &printed, o, cpus);
	}
	fputs("]", w->file);
}

/* Names of modules that are relevant. */
static void add_modules(const struct writer *w, struct json_object *o)
{
	static const char names[][13] = {"msr", "msr_safe", "intel_uncore"};
	char text[8];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (unc_read_word(text, sizeof(text), w->recording->root, "sys/module/%s/refcnt",
				  names[i]))
			json_object_object_add(o, names[i], json_object_new_boolean(true));
}

static void print_kernel(struct writer *w)
{
	static const struct {
		const char *name, *path;
	} files[] = {
		{"release", "proc/sys/kernel/osrelease"},
		{"online", "sys/devices/system/cpu/online"},
		{"offline", "sys/devices/system/cpu/offline"},
		{"nmi_watchdog", "proc/sys/kernel/nmi_watchdog"},
		{"perf_event_paranoid", "proc/sys/kernel/perf_event_paranoid"},
		{"lockdown", "sys/kernel/security/lockdown"},
		{"msr_allow_writes", "sys/module/msr/parameters/allow_writes"},
	};
	struct json_object *o = json_object_new_object();
	char text[128];

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (unc_read_word(text, sizeof(text), w->recording->root, "%s", files[i].path))
			add_text(o, files[i].name, text);
	add_modules(w, o);
	begin(w, "kernel", "");
	print(w, "", o);
}

/* ---- answers ---- */

static bool is_of_device(const struct unc_question *q)
{
	return q->asked == UNC_ASKED_PCI_FILE || q->asked == UNC_ASKED_BAR ||
	       q->asked == UNC_ASKED_NODE ||
	       (q->asked == UNC_ASKED_REGISTER && q->space == UNCORE_PCI);
}

static void add_where(const struct writer *w, struct json_object *o, const struct unc_question *q)
{
	char name[UNC_PCI_NAME];

	if (is_of_device(q))
		add_text(o, "device", unc_pci_name(name, &w->topo->pci[q->where]));
	else if (q->asked == UNC_ASKED_CPUID || q->asked == UNC_ASKED_CORE ||
		 q->space == UNCORE_CPU)
		add_number(o, "cpu", q->where);
	else
		add_number(o, "package", q->where);
}

static void add_cpuid(struct json_object *o, const struct unc_answer *a)
{
	add_hex(o, "leaf", a->question.address >> 32);
	add_hex(o, "subleaf", a->question.address & UINT32_MAX);
	if (a->error)
		return;
	add_hex(o, "eax", a->value[0] & UINT32_MAX);
	add_hex(o, "ebx", a->value[0] >> 32);
	add_hex(o, "ecx", a->value[1] & UINT32_MAX);
	add_hex(o, "edx", a->value[1] >> 32);
}

static void add_value(struct json_object *o, const struct unc_answer *a)
{
	const struct unc_question *q = &a->question;

	if (q->asked == UNC_ASKED_CPUID) {
		add_cpuid(o, a);
		return;
	}
	if (q->asked == UNC_ASKED_REGISTER || q->asked == UNC_ASKED_MAPPING ||
	    q->asked == UNC_ASKED_BAR)
		add_hex(o, "address", q->address);
	if (q->width)
		add_number(o, "width", q->width);
	if (!a->error)
		add_hex(o, "value", a->value[0]);
}

static struct json_object *answer(const struct writer *w, const struct unc_answer *a)
{
	struct json_object *o = json_object_new_object();

	add_text(o, "asked", unc_asked_words[a->question.asked]);
	if (a->question.asked == UNC_ASKED_REGISTER)
		add_text(o, "space", unc_space_words[a->question.space]);
	add_where(w, o, &a->question);
	add_value(o, a);
	if (a->error)
		add_number(o, "error", a->error);
	if (a->why)
		add_text(o, "why", a->why);
	return o;
}

static void print_answers(struct writer *w)
{
	const struct unc_answers *a = &w->recording->answers;

	begin(w, "answers", "[");
	for (size_t i = 0; i < a->n; i++)
		print(w, i ? ",\n" : "\n", answer(w, &a->at[i]));
	fputs("]", w->file);
}

static void print_failure(struct writer *w)
{
	struct json_object *o = json_object_new_object();

	if (w->recording->code) {
		add_number(o, "code", w->recording->code);
		add_text(o, "why", w->recording->why);
		begin(w, "refused", "");
		print(w, "", o);
	} else {
		json_object_put(o);
	}
}

int unc_recording_write(const struct unc_recording *recording, const struct unc_topology *topo,
			FILE *file)
{
	struct writer w = {.file = file, .topo = topo, .recording = recording};

	if (recording->answers.failed)
		return UNCORE_ENOMEM;
	errno = 0;
	fprintf(file, "{\"uncore_recording\": %d,\n\"version\": \"%s\"", UNC_RECORDING_FORMAT,
		uncore_version());
	print_cpu(&w);
	print_cpus(&w);
	print_devices(&w);
	if (!recording->other_machine) {
		print_caches(&w);
		print_nodes(&w);
		print_kernel(&w);
	}
	print_failure(&w);
	print_answers(&w);
	if (recording->timeline.n > 1)
		unc_timeline_write(&recording->timeline, file);
	fputs("}\n", file);
	return w.failed || fflush(file) != 0 || ferror(file) ? UNCORE_EIO : 0;
}
