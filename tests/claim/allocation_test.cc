// SPDX-License-Identifier: BSD-3-Clause
// allocation_test.cc - each allocation during a handle's life fails, once or together with all
// later ones. The call must report it and must succeed when repeated, counts must be correct,
// and registers must be restored. The address sanitizer checks for leaks.
#include <cstdarg>
#include <cstdlib>

#include <pthread.h>
#include <search.h>
#include <sys/mman.h>

#include "claim/allocations.h"
#include "claim/thread.h"
#include "sim/sim.h"
#include "support/fault_life.h"
#include "support/seeds.h"

using support::allocations;

thread_local support::Allocations support::allocations;

// Only in the unit test program, which is linked with --wrap for these functions.
extern "C" {
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
int __real_vasprintf(char **text, const char *format, va_list args);
void *__real_tsearch(const void *key, void **root, int (*compare)(const void *, const void *));
void *__real_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset);
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg);

void *__wrap_malloc(size_t size)
{
	return allocations.fails() ? nullptr : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return allocations.fails() ? nullptr : __real_calloc(n, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return allocations.fails() ? nullptr : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
	return allocations.fails() ? nullptr : __real_strdup(text);
}

int __wrap_vasprintf(char **text, const char *format, va_list args)
{
	return allocations.fails() ? -1 : __real_vasprintf(text, format, args);
}

__attribute__((format(printf, 2, 3))) int __wrap_asprintf(char **text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const int n = __wrap_vasprintf(text, format, args);
	va_end(args);
	return n;
}

void *__wrap_tsearch(const void *key, void **root, int (*compare)(const void *, const void *))
{
	return allocations.fails() ? nullptr : __real_tsearch(key, root, compare);
}

void *__wrap_mmap(void *at, size_t bytes, int prot, int flags, int fd, off_t offset)
{
	errno = ENOMEM;
	return allocations.fails() ? MAP_FAILED : __real_mmap(at, bytes, prot, flags, fd, offset);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *),
			  void *arg)
{
	return allocations.fails() ? EAGAIN : __real_pthread_create(thread, attr, run, arg);
}

unc_thread_create *__wrap_unc_libc_thread_create()
{
	return __wrap_pthread_create;
}
}

namespace
{

using support::life::Machine;

// An event of one box with its truth.
struct Counted {
	const char *name, *kind;
	uint64_t control, filter;
};

struct Case {
	const char *what, *machine;
	std::vector<Counted> events; // of box 0 of package 0
	unsigned interval_us;        // multiplexing interval
	bool stops;                  // the first event stops the set
};

std::ostream &operator<<(std::ostream &out, const Case &c)
{
	return out << c.what;
}

class Life
{
      public:
	explicit Life(const Case &c) : c(c)
	{
	}
	// Returns false if no allocation was left to fail.
	bool live()
	{
		const bool counted = open() && prepare() && count();

		watch(false);
		if (machine && machine->sim) {
			uncore_set_destroy(set);
			EXPECT_EQ(0, uncore_restore(machine->handle->u));
			if (machine->handle->code == 0)
				machine->expect_same({});
		}
		return counted;
	}

      private:
	static void watch(bool watched)
	{
		allocations.watched = watched;
	}
	// Calls f, which may run out of memory once. Returns whether it succeeded.
	template <typename F> bool may_lack(const char *what, F f)
	{
		int code;

		watch(true);
		code = f();
		watch(false);
		if (code >= 0)
			return true;
		EXPECT_EQ(UNCORE_ENOMEM, code) << what << ": " << message();
		EXPECT_NE(std::string::npos, message().find("memory")) << what << ": " << message();
		watch(true);
		code = f();
		watch(false);
		if (!allocations.lasts) {
			EXPECT_LE(0, code) << what << ": " << message();
		}
		return code >= 0;
	}
	std::string message() const
	{
		return machine->handle->u ? machine->handle->message() : "no memory for a handle";
	}
	bool open()
	{
		return may_lack("open", [&] {
			machine = std::make_unique<Machine>(c.machine);
			return machine->handle->code;
		});
	}
	bool prepare()
	{
		struct uncore *u = machine->handle->u;
		std::vector<unsigned> ids(c.events.size());
		auto stop_after = support::sized<uncore_stop_after>();
		bool ok = true;

		for (size_t i = 0; ok && i < ids.size(); i++)
			ok = may_lack("event", [&] {
				return uncore_event(
					u, (std::string(c.events[i].name) + ":box=0:pkg=0").c_str(),
					&ids[i]);
			});
		ok = ok && may_lack("create", [&] { return uncore_set_create(u, &set); });
		if (ok && c.interval_us)
			ok = may_lack("multiplex",
				      [&] { return uncore_set_multiplex(set, c.interval_us); });
		ok = ok && may_lack("assign",
				    [&] { return uncore_set_assign(set, ids.data(), ids.size()); });
		stop_after.count = 1000;
		if (ok && c.stops)
			ok = may_lack("stop after", [&] {
				return uncore_set_stop_after(set, &stop_after, 1, 0);
			});
		return ok && may_lack("plan", [&] { return plan(ids); });
	}
	int plan(const std::vector<unsigned> &ids)
	{
		struct uncore_plan *plan = nullptr;
		const int code =
			uncore_plan(machine->handle->u, ids.data(), ids.size(), nullptr, &plan);

		uncore_plan_free(plan);
		return code;
	}
	bool count()
	{
		std::vector<int64_t> values(c.events.size());
		bool ok = may_lack("start", [&] { return uncore_set_start(set); });

		for (int i = 0; ok && i < 4; i++) {
			machine->pass();
			ok = may_lack("window", [&] {
				unc_multiplex_next(set);
				return 0;
			});
		}
		ok = ok && may_lack("check", [&] { return uncore_set_check(set); });
		if (ok && c.stops)
			ok = may_lack("wait", [&] { return uncore_set_wait(set, 0); });
		if (!ok)
			return false;
		// a failure that cannot be reported later is reported here, once
		watch(true);
		const int code = uncore_set_stop(set);
		watch(false);
		EXPECT_TRUE(code == 0 || code == UNCORE_ENOMEM) << message();
		EXPECT_EQ(0, uncore_set_read(set, values.data()));
		for (size_t i = 0; code == 0 && !c.stops && i < values.size(); i++) {
			const double truth = sim_rate(machine->sim, 0, c.events[i].kind, 0,
						      c.events[i].control, c.events[i].filter) *
					     4 / 1000;

			EXPECT_NEAR(truth, static_cast<double>(values[i]),
				    4 + (c.interval_us ? truth / 50 : 0))
				<< c.events[i].name;
		}
		return code == 0;
	}

	const Case &c;
	std::unique_ptr<Machine> machine;
	struct uncore_set *set = nullptr;
};

class Allocation : public testing::TestWithParam<Case>
{
      protected:
	~Allocation() override
	{
		allocations = {};
	}
	// Fails every n-th allocation of a life.
	void each(bool lasts)
	{
		unsigned step = 1;

		allocations.at = UINT32_MAX;
		EXPECT_TRUE(Life(GetParam()).live());
		if (!support::is_all("FAULTS"))
			step = 1 + allocations.n / 120;
		for (unsigned at = 0; !HasFailure(); at += step) {
			SCOPED_TRACE("allocation " + std::to_string(at));

			allocations.at = at;
			allocations.n = 0;
			allocations.lasts = lasts;
			Life(GetParam()).live();
			if (!allocations.over())
				break;
		}
	}
};

TEST_P(Allocation, FailsOnce)
{
	each(false);
}

TEST_P(Allocation, FailsFromThenOn)
{
	each(true);
}

const Case kCases[] = {
	{"snbep",
	 "sim:snbep:packages=2,cores=2,time=virtual",
	 {{"UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbox", 0x0135, UINT64_C(0x182) << 23},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0}},
	 0,
	 false},
	{"snbep_in_turns",
	 "sim:snbep:packages=2,cores=2,time=virtual",
	 {{"UNC_C_TOR_OCCUPANCY:ALL", "cbox", 0x0836, 0},
	  {"UNC_C_RXR_OCCUPANCY:IRQ", "cbox", 0x0111, 0},
	  {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0}},
	 UNCORE_MULTIPLEX_US,
	 false},
	{"nhmex",
	 "sim:nhmex:packages=2,cores=2,time=virtual",
	 {{"UNC_C_LLC_MISSES", "cbox", 0x0714, 0}},
	 0,
	 false},
	{"skx_stops",
	 "sim:skx:packages=2,cores=2,time=virtual",
	 {{"UNC_C_CLOCKTICKS", "cha", 0, 0}, {"UNC_M_CAS_COUNT:RD", "imc", 0x0304, 0}},
	 0,
	 true},
	{"spr",
	 "sim:spr:packages=2,cores=2,time=virtual",
	 {{"spr_unc_cha::RAW:config=0x01", "cha", 0x01, 0},
	  {"spr_unc_imc::RAW:config=0x0101", "imc", 0x0101, 0}},
	 0,
	 false},
};

INSTANTIATE_TEST_SUITE_P(Machines, Allocation, testing::ValuesIn(kCases),
			 [](const auto &info) { return std::string(info.param.what); });

} // namespace
