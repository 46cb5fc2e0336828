"""Spans: `measure` (wall and CPU time) and `Timer` (wall time)."""

import functools
import inspect
from ctypes import byref

from ._library import Span, encode_meta, lib, name_id

_begin = lib.edgewise_span_begin
_begin_timer = lib.edgewise_timer_begin
_end = lib.edgewise_span_end
_end_meta = lib.edgewise_span_end_meta


class measure:
    """Measures a block or a function: wall time and CPU time of its thread.

    with edgewise.measure("frame", meta={"src": "camera"}): ...

    @edgewise.measure("inference")
    def infer(image): ...

    An exception passes through, and the span counts. The metadata is read at
    the end, so the block may add to it.
    """

    __slots__ = ("_name", "_meta", "_spans")
    _begin = staticmethod(_begin)

    def __init__(self, name, meta=None):
        self._name = name_id(name)
        self._meta = meta
        self._spans = []

    def __enter__(self):
        span = Span()
        reference = byref(span)
        self._spans.append(reference)
        self._begin(reference, self._name)
        return self

    def __exit__(self, *exception):
        if self._spans:
            reference = self._spans.pop()
            if self._meta:
                text = encode_meta(self._meta)
                _end_meta(reference, text, len(text))
            else:
                _end(reference)
        return False

    def __call__(self, function):
        name, meta, scope = self._name, self._meta, type(self)

        def new_scope():
            fresh = scope.__new__(scope)
            fresh._name, fresh._meta, fresh._spans = name, meta, []
            return fresh

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def measured(*arguments, **named):
                with new_scope():
                    return await function(*arguments, **named)

        else:

            @functools.wraps(function)
            def measured(*arguments, **named):
                with new_scope():
                    return function(*arguments, **named)

        return measured


class Timer(measure):
    """The same with wall time only, which is cheaper. Also start() and stop()."""

    __slots__ = ()
    _begin = staticmethod(_begin_timer)

    def start(self):
        return self.__enter__()

    def stop(self):
        self.__exit__()
