/* In C because CPython's internal headers are not C++. */
#define Py_BUILD_CORE 1
#include "python_offsets.h"

#include <Python.h>
#include <internal/pycore_frame.h>
#include <internal/pycore_interp.h>
#include <internal/pycore_runtime.h>

const int kPythonMinor = PY_MINOR_VERSION;

const struct PythonOffset kPythonOffsets[] = {
    {"runtime_interpreters_head", offsetof(_PyRuntimeState, interpreters.head)},
    {"interpreter_next", offsetof(PyInterpreterState, next)},
    {"interpreter_threads",
     offsetof(PyInterpreterState, threads.next_unique_id)},
    {"interpreter_threads + 8", offsetof(PyInterpreterState, threads.head)},
    {"thread_prev", offsetof(PyThreadState, prev)},
    {"thread_prev + 8", offsetof(PyThreadState, next)},
    {"thread_cframe", offsetof(PyThreadState, cframe)},
    {"thread_root_cframe", offsetof(PyThreadState, root_cframe)},
    {"thread_native_thread_id", offsetof(PyThreadState, native_thread_id)},
    {"thread_datastack_chunk", offsetof(PyThreadState, datastack_chunk)},
    {"thread_datastack_chunk + 8", offsetof(PyThreadState, datastack_top)},
    {"thread_datastack_chunk + 16", offsetof(PyThreadState, datastack_limit)},
    {"cframe_current_frame", offsetof(_PyCFrame, current_frame)},
    {"frame_code", offsetof(_PyInterpreterFrame, f_code)},
    {"frame_previous", offsetof(_PyInterpreterFrame, previous)},
    {"frame_prev_instr", offsetof(_PyInterpreterFrame, prev_instr)},
#if PY_MINOR_VERSION == 11
    {"frame_is_entry", offsetof(_PyInterpreterFrame, is_entry)},
    {"last_owner", FRAME_OWNED_BY_FRAME_OBJECT},
#else
    {"last_owner", FRAME_OWNED_BY_CSTACK},
#endif
    {"frame_owner", offsetof(_PyInterpreterFrame, owner)},
    {"frame_bytes", offsetof(_PyInterpreterFrame, localsplus)},
    {"code_first_line", offsetof(PyCodeObject, co_firstlineno)},
    {"code_filename", offsetof(PyCodeObject, co_filename)},
    {"code_qualname", offsetof(PyCodeObject, co_qualname)},
    {"code_linetable", offsetof(PyCodeObject, co_linetable)},
    {"code_instructions", offsetof(PyCodeObject, co_code_adaptive)},
    {"ascii_text", sizeof(PyASCIIObject)},
    {"compact_text", sizeof(PyCompactUnicodeObject)},
    {"kObjectType", offsetof(PyObject, ob_type)},
    {"kObjectSize", offsetof(PyVarObject, ob_size)},
    {"kBytesText", offsetof(PyBytesObject, ob_sval)},
    {"kStringLength", offsetof(PyASCIIObject, length)},
    {"kStringState", offsetof(PyASCIIObject, state)},
    {"kCodeUnitBytes", sizeof(_Py_CODEUNIT)},
    {NULL, 0},
};
