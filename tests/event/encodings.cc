// SPDX-License-Identifier: BSD-3-Clause
// encodings.cc - prints what the library knows of the events of simulated machines, to compare two
// versions of the tables (docs/adding.md): a line for each listed event, alone and with each umask
// and qualifier, and for each row of the tables, with each umask and each two neighbouring ones.
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "support/machines.h"
#include "types.h"
#include "uncore.h"
#include "uncore_inspect.h"

namespace
{

constexpr char kUsage[] =
	"Usage: encodings [MACHINE]...\n"
	"Print the events of simulated machines with their encodings, of all machines by default\n";

class Printer
{
      public:
	explicit Printer(const std::string &machine)
	{
		const std::string name = "sim:" + machine;
		uncore_options options = {};

		options.size = sizeof(options);
		options.machine = name.c_str();
		failed = uncore_open(&u, &options) < 0;
	}

	~Printer()
	{
		uncore_close(u);
	}

	Printer(const Printer &) = delete;
	Printer &operator=(const Printer &) = delete;

	void listed()
	{
		unsigned id = 0;

		for (unsigned i = 0; uncore_listed_event(u, i, &id) == 1; i++) {
			unsigned part = 0;

			event(id);
			for (unsigned k = 0; uncore_event_umask(u, id, k, &part) == 1; k++)
				event(part);
			qualifiers(id);
		}
	}

	/* Unlisted rows, too. */
	void rows(const unc_row *row)
	{
		std::string name, before;

		for (; row && *row->name; row++) {
			if (!row->umask) {
				named(name = row->name);
				before.clear();
				continue;
			}
			named(name + ":" + row->name);
			if (!before.empty())
				named(name + before + ":" + row->name);
			before = std::string(":") + row->name;
		}
	}

	bool failed = false;

      private:
	std::string message()
	{
		char text[1024];

		return uncore_errmsg(u, text, sizeof(text));
	}

	void named(const std::string &name)
	{
		unsigned id = 0;

		printf("%s: ", name.c_str());
		if (uncore_event(u, name.c_str(), &id) < 0)
			printf("%s\n", message().c_str());
		else
			event(id);
	}

	void qualifiers(unsigned id)
	{
		uncore_qualifier_info info = {};

		info.size = sizeof(info);
		for (unsigned i = 0; uncore_event_qualifier(u, id, i, &info) == 1; i++) {
			printf("%s=: %s\n", info.name, info.text);
			named(std::string(uncore_event_name(u, id)) + ":" + info.name + "=1");
		}
	}

	void event(unsigned id)
	{
		struct uncore_event_info info = {};

		info.size = sizeof(info);
		uncore_event_info(u, id, &info);
		printf("%u %s %s %s%s%s%s \"%s\" %s", id, info.name, info.kind, info.units,
		       info.exact ? "" : " default", info.experimental ? " experimental" : "",
		       info.energy ? " energy" : "", info.text, info.formula);
		if (info.erratum)
			printf(" erratum %d %s", info.verdict, info.erratum);
		encoding(id);
		putchar('\n');
	}

	void encoding(unsigned id)
	{
		uncore_encoding code = {};
		uncore_sum sum = {};
		uncore_perf_info perf = {};

		code.size = sizeof(code);
		sum.size = sizeof(sum);
		perf.size = sizeof(perf);
		if (uncore_event_encoding(u, id, &code) < 0)
			printf(" %s", message().c_str());
		else
			printf(" control %#" PRIx64 " counters %#x code %#" PRIx64, code.control,
			       code.counters, code.code);
		if (uncore_event_sum(u, id, &sum) == 0)
			printf(" sum %u %g %g", sum.packages, sum.counters, sum.rate_divisor);
		if (uncore_perf_syntax(u, id, 0, &perf) == 1)
			printf(" perf %s %#" PRIx64 " %#" PRIx64 " %#" PRIx64, perf.pmu,
			       perf.config, perf.config1, perf.config2);
	}

	struct uncore *u = nullptr;
};

void print_tables(Printer &printer, const unc_platform_desc *desc)
{
	for (auto type = desc->types; type && *type; type++)
		printer.rows((*type)->rows);
	for (auto found = desc->discovered; found; found++) {
		if (found->like)
			printer.rows(found->like->rows);
		if (found->free_type)
			printer.rows(found->free_type->rows);
		if (found->number == UNC_UNNAMED)
			break;
	}
	printer.rows(desc->more);
}

bool print(const std::string &machine)
{
	Printer printer(machine);
	const std::string name = machine.substr(0, machine.find(':'));

	if (printer.failed)
		return false;
	printf("# %s\n", machine.c_str());
	printer.listed();
	for (auto platform = unc_platforms; *platform; platform++)
		if (name == (*platform)->name)
			print_tables(printer, (*platform)->desc);
	return true;
}

} // namespace

int main(int argc, char **argv)
{
	bool ok = true;

	if (argc > 1 && argv[1][0] == '-') {
		fputs(kUsage, stderr);
		return 2;
	}
	for (int i = 1; i < argc; i++)
		ok &= print(argv[i]);
	if (argc == 1)
		for (const char *machine : support::machines_and_variants())
			ok &= print(machine);
	if (!ok)
		fputs("encodings: a machine cannot be opened; they are those after \"sim:\"\n",
		      stderr);
	return ok ? 0 : 1;
}
