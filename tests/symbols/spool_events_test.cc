// Spools of made-up processes: what is told of them decides what is shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <fstream>
#include <random>

#include "own_sample.h"
#include "symbols/fold_spool.h"

namespace edgewise::symbols {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr uint64_t kCode = 0x7f0000001000;

stacks::SpooledSample SampleAt(uint64_t address, int32_t pid = 10) {
  stacks::SpooledSample sample;
  sample.pid = pid;
  sample.tid = pid;
  sample.registers.assign(
      static_cast<size_t>(std::popcount(stacks::kSampledRegisters)), 0);
#if defined(__aarch64__)
  sample.registers[32] = address;
#else
  sample.registers[8] = address;
#endif
  sample.user_ip = address;
  return sample;
}

stacks::SpooledLife Life(stacks::LifeEvent event, int32_t pid,
                         uint32_t file = 0, const std::string& name = "") {
  return {event, pid, pid, 0, file, name};
}

class SpoolEventsTest : public ::testing::Test {
 protected:
  SpoolEventsTest() {
    path_ = spool_.path() + ".text";
    options_.proc_root = spool_.path() + ".proc";
    std::filesystem::create_directory(options_.proc_root);
  }
  ~SpoolEventsTest() override {
    std::filesystem::remove(path_);
    std::filesystem::remove_all(options_.proc_root);
  }
  void MapAnonymous(int32_t pid = 10) {
    spool_.writer().Add(stacks::SpooledFile{1, 0, 0, "//anon", ""});
    spool_.writer().Add(stacks::SpooledMap{pid, kCode, 0x1000, 0, 1});
  }
  stacks::StackProfile Fold() { return spool_.Fold(options_); }

  SpoolUnderTest spool_;
  std::string path_;  // for a file that the test writes
  FoldOptions options_;
};

TEST_F(SpoolEventsTest, CodeOfAJitIsNamedByItsPerfMap) {
  std::ofstream(path_) << "7f0000001000 100 LazyCompile:*fibonacci\n";
  MapAnonymous();
  spool_.writer().Add(stacks::SpooledFile{2, 0, 0, path_, ""});
  spool_.writer().Add(Life(stacks::LifeEvent::kPerfMap, 10, 2));
  spool_.writer().Add(SampleAt(kCode + 0x10));
  const auto profile = Fold();
  const auto stack = StackOf(profile);
  EXPECT_EQ(stack.back().function, "LazyCompile:*fibonacci");
  EXPECT_EQ(stack.back().kind, stacks::FrameKind::kJit);
  EXPECT_TRUE(stack.back().named);
  EXPECT_THAT(profile.collection.notes, IsEmpty());
}

TEST_F(SpoolEventsTest, CodeOfAJitWithoutAMapShowsItsAddressAndSaysSo) {
  MapAnonymous();
  spool_.writer().Add(Life(stacks::LifeEvent::kThread, 10, 0, "node"));
  spool_.writer().Add(SampleAt(kCode + 0x10));
  spool_.writer().Add(SampleAt(kCode + 0x20));
  const auto profile = Fold();
  const auto stack = StackOf(profile);
  EXPECT_EQ(stack.back().function, "0x7f0000001010");
  EXPECT_EQ(stack.back().kind, stacks::FrameKind::kJit);
  EXPECT_FALSE(stack.back().named);
  EXPECT_EQ(stack.front().function, "[unknown]");
  EXPECT_EQ(profile.collection.broken, 2);
  EXPECT_THAT(profile.collection.notes,
              ElementsAre("Code compiled at run time in node (pid 10) has no "
                          "/tmp/perf-10.map: its addresses are shown."));
}

TEST_F(SpoolEventsTest, FramePointersLeadThroughCodeWithoutTables) {
  MapAnonymous();
  stacks::SpooledSample sample = SampleAt(kCode + 0x10);
  const uint64_t sp = 0x7ffe00001000;
#if defined(__aarch64__)
  sample.registers[31] = sp;
  sample.registers[29] = sp + 8;
#else
  sample.registers[7] = sp;
  sample.registers[6] = sp + 8;
#endif
  // At the frame pointer: the caller's (none), and the return address.
  const std::array<uint64_t, 5> stack = {1, sp + 24, kCode + 0x101, 0, 0};
  sample.stack = std::string_view(reinterpret_cast<const char*>(stack.data()),
                                  sizeof(stack));
  spool_.writer().Add(sample);
  const auto profile = Fold();
  EXPECT_THAT(FunctionsOf(profile),
              ElementsAre("0x7f0000001100", "0x7f0000001010"));
  EXPECT_EQ(profile.collection.reached_root, 1);
}

TEST_F(SpoolEventsTest, KernelFramesAreInnermost) {
  std::ofstream(options_.proc_root / "kallsyms")
      << "ffffffff81000000 T entry\nffffffff81000100 t do_read\n";
  MapAnonymous();
  stacks::SpooledSample sample = SampleAt(kCode + 0x10);
  // The last is the instruction after a call that ends `entry`; the first a
  // mark of the kernel's.
  sample.kernel = {static_cast<uint64_t>(-128), 0xffffffff81000110,
                   0xffffffff81000100};
  spool_.writer().Add(sample);
  const auto profile = Fold();
  EXPECT_THAT(FunctionsOf(profile),
              ElementsAre("[unknown]", "0x7f0000001010", "entry", "do_read"));
  EXPECT_EQ(StackOf(profile).back().kind, stacks::FrameKind::kKernel);
  EXPECT_EQ(StackOf(profile).back().module, "[kernel]");
}

TEST_F(SpoolEventsTest, HiddenKernelAddressesNameTheSetting) {
  std::ofstream(options_.proc_root / "kallsyms")
      << "0000000000000000 T entry\n";
  stacks::SpooledSample sample;
  sample.pid = 10;
  sample.kernel = {0xffffffff81000110};
  spool_.writer().Add(sample);
  const auto profile = Fold();
  EXPECT_THAT(FunctionsOf(profile), ElementsAre("[kernel]"));
  EXPECT_FALSE(StackOf(profile).back().named);
  EXPECT_THAT(profile.collection.notes,
              ElementsAre(HasSubstr("kernel.kptr_restrict")));
  // A kernel thread has no user frames to be broken.
  EXPECT_EQ(profile.collection.broken, 0);
}

TEST_F(SpoolEventsTest, ProcessesWithoutMapsAreCounted) {
  spool_.writer().Add(SampleAt(kCode, 77));
  spool_.writer().Add(SampleAt(kCode, 78));
  const auto profile = Fold();
  EXPECT_THAT(FunctionsOf(profile), ElementsAre("[unknown]"));
  EXPECT_THAT(profile.collection.notes,
              ElementsAre("2 samples of processes that ended before their "
                          "memory map could be read."));
  EXPECT_EQ(profile.collection.samples, 2);
}

TEST_F(SpoolEventsTest, ThreadsHaveTheNamesTheyHadAtTheTime) {
  MapAnonymous();
  spool_.writer().Add(Life(stacks::LifeEvent::kThread, 10, 0, "app"));
  stacks::SpooledSample sample = SampleAt(kCode);
  sample.tid = 11;
  spool_.writer().Add(sample);
  spool_.writer().Add(
      stacks::SpooledLife{stacks::LifeEvent::kThread, 10, 11, 0, 0, "worker"});
  sample.weight = 5;
  spool_.writer().Add(sample);
  const auto profile = Fold();
  ASSERT_THAT(profile.threads, SizeIs(2));
  EXPECT_EQ(profile.threads[0], (stacks::StackThread{10, 11, "app", "app"}));
  EXPECT_EQ(profile.threads[1], (stacks::StackThread{10, 11, "app", "worker"}));
  EXPECT_EQ(profile.counts[1].count, 5);
  EXPECT_EQ(profile.collection.samples, 2);
}

TEST_F(SpoolEventsTest, PythonFramesHaveTheirFileAndLine) {
  MapAnonymous();
  spool_.writer().Add(
      stacks::SpooledPythonCode{1, "Camera.read", "/app/app.py", 20});
  spool_.writer().Add(stacks::SpooledPythonCode{2, "main", "/app/app.py", 3});
  stacks::SpooledSample sample = SampleAt(kCode);
  sample.python_state = 1;
  sample.python = {{1, 24, 0}, {2, 5, 1}, {99, 1, 0}};
  spool_.writer().Add(sample);
  sample.python_state = 2;
  sample.python.clear();
  spool_.writer().Add(sample);
  const auto profile = Fold();
  const auto stack = StackOf(profile);
  EXPECT_THAT(FunctionsOf(profile),
              ElementsAre("main", "Camera.read", "0x7f0000001000"));
  EXPECT_EQ(stack[1].file, "/app/app.py");
  EXPECT_EQ(stack[1].line, 24);
  EXPECT_EQ(stack[1].first_line, 20);
  EXPECT_EQ(stack[1].kind, stacks::FrameKind::kPython);
  EXPECT_EQ(profile.collection.python_missed, 1);
}

TEST_F(SpoolEventsTest, LossesAddUp) {
  spool_.writer().Add(stacks::SpooledLoss{3});
  spool_.writer().Add(stacks::SpooledLoss{4});
  EXPECT_EQ(Fold().collection.lost, 7);
}

TEST_F(SpoolEventsTest, NotesAreFew) {
  for (int32_t pid = 1; pid <= 100; ++pid) {
    MapAnonymous(pid);
    spool_.writer().Add(SampleAt(kCode, pid));
  }
  const auto notes = Fold().collection.notes;
  ASSERT_THAT(notes, SizeIs(20));
  EXPECT_THAT(notes.back(), HasSubstr("81 more"));
}

TEST(HostileSpoolTest, RandomRecordsMakeAValidProfile) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string bytes = stacks::SpoolHeader();
    for (uint32_t record = 0; record < 20; ++record) {
      const auto type = static_cast<uint32_t>(1 + random() % 6);
      const auto size = static_cast<uint32_t>(random() % 400);
      bytes.append(reinterpret_cast<const char*>(&type), sizeof(type));
      bytes.append(reinterpret_cast<const char*>(&size), sizeof(size));
      for (uint32_t i = 0; i < size; ++i) {
        bytes += static_cast<char>(random() % 3);
      }
    }
    stacks::SpoolReader reader(bytes);
    const auto profile = FoldSpool(reader, {});
    ASSERT_TRUE(profile.ok());
    EXPECT_TRUE(profile->Valid());
  }
}

}  // namespace
}  // namespace edgewise::symbols
