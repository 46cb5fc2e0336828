#include "gpu/cupti/trace_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "gpu/trace_reader.h"

namespace edgewise::gpu {
namespace {

class TraceWriterTest : public ::testing::Test {
 protected:
  TraceWriterTest() {
    folder_ = std::filesystem::temp_directory_path() /
              ("edgewise-trace-test-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~TraceWriterTest() override { std::filesystem::remove_all(folder_); }

  static TraceHeader Header() {
    TraceHeader header{};
    std::memcpy(header.magic, kTraceMagic, sizeof header.magic);
    header.pid = 7;
    return header;
  }
  Trace OnlyTrace() const {
    auto traces = ReadTraces(folder_);
    EXPECT_EQ(traces.size(), 1u);
    return traces.empty() ? Trace() : traces.front();
  }

  std::filesystem::path folder_;
};

TEST_F(TraceWriterTest, WhatIsWrittenIsReadBack) {
  {
    TraceWriter writer(folder_, 1 << 20);
    ASSERT_TRUE(writer.valid());
    writer.Begin(Header());
    KernelRecord kernel{};
    kernel.start_ns = 100;
    kernel.end_ns = 250;
    kernel.name = writer.Name("matmul");
    kernel.blocks = 9;
    writer.Add(RecordKind::kKernel, kernel);
    EXPECT_EQ(writer.Name("matmul"), kernel.name);
    EXPECT_NE(writer.Name("other"), kernel.name);
    writer.Flush(1, 2, 3);
  }
  const Trace trace = OnlyTrace();
  EXPECT_FALSE(trace.cut_off);
  EXPECT_EQ(trace.header.pid, 7u);
  ASSERT_EQ(trace.kernels.size(), 1u);
  EXPECT_EQ(trace.kernels[0].end_ns, 250u);
  EXPECT_EQ(trace.kernels[0].blocks, 9u);
  EXPECT_EQ(trace.NameOf(trace.kernels[0].name), "matmul");
  EXPECT_EQ(trace.account.dropped, 1u);
  EXPECT_EQ(trace.account.writing_ns, 2u);
  EXPECT_EQ(trace.account.overhead_ns, 3u);
}

TEST_F(TraceWriterTest, BeyondItsLimitRecordsAreCountedOnly) {
  {
    TraceWriter writer(folder_, 8192);
    writer.Begin(Header());
    CallRecord call{};
    call.start_ns = 1;
    call.end_ns = 2;
    for (int i = 0; i < 1000; ++i) {
      writer.Add(RecordKind::kCall, call);
    }
    writer.Flush(0, 0, 0);
  }
  const Trace trace = OnlyTrace();
  EXPECT_FALSE(trace.cut_off);
  EXPECT_GT(trace.calls.size(), 10u);
  EXPECT_GT(trace.account.left_out, 10u);
  EXPECT_EQ(trace.calls.size() + trace.account.left_out, 1000u);
}

TEST_F(TraceWriterTest, AProblemIsToldInWords) {
  {
    TraceWriter writer(folder_, 8192);
    writer.Begin(Header());
    writer.Problem("there is no CUPTI");
  }
  EXPECT_EQ(OnlyTrace().problem, "there is no CUPTI");
}

TEST_F(TraceWriterTest, AFolderThatIsNotThereIsNoAccident) {
  TraceWriter writer(folder_ / "none", 8192);
  EXPECT_FALSE(writer.valid());
  writer.Begin(Header());
  writer.Flush(0, 0, 0);
}

}  // namespace
}  // namespace edgewise::gpu
