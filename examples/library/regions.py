#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""regions.py - memory traffic of parts of a program, with uncore.py.

    PYTHONPATH=DIR UNCORE_MACHINE=sim:snbep python3 regions.py

DIR is the directory of uncore.py.  Set LD_LIBRARY_PATH to the directory of libuncore.so.0 if the
loader does not find it.
"""
import array
import sys

try:
    import uncore
except (ImportError, OSError) as missing:
    sys.exit("regions.py: %s: set PYTHONPATH to the directory of uncore.py, and LD_LIBRARY_PATH to "
             "that of libuncore.so.0" % missing)

SIZE = 2000000


def work(counts):
    data = array.array("d", [1.0]) * SIZE
    for _ in range(5):
        with counts.region("copy"):
            other = data[:]
        with counts.region("sum"):
            total = sum(other)
    return total


def main():
    try:
        with uncore.Machine() as machine:
            counts = machine.set("UNCORE_MEM_READ_BYTES", "UNCORE_MEM_WRITE_BYTES")
            with counts:
                total = work(counts)
            print(counts.table(), end="")
            for region in counts.regions():
                rate = region.values["UNCORE_MEM_READ_BYTES"] / region.seconds
                print("%s: %.1f GB/s read" % (region.name, rate / 1e9))
    except uncore.Error as error:
        sys.exit(str(error))
    return 0 if total == SIZE else 1


if __name__ == "__main__":
    sys.exit(main())
