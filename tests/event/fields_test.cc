// SPDX-License-Identifier: BSD-3-Clause
// fields_test.cc - values of fields and modifiers against their width, on all machines.
#include <cstdlib>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "shared/perf_formats.h"
#include "support/every_event.h"
#include "support/handle.h"
#include "support/machines.h"
#include "support/sim_machine.h"

namespace
{

std::vector<std::string> words(const char *text)
{
	std::istringstream in(text);

	return {std::istream_iterator<std::string>(in), {}};
}

bool is_among(const char *list, const std::string &word)
{
	return !*list || std::string(list).find(" " + word + " ") != std::string::npos;
}

// The kinds of all formats, and those of the last row that it does not name.
std::set<std::string> kinds()
{
	std::set<std::string> all = {"ha", "r2pcie", "r3qpi", "m3upi", "imc", "irp"};

	for (const struct unc_perf_format *f = unc_perf_formats;; f++) {
		for (const std::string &kind : words(f->kinds))
			all.insert(kind);
		if (!*f->platforms && !*f->kinds)
			return all;
	}
}

const char *fields_of(const std::string &platform, const std::string &kind)
{
	const struct unc_perf_format *f = unc_perf_formats;

	while (!is_among(f->platforms, platform) || !is_among(f->kinds, kind))
		f++;
	return f->fields;
}

// "umask=8-15,32-55", "filter_nid=1:10-17"
unsigned bits_of(const std::string &field)
{
	std::string ranges = field.substr(field.find('=') + 1);
	unsigned bits = 0;

	if (ranges.find(':') != std::string::npos)
		ranges = ranges.substr(ranges.find(':') + 1);
	std::istringstream in(ranges);
	for (std::string range; std::getline(in, range, ',');) {
		const size_t dash = range.find('-');

		bits += dash == std::string::npos ? 1
						  : (unsigned)(std::stoi(range.substr(dash + 1)) -
							       std::stoi(range) + 1);
	}
	return bits;
}

std::unique_ptr<support::Handle> opened(const std::string &machine)
{
	const std::string name = "sim:" + machine + ":packages=1,time=virtual";

	return std::make_unique<support::Handle>(support::sim_options(name.c_str()));
}

void expect_width(const support::Handle &h, const std::string &kind, const std::string &field)
{
	const std::string name = "uncore_" + kind + "/" + field.substr(0, field.find('=')) + "=" +
				 std::to_string(1ull << bits_of(field)) + "/";

	EXPECT_EQ(UNCORE_EATTR, h.refusal(name)) << name;
	EXPECT_NE(std::string::npos, h.message().find(" is too large: ")) << h.message();
}

TEST(Fields, OfPerfRefuseTheSmallestValueThatTheyCannotHold)
{
	unsigned n = 0;

	for (const char *machine : support::kMachines) {
		const auto h = opened(machine);

		for (const std::string &kind : kinds()) {
			h->refusal("uncore_" + kind + "/nothing/");
			if (h->message().find("unknown perf PMU") != std::string::npos)
				continue;
			for (const std::string &field : words(fields_of(machine, kind)))
				if (bits_of(field) < 64) {
					expect_width(*h, kind, field);
					n++;
				}
		}
	}
	EXPECT_GT(n, 500u);
}

// Their ranges are part of their descriptions: "threshold in range [0-255]".
TEST(Fields, ModifiersRefuseTheValueAfterTheirRange)
{
	unsigned n = 0;

	for (const char *machine : support::kMachines) {
		const auto h = opened(machine);

		for (unsigned event : support::listed(*h))
			for (const auto &q : h->qualifiers(event)) {
				const char *range = strstr(q.text, "[0-");
				const std::string name = q.name;

				if (!range || name == "box" || name == "pkg" || name == "die" ||
				    name == "cpu")
					continue;
				const unsigned long most = strtoul(range + 3, nullptr, 10);
				const std::string over =
					std::string(uncore_event_name(h->u, event)) + ":" + name +
					"=" + std::to_string(most + 1);
				unsigned id;
				EXPECT_GT(0, uncore_event(h->u, over.c_str(), &id))
					<< machine << " " << uncore_event_name(h->u, event) << " "
					<< name;
				n++;
			}
	}
	EXPECT_GT(n, 2000u);
}

struct Reach {
	const char *machine, *name, *perf;
};

// By name as far as in perf's syntax; libpfm4 lacks these modifiers or has a smaller range.
TEST(Fields, EdgeInversionAndThresholdByName)
{
	for (const Reach &r : std::vector<Reach>{
		     {"knl", "UNC_M2P_INGRESS_CYCLES_NE:CBO_IDI:e=1:i=1:t=255",
		      "uncore_m2pcie/event=0x10,umask=0x1,edge,inv,thresh=255/"},
		     {"skx", "UNC_P_CORE_TRANSITION_CYCLES:t=31",
		      "uncore_pcu/event=0x60,thresh=31/"},
		     {"snbep", "UNC_C_CLOCKTICKS:e=1:t=2", "uncore_cbox/event=0x0,edge,thresh=2/"},
	     }) {
		const auto h = opened(r.machine);

		EXPECT_EQ(h->canonical(r.name), h->canonical(r.perf)) << r.name;
	}
	const auto skx = opened("skx");
	EXPECT_EQ("UNC_IO_CLOCKTICKS:t=4095", skx->canonical("UNC_IO_CLOCKTICKS:t=4095"));
	EXPECT_EQ("UNC_IO_CLOCKTICKS:t=4095", skx->canonical("uncore_iio/event=1,thresh=4095/"));
	EXPECT_EQ(UNCORE_EATTR, skx->refusal("UNC_IO_CLOCKTICKS:t=4096"));
	EXPECT_EQ(UNCORE_EATTR, skx->refusal("UNC_P_CLOCKTICKS:t=64")) << "bit 30 inverts";
	EXPECT_EQ(UNCORE_EATTR, skx->refusal("uncore_pcu/event=0x60,thresh=64/"));
}

TEST(Fields, QualifiersThatTheirRegistersCannotHold)
{
	const auto h = opened("snbep");

	EXPECT_NE("", h->canonical("UNC_H_ADDR_OPC_MATCH:FILT:addr=0x3fffffffffff:opc=63"));
	EXPECT_EQ(UNCORE_EATTR, h->refusal("UNC_H_ADDR_OPC_MATCH:FILT:addr=0x40:opc=64"));
	EXPECT_EQ("opc=0x40 in UNC_H_ADDR_OPC_MATCH is out of range: the maximum is 0x3f",
		  h->message());
	EXPECT_EQ(UNCORE_EATTR, h->refusal("UNC_H_ADDR_OPC_MATCH:FILT:addr=0x400000000000:opc=1"));
}

TEST(Fields, AThreadOfIceLakeHasNineBits)
{
	const auto h = opened("icx");
	const std::string event = "uncore_cha/event=0x35,umask=0xc001fe01,tid_en=1,filter_tid=";

	EXPECT_EQ(UNCORE_EATTR, h->refusal(event + "0x2c8/"));
	EXPECT_NE(std::string::npos, h->message().find("config1=0x200 in ")) << h->message();
	EXPECT_NE("", h->canonical(event + "0xc8/"));
}

} // namespace
