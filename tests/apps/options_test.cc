#include "load/options.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace edgewise::apps {
namespace {

Result<LoadOptions> Parse(const std::string& command_line,
                          Starts starts = Starts::kOwn) {
  CLI::App app;
  LoadFlags flags(100, starts);
  flags.AddTo(app);
  flags.AddInputTo(app, "");
  app.parse(command_line);
  return flags.Check();
}

TEST(OptionsTest, WithoutFlagsItemsComeBackToBack) {
  const auto options = Parse("");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->arrivals, Arrivals::kBackToBack);
  EXPECT_EQ(options->items, 100);
  EXPECT_EQ(options->deadline_ns, std::nullopt);
  EXPECT_EQ(options->duration_ns, std::nullopt);
}

TEST(OptionsTest, ARateHasNoDeadlineUnlessOneIsGiven) {
  const auto free = Parse("--rate 50");
  ASSERT_TRUE(free);
  EXPECT_EQ(free->arrivals, Arrivals::kEven);
  EXPECT_DOUBLE_EQ(free->gap_ns, 20e6);
  EXPECT_EQ(free->deadline_ns, std::nullopt);
  const auto bound = Parse("--rate 50 --deadline 5ms");
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->deadline_ns, 5'000'000);
}

TEST(OptionsTest, APeriodIsItsOwnDeadline) {
  EXPECT_EQ(Parse("--period 10ms")->deadline_ns, 10'000'000);
  EXPECT_EQ(Parse("--period 10ms --deadline 8ms")->deadline_ns, 8'000'000);
}

TEST(OptionsTest, FilesAndDurationsHaveNoDefaultNumberOfItems) {
  EXPECT_EQ(Parse("--input film.avi")->items, std::nullopt);
  EXPECT_EQ(Parse("--duration 3s")->items, std::nullopt);
  EXPECT_EQ(Parse("--duration 3s --items 7")->items, 7);
}

TEST(OptionsTest, WhereMessagesStartItemsADeadlineNeedsNoRate) {
  EXPECT_FALSE(Parse("--deadline 5ms"));
  EXPECT_TRUE(Parse("--deadline 5ms", Starts::kMessages));
}

}  // namespace
}  // namespace edgewise::apps
