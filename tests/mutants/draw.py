#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""draw.py N SEED [PATH...] - change the code in N random places and print the changes that no test
notices.

The places are lines of the sources below PATH (default: see PATHS) that the tests reach, each line with
the same probability; one of the changes that its expressions allow is drawn (places.py).  All of them
are in one build (switch.h).  The tests first run once without a change, each suite in a process of its
own, which shows the suites that reach a place.  A change is tried with the suites of its folder, then
with all others, then with the scripts.

Expects SRC and BUILD in the environment, and the unit test program built.  Works on a copy of the
sources below BUILD/mutants/random.  Variables: SCRIPTS=no leaves the scripts out, SUITES=PATTERN uses
only the suites whose names match, OTHERS=SECONDS limits the suites of other folders to the quickest
ones, JOBS=N is how many processes run tests at once, LINES=FILE has the lines to choose from.
"""
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from places import Tree

SRC, BUILD = os.environ["SRC"], os.environ["BUILD"]
WORK = os.path.join(BUILD, "mutants", "random")
TREE = os.path.join(WORK, "tree")
HERE = os.path.dirname(os.path.abspath(__file__))
PATHS = ["src/lib", "src/daemon", "src/command/base"]
COPIED = ["src", "components", "events", "tests", "docs", "configure", "README.md", "CHANGELOG.md", "examples"]
JOBS = int(os.environ.get("JOBS") or len(os.sched_getaffinity(0)))
OTHERS = float(os.environ.get("OTHERS") or 1e9)
SUITES = os.environ.get("SUITES") or ""
# Variables that choose a machine or a way to count
UNSET = ["UNCORE_MACHINE", "UNCORE_SYSROOT", "UNCORE_WRAP_POLLER", "UNCORE_FORCE", "UNCORE_VERBOSE",
         "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"]


def fail(text):
    print(f"mutants: {text}", file=sys.stderr)
    sys.exit(2)


def note(text):
    print(text, file=sys.stderr, flush=True)


# ---- the copy ----

def copy():
    os.makedirs(os.path.join(TREE, "build", "src"), exist_ok=True)
    for name in COPIED:
        to = os.path.join(TREE, name)
        shutil.rmtree(to, ignore_errors=True)
        subprocess.run(["cp", "-Rp", os.path.join(SRC, name), to], check=True)
    for name in ("config.mk", "src/config.h"):
        shutil.copy2(os.path.join(BUILD, name), os.path.join(TREE, "build", name))
    shutil.rmtree(os.path.join(TREE, "build", "obj"), ignore_errors=True)
    for name in ["obj", "uncore", "uncored"] + glob.glob("libuncore*", root_dir=BUILD):
        subprocess.run(["cp", "-Rp", os.path.join(BUILD, name), os.path.join(TREE, "build")], check=True)


def make(*args):
    command = ["make", "-C", TREE, "SRC=.", "B=build", "-f", "build/config.mk", "-f", "src/build/rules.mk"]
    return subprocess.run(command + list(args), capture_output=True, text=True, env=environment())


def environment(**more):
    env = {k: v for k, v in os.environ.items() if k not in UNSET and not k.startswith("UNC_MUTANT")}
    return dict(env, **more)


def find_commands():
    """By source file, the flags with which the test program's objects are compiled."""
    flags = {}
    for line in make("-n", "-B", "V=1", "build/tests/unit").stdout.splitlines():
        found = re.search(r" -c (\./)?(\S+\.c) -o ", line)
        if found:
            words = line[:found.start()].split()
            flags[found.group(2)] = [w for w in words if re.match(r"-(std|D|I|isystem|include)", w)]
    return flags


# ---- the changes ----

def lines_of(files):
    count = []
    for file in files:
        with open(os.path.join(TREE, file), encoding="utf-8") as f:
            count += [(file, n + 1) for n in range(len(f.readlines()))]
    return count


def only_these(lines):
    """LINES names a file with FILE:LINE, the lines to choose from."""
    if not os.environ.get("LINES"):
        return lines
    with open(os.environ["LINES"], encoding="utf-8") as f:
        wanted = set(f.read().split())
    return [(file, n) for file, n in lines if f"{file}:{n}" in wanted]


def draw(n, chance, flags, paths):
    """Changes at n lines, none inside another."""
    files = sorted(f for f in flags if any(f == p or f.startswith(p.rstrip("/") + "/") for p in paths))
    lines = only_these(lines_of(files))
    chance.shuffle(lines)
    trees, drawn = {}, []
    os.chdir(TREE)
    while lines and len(drawn) < n:
        some, lines = lines[:4 * n], lines[4 * n:]
        new = sorted({file for file, _ in some} - set(trees))
        with ThreadPoolExecutor(JOBS) as pool:
            trees.update(zip(new, pool.map(lambda f: Tree("clang", f, flags[f]), new)))
        for file, line in some:
            at = [c for c in trees[file].changes if c.line == line and is_free(c, file, drawn)]
            if at and len(drawn) < n:
                drawn.append((file, chance.choice(at)))
    return drawn


def is_free(change, file, drawn):
    return all(f != file or c.end <= change.begin or change.end <= c.begin for f, c in drawn)


def write(drawn):
    """Change n is the n-th that was drawn, from 1 on."""
    of = {}
    for i, (file, change) in enumerate(drawn):
        of.setdefault(file, []).append((change, i + 1))
    for file, changes in of.items():
        path = os.path.join(TREE, file)
        with open(path, "rb") as f:
            text = f.read()
        for change, n in sorted(changes, key=lambda c: -c[0].begin):
            new = change.new.replace("unc_mutant(N)", f"unc_mutant({n})").encode()
            text = text[:change.begin] + new + text[change.end:]
        head = f'#include "{HERE}/switch.h"\n#line 1\n'
        with open(path, "wb") as f:
            f.write(head.encode() + text)


def build(drawn):
    """Leaves out the changes that the compiler refuses."""
    left = list(drawn)
    while True:
        write(left)
        out = make("-k", "WARNINGS_C=-w", "build/tests/unit", "lib", "build/uncore", "build/uncored")
        if out.returncode == 0:
            return left
        bad = {(f, int(n)) for f, n in re.findall(r"^(?:\./)?(src/\S+?):(\d+):\d*:? *error", out.stderr, re.M)}
        if not bad:
            fail("the copy is not built:\n" + out.stderr[-3000:])
        keep = [(f, c) for f, c in left if not any(f == b and c.line <= n <= c.line + 8 for b, n in bad)]
        if len(keep) == len(left):
            fail("the copy is not built:\n" + out.stderr[-3000:])
        for file in {f for f, _ in left}:
            shutil.copy2(os.path.join(SRC, file), os.path.join(TREE, file))
        left = keep


# ---- tests ----

class Test:
    """A suite of the unit tests, or a script."""

    def __init__(self, name, room, script=None):
        self.name, self.room, self.script = name, room, script
        self.seconds, self.reached, self.passes = 0.0, b"", False


def rooms_of_suites():
    rooms = {}
    for file in glob.glob(os.path.join(SRC, "tests", "*", "*_test.cc")):
        with open(file, encoding="utf-8") as f:
            for suite in re.findall(r"^TEST(?:_F|_P)?\((\w+),", f.read(), re.M):
                rooms[suite] = os.path.basename(os.path.dirname(file))
    return rooms


def find_suites():
    rooms = rooms_of_suites()
    out = subprocess.run([program(), "--gtest_list_tests"], capture_output=True, text=True, check=True,
                         env=environment(SRC=SRC, BUILD=os.path.join(TREE, "build"))).stdout
    names = [line.split(".")[0] for line in out.splitlines() if re.match(r"\S+\.", line)]
    names = [n for n in names if re.search(SUITES, n)]
    return [Test(n, next((rooms[part] for part in n.split("/") if part in rooms), "")) for n in names]


def find_scripts():
    if os.environ.get("SCRIPTS") == "no":
        return []
    files = glob.glob(os.path.join(SRC, "tests", "*", "*_test.sh"))
    wanted = ("daemon", "exporter", "mount", "region", "tools")
    return [Test(os.path.relpath(f, SRC), f.split("/")[-2], f) for f in sorted(files)
            if f.split("/")[-2] in wanted]


def program():
    return os.path.join(TREE, "build", "tests", "unit")


def run(command, limit, **env):
    """Exit status and output; None after the limit."""
    try:
        out = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=limit,
                             stderr=subprocess.STDOUT, cwd=TREE, text=True, errors="replace",
                             env=environment(SRC=SRC, BUILD=os.path.join(TREE, "build"), **env))
        return out.returncode, out.stdout
    except subprocess.TimeoutExpired:
        return None, ""


def look(test):
    """Run it without a change: its time, and the places it reaches."""
    file = os.path.join(WORK, "reached." + re.sub(r"\W", "_", test.name))
    with open(file, "wb") as f:
        f.write(bytes(4096))
    command = ["sh", test.script] if test.script else \
        [program(), f"--gtest_filter={test.name}.*"]
    began = time.monotonic()
    status, _ = run(command, 600, UNC_MUTANT_REACHED=file)
    test.seconds, test.passes = time.monotonic() - began, status == 0
    with open(file, "rb") as f:
        test.reached = f.read()
    os.unlink(file)


def look_at_all(tests):
    with ThreadPoolExecutor(JOBS) as pool:
        list(pool.map(look, tests))
    for test in tests:
        if not test.passes:
            note(f"mutants: not used, it fails or is skipped without a change: {test.name}")
    return [t for t in tests if t.passes]


# rooms FILE: the folders of tests/ whose tests should notice; as in run.sh
def rooms_of(file):
    out = subprocess.run(["sh", os.path.join(HERE, "run.sh"), "--rooms", file], capture_output=True,
                         text=True, check=True, env=environment(SRC=SRC, BUILD=BUILD)).stdout
    return out.split()


def notices(tests, n):
    """The test that fails, or ""."""
    suites = [t.name for t in tests if not t.script]
    limit = 30 + 4 * sum(t.seconds for t in tests if not t.script)
    if suites:
        status, out = run([program(), "--gtest_fail_fast", "--gtest_filter=" +
                           ":".join(s + ".*" for s in suites)], limit, UNC_MUTANT=str(n))
        if status != 0:
            found = re.findall(r"^\[  FAILED  \] ([^\s,]+)", out, re.M)
            return found[0] if found else "a crash" if status else "the time limit"
    for test in (t for t in tests if t.script):
        if run(["sh", test.script], 30 + 4 * test.seconds, UNC_MUTANT=str(n))[0] not in (0, 77):
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
    """The test that notices change n, or ""."""
    near = rooms_of(file)
    reach = [t for t in tests if t.reached[n]]
    own = [t for t in reach if t.room in near and not t.script]
    others = quickest([t for t in reach if t.room not in near and not t.script])
    return notices(own, n) or notices(others, n) or notices([t for t in reach if t.script], n)


# ---- run ----

def report(n, file, change, by):
    line = f"{file}:{change.line}: {change.what}"
    print(f"killed  {line} ({by})" if by else f"LIVES   {line}", flush=True)


def main():
    if len(sys.argv) < 3:
        fail("usage: draw.py N SEED [PATH...]")
    wanted, chance = int(sys.argv[1]), random.Random(sys.argv[2])
    began = time.monotonic()
    copy()
    flags = find_commands()
    drawn = draw(wanted + wanted // 2 + 4, chance, flags, sys.argv[3:] or PATHS)
    note(f"mutants: {len(drawn)} places after {time.monotonic() - began:.0f} s")
    drawn = build(drawn)
    note(f"mutants: built after {time.monotonic() - began:.0f} s")
    tests = look_at_all(find_suites() + find_scripts())
    note(f"mutants: tests ran after {time.monotonic() - began:.0f} s")
    reached = [n for n in range(1, len(drawn) + 1) if any(t.reached[n] for t in tests)]
    chosen = reached[:wanted]
    alive = 0

    def try_one(n):
        return n, kill(n, drawn[n - 1][0], tests)

    with ThreadPoolExecutor(JOBS) as pool:
        for n, by in pool.map(try_one, chosen):
            report(n, *drawn[n - 1], by)
            alive += not by
    print(f"{len(chosen) - alive} killed, {alive} live of {len(chosen)} reached by tests; "
          f"{len(drawn) - len(reached)} of {len(drawn)} drawn places are not reached; "
          f"{time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
