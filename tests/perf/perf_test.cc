// SPDX-License-Identifier: BSD-3-Clause
// perf_test.cc - an encoded event as the kernel's driver takes it: PMU, config words, CPU.  The
// config words of named events are those with which tests/lab/cases/pci.sh has the real driver
// count what the library counts.
#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include "backend/kernel/perf.h"
#include "support/perf_tree.h"
#include "support/simulated.h"

namespace
{

using support::kPerfDevices;
using support::Tree;

class Kernel
{
      public:
	explicit Kernel(const std::string &platform)
	    : sim(("sim:" + platform + ":packages=2,cores=4,time=virtual").c_str())
	{
		unc_err_init(&err);
		support::write_pmus(tree, platform, "0,4");
	}
	~Kernel()
	{
		unc_err_destroy(&err);
	}
	// Code of the library; what it found is in `event`.
	int ask(const std::string &name, const std::string &kind, unsigned box = 0,
		unsigned package = 0)
	{
		const struct unc_event *ev = sim.event(name);

		event = {};
		if (!ev) {
			ADD_FAILURE() << name << ": " << sim.why();
			return UNCORE_ENOEVENT;
		}
		return unc_perf_event(&sim.machine, tree.root.c_str(), ev,
				      sim.box(kind, box, package), &event, &err);
	}
	bool says(const std::string &words) const
	{
		return std::string(err.text).find(words) != std::string::npos;
	}

	Simulated sim;
	Tree tree;
	struct unc_perf_event event = {};
	struct unc_err err = {};
};

struct Named {
	const char *platform, *event, *kind, *pmu;
	uint64_t config, config1, config2;
};

std::ostream &operator<<(std::ostream &out, const Named &n)
{
	return out << n.platform << " " << n.event;
}

class PerfNamed : public testing::TestWithParam<Named>
{
};

TEST_P(PerfNamed, HasTheDriversWords)
{
	const Named &n = GetParam();
	Kernel kernel(n.platform);

	ASSERT_EQ(0, kernel.ask(n.event, n.kind)) << kernel.err.text;
	EXPECT_STREQ(n.pmu, kernel.event.pmu);
	EXPECT_EQ(n.config, kernel.event.config[0]);
	EXPECT_EQ(n.config1, kernel.event.config[1]);
	EXPECT_EQ(n.config2, kernel.event.config[2]);
}

INSTANTIATE_TEST_SUITE_P(
	Events, PerfNamed,
	testing::Values(
		Named{"snbep", "UNC_M_CAS_COUNT:RD", "imc", "uncore_imc_0", 0x304, 0, 0},
		Named{"snbep", "UNC_H_REQUESTS:READS", "ha", "uncore_ha", 0x301, 0, 0},
		Named{"snbep", "UNC_Q_TXL_FLITS_G0:DATA", "qpi", "uncore_qpi_0", 0x200, 0, 0},
		Named{"snbep", "UNC_R2_CLOCKTICKS", "r2pcie", "uncore_r2pcie", 1, 0, 0},
		// an event of the second table: bit 21 of the control, format event 0-7,21
		Named{"snbep", "UNC_Q_TXL_FLITS_G1:DRS_DATA", "qpi", "uncore_qpi_0", 0x200800, 0,
		      0},
		Named{"snbep", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbo", "uncore_cbox_0", 0x135,
		      0xc1000000, 0},
		Named{"ivbep", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbo", "uncore_cbox_0", 0x135,
		      0x1820000000000000, 0},
		Named{"hswep", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbo", "uncore_cbox_0", 0x135,
		      0x1820000000000000, 0},
		Named{"bdx", "UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbo", "uncore_cbox_0", 0x135,
		      0x1820000000000000, 0},
		Named{"skx", "UNC_C_LLC_LOOKUP", "cha", "uncore_cha_0", 0x1134, 0xfe0000, 0},
		// the memory's clock is the fixed counter's, pseudo code 0xff
		Named{"snbep", "UNC_M_CLOCKTICKS", "imc", "uncore_imc_0", 0xff, 0, 0},
		// umasks of more than 8 bits go to bits 32 and up; Intel's event list of SPR
		Named{"spr", "UNC_CHA_TOR_INSERTS:IA_MISS", "cha", "uncore_cha_0", 0xc001fe00000135,
		      0, 0},
		Named{"nhmex", "UNC_C_LLC_MISSES", "cbox", "uncore_cbox_0", 0x714, 0, 0},
		Named{"nhmex", "UNC_B_TF_ALL", "bbox", "uncore_bbox_0", 8, 0, 0},
		Named{"snbep", "snbep_unc_qpi::RAW:config=0x38:config1=0x1234:config2=0xffff0000",
		      "qpi", "uncore_qpi_0", 0x38, 0x1234, 0xffff0000}));

// ---- PMU and CPU ----

TEST(Perf, ABoxBecomesAPmuAndItsPackageACpu)
{
	Kernel kernel("snbep");

	ASSERT_EQ(0, kernel.ask("UNC_C_CLOCKTICKS", "cbo", 3, 1)) << kernel.err.text;
	EXPECT_STREQ("uncore_cbox_3", kernel.event.pmu);
	EXPECT_EQ(13U, kernel.event.type);
	EXPECT_EQ(4U, kernel.event.cpu);
	ASSERT_EQ(0, kernel.ask("UNC_P_CLOCKTICKS", "pcu"));
	EXPECT_STREQ("uncore_pcu", kernel.event.pmu);
	EXPECT_EQ(0U, kernel.event.cpu);
}

TEST(Perf, ACpuMaskMayHaveRangesAndOthersCpus)
{
	Kernel kernel("snbep");

	kernel.tree.write(kPerfDevices + "uncore_cbox_1/cpumask", "2-3,6-7,99\n");
	ASSERT_EQ(0, kernel.ask("UNC_C_CLOCKTICKS", "cbo", 1, 0));
	EXPECT_EQ(2U, kernel.event.cpu);
	ASSERT_EQ(0, kernel.ask("UNC_C_CLOCKTICKS", "cbo", 1, 1));
	EXPECT_EQ(6U, kernel.event.cpu);
	for (const char *mask : {"0-3", "", "-", "99", "x", "0,"}) {
		kernel.tree.write(kPerfDevices + "uncore_cbox_1/cpumask", mask);
		EXPECT_EQ(UNCORE_ENODEV, kernel.ask("UNC_C_CLOCKTICKS", "cbo", 1, 1)) << mask;
		EXPECT_TRUE(kernel.says("no online CPU of package 1")) << kernel.err.text;
	}
}

// Sapphire Rapids' U-Box has no name in the driver.
TEST(Perf, AnUnnamedTypeHasItsNumber)
{
	Kernel kernel("spr");

	ASSERT_EQ(0, kernel.ask("spr_unc_ubo::RAW:config=1", "ubo")) << kernel.err.text;
	EXPECT_STREQ("uncore_type_5", kernel.event.pmu);
}

// ---- what the kernel has not ----

TEST(Perf, WithoutADriverThePmuIsMissing)
{
	Kernel kernel("snbep");

	kernel.tree.remove("sys/bus/event_source/devices");
	EXPECT_EQ(UNCORE_ENODEV, kernel.ask("UNC_C_CLOCKTICKS", "cbo", 2));
	EXPECT_TRUE(kernel.says("cbo2 (uncore_cbox_2)")) << kernel.err.text;
	EXPECT_TRUE(kernel.says("modprobe intel_uncore")) << kernel.err.text;
}

TEST(Perf, AFieldThatTheFormatLacksIsRefused)
{
	Kernel kernel("snbep");

	kernel.tree.remove(kPerfDevices + "uncore_cbox_0/format/filter_opc");
	EXPECT_EQ(UNCORE_ENOSUPP, kernel.ask("UNC_C_TOR_INSERTS:OPCODE:OPC_DRD", "cbo"));
	EXPECT_TRUE(kernel.says("no field for bits 0xc1000000 of config1")) << kernel.err.text;
	EXPECT_EQ(0, kernel.ask("UNC_C_CLOCKTICKS", "cbo")) << kernel.err.text;
	// the driver never writes the home agent's address match
	EXPECT_EQ(UNCORE_ENOSUPP, kernel.ask("UNC_H_ADDR_OPC_MATCH:addr=0x1000", "ha"));
	EXPECT_TRUE(kernel.says("of config1")) << kernel.err.text;
}

TEST(Perf, FormatFilesThatSayNothingTakeNothing)
{
	for (const char *text : {"", "config", "config:", "config:x", "config:8-1", "config:0-99",
				 "config3:0-63", "config:0-7,", "config:0--1"}) {
		Kernel kernel("snbep");
		const std::string event = kPerfDevices + "uncore_cbox_0/format/event";

		kernel.tree.write(event, text);
		EXPECT_EQ(UNCORE_ENOSUPP, kernel.ask("snbep_unc_cbo::RAW:config=0x35", "cbo"))
			<< text;
		kernel.tree.remove(kPerfDevices + "uncore_cbox_0/format");
		EXPECT_EQ(UNCORE_ENODEV, kernel.ask("snbep_unc_cbo::RAW:config=0x35", "cbo"));
	}
}

// ---- what the driver would drop, or gets wrong ----

struct Refused {
	const char *platform, *event, *kind;
	unsigned box;
	const char *words;
};

TEST(Perf, BitsThatTheDriverWouldDropAreRefused)
{
	const Refused all[] = {
		{"snbep", "snbep_unc_pcu::RAW:config=0xff", "pcu", 0, "event 0xff"},
		{"snbep", "snbep_unc_imc::RAW:config=0x10ff", "imc", 0, "event 0xff"},
		{"hswep", "hswep_unc_pcu::RAW:config=0xc:config1=0x1400", "pcu", 0, "bands 1 to 3"},
		{"hswep", "hswep_unc_cbo::RAW:config=0x4334:config1=0x300020000", "cbo", 0,
		 "ignores this filter"},
		// the driver lists umasks; the hardware looks at bit 0 of all
		{"snbep", "snbep_unc_cbo::RAW:config=0x535:config1=0xc1000000", "cbo", 0,
		 "ignores this filter"},
		{"ivbep", "UNC_I_CLOCKTICKS", "irp", 0, "treats all units of the device as one"},
		{"skx", "skx_unc_upi::RAW:config=0x100000002", "upi", 0, "lower half"},
		{"spr", "spr_unc_upi::RAW:config=1", "upi", 1, "counts link 0"},
		{"snbep", "ix86arch::INSTRUCTION_RETIRED", "core", 0,
		 "core counters are not supported"},
	};

	for (const Refused &r : all) {
		Kernel kernel(r.platform);

		EXPECT_EQ(UNCORE_ENOSUPP, kernel.ask(r.event, r.kind, r.box)) << r.event;
		EXPECT_TRUE(kernel.says(r.words)) << r.event << ": " << kernel.err.text;
	}
	Kernel snbep("snbep");
	EXPECT_EQ(0, snbep.ask("snbep_unc_imc::RAW:config=0xfff", "imc")) << snbep.err.text;
	Kernel hswep("hswep");
	EXPECT_EQ(0, hswep.ask("hswep_unc_pcu::RAW:config=0xb:config1=0x14", "pcu"))
		<< hswep.err.text;
	Kernel spr("spr");
	EXPECT_EQ(0, spr.ask("spr_unc_upi::RAW:config=1", "upi", 0)) << spr.err.text;
}

// Names cannot say it; the driver would count without the filter.
TEST(Perf, AFilterOfAnEventThatDoesNotLookAtItIsRefused)
{
	Kernel kernel("snbep");
	struct unc_event ev = *kernel.sim.event("UNC_C_CLOCKTICKS");

	ev.n_bits = 1;
	ev.bits[0] = {0, 0xff800000, 0xc1000000};
	EXPECT_EQ(UNCORE_ENOSUPP,
		  unc_perf_event(&kernel.sim.machine, kernel.tree.root.c_str(), &ev,
				 kernel.sim.box("cbo"), &kernel.event, &kernel.err));
	EXPECT_TRUE(kernel.says("ignores this filter")) << kernel.err.text;
}

// ---- counting, by the one PMU that every kernel has ----

TEST(PerfCounting, OpensReadsAndCloses)
{
	const uint64_t clock[UNC_PERF_WORDS] = {PERF_COUNT_SW_CPU_CLOCK, 0, 0};
	const uint64_t none[UNC_PERF_WORDS] = {0xffff, 0, 0};
	struct unc_perf_count first, second;
	const int fd = unc_perf_open(PERF_TYPE_SOFTWARE, clock, 0);

	if (fd == -EACCES || fd == -EPERM || fd == -ENOSYS)
		GTEST_SKIP() << "perf_event_open: " << strerror(-fd);
	ASSERT_LE(3, fd);
	ASSERT_EQ(0, unc_perf_read(fd, &first));
	usleep(2000);
	ASSERT_EQ(0, unc_perf_read(fd, &second));
	EXPECT_LT(first.count, second.count);
	EXPECT_LE(1000000U, second.enabled - first.enabled);
	EXPECT_EQ(second.enabled, second.running);
	unc_perf_close(fd);
	EXPECT_EQ(-EBADF, unc_perf_read(fd, &first));
	EXPECT_GT(0, unc_perf_open(PERF_TYPE_SOFTWARE, none, 0));
}

} // namespace
