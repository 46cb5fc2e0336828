#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "load/checksum.h"
#include "models/architectures.h"
#include "models/onnx_summary.h"
#include "models/wire.h"

namespace edgewise::apps {
namespace {

using ::testing::HasSubstr;

TEST(WireTest, WhatIsWrittenIsRead) {
  WireWriter writer;
  writer.Int(1, 300);
  writer.Int(2, -1);
  writer.Float(3, 1.5F);
  writer.Bytes(1000, "text");
  WireReader reader(writer.bytes());
  EXPECT_EQ(reader.Next()->integer, 300U);
  EXPECT_EQ(reader.Next()->integer, UINT64_MAX);
  EXPECT_EQ(reader.Next()->number, 3);
  const auto last = reader.Next();
  EXPECT_EQ(last->number, 1000);
  EXPECT_EQ(last->bytes, "text");
  EXPECT_EQ(reader.Next(), std::nullopt);
  EXPECT_TRUE(reader.ok());
}

TEST(WireTest, ANumberIsWrittenAsTheFormatSays) {
  WireWriter writer;
  writer.Int(1, 150);
  EXPECT_EQ(writer.bytes(), "\x08\x96\x01");
}

TEST(WireTest, EveryCutIsNoticed) {
  WireWriter writer;
  writer.Bytes(1, "four");
  for (size_t size = 1; size < writer.bytes().size(); ++size) {
    WireReader reader(std::string_view(writer.bytes()).substr(0, size));
    EXPECT_EQ(reader.Next(), std::nullopt);
    EXPECT_FALSE(reader.ok()) << size;
  }
}

TEST(WireTest, LengthsBeyondTheEndAreNoticed) {
  WireReader reader("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
  EXPECT_EQ(reader.Next(), std::nullopt);
  EXPECT_FALSE(reader.ok());
}

TEST(ArchitecturesTest, EveryOneIsAnOnnxFileWithOneInput) {
  for (const Architecture& one : Architectures()) {
    const auto summary = SummarizeOnnx(one.name, one.build(1));
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->inputs.size(), 1U) << one.name;
    EXPECT_EQ(summary->opset, 10) << one.name;
  }
}

TEST(ArchitecturesTest, AModelSaysWhatItIsMadeOf) {
  const auto summary = SummarizeOnnx("mlp", BuildMlp(1));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->operators, (std::set<std::string>{"Gemm", "Relu"}));
  EXPECT_EQ(summary->inputs[0].name, "input");
  EXPECT_EQ(summary->inputs[0].dims,
            (std::vector<std::optional<int64_t>>{1, 784}));
}

TEST(ArchitecturesTest, WeightsAreTheSameOnEveryMachine) {
  const std::string bytes = BuildMlp(1);
  Checksum checksum;
  checksum.AddBytes(bytes.data(), bytes.size());
  EXPECT_EQ(FormatChecksum(checksum.value()), "a75c52b4");
  EXPECT_NE(BuildMlp(2), bytes);
}

TEST(OnnxSummaryTest, EveryCutOfAFileIsAnErrorThatNamesIt) {
  // The weights come before the output's description, so no cut is a whole.
  const std::string bytes = BuildTransformer(1);
  for (size_t size = 0; size < bytes.size(); size += 997) {
    const auto summary = SummarizeOnnx("cut.onnx", bytes.substr(0, size));
    ASSERT_FALSE(summary) << size;
    EXPECT_THAT(summary.error().message, HasSubstr("cut.onnx"));
  }
}

}  // namespace
}  // namespace edgewise::apps
