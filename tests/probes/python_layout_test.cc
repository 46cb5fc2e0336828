// The table of offsets against CPython's own headers, as far as those of a
// version we know are installed.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "probes/python/layout.h"

#ifdef EDGEWISE_HAVE_PYTHON_HEADERS
#include "python_offsets.h"
#endif

namespace edgewise::python {
namespace {

TEST(PythonLayoutTest, VersionsWhoseLayoutIsNotKnownHaveNone) {
  EXPECT_EQ(LayoutOf(10), nullptr);
  EXPECT_EQ(LayoutOf(13), nullptr);
  ASSERT_NE(LayoutOf(11), nullptr);
  EXPECT_EQ(LayoutOf(11)->minor, 11);
  ASSERT_NE(LayoutOf(12), nullptr);
  EXPECT_EQ(LayoutOf(12)->minor, 12);
}

#ifdef EDGEWISE_HAVE_PYTHON_HEADERS

TEST(PythonLayoutTest, OffsetsAreThoseOfPythonsHeaders) {
  const Layout* const layout = LayoutOf(kPythonMinor);
  ASSERT_NE(layout, nullptr);
  std::map<std::string, size_t> ours{
      {"runtime_interpreters_head", layout->runtime_interpreters_head},
      {"interpreter_next", layout->interpreter_next},
      {"interpreter_threads", layout->interpreter_threads},
      {"interpreter_threads + 8", layout->interpreter_threads + 8},
      {"thread_prev", layout->thread_prev},
      {"thread_prev + 8", layout->thread_prev + 8},
      {"thread_cframe", layout->thread_cframe},
      {"thread_root_cframe", layout->thread_root_cframe},
      {"thread_native_thread_id", layout->thread_native_thread_id},
      {"thread_datastack_chunk", layout->thread_datastack_chunk},
      {"thread_datastack_chunk + 8", layout->thread_datastack_chunk + 8},
      {"thread_datastack_chunk + 16", layout->thread_datastack_chunk + 16},
      {"cframe_current_frame", layout->cframe_current_frame},
      {"frame_code", layout->frame_code},
      {"frame_previous", layout->frame_previous},
      {"frame_prev_instr", layout->frame_prev_instr},
      {"frame_owner", layout->frame_owner},
      {"last_owner", layout->last_owner},
      {"frame_bytes", layout->frame_bytes},
      {"code_first_line", layout->code_first_line},
      {"code_filename", layout->code_filename},
      {"code_qualname", layout->code_qualname},
      {"code_linetable", layout->code_linetable},
      {"code_instructions", layout->code_instructions},
      {"ascii_text", layout->ascii_text},
      {"compact_text", layout->compact_text},
      {"kObjectType", kObjectType},
      {"kObjectSize", kObjectSize},
      {"kBytesText", kBytesText},
      {"kStringLength", kStringLength},
      {"kStringState", kStringState},
      {"kCodeUnitBytes", kCodeUnitBytes},
  };
  if (layout->frame_has_is_entry) {
    ours["frame_is_entry"] = layout->frame_is_entry;
  }
  std::map<std::string, size_t> theirs;
  for (const PythonOffset* offset = kPythonOffsets; offset->name != nullptr;
       ++offset) {
    theirs[offset->name] = offset->value;
  }
  EXPECT_EQ(ours, theirs);
}

#endif

}  // namespace
}  // namespace edgewise::python
