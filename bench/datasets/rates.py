"""Reading and unpacking datasets against sha256sum and tar, in turns.

    rates.py EDGEWISE

Prints lines of: name, value, unit, bar, pass|fail (tab-separated). CPU time, because
that is what a machine with other work has least of; files lie in the page cache.
"""
import os
import pathlib
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROUNDS = 7
FILES, FILE_BYTES = 64, 2 << 20


def cpu_s(command, **options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def line(name, ratios, bar):
    low, _, high = statistics.quantiles(ratios, n=4)
    value = statistics.median(ratios)
    print(name, f"{value:.2f} ({low:.2f} to {high:.2f})", "x CPU time", f"<= {bar}", "pass" if value <= bar else "fail", sep="\t")


def main():
    edgewise = pathlib.Path(sys.argv[1]).resolve()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="edgewise-bench-"))
    environment = {**os.environ, "XDG_CACHE_HOME": str(scratch / "cache")}
    try:
        folder = scratch / "data"
        folder.mkdir()
        source = random.Random(1)
        for i in range(FILES):
            # Half noise, half text: as images and annotations are.
            noise = source.randbytes(FILE_BYTES // 2)
            (folder / f"f{i}").write_bytes(noise + noise[:FILE_BYTES // 4].hex().encode())
        subprocess.run(["tar", "-czf", "data.tar.gz", "data"], cwd=scratch, check=True)
        digest, unpack = [], []
        for _ in range(ROUNDS):
            shutil.rmtree(scratch / "cache", ignore_errors=True)
            ours = cpu_s([edgewise, "data", "get", folder], env=environment)
            digest.append(ours / cpu_s(["sha256sum", *sorted(folder.iterdir())]))
            ours = cpu_s([edgewise, "data", "get", scratch / "data.tar.gz"], env=environment)
            out = scratch / "out"
            out.mkdir()
            theirs = cpu_s(["tar", "-xzf", scratch / "data.tar.gz", "-C", out])
            theirs += cpu_s(["sha256sum", scratch / "data.tar.gz", *sorted((out / "data").iterdir())])
            shutil.rmtree(out)
            unpack.append(ours / theirs)
        line("dataset: digest of a folder, against sha256sum", digest, 1.2)
        line("dataset: unpacked and digested, against tar and sha256sum", unpack, 1.2)
    finally:
        shutil.rmtree(scratch)


main()
