/* SPDX-License-Identifier: BSD-3-Clause */
/* rights.c - the files that give access to registers, and their permissions. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/documents.h"
#include "base/files.h"
#include "base/sysfs.h"
#include "command/doctor/patient.h"

/* Files that should be readable and writable, and the first one that is not. */
struct tried {
	unsigned files, good;
	char first[PATH_MAX];
	int error;
};

static void try_file(struct tried *t, const char *path)
{
	t->files++;
	if (faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) == 0) {
		t->good++;
	} else if (!t->error) {
		t->error = errno;
		snprintf(t->first, sizeof(t->first), "%s", path);
	}
}

/* ---- remedies for missing access to a file ---- */

static bool is_member(gid_t group)
{
	gid_t groups[256];
	const int n = getgroups(256, groups);

	for (int i = 0; i < n; i++)
		if (groups[i] == group)
			return true;
	return getegid() == group;
}

static const char *user_name(void)
{
	const struct passwd *user = getpwuid(geteuid());

	return user ? user->pw_name : "USER";
}

/* Advise joining the group that may use the file; otherwise an administrator is required. */
static char *advice_on(const char *path)
{
	const struct group *group;
	struct stat st;

	if (geteuid() == 0)
		return text_of("access is denied to root, as in a container or sandbox: grant it "
			       "the device, CAP_SYS_RAWIO and CAP_SYS_ADMIN");
	if (stat(path, &st) == 0 && (st.st_mode & 0060) == 0060 && !is_member(st.st_gid)) {
		group = getgrgid(st.st_gid);
		return text_of("join the group with access (sudo usermod -aG %s %s) and log in "
			       "again",
			       group ? group->gr_name : "GROUP", user_name());
	}
	return text_of("run as root (sudo), or ask an administrator to give your group access to "
		       "the files: " UNC_DOC_PERMISSIONS ", \"Direct access without root\"");
}

static void report_refused(struct patient *p, const char *check, const struct tried *t)
{
	found_problem(p, check,
		      text_of("%u of %u can be read and written; %s cannot: %s", t->good, t->files,
			      t->first, strerror(t->error)),
		      advice_on(t->first));
}

/* ---- MSRs ---- */

static void try_msrs(const struct patient *p, struct tried *t, const char *name)
{
	char path[PATH_MAX];
	const struct dirent *e;
	DIR *list;

	snprintf(path, sizeof(path), "%s/dev/cpu", p->root);
	list = unc_opendir(path);
	while (list && (e = readdir(list))) {
		if (!isdigit((unsigned char)*e->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/dev/cpu/%.32s/%s", p->root, e->d_name, name);
		if (faccessat(AT_FDCWD, path, F_OK, 0) == 0)
			try_file(t, path);
	}
	if (list)
		closedir(list);
}

void check_msr_files(struct patient *p)
{
	struct tried msr = {.files = 0}, safe = {.files = 0};

	if (!*p->info.platform || needs_no_registers(p))
		return;
	try_msrs(p, &msr, "msr");
	try_msrs(p, &safe, "msr_safe");
	if (msr.files && msr.good == msr.files)
		found_fine(p, "msr files", "/dev/cpu/N/msr: all %u can be read and written",
			   msr.files);
	else if (safe.files && safe.good == safe.files)
		found_fine(p, "msr files", "/dev/cpu/N/msr_safe: all %u can be read and written",
			   safe.files);
	else if (!msr.files && !safe.files)
		found_problem(p, "msr files", text_of("/dev/cpu/N/msr does not exist"),
			      text_of("as root: modprobe msr; in a container, pass through "
				      "/dev/cpu of the host"));
	else
		report_refused(p, "msr files", msr.files ? &msr : &safe);
}

/* ---- config space ---- */

static void try_config(const struct patient *p, struct tried *t, const char *device)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices/%.12s/config", p->root, device);
	try_file(t, path);
}

/* Used if it is unknown which PCI functions are boxes. */
static void try_all_of_intel(const struct patient *p, struct tried *t)
{
	char path[PATH_MAX], vendor[16];
	const struct dirent *e;
	DIR *list;

	snprintf(path, sizeof(path), "%s/sys/bus/pci/devices", p->root);
	list = unc_opendir(path);
	while (list && (e = readdir(list)))
		if (unc_read_line(vendor, sizeof(vendor), path, "%.12s/vendor", e->d_name) &&
		    strcmp(vendor, "0x8086\n") == 0)
			try_config(p, t, e->d_name);
	if (list)
		closedir(list);
}

void check_pci_files(struct patient *p)
{
	struct uncore_box_info box = {.size = sizeof(box)};
	struct tried t = {.files = 0};
	bool unknown = false;

	if (needs_no_registers(p))
		return;
	for (unsigned i = 0; uncore_box(p->u, i, &box) == 1; i++) {
		if (*box.pci_function)
			try_config(p, &t, box.pci_function);
		unknown |= box.unreached && !*box.location;
	}
	if (!t.files && unknown)
		try_all_of_intel(p, &t);
	if (t.files && t.good == t.files)
		found_fine(p, "pci files",
			   "the config spaces of all %u devices can be read and "
			   "written",
			   t.files);
	else if (t.files)
		report_refused(p, "pci files", &t);
}

/* ---- capabilities ---- */

#define CAP_SYS_RAWIO 17
#define CAP_SYS_ADMIN 21

static uint64_t capabilities(void)
{
	char text[4096];
	const char *line = unc_read_text(text, sizeof(text), "/", "proc/self/status")
				   ? strstr(text, "\nCapEff:")
				   : NULL;

	return line ? strtoull(line + 8, NULL, 16) : 0;
}

static bool has(uint64_t all, int one)
{
	return all >> one & 1;
}

void check_capabilities(struct patient *p)
{
	const uint64_t all = capabilities();
	const bool rawio = has(all, CAP_SYS_RAWIO), admin = has(all, CAP_SYS_ADMIN);

	if (!*p->info.platform || needs_no_registers(p))
		return;
	if (rawio && admin)
		found_fine(p, "capabilities", "CAP_SYS_RAWIO and CAP_SYS_ADMIN");
	else if (is_whole(p))
		found_fine(p, "capabilities", "all boxes are accessible without %s",
			   rawio ? "CAP_SYS_ADMIN" : "CAP_SYS_RAWIO");
	else
		found_problem(p, "capabilities",
			      text_of("this process lacks%s%s%s",
				      rawio ? "" : " CAP_SYS_RAWIO (MSRs)",
				      rawio || admin ? "" : " and",
				      admin ? "" : " CAP_SYS_ADMIN (config space)"),
			      text_of("run as root (sudo), or grant them to the program: setcap "
				      "cap_sys_rawio,cap_sys_admin+ep PROGRAM "
				      "(" UNC_DOC_PERMISSIONS ")"));
}

/* ---- open files ---- */

void check_open_files(struct patient *p)
{
	const unsigned needed = p->info.cpus + p->info.boxes + 32;
	struct rlimit limit;

	if (!*p->info.platform || getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return;
	if (limit.rlim_cur >= needed)
		found_fine(p, "open files", "limit %llu", (unsigned long long)limit.rlim_cur);
	else
		(is_whole(p) ? found_note : found_problem)(
			p, "open files",
			text_of("limit %llu is too low: all boxes and CPUs need up to %u",
				(unsigned long long)limit.rlim_cur, needed),
			text_of("run ulimit -n %u before starting the program", needed));
}
