// SPDX-License-Identifier: BSD-3-Clause
// name_fuzz.cc - event names of any kind: no crash, and what is accepted keeps its word.
//
// Compiled with -DFUZZ_MAIN it runs the files given, for compilers without libFuzzer.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "support/plan.h"
#include "support/sized.h"
#include "uncore_inspect.h"

namespace
{

constexpr unsigned kInputsPerHandle = 20000; // every accepted name stays in a handle's table

struct uncore *machine()
{
	static struct uncore *u;
	static unsigned inputs;

	if (u && ++inputs % kInputsPerHandle == 0) {
		uncore_close(u);
		u = nullptr;
	}
	if (!u) {
		auto options = support::sized<uncore_options>();

		options.machine = "sim:snbep:time=virtual";
		options.wrap_poller = -1;
		if (uncore_open(&u, &options) != 0)
			abort();
	}
	return u;
}

void demand(bool fact, const char *what, const char *name)
{
	if (fact)
		return;
	fprintf(stderr, "%s: %s\n", what, name);
	abort();
}

// A refusal names something.
void check_refused(struct uncore *u, int code, const char *name)
{
	char text[UNCORE_ERRMSG_MAX];

	demand(code < 0 && code >= UNCORE_EFORK, "unknown code", name);
	demand(uncore_errmsg(u, text, sizeof(text))[0] != '\0', "no message", name);
}

// An accepted name has one spelling, one number, and can be planned.
void check_accepted(struct uncore *u, unsigned id, const char *name)
{
	const char *canonical = uncore_event_name(u, id);
	auto info = support::sized<struct uncore_event_info>();
	struct uncore_plan *plan;
	unsigned again;

	demand(canonical && strlen(canonical) <= UNCORE_NAME_MAX, "no canonical name", name);
	demand(uncore_event(u, canonical, &again) == 0, "canonical name refused", canonical);
	demand(again == id, "canonical name has another number", canonical);
	demand(uncore_event_info(u, id, &info) == 0 && info.text[0] != '\0', "no text", canonical);
	demand(uncore_plan(u, &id, 1, nullptr, &plan) == 0 && plan->feasible, "no plan", canonical);
	uncore_plan_free(plan);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const std::string name(reinterpret_cast<const char *>(data), size);
	struct uncore *u = machine();
	unsigned id = UINT32_MAX;
	const int code = uncore_event(u, name.c_str(), &id);

	if (code == 0)
		check_accepted(u, id, name.c_str());
	else
		check_refused(u, code, name.c_str());
	return 0;
}

#ifdef FUZZ_MAIN
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		FILE *file = fopen(argv[i], "rb");
		uint8_t data[4096];

		if (!file) {
			perror(argv[i]);
			return 1;
		}
		LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof(data), file));
		fclose(file);
	}
	printf("%d inputs\n", argc - 1);
	return 0;
}
#endif
