#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""draw.py N SEED [PATH...] - change the code in N random places and print the changes that no test
notices.

The places are lines of the sources below PATH (default: see PATHS) that the tests reach, each line with
the same probability; one of the changes that its expressions allow is drawn (places.py).  All of them
are in one build (switch.h).  The tests first run once without a change, each suite in a process of its
own, which shows the suites that reach a place.  A change is tried with the suites of its folder, then
with all others, then with the scripts.  It is killed if a test fails twice with it and passes without.

Expects SRC and BUILD in the environment, and the unit test program built.  Works on a copy of the
sources below BUILD/mutants/random.  Variables: SCRIPTS=no leaves the scripts out, SUITES=PATTERN uses
only the suites whose names match, OTHERS=SECONDS limits the suites of other folders to the quickest
ones (0: none), JOBS=N is how many processes run tests at once, LINES=FILE has the lines to choose from,
SINCE=COMMIT leaves out lines that are older or were only moved since.  MOST=N fails if more than N %
live.
"""
import glob
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from places import Tree
from suites import find_tests, kill, look_at_all
from where import BUILD, HERE, JOBS, SRC, TREE, end, environment, fail, make, note

PATHS = ["src/lib", "src/daemon", "src/command/base"]
COPIED = ["src", "components", "events", "tests", "docs", "configure", "README.md", "CHANGELOG.md", "examples"]
MOST = float(os.environ.get("MOST") or 100)


# ---- the copy ----

def copy_built(names):
    for name in names:
        shutil.rmtree(os.path.join(TREE, "build", name), ignore_errors=True)
        subprocess.run(["cp", "-Rp", os.path.join(BUILD, name), os.path.join(TREE, "build")], check=True)


def copy():
    os.makedirs(os.path.join(TREE, "build", "src"), exist_ok=True)
    for name in COPIED:
        to = os.path.join(TREE, name)
        shutil.rmtree(to, ignore_errors=True)
        subprocess.run(["cp", "-Rp", os.path.join(SRC, name), to], check=True)
    for name in ("config.mk", "src/config.h"):
        shutil.copy2(os.path.join(BUILD, name), os.path.join(TREE, "build", name))
    copy_built(["obj"])
    for name in ["uncore", "uncored"] + glob.glob("libuncore*", root_dir=BUILD):
        subprocess.run(["cp", "-p", os.path.join(BUILD, name), os.path.join(TREE, "build")], check=True)


def copy_papi():
    """PAPI, configured, with its component from the copy."""
    if not os.path.exists(os.path.join(BUILD, "papi", "libpapi.so")):
        fail("build PAPI first: make papi")
    copy_built(["papi", "papi-build", "papi-component"])
    link = os.path.join(TREE, "build", "papi-build", "src", "components", "uncore")
    os.unlink(link)
    os.symlink(os.path.join(TREE, "build", "papi-component", "uncore"), link)


def find_commands():
    """By source file, the flags with which the test program's objects are compiled."""
    flags = {}
    for line in make("-n", "-B", "V=1", "build/tests/unit").stdout.splitlines():
        found = re.search(r" -c (\./)?(\S+\.c) -o ", line)
        if found:
            words = line[:found.start()].split()
            flags[found.group(2)] = [w for w in words if re.match(r"-(std|D|I|isystem|include)", w)]
    return flags


def find_papi_flags():
    """Of the component's sources: those of PAPI's own Makefile."""
    show = "include Makefile\nshow:;@printf '%s\\n' $(LIBCFLAGS)\n"
    directory = os.path.join(TREE, "build", "papi-build", "src")
    out = subprocess.run(["make", "-s", "-C", directory, "-f", "-", "show"], input=show, check=True,
                         capture_output=True, text=True, env=environment()).stdout
    flags = ["-std=gnu11", "-Isrc", "-Isrc/lib", "-Ievents", "-I" + directory] + \
        [w for w in out.splitlines() if w.startswith("-D")]
    return {f: flags for f in glob.glob("components/uncore/*.c", root_dir=TREE)}


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


def is_new(file, line):
    """Whether the line was changed, not just moved, since the commit SINCE."""
    if not os.environ.get("SINCE"):
        return True
    command = ["git", "-C", SRC, "blame", "--porcelain", "-w", "-M", "-C", f"-L{line},{line}",
               os.environ["SINCE"] + "..", "--", file]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return not re.search(r"^boundary$", out, re.M)


def is_below(file, paths):
    return any(file == p or file.startswith(p.rstrip("/") + "/") for p in paths)


def draw(n, chance, flags, paths):
    """Changes at n lines, none inside another."""
    files = sorted(f for f in flags if is_below(f, paths))
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
            if at and len(drawn) < n and is_new(file, line):
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


def build(drawn, programs):
    """Leaves out the changes that the compiler refuses."""
    # Scripts run them, too.
    goals = ["build/tests/" + p for p in programs + ["recorded_machines"]] + ["lib", "build/uncore", "build/uncored"]
    goals += ["examples"] * ("papi_calls" in programs)
    left = list(drawn)
    while True:
        write(left)
        out = make("-k", f"-j{JOBS}", "WARNINGS_C=-w", *goals)
        if out.returncode == 0:
            return left
        bad = {(f, int(n)) for f, n in re.findall(r"^(?:\./)?((?:src|components)/\S+?):(\d+):\d*:? *error",
                                                  out.stdout + out.stderr, re.M)}
        if not bad:
            fail("the copy is not built:\n" + out.stderr[-3000:])
        keep = [(f, c) for f, c in left if not any(f == b and c.line <= n <= c.line + 8 for b, n in bad)]
        if len(keep) == len(left):
            fail("the copy is not built:\n" + out.stderr[-3000:])
        for file in {f for f, _ in left}:
            shutil.copy2(os.path.join(SRC, file), os.path.join(TREE, file))
        left = keep


# ---- run ----

def report(file, change, by):
    line = f"{file}:{change.line}: {change.what}"
    verdict = f"killed  {line} ({by})" if by else f"LIVES   {line}" if by == "" else f"unknown {line}"
    print(verdict, flush=True)


def main():
    if len(sys.argv) < 3:
        fail("usage: draw.py N SEED [PATH...]")
    wanted, chance, paths = int(sys.argv[1]), random.Random(sys.argv[2]), sys.argv[3:] or PATHS
    began = time.monotonic()
    signal.signal(signal.SIGTERM, end)

    def used():
        """Also of the processors, since the computer may be busy."""
        of = resource.getrusage(resource.RUSAGE_CHILDREN)
        return f"{time.monotonic() - began:.0f} s ({of.ru_utime + of.ru_stime:.0f} s of processors)"

    def progress(what):
        note(f"mutants: {what} after {used()}")

    programs = ["unit"] + ["papi_calls"] * any(is_below("components/uncore/uncore.c", [p]) or
                                               p.startswith("components/") for p in paths)
    copy()
    flags = find_commands()
    if len(programs) > 1:
        copy_papi()
        flags.update(find_papi_flags())
    drawn = draw(wanted + wanted // 2 + 4, chance, flags, paths)
    progress(f"{len(drawn)} places")
    drawn = build(drawn, programs)
    progress("built")
    tests = find_tests(programs, {f for f, _ in drawn})
    look_at_all(tests)
    progress("tests ran")
    reached = [n for n in range(1, len(drawn) + 1) if any(t.reached[n] for t in tests)]
    chosen = reached[:wanted]
    killed = alive = 0
    with ThreadPoolExecutor(JOBS) as pool:
        for n, by in pool.map(lambda n: (n, kill(n, drawn[n - 1][0], tests)), chosen):
            report(*drawn[n - 1], by)
            killed += bool(by)
            alive += by == ""
    print(f"{killed} killed, {alive} live of {len(chosen)} reached by tests; "
          f"{len(drawn) - len(reached)} of {len(drawn)} drawn places are not reached; "
          f"{used()}")
    return 100 * alive > MOST * (killed + alive)


if __name__ == "__main__":
    sys.exit(main())
