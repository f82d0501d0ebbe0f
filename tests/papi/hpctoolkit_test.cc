// SPDX-License-Identifier: BSD-3-Clause
// hpctoolkit_test.cc - the calls that HPCToolkit's PAPI sample source makes, in their
// order: hpcrun -e uncore:::EVENT@THRESHOLD -e ... a program with threads.
#include "papi/papi_calls.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <filesystem>

#include <dlfcn.h>
#include <pthread.h>

namespace
{

std::atomic<unsigned> threads_seen;

} // namespace

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// hpcrun replaces this function. While it initializes, and it calls PAPI_start() then, its own
// waits for the end of the initialization.
extern "C" int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*body)(void *),
			      void *arg)
{
	static const auto next =
		reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));

	threads_seen++;
	return next(thread, attr, body, arg);
}
#endif

namespace
{

struct Request {
	int code, component, threshold;
	bool proxy; // threshold 0: hpcrun adds it, but reads only events that PAPI calls derived
};

// The state that hpcrun has for each thread.
struct Thread {
	int set = PAPI_NULL;
	std::atomic<int> samples[4];
	std::atomic<long long> proxied, before;
	std::atomic<int> errors;
};

std::vector<Request> requests;
thread_local Thread *self;

int index_of(int code)
{
	for (size_t i = 0; i < requests.size(); i++)
		if (requests[i].code == code)
			return static_cast<int>(i);
	return -1;
}

void on_sample(int set, void *pc, long long vector, void *context)
{
	Thread *t = self;
	long long values[4] = {};
	int index[4], codes[4], n = 4, n_codes = 4;

	if (!t || !vector || !pc || !context)
		return;
	t->errors += PAPI_get_eventset_component(set) != requests[0].component;
	t->errors += PAPI_read(set, values) != PAPI_OK;
	t->errors += PAPI_get_overflow_event_index(set, vector, index, &n) != PAPI_OK;
	t->errors += PAPI_list_events(set, codes, &n_codes) != PAPI_OK;
	for (int i = 0; i < n; i++) {
		const int event = index_of(codes[index[i]]);

		t->errors += event < 0 || requests[static_cast<size_t>(event)].proxy;
		if (event >= 0)
			t->samples[event]++;
	}
	for (size_t i = 0; i < requests.size(); i++)
		if (requests[i].proxy)
			t->proxied += values[i] - t->before;
	t->errors += PAPI_read(set, values) != PAPI_OK;
	t->before = values[requests.size() - 1];
}

// supports_event, process_event_list
void ask_for(const char *name, int threshold, bool proxy)
{
	char buffer[PAPI_MAX_STR_LEN + 10];
	PAPI_event_info_t info;
	Request r = {0, 0, threshold, proxy};

	ASSERT_EQ(PAPI_OK, PAPI_event_name_to_code(name, &r.code));
	ASSERT_EQ(PAPI_OK, PAPI_query_event(r.code));
	ASSERT_EQ(PAPI_OK, PAPI_event_code_to_name(r.code, buffer));
	EXPECT_STREQ(name, buffer);
	ASSERT_EQ(PAPI_OK, PAPI_get_event_info(r.code, &info));
	EXPECT_STREQ("", info.derived) << "would be a proxy only";
	r.component = PAPI_get_event_component(r.code);
	const PAPI_component_info_t *component = PAPI_get_component_info(r.component);
	ASSERT_NE(nullptr, component);
	EXPECT_NE(0, strncmp(component->name, "intel", 5)) << "would not be sampled";
	EXPECT_EQ(0, component->disabled) << "would not be listed";
	requests.push_back(r);
}

// gen_event_set, start
void begin(Thread &t)
{
	ASSERT_EQ(PAPI_OK, PAPI_create_eventset(&t.set));
	ASSERT_EQ(PAPI_OK, PAPI_assign_eventset_component(t.set, requests[0].component));
	for (const Request &r : requests)
		ASSERT_EQ(PAPI_OK, PAPI_add_event(t.set, r.code));
	for (const Request &r : requests)
		if (!r.proxy) {
			ASSERT_EQ(PAPI_OK, PAPI_overflow(t.set, r.code, r.threshold, 0, on_sample));
		}
	self = &t;
	ASSERT_EQ(PAPI_OK, PAPI_start(t.set));
}

// stop; hpcrun leaves the rest to PAPI_shutdown()
void end(Thread &t)
{
	long long values[6] = {};

	ASSERT_EQ(PAPI_OK, PAPI_stop(t.set, values));
	self = nullptr;
	EXPECT_EQ(0, t.errors);
	for (size_t i = 0; i < requests.size(); i++) {
		EXPECT_GT(values[i], 0);
		if (!requests[i].proxy) {
			EXPECT_LE(t.samples[i], values[i] / requests[i].threshold);
		}
	}
	EXPECT_GT(t.proxied, 0);
	EXPECT_LE(t.proxied, values[requests.size() - 1]);
}

void work(const Thread &t, int samples)
{
	for (const double last = now() + 5;
	     std::min<int>(t.samples[0], t.samples[1]) < samples && now() < last;)
		spin_ms(1);
	EXPECT_GE(t.samples[0], samples);
	EXPECT_GE(t.samples[1], samples);
}

// A thread that has been joined may still be listed for a moment.
bool threads_become(long n)
{
	const auto running = [] {
		return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
	};

	for (const double last = now() + 5; running() != n && now() < last;)
		wait_ms(1);
	return running() == n;
}

TEST(HpcToolkit, StartsNoThreadThatItSees)
{
	const WithoutPapi own;
	Thread first{};

	if (kSanitizer)
		GTEST_SKIP() << "a sanitizer has to see all threads";
	requests.clear();
	papi_init();
	EXPECT_EQ(PAPI_OK, PAPI_register_thread());
	ask_for("uncore:::UNC_M_CAS_COUNT:RD", 4000000, false);
	if (HasFatalFailure())
		return;
	EXPECT_TRUE(threads_become(1));
	threads_seen = 0;
	begin(first);
	EXPECT_EQ(0U, threads_seen);
	EXPECT_TRUE(threads_become(2)) << "no wrap poller";
	EXPECT_EQ(PAPI_OK, PAPI_stop(first.set, nullptr));
	self = nullptr;
	PAPI_shutdown();
	EXPECT_TRUE(threads_become(1));
}

TEST(HpcToolkit, SamplesEachThreadOfAProgram)
{
	const WithoutPapi own;
	Thread first{};

	requests.clear();
	papi_init();
	EXPECT_EQ(PAPI_OK, PAPI_register_thread());
	ask_for("uncore:::UNC_M_CAS_COUNT:RD", 4000000, false);
	ask_for("uncore:::UNC_P_CLOCKTICKS", 24000000, false);
	ask_for("uncore:::UNC_M_CAS_COUNT:WR", 1, true);
	if (HasFatalFailure())
		return;
	begin(first);
	work(first, 2);
	in_threads(2, [](unsigned i) {
		Thread t{};

		begin(t);
		work(t, i ? 4 : 1);
		end(t);
	});
	work(first, first.samples[0] + 2); // continues after the threads have ended
	// sampling off and on: hpctoolkit_sampling_stop(), _start()
	EXPECT_EQ(PAPI_OK, PAPI_stop(first.set, nullptr));
	for (auto &n : first.samples)
		n = 0;
	first.proxied = first.before = 0;
	EXPECT_EQ(PAPI_OK, PAPI_start(first.set));
	work(first, 2);
	end(first);
	PAPI_shutdown();
}

} // namespace
