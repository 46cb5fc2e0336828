"""Values over time: Gauge, Counter, Rate, Knob, Periodic, and Sage's LiveMetrics."""

import ctypes
import time

from ._library import NO_CPU_TIME, lib, name_id, to_text

_NS = 1_000_000_000
_JOB, _STOPPED, _INTERRUPTED = 1, -1, -2  # of edgewise_next_release


def _number(value):
    """The value as a float; None if it is not a number."""
    try:
        return float(value)
    except Exception:  # whatever __float__ does must not reach the program
        return None


class Gauge:
    """A value that goes up and down."""

    def __init__(self, name):
        self._name = name_id(name)

    def set(self, value):
        number = _number(value)
        if number is not None:
            lib.edgewise_gauge(self._name, number)


class Counter:
    """A count of events; all of one name in a process share one total."""

    def __init__(self, name):
        self._name = name_id(name)

    def add(self, delta=1):
        number = _number(delta)
        if number is not None and abs(number) < 2**63:
            lib.edgewise_counter_add(self._name, int(number))


class Rate:
    """How often tick() is called, per second: one over the time between two."""

    def __init__(self, name):
        self._name = name_id(name)
        self._last_ns = None

    def tick(self):
        now_ns = time.monotonic_ns()
        if self._last_ns is not None and now_ns > self._last_ns:
            lib.edgewise_rate(self._name, _NS / (now_ns - self._last_ns))
        self._last_ns = now_ns


class Periodic:
    """Releases jobs at fixed times, without drift.

    for job in edgewise.Periodic("control", period_s=0.01, deadline_s=0.008):
        control_step()

    When a job overruns, the next ones start late but keep their intended
    release times, and latency counts from those. By default the deadline is
    the period. `with periodic.next():` does one job at a time.

    Under `edgewise exec` the executor releases the jobs of the first Periodic
    that a process uses, at the period of its plan. When it is over iteration
    ends, and next() raises StopIteration.
    """

    def __init__(self, name, period_s, deadline_s=None):
        self._name = name_id(name)
        self._period_ns = round(period_s * _NS)
        deadline = deadline_s if deadline_s is not None else period_s
        self._deadline_ns = round(deadline * _NS)
        self._next_ns = None
        self._driven = False

    def next(self):
        """Sleeps until the next release, then starts the job."""
        if self._next_ns is None:
            self._next_ns = time.monotonic_ns()
            self._driven = lib.edgewise_claim_releases() == 1
        if self._driven:
            release, deadline = ctypes.c_uint64(), ctypes.c_uint64()
            answer = _INTERRUPTED
            while answer == _INTERRUPTED:  # handlers of signals run in between
                answer = lib.edgewise_next_release(
                    ctypes.byref(release), ctypes.byref(deadline)
                )
            if answer == _JOB:
                return Job(self._name, release.value, deadline.value, True)
            if answer == _STOPPED:
                raise StopIteration
            self._driven = False  # a forked child of the driven process
        release_ns = self._next_ns
        self._next_ns += self._period_ns
        while (wait_ns := release_ns - time.monotonic_ns()) > 0:
            time.sleep(wait_ns / _NS)
        return Job(self._name, release_ns, release_ns + self._deadline_ns)

    @property
    def driven(self):
        """Whether an executor releases the jobs; known after the first."""
        return self._driven

    def __iter__(self):
        while True:
            try:
                job = self.next()
            except StopIteration:
                return
            with job:
                yield job


_LARGEST = 2.0**63


class Knob:
    """A value that the agent of this node may set within a range.

    stride = edgewise.Knob("stride", 1, 1, 8)
    if index % stride.value == 0: ...

    The value has the type of the preset one: int, float or bool.
    """

    __slots__ = ("_knob", "_preset", "_type")

    def __init__(self, name, preset, least=None, most=None):
        self._preset = preset
        self._type = (
            bool if isinstance(preset, bool) else int if isinstance(preset, int) else float
        )
        try:
            self._knob = lib.edgewise_knob_declare(
                to_text(name),
                float(preset),
                -_LARGEST if least is None else float(least),
                _LARGEST if most is None else float(most),
            )
        except Exception:  # not numbers: the preset value stays
            self._knob = 0

    @property
    def value(self):
        if not self._knob:
            return self._preset
        return self._type(lib.edgewise_knob_value(self._knob))

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __index__(self):
        return int(self.value)


class Job:
    """One job of a Periodic: from its start to the end of the block."""

    __slots__ = (
        "_name",
        "release_ns",
        "deadline_ns",
        "_driven",
        "_start_ns",
        "_cpu_ns",
    )

    def __init__(self, name, release_ns, deadline_ns, driven=False):
        self._name = name
        self._driven = driven
        self.release_ns = release_ns
        self.deadline_ns = deadline_ns
        self._cpu_ns = time.thread_time_ns()
        self._start_ns = time.monotonic_ns()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        end_ns = time.monotonic_ns()
        cpu_ns = time.thread_time_ns() - self._cpu_ns
        lib.edgewise_job(
            self._name,
            self.release_ns,
            self._start_ns,
            end_ns,
            self.deadline_ns,
            cpu_ns,
        )
        if self._driven:
            lib.edgewise_release_done(end_ns, cpu_ns)
        return False


class LiveMetrics:
    """Sage's in-app metrics: timers by name, and values. Takes any arguments."""

    def __init__(self, *arguments, **named):
        self._started_ns = {}

    def start_timer(self, name):
        self._started_ns[name_id(name)] = time.monotonic_ns()

    def stop_timer(self, name):
        now_ns = time.monotonic_ns()
        number = name_id(name)
        start_ns = self._started_ns.pop(number, None)
        if start_ns is not None:
            lib.edgewise_span_record(
                number, start_ns, now_ns - start_ns, NO_CPU_TIME, None, 0
            )

    def push_metric(self, name, value):
        Gauge(name).set(value)
