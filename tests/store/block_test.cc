#include "store/block.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "base/byte_code.h"

namespace edgewise {
namespace {

bool Same(const Span& a, const Span& b) {
  return a.start_ns == b.start_ns && a.wall_ns == b.wall_ns &&
         a.cpu_ns == b.cpu_ns && a.tid == b.tid && a.meta == b.meta;
}

bool Same(const Job& a, const Job& b) {
  return a.release_ns == b.release_ns && a.start_ns == b.start_ns &&
         a.end_ns == b.end_ns && a.deadline_ns == b.deadline_ns &&
         a.cpu_ns == b.cpu_ns && a.tid == b.tid;
}

bool Same(const Point& a, const Point& b) {
  return a.t_ns == b.t_ns &&
         std::bit_cast<uint64_t>(a.value) == std::bit_cast<uint64_t>(b.value);
}

template <typename Record>
void ExpectRoundTrip(const std::vector<Record>& records) {
  std::vector<Record> back;
  const auto decoded =
      DecodeBlock(EncodeBlock(std::span<const Record>(records)), back);
  ASSERT_TRUE(decoded) << decoded.error().message;
  ASSERT_EQ(back.size(), records.size());
  for (size_t i = 0; i < records.size(); ++i) {
    EXPECT_TRUE(Same(back[i], records[i])) << "record " << i;
  }
}

std::vector<Span> SomeSpans(size_t count) {
  std::mt19937_64 random(1);
  std::vector<Span> spans(count);
  int64_t now_ns = 0;
  for (Span& span : spans) {
    now_ns += static_cast<int64_t>(random() % 40'000'000);
    span.start_ns = now_ns;
    span.wall_ns = static_cast<int64_t>(random() % 20'000'000);
    span.cpu_ns =
        random() % 4 == 0 ? -1 : static_cast<int64_t>(random() % 10'000'000);
    span.tid = static_cast<int32_t>(1000 + random() % 4);
    span.meta = static_cast<uint32_t>(random() % 3);
  }
  return spans;
}

TEST(BlockTest, SpansComeBackAsTheyWere) { ExpectRoundTrip(SomeSpans(5000)); }

TEST(BlockTest, TheExampleInTheFormatsPageIsRight) {
  const Span spans[] = {{1000, 300, -1, 7, 0}, {1500, 200, 150, 7, 1}};
  EXPECT_EQ(EncodeBlock(std::span<const Span>(spans)),
            std::string("\x01\x02"
                        "\xd0\x0f\xe8\x07"
                        "\xd8\x04\x90\x03"
                        "\x01\xac\x02"
                        "\x0e\x00"
                        "\x00\x02"
                        "\x4e\x09\xb4\x9b",
                        21));
}

TEST(BlockTest, EmptyBlocksAreFine) {
  ExpectRoundTrip(std::vector<Span>{});
  ExpectRoundTrip(std::vector<Point>{});
  ExpectRoundTrip(std::vector<Job>{});
}

TEST(BlockTest, ExtremeValuesComeBack) {
  constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  ExpectRoundTrip(std::vector<Span>{
      {kMax, kMin, kMax, std::numeric_limits<int32_t>::min(), 0},
      {kMin, kMax, -1, std::numeric_limits<int32_t>::max(),
       std::numeric_limits<uint32_t>::max()},
      {0, 0, 0, 0, 0}});
  ExpectRoundTrip(std::vector<Job>{{kMin, kMax, kMin, kMax, kMax, -1},
                                   {kMax, kMin, kMax, kMin, -1, 5}});
  ExpectRoundTrip(
      std::vector<Point>{{kMin, std::numeric_limits<double>::quiet_NaN()},
                         {kMax, -0.0},
                         {0, std::numeric_limits<double>::infinity()},
                         {1, std::numeric_limits<double>::denorm_min()},
                         {2, -std::numeric_limits<double>::max()}});
}

TEST(BlockTest, JobsComeBackAsTheyWere) {
  std::vector<Job> jobs;
  for (int64_t i = 0; i < 1000; ++i) {
    const int64_t release = i * 20'000'000;
    jobs.push_back({release, release + 50'000, release + 5'000'000 + i,
                    release + 20'000'000, i % 2 == 0 ? 4'000'000 : -1, 42});
  }
  ExpectRoundTrip(jobs);
}

TEST(BlockTest, AnUnmeasuredCpuTimeIsMinusOne) {
  std::vector<Span> back;
  const Span span{.start_ns = 1, .wall_ns = 2, .cpu_ns = -77};
  ASSERT_TRUE(DecodeBlock(EncodeBlock(std::span(&span, 1)), back));
  EXPECT_EQ(back.front().cpu_ns, -1);
}

TEST(BlockTest, ATypicalSpanTakesLessThanHalfOfItsMemory) {
  const std::vector<Span> spans = SomeSpans(kMaxBlockRecords);
  EXPECT_LT(EncodeBlock(std::span<const Span>(spans)).size(),
            spans.size() * sizeof(Span) / 2);
}

TEST(BlockTest, WholeNumbersMakeSmallPoints) {
  std::vector<Point> points;
  for (int64_t i = 0; i < 1000; ++i) {
    points.push_back({i * 100'000'000, static_cast<double>(i % 7)});
  }
  EXPECT_LT(EncodeBlock(std::span<const Point>(points)).size(), 8 * 1000U);
}

TEST(BlockTest, EveryFlippedBitIsNoticed) {
  const std::string good = EncodeBlock(std::span<const Span>(SomeSpans(20)));
  for (size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    std::vector<Span> records(3);
    const auto decoded = DecodeBlock(bad, records);
    ASSERT_FALSE(decoded) << "bit " << bit;
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorrupt);
    EXPECT_EQ(records.size(), 3U) << "records must be left as they were";
  }
}

TEST(BlockTest, EveryTruncationIsNoticed) {
  const std::string good = EncodeBlock(std::span<const Span>(SomeSpans(20)));
  for (size_t size = 0; size < good.size(); ++size) {
    std::vector<Span> records;
    EXPECT_FALSE(DecodeBlock(std::string_view(good).substr(0, size), records));
  }
}

TEST(BlockTest, AKindIsNotReadAsAnother) {
  const std::string spans = EncodeBlock(std::span<const Span>(SomeSpans(2)));
  std::vector<Point> points;
  std::vector<Job> jobs;
  EXPECT_FALSE(DecodeBlock(spans, points));
  EXPECT_FALSE(DecodeBlock(spans, jobs));
}

// A checksum keeps accidents out, not a forger: counts must not be believed.
TEST(BlockTest, AForgedCountTakesNoMemory) {
  for (const uint64_t count :
       {uint64_t{3}, uint64_t{kMaxBlockRecords} + 1, uint64_t{1} << 40,
        std::numeric_limits<uint64_t>::max()}) {
    ByteWriter forged;
    forged.Byte(1);
    forged.Varint(count);
    forged.Bytes("1234567890");
    std::vector<Span> records;
    EXPECT_FALSE(DecodeBlock(forged.Sealed(), records)) << count;
    EXPECT_EQ(records.capacity(), 0U);
  }
}

TEST(BlockTest, ForgedContentGivesRecordsOrAnError) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    ByteWriter forged;
    forged.Byte(static_cast<uint8_t>(1 + random() % 3));
    forged.Varint(random() % 6);
    const size_t length = random() % 40;
    for (size_t j = 0; j < length; ++j) {
      forged.Byte(static_cast<uint8_t>(random()));
    }
    const std::string bytes = forged.Sealed();
    std::vector<Span> spans;
    std::vector<Point> points;
    std::vector<Job> jobs;
    if (DecodeBlock(bytes, spans)) {
      ExpectRoundTrip(spans);
    }
    if (DecodeBlock(bytes, points)) {
      ExpectRoundTrip(points);
    }
    if (DecodeBlock(bytes, jobs)) {
      ExpectRoundTrip(jobs);
    }
  }
}

}  // namespace
}  // namespace edgewise
