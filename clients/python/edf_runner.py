"""The lab's `edf_runner`, as it was meant: `PeriodicTask` and `run_edf`.

The snippet's calls run unchanged, on a correct queue: among the tasks that are
released the one with the earliest deadline runs, and nobody waits for one that
is not released while another is ready. Releases do not drift, tasks with equal
deadlines are taken in the order given, and every job is recorded, so that
`edgewise run` and `edgewise card` know its response times.

One thread runs one job to its end: long jobs delay short ones. `edgewise plan`
says whether that is too much, and `edgewise exec` runs tasks on several cores.
"""

import time

from edgewise import _library

_NS = 1_000_000_000


class PeriodicTask:
    """A function to be called every period, by a deadline after each release."""

    def __init__(self, name, period_ms, deadline_ms, fn):
        if not period_ms > 0 or not deadline_ms > 0:
            raise ValueError(f"{name}: period and deadline must be above 0")
        self.name = name
        self.P = period_ms / 1000
        self.D = deadline_ms / 1000
        self.fn = fn
        self.next_release = time.monotonic()
        self._first_ns = round(self.next_release * _NS)
        self._period_ns = round(self.P * _NS)
        self._deadline_ns = round(self.D * _NS)
        self._job = 0

    def release(self):
        """The next job: its absolute deadline, and the task."""
        self._job += 1
        self.next_release = self._release_ns() / _NS
        return (self.next_release + self.D, self)

    def __lt__(self, other):
        """For heaps of (deadline, task), where deadlines may be equal."""
        return self._due_ns() < other._due_ns()

    def _release_ns(self):
        return self._first_ns + self._job * self._period_ns

    def _due_ns(self):
        return self._release_ns() + self._deadline_ns


def run_edf(tasks, duration_s=None):
    """Runs jobs by their deadlines; for ever, or until no release is left that
    lies within duration_s of now. Prints one line for each job."""
    tasks = list(tasks)
    if not tasks:
        raise ValueError("run_edf needs at least one task")
    start_ns = time.monotonic_ns()
    end_ns = None if duration_s is None else start_ns + round(duration_s * _NS)
    names = {id(task): _library.name_id(task.name) for task in tasks}
    while True:
        left = [t for t in tasks if end_ns is None or t._release_ns() < end_ns]
        if not left:
            return
        now_ns = time.monotonic_ns()
        ready = [task for task in left if task._release_ns() <= now_ns]
        if not ready:
            wait_ns = min(task._release_ns() for task in left) - now_ns
            time.sleep(wait_ns / _NS)
            continue
        _run(min(ready, key=PeriodicTask._due_ns), names)


def _run(task, names):
    release_ns, due_ns = task._release_ns(), task._due_ns()
    cpu_ns, begin_ns = time.thread_time_ns(), time.monotonic_ns()
    task.fn()
    end_ns = time.monotonic_ns()
    _library.lib.edgewise_job(
        names[id(task)],
        release_ns,
        begin_ns,
        end_ns,
        due_ns,
        time.thread_time_ns() - cpu_ns,
    )
    exec_ms = (end_ns - begin_ns) / 1e6
    missed = end_ns > due_ns
    print(f"{task.name}: {exec_ms:.2f} ms | Missed deadline: {missed}", flush=True)
    task.release()
