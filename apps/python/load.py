"""How items arrive and what is reported: apps/load for the Python twins."""
import argparse
import json
import os
import sys
import time
import zlib

import edgewise

NS = 1_000_000_000
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600}


def seconds(text):
    """A duration as "30s" or "100ms"; a plain number is seconds."""
    for unit in sorted(UNITS, key=len, reverse=True):
        if text.endswith(unit):
            number = text.removesuffix(unit)
            break
    else:
        unit, number = "s", text
    try:
        value = float(number) * UNITS[unit]
    except ValueError:
        value = 0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f'"{text}" is no duration such as 30s or 100ms')
    return value


def positive(kind):
    def parse(text):
        try:
            value = kind(text)
        except ValueError:
            value = 0
        if not 0 < value < 1e15:
            raise argparse.ArgumentTypeError(f'"{text}" must be a number above 0')
        return value
    return parse


class Parser(argparse.ArgumentParser):
    """Answers bad input with one sentence."""

    def error(self, message):
        fail(self.prog, message)


def fail(app, message, code=2):
    print(f"{app}: {message}", file=sys.stderr)
    sys.exit(code)


def options(app, description, default_items, inputs):
    parser = Parser(prog=app, description=description)
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--max", action="store_true", help="each item when the one before has ended (default)")
    pace.add_argument("--rate", type=positive(float), metavar="HZ", help="items per second, on a fixed schedule")
    pace.add_argument("--period", type=seconds, metavar="TIME", help="as a periodic task, with a deadline")
    parser.add_argument("--deadline", type=seconds, metavar="TIME", help="after each intended start")
    parser.add_argument("--items", type=positive(int), metavar="N", help=f"how many (default {default_items})")
    parser.add_argument("--duration", type=seconds, metavar="TIME", help="end after this time")
    parser.add_argument("--threads", type=positive(int), metavar="N", default=int(os.environ.get("EDGEWISE_THREADS") or 1))
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of synthetic input (default 1)")
    parser.add_argument("--input", default="synthetic", help=inputs)
    parser.add_argument("--json", action="store_true", help="print the result as one line of JSON")
    chosen = parser.parse_args()
    if chosen.deadline and not (chosen.rate or chosen.period):
        fail(app, "--deadline needs --period or --rate: without intended starts nothing can be late")
    if not chosen.items and not chosen.duration and chosen.input == "synthetic":
        chosen.items = default_items
    return chosen


class Checksum:
    """CRC-32 over the bytes of arrays and numbers, as apps/load/checksum.h."""

    def __init__(self):
        self.value = 0

    def add(self, array):
        self.value = zlib.crc32(array.tobytes(), self.value)


def drive(app, item_name, chosen, fetch, process):
    """Runs items when they are meant to start, then prints the result.

    fetch() gives the next input, or None at its end; process(input, checksum)
    works on it. With --rate or --period items are jobs of a Periodic, whose
    response counts from when they were meant to start; an executor that drives
    them decides of the end too.
    """
    gap_s = 1 / chosen.rate if chosen.rate else chosen.period
    periodic = edgewise.Periodic(item_name, gap_s, chosen.deadline) if gap_s else None
    has_deadlines = bool(chosen.period or chosen.deadline)
    checksum, fps = Checksum(), edgewise.Rate("fps")
    items = misses = first_ns = end_ns = 0

    def driven():
        return periodic is not None and periodic.driven

    while items != chosen.items or driven():
        with edgewise.measure("capture"):
            item = fetch()
        if item is None:
            break
        first_ns = first_ns or time.monotonic_ns()
        elapsed_s = items * gap_s if gap_s else (time.monotonic_ns() - first_ns) / NS
        if chosen.duration and elapsed_s >= chosen.duration and not driven():
            break
        try:
            job = periodic.next() if periodic else edgewise.measure(item_name)
        except StopIteration:  # the executor says so
            break
        with job:
            process(item, checksum)
        end_ns = time.monotonic_ns()
        misses += bool(has_deadlines and end_ns > job.deadline_ns)
        fps.tick()
        items += 1
    report(app, chosen, items, (end_ns - first_ns) / NS if items else 0, checksum.value,
           misses if has_deadlines else None)


def report(app, chosen, items, elapsed_s, checksum, misses):
    fps = items / elapsed_s if items else None
    if chosen.json:
        print(json.dumps({"app": app, "items": items, "elapsed_s": elapsed_s, "fps": fps,
                          "checksum": f"{checksum:08x}", "deadline_misses": misses, "seed": chosen.seed,
                          "threads": chosen.threads, "input": chosen.input}))
        return
    speed = "--" if fps is None else f"{fps:.4g}"
    late = "" if misses is None else f", {misses} deadlines missed"
    print(f"{app}: {items} items in {elapsed_s:.3g} s, {speed} fps, checksum {checksum:08x} (seed {chosen.seed}){late}")
