"""The lab's prof_utils, without its cost and its shifting columns.

The same call and the same CSV columns. Where the set of metadata keys differs
from the header of the file, rows go to a new file (profile_log-2.csv, ...). If
an edgewise collector is there, each block is a span for it too.
"""

import functools
import os
import time
import warnings
from ctypes import byref

from edgewise._library import Span, available, encode_meta, lib, name_id, to_text

_warned = set()


def _warn_once(path, reason):
    if path not in _warned:
        _warned.add(path)
        try:
            warnings.warn(f"prof_utils: {path} is not written: {reason}", stacklevel=3)
        except Exception:  # warnings may be errors, but not here
            pass


class measure:
    """Times a block or a function and appends a row to `log_path`."""

    def __init__(self, label, meta=None, log_path="profile_log.csv"):
        self._label = label
        self._meta = meta
        self._log_path = log_path
        self._span = None

    def __enter__(self):
        if lib.edgewise_listening():
            self._span = Span()
            lib.edgewise_span_begin(byref(self._span), name_id(self._label))
        self._cpu_ns = time.process_time_ns()
        self._wall_ns = time.perf_counter_ns()

    def __exit__(self, *exception):
        now_ns = time.perf_counter_ns()
        cpu_ns = time.process_time_ns() - self._cpu_ns
        meta = encode_meta(self._meta) if self._meta else b""
        if self._span is not None:
            lib.edgewise_span_end_meta(byref(self._span), meta, len(meta))
            self._span = None
        self._append(now_ns, cpu_ns, meta)
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def measured(*arguments, **named):
            with measure(self._label, self._meta, self._log_path):
                return function(*arguments, **named)

        return measured

    def _append(self, now_ns, cpu_ns, meta):
        try:
            path = os.fsencode(self._log_path)
            if not available:
                _warn_once(path, "the native library of edgewise was not found")
                return
            error = lib.edgewise_csv_append(
                path,
                to_text(self._label),
                now_ns - self._wall_ns,
                cpu_ns,
                now_ns,
                meta,
                len(meta),
            )
            if error:
                _warn_once(path, os.strerror(error))
        except Exception as problem:  # a log must not stop the program
            _warn_once(str(self._log_path), problem)
