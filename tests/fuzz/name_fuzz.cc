// SPDX-License-Identifier: BSD-3-Clause
// name_fuzz.cc - event names of any kind: no crash, no register write, a sentence for each
// refusal, and what is accepted keeps its word.
//
// The first byte of an input chooses the machine ('a' is the first), the rest is the name.
#include <cstring>
#include <string>

#include "fuzz/fuzz.h"
#include "hw/regs.h"
#include "set/inside.h"
#include "sim/sim.h"
#include "support/sized.h"
#include "uncore_inspect.h"

namespace
{

using fuzz::demand;

constexpr const char *kMachines[] = {
#define MACHINE(name) "sim:" #name ":time=virtual",
#include "sim/machines.def"
#undef MACHINE
	"sim:skx:packages=4,dies=2,time=virtual",
	"sim:snbep:numa=no,hide=3c43,time=virtual",
	"sim:spr:hbm=yes,time=virtual",
};
// The longest name that tools support.
constexpr char kCarried[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:=";
constexpr unsigned kNumbers = 4000; // every accepted name stays in a handle's table

class Machine
{
      public:
	~Machine()
	{
		uncore_close(u);
	}
	// Open, with room for more names.
	struct uncore *open(const char *machine)
	{
		if (n_accepted >= kNumbers) {
			uncore_close(u);
			u = nullptr;
			n_accepted = 0;
		}
		if (!u) {
			auto options = support::sized<uncore_options>();

			options.machine = machine;
			options.wrap_poller = -1;
			demand(uncore_open(&u, &options) == 0, "cannot be opened", machine);
		}
		return u;
	}

	unsigned n_accepted = 0;

      private:
	struct uncore *u = nullptr;
};

// A refusal names something.
void check_refused(struct uncore *u, int code, unsigned id, const char *name)
{
	char text[UNCORE_ERRMSG_MAX];

	demand(code < 0 && code >= UNCORE_EFORK, "unknown code", name);
	demand(fuzz::is_sentence(uncore_errmsg(u, text, sizeof(text))), "no sentence", name);
	demand(id == UINT32_MAX, "refused with a number", name);
}

// One event fits an idle machine.  A metric may not, and then there is a reason.
void check_plan(struct uncore *u, unsigned id, bool metric, const char *name)
{
	auto is = support::sized<struct uncore_plan_info>();
	auto assignment = support::sized<struct uncore_assignment_info>();
	struct uncore_plan *plan;

	demand(uncore_plan(u, &id, 1, nullptr, &plan) == 0, "no plan", name);
	demand(uncore_plan_info(plan, &is) == 0, "an unknown plan", name);
	if (is.feasible)
		demand(uncore_plan_assignment(plan, 0, &assignment) == 1, "an empty plan", name);
	else
		demand(metric && fuzz::is_sentence(is.reason), "does not fit", name);
	uncore_plan_free(plan);
}

// Each part is an event of its own, and has no parts but itself.
void check_parts(struct uncore *u, const char *name)
{
	unsigned part, same, i = 0;

	for (int r; (r = uncore_event_part(u, name, i, &part)) != 0 && i < 100; i++) {
		demand(r == 1, "an invalid part", name);
		demand(uncore_event_part(u, uncore_event_name(u, part), 0, &same) == 1 &&
			       same == part &&
			       uncore_event_part(u, uncore_event_name(u, part), 1, &same) == 0,
		       "a part with parts", name);
	}
	demand(i > 0, "an event without parts", name);
}

// An accepted name has one spelling, one number, and can be planned.
void check_accepted(struct uncore *u, unsigned id, const char *name)
{
	const char *canonical = uncore_event_name(u, id);
	auto info = support::sized<struct uncore_event_info>();
	unsigned again;

	demand(canonical && strlen(canonical) <= UNCORE_NAME_MAX, "no canonical name", name);
	demand(canonical[strspn(canonical, kCarried)] == '\0', "characters", canonical);
	demand(uncore_event(u, canonical, &again) == 0, "canonical name refused", canonical);
	demand(again == id, "canonical name has another number", canonical);
	demand(uncore_event_info(u, id, &info) == 0 && info.text[0] != '\0', "no text", canonical);
	check_parts(u, name);
	check_plan(u, id, info.formula[0] != '\0', canonical);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static Machine machines[std::size(kMachines)];
	const size_t which = fuzz::choice(data, size, std::size(kMachines));
	const std::string name(reinterpret_cast<const char *>(data) + (size > 0),
			       size - (size > 0));
	struct uncore *u = machines[which].open(kMachines[which]);
	unsigned id = UINT32_MAX;
	const int code = uncore_event(u, name.c_str(), &id);

	if (code == 0)
		check_accepted(u, id, name.c_str());
	else
		check_refused(u, code, id, name.c_str());
	machines[which].n_accepted += code == 0;
	demand(sim_writes(unc_hw_sim(unc_hw_of(u))) == 0, "a register was written", name.c_str());
	return 0;
}
