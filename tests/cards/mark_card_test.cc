#include "cards/mark_card.h"

#include <gtest/gtest.h>

#include "cards/card.h"

namespace edgewise {
namespace {

constexpr char kCard[] =
    "# by hand\nname: camera  # the left one\nwcet_ms: 5\n";

TEST(MarkCardTest, AMarkIsAddedAndTheRestStaysAsItIs) {
  const auto marked = MarkFalsified(kCard, "c.yaml", "plan: 18 ms, not 17");
  ASSERT_TRUE(marked);
  EXPECT_EQ(*marked,
            std::string(kCard) + "falsified: \"plan: 18 ms, not 17\"\n");
  EXPECT_EQ(ReadCard(*marked, "c.yaml")->falsified, "plan: 18 ms, not 17");
}

TEST(MarkCardTest, AnOlderMarkIsReplaced) {
  const auto first = MarkFalsified(kCard, "c.yaml", "one");
  const auto second = MarkFalsified(*first, "c.yaml", "two");
  ASSERT_TRUE(second);
  EXPECT_EQ(*second, std::string(kCard) + "falsified: two\n");
}

TEST(MarkCardTest, AFileWithoutALastLineEndGetsOne) {
  EXPECT_EQ(*MarkFalsified("name: a", "c", "x"), "name: a\nfalsified: x\n");
}

TEST(MarkCardTest, ACardInAnotherShapeIsWrittenAnew) {
  for (const char* yaml :
       {"{name: a, wcet_ms: 5}\n", "name: a\nfalsified:\n  old text\n"}) {
    const auto marked = MarkFalsified(yaml, "c", "x");
    ASSERT_TRUE(marked) << yaml;
    const auto card = ReadCard(*marked, "c");
    ASSERT_TRUE(card) << *marked;
    EXPECT_EQ(card->falsified, "x");
    EXPECT_EQ(card->name, "a");
  }
}

TEST(MarkCardTest, WhatIsNoCardIsRefused) {
  EXPECT_FALSE(MarkFalsified("wcet_ms: 5\n", "c", "x"));
}

}  // namespace
}  // namespace edgewise
