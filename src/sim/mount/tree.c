/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c - directories and files of a mounted machine. */
#include "tree.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct node *child(const struct node *dir, const char *name, size_t len)
{
	for (struct node *n = dir->first; n; n = n->next)
		if (strncmp(n->name, name, len) == 0 && n->name[len] == '\0')
			return n;
	return NULL;
}

struct node *tree_child(const struct node *dir, const char *name)
{
	return dir->kind == NODE_DIR ? child(dir, name, strlen(name)) : NULL;
}

/* Takes ownership of the name. */
static struct node *add(struct tree *tree, struct node *dir, enum node_kind kind, char *name)
{
	struct node *n = dir && name ? calloc(1, sizeof(*n)) : NULL;

	if (!n) {
		tree->no_memory = true;
		free(name);
		return NULL;
	}
	n->name = name;
	n->kind = kind;
	n->ino = ++tree->nodes;
	if (dir->last)
		dir->last->next = n;
	else
		dir->first = n;
	dir->last = n;
	return n;
}

static char *print(const char *format, va_list args)
{
	char *text;

	return vasprintf(&text, format, args) < 0 ? NULL : text;
}

struct node *tree_add(struct tree *tree, struct node *dir, enum node_kind kind, const char *format,
		      ...)
{
	va_list args;
	char *name;

	va_start(args, format);
	name = print(format, args);
	va_end(args);
	return add(tree, dir, kind, name);
}

struct node *tree_dir(struct tree *tree, struct node *dir, const char *format, ...)
{
	va_list args;
	char *path;

	va_start(args, format);
	path = print(format, args);
	va_end(args);
	if (!path)
		tree->no_memory = true;
	for (char *at = path; dir && at && *at;) {
		const size_t len = strcspn(at, "/");
		struct node *known = child(dir, at, len);

		dir = known ? known : add(tree, dir, NODE_DIR, strndup(at, len));
		at += len;
		at += strspn(at, "/");
	}
	free(path);
	return path ? dir : NULL;
}

void tree_take_text(struct tree *tree, struct node *dir, const char *name, char *text)
{
	struct node *n = text ? tree_add(tree, dir, NODE_TEXT, "%s", name) : NULL;

	if (!n) {
		tree->no_memory = true;
		free(text);
		return;
	}
	n->text = text;
	n->size = strlen(text);
}

void tree_text(struct tree *tree, struct node *dir, const char *name, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tree_take_text(tree, dir, name, print(format, args));
	va_end(args);
}
