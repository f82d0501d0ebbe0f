/* SPDX-License-Identifier: BSD-3-Clause */
/* access.c - accesses to a function's config space. */
#include <errno.h>
#include <inttypes.h>

#include "proxy.h"

enum { COMMAND = 4, CLASS = 8, HEADER_TYPE = 0xc, FIRST_REGISTER = 0x40 };

/* Base system peripheral, other: no driver of the guest looks for it. */
#define OTHER_PERIPHERAL UINT32_C(0x08800000)
#define MULTIFUNCTION    UINT32_C(0x00800000)

static void trace(struct lab *lab, const char *what, const char *where, uint32_t address,
		  uint64_t value)
{
	if (lab->trace != NULL)
		fprintf(lab->trace, "%" PRIu64 " %s %s %#x %#" PRIx64 "\n", sim_now(lab->sim), what,
			where, address, value);
}

static void trace_config(struct lab *lab, const char *what, const struct lab_function *function,
			 uint32_t offset, uint64_t value)
{
	char where[16];

	snprintf(where, sizeof(where), "%02x:%02x.%x", function->bus, function->devfn >> 3,
		 function->devfn & 7U);
	trace(lab, what, where, offset, value);
}

static void trace_msr(struct lab *lab, const char *what, const struct lab_portal *portal)
{
	char where[16];

	snprintf(where, sizeof(where), "package%u", portal->package & 0xff);
	trace(lab, what, where, portal->address, portal->value);
}

/* The part of config space that all functions have; BARs are asked for and absent. */
static uint32_t header_dword(const struct lab_function *function, uint32_t offset)
{
	switch (offset) {
	case 0:
		return (uint32_t)function->device << 16 | function->vendor;
	case CLASS:
		return OTHER_PERIPHERAL;
	case HEADER_TYPE:
		return function->first ? MULTIFUNCTION : 0;
	default:
		return 0;
	}
}

/* ---- the portal ---- */

static uint32_t clock_low(struct lab *lab)
{
	lab->portal.clock = sim_now(lab->sim);
	return (uint32_t)lab->portal.clock;
}

static uint32_t portal_dword(struct lab *lab, uint32_t offset)
{
	const struct lab_portal *portal = &lab->portal;

	switch (offset) {
	case LAB_PACKAGE:
		return portal->package;
	case LAB_ADDRESS:
		return portal->address;
	case LAB_VALUE:
		return (uint32_t)portal->value;
	case LAB_VALUE + 4:
		return (uint32_t)(portal->value >> 32);
	case LAB_STATUS:
		return portal->status;
	case LAB_CLOCK:
		return clock_low(lab);
	case LAB_CLOCK + 4:
		return (uint32_t)(portal->clock >> 32);
	default:
		return 0;
	}
}

static void go(struct lab *lab, uint32_t command)
{
	struct lab_portal *portal = &lab->portal;
	int error = -EINVAL;

	if (command == 1) {
		portal->value = 0;
		error = sim_msr_read(lab->sim, portal->package, portal->address, &portal->value);
		trace_msr(lab, error == 0 ? "r" : "r!", portal);
	} else if (command == 2) {
		error = sim_msr_write(lab->sim, portal->package, portal->address, portal->value);
		trace_msr(lab, error == 0 ? "w" : "w!", portal);
	}
	portal->status = (uint32_t)-error;
}

static void portal_write(struct lab *lab, uint32_t offset, uint32_t value)
{
	struct lab_portal *portal = &lab->portal;

	switch (offset) {
	case LAB_PACKAGE:
		portal->package = value;
		break;
	case LAB_ADDRESS:
		portal->address = value;
		break;
	case LAB_VALUE:
		portal->value = (portal->value & ~(uint64_t)UINT32_MAX) | value;
		break;
	case LAB_VALUE + 4:
		portal->value = (portal->value & UINT32_MAX) | (uint64_t)value << 32;
		break;
	case LAB_GO:
		go(lab, value);
		break;
	case LAB_CLOCK:
		portal->clock = value;
		break;
	case LAB_CLOCK + 4:
		sim_advance(lab->sim, (portal->clock & UINT32_MAX) | (uint64_t)value << 32);
		break;
	default:
		break;
	}
}

/* ---- config space and MSRs of the lab ---- */

static uint64_t box_read(struct lab *lab, const struct lab_function *function, uint32_t offset,
			 unsigned bytes)
{
	uint64_t value = 0;

	if (sim_pci_read(lab->sim, 0, function->bus, function->devfn, offset, bytes * 8, &value) !=
	    0)
		return UINT32_MAX;
	trace_config(lab, "r", function, offset, value);
	return value;
}

uint32_t lab_config_read(struct lab *lab, const struct lab_function *function, uint32_t offset,
			 unsigned bytes)
{
	const unsigned shift = offset % 4 * 8;
	uint32_t dword;

	if (offset >= FIRST_REGISTER && function->kind == LAB_BOX)
		return (uint32_t)box_read(lab, function, offset, bytes);
	if (offset < FIRST_REGISTER)
		dword = header_dword(function, offset & ~UINT32_C(3));
	else
		dword = function->kind == LAB_MAILBOX ? portal_dword(lab, offset & ~UINT32_C(3))
						      : 0;
	dword >>= shift;
	return bytes < 4 ? dword & ((UINT32_C(1) << bytes * 8) - 1) : dword;
}

void lab_config_write(struct lab *lab, const struct lab_function *function, uint32_t offset,
		      unsigned bytes, uint32_t value)
{
	if (offset < FIRST_REGISTER)
		return;
	if (function->kind == LAB_MAILBOX && bytes == 4)
		portal_write(lab, offset, value);
	if (function->kind != LAB_BOX)
		return;
	trace_config(lab, "w", function, offset, value);
	(void)sim_pci_write(lab->sim, 0, function->bus, function->devfn, offset, bytes * 8, value);
}
