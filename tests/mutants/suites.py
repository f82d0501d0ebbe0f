# SPDX-License-Identifier: BSD-3-Clause
"""suites.py - the tests that draw.py runs: suites of the test programs, and scripts."""
import glob
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from where import BUILD, HERE, JOBS, SRC, TREE, WORK, environment, fail, note, run

OTHERS = float(os.environ.get("OTHERS") or 1e9)
SUITES = os.environ.get("SUITES") or ""
FOLDERS = ("daemon", "exporter", "mount", "region", "tools")  # with scripts that are used
FAILED = r"^\[  FAILED  \] ([^\s,]+\.[^\s,]+)"


class Test:
    """A suite of a test program, or a script."""

    def __init__(self, name, room, program=None, script=None):
        self.name, self.room, self.program, self.script = name, room, program, script
        self.seconds, self.reached, self.passes = 0.0, b"", False

    def command(self):
        return ["sh", self.script] if self.script else gtest(self.program, [self.name + ".*"])


def gtest(program, names):
    path = os.path.join(TREE, "build", "tests", program)
    return [path, "--gtest_fail_fast", "--gtest_filter=" + ":".join(names)]


# ---- find ----

def rooms_of_suites():
    rooms = {}
    for file in glob.glob(os.path.join(SRC, "tests", "*", "*_test.cc")):
        with open(file, encoding="utf-8") as f:
            for suite in re.findall(r"^TEST(?:_F|_P)?\((\w+),", f.read(), re.M):
                rooms[suite] = os.path.basename(os.path.dirname(file))
    return rooms


def find_suites(program):
    rooms = rooms_of_suites()
    status, out = run([gtest(program, [])[0], "--gtest_list_tests"], 60)
    if status != 0:
        fail(f"{program} does not list its tests")
    names = [line.split(".")[0] for line in out.splitlines() if re.match(r"\S+\.", line)]
    names = [n for n in names if re.search(SUITES, n)]
    return [Test(n, next((rooms[part] for part in n.split("/") if part in rooms), ""), program)
            for n in names]


def find_scripts(folders):
    if os.environ.get("SCRIPTS") == "no":
        return []
    files = glob.glob(os.path.join(SRC, "tests", "*", "*_test.sh"))
    return [Test(os.path.relpath(f, SRC), f.split("/")[-2], script=f) for f in sorted(files)
            if f.split("/")[-2] in folders]


def find_tests(programs, files):
    suites = [s for p in programs for s in find_suites(p)]
    if OTHERS == 0:
        near = {room for f in files for room in rooms_of(f)}
        return [s for s in suites if s.room in near]
    return suites + find_scripts(FOLDERS + (("papi",) if "papi_calls" in programs else ()))


# rooms FILE: the folders of tests/ whose tests should notice; as in run.sh
def rooms_of(file):
    out = subprocess.run(["sh", os.path.join(HERE, "run.sh"), "--rooms", file], capture_output=True,
                         text=True, check=True, env=environment(SRC=SRC, BUILD=BUILD)).stdout
    return out.split()


# ---- without a change ----

def look(test):
    """Run it without a change, a second time if it fails: its time, and the places it reaches."""
    file = os.path.join(WORK, "reached." + re.sub(r"\W", "_", test.name))
    for _ in range(2):
        with open(file, "wb") as f:
            f.write(bytes(4096))
        began = time.monotonic()
        status, _ = run(test.command(), 600, UNC_MUTANT_REACHED=file)
        test.seconds, test.passes = time.monotonic() - began, status == 0
        if test.passes or status == 77:
            break
    with open(file, "rb") as f:
        test.reached = f.read()
    os.unlink(file)


def look_at_all(tests):
    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(look, tests))
    for test in tests:
        if not test.passes:
            note(f"mutants: not used, it fails or is skipped without a change: {test.name}")


# ---- with a change ----

def is_noticed(command, limit, n):
    """Whether it fails again with change n, and passes without it."""
    return run(command, limit, UNC_MUTANT=str(n))[0] not in (0, 77) and run(command, limit)[0] == 0


def notices_in(program, suites, n):
    """The test of a program that fails, "a crash" (or a failure of them all), "the time limit", or ""."""
    limit = 30 + 4 * sum(t.seconds for t in suites)
    names, tries = [t.name + ".*" for t in suites], 3
    while suites and tries:
        status, out = run(gtest(program, names), limit, UNC_MUTANT=str(n))
        if status == 0:
            return ""
        found = re.findall(FAILED, out, re.M)
        if is_noticed(gtest(program, found[:1] if found else names), limit, n):
            return found[0] if found else "a crash" if status else "the time limit"
        # by chance: leave it out
        tries -= 1
        if found:
            names.append(found[0] if any(n.startswith("-") for n in names) else "-" + found[0])
    return ""


def notices(tests, n):
    """The test that fails, or ""."""
    for program in sorted({t.program for t in tests if t.program}):
        by = notices_in(program, [t for t in tests if t.program == program], n)
        if by:
            return by
    for test in (t for t in tests if t.script):
        limit = 30 + 4 * test.seconds
        if run(test.command(), limit, UNC_MUTANT=str(n))[0] not in (0, 77) and \
                is_noticed(test.command(), limit, n):
            return test.name
    return ""


def quickest(tests):
    """As many as take OTHERS seconds."""
    chosen, seconds = [], 0.0
    for test in sorted(tests, key=lambda t: t.seconds):
        seconds += test.seconds
        if seconds <= OTHERS:
            chosen.append(test)
    return chosen


def kill(n, file, tests):
    """The test that notices change n, "" if none does, None if one that may notice was not used."""
    near = rooms_of(file)
    reach = [t for t in tests if t.reached[n] and t.passes]
    own = [t for t in reach if t.room in near and not t.script]
    others = quickest([t for t in reach if t.room not in near and not t.script])
    by = notices(own, n) or notices(others, n) or notices([t for t in reach if t.script], n)
    return None if not by and any(t.reached[n] and not t.passes for t in tests) else by
