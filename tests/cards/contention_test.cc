// A card's `isolated` and `contended`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cards/card.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CardContentionTest, IsReadBackAsItIsWritten) {
  Card card;
  card.name = "camera";
  card.isolated = CardContention{21.9, 23.4, "", {"0123456789ab"}};
  card.contended =
      CardContention{30.2, 35.8, "dl + bandwidth:100", {"abcdefabcdef"}};
  const std::string yaml = WriteCard(card);
  EXPECT_THAT(yaml, HasSubstr("isolated: {p50_ms: 21.9, p95_ms: 23.4, runs: "
                              "[\"0123456789ab\"]}\n"));
  std::vector<std::string> warnings;
  const auto read = ReadCard(yaml, "app.yaml", &warnings);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(warnings, IsEmpty());
  ASSERT_TRUE(read->isolated && read->contended);
  EXPECT_EQ(read->isolated->p50_ms, 21.9);
  EXPECT_EQ(read->isolated->beside, "");
  EXPECT_EQ(read->contended->p95_ms, 35.8);
  EXPECT_EQ(read->contended->beside, "dl + bandwidth:100");
  EXPECT_THAT(read->contended->runs, ElementsAre("abcdefabcdef"));
}

TEST(CardContentionTest, AFigureMayBeMissing) {
  const auto read =
      ReadCard("name: a\nisolated: {p50_ms: 3}\ncontended:\n", "a.yaml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->isolated->p50_ms, 3);
  EXPECT_FALSE(read->isolated->p95_ms);
  EXPECT_FALSE(read->contended);
}

TEST(CardContentionTest, WhatMakesNoSenseIsRefused) {
  for (const auto& [yaml, hint] :
       {std::pair("name: a\nisolated: 3\n", "p50_ms: 12"),
        std::pair("name: a\nisolated: {p50_ms: -3}\n", "above 0"),
        std::pair("name: a\ncontended: {p50: 3}\n", "p50_ms, p95_ms"),
        std::pair("name: a\ncontended: {runs: x}\n", "must be a list"),
        std::pair("name: a\ncontented: {p50_ms: 3}\n",
                  "did you mean `contended`")}) {
    const auto read = ReadCard(yaml, "a.yaml");
    ASSERT_FALSE(read) << yaml;
    EXPECT_THAT(read.error().message, HasSubstr(hint));
    EXPECT_THAT(read.error().message, HasSubstr("a.yaml:2"));
  }
}

}  // namespace
}  // namespace edgewise
