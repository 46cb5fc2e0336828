#include "base/byte_code.h"

#include <gtest/gtest.h>

#include <limits>

namespace edgewise {
namespace {

TEST(ByteCodeTest, ChecksumIsCrc32) {
  EXPECT_EQ(Checksum("123456789"), 0xCBF43926U);
  EXPECT_EQ(Checksum(""), 0U);
}

TEST(ByteCodeTest, WhatWasSealedReadsBack) {
  ByteWriter writer;
  writer.Varint(std::numeric_limits<uint64_t>::max());
  writer.Signed(std::numeric_limits<int64_t>::min());
  writer.Double(-0.5);
  writer.Bytes("ab");
  const std::string sealed = writer.Sealed();
  auto reader = ByteReader::Open(sealed);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->Varint(), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(reader->Signed(), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(reader->Double(), -0.5);
  EXPECT_EQ(reader->Bytes(2), "ab");
  EXPECT_EQ(reader->remaining(), 0U);
  EXPECT_EQ(reader->Byte(), std::nullopt);
}

TEST(ByteCodeTest, AChangedByteDoesNotOpen) {
  ByteWriter writer;
  writer.Varint(300);
  std::string sealed = writer.Sealed();
  sealed[0] = static_cast<char>(sealed[0] ^ 1);
  EXPECT_FALSE(ByteReader::Open(sealed));
  EXPECT_FALSE(ByteReader::Open("abc"));
}

TEST(ByteCodeTest, AfterTheEndNothingReads) {
  ByteReader reader = ByteReader::Unsealed("\x80");
  EXPECT_EQ(reader.Varint(), std::nullopt);
  EXPECT_EQ(reader.remaining(), 0U);
}

}  // namespace
}  // namespace edgewise
