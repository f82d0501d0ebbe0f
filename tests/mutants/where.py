# SPDX-License-Identifier: BSD-3-Clause
"""where.py - the copy of the sources that draw.py changes, and how programs are called there."""
import os
import signal
import subprocess
import sys

SRC, BUILD = os.environ["SRC"], os.environ["BUILD"]
WORK = os.path.join(BUILD, "mutants", os.environ.get("WORK") or "random")
TREE = os.path.join(WORK, "tree")
HERE = os.path.dirname(os.path.abspath(__file__))
JOBS = int(os.environ.get("JOBS") or len(os.sched_getaffinity(0)))
# Variables that choose a machine or a way to count
UNSET = ["UNCORE_MACHINE", "UNCORE_SYSROOT", "UNCORE_WRAP_POLLER", "UNCORE_FORCE", "UNCORE_VERBOSE",
         "MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES"]


def fail(text):
    print(f"mutants: {text}", file=sys.stderr)
    sys.exit(2)


def note(text):
    print(text, file=sys.stderr, flush=True)


def environment(**more):
    env = {k: v for k, v in os.environ.items() if k not in UNSET and not k.startswith("UNC_MUTANT")}
    return dict(env, **more)


def make(*args):
    command = ["make", "-C", TREE, "SRC=.", "B=build", "-f", "build/config.mk", "-f", "src/build/rules.mk"]
    return subprocess.run(command + list(args), capture_output=True, text=True, env=environment())


running = set()


def end(*_):
    """On a signal: ends the tests, too."""
    for group in list(running):
        os.killpg(group, signal.SIGKILL)
    os._exit(143)


def run(command, limit, **env):
    """Exit status and output; None after the limit, when its children are ended, too."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          cwd=TREE, text=True, errors="replace", start_new_session=True,
                          env=environment(SRC=SRC, BUILD=os.path.join(TREE, "build"), **env)) as process:
        running.add(process.pid)
        try:
            out = process.communicate(timeout=limit)[0]
            return process.returncode, out
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, ""
        finally:
            running.discard(process.pid)
