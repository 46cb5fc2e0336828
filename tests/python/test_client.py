"""The package `edgewise`, each case in a program of its own."""

import os
import shutil
import tempfile
import unittest

from ring_dump import RingDump, run_python


class ClientTest(unittest.TestCase):
    def collect(self, code):
        """Runs the code with a collector; the code must succeed."""
        with RingDump() as dump:
            done = run_python("import edgewise\n" + code, dump.socket)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return dump

    def test_block_is_a_span_with_cpu_time_and_metadata(self):
        dump = self.collect(
            'with edgewise.measure("frame", meta={"src": "camera", "n": 3}): sum(range(1000))'
        )
        (span,) = dump.spans("frame")
        self.assertGreater(int(span[3]), 0)
        self.assertGreater(int(span[4]), 0)
        self.assertEqual(span[5], "src=camera|n=3")

    def test_function_is_a_span_per_call(self):
        dump = self.collect(
            """
@edgewise.measure("infer")
def infer(n):
    "Says what it does."
    return n if n == 0 else infer(n - 1)
assert infer(4) == 0 and infer.__name__ == "infer" and infer.__doc__
"""
        )
        self.assertEqual(len(dump.spans("infer")), 5)

    def test_coroutine_is_measured_until_it_is_done(self):
        dump = self.collect(
            """
import asyncio
@edgewise.Timer("wait")
async def wait():
    await asyncio.sleep(0.01)
    return 7
assert asyncio.run(wait()) == 7
"""
        )
        (span,) = dump.spans("wait")
        self.assertGreaterEqual(int(span[3]), 10_000_000)
        self.assertEqual(span[4], "--")

    def test_generator_is_measured_until_it_is_exhausted_or_closed(self):
        dump = self.collect(
            """
import time
@edgewise.Timer("numbers")
def numbers():
    time.sleep(0.01)
    sent = yield 1
    try:
        yield sent
    except KeyError:
        yield 3
    return 4
def whole():
    return (yield from numbers())
made = numbers()  # never asked for a value, so never measured
g = whole()
assert next(g) == 1 and g.send(2) == 2 and g.throw(KeyError) == 3
try:
    next(g)
except StopIteration as end:
    assert end.value == 4
closed = numbers(); next(closed); closed.close()
"""
        )
        spans = dump.spans("numbers")
        self.assertEqual(len(spans), 2)
        for span in spans:
            self.assertGreaterEqual(int(span[3]), 10_000_000)

    def test_async_generator_is_measured_until_it_is_exhausted_or_closed(self):
        dump = self.collect(
            """
import asyncio
@edgewise.Timer("numbers")
async def numbers():
    await asyncio.sleep(0.01)
    sent = yield 1
    try:
        yield sent
    except KeyError:
        yield 3
async def main():
    g = numbers()
    assert await g.__anext__() == 1 and await g.asend(2) == 2
    assert await g.athrow(KeyError) == 3
    assert [n async for n in g] == []
    closed = numbers()
    await closed.__anext__()
    await closed.aclose()
    try:
        async for n in numbers():
            raise ValueError("mine")
    except ValueError:
        pass
    failing = numbers()
    await failing.__anext__()
    try:
        await failing.athrow(ValueError("thrown"))
    except ValueError as error:
        assert str(error) == "thrown"
asyncio.run(main())
"""
        )
        spans = dump.spans("numbers")
        self.assertEqual(len(spans), 4)
        for span in spans:
            self.assertGreaterEqual(int(span[3]), 10_000_000)

    def test_exception_passes_and_the_span_counts(self):
        dump = self.collect(
            """
try:
    with edgewise.measure("fails"):
        raise ValueError("mine")
except ValueError as error:
    assert str(error) == "mine"
else:
    raise SystemExit(1)
"""
        )
        self.assertEqual(len(dump.spans("fails")), 1)

    def test_timer_starts_and_stops(self):
        dump = self.collect(
            't = edgewise.Timer("t"); t.start(); t.stop(); t.stop()'
        )
        self.assertEqual(len(dump.spans("t")), 1)

    def test_metrics_keep_kind_and_value(self):
        dump = self.collect(
            """
edgewise.Gauge("g").set(1.5)
c = edgewise.Counter("c"); c.add(); c.add(4)
r = edgewise.Rate("r"); r.tick(); r.tick()
"""
        )
        self.assertEqual([e[2:] for e in dump.of_kind("gauge")], [["g", "1.5"]])
        self.assertEqual([e[3] for e in dump.of_kind("counter")], ["1", "5"])
        self.assertEqual(len(dump.of_kind("rate")), 1)

    def test_periodic_jobs_keep_their_releases(self):
        dump = self.collect(
            """
for i, job in enumerate(edgewise.Periodic("p", period_s=0.001, deadline_s=0.0005)):
    if i == 1:
        import time; time.sleep(0.004)
    if i == 4:
        break
"""
        )
        jobs = [[int(field) for field in event[3:]] for event in dump.of_kind("job")]
        self.assertEqual(len(jobs), 5)
        for i, (release, start, end, deadline) in enumerate(jobs):
            self.assertEqual(release, jobs[0][0] + i * 1_000_000)
            self.assertEqual(deadline, release + 500_000)
            self.assertTrue(release <= start <= end)
        self.assertGreaterEqual(jobs[2][1] - jobs[2][0], 2_000_000)

    def test_a_knob_has_its_preset_value_and_type_until_it_is_set(self):
        self.collect(
            """
stride = edgewise.Knob("stride", 2, 1, 8)
assert stride.value == 2 and type(stride.value) is int and int(stride) == 2
assert list(range(10))[:: stride] == [0, 2, 4, 6, 8]
assert edgewise.Knob("size", 0.5).value == 0.5 and edgewise.Knob("on", True).value is True
assert edgewise.Knob("nonsense", "x").value == "x"
assert edgewise.Knob("empty", 3, 2, 1).value == 3
"""
        )

    def test_live_metrics_time_and_push(self):
        dump = self.collect(
            """
m = edgewise.LiveMetrics("anything", port=1)
m.start_timer("latency"); m.stop_timer("latency")
m.stop_timer("never started")
m.push_metric("accuracy", 0.5)
"""
        )
        self.assertEqual(len(dump.spans("latency")), 1)
        self.assertEqual(dump.spans("never started"), [])
        self.assertEqual([e[2:] for e in dump.of_kind("gauge")], [["accuracy", "0.5"]])

    def test_odd_arguments_never_raise(self):
        dump = self.collect(
            r"""
class Bad:
    def __str__(self): raise RuntimeError("bad")
    def __float__(self): raise RuntimeError("bad")
    def __hash__(self): raise RuntimeError("bad")
for name in (None, 7, "", "a\0b", "\ud800", Bad(), [], "x" * 500):
    with edgewise.measure(name, meta={name if name != [] else 1: name} if not isinstance(name, Bad) else name):
        pass
for meta in ([], 5, "text", {"a=b": "c\nd"}, {Bad: Bad()}):
    with edgewise.measure("meta", meta=meta): pass
edgewise.Gauge("g").set("no number")
edgewise.Gauge("g").set(Bad())
edgewise.Counter("c").add(None)
edgewise.LiveMetrics().push_metric(Bad(), Bad())
"""
        )
        self.assertEqual(len(dump.spans("7")), 1)
        self.assertEqual(len(dump.spans("ab")), 1)
        self.assertIn("a_b=c d", [span[5] for span in dump.spans("meta")])

    def test_threads_and_forked_children_send_too(self):
        dump = self.collect(
            """
import os, threading
def work():
    with edgewise.measure("work"): pass
work()
threads = [threading.Thread(target=work) for _ in range(8)]
[t.start() for t in threads]; [t.join() for t in threads]
pid = os.fork()
work()
if pid == 0: os._exit(0)
assert os.waitpid(pid, 0)[1] == 0
"""
        )
        spans = dump.spans("work")
        self.assertEqual(len(spans), 11)
        self.assertEqual(len({span[1] for span in spans}), 2)

    def test_same_object_may_be_entered_again(self):
        dump = self.collect(
            'm = edgewise.measure("m")\nwith m:\n  with m: pass\nwith m: pass'
        )
        self.assertEqual(len(dump.spans("m")), 3)

    def test_threads_may_share_one_object(self):
        dump = self.collect(
            """
import threading, time
shared = edgewise.measure("shared")
entered, left = threading.Event(), threading.Event()
def long():
    with shared:
        time.sleep(0.01)
        entered.set()
        left.wait()
thread = threading.Thread(target=long)
thread.start()
entered.wait()
shared.__enter__()
left.set()
thread.join()  # the other one leaves first, though it came first
shared.__exit__(None, None, None)
"""
        )
        first, second = dump.spans("shared")
        self.assertNotEqual(first[4], "--")
        self.assertNotEqual(second[4], "--")
        walls = sorted(int(span[3]) for span in (first, second))
        self.assertGreaterEqual(walls[1], 10_000_000)

    def test_timer_may_be_stopped_by_another_thread(self):
        dump = self.collect(
            """
import threading
t = edgewise.Timer("t"); t.start()
thread = threading.Thread(target=t.stop); thread.start(); thread.join()
t.stop()
"""
        )
        self.assertEqual(len(dump.spans("t")), 1)

    def test_values_that_are_not_numbers_are_left_out(self):
        dump = self.collect(
            'g = edgewise.Gauge("g"); g.set(float("nan")); g.set(float("inf")); g.set(2)'
        )
        self.assertEqual([e[3] for e in dump.of_kind("gauge")], ["2"])


class WithoutCollectorTest(unittest.TestCase):
    PROGRAM = """
import edgewise, time
with edgewise.measure("x", meta={"a": 1}): pass
edgewise.Gauge("g").set(1); edgewise.Counter("c").add(); edgewise.Timer("t").start()
m = edgewise.LiveMetrics(); m.start_timer("l"); m.stop_timer("l")
for job in edgewise.Periodic("p", 0.001): break
print(edgewise.available, edgewise.connect())
"""

    def test_nothing_happens_without_a_collector(self):
        done = run_python(self.PROGRAM)
        self.assertEqual((done.stdout, done.stderr), ("True False\n", ""))

    def test_nothing_happens_without_the_library(self):
        with tempfile.TemporaryDirectory() as folder:
            # A copy of the package where no library lies beside or above it.
            copy = os.path.join(folder, "copy")
            shutil.copytree(os.environ["EDGEWISE_PYTHON_SOURCE"], copy)
            for debug, lines in (("0", 0), ("1", 1)):
                done = run_python(
                    self.PROGRAM,
                    folder=folder,
                    PYTHONPATH=copy,
                    EDGEWISE_CLIENT_LIB="/nonexistent/lib.so",
                    EDGEWISE_DEBUG=debug,
                )
                self.assertEqual(done.stdout, "False False\n", done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), lines, done.stderr)

    def test_rows_go_to_the_csv_that_was_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "log.csv")
            done = run_python(self.PROGRAM, EDGEWISE_CSV=log)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(log, newline="") as file:
                header, row = file.read().splitlines()
            self.assertTrue(header.startswith("label,wall_ms,cpu_ms,"))
            self.assertTrue(header.endswith(",a"))
            self.assertTrue(row.startswith("x,"))


if __name__ == "__main__":
    unittest.main()
