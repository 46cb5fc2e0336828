#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cards/card.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

Card FullCard() {
  Card card;
  card.name = "camera";
  card.period_ms = 100;
  card.deadline_ms = 99.5;
  card.wcet_ms = 18.123456;
  card.avg_ms = 12.5;
  card.rss_mb = 210.25;
  card.cpu_share_percent = 130;
  card.notes = "two\nlines: \"quoted\" \\ and # more";
  card.command = "./app --mode 'a b'";
  card.wcet_kind = WcetKind::kQuantileBound;
  card.wcet_time = "wall";
  card.wcet_confidence = 0.95;
  card.wcet_quantile = 0.99;
  card.evidence = CardEvidence{
      .runs = {"0123456789ab", "abcdefabcdef"},
      .span = "frame",
      .n = 1000,
      .n_effective = 812.4,
      .quantiles = {{0.5, 12, 11.9, 12.1}, {0.999, 18, 17.5, std::nullopt}},
      .conditions = {{"cpus", "0-1"}, {"nice", "-5"}},
      .machine = {{"cpu_model", "Cortex-A76"}, {"cores", "4"}}};
  return card;
}

TEST(WriteCardTest, IsWhatThePageOnTheFormatShows) {
  EXPECT_EQ(WriteCard(FullCard()),
            R"(# What this app needs on this kind of machine (edgewise card).
# *_ms: milliseconds. rss_mb: MiB, largest process. cpu_share_percent: CPU time
# over wall time x 100, all threads (200 is two cores kept busy).
name: camera
period_ms: 100
deadline_ms: 99.5
wcet_ms: 18.123456
avg_ms: 12.5
rss_mb: 210.25
cpu_share_percent: 130
notes: "two\nlines: \"quoted\" \\ and # more"
command: "./app --mode 'a b'"
wcet_kind: quantile_bound
wcet_time: wall
wcet_confidence: 0.95
wcet_quantile: 0.99
evidence:
  runs: ["0123456789ab", abcdefabcdef]
  span: frame
  n: 1000
  n_effective: 812.4
  quantiles:  # with 95% intervals where samples suffice
    - {p: 0.5, value_ms: 12, low_ms: 11.9, high_ms: 12.1}
    - {p: 0.999, value_ms: 18, low_ms: 17.5}
  conditions:
    cpus: "0-1"
    nice: "-5"
  machine:
    cpu_model: Cortex-A76
    cores: "4"
)");
}

TEST(WriteCardTest, ReadsBackAsItWas) {
  const std::string text = WriteCard(FullCard());
  std::vector<std::string> warnings;
  const auto back = ReadCard(text, "x", &warnings);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_THAT(warnings, ElementsAre());
  EXPECT_EQ(WriteCard(*back), text);
  EXPECT_EQ(back->notes, FullCard().notes);
  EXPECT_DOUBLE_EQ(*back->wcet_ms, 18.123456);
  EXPECT_EQ(back->evidence->n, 1000);
  EXPECT_EQ(back->evidence->machine, FullCard().evidence->machine);
  EXPECT_FALSE(back->evidence->quantiles.back().high_ms);
}

TEST(WriteCardTest, OddTextsSurvive) {
  for (const char* text :
       {"yes",  "null", "~",          "123",       "1e5",    "0x10", " blank ",
        "a: b", "- x",  "#no",        "\ttab",     "é ü 漢", "{x}",  "*x",
        "&x",   "!x",   "'",          "a'b",       "NO",     "_",    "%x",
        "@x",   "`x",   "2024-01-01", "c:\\x\x01y"}) {
    Card card;
    card.name = text;
    card.notes = text;
    const auto back = ReadCard(WriteCard(card), "x");
    ASSERT_TRUE(back) << text << ": " << back.error().message;
    EXPECT_EQ(back->name, text);
    EXPECT_EQ(back->notes, text);
  }
}

TEST(WriteCardTest, BytesThatAreNotUnicodeStayReadable) {
  Card card;
  card.name = "x";
  card.notes = "bad \xff\xfe\xed\xa0\x80 end";
  const auto back = ReadCard(WriteCard(card), "x");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_THAT(back->notes, StartsWith("bad "));
}

}  // namespace
}  // namespace edgewise
