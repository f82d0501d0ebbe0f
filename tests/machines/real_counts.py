#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""real_counts.py MACHINE.json COUNTS.csv...: a recording with counts of a real Xeon Platinum 8160.

MACHINE.json is a recording of such a machine (`uncore record --machine sim:skx:packages=2,cores=24`),
COUNTS.csv has the columns what, socket, box, event, sample, value; tests/machines/README.md says
where they come from.  Prints the recording.
"""

import csv
import json
import sys

TSC_GHZ = 2.1
FILTERS = ["0x0", "0x3b"]  # of all CHAs
FREE = "free"  # a counter without a control

# Control without the enable bit, as the counters were programmed.
CONTROLS = {
    "imc_counts": {
        "CAS_COUNT.READS": [0x304],
        "CAS_COUNT.WRITES": [0xC04],
        "ACT.ALL": [0xB01],
        "PRE_COUNT.MISS": [0x102],
        "DCLK": [None, 0],  # the fixed counter, and the event that counts the same clock
    },
    "cha_counts": {
        "XSNP_RESP.EVICT_RSP_HITFSE": [0x8132],
        "SF_EVICTION.M_STATE": [0x13D],
        "SF_EVICTION.E_STATE": [0x23D],
        "SF_EVICTION.S_STATE": [0x43D],
    },
    "pcu_counts": {
        "FREQ_MAX_LIMIT_THERMAL_CYCLES": [0x04],
        "FREQ_MAX_LIMIT_POWER_CYCLES": [0x05],
        "MCP_PROCHOT_CYCLES": [0x06],
        "FREQ_TRANS_CYCLES": [0x74],
    },
    "ubox_uclk": {"": [None]},
    "rapl_pkg_energy": {"": [FREE]},
    "rapl_dram_energy": {"": [FREE]},
}
# The kind of box, and the bits of its counters.
BOXES = {
    "imc_counts": ("imc", 48),
    "cha_counts": ("cha", 48),
    "pcu_counts": ("pcu", 48),
    "ubox_uclk": ("ubo", 48),
    "rapl_pkg_energy": ("rapl_pkg", 32),
    "rapl_dram_energy": ("rapl_dram", 32),
}


def read_counts(names):
    """Values by what, socket, box and event, each a list by sample."""
    rows = {}
    for name in names:
        with open(name, encoding="ascii") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                what, socket, box, event = row["what"], row["socket"], row["box"], row["event"]
                if what not in BOXES and what != "tsc":
                    continue
                if what == "pcu_counts":  # has the event in the column of the box
                    box, event = "0", box or event
                key = (what, socket or "0", box or "0", event)
                rows.setdefault(key, {})[int(row["sample"])] = int(row["value"])
    return {key: [values[i] for i in sorted(values)] for key, values in rows.items()}


def counters(rows):
    for (what, socket, box, event), values in rows.items():
        if what == "tsc":
            continue
        kind, width = BOXES[what]
        for control in CONTROLS[what][event]:
            counter = {"box": kind, "number": int(box), "package": int(socket), "width": width}
            if control is None:
                counter["fixed"] = True
            elif control is FREE:
                counter["counter"] = 0
            else:
                counter["control"] = hex(control)
            if kind == "cha":
                counter["filters"] = FILTERS
            counter["values"] = [hex(value) for value in values]
            yield counter


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    rows = read_counts(sys.argv[2:])
    tsc = next(values for key, values in rows.items() if key[0] == "tsc")
    samples = {
        "ns": [round((value - tsc[0]) / TSC_GHZ) for value in tsc],
        "counters": list(counters(rows)),
    }
    with open(sys.argv[1], encoding="utf-8") as file:
        machine = file.read().rstrip()
    if not machine.endswith("}"):
        sys.exit(f"{sys.argv[1]} is not a recording")
    lines = ",\n".join(json.dumps(counter, separators=(",", ":")) for counter in samples["counters"])
    print(f'{machine[:-1]},\n"samples":{{"ns":{json.dumps(samples["ns"], separators=(",", ":"))},')
    print(f'"counters":[\n{lines}]}}}}')


main()
