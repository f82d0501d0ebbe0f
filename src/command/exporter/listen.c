/* SPDX-License-Identifier: BSD-3-Clause */
/* listen.c - see listen.h. */
#include "command/exporter/listen.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "command/base/text.h"

#define BACKLOG 64

static bool is_port(const char *text)
{
	const size_t n = strlen(text);

	return n > 0 && n <= 5 && strspn(text, "0123456789") == n && atoi(text) <= 65535;
}

/* Split where at the colon; the address may be in brackets, or "". */
static bool split(char *where, char **address, char **port)
{
	char *colon = strrchr(where, ':');
	const size_t n = colon ? (size_t)(colon - where) : 0;

	if (!colon || !is_port(colon + 1))
		return false;
	*colon = '\0';
	*port = colon + 1;
	*address = where;
	if (*where == '[' && where[n - 1] == ']') {
		where[n - 1] = '\0';
		*address = where + 1;
	}
	return *where == '[' || !strchr(*address, ':');
}

static int open_socket(const struct addrinfo *a)
{
	const int s = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	const int on = 1, off = 0;
	int error;

	if (s < 0)
		return -1;
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (a->ai_family == AF_INET6) /* "::" also accepts IPv4 */
		setsockopt(s, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
	if (bind(s, a->ai_addr, a->ai_addrlen) == 0 && listen(s, BACKLOG) == 0)
		return s;
	error = errno;
	close(s);
	errno = error;
	return -1;
}

static char *name_of(int s)
{
	struct sockaddr_storage a;
	socklen_t length = sizeof(a);
	char address[NI_MAXHOST], port[NI_MAXSERV];

	if (getsockname(s, (struct sockaddr *)&a, &length) < 0 ||
	    getnameinfo((struct sockaddr *)&a, length, address, sizeof(address), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		return text_of("%s", "?");
	return strchr(address, ':') ? text_of("[%s]:%s", address, port)
				    : text_of("%s:%s", address, port);
}

/* Bind the first address that works; on failure errno is from the last one. */
static int open_first(const struct addrinfo *list)
{
	int s = -1;

	for (; s < 0 && list; list = list->ai_next)
		s = open_socket(list);
	return s;
}

static int listen_to(const char *address, const char *port, char **why)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
				       .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	struct addrinfo *list = NULL;
	int s = -1, code;

	/* all addresses: IPv6 includes IPv4; fall back to IPv4 on kernels without IPv6 */
	code = getaddrinfo(*address ? address : "::", port, &hints, &list);
	if (code == 0)
		s = open_first(list);
	if (list)
		freeaddrinfo(list);
	if (s < 0 && !*address && errno == EAFNOSUPPORT)
		return listen_to("0.0.0.0", port, why);
	if (code == 0)
		*why = text_of("%s", strerror(errno));
	else
		*why = text_of("%s", code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code));
	return s;
}

bool listen_is_place(const char *where)
{
	char *copy = text_of("%s", where), *address, *port;
	const bool is = split(copy, &address, &port);

	free(copy);
	return is;
}

int listen_at(const char *where, char **text)
{
	char *copy = text_of("%s", where), *address, *port, *why = NULL;
	int s = -1;

	if (!split(copy, &address, &port)) {
		*text = text_of("invalid address and port: %s", where);
	} else {
		s = listen_to(address, port, &why);
		*text = s >= 0 ? name_of(s)
			       : text_of("cannot listen at %s: %s; use another address or port "
					 "(--listen)",
					 where, why);
	}
	free(why);
	free(copy);
	return s;
}
