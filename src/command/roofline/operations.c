/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operations.c - see operations.h.  Names are libpfm4's; what they count is in the event lists of
 * Intel and in SDM vol. 3B, chapter 20.
 */
#include "command/roofline/operations.h"

#include <string.h>

const char *const precision_names[PRECISIONS] = {"double", "single"};
const char *const width_names[WIDTHS] = {"scalar", "128 bits", "256 bits", "512 bits"};

/* clang-format off */
#define EXECUTED(pmu) { \
	{{pmu "::FP_COMP_OPS_EXE:SSE_SCALAR_DOUBLE", 1}, \
	 {pmu "::FP_COMP_OPS_EXE:SSE_FP_PACKED_DOUBLE", 2}, \
	 {pmu "::SIMD_FP_256:PACKED_DOUBLE", 4}, {NULL, 0}}, \
	{{pmu "::FP_COMP_OPS_EXE:SSE_FP_SCALAR_SINGLE", 1}, \
	 {pmu "::FP_COMP_OPS_EXE:SSE_PACKED_SINGLE", 4}, \
	 {pmu "::SIMD_FP_256:PACKED_SINGLE", 8}, {NULL, 0}}}
#define RETIRED(event) \
	{event ":SCALAR_DOUBLE", 1}, {event ":128B_PACKED_DOUBLE", 2}, {event ":256B_PACKED_DOUBLE", 4}
#define RETIRED_SINGLE(event) \
	{event ":SCALAR_SINGLE", 1}, {event ":128B_PACKED_SINGLE", 4}, {event ":256B_PACKED_SINGLE", 8}
#define RETIRED_512(event) \
	{{RETIRED(event), {event ":512B_PACKED_DOUBLE", 8}}, \
	 {RETIRED_SINGLE(event), {event ":512B_PACKED_SINGLE", 16}}}
/* clang-format on */

#define OVERCOUNTS                                                                                 \
	"the events of this processor count executed operations, again each time that an operand " \
	"is not in the cache: several times too many for a program that waits for memory"
#define NO_AMX "operations of AMX and in half precision are not counted"

static const struct operation_events snb = {EXECUTED("snb_ep"), OVERCOUNTS};
static const struct operation_events ivb = {EXECUTED("ivb_ep"), OVERCOUNTS};
static const struct operation_events bdw = {
	{{RETIRED("bdw_ep::FP_ARITH"), {NULL, 0}}, {RETIRED_SINGLE("bdw_ep::FP_ARITH"), {NULL, 0}}},
	NULL};
static const struct operation_events skx = {RETIRED_512("skx::FP_ARITH_INST_RETIRED"), NULL};
static const struct operation_events icx = {RETIRED_512("icx::FP_ARITH_INST_RETIRED"), NULL};
/* Emerald Rapids and Granite Rapids have the events of this name with the same codes. */
static const struct operation_events spr = {RETIRED_512("spr::FP_ARITH_INST_RETIRED"), NO_AMX};

static const struct {
	const char *platform;
	const struct operation_events *events; /* or */
	const char *why;
} platforms[] = {
	{"snbep", &snb, NULL},
	{"ivbep", &ivb, NULL},
	{"bdx", &bdw, NULL},
	{"skx", &skx, NULL},
	{"icx", &icx, NULL},
	{"spr", &spr, NULL},
	{"emr", &spr, NULL},
	{"gnr", &spr, NULL},
	{"hswep", NULL, "the cores of Haswell have no events of floating-point operations"},
	{"knl", NULL,
	 "the events of Xeon Phi x200 count neither by precision nor the masks of vectors"},
	{"srf", NULL, "E-cores have no events of operations by vector width"},
	{"cwf", NULL, "E-cores have no events of operations by vector width"},
	{"nhmex", NULL, "the events of this processor do not tell precision and width apart"},
	{"wsmex", NULL, "the events of this processor do not tell precision and width apart"},
};

const struct operation_events *operation_events(const char *platform, const char **why)
{
	*why = "the events of this processor's cores are not known";
	for (size_t i = 0; i < sizeof(platforms) / sizeof(*platforms); i++)
		if (strcmp(platforms[i].platform, platform) == 0) {
			*why = platforms[i].why;
			return platforms[i].events;
		}
	return NULL;
}

double operations_of(const struct operation_event *event, double counts)
{
	return event->operations * counts;
}
