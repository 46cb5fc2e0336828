#include "gpu/trace_reader.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/text.h"
#include "gpu/summary.h"

namespace edgewise::gpu {
namespace {

std::string Header() {
  TraceHeader header{};
  std::memcpy(header.magic, kTraceMagic, sizeof header.magic);
  header.pid = 42;
  header.cupti_version = 130001;
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

template <typename Record>
std::string Bytes(RecordKind kind, Record record) {
  record.head = {static_cast<uint32_t>(kind), sizeof record};
  return {reinterpret_cast<const char*>(&record), sizeof record};
}

CallRecord Call(uint64_t start_ns, uint64_t end_ns) {
  CallRecord call{};
  call.start_ns = start_ns;
  call.end_ns = end_ns;
  return call;
}

TEST(TraceReaderTest, OtherBytesAreRefused) {
  EXPECT_EQ(ReadTrace("").error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(ReadTrace(std::string(100, 'x')).error().code, ErrorCode::kCorrupt);
}

TEST(TraceReaderTest, ATraceThatEndsWithinARecordGivesWhatIsWhole) {
  const std::string call = Bytes(RecordKind::kCall, Call(10, 20));
  const auto trace = ReadTrace(Header() + call + call.substr(0, 20));
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->calls.size(), 1u);
  EXPECT_TRUE(trace->cut_off);
  EXPECT_EQ(trace->header.pid, 42u);
}

TEST(TraceReaderTest, RecordsThatMakeNoSenseArePassedOver) {
  const auto trace =
      ReadTrace(Header() + Bytes(RecordKind::kCall, Call(20, 10)) +
                Bytes(RecordKind::kCall, Call(0, 0)) +
                Bytes(static_cast<RecordKind>(77), Call(1, 2)) +
                Bytes(RecordKind::kCall, Call(1, ~uint64_t{0})) +
                Bytes(RecordKind::kCall, Call(1, 2)));
  ASSERT_TRUE(trace);
  EXPECT_EQ(trace->calls.size(), 1u);
  EXPECT_FALSE(trace->cut_off);
}

TEST(TraceReaderTest, ARecordWithoutSizeEndsTheTrace) {
  std::string call = Bytes(RecordKind::kCall, Call(1, 2));
  std::memset(call.data() + 4, 0, 4);
  const auto trace = ReadTrace(Header() + call);
  ASSERT_TRUE(trace);
  EXPECT_TRUE(trace->cut_off);
}

TEST(TraceReaderTest, WhatHasNoNameIsAQuestionMark) {
  EXPECT_EQ(Trace().NameOf(7), "?");
}

// Of tests/gpu/workload.cu --small, which also told its figures.
TEST(TraceReaderTest, TheTraceOfAnH200HasAllThatTheProgramDid) {
  const auto bytes = ReadFile(RECORDED "/h200.gputrace");
  ASSERT_TRUE(bytes) << bytes.error().message;
  const auto trace = ReadTrace(*bytes);
  ASSERT_TRUE(trace);
  EXPECT_FALSE(trace->cut_off);
  EXPECT_EQ(trace->header.cupti_version, 130001u);
  ASSERT_EQ(trace->devices.size(), 1u);
  const DeviceRecord& device = trace->devices.at(0);
  EXPECT_EQ(trace->NameOf(device.name), "NVIDIA H200");
  EXPECT_EQ(device.multiprocessors, 132u);
  EXPECT_EQ(device.most_warps, 64u);
  const auto summary = SummariseGpu({&*trace, 1});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->kernel_count, 122);
  ASSERT_EQ(summary->kernels.size(), 3u);
  EXPECT_EQ(summary->kernels[0].count, 12);
  EXPECT_EQ(summary->kernels[0].blocks, 1056);
  EXPECT_EQ(summary->kernels[0].block_threads, 256);
  EXPECT_EQ(summary->kernels[2].count, 100);
  ASSERT_EQ(summary->copies.size(), 2u);
  EXPECT_EQ(summary->copies[0].bytes, 6291456);
  EXPECT_EQ(summary->copies[0].pageable_count, 2);
  EXPECT_EQ(summary->copies[1].bytes, 1048576);
  // Copies beside a kernel overlapped it, the others did not.
  EXPECT_GT(summary->overlap_ns, 0);
  EXPECT_LT(summary->overlap_ns, summary->copy_ns);
  EXPECT_EQ(summary->dropped, 0);
  EXPECT_EQ(summary->calls[0].name, "cudaMalloc");
}

TEST(TraceReaderTest, AFolderThatIsNotThereHasNoTraces) {
  EXPECT_TRUE(ReadTraces("/nowhere/at/all").empty());
}

}  // namespace
}  // namespace edgewise::gpu
