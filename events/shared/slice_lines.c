/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slice_lines.c - measured numbers of lines per slice of the last-level cache.  Source: the base
 * sequences of John D. McCalpin, github.com/jdmccalpin/ Intel_Address_Hash at 88912ea and
 * doi:10.26153/tsw/14539, measured with sub-NUMA clustering off. A base sequence lists the slices
 * of 16 to 16384 consecutive lines.  In all other blocks of memory it is permuted, so a slice's
 * share of the sequence is its share of memory.
 */
#include "types.h"

#define TWICE(...)      __VA_ARGS__, __VA_ARGS__
#define FOUR_TIMES(...) TWICE(__VA_ARGS__), TWICE(__VA_ARGS__)

/* clang-format off */
const struct unc_slice_lines unc_slice_lines[] = {
	{&unc_skx, "cha", 14, {{8, 1192}, {4, 1200}, {2, 1024}}},
	{&unc_skx, "cha", 16, {{16, 1}}},
	{&unc_skx, "cha", 18, {{16, 232}, {2, 192}}},
	{&unc_skx, "cha", 20, {{16, 13}, {4, 12}}},
	{&unc_skx, "cha", 22, {{16, 772}, {4, 752}, {2, 512}}},
	{&unc_skx, "cha", 24, {{16, 21}, {8, 22}}},
	{&unc_skx, "cha", 26, {{16, 638}, {8, 644}, {2, 512}}},
	{&unc_skx, "cha", 28, {{16, 149}, {8, 150}, {4, 128}}},
	{&unc_icx, "cha", 28, {TWICE({8, 596}, {4, 600}, {2, 512})}},
	{&unc_icx, "cha", 40, {TWICE({16, 13}, {4, 12})}},
	{&unc_spr, "cha", 56, {FOUR_TIMES({8, 298}, {4, 300}, {2, 256})}},
	{&unc_spr, "cha", 60, {FOUR_TIMES({8, 277}, {4, 278}, {3, 256})}},
	{NULL, "", 0, {{0, 0}}},
};
/* clang-format on */
