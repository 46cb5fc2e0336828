#include "probes/stacks/sample_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "stacks/spool.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A record as the kernel writes it.
class Bytes {
 public:
  explicit Bytes(uint32_t type, uint16_t misc = 0) {
    header_.type = type;
    header_.misc = misc;
  }
  template <typename T>
  Bytes& Add(T value) {
    body_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  Bytes& Text(std::string text) {
    text.push_back('\0');
    while (text.size() % 8 != 0) {
      text.push_back('\0');
    }
    body_ += text;
    return *this;
  }
  Bytes& Trailer(int32_t pid, int32_t tid, uint64_t time_ns) {
    return Add(pid).Add(tid).Add(time_ns);
  }
  std::string Whole() {
    header_.size = static_cast<uint16_t>(sizeof header_ + body_.size());
    return std::string(reinterpret_cast<const char*>(&header_),
                       sizeof header_) +
           body_;
  }

 private:
  perf_event_header header_{};
  std::string body_;
};

constexpr int kRegisters = std::popcount(stacks::kSampledRegisters);

std::string Sample(uint64_t abi = PERF_SAMPLE_REGS_ABI_64) {
  Bytes bytes(PERF_RECORD_SAMPLE);
  bytes.Add(int32_t{7}).Add(int32_t{8}).Add(uint64_t{1000});
  bytes.Add(uint64_t{3}).Add(static_cast<uint64_t>(PERF_CONTEXT_KERNEL));
  bytes.Add(uint64_t{0xffffffff81000010}).Add(uint64_t{0xffffffff81000020});
  bytes.Add(abi);
  for (int i = 0; abi != 0 && i < kRegisters; ++i) {
    bytes.Add(static_cast<uint64_t>(100 + i));
  }
  if (abi == 0) {
    return bytes.Add(uint64_t{0}).Whole();
  }
  bytes.Add(uint64_t{16}).Add(uint64_t{0x1111}).Add(uint64_t{0x2222});
  return bytes.Add(uint64_t{8}).Whole();  // of which 8 were there
}

TEST(SampleRecordTest, SampleHasRegistersStackAndKernelChain) {
  PerfRecord record;
  const std::string bytes = Sample();
  ParseRecord(bytes, &record);
  EXPECT_EQ(record.kind, RecordKind::kSample);
  EXPECT_EQ(record.pid, 7);
  EXPECT_EQ(record.tid, 8);
  EXPECT_EQ(record.time_ns, 1000u);
  EXPECT_EQ(RecordTimeNs(bytes), 1000u);
  EXPECT_THAT(record.kernel,
              ElementsAre(0xffffffff81000010, 0xffffffff81000020));
  EXPECT_THAT(record.registers, SizeIs(kRegisters));
  EXPECT_TRUE(record.user_is_64_bit);
  EXPECT_EQ(record.stack.size(), 8u);
}

TEST(SampleRecordTest, KernelThreadHasNoUserPart) {
  PerfRecord record;
  const std::string bytes = Sample(PERF_SAMPLE_REGS_ABI_NONE);
  ParseRecord(bytes, &record);
  EXPECT_EQ(record.kind, RecordKind::kSample);
  EXPECT_THAT(record.registers, IsEmpty());
  EXPECT_TRUE(record.stack.empty());
}

TEST(SampleRecordTest, EveryCutOffSampleIsSeenThrough) {
  const std::string whole = Sample();
  for (size_t size = 0; size < whole.size(); ++size) {
    PerfRecord record;
    ParseRecord(std::string_view(whole).substr(0, size), &record);
    EXPECT_NE(record.kind, RecordKind::kSample) << size;
  }
}

TEST(SampleRecordTest, MappingHasFileAndPath) {
  Bytes bytes(PERF_RECORD_MMAP2);
  bytes.Add(int32_t{7}).Add(int32_t{7}).Add(uint64_t{0x1000});
  bytes.Add(uint64_t{0x2000}).Add(uint64_t{0x3000});
  bytes.Add(uint32_t{8}).Add(uint32_t{1}).Add(uint64_t{99}).Add(uint64_t{5});
  bytes.Add(uint64_t{0}).Text("/usr/lib/libfoo.so").Trailer(7, 7, 44);
  PerfRecord record;
  const std::string whole = bytes.Whole();
  ParseRecord(whole, &record);
  EXPECT_EQ(record.kind, RecordKind::kMap);
  EXPECT_EQ(record.start, 0x1000u);
  EXPECT_EQ(record.length, 0x2000u);
  EXPECT_EQ(record.file_offset, 0x3000u);
  EXPECT_EQ(record.inode, 99u);
  EXPECT_EQ(record.name, "/usr/lib/libfoo.so");
  EXPECT_EQ(record.time_ns, 44u);
  EXPECT_EQ(RecordTimeNs(whole), 44u);
}

TEST(SampleRecordTest, NewProgramIsToldFromNewName) {
  PerfRecord record;
  const std::string exec = Bytes(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC)
                               .Add(int32_t{7})
                               .Add(int32_t{7})
                               .Text("sh")
                               .Trailer(7, 7, 1)
                               .Whole();
  ParseRecord(exec, &record);
  EXPECT_EQ(record.kind, RecordKind::kName);
  EXPECT_TRUE(record.by_exec);
  EXPECT_EQ(record.name, "sh");
  const std::string rename = Bytes(PERF_RECORD_COMM)
                                 .Add(int32_t{7})
                                 .Add(int32_t{9})
                                 .Text("worker")
                                 .Trailer(7, 9, 2)
                                 .Whole();
  ParseRecord(rename, &record);
  EXPECT_FALSE(record.by_exec);
  EXPECT_EQ(record.tid, 9);
}

TEST(SampleRecordTest, LossIsCounted) {
  PerfRecord record;
  const std::string bytes = Bytes(PERF_RECORD_LOST)
                                .Add(uint64_t{1})
                                .Add(uint64_t{12})
                                .Trailer(7, 7, 3)
                                .Whole();
  ParseRecord(bytes, &record);
  EXPECT_EQ(record.kind, RecordKind::kLost);
  EXPECT_EQ(record.lost, 12);
}

}  // namespace
}  // namespace edgewise
