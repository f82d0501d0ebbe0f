// SPDX-License-Identifier: BSD-3-Clause
#include "support/stress/shared.h"

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstring>
#include <ctime>
#include <stdexcept>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>

namespace support::stress
{

std::string machine_of(const Plan &plan)
{
	const bool more = plan.machine.find(':') != std::string::npos;

	return plan.machine + (more ? "," : ":") + "time=virtual";
}

int64_t real_ns()
{
	timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return int64_t(t.tv_sec) * 1000000000 + t.tv_nsec;
}

void Boxes::add(unsigned box)
{
	words[box / 64 % 16] |= uint64_t(1) << box % 64;
}

void Boxes::add(const Boxes &more)
{
	for (unsigned i = 0; i < 16; i++)
		words[i] |= more.words[i];
}

bool Boxes::meets(const Boxes &other) const
{
	for (unsigned i = 0; i < 16; i++)
		if (words[i] & other.words[i])
			return true;
	return false;
}

void Shared::add(Tally what, uint64_t n)
{
	tally[what] += n;
}

void Shared::trouble(const char *format, ...)
{
	const unsigned i = n_troubles++;
	va_list args;

	if (i >= kTroubles)
		return;
	va_start(args, format);
	vsnprintf(troubles[i], sizeof(troubles[i]), format, args);
	va_end(args);
}

bool Shared::lives(pid_t pid) const
{
	const unsigned n = n_deaths;

	if (kill(pid, 0) == 0 || errno == EPERM)
		return true;
	for (unsigned i = 0; i < n && i < kDeaths; i++)
		if (deaths[i].pid == pid && real_ns() - deaths[i].when < 1000000000)
			return true;
	return false;
}

Memory::Memory()
{
	void *at = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		throw std::runtime_error("no shared memory");
	shared = static_cast<Shared *>(at);
}

Memory::~Memory()
{
	munmap(shared, sizeof(Shared));
}

Gate::Gate(const std::string &directory)
    : queue(place(directory + "/queue")), gate(place(directory + "/gate"))
{
}

Gate::~Gate()
{
	close(queue);
	close(gate);
}

void Gate::enter(int how)
{
	take(queue, how);
	take(gate, how);
	take(queue, LOCK_UN);
}

void Gate::leave()
{
	take(gate, LOCK_UN);
}

int Gate::place(const std::string &path)
{
	const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		throw std::runtime_error(path + ": " + strerror(errno));
	return fd;
}

void Gate::take(int fd, int how)
{
	while (flock(fd, how) != 0 && errno == EINTR)
		;
}

Inside::Inside(Gate &gate) : gate(gate)
{
	gate.enter(LOCK_SH);
}

Inside::~Inside()
{
	gate.leave();
}

} // namespace support::stress
