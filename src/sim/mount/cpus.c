/* SPDX-License-Identifier: BSD-3-Clause */
/* cpus.c - the kernel's files about CPUs, and their registers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tree.h"

#define CPU_DIR "sys/devices/system/cpu"

/* CPUs are numbered package by package; all packages (and dies) have the same number. */
struct shape {
	const struct sim_cpu *cpus;
	size_t n;
	unsigned packages, cores, dies; /* packages: dies of the machine; dies: of a package */
};

static struct shape shape_of(const struct tree *tree)
{
	struct shape s;

	s.cpus = sim_cpus(tree->sim, &s.n);
	s.dies = s.cpus[s.n - 1].die + 1;
	s.packages = (s.cpus[s.n - 1].package + 1) * s.dies;
	s.cores = (unsigned)s.n / s.packages;
	return s;
}

static void print_cpu(FILE *out, const struct tree *tree, const struct shape *s, size_t i)
{
	const struct sim_id id = sim_id(tree->sim);
	const struct sim_cpu *cpu = &s->cpus[i];

	fprintf(out, "processor\t: %u\nvendor_id\t: %s\ncpu family\t: %u\nmodel\t\t: %u\n", cpu->id,
		id.vendor, id.family, id.model);
	fprintf(out, "model name\t: Simulated Intel(R) Xeon(R) CPU\nstepping\t: %u\n", id.stepping);
	fprintf(out, "microcode\t: 0x1\ncpu MHz\t\t: 2700.000\ncache size\t: 20480 KB\n");
	fprintf(out, "physical id\t: %u\nsiblings\t: %u\ncore id\t\t: %u\ncpu cores\t: %u\n",
		cpu->package, s->cores * s->dies, cpu->core, s->cores * s->dies);
	fprintf(out, "apicid\t\t: %u\ninitial apicid\t: %u\nfpu\t\t: yes\ncpuid level\t: 13\n",
		cpu->id, cpu->id);
	fprintf(out, "flags\t\t: fpu tsc msr cx8 apic cmov clflush mmx fxsr sse sse2 syscall nx "
		     "rdtscp lm constant_tsc arch_perfmon pdcm nonstop_tsc\n");
	fprintf(out, "clflush size\t: 64\naddress sizes\t: 46 bits physical, 48 bits virtual\n\n");
}

static void add_cpuinfo(struct tree *tree, const struct shape *s)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	for (size_t i = 0; out && i < s->n; i++)
		print_cpu(out, tree, s, i);
	if (out)
		fclose(out);
	tree_take_text(tree, tree_dir(tree, tree->root, "proc"), "cpuinfo", text);
}

/* A mask in the kernel's format: 32 bits between commas, the highest first. */
static char *cpu_mask(unsigned first, unsigned last, unsigned n)
{
	const unsigned words = (n + 31) / 32;
	char *text = malloc(9 * (size_t)words + 2);

	for (unsigned w = words; text && w-- > 0;) {
		uint32_t bits = 0;

		for (unsigned b = 0; b < 32; b++)
			if (32 * w + b >= first && 32 * w + b <= last)
				bits |= UINT32_C(1) << b;
		sprintf(text + 9 * (size_t)(words - 1 - w), "%08" PRIx32 "%c", bits,
			w ? ',' : '\n');
	}
	return text;
}

/* Topology files: a list and a mask of CPUs. */
static void add_group(struct tree *tree, struct node *dir, const char *list, const char *mask,
		      const unsigned range[2], unsigned n)
{
	if (range[0] == range[1])
		tree_text(tree, dir, list, "%u\n", range[0]);
	else
		tree_text(tree, dir, list, "%u-%u\n", range[0], range[1]);
	tree_take_text(tree, dir, mask, cpu_mask(range[0], range[1], n));
}

void tree_add_package_cpus(struct tree *tree, struct node *dir, const char *list, const char *mask,
			   int package)
{
	const struct shape s = shape_of(tree);
	const unsigned p = (unsigned)package, all = (unsigned)s.n;
	const bool known = package >= 0 && p < s.packages;
	const unsigned range[2] = {known ? p * s.cores : 0,
				   known ? (p + 1) * s.cores - 1 : all - 1};

	add_group(tree, dir, list, mask, range, all);
}

static void add_topology(struct tree *tree, const struct shape *s, const struct sim_cpu *cpu)
{
	struct node *dir = tree_dir(tree, tree->root, CPU_DIR "/cpu%u/topology", cpu->id);
	const unsigned own[2] = {cpu->id, cpu->id};
	const unsigned per = s->cores * s->dies, first = cpu->package * per;
	const unsigned all[2] = {first, first + per - 1};
	const unsigned die = first + cpu->die * s->cores, dies[2] = {die, die + s->cores - 1};
	const unsigned n = (unsigned)s->n;

	tree_text(tree, dir, "physical_package_id", "%u\n", cpu->package);
	tree_text(tree, dir, "die_id", "%u\n", cpu->die);
	tree_text(tree, dir, "core_id", "%u\n", cpu->core);
	add_group(tree, dir, "thread_siblings_list", "thread_siblings", own, n);
	add_group(tree, dir, "core_cpus_list", "core_cpus", own, n);
	add_group(tree, dir, "core_siblings_list", "core_siblings", all, n);
	add_group(tree, dir, "package_cpus_list", "package_cpus", all, n);
	add_group(tree, dir, "die_cpus_list", "die_cpus", dies, n);
}

/* The last-level cache, which a package has one of; resctrl names its domains by the id. */
static void add_cache(struct tree *tree, const struct shape *s, const struct sim_cpu *cpu)
{
	struct node *dir = tree_dir(tree, tree->root, CPU_DIR "/cpu%u/cache/index3", cpu->id);
	const unsigned per = s->cores * s->dies, first = cpu->package * per;
	const unsigned all[2] = {first, first + per - 1};

	tree_text(tree, dir, "id", "%u\n", cpu->package);
	tree_text(tree, dir, "level", "3\n");
	tree_text(tree, dir, "type", "Unified\n");
	add_group(tree, dir, "shared_cpu_list", "shared_cpu_map", all, (unsigned)s->n);
}

static void add_registers(struct tree *tree, const struct sim_cpu *cpu)
{
	struct node *dir = tree_dir(tree, tree->root, "dev/cpu/%u", cpu->id);
	struct node *msr = tree_add(tree, dir, NODE_MSR, "msr");
	struct node *cpuid = tree_add(tree, dir, NODE_CPUID, "cpuid");

	if (msr && cpuid)
		msr->unit = cpuid->unit = cpu->id;
}

/* NUMA nodes, and the firmware. */
static void add_texts(struct tree *tree)
{
	size_t n;
	const struct sim_file *files = sim_node_files(tree->sim, &n);

	for (size_t i = 0; i < n; i++) {
		const char *name = strrchr(files[i].path, '/');
		struct node *dir = tree_dir(tree, tree->root, "%.*s", (int)(name - files[i].path),
					    files[i].path);

		tree_text(tree, dir, name + 1, "%s", files[i].text);
	}
}

void tree_add_cpus(struct tree *tree)
{
	struct node *dir = tree_dir(tree, tree->root, CPU_DIR);
	static const char *const lists[] = {"online", "possible", "present"};
	const struct shape s = shape_of(tree);

	add_cpuinfo(tree, &s);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		tree_text(tree, dir, lists[i], s.n > 1 ? "0-%zu\n" : "%zu\n", s.n - 1);
	tree_text(tree, dir, "offline", "\n");
	tree_text(tree, dir, "kernel_max", "8191\n");
	for (size_t i = 0; i < s.n; i++) {
		tree_text(tree, tree_dir(tree, dir, "cpu%u", s.cpus[i].id), "online", "1\n");
		add_topology(tree, &s, &s.cpus[i]);
		add_cache(tree, &s, &s.cpus[i]);
		add_registers(tree, &s.cpus[i]);
	}
	add_texts(tree);
	/* As after `modprobe msr`. */
	tree_text(tree, tree_dir(tree, tree->root, "sys/module/msr/parameters"), "allow_writes",
		  "on\n");
}
