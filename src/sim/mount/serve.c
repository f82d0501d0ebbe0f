/* SPDX-License-Identifier: BSD-3-Clause */
/* serve.c - serve the tree through FUSE until it is unmounted. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mount.h"
#include "ops.h"
#include "processes.h"
#include "run.h"
#include "tree.h"

/* ---- checks before mounting, with better messages than FUSE ---- */

static bool is_empty(const char *dir, int *error)
{
	DIR *d = opendir(dir);
	const struct dirent *entry;
	bool empty = true;

	*error = d ? 0 : errno;
	while (d && (entry = readdir(d)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			empty = false;
	if (d)
		closedir(d);
	return d && empty;
}

static int check_dir(const char *dir, char *why, size_t len)
{
	int error;

	if (is_empty(dir, &error))
		return 0;
	if (error == ENOENT)
		snprintf(why, len, "directory %s does not exist: create it first (mkdir %s)", dir,
			 dir);
	else if (error == ENOTCONN)
		snprintf(why, len,
			 "%s is a mount whose server has ended: unmount it with `fusermount3 -u "
			 "%s`",
			 dir, dir);
	else if (error)
		snprintf(why, len, "directory %s: %s", dir, strerror(error));
	else
		snprintf(why, len,
			 "directory %s is not empty, its files would be hidden: use an empty "
			 "directory",
			 dir);
	return -1;
}

static int check_fuse(char *why, size_t len)
{
	const int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	if (fd >= 0)
		return close(fd);
	if (errno == ENOENT || errno == ENODEV || errno == ENXIO)
		snprintf(why, len,
			 "/dev/fuse does not exist: load the module (modprobe fuse); in a "
			 "container, pass the device through (--device /dev/fuse)");
	else
		snprintf(why, len,
			 "cannot open /dev/fuse: %s; run as root, or get access to the "
			 "device",
			 strerror(errno));
	return -1;
}

static int open_trace(struct tree *tree, const char *file, char *why, size_t len)
{
	FILE *out;

	if (!file)
		return 0;
	out = strcmp(file, "-") == 0 ? stderr : fopen(file, "we");
	if (!out) {
		snprintf(why, len, "trace %s: %s", file, strerror(errno));
		return -1;
	}
	setvbuf(out, NULL, _IOLBF, 0);
	trace_start(&tree->trace, out);
	if (fflush(out) == 0 && !ferror(out))
		return 0;
	snprintf(why, len, "trace %s: %s", file, strerror(errno));
	return -1;
}

static int close_trace(struct tree *tree, const char *file, char *why, size_t len)
{
	FILE *out = tree->trace.out;
	int bad;

	if (!out)
		return 0;
	bad = ferror(out);
	if (out != stderr)
		bad |= fclose(out);
	if (bad)
		snprintf(why, len, "trace %s is incomplete: write error", file);
	return bad ? -1 : 0;
}

/* ---- the session ---- */

static void greet(const struct mount_options *o, const char *dir)
{
	printf("mounted %s (SIMULATED) at %s\n"
	       "  use it:  UNCORE_SYSROOT=%s uncore show\n"
	       "  end it:  %sfusermount3 -u %s (or umount)\n",
	       o->machine, dir, dir, o->background ? "" : "Ctrl-C, or ", dir);
	fflush(stdout);
}

/* The loop ends with 0 when unmounted, with the signal's number after a signal. */
static int serve(struct fuse_session *session, const struct mount_options *o, const char *dir,
		 char *why, size_t len)
{
	struct fuse_loop_config config = {.clone_fd = 0, .max_idle_threads = 10};
	int r;

	greet(o, dir);
	if (fuse_daemonize(!o->background) != 0) {
		snprintf(why, len, "cannot run in the background: %s", strerror(errno));
		return -1;
	}
	if (fuse_set_signal_handlers(session) != 0) {
		snprintf(why, len, "cannot set signal handlers");
		return -1;
	}
	r = fuse_session_loop_mt(session, &config);
	fuse_remove_signal_handlers(session);
	if (r < 0)
		snprintf(why, len, "serving %s failed: %s", dir, strerror(-r));
	return r < 0 ? -1 : 0;
}

/* Other users have access as on a real machine; only root may allow that. */
static struct fuse_session *new_session(struct tree *tree)
{
	char name[] = "uncore", option[] = "-o",
	     shared[] = "fsname=uncore-sim,subtype=uncore,"
			"default_permissions,allow_other";
	char own[] = "fsname=uncore-sim,subtype=uncore,default_permissions";
	char *words[] = {name, option, geteuid() == 0 ? shared : own, NULL};
	struct fuse_args args = FUSE_ARGS_INIT(3, words);
	struct fuse_session *session = fuse_session_new(&args, &mount_ops, sizeof(mount_ops), tree);

	fuse_opt_free_args(&args); /* libfuse may have replaced them */
	return session;
}

static int mount_tree(struct tree *tree, const struct mount_options *o, char *why, size_t len)
{
	char *dir = realpath(o->dir, NULL);
	struct fuse_session *session = dir ? new_session(tree) : NULL;
	int r = -1;

	if (!session)
		snprintf(why, len, "cannot start libfuse for %s", o->dir);
	else if (fuse_session_mount(session, dir) != 0)
		snprintf(why, len,
			 "cannot mount at %s: install the package fuse3 or run as root; a "
			 "container needs permission to mount",
			 dir);
	else
		r = serve(session, o, dir, why, len);
	if (session) {
		fuse_session_unmount(session);
		fuse_session_destroy(session);
	}
	free(dir);
	return r;
}

int mount_machine(const struct mount_options *o, char *why, size_t len)
{
	struct tree *tree;
	int r = -1;

	if (check_dir(o->dir, why, len) < 0)
		return -1;
	tree = tree_open(o->machine, why, len);
	if (!tree)
		return -1;
	tree->kill_at = o->kill_at;
	run_limit(tree->run, o->run_size);
	if (o->processes && processes_add(tree, o->processes, why, len) < 0) {
		tree_close(tree);
		return -1;
	}
	if (check_fuse(why, len) == 0 && open_trace(tree, o->trace, why, len) == 0) {
		r = mount_tree(tree, o, why, len);
		if (close_trace(tree, o->trace, why, r < 0 ? 0 : len) < 0)
			r = -1;
	}
	tree_close(tree);
	return r;
}
