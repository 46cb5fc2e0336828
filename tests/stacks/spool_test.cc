#include "stacks/spool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace edgewise::stacks {
namespace {

class SpoolTest : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  std::string Bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  SpoolWriter Writer(uint64_t max_bytes = 1 << 20) {
    auto writer = SpoolWriter::Create(path_, max_bytes);
    EXPECT_TRUE(writer);
    return std::move(*writer);
  }
  static SpooledSample Sample(std::string_view stack) {
    SpooledSample sample;
    sample.pid = 7;
    sample.tid = 8;
    sample.time_ns = 99;
    sample.weight = 2;
    sample.python_state = 1;
    sample.kernel = {1, 2, 3};
    sample.registers.resize(
        static_cast<size_t>(std::popcount(kSampledRegisters)), 42);
    sample.user_ip = 5;
    sample.python = {{1, 10, 1}, {2, 20, 0}};
    sample.stack = stack;
    return sample;
  }

  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("spool-test-" + std::to_string(::getpid()));
};

TEST_F(SpoolTest, EveryRecordComesBackInOrder) {
  {
    SpoolWriter writer = Writer();
    writer.Add(SpooledFile{3, 4, 5, "/bin/app", "gone"});
    writer.Add(SpooledMap{7, 0x1000, 0x2000, 0x3000, 3});
    writer.Add(SpooledLife{LifeEvent::kThread, 7, 8, 0, 0, "worker"});
    writer.Add(SpooledPythonCode{1, "Camera.read", "app.py", 12});
    writer.Add(Sample("stack bytes"));
    writer.Add(SpooledLoss{6});
    ASSERT_TRUE(writer.Flush());
  }
  auto reader = SpoolReader::Open(path_);
  ASSERT_TRUE(reader);
  using Kind = SpoolReader::Kind;
  ASSERT_EQ(reader->Next(), Kind::kFile);
  EXPECT_EQ(reader->file.path, "/bin/app");
  EXPECT_EQ(reader->file.why_not, "gone");
  ASSERT_EQ(reader->Next(), Kind::kMap);
  EXPECT_EQ(reader->map.length, 0x2000u);
  EXPECT_EQ(reader->map.file, 3u);
  ASSERT_EQ(reader->Next(), Kind::kLife);
  EXPECT_EQ(reader->life.event, LifeEvent::kThread);
  EXPECT_EQ(reader->life.name, "worker");
  ASSERT_EQ(reader->Next(), Kind::kPythonCode);
  EXPECT_EQ(reader->python_code.function, "Camera.read");
  EXPECT_EQ(reader->python_code.first_line, 12);
  ASSERT_EQ(reader->Next(), Kind::kSample);
  EXPECT_EQ(reader->sample.kernel, (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_EQ(reader->sample.registers.size(),
            static_cast<size_t>(std::popcount(kSampledRegisters)));
  ASSERT_EQ(reader->sample.python.size(), 2u);
  EXPECT_EQ(reader->sample.python[1].line, 20);
  EXPECT_EQ(reader->sample.stack, "stack bytes");
  EXPECT_EQ(reader->sample.weight, 2u);
  ASSERT_EQ(reader->Next(), Kind::kLoss);
  EXPECT_EQ(reader->loss.samples, 6);
  EXPECT_EQ(reader->Next(), Kind::kEnd);
}

TEST_F(SpoolTest, FullSpoolCountsWhatItLeavesOut) {
  SpoolWriter writer = Writer(1000);
  const std::string stack(600, 'x');
  writer.Add(Sample(stack));
  writer.Add(Sample(stack));
  writer.Add(SpooledLoss{1});  // small records still fit
  ASSERT_TRUE(writer.Flush());
  EXPECT_EQ(writer.dropped_samples(), 1);
  auto reader = SpoolReader::Open(path_);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->Next(), SpoolReader::Kind::kSample);
  EXPECT_EQ(reader->Next(), SpoolReader::Kind::kLoss);
}

TEST_F(SpoolTest, CutOffSpoolGivesWhatIsWhole) {
  {
    SpoolWriter writer = Writer();
    writer.Add(SpooledMap{7, 0x1000, 0x2000, 0x3000, 3});
    writer.Add(Sample("stack"));
    ASSERT_TRUE(writer.Flush());
  }
  const std::string whole = Bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    SpoolReader reader(std::string_view(whole).substr(0, size));
    int records = 0;
    while (reader.Next() != SpoolReader::Kind::kEnd) {
      ++records;
    }
    EXPECT_LE(records, 1) << size;
  }
}

TEST_F(SpoolTest, FileOfAnotherKindIsEmpty) {
  SpoolReader reader("something else entirely, and long enough");
  EXPECT_EQ(reader.Next(), SpoolReader::Kind::kEnd);
}

}  // namespace
}  // namespace edgewise::stacks
