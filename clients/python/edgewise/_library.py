"""Finds and loads libedgewise_client.so.

`lib` is the loaded library, or a stand-in whose functions do nothing. Names
and metadata are converted here; no conversion raises.
"""

import ctypes
import os
import sys

_FILE = "libedgewise_client.so"
NO_CPU_TIME = 2**64 - 1
_MAX_CACHED_NAMES = 4096


class Span(ctypes.Structure):
    """`edgewise_span` of edgewise.h."""

    _fields_ = [
        ("start_ns", ctypes.c_uint64),
        ("cpu_start_ns", ctypes.c_uint64),
        ("epoch", ctypes.c_uint64),
        ("owner", ctypes.c_void_p),
        ("name", ctypes.c_uint32),
        ("depth", ctypes.c_uint32),
        ("mode", ctypes.c_uint32),
        ("tid", ctypes.c_int32),
    ]


_u64, _u32, _text = ctypes.c_uint64, ctypes.c_uint32, ctypes.c_char_p
_ref, _size, _double = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_double
_SIGNATURES = {
    "edgewise_intern": (_u32, [_text]),
    "edgewise_span_begin": (None, [_ref, _u32]),
    "edgewise_timer_begin": (None, [_ref, _u32]),
    "edgewise_span_end": (None, [_ref]),
    "edgewise_span_end_meta": (None, [_ref, _text, _size]),
    "edgewise_span_cancel": (None, [_ref]),
    "edgewise_span_record": (None, [_u32, _u64, _u64, _u64, _text, _size]),
    "edgewise_gauge": (None, [_u32, _double]),
    "edgewise_counter_add": (None, [_u32, ctypes.c_int64]),
    "edgewise_rate": (None, [_u32, _double]),
    "edgewise_job": (None, [_u32, _u64, _u64, _u64, _u64, _u64]),
    "edgewise_knob_declare": (_u32, [_text, _double, _double, _double]),
    "edgewise_knob_value": (_double, [_u32]),
    "edgewise_connect": (ctypes.c_int, []),
    "edgewise_listening": (ctypes.c_int, []),
    "edgewise_claim_releases": (ctypes.c_int, []),
    "edgewise_release_done": (None, [_u64, _u64]),
}
_SLOW_SIGNATURES = {
    "edgewise_next_release": (ctypes.c_int, [_ref, _ref]),
    "edgewise_csv_append": (
        ctypes.c_int,
        [_text, _text, _u64, _u64, _u64, _text, _size],
    ),
}


class _NoLibrary:
    """Every function takes anything and answers 0."""

    def __getattr__(self, function):
        return lambda *arguments: 0


def _candidates():
    here = os.path.dirname(os.path.abspath(__file__))
    named = os.environ.get("EDGEWISE_CLIENT_LIB")
    if named:
        yield named
    yield os.path.join(here, _FILE)
    yield os.path.join(here, "..", "..", "..", "build", "release", _FILE)
    yield _FILE  # the system's loader path


def _load():
    problems = []
    for path in _candidates():
        if os.sep in path and not os.path.exists(path):
            problems.append(f"{path}: not there")
            continue
        try:
            # Short calls that never block keep the interpreter lock; only
            # writing files and waiting give it up.
            library, that_wait = ctypes.PyDLL(path), ctypes.CDLL(path)
            for signatures, source in (
                (_SIGNATURES, library),
                (_SLOW_SIGNATURES, that_wait),
            ):
                for name, (result, arguments) in signatures.items():
                    function = getattr(source, name)
                    function.restype, function.argtypes = result, arguments
                    setattr(library, name, function)
            return library
        except (OSError, AttributeError) as error:
            problems.append(f"{path}: {error}")
    if os.environ.get("EDGEWISE_DEBUG") == "1":
        print(
            "edgewise: measuring nothing, the native library was not found ("
            + "; ".join(problems)
            + "). Build it with script/build or set EDGEWISE_CLIENT_LIB.",
            file=sys.stderr,
        )
    return _NoLibrary()


lib = _load()
available = not isinstance(lib, _NoLibrary)


def to_text(value):
    """Any object as UTF-8 without NUL, for the C interface."""
    try:
        return str(value).replace("\0", "").encode("utf-8", "replace")
    except Exception:  # whatever __str__ does must not reach the program
        return b"?"


_ids = {}


def name_id(name):
    """The id of a name; found in a dict after the first time."""
    try:
        return _ids[name]
    except (KeyError, TypeError):
        pass
    except Exception:  # a broken __eq__ or __hash__
        return lib.edgewise_intern(to_text(name))
    number = lib.edgewise_intern(to_text(name))
    if type(name) is str and len(_ids) < _MAX_CACHED_NAMES:
        _ids[name] = number
    return number


def encode_meta(meta):
    """A dict as the lines "key=value" that the C interface takes."""
    try:
        lines = [
            b"%s=%s" % (to_text(key).replace(b"=", b"_"), to_text(value))
            for key, value in meta.items()
        ]
        text = b"\n".join(lines)
        if text.count(b"\n") != len(lines) - 1:
            text = b"\n".join(line.replace(b"\n", b" ") for line in lines)
        return text
    except Exception:  # not a dict, or one that misbehaves
        return b""
