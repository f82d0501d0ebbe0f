/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - plans and machines as JSON, for scripts and golden files; the form is in docs/uncore.1.
 */
#include <inttypes.h>
#include <json-c/json.h>

#include "command/base/encode.h"
#include "tools.h"

void add_erratum_json(struct json_object *o, const struct uncore_event_info *event)
{
	static const char *const verdicts[] = {[UNCORE_WRONG] = "wrong",
					       [UNCORE_UNDERCOUNTS] = "undercounts",
					       [UNCORE_OVERCOUNTS] = "overcounts",
					       [UNCORE_ONLY_WITH] = "only with",
					       [UNCORE_UNVERIFIED] = "unverified"};
	struct json_object *erratum;

	if (!event->erratum)
		return;
	erratum = json_object_new_object();
	add_json_text(erratum, "verdict", verdicts[event->verdict]);
	add_json_text(erratum, "text", event->erratum);
	if (event->instead)
		add_json_text(erratum, "instead", event->instead);
	add_json_text(erratum, "source", event->source);
	json_object_object_add(o, "erratum", erratum);
}

/* JSON numbers lose bits in many readers. */
static void add_hex(struct json_object *o, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, value);
	add_json_text(o, key, text);
}

/* On most machines packages have a single die, number 0. */
static void add_die(struct json_object *o, unsigned die)
{
	if (die)
		add_json_integer(o, "die", die);
}

static struct json_object *assignment(struct uncore *u, const struct uncore_assignment_info *p,
				      unsigned id)
{
	struct json_object *o = json_object_new_object();
	char box[BOX_NAME];

	add_json_integer(o, "package", p->package);
	add_die(o, p->die);
	add_json_text(o, "box", box_name(box, p->kind, p->box));
	add_json_integer(o, "counter", p->counter);
	if (p->fixed)
		add_json_flag(o, "fixed", true);
	if (p->counted != id)
		add_json_text(o, "term", uncore_event_name(u, p->counted));
	return o;
}

static struct json_object *event(struct uncore *u, unsigned id, unsigned index,
				 const struct uncore_plan *plan)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	struct uncore_assignment_info a = {.size = sizeof(a)};
	struct uncore_event_info info = {.size = sizeof(info)};

	for (unsigned i = 0; uncore_plan_assignment(plan, i, &a) == 1; i++)
		if (a.event == index)
			json_object_array_add(list, assignment(u, &a, id));
	add_json_text(o, "name", uncore_event_name(u, id));
	if (uncore_event_info(u, id, &info) == 0)
		add_erratum_json(o, &info);
	json_object_object_add(o, "placements", list);
	return o;
}

static struct json_object *operation(const struct uncore_op_info *op)
{
	static const char *const kinds[] = {"read", "write", "rmw"};
	static const char *const spaces[] = {"msr", "pci", "mmio", "cpu"};
	struct json_object *o = json_object_new_object();
	char device[16];

	add_json_text(o, "op", kinds[op->kind]);
	add_json_text(o, "space", spaces[op->space]);
	add_json_integer(o, "package", op->package);
	add_die(o, op->die);
	if (op->space == UNCORE_PCI) {
		snprintf(device, sizeof(device), "%x.%x", op->device, op->function);
		add_json_text(o, "device", device);
	}
	if (op->space == UNCORE_CPU)
		add_json_integer(o, "cpu", op->cpu);
	add_hex(o, "address", op->address);
	add_json_integer(o, "width", op->width);
	if (op->kind != UNCORE_READ || op->mask)
		add_hex(o, "value", op->value);
	if (op->mask)
		add_hex(o, "mask", op->mask);
	if (op->saved)
		add_json_flag(o, "saved", true);
	return o;
}

static void add_phase(struct json_object *o, const struct uncore_plan *plan,
		      enum uncore_phase phase)
{
	struct json_object *list = json_object_new_array();
	struct uncore_op_info op = {.size = sizeof(op)};

	for (unsigned i = 0; uncore_plan_op(plan, phase, i, &op) == 1; i++)
		json_object_array_add(list, operation(&op));
	json_object_object_add(o, phase_names[phase], list);
}

static void add_events(struct json_object *o, struct uncore *u, const unsigned *ids, size_t n,
		       const struct uncore_plan *plan)
{
	struct json_object *events = json_object_new_array();

	for (unsigned i = 0; i < n; i++)
		json_object_array_add(events, event(u, ids[i], i, plan));
	json_object_object_add(o, "events", events);
}

static void add_plan(struct json_object *o, struct uncore *u, const unsigned *ids, size_t n,
		     const struct uncore_plan *plan)
{
	add_events(o, u, ids, n, plan);
	for (unsigned i = 0; i < N_PHASES; i++)
		add_phase(o, plan, (enum uncore_phase)i);
}

static void add_conflict(struct json_object *o, struct uncore *u, const unsigned *ids,
			 const struct uncore_plan *plan, const char *reason)
{
	struct json_object *list = json_object_new_array();
	unsigned event;

	for (unsigned i = 0; uncore_plan_conflict(plan, i, &event) == 1; i++)
		json_object_array_add(list,
				      json_object_new_string(uncore_event_name(u, ids[event])));
	json_object_object_add(o, "conflict", list);
	add_json_text(o, "reason", reason);
}

struct json_object *json_of_plan(struct uncore *u, const unsigned *ids, size_t n,
				 const struct uncore_plan *plan,
				 const struct uncore_plan_info *info)
{
	struct json_object *o = json_object_new_object();

	add_json_flag(o, "feasible", info->feasible);
	if (info->feasible)
		add_plan(o, u, ids, n, plan);
	else
		add_conflict(o, u, ids, plan, info->reason);
	return o;
}

/* Without operations: a switch writes only what differs from the round before. */
struct json_object *json_of_rounds(struct uncore *u, const struct plan_round *rounds, size_t n)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();

	add_json_flag(o, "feasible", false);
	for (size_t i = 0; i < n; i++) {
		struct json_object *round = json_object_new_object();

		add_events(round, u, rounds[i].ids, rounds[i].n, rounds[i].plan);
		json_object_array_add(list, round);
	}
	json_object_object_add(o, "rounds", list);
	return o;
}

/* ---- machine ---- */

static void add_object(struct json_object *list, struct json_object *o)
{
	json_object_array_add(list, o);
}

/* Addresses of a box's registers of one kind; the fixed counter has a separate key. */
static void add_registers(struct json_object *o, struct uncore *u, unsigned box,
			  enum uncore_register which, const char *key, const char *fixed)
{
	struct json_object *list = json_object_new_array();
	struct uncore_op_info op = {.size = sizeof(op)};
	char text[24];
	bool more;

	for (unsigned i = 0; (more = uncore_register(u, box, which, i, &op) == 1) && !op.fixed;
	     i++) {
		snprintf(text, sizeof(text), "0x%" PRIx64, op.address);
		add_object(list, json_object_new_string(text));
	}
	json_object_object_add(o, key, list);
	if (more)
		add_hex(o, fixed, op.address);
}

static struct json_object *box(struct uncore *u, unsigned i, const struct uncore_box_info *b)
{
	struct json_object *o = json_object_new_object();
	struct uncore_op_info op = {.size = sizeof(op)};
	char name[BOX_NAME];

	add_json_text(o, "box", box_name(name, b->kind, b->index));
	add_json_text(o, "kind", b->kind);
	add_json_integer(o, "index", b->index);
	add_json_integer(o, "package", b->package);
	add_die(o, b->die);
	add_json_text(o, "location", b->location);
	if (b->basis)
		add_json_text(o, "number_by", b->basis);
	if (b->line_share > 0)
		add_json_number(o, "line_share", b->line_share);
	if (b->absent) {
		add_json_text(o, "absent", b->absent);
		add_json_flag(o, "unreached", b->unreached);
		return o;
	}
	add_json_integer(o, "width", b->width);
	if (uncore_register(u, i, UNCORE_UNIT_CONTROL, 0, &op) == 1)
		add_hex(o, "unit_control", op.address);
	add_registers(o, u, i, UNCORE_CONTROL, "controls", "fixed_control");
	add_registers(o, u, i, UNCORE_COUNTER, "counters", "fixed_counter");
	add_registers(o, u, i, UNCORE_FILTER, "filters", NULL);
	return o;
}

static struct json_object *table(const struct uncore_discovery_table_info *t)
{
	struct json_object *o = json_object_new_object();

	if (t->basis) {
		add_json_integer(o, "package", t->package);
		add_json_text(o, "package_by", t->basis);
		add_json_flag(o, "package_assumed", t->assumed);
	}
	add_json_text(o, "device", t->device);
	add_json_integer(o, "bar", t->bar);
	add_hex(o, "address", t->address);
	add_json_integer(o, "stride", t->stride);
	add_json_integer(o, "slots", t->slots);
	add_json_integer(o, "empty", t->empty);
	add_json_text(o, "global_control", t->control);
	add_json_integer(o, "status_offset", t->status_offset);
	add_json_integer(o, "status_registers", t->n_status);
	if (t->damage)
		add_json_text(o, "damage", t->damage);
	return o;
}

static struct json_object *unit(struct uncore *u, const struct uncore_discovered_unit_info *unit)
{
	static const char *const accesses[] = {"msr", "mmio", "pci", "none"};
	struct json_object *o = json_object_new_object();
	struct uncore_discovery_table_info t = {.size = sizeof(t)};
	struct uncore_box_info b = {.size = sizeof(b)};
	char name[BOX_NAME];

	add_json_integer(o, "table", unit->table);
	add_json_integer(o, "slot", unit->slot);
	if (uncore_discovery_table(u, unit->table, &t) == 1 && t.basis)
		add_json_integer(o, "package", unit->package);
	add_json_integer(o, "type", unit->type);
	add_json_integer(o, "id", unit->id);
	add_json_text(o, "access", accesses[unit->access & 3]);
	add_hex(o, "unit_control", unit->address);
	add_json_integer(o, "width", unit->width);
	add_json_integer(o, "registers", unit->counters);
	add_json_integer(o, "control_offset", unit->control_offset);
	add_json_integer(o, "counter_offset", unit->counter_offset);
	add_json_integer(o, "status_offset", unit->status_offset);
	add_json_integer(o, "position", unit->position);
	if (unit->refused)
		add_json_text(o, "refused", unit->refused);
	if (unit->box >= 0 && uncore_box(u, (unsigned)unit->box, &b) == 1)
		add_json_text(o, "box", box_name(name, b.kind, b.index));
	return o;
}

/* Other processes, if they can access the machine. */
static void add_owners(struct json_object *o, struct uncore *u)
{
	struct json_object *owners = json_object_new_array();
	struct uncore_owner_info owner = {.size = sizeof(owner)};

	for (unsigned i = 0; uncore_owner(u, i, &owner) == 1; i++) {
		struct json_object *one = json_object_new_object();

		add_json_text(one, "name", owner.name);
		add_json_integer(one, "pid", owner.pid);
		add_json_integer(one, "since", owner.since);
		add_json_text(one, "events", owner.events);
		add_object(owners, one);
	}
	json_object_object_add(o, "owners", owners);
}

struct json_object *json_of_machine(struct uncore *u)
{
	struct json_object *o = json_object_new_object(), *boxes = json_object_new_array(),
			   *tables = json_object_new_array(), *units = json_object_new_array();
	struct uncore_machine_info m = {.size = sizeof(m)};
	struct uncore_discovery_table_info t = {.size = sizeof(t)};
	struct uncore_discovered_unit_info r = {.size = sizeof(r)};
	struct uncore_box_info b = {.size = sizeof(b)};

	uncore_machine(u, &m);
	add_json_text(o, "platform", m.platform);
	add_json_text(o, "title", m.title);
	add_json_flag(o, "simulated", m.simulated);
	add_json_integer(o, "packages", m.packages);
	if (m.dies > 1)
		add_json_integer(o, "dies", m.dies);
	add_json_integer(o, "cpus", m.cpus);
	for (unsigned i = 0; i < m.boxes && uncore_box(u, i, &b) == 1; i++)
		add_object(boxes, box(u, i, &b));
	for (unsigned i = 0; uncore_discovery_table(u, i, &t) == 1; i++)
		add_object(tables, table(&t));
	for (unsigned i = 0; uncore_discovered_unit(u, i, &r) == 1; i++)
		add_object(units, unit(u, &r));
	add_owners(o, u);
	json_object_object_add(o, "boxes", boxes);
	json_object_object_add(o, "tables", tables);
	json_object_object_add(o, "units", units);
	return o;
}
