#include "symbols/fold_in_child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/clock.h"
#include "nested_calls.h"
#include "own_sample.h"
#include "stacks/difference.h"

namespace edgewise::symbols {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::milliseconds kLong{60'000};

Result<std::string> BytesFromChild(const std::function<std::string()>& work,
                                   std::chrono::milliseconds limit) {
  auto child = ChildWork::Start(work);
  EXPECT_TRUE(child.ok());
  return (*child)->Finish(MonotonicNs() +
                          std::chrono::nanoseconds(limit).count());
}

TEST(FoldInChildTest, GivesWhatTheSameProcessWouldGive) {
  SpoolUnderTest spool;
  OwnSample sample;
  nested::Outermost([&] { sample = TakeOwnSample(); });
  spool.Add(ReadOwnMaps());
  spool.Add(sample);
  const auto here = spool.Fold();
  auto reader = stacks::SpoolReader::Open(spool.path());
  ASSERT_TRUE(reader.ok());
  const auto there = FoldSpoolInChild(*reader, {}, kLong);
  ASSERT_TRUE(there.ok()) << there.error().message;
  EXPECT_EQ(FunctionsOf(*there), FunctionsOf(here));
  EXPECT_EQ(there->collection.reached_root, 1);
}

TEST(FoldInChildTest, PartsAddUpToTheWhole) {
  SpoolUnderTest spool;
  OwnSample sample;
  nested::Outermost([&] { sample = TakeOwnSample(); });
  spool.Add(ReadOwnMaps());
  for (int i = 0; i < 7; ++i) {
    spool.Add(sample);
  }
  (void)spool.Fold();  // writes the file
  std::vector<stacks::StackProfile> parts;
  for (size_t part = 0; part < 3; ++part) {
    auto reader = stacks::SpoolReader::Open(spool.path());
    ASSERT_TRUE(reader.ok());
    FoldOptions options;
    options.parts = 3;
    options.part = part;
    auto profile = FoldSpool(*reader, options);
    ASSERT_TRUE(profile.ok());
    parts.push_back(std::move(*profile));
  }
  EXPECT_EQ(parts[0].total(), 3);
  EXPECT_EQ(parts[2].total(), 2);
  const stacks::StackProfile whole = stacks::MergedProfile(parts);
  EXPECT_EQ(whole.total(), 7);
  EXPECT_EQ(whole.collection.samples, 7);
  EXPECT_EQ(whole.counts.size(), 1u);
}

TEST(FoldInChildTest, LargeResultsComeThroughWhole) {
  const std::string large(10'000'000, 'x');
  const auto bytes = BytesFromChild([&] { return large; }, kLong);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ(*bytes, large);
}

TEST(FoldInChildTest, ACrashIsAnErrorAndNoMore) {
  const auto bytes = BytesFromChild([]() -> std::string { abort(); }, kLong);
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().message, HasSubstr("crashed (Aborted)"));
}

TEST(FoldInChildTest, WhatTakesTooLongIsEnded) {
  const auto bytes = BytesFromChild(
      []() -> std::string {
        for (;;) pause();
      },
      std::chrono::milliseconds(0));
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().message, HasSubstr("too long"));
}

TEST(FoldInChildTest, AnEndWithoutAResultIsAnError) {
  const auto bytes = BytesFromChild([]() -> std::string { _exit(7); }, kLong);
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().message, HasSubstr("without a result"));
}

}  // namespace
}  // namespace edgewise::symbols
