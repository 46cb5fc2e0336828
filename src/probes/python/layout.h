// Where CPython keeps its thread states, frames and code objects.
//
// The offsets are those of 64-bit little-endian builds (x86-64 and aarch64
// agree) and do not change within a minor version. They were taken with
// offsetof from Include/internal/pycore_{runtime,interp,frame}.h and
// Include/cpython/{pystate,code,unicodeobject,bytesobject}.h of each version;
// a test compares them with the headers that are installed where it is built.
#ifndef EDGEWISE_PROBES_PYTHON_LAYOUT_H_
#define EDGEWISE_PROBES_PYTHON_LAYOUT_H_

#include <cstddef>
#include <cstdint>

namespace edgewise::python {

// What _PyInterpreterFrame.owner may say.
enum class FrameOwner : uint8_t {
  kThread = 0,
  kGenerator = 1,
  kFrameObject = 2,
  // Since 3.12: no frame of the program, but the mark of a native call of the
  // interpreter.
  kCStack = 3,
};

struct Layout {
  int minor;  // of Python 3

  size_t runtime_interpreters_head;

  size_t interpreter_next;
  // uint64_t: changes whenever a thread state is made; the head of the list of
  // thread states follows it.
  size_t interpreter_threads;

  size_t thread_prev;  // the next one's address follows
  size_t thread_cframe;
  // The frame that `cframe` points to while the thread runs no Python.
  size_t thread_root_cframe;
  size_t thread_native_thread_id;
  // The piece of memory that holds the innermost frames: its start; the end of
  // what is used and of the whole follow.
  size_t thread_datastack_chunk;

  size_t cframe_current_frame;

  size_t frame_code;
  size_t frame_previous;
  size_t frame_prev_instr;
  // bool: the first frame of a native call; since 3.12 a frame on the C stack
  // before it says so.
  bool frame_has_is_entry;
  size_t frame_is_entry;
  size_t frame_owner;
  uint8_t last_owner;
  size_t frame_bytes;  // without locals and stack

  size_t code_first_line;
  size_t code_filename;
  size_t code_qualname;
  size_t code_linetable;
  size_t code_instructions;

  size_t ascii_text;  // where the characters of a compact string begin
  size_t compact_text;
};

// Of every object.
inline constexpr size_t kObjectType = 8;
inline constexpr size_t kObjectSize = 16;  // of those with a variable size
inline constexpr size_t kBytesText = 32;
inline constexpr size_t kStringLength = 16;
inline constexpr size_t kStringState = 32;
// Of the state's bits: interned:2, kind:3, compact:1, ascii:1.
inline constexpr uint32_t kStringKindShift = 2;
inline constexpr uint32_t kStringKindMask = 7;
inline constexpr uint32_t kStringCompact = 1u << 5;
inline constexpr uint32_t kStringAscii = 1u << 6;
// Of one instruction or cache entry.
inline constexpr size_t kCodeUnitBytes = 2;

inline constexpr Layout kLayout311 = {
    .minor = 11,
    .runtime_interpreters_head = 40,
    .interpreter_next = 0,
    .interpreter_threads = 8,
    .thread_prev = 0,
    .thread_cframe = 56,
    .thread_root_cframe = 336,
    .thread_native_thread_id = 160,
    .thread_datastack_chunk = 296,
    .cframe_current_frame = 8,
    .frame_code = 32,
    .frame_previous = 48,
    .frame_prev_instr = 56,
    .frame_has_is_entry = true,
    .frame_is_entry = 68,
    .frame_owner = 69,
    .last_owner = static_cast<uint8_t>(FrameOwner::kFrameObject),
    .frame_bytes = 72,
    .code_first_line = 72,
    .code_filename = 112,
    .code_qualname = 128,
    .code_linetable = 136,
    .code_instructions = 184,
    .ascii_text = 48,
    .compact_text = 72,
};

inline constexpr Layout kLayout312 = {
    .minor = 12,
    .runtime_interpreters_head = 40,
    .interpreter_next = 0,
    .interpreter_threads = 64,
    .thread_prev = 0,
    .thread_cframe = 56,
    .thread_root_cframe = 272,
    .thread_native_thread_id = 144,
    .thread_datastack_chunk = 232,
    .cframe_current_frame = 0,
    .frame_code = 0,
    .frame_previous = 8,
    .frame_prev_instr = 56,
    .frame_has_is_entry = false,
    .frame_is_entry = 0,
    .frame_owner = 70,
    .last_owner = static_cast<uint8_t>(FrameOwner::kCStack),
    .frame_bytes = 72,
    .code_first_line = 68,
    .code_filename = 112,
    .code_qualname = 128,
    .code_linetable = 136,
    .code_instructions = 192,
    .ascii_text = 40,
    .compact_text = 56,
};

// The layout of Python 3.`minor`; nullptr where it is not known.
constexpr const Layout* LayoutOf(int minor) {
  switch (minor) {
    case 11:
      return &kLayout311;
    case 12:
      return &kLayout312;
    default:
      return nullptr;
  }
}

}  // namespace edgewise::python

#endif  // EDGEWISE_PROBES_PYTHON_LAYOUT_H_
