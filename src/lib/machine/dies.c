/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dies.c - numbers of packages and boxes where packages have several dies: pkg= is the socket,
 * die= a die of it, and box= is numbered through all dies of a socket.
 */
#include <stdio.h>
#include <stdlib.h>

#include "machine/boxes.h"
#include "machine/machine.h"

#define SOCKET(id) ((id)&0xffff)

int unc_dies_find(struct unc_machine *m)
{
	m->dies = calloc(m->topo.n_packages ? m->topo.n_packages : 1, sizeof(*m->dies));
	if (!m->dies)
		return UNCORE_ENOMEM;
	for (unsigned p = 0; p < m->topo.n_packages; p++) {
		const bool same = p > 0 && SOCKET(m->topo.package_ids[p]) ==
						   SOCKET(m->topo.package_ids[p - 1]);

		m->n_sockets += !same;
		m->dies[p].socket = m->n_sockets - 1;
		m->dies[p].die = same ? m->dies[p - 1].die + 1 : 0;
		if (m->dies[p].die >= m->n_dies)
			m->n_dies = m->dies[p].die + 1;
	}
	return 0;
}

/*
 * The highest number of its type in the previous dies of the socket, plus 1; 0 if the die's own
 * numbers continue those, as on the second I/O die of Diamond Rapids.
 */
static unsigned first_number(const struct unc_machine *m, size_t box)
{
	const struct unc_box *b = &m->boxes[box];
	unsigned first = 0, lowest = b->index;

	for (size_t i = 0; i < box; i++) {
		const struct unc_box *other = &m->boxes[i];

		if (other->type != b->type || other->socket != b->socket)
			continue;
		if (other->package == b->package)
			lowest = other->index < lowest ? other->index : lowest;
		else if (other->number >= first)
			first = other->number + 1u;
	}
	return lowest >= first ? 0 : first;
}

void unc_dies_name(struct unc_machine *m)
{
	for (size_t i = 0; i < m->n_boxes; i++) {
		struct unc_box *b = &m->boxes[i];
		const struct unc_die *die = &m->dies[b->package];

		b->socket = (uint16_t)die->socket;
		b->die = (uint16_t)die->die;
		b->number = b->index;
		if (die->die > 0 && !b->type->arch)
			b->number = (uint16_t)(b->number + first_number(m, i));
	}
}

const char *unc_die_name(char name[UNC_DIE_NAME], const struct unc_machine *m, unsigned package)
{
	const struct unc_die *die = &m->dies[package];

	if (m->n_dies > 1)
		snprintf(name, UNC_DIE_NAME, "package %u, die %u", die->socket, die->die);
	else
		snprintf(name, UNC_DIE_NAME, "package %u", die->socket);
	return name;
}

const char *unc_op_location(char name[UNC_DIE_NAME], const struct unc_machine *m,
			    const struct unc_op *op)
{
	if (op->space != UNCORE_CPU)
		return unc_die_name(name, m, op->package);
	snprintf(name, UNC_DIE_NAME, "CPU %u", op->unit);
	return name;
}

/* A CPU that can access the package's MSRs. */
static unsigned cpu_of(const struct unc_machine *m, unsigned package)
{
	for (size_t i = 0; i < m->topo.n_cpus; i++)
		if (m->topo.cpus[i].package == m->topo.package_ids[package])
			return m->topo.cpus[i].id;
	return 0;
}

void unc_op_describe(const struct unc_machine *m, const struct unc_op *op,
		     struct uncore_op_info *info)
{
	memset(info, 0, sizeof(*info));
	info->kind = (enum uncore_op_kind)op->kind;
	info->space = (enum uncore_space)op->space;
	info->width = op->width;
	info->package = m->dies[op->package].socket;
	info->die = m->dies[op->package].die;
	info->address = op->address;
	info->value = op->value;
	info->mask = op->mask;
	info->saved = op->saved;
	if (op->space == UNCORE_MSR) {
		info->cpu = cpu_of(m, op->package);
	} else if (op->space == UNCORE_CPU) {
		info->cpu = op->unit;
	} else if (op->space == UNCORE_PCI) {
		info->segment = m->topo.pci[op->unit].segment;
		info->bus = m->topo.pci[op->unit].bus;
		info->device = op->devfn >> 3;
		info->function = op->devfn & 7u;
	}
}

/* ---- the operation that reads an MSR, from which others are made ---- */

struct unc_op unc_msr_op(unsigned package, uint32_t msr)
{
	return (struct unc_op){
		.kind = UNCORE_READ,
		.space = UNCORE_MSR,
		.width = 64,
		.package = (uint16_t)package,
		.address = msr,
	};
}
