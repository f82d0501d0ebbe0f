/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pfm.c - the only file that uses libpfm4.
 *
 * libpfm4 encodes events of a PMU that this CPU does not have only if LIBPFM_ENCODE_INACTIVE
 * was set at the first pfm_initialize(), see libpfm(3).  Bare event names still match active
 * PMUs only, so other users in the process are not affected.
 */
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "event/name_space.h"
#include "event/pfm.h"

#define ENCODE_INACTIVE "LIBPFM_ENCODE_INACTIVE"

int unc_pfm_encode(const char *name, struct unc_pfm_code *out)
{
	pfm_pmu_encode_arg_t arg;
	int r;

	memset(&arg, 0, sizeof(arg));
	memset(out, 0, sizeof(*out));
	arg.size = sizeof(arg);
	r = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg);
	for (int i = 0; r == PFM_SUCCESS && i < arg.count && i < 3; i++)
		out->word[i] = arg.codes[i];
	free(arg.codes);
	switch (r) {
	case PFM_SUCCESS:
		return UNC_PFM_OK;
	case PFM_ERR_UMASK:
		return UNC_PFM_UMASK;
	case PFM_ERR_FEATCOMB:
		return UNC_PFM_COMBO;
	case PFM_ERR_NOTFOUND:
	case PFM_ERR_NOTSUPP:
	case PFM_ERR_NOINIT:
		return UNC_PFM_INACTIVE;
	case PFM_ERR_NOMEM:
		return UNC_PFM_NO_MEMORY;
	default:
		return UNC_PFM_ATTR;
	}
}

/* libpfm4's own variables, which affect names and encodings. */
static const char variables[][21] = {"LIBPFM_FORCE_PMU", "LIBPFM_DISABLED_PMUS"};

#define VARIABLES (sizeof(variables) / sizeof(*variables))

/* A privileged program must not take them from its caller; libpfm4 itself would. */
static void hide_variables(char *hidden[VARIABLES])
{
	for (size_t i = 0; i < VARIABLES; i++) {
		const char *value = unc_variable(variables[i]) ? NULL : getenv(variables[i]);

		hidden[i] = value ? strdup(value) : NULL;
		if (value)
			unsetenv(variables[i]);
	}
}

static void show_variables(char *hidden[VARIABLES])
{
	for (size_t i = 0; i < VARIABLES; i++) {
		if (hidden[i])
			setenv(variables[i], hidden[i], 1);
		free(hidden[i]);
	}
}

static bool initialize_with_inactive(bool again)
{
	const bool ours = getenv(ENCODE_INACTIVE) == NULL;
	char *hidden[VARIABLES];
	bool ok;

	if (ours)
		setenv(ENCODE_INACTIVE, "1", 1);
	hide_variables(hidden);
	if (again)
		pfm_terminate();
	ok = pfm_initialize() == PFM_SUCCESS;
	show_variables(hidden);
	if (ours)
		unsetenv(ENCODE_INACTIVE);
	return ok;
}

/* An application may have initialised libpfm4 before, without the variable. */
static bool can_encode(const char *pmu)
{
	char name[2 * UNC_PFM_NAME];
	pfm_event_info_t info;
	pfm_pmu_info_t p;
	struct unc_pfm_code code;

	if (!unc_pfm_pmu(pmu, &p.first_event))
		return true;
	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	if (pfm_get_event_info(p.first_event, PFM_OS_NONE, &info) != PFM_SUCCESS)
		return true;
	snprintf(name, sizeof(name), "%s::%s", pmu, info.name);
	return unc_pfm_encode(name, &code) != UNC_PFM_INACTIVE;
}

int unc_pfm_start(const char *pmu, struct unc_err *err)
{
	if (initialize_with_inactive(false) && (can_encode(pmu) || initialize_with_inactive(true)))
		return 0;
	return unc_fail(err, UNCORE_ENOSUPP,
			"cannot initialize libpfm4 %#x: reinstall the libpfm4 package",
			(unsigned)pfm_get_version());
}

bool unc_pfm_pmu(const char *name, int *first_event)
{
	pfm_pmu_info_t info;
	int r;

	for (int i = 0;; i++) {
		memset(&info, 0, sizeof(info));
		info.size = sizeof(info);
		r = pfm_get_pmu_info((pfm_pmu_t)i, &info);
		if (r == PFM_ERR_INVAL)
			return false;
		if (r != PFM_SUCCESS || strcmp(info.name, name) != 0)
			continue;
		*first_event = info.first_event;
		return true;
	}
}

/* PAPI terminates libpfm4 in PAPI_shutdown(); initialise it again. */
static bool event_info(int event, pfm_event_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	if (pfm_get_event_info(event, PFM_OS_NONE, info) == PFM_SUCCESS)
		return true;
	return initialize_with_inactive(false) &&
	       pfm_get_event_info(event, PFM_OS_NONE, info) == PFM_SUCCESS;
}

int unc_pfm_attr(int event, int a, struct unc_attr *attr)
{
	pfm_event_attr_info_t info;
	int r;

	memset(&info, 0, sizeof(info));
	info.size = sizeof(info);
	r = pfm_get_event_attr_info(event, a, PFM_OS_NONE, &info);
	if (r != PFM_SUCCESS)
		return r == PFM_ERR_NOMEM ? UNCORE_ENOMEM : 0;
	memset(attr, 0, sizeof(*attr));
	attr->name = info.name;
	attr->text = info.desc ? info.desc : "";
	attr->umask = info.type == PFM_ATTR_UMASK;
	attr->flag = info.type == PFM_ATTR_MOD_BOOL;
	attr->code = info.code;
	return 1;
}

const char *unc_pfm_event_name(int event)
{
	pfm_event_info_t info;

	return event_info(event, &info) ? info.name : NULL;
}

const char *unc_pfm_event_text(int event)
{
	pfm_event_info_t info;

	return event_info(event, &info) && info.desc ? info.desc : "";
}

int unc_pfm_event_next(int event)
{
	return pfm_get_event_next(event);
}

unsigned unc_pfm_event_code(int event)
{
	pfm_event_info_t info;

	return event_info(event, &info) ? (unsigned)info.code & 0xff : 0;
}
