// SPDX-License-Identifier: BSD-3-Clause
// hardware_test.cc - the pages of docs/hardware: every platform has one, and their
// tables of registers, functions, rules and filters are what the library does.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include <gtest/gtest.h>

#include "arch/arch.h"
#include "machine/region.h"
#include "support/box_types.h"
#include "support/machines.h"
#include "support/pages.h"
#include "support/simulated.h"
#include "support/source.h"

namespace
{

using pages::address;
using pages::bits;
using pages::has;
using pages::hex;
using pages::numbers;
using pages::Row;
using pages::split;
using pages::table;

// ---- heads of the tables that are compared ----

const char kPlatforms[] = "| platform | family 6 models | processors |";
const char kRegisters[] = "| kind | box | counters | bits | unit control | control | counter |";
const char kFixed[] = "| kind | fixed control | fixed counter | bits | enable | counts |";
const char kFunctions[] = "| device | kind | box | place | note |";
const char kUbox[] = "| UBox | node id | node map | buses without UBox |";
const char kControls[] = "| kind | bits that an event may set | max. per cycle |";
const char kValues[] = "| kinds | reset | run | freeze |";
const char kRules[] = "| kind | events | counters | reason |";
const char kFilters[] = "| kind | filter | register | address | bits |";
const char kFields[] = "| kind | filter | field | bits | config | events |";
const char kGlobal[] = "| global control | freeze | run | status |";
const char kOverflow[] =
	"| kind | box status | first bit | global bit of box 0 | boxes | boxes per bit |";
const char kTypes[] = "| type | kind | note |";

// All platforms with such a table.
std::vector<std::string> platform_pages()
{
	std::vector<std::string> pages;

	for (const auto &entry :
	     std::filesystem::directory_iterator(support::source_path("docs/hardware")))
		if (!table(entry.path().filename(), kPlatforms).empty())
			pages.push_back(entry.path().filename());
	return pages;
}

const std::vector<std::string> kPages = platform_pages();

// Machines with as many boxes as they can have, where that is not what is simulated by default.
std::string spec(const std::string &platform)
{
	static const std::map<std::string, const char *> most = {
		{"nhmex", ",cores=8"},  {"wsmex", ",cores=10"}, {"snbep", ",cores=8"},
		{"ivbep", ",cores=15"}, {"hswep", ",cores=18"}, {"bdx", ",cores=24"},
		{"skx", ",cores=28"},   {"icx", ",cores=40"},   {"spr", ",hbm=yes"}};
	const auto more = most.find(platform);

	return "sim:" + platform + ":packages=1,time=virtual" +
	       (more == most.end() ? "" : more->second);
}

// ---- a platform of a page ----

struct Place {
	std::string page;
	const struct unc_platform *platform;
	std::vector<const struct unc_box_type *> types; // all that it can have
	std::shared_ptr<Simulated> machine;             // NULL: not simulated
};

const struct unc_platform *platform(const std::string &name)
{
	for (auto p = unc_platforms; *p; p++)
		if (name == (*p)->name)
			return *p;
	return nullptr;
}

// platform_lines_test.cc reports missing ones.
bool simulated(const std::string &name)
{
	return std::count(support::kMachines.begin(), support::kMachines.end(), name) == 1;
}

std::vector<Place> places()
{
	std::vector<Place> all;

	for (const std::string &page : kPages)
		for (const Row &row : table(page, kPlatforms)) {
			const struct unc_platform *p = platform(row[0]);

			if (!p)
				throw std::runtime_error(page + ": no platform " + row[0]);
			all.push_back({page, p, support::box_types(p),
				       simulated(row[0])
					       ? std::make_shared<Simulated>(spec(row[0]).c_str())
					       : nullptr});
		}
	return all;
}

bool is_free(const struct unc_box_type *t)
{
	return t->free != nullptr;
}

// The rows of a kind; "mbox of nhmex" where the platforms of a page differ.
std::vector<Row> rows_of(const Place &place, const char *head, const std::string &kind)
{
	std::vector<Row> mine;

	for (const Row &row : table(place.page, head))
		if (row[0] == kind || row[0] == kind + " of " + place.platform->name)
			mine.push_back(row);
	return mine;
}

// ---- tests ----

TEST(Hardware, EveryPlatformHasAPageWithItsModels)
{
	std::map<std::string, std::string> models;

	for (const std::string &page : kPages)
		for (const Row &row : table(page, kPlatforms))
			models[row[0]] = row[1];
	for (auto p = unc_platforms; *p; p++) {
		std::string text;

		for (const uint8_t *m = (*p)->models; m < (*p)->models + 4 && *m; m++)
			text += (text.empty() ? "" : ", ") + std::to_string(*m);
		if ((*p)->family > 6)
			text = "family " + std::to_string((*p)->family) + ": " + text;
		ASSERT_TRUE(models.count((*p)->name))
			<< "no page of docs/hardware has a row for " << (*p)->name
			<< " in its table of platforms: write docs/hardware/" << (*p)->name
			<< ".md, or add the row to the page of its relatives";
		EXPECT_EQ(text.empty() ? "others" : text, models[(*p)->name])
			<< (*p)->name
			<< " has other models in events/platforms.def than in docs/hardware";
	}
}

TEST(Hardware, IndexNamesEveryPage)
{
	std::set<std::string> index;

	for (const Row &row :
	     table("README.md", "| page | platforms | processors | registers in |"))
		index.insert(row[0].substr(row[0].find('(') + 1));
	EXPECT_TRUE(index.count("core.md)"));
	for (const std::string &page : kPages)
		EXPECT_TRUE(index.count(page + ")"))
			<< "docs/hardware/README.md: no row of the table of pages leads to "
			<< page;
}

// ---- registers ----

uint64_t config_of(Simulated &of, uint16_t device, unsigned package, uint64_t offset)
{
	const struct unc_topology &topo = of.machine.topo;
	uint64_t value = 0;

	for (unsigned i = 0; i < topo.n_pci; i++)
		if (topo.pci[i].device == device && topo.pci[i].package == (int)package) {
			struct unc_region r = unc_region_config(&of.machine, of.hw, i);

			EXPECT_EQ(0, unc_region_read_config(&r, offset, 32, &value));
			return value;
		}
	ADD_FAILURE() << "no function " << std::hex << device;
	return 0;
}

// docs/hardware/icx.md and spr.md: the base m of a memory controller.
uint64_t base_of_controller(Simulated &of, uint16_t device, unsigned package, unsigned controller)
{
	return ((config_of(of, device, package, 0xd0) & 0x1fffffff) << 23) +
	       ((config_of(of, device, package, 0xd8 + 4 * controller) & 0x7ff) << 12);
}

class BoxRegisters
{
      public:
	BoxRegisters(const Place &where, const struct unc_box *b)
	    : place(where), box(b), type(b->type), rows(rows_of(where, kRegisters, b->type->name))
	{
		values['n'] = b->index;
		if (type->name == std::string("imc_free_running"))
			values['m'] = base(is_icx() ? 0x3451 : 0x3251, b->index);
		if (!find(UNCORE_UNIT_CONTROL, 0))
			return;
		if (is_icx() && type->name == std::string("imc"))
			values['u'] =
				base(0x3451, b->index / 3) + 0x22800 + 0x4000 * (b->index % 3);
		else
			values['u'] = op.address;
		// what the record of a discovery table says, too
		if (find(UNCORE_CONTROL, 0))
			values['o'] = op.address - values['u'];
		if (find(UNCORE_COUNTER, 0))
			values['w'] = op.address - values['u'];
	}
	void check()
	{
		SCOPED_TRACE(place.page + " " + place.platform->name + " " + type->name + " " +
			     std::to_string(box->index));
		for (unsigned c = 0; c < type->n_counters; c++)
			check_counter(c);
		if (type->fixed.width)
			check_fixed();
		check_filters();
	}

      private:
	bool is_icx() const
	{
		return place.platform->name == std::string("icx");
	}
	uint64_t base(uint16_t device, unsigned controller) const
	{
		return base_of_controller(*place.machine, device, box->package, controller);
	}
	bool find(enum uncore_register which, unsigned n)
	{
		return unc_register_op(&place.machine->machine, box, which, n, &op);
	}
	// The one row for this counter of this box.
	const Row *row_of(unsigned counter)
	{
		const Row *found = nullptr;

		for (const Row &row : rows) {
			if ((row[1] != "all" && !has(numbers(row[1]), box->index)) ||
			    (row[2] != "all" && !has(numbers(row[2]), counter)))
				continue;
			EXPECT_EQ(nullptr, found) << "two rows for counter " << counter;
			found = &row;
		}
		EXPECT_NE(nullptr, found) << "no row for counter " << counter;
		return found;
	}
	void expect(const std::string &cell, enum uncore_register which, unsigned n)
	{
		const bool exists = find(which, n);

		EXPECT_EQ(cell != "-", exists) << cell;
		if (cell == "-" || !exists)
			return;
		EXPECT_EQ(address(cell, values), op.address)
			<< cell << std::hex << " is " << op.address;
	}
	void check_counter(unsigned c)
	{
		const Row *row = row_of(c);

		if (!row)
			return;
		values['c'] = c;
		EXPECT_EQ(std::stoul((*row)[3]), type->width);
		expect((*row)[4], UNCORE_UNIT_CONTROL, 0);
		expect((*row)[5], UNCORE_CONTROL, c);
		expect((*row)[6], UNCORE_COUNTER, c);
	}
	void check_fixed()
	{
		const std::vector<Row> mine = rows_of(place, kFixed, type->name);

		ASSERT_EQ(1u, mine.size());
		expect(mine[0][1], UNCORE_CONTROL, type->n_counters);
		expect(mine[0][2], UNCORE_COUNTER, type->n_counters);
		EXPECT_EQ(std::stoul(mine[0][3]), type->fixed.width);
		EXPECT_EQ(bits(mine[0][4]), type->fixed.enable);
	}
	void check_filters()
	{
		std::set<unsigned> seen;

		for (const Row &row : rows_of(place, kFilters, type->name))
			for (uint64_t p = 0; p < (row[1].find('p') == row[1].npos ? 1 : 4); p++)
				check_filter(row, p, seen);
		EXPECT_EQ(type->n_filters, seen.size());
	}
	void check_filter(const Row &row, uint64_t port, std::set<unsigned> &seen)
	{
		values['p'] = port;

		const unsigned f = static_cast<unsigned>(address(row[1], values));

		ASSERT_LT(f, type->n_filters);
		EXPECT_TRUE(seen.insert(f).second);
		EXPECT_EQ(row[2], type->filters[f].name);
		EXPECT_EQ(hex(row[4]), type->filters[f].mask) << row[2];
		if (!type->filters[f].extra_device || box->extra >= 0)
			expect(row[3], UNCORE_FILTER, f);
	}

	const Place &place;
	const struct unc_box *box;
	const struct unc_box_type *type;
	const std::vector<Row> rows;
	pages::Values values;
	struct unc_op op = {};
};

TEST(Hardware, RegistersAreThoseOfTheBoxes)
{
	for (const Place &place : places())
		for (size_t i = 0; place.machine && i < place.machine->machine.n_boxes; i++) {
			const struct unc_box *b = &place.machine->machine.boxes[i];

			// a type without a name has a number in its own
			if (unc_is_uncore(b->type) && strncmp(b->type->name, "type_", 5) != 0)
				BoxRegisters(place, b).check();
		}
}

// Kinds whose number is not the machine's own: the highest row is the last box.
TEST(Hardware, RegistersHaveARowForEveryBoxThatThereCanBe)
{
	for (const Place &place : places())
		for (const struct unc_box_type *t : place.types) {
			unsigned boxes = 0, counters = 0;

			for (const Row &row : rows_of(place, kRegisters, t->name)) {
				if (row[1] == "all")
					continue;
				boxes = std::max(boxes, numbers(row[1]).back() + 1);
				counters = std::max(counters, numbers(row[2]).back() + 1);
			}
			if (t->n_boxes && boxes) {
				EXPECT_EQ(t->n_boxes, boxes) << place.page << " " << t->name;
				EXPECT_EQ(t->n_counters, counters) << place.page << " " << t->name;
			}
		}
}

TEST(Hardware, TablesNameOnlyExistingKinds)
{
	std::map<std::string, std::set<std::string>> kinds;

	for (const Place &place : places())
		for (const struct unc_box_type *t : place.types)
			kinds[place.page].insert(t->name);
	for (const auto &page : kinds)
		for (const char *head :
		     {kRegisters, kFixed, kControls, kRules, kFilters, kFields, kOverflow})
			for (const Row &row : table(page.first, head))
				EXPECT_TRUE(
					page.second.count(row[0].substr(0, row[0].find(" of "))))
					<< page.first << ": " << row[0];
}

// ---- PCI ----

// "D14:F1"
unsigned devfn(const std::string &place)
{
	return static_cast<unsigned>(std::stoul(place.substr(1)) << 3 |
				     std::stoul(place.substr(place.find('F') + 1)));
}

bool is_row(const Row &row, const struct unc_box_type *t, const struct unc_pci_id *id)
{
	return row[1] == t->name + std::string(id->extra ? " filter" : "") &&
	       hex(row[0]) == id->device && std::stoul(row[2]) == id->index &&
	       (id->devfn == 0 || devfn(row[3]) == id->devfn);
}

TEST(Hardware, FunctionsAreThoseOfTheBoxes)
{
	for (const Place &place : places()) {
		const std::vector<Row> rows = table(place.page, kFunctions);
		size_t n = 0;

		for (const struct unc_box_type *t : place.types)
			for (const struct unc_pci_id *id = t->pci_ids; id && id->device; id++, n++)
				EXPECT_EQ(1, std::count_if(rows.begin(), rows.end(),
							   [&](const Row &row) {
								   return is_row(row, t, id);
							   }))
					<< place.page << " " << t->name << " " << std::hex
					<< id->device;
		EXPECT_EQ(n, rows.size()) << place.page;
	}
}

// Where a function is on the simulated machine, which has its own tables.
TEST(Hardware, FunctionsAreInTheirPlaces)
{
	for (const Place &place : places()) {
		const struct unc_topology *topo =
			place.machine ? &place.machine->machine.topo : nullptr;

		for (const Row &row : table(place.page, kFunctions))
			for (size_t i = 0; topo && i < topo->n_pci; i++) {
				std::set<unsigned> allowed;

				if (topo->pci[i].device != hex(row[0]))
					continue;
				for (const Row &same : table(place.page, kFunctions))
					if (same[0] == row[0])
						allowed.insert(devfn(same[3]));
				EXPECT_TRUE(allowed.count(topo->pci[i].devfn))
					<< place.page << " " << row[0];
			}
	}
}

TEST(Hardware, UboxShowsThePackageOfABus)
{
	for (const Place &place : places()) {
		const std::vector<Row> rows = table(place.page, kUbox);
		const struct unc_platform *p = place.platform;

		ASSERT_EQ(p->desc->ubox_device ? 1u : 0u, rows.size()) << place.page;
		for (const Row &row : rows) {
			EXPECT_EQ(hex(row[0]), p->desc->ubox_device) << place.page;
			EXPECT_EQ(hex(row[1]), p->desc->nodeid_offset) << place.page;
			EXPECT_EQ(hex(row[2]), p->desc->gidnidmap_offset) << place.page;
			EXPECT_EQ(row[3], p->desc->inherit_higher ? "next higher" : "next lower")
				<< place.page;
		}
	}
}

// ---- controls ----

TEST(Hardware, ControlsHaveTheBitsThatEventsMaySet)
{
	for (const Place &place : places())
		for (const struct unc_box_type *t : place.types) {
			if (is_free(t))
				continue;
			const std::vector<Row> rows = rows_of(place, kControls, t->name);

			ASSERT_EQ(1u, rows.size()) << place.page << " " << t->name;
			EXPECT_EQ(hex(rows[0][1]), t->event_mask) << place.page << " " << t->name;
			EXPECT_EQ(std::stoul(rows[0][2]), t->max_inc)
				<< place.page << " " << t->name;
		}
}

// The row that names the kind, else that for all others.
const Row *values_of(const std::vector<Row> &rows, const std::string &kind)
{
	const Row *others = nullptr;

	for (const Row &row : rows) {
		for (const std::string &name : split(row[0], ','))
			if (name == kind)
				return &row;
		if (row[0] == "all" || row[0] == "others")
			others = &row;
	}
	return others;
}

TEST(Hardware, UnitControlsGetTheValuesOfTheTable)
{
	for (const Place &place : places()) {
		const std::vector<Row> rows = table(place.page, kValues);

		for (const struct unc_box_type *t : place.types) {
			const struct unc_style *style =
				t->style ? t->style : place.platform->desc->style;

			if (style->per_counter || t->no_box_ctl || is_free(t))
				continue;
			const Row *row = values_of(rows, t->name);

			ASSERT_NE(nullptr, row) << place.page << " " << t->name;
			EXPECT_EQ(hex((*row)[1]), style->reset) << place.page << " " << t->name;
			EXPECT_EQ(hex((*row)[2]), style->run) << place.page << " " << t->name;
			EXPECT_EQ(hex((*row)[3]), style->freeze) << place.page << " " << t->name;
		}
	}
}

// ---- rules ----

// The counters of the first row that has the code; of none, all that the box has.
uint32_t documented(const std::vector<Row> &rows, unsigned code, uint32_t all)
{
	for (const Row &row : rows) {
		uint32_t mask = 0;

		if (!has(numbers(row[1]), code))
			continue;
		if (row[2] != "none")
			for (const unsigned c : numbers(row[2]))
				mask |= 1u << c;
		return mask & all;
	}
	return all;
}

void check_rules(const Place &place, const struct unc_box_type *type)
{
	const std::vector<Row> rows = rows_of(place, kRules, type->name);
	struct unc_box_type t = *type;
	bool low;

	if (t.n_counters == 0) // as the table says: any number
		t.n_counters = 8;
	for (unsigned code = 0; code < 0x100; code++)
		if ((code & ~t.event_mask) == 0) {
			EXPECT_EQ(documented(rows, code, (1u << t.n_counters) - 1),
				  unc_allowed_counters(&t, code, &low))
				<< place.page << " " << place.platform->name << " " << t.name
				<< std::hex << " event 0x" << code;
		}
}

TEST(Hardware, EventsHaveTheCountersOfTheTable)
{
	for (const Place &place : places())
		for (const struct unc_box_type *t : place.types)
			if (!is_free(t))
				check_rules(place, t);
}

// ---- filters ----

struct Field {
	unsigned filter;
	uint64_t mask;
	unsigned config, config_high, config_low;
	std::string name;

	bool operator<(const Field &other) const
	{
		return std::tie(filter, mask, config, config_high, config_low, name) <
		       std::tie(other.filter, other.mask, other.config, other.config_high,
				other.config_low, other.name);
	}
};

unsigned lowest(uint64_t mask)
{
	return static_cast<unsigned>(__builtin_ctzll(mask));
}

unsigned highest(uint64_t mask)
{
	return 63 - static_cast<unsigned>(__builtin_clzll(mask));
}

// Which events own the field: the tokens of a cell as match and mask of a control.
using Owners = std::set<std::pair<uint64_t, uint64_t>>;

const uint64_t kCode = 0xff, kExt = 1u << 21;

std::pair<uint64_t, uint64_t> owner(const std::string &text, const pages::Values &values,
				    uint64_t code_mask)
{
	const Row words = split(text, ' ');
	const size_t colon = text.find(':');

	if (text == "any")
		return {0, 0};
	if (words[0] == "bit")
		return {bits(words[1]), bits(words[1])};
	if (words[0] == "inc") // M-Box: inc_sel, set_flag_sel of flag mode
		return {hex(words[1]) << 9, 0x3e80};
	if (words[0] == "flag")
		return {hex(words[1]) << 19 | 0x80, 0x380080};
	if (words[0] == "code") // R-Box
		return {address(text.substr(5), values) << 1, 0x3e};
	if (words[0] == "counter") // B-Box: counter 0 code 1
		return {hex(words[1]) << 6 | hex(words[3]) << 1, 0xfe};
	if (colon == text.npos)
		return {hex(text), code_mask};
	const uint64_t umask = hex(text.substr(colon + 1)) << 8;

	return {hex(text.substr(0, colon)) | umask, code_mask | umask};
}

std::map<Field, Owners> fields_shown(const Place &place, const struct unc_box_type *t)
{
	std::map<Field, Owners> all;

	for (const Row &row : rows_of(place, kFields, t->name))
		for (uint64_t p = 0; p < (row[1].find('p') == row[1].npos ? 1 : 4); p++) {
			const pages::Values values = {{'p', p}};
			const Row config = split(row[4], ' ');
			const uint64_t code = t->needs->mask & kExt ? kExt | kCode : kCode;
			Field f = {static_cast<unsigned>(address(row[1], values)),
				   bits(row[3]),
				   UNC_CONTROL,
				   highest(bits(config[1])),
				   lowest(bits(config[1])),
				   row[2]};

			if (config[0] != "config")
				f.config = static_cast<unsigned>(config[0].back() - '0');
			for (const std::string &text : split(row[5], ','))
				all[f].insert(owner(text, values, code));
		}
	return all;
}

std::map<Field, Owners> fields_had(const struct unc_box_type *t)
{
	std::map<Field, Owners> all;

	for (const struct unc_need *need = t->needs; need && need->fields; need++)
		for (unsigned i = 0; i < 64; i++) {
			if (!(need->fields >> i & 1))
				continue;
			const struct unc_field *field = &t->fields[i];
			const struct unc_filter *filter = &t->filters[field->filter];
			const int up = filter->shift - filter->bit;
			const Field f = {field->filter,
					 field->mask,
					 filter->config,
					 highest(field->mask) + static_cast<unsigned>(up),
					 lowest(field->mask) + static_cast<unsigned>(up),
					 field->name};

			all[f].insert({need->match, need->mask});
		}
	return all;
}

TEST(Hardware, FilterFieldsBelongToTheEventsOfTheTable)
{
	for (const Place &place : places())
		for (const struct unc_box_type *t : place.types) {
			const auto written = fields_shown(place, t), had = fields_had(t);

			SCOPED_TRACE(place.page + " " + place.platform->name + " " + t->name);
			for (const auto &f : had) {
				ASSERT_TRUE(written.count(f.first))
					<< "no row for field " << f.first.name << " of filter "
					<< f.first.filter;
				EXPECT_EQ(f.second, written.at(f.first)) << f.first.name;
			}
			EXPECT_EQ(had.size(), written.size());
		}
}

// ---- packages ----

// "bit 31", or "-"
uint64_t bit_of(const std::string &cell)
{
	return cell.compare(0, 4, "bit ") == 0 ? bits(cell.substr(4)) : 0;
}

TEST(Hardware, PackagesAreFrozenAsTheTableSays)
{
	for (const Place &place : places()) {
		const struct unc_global *g = place.platform->desc->global;
		const struct unc_overflow *o = place.platform->desc->overflow;
		const std::vector<Row> rows = table(place.page, kGlobal);

		ASSERT_EQ(g ? 1u : 0u, rows.size()) << place.page;
		if (!g)
			continue;
		EXPECT_EQ(hex(rows[0][0]), g->msr) << place.page;
		EXPECT_EQ(bit_of(rows[0][1]), g->freeze) << place.page;
		EXPECT_EQ(bit_of(rows[0][2]), g->unfreeze) << place.page;
		if (o) {
			EXPECT_EQ(hex(split(rows[0][3], ',').at(0)), o->status) << place.page;
		}
	}
}

// A status that is known, or the box's bit of the global one.
TEST(Hardware, OverflowsShowWhereTheTableSays)
{
	for (const Place &place : places()) {
		const struct unc_overflow *o = place.platform->desc->overflow;
		const std::vector<Row> rows = table(place.page, kOverflow);
		size_t n = 0;

		for (const struct unc_overflow_at *at = o ? o->at : nullptr; at && at->type;
		     at++, n++) {
			const std::vector<Row> mine = rows_of(place, kOverflow, at->type);

			ASSERT_EQ(1u, mine.size()) << place.page << " " << at->type;
			const Row &row = mine[0];

			EXPECT_EQ(row[1] == "-" ? 0 : hex(row[1]), at->status) << at->type;
			if (at->status && !at->unordered) {
				EXPECT_EQ(std::stoul(row[2]), at->first) << at->type;
			}
			EXPECT_EQ(row[3] == "-" ? -1 : std::stoi(row[3]), at->position) << at->type;
			EXPECT_EQ(row[4] == "-" ? 0 : std::stoi(row[4]), at->positions) << at->type;
			EXPECT_EQ(std::stoi(row[5] == "-" ? "0" : row[5]), at->share ? at->share
									   : at->position < 0 ? 0
											      : 1)
				<< at->type;
		}
		EXPECT_EQ(n, rows.size()) << place.page;
	}
}

// ---- CPUs ----

const struct unc_box *first_cpu(const Simulated &machine)
{
	for (size_t i = 0; i < machine.machine.n_boxes; i++)
		if (machine.machine.boxes[i].type->arch)
			return &machine.machine.boxes[i];
	return nullptr;
}

TEST(Hardware, CpusHaveTheRegistersOfTheTable)
{
	const std::vector<Row> rows = table("core.md", "| counter | control | counter register |");

	ASSERT_EQ(2u, rows.size());
	for (const char *name : {"sim:nhmex", "sim:snbep", "sim:spr"}) {
		Simulated machine(name);
		const struct unc_box *b = first_cpu(machine);

		ASSERT_NE(nullptr, b);
		for (unsigned c = 0; c < b->type->n_counters; c++) {
			const bool fixed = c >= b->type->arch->n_counters;
			const Row &row = rows[fixed ? 1 : 0];
			const pages::Values values = {
				{'c', fixed ? c - b->type->arch->n_counters : c}};
			struct unc_op op;

			ASSERT_TRUE(unc_register_op(&machine.machine, b, UNCORE_CONTROL, c, &op));
			EXPECT_EQ(address(row[1], values), op.address) << name << " " << c;
			ASSERT_TRUE(unc_register_op(&machine.machine, b, UNCORE_COUNTER, c, &op));
			EXPECT_EQ(address(row[2], values), op.address) << name << " " << c;
		}
	}
}

TEST(Hardware, CpusHaveTheGlobalRegistersOfTheTable)
{
	const std::map<std::string, unsigned> used = {
		{"IA32_DEBUGCTL", UNC_ARCH_DEBUGCTL},
		{"IA32_FIXED_CTR_CTRL", UNC_ARCH_FIXED_CTRL},
		{"IA32_PERF_GLOBAL_STATUS", UNC_ARCH_STATUS},
		{"IA32_PERF_GLOBAL_CTRL", UNC_ARCH_GLOBAL_CTRL},
		{"IA32_PERF_GLOBAL_OVF_CTRL", UNC_ARCH_CLEAR},
		{"IA32_PERF_GLOBAL_INUSE", UNC_ARCH_IN_USE},
	};
	std::map<std::string, unsigned> written;

	for (const Row &row : table("core.md", "| MSR | name | from version | description |"))
		written[row[1]] = static_cast<unsigned>(hex(row[0]));
	EXPECT_EQ(used, written);
}

TEST(Hardware, ArchitecturalEventsAreThoseOfTheTable)
{
	const std::vector<Row> rows =
		table("core.md", "| event | code | bit of EBX | fixed counter |");

	ASSERT_EQ(static_cast<size_t>(UNC_ARCH_EVENTS), rows.size());
	for (size_t i = 0; i < rows.size(); i++) {
		const struct unc_arch_event *ev = &unc_arch_events[i];

		EXPECT_EQ(rows[i][1] == "-", ev->only_fixed) << rows[i][0];
		if (!ev->only_fixed) {
			EXPECT_EQ(hex(rows[i][1]), ev->row.bits) << rows[i][0];
			EXPECT_EQ(std::stoul(rows[i][2]), ev->lacking) << rows[i][0];
		}
		EXPECT_EQ(rows[i][3] == "-" ? -1 : std::stoi(rows[i][3]), ev->fixed) << rows[i][0];
	}
}

// ---- discovery ----

TEST(Hardware, TypesOfTheDiscoveryTableHaveTheirKinds)
{
	for (const Place &place : places()) {
		const std::vector<Row> rows = table(place.page, kTypes);
		size_t n = 0;

		for (const struct unc_discovered_type *f = place.platform->desc->discovered;
		     f && f->number != UNC_UNNAMED; f++, n++) {
			const std::string kind = f->like ? f->like->name : "-";

			EXPECT_EQ(1, std::count_if(rows.begin(), rows.end(),
						   [&](const Row &row) {
							   return std::stoul(row[0]) == f->number &&
								  row[1] == kind;
						   }))
				<< place.page << " type " << f->number;
		}
		EXPECT_EQ(n, rows.size()) << place.page;
	}
}

} // namespace
