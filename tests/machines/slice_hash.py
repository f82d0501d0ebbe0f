#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Write src/sim/hash/measured.c from slice-sequences.jsonl.gz: slice_hash.py >FILE

A sequence consists of groups of 16 lines, most of which are binary permutations of others: in each
permutation with number x, line i has the slice of line i ^ x.
"""

import gzip
import json
import pathlib
import string

GROUP = 16
DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase


def permuted(group, x):
    return tuple(group[i ^ x] for i in range(GROUP))


def encode(base):
    """The groups that are no permutation of an earlier one, and for each group which, permuted how."""
    rows, places = [], []
    for first in range(0, len(base), GROUP):
        group = tuple(base[first:first + GROUP])
        for x in range(GROUP):
            if permuted(group, x) in rows:
                places.append((rows.index(permuted(group, x)), x))
                break
        else:
            rows.append(group)
            places.append((len(rows) - 1, 0))
    return rows, places


def lines(text, width=80):
    return "\n".join(f'\t "{text[i:i + width]}"' for i in range(0, len(text), width))


def main():
    path = pathlib.Path(__file__).with_name("slice-sequences.jsonl.gz")
    print("""/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measured.c - which slice of the last-level cache owns a line, on real processors.  Written by
 * tests/machines/slice_hash.py from the base sequences of
 * github.com/jdmccalpin/Intel_Address_Hash at 88912ea, Copyright (c) 2023, John D McCalpin, whose
 * licence is tests/machines/LICENSE.slices (BSD 3-clause).
 */
#include "sim/hash/hash.h"

/* clang-format off */
const struct sim_measured_hash sim_measured_hashes[] = {""")
    with gzip.open(path, "rt") as file:
        for line in file:
            hash = json.loads(line)
            rows, places = encode(hash["base"])
            print(f'\t{{"{hash["platform"]}", {hash["slices"]},')
            print(lines("".join(DIGITS[s] for row in rows for s in row)) + ",")
            print(lines("".join(DIGITS[n] + DIGITS[x] for n, x in places)) + "},")
    print("""\t{0, 0, 0, 0},
};
/* clang-format on */""")


main()
