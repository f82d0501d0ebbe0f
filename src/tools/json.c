/* json.c - plans and counts as JSON, for scripts and golden files; the form is in docs/uncore.1. */
#include <inttypes.h>
#include <json-c/json.h>

#include "tools.h"

static void add_text(struct json_object *o, const char *key, const char *text)
{
	json_object_object_add(o, key, json_object_new_string(text));
}

static void add_number(struct json_object *o, const char *key, unsigned number)
{
	json_object_object_add(o, key, json_object_new_int64(number));
}

static void add_true(struct json_object *o, const char *key)
{
	json_object_object_add(o, key, json_object_new_boolean(1));
}

/* JSON numbers lose bits in many readers. */
static void add_hex(struct json_object *o, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	add_text(o, key, text);
}

static struct json_object *placement(const struct uncore_placement *p)
{
	struct json_object *o = json_object_new_object();
	char box[64];

	snprintf(box, sizeof(box), "%s%u", p->kind, p->box);
	add_number(o, "package", p->package);
	add_text(o, "box", box);
	add_number(o, "counter", p->counter);
	if (p->fixed)
		add_true(o, "fixed");
	return o;
}

static struct json_object *event(const char *name, unsigned index, const struct uncore_plan *plan)
{
	struct json_object *o = json_object_new_object(), *places = json_object_new_array();

	for (size_t i = 0; i < plan->n_placements; i++)
		if (plan->placements[i].event == index)
			json_object_array_add(places, placement(&plan->placements[i]));
	add_text(o, "name", name);
	json_object_object_add(o, "placements", places);
	return o;
}

static struct json_object *operation(const struct uncore_op *op)
{
	static const char *const kinds[] = {"read", "write", "rmw"};
	static const char *const spaces[] = {"msr", "pci", "mmio"};
	struct json_object *o = json_object_new_object();
	char device[16];

	add_text(o, "op", kinds[op->kind]);
	add_text(o, "space", spaces[op->space]);
	add_number(o, "package", op->package);
	if (op->space == UNCORE_PCI) {
		snprintf(device, sizeof(device), "%x.%x", op->devfn >> 3, op->devfn & 7u);
		add_text(o, "device", device);
	}
	add_hex(o, "address", op->address);
	add_number(o, "width", op->width);
	if (op->kind != UNCORE_READ || op->mask)
		add_hex(o, "value", op->value);
	if (op->mask)
		add_hex(o, "mask", op->mask);
	if (op->saved)
		add_true(o, "saved");
	return o;
}

static void add_ops(struct json_object *o, const char *key, const struct uncore_op *ops, size_t n)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < n; i++)
		json_object_array_add(list, operation(&ops[i]));
	json_object_object_add(o, key, list);
}

static void add_plan(struct json_object *o, struct uncore *u, const unsigned *ids, size_t n,
		     const struct uncore_plan *plan)
{
	struct json_object *events = json_object_new_array();

	for (unsigned i = 0; i < n; i++)
		json_object_array_add(events, event(uncore_event_name(u, ids[i]), i, plan));
	json_object_object_add(o, "events", events);
	add_ops(o, "setup", plan->setup, plan->n_setup);
	add_ops(o, "start", plan->start, plan->n_start);
	add_ops(o, "read", plan->read, plan->n_read);
	add_ops(o, "stop", plan->stop, plan->n_stop);
	add_ops(o, "restore", plan->restore, plan->n_restore);
}

static void add_conflict(struct json_object *o, struct uncore *u, const unsigned *ids,
			 const struct uncore_plan *plan)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < plan->n_conflict; i++)
		json_object_array_add(
			list, json_object_new_string(uncore_event_name(u, ids[plan->conflict[i]])));
	json_object_object_add(o, "conflict", list);
	add_text(o, "reason", plan->reason);
}

static void print_json(FILE *out, struct json_object *o)
{
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							  JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

void print_plan_json(FILE *out, struct uncore *u, const unsigned *ids, size_t n,
		     const struct uncore_plan *plan)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "feasible", json_object_new_boolean(plan->feasible));
	if (plan->feasible)
		add_plan(o, u, ids, n, plan);
	else
		add_conflict(o, u, ids, plan);
	print_json(out, o);
}

/* ---- counts ---- */

static struct json_object *count(struct uncore *u, unsigned id, int64_t value)
{
	struct json_object *o = json_object_new_object();
	struct uncore_event_info info;

	if (uncore_event_info(u, id, &info) == 0) {
		add_text(o, "event", info.name);
		add_text(o, "units", info.units);
	}
	json_object_object_add(o, "count", json_object_new_int64(value));
	return o;
}

void print_counts_json(const struct counts *c, const int64_t *values, double seconds, bool interval)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	char text[32];

	for (size_t i = 0; i < c->n; i++)
		json_object_array_add(list, count(c->u, c->ids[i], values[i]));
	add_text(o, "kind", interval ? "interval" : "total");
	json_object_object_add(o, "simulated", json_object_new_boolean(c->machine.simulated));
	add_text(o, "machine", c->machine.title);
	snprintf(text, sizeof(text), "%.6f", seconds);
	json_object_object_add(o, "seconds", json_object_new_double_s(seconds, text));
	json_object_object_add(o, "counts", list);
	print_json(c->out, o);
	fflush(c->out);
}
