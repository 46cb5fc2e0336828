#include "cards/resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cards/card.h"

namespace edgewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kMiB = 1 << 20;

// As docs/formats/card.md shows it.
constexpr std::string_view kExample =
    R"(resources:  # edgewise fit; units as in Kubernetes
  meets: "fps>=10"
  confidence: 0.95
  cores: 2
  lower: {cpu: 330m, memory: 191Mi}
  target: {cpu: 350m, memory: 210Mi}
  upper: {cpu: 370m, memory: 231Mi}
  requests: {cpu: 350m, memory: 210Mi}
  limits: {cpu: 370m, memory: 231Mi}
  runs: ["0123456789ab", abcdefabcdef]
)";

std::string Problem(std::string_view resources) {
  const auto card =
      ReadCard("name: x\nresources:\n  " + std::string(resources), "x");
  EXPECT_FALSE(card) << resources;
  return card ? "" : card.error().message;
}

TEST(ResourcesTest, AmountsAreRoundedUpToWholeUnits) {
  EXPECT_EQ(FormatMillicores(0.35), "350m");
  EXPECT_EQ(FormatMillicores(0.3501), "351m");
  EXPECT_EQ(FormatMillicores(0.1 + 0.2), "300m");
  EXPECT_EQ(FormatMillicores(2), "2000m");
  EXPECT_EQ(FormatMebibytes(210 * kMiB), "210Mi");
  EXPECT_EQ(FormatMebibytes(210 * kMiB + 1), "211Mi");
}

TEST(ResourcesTest, TheExampleIsReadAndWrittenBack) {
  std::vector<std::string> warnings;
  const auto card =
      ReadCard("name: x\n" + std::string(kExample), "x", &warnings);
  ASSERT_TRUE(card) << card.error().message;
  EXPECT_THAT(warnings, ElementsAre());
  const CardResources& resources = *card->resources;
  EXPECT_EQ(resources.meets, "fps>=10");
  EXPECT_EQ(resources.confidence, 0.95);
  EXPECT_EQ(resources.cores, 2);
  EXPECT_DOUBLE_EQ(*resources.lower.cpu_cores, 0.33);
  EXPECT_EQ(resources.limits.memory_bytes, 231 * kMiB);
  EXPECT_THAT(resources.runs, ElementsAre("0123456789ab", "abcdefabcdef"));
  EXPECT_THAT(WriteCard(*card), HasSubstr(std::string(kExample)));
}

TEST(ResourcesTest, WhatIsUnknownIsLeftOut) {
  Card card;
  card.name = "x";
  card.resources = CardResources{};
  card.resources->target.cpu_cores = 0.5;
  EXPECT_THAT(WriteCard(card),
              HasSubstr("Kubernetes\n  target: {cpu: 500m}\n"));
  const auto back = ReadCard(WriteCard(card), "x");
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->resources->target.memory_bytes);
  EXPECT_TRUE(back->resources->lower.empty());
}

TEST(ResourcesTest, NonsenseIsToldWithItsLine) {
  EXPECT_THAT(Problem("target: {cpu: much}\n"), HasSubstr("x:3:"));
  EXPECT_THAT(Problem("target: {memory: -1}\n"), HasSubstr("x:3:"));
  EXPECT_THAT(Problem("target: 350m\n"), HasSubstr("{cpu: 350m"));
  EXPECT_THAT(Problem("target: {gpu: 1}\n"), HasSubstr("`gpu`"));
  EXPECT_THAT(Problem("confidence: 95\n"), HasSubstr("0.95"));
  EXPECT_THAT(Problem("cores: 0\n"), HasSubstr("cores"));
  EXPECT_THAT(Problem("request: {cpu: 1}\n"), HasSubstr("requests"));
  EXPECT_THAT(Problem("runs: 3\n"), HasSubstr("list"));
  EXPECT_FALSE(ReadCard("name: x\nresources: 3\n", "x"));
  EXPECT_TRUE(ReadCard("name: x\nresources:\n", "x"));
}

}  // namespace
}  // namespace edgewise
