/* SPDX-License-Identifier: BSD-3-Clause */
/* cost_papi.c - counting through PAPI: this component, and PAPI's own perf_event_uncore. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <papi.h>

#include "cost.h"

static struct {
	int eventset, component;
	int n;
	long long values[COST_MAX];
} papi = {.eventset = PAPI_NULL};

static const char *said(int r)
{
	return r == PAPI_OK ? NULL : PAPI_strerror(r);
}

static const char *init(const char *component)
{
	const int r = PAPI_library_init(PAPI_VER_CURRENT);

	if (r != PAPI_VER_CURRENT)
		return PAPI_strerror(r);
	papi.component = PAPI_get_component_index(component);
	if (papi.component < 0)
		return "this libpapi does not have the component";
	return said(PAPI_create_eventset(&papi.eventset));
}

static const char *add(const char *name)
{
	const int r = PAPI_add_named_event(papi.eventset, name);
	static char why[PAPI_MAX_STR_LEN + 80];

	if (r == PAPI_OK) {
		papi.n++;
		return NULL;
	}
	snprintf(why, sizeof(why), "%s: %s", name, PAPI_strerror(r));
	return why;
}

/* One event a counter kind: boxes are summed unless there is to be only one. */
static const char *setup_component(unsigned n)
{
	const char *why = NULL;
	char name[PAPI_MAX_STR_LEN];

	for (unsigned i = 0; !why && i < cost_per_box(n); i++) {
		snprintf(name, sizeof(name), "uncore:::%s%s", cost_events[i].name,
			 cost_boxes(n) == 1 ? ":box=0:pkg=0" : "");
		why = add(name);
	}
	return why ? why : said(PAPI_start(papi.eventset));
}

static const char *setup_stock(unsigned n)
{
	const char *why = NULL;
	char name[PAPI_MAX_STR_LEN];

	for (unsigned k = 0; !why && k < n; k++) {
		const unsigned box = k / cost_per_box(n);

		/* The guest has one CPU of each package: CPU 1 is that of the second one. */
		snprintf(name, sizeof(name), "snbep_unc_cbo%u::%s:cpu=%u", box % 8,
			 cost_events[k % cost_per_box(n)].name, box / 8);
		why = add(name);
	}
	return why ? why : said(PAPI_start(papi.eventset));
}

static const char *read_papi(void)
{
	return said(PAPI_read(papi.eventset, papi.values));
}

static const char *stop(void)
{
	int r = PAPI_stop(papi.eventset, papi.values);

	if (r == PAPI_OK)
		r = PAPI_cleanup_eventset(papi.eventset);
	return said(r);
}

static unsigned umasks(int event)
{
	PAPI_event_info_t info;
	unsigned n = 0;

	if (PAPI_enum_cmp_event(&event, PAPI_NTV_ENUM_UMASKS, papi.component) != PAPI_OK)
		return 0;
	do
		n += PAPI_get_event_info(event, &info) == PAPI_OK;
	while (PAPI_enum_cmp_event(&event, PAPI_NTV_ENUM_UMASKS, papi.component) == PAPI_OK);
	return n;
}

static unsigned list(void)
{
	PAPI_event_info_t info;
	int event = PAPI_NATIVE_MASK;
	unsigned n = 0;
	int r = PAPI_enum_cmp_event(&event, PAPI_ENUM_FIRST, papi.component);

	for (; r == PAPI_OK; r = PAPI_enum_cmp_event(&event, PAPI_ENUM_EVENTS, papi.component)) {
		n += PAPI_get_event_info(event, &info) == PAPI_OK;
		n += umasks(event);
	}
	return n;
}

static const char *init_component(unsigned n)
{
	(void)n;
	return init("uncore");
}

static const char *init_stock(unsigned n)
{
	(void)n;
	return init("perf_event_uncore");
}

const struct contestant cost_component = {
	.name = "component",
	.title = "PAPI, this component",
	.init = init_component,
	.setup = setup_component,
	.read = read_papi,
	.stop = stop,
	.list = list,
};

const struct contestant cost_stock = {
	.name = "stock",
	.title = "PAPI, perf_event_uncore",
	.init = init_stock,
	.setup = setup_stock,
	.read = read_papi,
	.stop = stop,
	.list = list,
};
