/* SPDX-License-Identifier: BSD-3-Clause */
/* serve.c - the tree through FUSE, until somebody unmounts it. */
#define FUSE_USE_VERSION 32

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mount.h"
#include "tree.h"

#define FOREVER 3600 /* seconds that the kernel may remember a file that never changes */

/* ---- what FUSE asks for ---- */

static struct tree *tree_here(void)
{
	return fuse_get_context()->private_data;
}

/* Of an open file the node itself: its path is not told then. */
static const struct node *node_of(const char *path, const struct fuse_file_info *fi)
{
	const struct node *n = NULL;

	if (!fi || !fi->fh)
		return tree_find(tree_here(), path);
	memcpy(&n, &fi->fh, sizeof(n));
	return n;
}

static void *serve_init(struct fuse_conn_info *conn, struct fuse_config *config)
{
	(void)conn;
	config->nullpath_ok = 1;
	config->direct_io = 1; /* every read is a read of the register */
	config->entry_timeout = config->attr_timeout = config->negative_timeout = FOREVER;
	return tree_here();
}

/* As on a real machine: registers for root, and sizes where the kernel tells any. */
static mode_t mode_of(const struct node *n)
{
	switch (n->kind) {
	case NODE_DIR:
		return S_IFDIR | 0755;
	case NODE_MSR:
	case NODE_MEMORY:
		return S_IFREG | 0600;
	case NODE_CONFIG:
		return S_IFREG | 0644;
	case NODE_ADVANCE:
		return S_IFREG | 0200;
	default:
		return S_IFREG | 0444;
	}
}

static int serve_getattr(const char *path, struct stat *st, struct fuse_file_info *fi)
{
	const struct node *n = node_of(path, fi);

	if (!n)
		return -ENOENT;
	memset(st, 0, sizeof(*st));
	st->st_mode = mode_of(n);
	st->st_nlink = n->kind == NODE_DIR ? 2 : 1;
	st->st_size = (off_t)n->size;
	st->st_uid = geteuid();
	st->st_gid = getegid();
	return 0;
}

static int serve_open(const char *path, struct fuse_file_info *fi)
{
	const struct node *n = tree_find(tree_here(), path);

	if (!n)
		return -ENOENT;
	if ((fi->flags & O_ACCMODE) != O_RDONLY && !file_can_write(n))
		return -EACCES;
	memcpy(&fi->fh, &n, sizeof(n));
	return 0;
}

/* What `echo ... >file` does first; there is nothing to cut. */
static int serve_truncate(const char *path, off_t size, struct fuse_file_info *fi)
{
	const struct node *n = node_of(path, fi);

	(void)size;
	return !n ? -ENOENT : file_can_write(n) ? 0 : -EACCES;
}

static int serve_read(const char *path, char *to, size_t len, off_t offset,
		      struct fuse_file_info *fi)
{
	return (int)file_read(tree_here(), node_of(path, fi), fuse_get_context()->pid, to, len,
			      (uint64_t)offset);
}

static int serve_write(const char *path, const char *from, size_t len, off_t offset,
		       struct fuse_file_info *fi)
{
	return (int)file_write(tree_here(), node_of(path, fi), fuse_get_context()->pid, from, len,
			       (uint64_t)offset);
}

static int serve_readdir(const char *path, void *buf, fuse_fill_dir_t fill, off_t offset,
			 struct fuse_file_info *fi, enum fuse_readdir_flags flags)
{
	const struct node *dir = node_of(path, fi);

	(void)offset;
	(void)flags;
	if (!dir || dir->kind != NODE_DIR)
		return -ENOTDIR;
	fill(buf, ".", NULL, 0, 0);
	fill(buf, "..", NULL, 0, 0);
	for (const struct node *n = dir->first; n; n = n->next)
		fill(buf, n->name, NULL, 0, 0);
	return 0;
}

static const struct fuse_operations operations = {
	.init = serve_init,
	.getattr = serve_getattr,
	.open = serve_open,
	.opendir = serve_open,
	.truncate = serve_truncate,
	.read = serve_read,
	.write = serve_write,
	.readdir = serve_readdir,
};

/* ---- before: whatever can be told in a better sentence than FUSE's ---- */

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
		snprintf(why, len, "there is no directory %s: make it first (mkdir %s)", dir, dir);
	else if (error == ENOTCONN)
		snprintf(why, len,
			 "%s is the place of a mount whose server is gone: take it away with "
			 "`fusermount3 -u %s`",
			 dir, dir);
	else if (error)
		snprintf(why, len, "directory %s: %s", dir, strerror(error));
	else
		snprintf(why, len,
			 "directory %s is not empty, and its files would be hidden: name an "
			 "empty one",
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
			 "there is no /dev/fuse: load the module (modprobe fuse); in a "
			 "container, let the device in (--device /dev/fuse)");
	else
		snprintf(why, len, "/dev/fuse: %s; run as root, or get access to the device",
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
		snprintf(why, len, "trace %s is not complete: it could not be written", file);
	return bad ? -1 : 0;
}

/* ---- while ---- */

static void greet(const struct mount_options *o, const char *dir)
{
	printf("%s (SIMULATED) is mounted at %s\n"
	       "  use it:  UNCORE_SYSROOT=%s uncore show\n"
	       "  end it:  %sfusermount3 -u %s (or umount)\n",
	       o->machine, dir, dir, o->background ? "" : "Ctrl-C, or ", dir);
	fflush(stdout);
}

/* The loop ends with 0 when unmounted, with the signal's number after a signal. */
static int serve(struct fuse *fuse, const struct mount_options *o, const char *dir, char *why,
		 size_t len)
{
	struct fuse_loop_config config = {.clone_fd = 0, .max_idle_threads = 10};
	int r;

	greet(o, dir);
	if (fuse_daemonize(!o->background) != 0) {
		snprintf(why, len, "cannot go to the background: %s", strerror(errno));
		return -1;
	}
	if (fuse_set_signal_handlers(fuse_get_session(fuse)) != 0) {
		snprintf(why, len, "the handlers of signals could not be set");
		return -1;
	}
	r = fuse_loop_mt(fuse, &config);
	fuse_remove_signal_handlers(fuse_get_session(fuse));
	if (r < 0)
		snprintf(why, len, "serving %s failed: %s", dir, strerror(-r));
	return r < 0 ? -1 : 0;
}

/* Others than the mounting user may look as on a real machine; only root may allow that. */
static struct fuse *new_fuse(struct tree *tree)
{
	char name[] = "uncore", option[] = "-o",
	     shared[] = "fsname=uncore-sim,subtype=uncore,"
			"default_permissions,allow_other";
	char own[] = "fsname=uncore-sim,subtype=uncore,default_permissions";
	char *words[] = {name, option, geteuid() == 0 ? shared : own, NULL};
	struct fuse_args args = FUSE_ARGS_INIT(3, words);

	return fuse_new(&args, &operations, sizeof(operations), tree);
}

static int mount_tree(struct tree *tree, const struct mount_options *o, char *why, size_t len)
{
	char *dir = realpath(o->dir, NULL);
	struct fuse *fuse = dir ? new_fuse(tree) : NULL;
	int r = -1;

	if (!fuse)
		snprintf(why, len, "libfuse could not be started for %s", o->dir);
	else if (fuse_mount(fuse, dir) != 0)
		snprintf(why, len,
			 "%s could not be mounted: install the package fuse3 or run as root; a "
			 "container needs the right to mount",
			 dir);
	else
		r = serve(fuse, o, dir, why, len);
	if (fuse) {
		fuse_unmount(fuse);
		fuse_destroy(fuse);
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
	if (check_fuse(why, len) == 0 && open_trace(tree, o->trace, why, len) == 0) {
		r = mount_tree(tree, o, why, len);
		if (close_trace(tree, o->trace, why, r < 0 ? 0 : len) < 0)
			r = -1;
	}
	tree_close(tree);
	return r;
}
