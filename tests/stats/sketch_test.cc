#include "stats/sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "series.h"
#include "stats/quantile.h"

namespace edgewise::stats {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Sketch SketchOf(std::span<const double> values) {
  Sketch sketch;
  for (const double value : values) sketch.Add(value);
  return sketch;
}

struct Distribution {
  std::string name;
  std::function<double(Random*)> draw;
};

const std::vector<Distribution>& Distributions() {
  static const std::vector<Distribution> kAll = {
      {"uniform", [](Random* r) { return r->Uniform(); }},
      {"normal around zero", [](Random* r) { return r->Normal(); }},
      {"narrow", [](Random* r) { return 1e6 + r->Normal(); }},
      {"lognormal", [](Random* r) { return std::exp(2 * r->Normal()); }},
      {"pareto", [](Random* r) { return std::pow(r->Uniform(), -2.0); }},
      {"exponential", [](Random* r) { return -std::log(r->Uniform()); }},
      {"bimodal",
       [](Random* r) {
         return r->Uniform() < 0.9 ? 1e-6 : 1.4 + r->Uniform();
       }},
      {"negative", [](Random* r) { return -std::exp(3 * r->Normal()); }},
      {"mostly zero", [](Random* r) { return std::max(0.0, r->Normal() - 1); }},
      {"thirty decades",
       [](Random* r) { return std::pow(10, 15 * (2 * r->Uniform() - 1)); }},
  };
  return kAll;
}

std::vector<double> Draw(const Distribution& distribution, size_t n,
                         uint64_t seed) {
  Random random(seed);
  std::vector<double> values(n);
  for (double& value : values) value = distribution.draw(&random);
  return values;
}

TEST(SketchTest, EmptyHasNoQuantiles) {
  const Sketch sketch;
  EXPECT_EQ(sketch.count(), 0u);
  EXPECT_EQ(sketch.Quantile(0.5), std::nullopt);
  EXPECT_EQ(sketch.min(), std::nullopt);
  EXPECT_EQ(sketch.max(), std::nullopt);
  EXPECT_TRUE(sketch.Buckets().empty());
}

TEST(SketchTest, EveryQuantileIsWithinOnePercent) {
  for (const Distribution& distribution : Distributions()) {
    for (const size_t n : {1, 2, 17, 10'000}) {
      std::vector<double> values = Draw(distribution, n, n);
      const Sketch sketch = SketchOf(values);
      std::sort(values.begin(), values.end());
      // What lies more than 17 decades below the largest magnitude may be
      // collapsed.
      const double floor =
          std::max(std::abs(values.front()), std::abs(values.back())) * 1e-17;
      for (double p = 0.0005; p < 1; p += 0.0037) {
        const double exact = values[static_cast<size_t>(
            PointRank(static_cast<int64_t>(n), p) - 1)];
        if (std::abs(exact) < floor && exact != 0) continue;
        ASSERT_NEAR(*sketch.Quantile(p), exact, kSketchError * std::abs(exact))
            << distribution.name << " n=" << n << " p=" << p;
      }
      EXPECT_EQ(sketch.min(), values.front());
      EXPECT_EQ(sketch.max(), values.back());
    }
  }
}

TEST(SketchTest, MergeEqualsWhole) {
  for (const Distribution& distribution : Distributions()) {
    const std::vector<double> values = Draw(distribution, 3000, 21);
    const Sketch whole = SketchOf(values);
    Random random(22);
    for (int trial = 0; trial < 10; ++trial) {
      std::vector<Sketch> parts(1 + random.Below(7));
      for (const double value : values) {
        parts[random.Below(parts.size())].Add(value);
      }
      Sketch merged;
      for (const Sketch& part : parts) merged.Merge(part);
      ASSERT_EQ(merged, whole) << distribution.name;
    }
  }
}

TEST(SketchTest, MergeEqualsWholeInAnyOrderAndGrouping) {
  const std::vector<double> values = Draw(Distributions().back(), 900, 23);
  const std::span<const double> all(values);
  const Sketch a = SketchOf(all.first(300));
  const Sketch b = SketchOf(all.subspan(300, 300));
  const Sketch c = SketchOf(all.subspan(600));
  Sketch left = a;
  left.Merge(b);
  left.Merge(c);
  Sketch right = c;
  Sketch inner = b;
  inner.Merge(a);
  right.Merge(inner);
  EXPECT_EQ(left, right);
}

TEST(SketchTest, MergingWithItselfDoubles) {
  Sketch sketch = SketchOf(std::vector<double>{1, 2, 3});
  Sketch twice = sketch;
  sketch.Merge(sketch);
  twice.Merge(SketchOf(std::vector<double>{1, 2, 3}));
  EXPECT_EQ(sketch, twice);
  EXPECT_EQ(sketch.count(), 6u);
}

TEST(SketchTest, MemoryStaysBoundedOverAllDoubles) {
  Sketch sketch;
  Random random(24);
  for (int i = 0; i < 20'000; ++i) {
    const double magnitude = std::pow(10, 600 * random.Uniform() - 300);
    sketch.Add(i % 2 == 0 ? magnitude : -magnitude);
  }
  sketch.Add(std::numeric_limits<double>::max());
  sketch.Add(std::numeric_limits<double>::lowest());
  sketch.Add(std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(sketch.count(), 20'003u);
  EXPECT_LE(sketch.Buckets().size(), 2u * kSketchBuckets);
  EXPECT_LT(sketch.Serialise().size(), 20'000u);
}

TEST(SketchTest, CollapsingTheLowestKeepsTheTail) {
  Sketch sketch;
  for (int i = 0; i < 900; ++i) sketch.Add(1e-200);
  for (int i = 1; i <= 100; ++i) sketch.Add(i);
  EXPECT_NEAR(*sketch.Quantile(0.99), 90, 0.9);
  EXPECT_LE(*sketch.Quantile(0.5), 1e-15);
  EXPECT_EQ(sketch.min(), 1e-200);
}

TEST(SketchTest, WhatIsNotFiniteIsCountedApart) {
  Sketch sketch;
  sketch.Add(std::nan(""));
  sketch.Add(kInfinity);
  sketch.Add(-kInfinity);
  sketch.Add(1);
  EXPECT_EQ(sketch.count(), 1u);
  EXPECT_EQ(sketch.rejected(), 3u);
  EXPECT_EQ(sketch.Quantile(0.5), 1.0);
}

TEST(SketchTest, WeightEqualsRepetition) {
  Sketch weighted;
  weighted.Add(2.5, 1000);
  weighted.Add(7, 0);
  Sketch repeated;
  for (int i = 0; i < 1000; ++i) repeated.Add(2.5);
  EXPECT_EQ(weighted, repeated);
}

TEST(SketchTest, RanksOutsideAreAbsent) {
  const Sketch sketch = SketchOf(std::vector<double>{1, 2});
  EXPECT_EQ(sketch.AtRank(0), std::nullopt);
  EXPECT_EQ(sketch.AtRank(3), std::nullopt);
  EXPECT_EQ(sketch.AtRank(1), 1.0);
  EXPECT_EQ(sketch.AtRank(2), 2.0);
}

TEST(SketchTest, BytesRoundTrip) {
  EXPECT_EQ(*Sketch::Deserialise(Sketch().Serialise()), Sketch());
  for (const Distribution& distribution : Distributions()) {
    Sketch sketch = SketchOf(Draw(distribution, 5000, 25));
    sketch.Add(kInfinity);
    const auto read = Sketch::Deserialise(sketch.Serialise());
    ASSERT_TRUE(read.ok()) << distribution.name << read.error().message;
    EXPECT_EQ(*read, sketch);
  }
}

TEST(SketchTest, BytesAreTheDocumentedOnes) {
  Sketch sketch;
  sketch.Add(0, 300);
  const std::vector<uint8_t> expected = {
      'E',  'W', 'S', 'K', 1,           // magic, version
      0,    0,   0,   0,   0, 0, 0, 0,  // min
      0,    0,   0,   0,   0, 0, 0, 0,  // max
      0xac, 2,                          // 300 zeros
      0,                                // rejected
      0,    0,   0,   0,   0,           // positive: key, size
      0,    0,   0,   0,   0};          // negative: key, size
  EXPECT_EQ(sketch.Serialise(), expected);
}

TEST(SketchTest, EveryTruncationIsRefused) {
  const std::vector<uint8_t> bytes =
      SketchOf(Draw(Distributions()[1], 200, 26)).Serialise();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const auto read =
        Sketch::Deserialise(std::span<const uint8_t>(bytes.data(), size));
    ASSERT_FALSE(read.ok()) << size;
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
  }
  std::vector<uint8_t> longer = bytes;
  longer.push_back(0);
  EXPECT_FALSE(Sketch::Deserialise(longer).ok());
}

TEST(SketchTest, DamagedBytesAreRefusedOrStillASketch) {
  const std::vector<uint8_t> good =
      SketchOf(Draw(Distributions()[1], 200, 27)).Serialise();
  Random random(28);
  int refused = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::vector<uint8_t> bytes = good;
    for (uint32_t i = 0; i <= random.Below(4); ++i) {
      bytes[random.Below(bytes.size())] = static_cast<uint8_t>(random.Next());
    }
    const auto read = Sketch::Deserialise(bytes);
    if (!read.ok()) {
      ++refused;
      continue;
    }
    ASSERT_EQ(read->Serialise(), bytes);
    if (read->count() > 0) {
      const double median = *read->Quantile(0.5);
      EXPECT_GE(median, *read->min());
      EXPECT_LE(median, *read->max());
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(SketchTest, AHugeClaimedSizeIsRefusedBeforeAllocation) {
  // Cut before the positive store's size.
  const std::vector<uint8_t> empty = Sketch().Serialise();
  std::vector<uint8_t> bytes(empty.begin(), empty.end() - 6);
  for (int i = 0; i < 9; ++i) bytes.push_back(0xff);
  bytes.push_back(1);
  const auto read = Sketch::Deserialise(bytes);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.error().message.find("too many buckets"), std::string::npos);
}

TEST(SketchTest, OverflowingCountsAreRefused) {
  Sketch sketch;
  sketch.Add(0, std::numeric_limits<uint64_t>::max() / 2 + 10);
  EXPECT_FALSE(Sketch::Deserialise(sketch.Serialise()).ok());
}

}  // namespace
}  // namespace edgewise::stats
