#include "stacks/encode.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/byte_code.h"
#include "stacks/compress.h"

namespace edgewise::stacks {
namespace {

StackProfile SomeProfile() {
  ProfileBuilder builder;
  const int32_t worker = builder.AddThread({10, 11, "camera", "worker"});
  const int32_t main = builder.AddThread({10, 10, "camera", "camera"});
  Frame frame;
  frame.function = "main";
  frame.module = "/usr/bin/camera";
  const int32_t outer = builder.AddFrame(frame);
  frame.function = "Camera::read(int)";
  frame.file = "camera.cc";
  frame.line = 42;
  frame.first_line = 40;
  frame.inlined = true;
  const int32_t inner = builder.AddFrame(frame);
  Frame kernel;
  kernel.function = "0xffffffff81000000";
  kernel.module = "[kernel]";
  kernel.kind = FrameKind::kKernel;
  kernel.named = false;
  const int32_t leaf = builder.AddFrame(kernel);
  builder.Add(worker, std::vector{outer, inner, leaf}, 7);
  builder.Add(main, std::vector{outer, inner}, 2);
  builder.Add(main, std::vector{outer}, 1);
  builder.Add(worker, {}, 3);
  Collection& collection = builder.collection();
  collection.event = "cpu-clock";
  collection.rate_hz = 99.0;
  collection.samples = 13;
  collection.lost = 1;
  collection.truncated = 2;
  collection.broken = 3;
  collection.reached_root = 4;
  collection.python_missed = 5;
  collection.spool_bytes = 1 << 20;
  collection.notes = {"One.", "Two."};
  return builder.Take();
}

void ExpectSame(const StackProfile& a, const StackProfile& b) {
  EXPECT_EQ(a.frames, b.frames);
  EXPECT_EQ(a.threads, b.threads);
  ASSERT_EQ(a.nodes.size(), b.nodes.size());
  for (size_t i = 0; i < a.nodes.size(); ++i) {
    EXPECT_EQ(a.nodes[i].parent, b.nodes[i].parent);
    EXPECT_EQ(a.nodes[i].frame, b.nodes[i].frame);
  }
  ASSERT_EQ(a.counts.size(), b.counts.size());
  for (size_t i = 0; i < a.counts.size(); ++i) {
    EXPECT_EQ(a.counts[i].node, b.counts[i].node);
    EXPECT_EQ(a.counts[i].thread, b.counts[i].thread);
    EXPECT_EQ(a.counts[i].count, b.counts[i].count);
  }
  const Collection& c = a.collection;
  const Collection& d = b.collection;
  EXPECT_EQ(c.event, d.event);
  EXPECT_EQ(c.rate_hz, d.rate_hz);
  EXPECT_EQ(c.unit, d.unit);
  EXPECT_EQ(c.samples, d.samples);
  EXPECT_EQ(c.lost, d.lost);
  EXPECT_EQ(c.truncated, d.truncated);
  EXPECT_EQ(c.broken, d.broken);
  EXPECT_EQ(c.reached_root, d.reached_root);
  EXPECT_EQ(c.python_missed, d.python_missed);
  EXPECT_EQ(c.spool_bytes, d.spool_bytes);
  EXPECT_EQ(c.unwind_s, d.unwind_s);
  EXPECT_EQ(c.notes, d.notes);
}

// The body of SomeProfile, to be spoilt.
std::string BodyOf(const std::string& encoded) {
  auto reader = ByteReader::Open(encoded);
  EXPECT_EQ(reader->Byte(), 1);
  const auto size = reader->Varint();
  return *Inflated(*reader->Bytes(reader->remaining()), *size);
}

std::string Sealed(std::string_view body) {
  ByteWriter writer;
  writer.Byte(1);
  writer.Varint(body.size());
  writer.Bytes(Deflated(body));
  return writer.Sealed();
}

TEST(EncodeTest, AProfileComesBackAsItWas) {
  const StackProfile profile = SomeProfile();
  const auto decoded = Decode(Encode(profile));
  ASSERT_TRUE(decoded) << decoded.error().message;
  ExpectSame(profile, *decoded);
}

TEST(EncodeTest, AnEmptyProfileComesBack) {
  const auto decoded = Decode(Encode({}));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->total(), 0);
  EXPECT_EQ(decoded->collection.rate_hz, std::nullopt);
}

TEST(EncodeTest, CountsOfAnySizeComeBack) {
  StackProfile profile = SomeProfile();
  profile.counts[0].count = std::numeric_limits<int64_t>::max() - 100;
  const auto decoded = Decode(Encode(profile));
  ASSERT_TRUE(decoded);
  ExpectSame(profile, *decoded);
}

TEST(EncodeTest, CountsWhoseSumDoesNotFitAreDamage) {
  StackProfile profile = SomeProfile();
  profile.counts[0].count = std::numeric_limits<int64_t>::max();
  const auto decoded = Decode(Encode(profile));
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kCorrupt);
}

TEST(EncodeTest, AnyChangedByteIsNoticed) {
  const std::string encoded = Encode(SomeProfile());
  for (size_t i = 0; i < encoded.size(); ++i) {
    std::string spoilt = encoded;
    spoilt[i] = static_cast<char>(spoilt[i] ^ 0x10);
    EXPECT_FALSE(Decode(spoilt)) << i;
  }
}

TEST(EncodeTest, ACutOffBodyIsDamageAndNeverACrash) {
  const std::string body = BodyOf(Encode(SomeProfile()));
  ASSERT_TRUE(Decode(Sealed(body)));
  for (size_t length = 0; length < body.size(); ++length) {
    const auto decoded = Decode(Sealed(body.substr(0, length)));
    ASSERT_FALSE(decoded) << length;
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorrupt);
  }
  EXPECT_FALSE(Decode(Sealed(body + '\0')));
}

TEST(EncodeTest, WhateverASpoiltBodyGivesIsValid) {
  const std::string body = BodyOf(Encode(SomeProfile()));
  for (size_t i = 0; i < body.size(); ++i) {
    for (const char value : {'\0', '\x7f', '\xff'}) {
      std::string spoilt = body;
      spoilt[i] = value;
      const auto decoded = Decode(Sealed(spoilt));
      if (decoded) {
        EXPECT_TRUE(decoded->Valid());
      }
    }
  }
}

TEST(CompressTest, ASizeThatCannotBeIsRefusedBeforeMemoryIsTaken) {
  EXPECT_FALSE(Inflated("x", size_t{1} << 60));
}

TEST(CompressTest, BytesAfterTheStreamAreRefused) {
  const std::string deflated = Deflated("hello");
  EXPECT_EQ(Inflated(deflated, 5), "hello");
  EXPECT_FALSE(Inflated(deflated + "x", 5));
  EXPECT_FALSE(Inflated(deflated, 4));
  EXPECT_FALSE(Inflated(deflated, 6));
}

}  // namespace
}  // namespace edgewise::stacks
