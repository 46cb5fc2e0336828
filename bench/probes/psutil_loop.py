"""The peer of process_tree_bench: the same figures, the usual way.

Usage: psutil_loop.py ROOT_PID HZ TICKS
Reads what ProcessTree reads (page faults apart, which psutil does not have):
on every tick CPU times, RSS and the number of threads of every descendant, on
one tick a second also threads, switches, I/O and affinity. Prints the CPU
seconds that the loop itself took, start-up not included.
"""
import sys
import time

import psutil


def look(root, slow):
    total = rss = threads = switches = io_bytes = 0
    for process in root.children(recursive=True):
        try:
            with process.oneshot():
                times = process.cpu_times()
                total += times.user + times.system
                rss += process.memory_info().rss
                threads += process.num_threads()
                process.status()
                if slow:
                    process.threads()
                    switches += sum(process.num_ctx_switches())
                    io = process.io_counters()
                    io_bytes += io.read_bytes + io.write_bytes
                    process.cpu_affinity()
        except psutil.Error:
            pass
    return total, rss, threads


def main():
    root = psutil.Process(int(sys.argv[1]))
    hz = float(sys.argv[2])
    ticks = int(sys.argv[3])
    look(root, True)
    start_cpu = time.process_time()
    next_tick = time.monotonic()
    for tick in range(ticks):
        next_tick += 1 / hz
        look(root, tick % int(hz) == 0)
        time.sleep(max(0.0, next_tick - time.monotonic()))
    print(time.process_time() - start_cpu)


if __name__ == "__main__":
    main()
