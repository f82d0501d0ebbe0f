/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ops.c - FUSE operations.  The inode number of a file is the address of its node.
 *
 * The kernel implements file locks, because no operations for them are defined here.  All access
 * to run/uncore passes the kernel, but names and attributes there are not cached, since they
 * change.
 */
#include "ops.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "processes.h"
#include "run.h"
#include "tree.h"

#define FOREVER 3600 /* seconds that the kernel may remember a file that never changes */

static struct tree *tree_of(fuse_req_t req)
{
	return fuse_req_userdata(req);
}

static struct node *node_of(fuse_req_t req, fuse_ino_t ino)
{
	struct node *n = NULL;

	if (ino == FUSE_ROOT_ID)
		return tree_of(req)->root;
	memcpy(&n, &ino, sizeof(n));
	return n;
}

static bool changes(const struct node *n)
{
	return n->kind == NODE_RUN || n->kind == NODE_FILE;
}

static double timeout_of(const struct node *n)
{
	return changes(n) || n->changes ? 0 : FOREVER;
}

static void ops_init(void *tree, struct fuse_conn_info *conn)
{
	(void)tree;
	/* Let the kernel truncate files and clear set-user-ID bits through setattr(). */
	conn->want &= ~(unsigned)(FUSE_CAP_ATOMIC_O_TRUNC | FUSE_CAP_HANDLE_KILLPRIV);
}

/* ---- attributes ---- */

/* As on a real machine: registers are for root, and sizes are set where the kernel sets them. */
static mode_t mode_of(const struct node *n)
{
	switch (n->kind) {
	case NODE_DIR:
		return S_IFDIR | 0755;
	case NODE_LINK:
		return S_IFLNK | 0777;
	case NODE_MSR:
	case NODE_MEMORY:
		return S_IFREG | 0600;
	case NODE_CONFIG:
	case NODE_KILL_AT:
		return S_IFREG | 0644;
	case NODE_ADVANCE:
		return S_IFREG | 0200;
	default:
		return S_IFREG | (n->take ? 0644 : 0444);
	}
}

static void stat_of(struct tree *tree, struct node *n, struct stat *st)
{
	if (changes(n)) {
		run_stat(tree->run, n, st);
		return;
	}
	memset(st, 0, sizeof(*st));
	st->st_ino = n->ino;
	st->st_mode = mode_of(n);
	st->st_nlink = n->kind == NODE_DIR ? 2 : 1;
	st->st_size = (off_t)n->size;
	st->st_uid = geteuid();
	st->st_gid = getegid();
	processes_stat(tree, n, st);
}

static void ops_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct node *n = node_of(req, ino);
	struct stat st;

	(void)fi;
	stat_of(tree_of(req), n, &st);
	fuse_reply_attr(req, &st, timeout_of(n));
}

static void ops_readlink(fuse_req_t req, fuse_ino_t ino)
{
	const struct node *n = node_of(req, ino);

	if (n->kind == NODE_LINK)
		fuse_reply_readlink(req, n->text);
	else
		fuse_reply_err(req, EINVAL);
}

/* `echo ... >file` truncates the file first: ignore this. */
static int set_nothing(const struct node *n, int what)
{
	if (what & ~FUSE_SET_ATTR_SIZE)
		return -EPERM;
	return file_can_write(n) ? 0 : -EACCES;
}

static void ops_setattr(fuse_req_t req, fuse_ino_t ino, struct stat *to, int what,
			struct fuse_file_info *fi)
{
	struct node *n = node_of(req, ino);
	struct stat st;
	int r;

	(void)fi;
	stat_of(tree_of(req), n, &st);
	r = changes(n) ? run_set(tree_of(req)->run, n, to, what, &st) : set_nothing(n, what);
	if (r < 0)
		fuse_reply_err(req, -r);
	else
		fuse_reply_attr(req, &st, timeout_of(n));
}

static void ops_statfs(fuse_req_t req, fuse_ino_t ino)
{
	struct statvfs st;

	(void)ino;
	run_statfs(tree_of(req)->run, &st);
	fuse_reply_statfs(req, &st);
}

/* ---- names ---- */

static struct fuse_entry_param entry_of(struct tree *tree, struct node *n)
{
	struct fuse_entry_param e = {.entry_timeout = FOREVER};

	if (!n)
		return e; /* the kernel caches the negative entry */
	memcpy(&e.ino, &n, sizeof(n));
	e.generation = n->ino;
	e.attr_timeout = timeout_of(n);
	e.entry_timeout = n->kind == NODE_FILE || processes_own(n) ? 0 : FOREVER;
	stat_of(tree, n, &e.attr);
	return e;
}

/* For a node with a reference count: if the reply fails, the kernel holds no reference. */
static void reply_entry(fuse_req_t req, int r, struct node *n)
{
	struct tree *tree = tree_of(req);
	struct fuse_entry_param e;

	if (r < 0) {
		fuse_reply_err(req, -r);
		return;
	}
	e = entry_of(tree, n);
	if (fuse_reply_entry(req, &e) != 0 && n && n->kind == NODE_FILE)
		run_forget(tree->run, n, 1);
}

static void ops_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	const struct node *dir = node_of(req, parent);
	struct node *n = NULL;
	int r = 0;

	if (dir->kind == NODE_RUN)
		r = run_lookup(tree_of(req)->run, name, &n);
	else if (dir->changes)
		r = (n = processes_child(tree_of(req), dir, name)) ? 0 : -ENOENT;
	else
		n = tree_child(dir, name);
	reply_entry(req, r, n);
}

static void forget(fuse_req_t req, fuse_ino_t ino, uint64_t n)
{
	struct node *node = node_of(req, ino);

	if (node->kind == NODE_FILE)
		run_forget(tree_of(req)->run, node, n);
}

static void ops_forget(fuse_req_t req, fuse_ino_t ino, uint64_t n)
{
	forget(req, ino, n);
	fuse_reply_none(req);
}

static void ops_forget_multi(fuse_req_t req, size_t n, struct fuse_forget_data *list)
{
	for (size_t i = 0; i < n; i++)
		forget(req, list[i].ino, list[i].nlookup);
	fuse_reply_none(req);
}

static bool is_run(fuse_req_t req, fuse_ino_t dir)
{
	return node_of(req, dir)->kind == NODE_RUN;
}

static void ops_link(fuse_req_t req, fuse_ino_t ino, fuse_ino_t dir, const char *name)
{
	struct node *n = node_of(req, ino);
	const bool possible = n->kind == NODE_FILE && is_run(req, dir);

	reply_entry(req, possible ? run_link(tree_of(req)->run, n, name) : -EPERM, n);
}

static void ops_unlink(fuse_req_t req, fuse_ino_t dir, const char *name)
{
	fuse_reply_err(req, is_run(req, dir) ? -run_unlink(tree_of(req)->run, name) : EPERM);
}

static void ops_rename(fuse_req_t req, fuse_ino_t dir, const char *name, fuse_ino_t to_dir,
		       const char *to, unsigned flags)
{
	const bool possible = is_run(req, dir) && is_run(req, to_dir);

	fuse_reply_err(req, possible ? -run_rename(tree_of(req)->run, name, to, flags) : EPERM);
}

/* Only regular files are supported, and they are created by open(). */
static void ops_mknod(fuse_req_t req, fuse_ino_t dir, const char *name, mode_t mode, dev_t dev)
{
	(void)dir;
	(void)name;
	(void)mode;
	(void)dev;
	fuse_reply_err(req, EPERM);
}

static void ops_mkdir(fuse_req_t req, fuse_ino_t dir, const char *name, mode_t mode)
{
	const struct fuse_ctx *ctx = fuse_req_ctx(req);
	const struct processes_caller by = {ctx->uid, ctx->gid};
	struct node *n = NULL;
	const int r = processes_make_group(tree_of(req), node_of(req, dir), name, &by, &n);

	(void)mode;
	reply_entry(req, r, n);
}

static void ops_symlink(fuse_req_t req, const char *text, fuse_ino_t dir, const char *name)
{
	(void)text;
	ops_mknod(req, dir, name, 0, 0);
}

static void ops_rmdir(fuse_req_t req, fuse_ino_t dir, const char *name)
{
	fuse_reply_err(req, -processes_remove_group(tree_of(req), node_of(req, dir), name));
}

struct listed {
	struct run_entry entry;
	mode_t mode;
};

/* Names keep their place; those that have gone are skipped. */
static bool next_node(struct tree *tree, const struct node *dir, uint64_t place, struct listed *out)
{
	const struct node *n;
	uint64_t i = 0;

	processes_lock(tree);
	n = dir->first;
	while (n && (i < place || processes_hide(tree, n))) {
		n = n->next;
		i++;
	}
	processes_unlock(tree);
	if (!n)
		return false;
	snprintf(out->entry.name, sizeof(out->entry.name), "%s", n->name);
	out->entry.ino = n->ino;
	out->entry.place = i + 1;
	out->mode = n->kind == NODE_RUN ? S_IFDIR : mode_of(n);
	return true;
}

/* The first two positions are "." and "..", whose inode numbers the kernel knows. */
static bool next_listed(struct tree *tree, const struct node *dir, uint64_t place,
			struct listed *out)
{
	bool more;

	if (place < 2) {
		*out = (struct listed){{".", dir->ino, place + 1}, S_IFDIR};
		if (place)
			out->entry.name[1] = '.';
		return true;
	}
	out->mode = S_IFREG;
	more = dir->kind == NODE_RUN ? run_list(tree->run, place - 2, &out->entry)
				     : next_node(tree, dir, place - 2, out);
	out->entry.place += 2;
	return more;
}

static void ops_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t place,
			struct fuse_file_info *fi)
{
	char *buffer = malloc(size);
	struct listed next = {.entry.place = (uint64_t)place};
	size_t filled = 0;

	(void)fi;
	if (!buffer) {
		fuse_reply_err(req, ENOMEM);
		return;
	}
	while (next_listed(tree_of(req), node_of(req, ino), next.entry.place, &next)) {
		const struct stat st = {.st_ino = next.entry.ino, .st_mode = next.mode};
		const size_t need =
			fuse_add_direntry(req, buffer + filled, size - filled, next.entry.name, &st,
					  (off_t)next.entry.place);

		if (need > size - filled)
			break;
		filled += need;
	}
	fuse_reply_buf(req, buffer, filled);
	free(buffer);
}

/* ---- open files ---- */

static void ops_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct run *run = tree_of(req)->run;
	struct node *n = node_of(req, ino);

	if (n->kind == NODE_FILE)
		run_open(run, n);
	else if ((fi->flags & O_ACCMODE) != O_RDONLY && !file_can_write(n)) {
		fuse_reply_err(req, EACCES);
		return;
	}
	fi->direct_io = 1; /* every read is a read of the register */
	if (fuse_reply_open(req, fi) != 0 && n->kind == NODE_FILE)
		run_close(run, n);
}

static void ops_create(fuse_req_t req, fuse_ino_t dir, const char *name, mode_t mode,
		       struct fuse_file_info *fi)
{
	const struct fuse_ctx *ctx = fuse_req_ctx(req);
	const struct run_new_file as = {mode, ctx->uid, ctx->gid};
	struct tree *tree = tree_of(req);
	struct fuse_entry_param e;
	struct node *n;
	const int r = is_run(req, dir) ? run_create(tree->run, name, &as, &n) : -EACCES;

	if (r < 0) {
		fuse_reply_err(req, -r);
		return;
	}
	e = entry_of(tree, n);
	fi->direct_io = 1;
	if (fuse_reply_create(req, &e, fi) != 0) {
		run_close(tree->run, n);
		run_forget(tree->run, n, 1);
	}
}

static void ops_release(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi)
{
	struct node *n = node_of(req, ino);

	(void)fi;
	if (n->kind == NODE_FILE)
		run_close(tree_of(req)->run, n);
	fuse_reply_err(req, 0);
}

static void ops_read(fuse_req_t req, fuse_ino_t ino, size_t len, off_t offset,
		     struct fuse_file_info *fi)
{
	struct tree *tree = tree_of(req);
	struct node *n = node_of(req, ino);
	char *buffer = malloc(len ? len : 1);
	ssize_t r = -ENOMEM;

	(void)fi;
	if (buffer && n->kind == NODE_FILE)
		r = run_read(tree->run, n, buffer, len, (uint64_t)offset);
	else if (buffer)
		r = file_read(tree, n, fuse_req_ctx(req)->pid, buffer, len, (uint64_t)offset);
	if (r < 0)
		fuse_reply_err(req, (int)-r);
	else
		fuse_reply_buf(req, buffer, (size_t)r);
	free(buffer);
}

static void ops_write(fuse_req_t req, fuse_ino_t ino, const char *from, size_t len, off_t offset,
		      struct fuse_file_info *fi)
{
	const struct writer by = {fuse_req_ctx(req)->pid, fuse_req_ctx(req)->uid};
	struct tree *tree = tree_of(req);
	struct node *n = node_of(req, ino);
	ssize_t r;

	if (n->kind == NODE_FILE)
		r = run_write(tree->run, n, from, len, (uint64_t)offset, fi->flags & O_APPEND);
	else
		r = file_write(tree, n, &by, from, len, (uint64_t)offset);
	if (r < 0)
		fuse_reply_err(req, (int)-r);
	else
		fuse_reply_write(req, (size_t)r);
}

/* Nothing to sync: files live as long as the simulated machine. */
static void ops_fsync(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *fi)
{
	(void)ino;
	(void)datasync;
	(void)fi;
	fuse_reply_err(req, 0);
}

static void ops_fallocate(fuse_req_t req, fuse_ino_t ino, int mode, off_t offset, off_t len,
			  struct fuse_file_info *fi)
{
	struct node *n = node_of(req, ino);
	int r = -EOPNOTSUPP;

	(void)fi;
	if (mode == 0 && n->kind == NODE_FILE)
		r = run_allocate(tree_of(req)->run, n, (uint64_t)offset + (uint64_t)len);
	fuse_reply_err(req, -r);
}

const struct fuse_lowlevel_ops mount_ops = {
	.init = ops_init,
	.lookup = ops_lookup,
	.forget = ops_forget,
	.forget_multi = ops_forget_multi,
	.getattr = ops_getattr,
	.setattr = ops_setattr,
	.readlink = ops_readlink,
	.mknod = ops_mknod,
	.mkdir = ops_mkdir,
	.unlink = ops_unlink,
	.rmdir = ops_rmdir,
	.symlink = ops_symlink,
	.rename = ops_rename,
	.link = ops_link,
	.open = ops_open,
	.read = ops_read,
	.write = ops_write,
	.release = ops_release,
	.fsync = ops_fsync,
	.fsyncdir = ops_fsync,
	.readdir = ops_readdir,
	.statfs = ops_statfs,
	.create = ops_create,
	.fallocate = ops_fallocate,
};
