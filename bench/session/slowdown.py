"""How much slower a program gets by being profiled: interleaved (rounds.py) on
the program's CPU time, as the kernel accounts it. Alone, too, the program runs in
a memory cgroup, as every service, login and container does: what the kernel
charges for that is not the profiler's doing.

    slowdown.py EDGEWISE NAME BAR_PERCENT "FLAGS" PROGRAM [ARGUMENT...]

Prints lines of: name, value, unit, bar, pass|fail (tab-separated).
"""
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import rounds

EDGEWISE, NAME, BAR, FLAGS, *PROGRAM = sys.argv[1:]


@contextlib.contextmanager
def memory_cgroup():
    """A folder to run the program in; None where none can be made."""
    for root in ("/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
        folder = pathlib.Path(root, f"edgewise-bench-{os.getpid()}")
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            yield folder
        finally:
            folder.rmdir()
        return
    yield None


def alone(cgroup):
    pid = os.fork()
    if pid == 0:
        try:
            if cgroup:
                (cgroup / "cgroup.procs").write_text("0")
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.execv(PROGRAM[0], PROGRAM)
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, "the program failed"
    return usage.ru_utime + usage.ru_stime


def profiled(home):
    out = subprocess.run([EDGEWISE, "--home", home, "run", "--json", *FLAGS.split(), "--", *PROGRAM],
                         stdout=subprocess.PIPE, check=True).stdout
    run = json.loads(out)
    return run["cpu_user_s"] + run["cpu_system_s"]


with tempfile.TemporaryDirectory() as folder, memory_cgroup() as group:
    rounds.compare(NAME, BAR, lambda: alone(group), lambda: profiled(folder))
