"""How much slower an app in a container gets by being profiled: interleaved on
the CPU time that the app itself reads for a fixed amount of work, once started by
podman alone and once by edgewise.

    slowdown.py EDGEWISE [system|stacks]

Both are tried unless one is named. Prints lines of: name, value, unit, bar, pass|fail (tab-separated); one that says
so where there is no podman.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(SOURCE / "tests/integration"), str(SOURCE / "bench/session")]
import images  # noqa: E402
import rounds  # noqa: E402

EDGEWISE = pathlib.Path(sys.argv[1]).resolve()
BAR = 3
# In nanoseconds, as the scheduler counts.
WORK = "i=0; while [ $i -lt 600000 ]; do i=$((i+1)); done; cat /proc/$$/schedstat"
LIMITS = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024")


def cpu_of(output):
    return int(output.split()[0])


def main():
    with tempfile.TemporaryDirectory(dir="/tmp") as text:
        folder = pathlib.Path(text)
        try:
            engine = images.podman(folder)
            engine.image("localhost/shell:1", images.add_busybox, 'ENTRYPOINT ["/bin/sh", "-c"]')
        except unittest.SkipTest as why:
            print(f"slow-down of an app in a container ({why})\t--\t%\t<= {BAR}\t-")
            return
        environment = {**os.environ, "PATH": engine.path, "EDGEWISE_HOME": str(folder / "home")}

        def alone():
            return cpu_of(engine("--runtime", "runc", "run", "--rm", "--network", "none", *LIMITS, "localhost/shell:1", WORK))

        ways = {"system": "an app in a container", "stacks": "an app in a container with stacks"}
        for metrics, name in ways.items():
            if sys.argv[2:] not in ([], [metrics]):
                continue
            file = folder / "app.yaml"
            file.write_text(f"name: work\nimage: localhost/shell:1\nargs: [{json.dumps(WORK)}]\n"
                            f"engine_args: [--network, none]\nmetrics: [{metrics}]\n")

            def profiled():
                done = subprocess.run([EDGEWISE, "run", "--json", file], env=environment, stdout=subprocess.PIPE, check=True)
                return cpu_of(json.loads(done.stdout)["output_tail"])
            rounds.compare(name, BAR, alone, profiled)


main()
