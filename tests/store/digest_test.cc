#include "store/digest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "stats/moments.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

SeriesDigest DigestOfJobs() {
  SeriesDigest digest;
  for (int64_t i = 1; i <= 100; ++i) {
    Job job;
    job.release_ns = i * 1000;
    job.start_ns = job.release_ns + 10;
    job.end_ns = job.start_ns + i;
    job.deadline_ns = job.release_ns + 90;
    job.cpu_ns = i % 2 == 0 ? 5 : -1;
    digest.Add(job);
  }
  return digest;
}

TEST(DigestTest, KeepsWhatJobsNeed) {
  const SeriesDigest digest = DigestOfJobs();
  EXPECT_EQ(digest.count(), 100);
  EXPECT_EQ(digest.deadline_misses, 20);  // end is release + 10 + i
  EXPECT_DOUBLE_EQ(digest.max_lateness_ns, 20);
  EXPECT_EQ(digest.cpu_count, 50);
  EXPECT_DOUBLE_EQ(digest.cpu_total_ns, 250);
  EXPECT_EQ(digest.first_ns, 1010);
  EXPECT_EQ(digest.last_ns, 100'110);
  EXPECT_DOUBLE_EQ(*digest.responses.max(), 110);
}

TEST(DigestTest, ComesBackAsItWas) {
  const SeriesDigest digest = DigestOfJobs();
  const auto back = DecodeDigest(EncodeDigest(digest));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(EncodeDigest(*back), EncodeDigest(digest));
  EXPECT_EQ(back->values, digest.values);
  EXPECT_EQ(back->deadline_misses, digest.deadline_misses);
}

TEST(DigestTest, EveryFlippedByteIsNoticed) {
  const std::string good = EncodeDigest(DigestOfJobs());
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    EXPECT_FALSE(DecodeDigest(bad)) << "byte " << i;
    EXPECT_FALSE(DecodeDigest(std::string_view(good).substr(0, i)));
  }
}

TEST(StreamMomentsTest, MergeEqualsWholeButForTheStepBetween) {
  StreamMoments whole;
  StreamMoments first;
  StreamMoments second;
  for (int i = 0; i < 1000; ++i) {
    const double value = 1e9 + std::sin(i) * 1000;
    whole.Add(value);
    (i < 300 ? first : second).Add(value);
  }
  first.Merge(second);
  EXPECT_EQ(first.count, whole.count);
  EXPECT_NEAR(first.mean, whole.mean, 1e-5);
  EXPECT_NEAR(*first.stddev(), *whole.stddev(), 1e-5);
  EXPECT_EQ(first.steps, whole.steps - 1);
}

TEST(StreamMomentsTest, AgreesWithTheStatisticsRoom) {
  StreamMoments stream;
  stats::Moments moments;
  for (const double value : {3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0}) {
    stream.Add(value);
    moments.Add(value);
  }
  EXPECT_DOUBLE_EQ(stream.mean, *moments.mean());
  EXPECT_DOUBLE_EQ(*stream.stddev(), *moments.stddev());
  EXPECT_DOUBLE_EQ(*stream.jitter(), *moments.jitter());
}

TEST(StreamMomentsTest, OneValueHasNoSpread) {
  StreamMoments one;
  one.Add(5);
  EXPECT_FALSE(one.stddev());
  EXPECT_FALSE(one.jitter());
}

}  // namespace
}  // namespace edgewise
