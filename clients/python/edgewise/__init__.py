"""Measure a program from the inside; edgewise collects from the outside.

Nothing here raises into the program, and without a collector everything costs
next to nothing. See edgewise.h for what is recorded and how.
"""

import _edgewise_pywaggle  # noqa: F401  installs the fallback for pywaggle

from ._library import available, lib as _lib
from ._measure import Timer, measure
from ._metrics import Counter, Gauge, Knob, LiveMetrics, Periodic, Rate

__all__ = [
    "Counter",
    "Gauge",
    "Knob",
    "LiveMetrics",
    "Periodic",
    "Rate",
    "Timer",
    "available",
    "connect",
    "measure",
]


def connect():
    """Looks for a collector now; whether there is one. Never needed."""
    return _lib.edgewise_connect() == 1
