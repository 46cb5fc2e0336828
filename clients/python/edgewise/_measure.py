"""Spans: `measure` (wall and CPU time) and `Timer` (wall time)."""

import functools
import inspect
from ctypes import byref
from threading import get_ident

from ._library import Span, encode_meta, lib, name_id

_begin = lib.edgewise_span_begin
_begin_timer = lib.edgewise_timer_begin
_end = lib.edgewise_span_end
_end_meta = lib.edgewise_span_end_meta


def _finish(reference, meta):
    if meta:
        text = encode_meta(meta)
        _end_meta(reference, text, len(text))
    else:
        _end(reference)


class measure:
    """Measures a block or a function: wall time and CPU time of its thread.

    with edgewise.measure("frame", meta={"src": "camera"}): ...

    @edgewise.measure("inference")
    def infer(image): ...

    An exception passes through, and the span counts. The metadata is read at
    the end, so the block may add to it. A coroutine is measured until it is
    done, a generator from its first value until it is exhausted or closed:
    what others do while it waits counts too. Threads may share one object.
    """

    __slots__ = ("_name", "_meta", "_spans")
    _begin = staticmethod(_begin)

    def __init__(self, name, meta=None):
        self._name = name_id(name)
        self._meta = meta
        self._spans = {}  # of each thread that is inside, innermost last

    def __enter__(self):
        reference = byref(Span())
        thread = get_ident()
        if thread in self._spans:
            self._spans[thread].append(reference)
        else:
            self._spans[thread] = [reference]
        self._begin(reference, self._name)
        return self

    def __exit__(self, *exception):
        self._leave(get_ident())
        return False

    def _leave(self, thread):
        spans = self._spans.get(thread)
        if spans:
            reference = spans.pop()
            if not spans:
                del self._spans[thread]
            _finish(reference, self._meta)

    def __call__(self, function):
        if inspect.iscoroutinefunction(function):
            measured = self._measured_coroutine(function)
        elif inspect.isasyncgenfunction(function):
            measured = self._measured_async_generator(function)
        elif inspect.isgeneratorfunction(function):
            measured = self._measured_generator(function)
        else:
            measured = self._measured_function(function)
        return functools.wraps(function)(measured)

    def _measured_function(self, function):
        begin, name, meta = self._begin, self._name, self._meta

        def measured(*arguments, **named):
            reference = byref(Span())
            begin(reference, name)
            try:
                return function(*arguments, **named)
            finally:
                _finish(reference, meta)

        return measured

    def _measured_coroutine(self, function):
        begin, name, meta = self._begin, self._name, self._meta

        async def measured(*arguments, **named):
            reference = byref(Span())
            begin(reference, name)
            try:
                return await function(*arguments, **named)
            finally:
                _finish(reference, meta)

        return measured

    def _measured_generator(self, function):
        begin, name, meta = self._begin, self._name, self._meta

        def measured(*arguments, **named):
            reference = byref(Span())
            begin(reference, name)
            try:
                return (yield from function(*arguments, **named))
            finally:
                _finish(reference, meta)

        return measured

    def _measured_async_generator(self, function):
        begin, name, meta = self._begin, self._name, self._meta

        async def measured(*arguments, **named):
            reference = byref(Span())
            begin(reference, name)
            generator = function(*arguments, **named)
            try:
                value = await generator.__anext__()
                while True:  # what `yield from` does for generators
                    try:
                        sent = yield value
                    except GeneratorExit:
                        await generator.aclose()
                        raise
                    except BaseException as error:
                        value = await generator.athrow(error)
                    else:
                        value = await generator.asend(sent)
            except StopAsyncIteration:
                pass
            finally:
                _finish(reference, meta)

        return measured


class Timer(measure):
    """The same with wall time only, which is cheaper. Also start() and stop().

    Another thread may stop a timer that is running only once.
    """

    __slots__ = ()
    _begin = staticmethod(_begin_timer)

    def start(self):
        return self.__enter__()

    def stop(self):
        thread = get_ident()
        running = list(self._spans)
        self._leave(running[0] if len(running) == 1 else thread)
