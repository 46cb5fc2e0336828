# prof_utils.py
import os, time, csv, psutil
from contextlib import contextmanager

PROC = psutil.Process(os.getpid())

def _sample_proc():
    with PROC.oneshot():
        return {
            "cpu_percent": PROC.cpu_percent(interval=None),
            "rss_mb": PROC.memory_info().rss / (1024*1024),
            "threads": PROC.num_threads(),
            "affinity": PROC.cpu_affinity()
        }

@contextmanager
def measure(label, meta=None, log_path="profile_log.csv"):
    t0 = time.perf_counter_ns()
    t_cpu0 = time.process_time_ns()
    PROC.cpu_percent(interval=None)  # prime

    yield  # execute user block

    t1 = time.perf_counter_ns()
    t_cpu1 = time.process_time_ns()

    p = _sample_proc()
    row = {
        "label": label,
        "wall_ms": (t1 - t0)/1e6,
        "cpu_ms": (t_cpu1 - t_cpu0)/1e6,
        "cpu_percent": p["cpu_percent"],
        "rss_mb": p["rss_mb"],
        "threads": p["threads"],
        "affinity": ",".join(map(str, p["affinity"])),
        "timestamp_ns": t1
    }
    if meta:
        row.update(meta)
    write_header = not os.path.exists(log_path)
    with open(log_path, "a", newline="") as f:
        w = csv.DictWriter(f, fieldnames=row.keys())
        if write_header:
            w.writeheader()
        w.writerow(row)
