/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proxy.c - the messages of QEMU's multi-process devices: a header with a
 * command and a size, that many bytes, and file descriptors with it.
 */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "proxy.h"

enum { SYNC_SYSMEM, RET, CFGWRITE, CFGREAD, BAR_WRITE, BAR_READ, SET_IRQFD, DEVICE_RESET };

struct header {
	int32_t command;
	uint64_t size;
};

struct config_access {
	uint32_t address, value;
	int32_t length;
};

#define MOST_FDS   16
#define MOST_BYTES 4096

/* The memory and the interrupts that QEMU offers are not needed. */
static void close_all(struct msghdr *message)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
		const size_t bytes = c->cmsg_len - CMSG_LEN(0);
		int fd;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < bytes / sizeof(fd); i++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			close(fd);
		}
	}
}

/* A stream gives what it has: exactly that many bytes, or false. */
static bool receive(int socket, void *to, size_t bytes)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(MOST_FDS * sizeof(int))];
	} rights;

	for (size_t got = 0; got < bytes;) {
		struct iovec part = {(char *)to + got, bytes - got};
		struct msghdr message = {.msg_iov = &part,
					 .msg_iovlen = 1,
					 .msg_control = &rights,
					 .msg_controllen = sizeof(rights)};
		const ssize_t n = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		close_all(&message);
		got += (size_t)n;
	}
	return true;
}

static bool reply(int socket, uint64_t value)
{
	const struct {
		struct header header;
		uint64_t value;
	} message = {{RET, sizeof(value)}, value};

	return send(socket, &message, sizeof(message), MSG_NOSIGNAL) == (ssize_t)sizeof(message);
}

static bool config(struct lab *lab, const struct lab_function *function, int32_t command,
		   const struct config_access *access)
{
	const unsigned bytes = (unsigned)access->length;
	uint64_t value = 0;

	if (command == CFGREAD)
		value = lab_config_read(lab, function, access->address, bytes);
	else
		lab_config_write(lab, function, access->address, bytes, access->value);
	return reply(function->fd, value);
}

bool lab_serve(struct lab *lab, const struct lab_function *function)
{
	union {
		struct config_access config;
		char room[MOST_BYTES];
	} data;
	struct header header;

	if (!receive(function->fd, &header, sizeof(header)) || header.size > sizeof(data) ||
	    !receive(function->fd, &data, header.size))
		return false;
	switch (header.command) {
	case CFGREAD:
	case CFGWRITE:
		return header.size >= sizeof(data.config) && data.config.length >= 1 &&
		       data.config.length <= 4 &&
		       config(lab, function, header.command, &data.config);
	case BAR_WRITE:
	case BAR_READ:
	case DEVICE_RESET:
		return reply(function->fd, 0);
	default: /* SYNC_SYSMEM and SET_IRQFD expect no answer */
		return true;
	}
}
