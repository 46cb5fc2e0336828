#include "onnx/wire.h"

#include <gtest/gtest.h>

#include "onnx/wire_writer.h"

namespace edgewise::onnx {
namespace {

TEST(WireTest, WhatIsWrittenIsRead) {
  WireWriter writer;
  writer.Int(1, 300);
  writer.Int(2, -1);
  writer.Float(3, 1.5F);
  writer.Bytes(1000, "text");
  WireReader reader(writer.bytes());
  EXPECT_EQ(reader.Next()->integer, 300U);
  EXPECT_EQ(reader.Next()->integer, UINT64_MAX);
  const auto number = reader.Next();
  EXPECT_EQ(number->number, 3);
  EXPECT_EQ(number->integer, 0x3FC00000U);
  const auto last = reader.Next();
  EXPECT_EQ(last->number, 1000);
  EXPECT_EQ(last->bytes, "text");
  EXPECT_FALSE(reader.Next());
  EXPECT_TRUE(reader.ok());
}

TEST(WireTest, ANumberIsWrittenAsTheFormatSays) {
  WireWriter writer;
  writer.Int(1, 150);
  EXPECT_EQ(writer.bytes(), "\x08\x96\x01");
}

TEST(WireTest, PackedNumbersAreReadOneByOne) {
  WireReader reader("\x03\x8E\x02\x9E\xA7\x05");
  EXPECT_EQ(reader.NextPacked(), 3U);
  EXPECT_EQ(reader.NextPacked(), 270U);
  EXPECT_EQ(reader.NextPacked(), 86942U);
  EXPECT_FALSE(reader.NextPacked());
  EXPECT_TRUE(reader.ok());
}

TEST(WireTest, EveryCutIsNoticed) {
  WireWriter writer;
  writer.Bytes(1, "four");
  for (size_t size = 1; size < writer.bytes().size(); ++size) {
    WireReader reader(std::string_view(writer.bytes()).substr(0, size));
    EXPECT_FALSE(reader.Next());
    EXPECT_FALSE(reader.ok()) << size;
  }
}

TEST(WireTest, LengthsBeyondTheEndAreNoticed) {
  WireReader reader("\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01");
  EXPECT_FALSE(reader.Next());
  EXPECT_FALSE(reader.ok());
}

TEST(WireTest, GroupsAreRefused) {
  WireReader reader("\x0B\x0C");
  EXPECT_FALSE(reader.Next());
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace edgewise::onnx
