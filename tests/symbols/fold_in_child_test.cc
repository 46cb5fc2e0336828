#include "symbols/fold_in_child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "nested_calls.h"
#include "own_sample.h"

namespace edgewise::symbols {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::milliseconds kLong{60'000};

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
  EXPECT_THAT(bytes.error().message, HasSubstr("longer than 0 s"));
}

TEST(FoldInChildTest, AnEndWithoutAResultIsAnError) {
  const auto bytes = BytesFromChild([]() -> std::string { _exit(7); }, kLong);
  ASSERT_FALSE(bytes.ok());
  EXPECT_THAT(bytes.error().message, HasSubstr("without a result"));
}

}  // namespace
}  // namespace edgewise::symbols
