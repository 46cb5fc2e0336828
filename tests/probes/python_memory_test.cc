// Memory of a program that is broken, or made to harm whoever reads it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>

#include "probes/python/frame_reader.h"

namespace edgewise::python {
namespace {

using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr const Layout& kLayout = kLayout311;
constexpr uint64_t kRuntime = 0x10000;
constexpr uint64_t kInterpreter = 0x20000;
constexpr uint64_t kThread = 0x30000;
constexpr uint64_t kCFrame = 0x40000;
constexpr uint64_t kStack = 0x50000;
constexpr uint64_t kCode = 0x60000;
constexpr uint64_t kName = 0x70000;
constexpr uint64_t kTable = 0x80000;
constexpr uint64_t kCodeType = 0x90000;
constexpr uint64_t kTid = 42;
constexpr uint64_t kFrameStride = 128;
constexpr size_t kRegionBytes = 0x8000;

// One thread in two frames of one function, as CPython 3.11 keeps them.
class FakePython {
 public:
  FakePython() {
    Put(kRuntime + kLayout.runtime_interpreters_head, kInterpreter);
    Put(kInterpreter + kLayout.interpreter_threads, uint64_t{1});
    Put(kInterpreter + kLayout.interpreter_threads + 8, kThread);
    Put(kThread + kLayout.thread_native_thread_id, kTid);
    Put(kThread + kLayout.thread_cframe, kCFrame);
    Put(kThread + kLayout.thread_datastack_chunk, kStack);
    Put(kThread + kLayout.thread_datastack_chunk + 8,
        kStack + 2 * kFrameStride);
    Put(kThread + kLayout.thread_datastack_chunk + 16, kStack + kRegionBytes);
    Put(kCFrame + kLayout.cframe_current_frame, Frame(1));
    PutFrame(1, Frame(0));
    PutFrame(0, 0);
    Put(Frame(0) + kLayout.frame_is_entry, true);
    Put(kCode + kObjectType, kCodeType);
    Put(kCode + kObjectSize, uint64_t{4});
    Put(kCode + kLayout.code_filename, kName);
    Put(kCode + kLayout.code_qualname, kName);
    Put(kCode + kLayout.code_linetable, kTable);
    Put(kCode + kLayout.code_first_line, int32_t{9});
    Put(kName + kStringLength, uint64_t{4});
    Put(kName + kStringState,
        uint32_t{(1u << kStringKindShift) | kStringCompact | kStringAscii});
    std::memcpy(At(kName + kLayout.ascii_text, 4), "name", 4);
    Put(kTable + kObjectSize, uint64_t{2});
    std::memcpy(At(kTable + kBytesText, 2), "\xeb\x02", 2);
  }

  static uint64_t Frame(uint64_t index) {
    return kStack + index * kFrameStride;
  }
  void PutFrame(uint64_t index, uint64_t previous) {
    Put(Frame(index) + kLayout.frame_code, kCode);
    Put(Frame(index) + kLayout.frame_previous, previous);
    Put(Frame(index) + kLayout.frame_prev_instr,
        kCode + kLayout.code_instructions);
  }
  template <typename T>
  void Put(uint64_t address, T value) {
    std::memcpy(At(address, sizeof value), &value, sizeof value);
  }

  std::optional<std::vector<stacks::SpooledPythonFrame>> Read() {
    return reader_.Read(kTid);
  }
  PythonCodes& codes() { return codes_; }
  int reads() const { return reads_; }

 private:
  char* At(uint64_t address, size_t bytes) {
    const uint64_t base = address / 0x10000 * 0x10000;
    std::string& region = regions_[base];
    region.resize(kRegionBytes);
    EXPECT_LE(address - base + bytes, kRegionBytes);
    return region.data() + (address - base);
  }
  size_t ReadPiecesOf(std::span<const RemotePiece> pieces) {
    ++reads_;
    size_t whole = 0;
    for (const RemotePiece& piece : pieces) {
      const uint64_t base = piece.address / 0x10000 * 0x10000;
      const auto region = regions_.find(base);
      if (region == regions_.end() || piece.into.size() > kRegionBytes ||
          piece.address - base > kRegionBytes - piece.into.size()) {
        break;
      }
      std::memcpy(piece.into.data(),
                  region->second.data() + (piece.address - base),
                  piece.into.size());
      ++whole;
    }
    return whole;
  }

  std::map<uint64_t, std::string> regions_;
  int reads_ = 0;
  PythonCodes codes_;
  FrameReader reader_{[this](std::span<const RemotePiece> pieces) {
                        return ReadPiecesOf(pieces);
                      },
                      kLayout,
                      {.runtime = kRuntime, .code_type = kCodeType},
                      &codes_};
};

TEST(PythonMemoryTest, SoundMemoryIsRead) {
  FakePython python;
  const auto frames = python.Read();
  ASSERT_THAT(frames, Optional(SizeIs(2)));
  EXPECT_EQ(frames->front().line, 10);
  const auto codes = python.codes().TakeNew();
  ASSERT_THAT(codes, SizeIs(1));
  EXPECT_EQ(codes[0].function, "name");
  EXPECT_EQ(codes[0].first_line, 9);
}

TEST(PythonMemoryTest, SecondReadTakesOneCall) {
  FakePython python;
  ASSERT_TRUE(python.Read());
  const int before = python.reads();
  EXPECT_THAT(python.Read(), Optional(SizeIs(2)));
  EXPECT_EQ(python.reads() - before, 1);
}

TEST(PythonMemoryTest, InterpreterThatHasNotStartedHasNoFrames) {
  FakePython python;
  python.Put(kRuntime + kLayout.runtime_interpreters_head, uint64_t{0});
  EXPECT_THAT(python.Read(), Optional(IsEmpty()));
  python.Put(kRuntime + kLayout.runtime_interpreters_head, kInterpreter);
  EXPECT_THAT(python.Read(), Optional(SizeIs(2)));
}

TEST(PythonMemoryTest, ThreadStateOfAnotherThreadIsNotUsed) {
  FakePython python;
  ASSERT_TRUE(python.Read());
  python.Put(kThread + kLayout.thread_native_thread_id, kTid + 1);
  EXPECT_THAT(python.Read(), Optional(IsEmpty()));
}

TEST(PythonMemoryTest, OnlyAnIdleThreadHasNoFrames) {
  FakePython python;
  python.Put(kCFrame + kLayout.cframe_current_frame, uint64_t{0});
  EXPECT_FALSE(python.Read());  // as where a native call has just ended
  const uint64_t root = kThread + kLayout.thread_root_cframe;
  python.Put(kThread + kLayout.thread_cframe, root);
  EXPECT_THAT(python.Read(), Optional(IsEmpty()));
}

// As in a child between the fork and what Python does after it.
TEST(PythonMemoryTest, ThreadStateThatGetsItsThreadLaterIsFound) {
  FakePython python;
  python.Put(kThread + kLayout.thread_native_thread_id, kTid + 1);
  EXPECT_THAT(python.Read(), Optional(IsEmpty()));
  EXPECT_THAT(python.Read(), Optional(IsEmpty()));
  python.Put(kThread + kLayout.thread_native_thread_id, kTid);
  EXPECT_THAT(python.Read(), Optional(SizeIs(2)));
}

TEST(PythonMemoryTest, ThreadWithoutAStateTakesOneCall) {
  FakePython python;
  python.Put(kThread + kLayout.thread_native_thread_id, kTid + 1);
  ASSERT_TRUE(python.Read());
  const int before = python.reads();
  EXPECT_THAT(python.Read(), Optional(IsEmpty()));
  EXPECT_EQ(python.reads() - before, 1);
}

TEST(PythonMemoryTest, CyclesMakeNoSense) {
  FakePython python;
  python.PutFrame(0, FakePython::Frame(1));
  EXPECT_FALSE(python.Read());
}

TEST(PythonMemoryTest, OutermostFrameThatNobodyCalledMakesNoSense) {
  FakePython python;
  python.Put(FakePython::Frame(0) + kLayout.frame_is_entry, false);
  EXPECT_FALSE(python.Read());
}

// It is linked to no caller after it has yielded.
TEST(PythonMemoryTest, GeneratorAsOutermostFrameMakesNoSense) {
  FakePython python;
  python.Put(FakePython::Frame(0) + kLayout.frame_owner,
             FrameOwner::kGenerator);
  EXPECT_FALSE(python.Read());
}

TEST(PythonMemoryTest, CycleOfThreadStatesEnds) {
  FakePython python;
  python.Put(kThread + kLayout.thread_prev + 8, kThread);
  EXPECT_FALSE(python.Read());
}

TEST(PythonMemoryTest, CycleOfInterpretersEnds) {
  FakePython python;
  python.Put(kInterpreter + kLayout.interpreter_next, kInterpreter);
  EXPECT_FALSE(python.Read());
}

TEST(PythonMemoryTest, FrameWithoutCodeMakesNoSense) {
  FakePython python;
  python.Put(FakePython::Frame(0) + kLayout.frame_code, kName);
  EXPECT_FALSE(python.Read());
}

TEST(PythonMemoryTest, InstructionOutsideOfTheFunctionMakesNoSense) {
  FakePython python;
  const uint64_t first = kCode + kLayout.code_instructions;
  const uint64_t place = FakePython::Frame(0) + kLayout.frame_prev_instr;
  python.Put(place, first + 3 * kCodeUnitBytes);
  EXPECT_TRUE(python.Read());
  python.Put(place, first + 4 * kCodeUnitBytes);
  EXPECT_FALSE(python.Read());
  python.Put(place, first + 1);
  EXPECT_FALSE(python.Read());
  python.Put(place, first - 2 * kCodeUnitBytes);
  EXPECT_FALSE(python.Read());
}

TEST(PythonMemoryTest, FrameThatHasNotBegunIsAtItsFirstLine) {
  FakePython python;
  python.Put(FakePython::Frame(1) + kLayout.frame_prev_instr,
             kCode + kLayout.code_instructions - kCodeUnitBytes);
  const auto frames = python.Read();
  ASSERT_THAT(frames, Optional(SizeIs(2)));
  EXPECT_EQ(frames->front().line, 9);
}

TEST(PythonMemoryTest, LongNamesAreCut) {
  FakePython python;
  python.Put(kName + kStringLength, ~uint64_t{0});
  ASSERT_TRUE(python.Read());
  const auto codes = python.codes().TakeNew();
  ASSERT_THAT(codes, SizeIs(1));
  EXPECT_TRUE(codes[0].function.ends_with("…"));
  EXPECT_LE(codes[0].function.size(), kRegionBytes);
}

TEST(PythonMemoryTest, LongLineTablesLeaveLinesUnknown) {
  FakePython python;
  python.Put(kTable + kObjectSize, ~uint64_t{0});
  const auto frames = python.Read();
  ASSERT_THAT(frames, Optional(SizeIs(2)));
  EXPECT_EQ(frames->front().line, 0);
}

TEST(PythonMemoryTest, WildPointersMakeNoSense) {
  FakePython python;
  python.Put(kCFrame + kLayout.cframe_current_frame, ~uint64_t{7});
  EXPECT_FALSE(python.Read());
  python.Put(kCFrame + kLayout.cframe_current_frame, kStack + 1);
  EXPECT_FALSE(python.Read());
}

TEST(PythonCodesTest, SameTextsShareAnId) {
  PythonCodes codes;
  const uint32_t id = codes.Intern("f", "a.py", 1);
  EXPECT_EQ(codes.Intern("f", "a.py", 1), id);
  EXPECT_NE(codes.Intern("f", "a.py", 2), id);
  EXPECT_NE(codes.Intern("f", "b.py", 1), id);
  EXPECT_THAT(codes.TakeNew(), SizeIs(3));
  EXPECT_THAT(codes.TakeNew(), IsEmpty());
}

TEST(PythonCodesTest, EndlessNamesShareOneIdInTheEnd) {
  PythonCodes codes;
  const std::string long_text(PythonCodes::kMaxTextBytes / 4, 'x');
  for (int i = 0; i < 8; ++i) {
    codes.Intern(long_text, "a.py", i);
  }
  const uint32_t rest = codes.Intern(long_text, "a.py", 100);
  EXPECT_EQ(codes.Intern(long_text, "a.py", 101), rest);
  const auto told = codes.TakeNew();
  EXPECT_LT(told.size(), 6u);
  EXPECT_EQ(told.back().function, "[more functions]");
}

}  // namespace
}  // namespace edgewise::python
